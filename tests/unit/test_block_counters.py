"""What the kernel tells of a device, read from its file; no device is asked."""

from pathlib import Path

import pytest

from ssdlab.engine.block_counters import BlockCounters, counters_in
from ssdlab.engine.result import Direction
from ssdlab.unknown import Unknown

STAT = "  12 3 800 9 4 1 96 7 0 16 16 2 0 64 1 5 2\n"
NOTHING = f"{'0 ' * 17}\n"


def place(root: Path, *below: str) -> Path:
    directory = root.joinpath(*below)
    directory.mkdir(parents=True)
    return directory / "stat"


def test_ios_are_counted_with_those_that_the_kernel_merged_and_sectors_are_of_512_bytes(tmp_path: Path) -> None:
    found = counters_in(place(tmp_path, "sda"), STAT)
    assert isinstance(found, BlockCounters)
    assert (found.device, found.flushes) == ("sda", 5)
    assert found.io_count == {Direction.READ: 15, Direction.WRITE: 5, Direction.TRIM: 2}
    assert found.moved_bytes == {Direction.READ: 800 * 512, Direction.WRITE: 96 * 512, Direction.TRIM: 64 * 512}


@pytest.mark.parametrize("text", [None, "", "no numbers"])
def test_what_cannot_be_read_is_unknown(text: str | None, tmp_path: Path) -> None:
    assert isinstance(counters_in(place(tmp_path, "sda"), text), Unknown)


def test_a_drive_of_several_paths_of_which_nothing_at_all_is_counted_is_unknown(tmp_path: Path) -> None:
    head = place(tmp_path, "nvme-subsystem", "nvme-subsys0", "nvme0n1")
    found = counters_in(head, NOTHING)
    assert isinstance(found, Unknown)
    assert found.reason.id == "unknown-multipath-not-counted"


def test_one_of_which_the_kernel_counts_is_believed(tmp_path: Path) -> None:
    assert isinstance(counters_in(place(tmp_path, "nvme-subsystem", "nvme-subsys0", "nvme0n1"), STAT), BlockCounters)


def test_an_ordinary_drive_that_has_done_nothing_has_counted_nothing(tmp_path: Path) -> None:
    found = counters_in(place(tmp_path, "nvme0", "nvme0n1"), NOTHING)
    assert isinstance(found, BlockCounters)
    assert set(found.moved_bytes.values()) == {0}
