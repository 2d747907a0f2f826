"""`ssdlab purge`: a drive is erased without a run, under the same guard."""

import pytest
from tests.kit.processes import ssdlab
from tests.loop.conftest import Loop, tool

pytestmark = pytest.mark.loop


def test_a_named_drive_is_purged_and_the_way_is_printed(loop: Loop) -> None:
    tool("mkfs.ext4", "-q", loop.path)
    ended = ssdlab("purge", loop.path, "--erase", loop.file)
    assert (ended.status, ended.stderr) == (0, "this does not prove that the drive is fresh out of the box\n")
    assert ended.stdout == (
        "discard of the whole drive; of 4,096 sampled blocks that were written before, all read as zeros; what the drive "
        "below made of it cannot be seen\n"
    )
    assert loop.file.stat().st_blocks == 0


def test_a_drive_that_was_not_named_is_left_alone(loop: Loop) -> None:
    tool("mkfs.ext4", "-q", loop.path)
    before = loop.file.read_bytes()
    ended = ssdlab("purge", loop.path)
    assert (ended.status, ended.stderr.splitlines()[0].endswith("and it was not named to be erased")) == (1, True)
    assert loop.file.read_bytes() == before


@pytest.mark.parametrize("way", [("?purge=nvme-format",), ("", "--block-size", "4KiB")])
def test_what_the_drive_does_not_offer_is_refused_before_anything_is_written(loop: Loop, way: tuple[str, ...]) -> None:
    tool("mkfs.ext4", "-q", loop.path)
    before = loop.file.read_bytes()
    ended = ssdlab("purge", f"{loop.path}{way[0]}", *way[1:], "--erase", loop.file)
    assert ended.status == 1
    assert ended.stderr.startswith(f"error: `{loop.path}` cannot be purged by `nvme-format`: it is no NVMe drive\n")
    assert loop.file.read_bytes() == before


def test_other_targets_have_nothing_to_purge() -> None:
    ended = ssdlab("purge", "model:demo")
    assert (ended.status, ended.stderr.splitlines()[0]) == (1, "error: `model:demo` is no block device")
