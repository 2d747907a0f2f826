"""When a twin begins to collect, and how long its erases take, are turned until random writes for good wait as they were seen to."""

import tomllib
from functools import partial
from pathlib import Path

import pytest
from tests.kit.twin_drives import DRIVE, SENSE_US

from ssdlab.drive.access import DriveError
from ssdlab.twin.collecting import waiting_off, with_collection
from ssdlab.twin.draft import Draft, as_size, as_time
from ssdlab.twin.steady import LastingWrites, steady_on
from ssdlab.units import GIB, MIB

START, ERASE_NS = 10, 3e6


def drive(bits: int = 2) -> Draft:
    """Large enough for many writes to wait, and even: where operations scatter, no two passes are alike. Programs take as long a byte with any number of bits."""
    sections = {name: section for name, section in tomllib.loads(DRIVE).items() if isinstance(section, dict)}
    sizes = {"capacity": 8 * GIB, "raw": 9 * GIB, "superblock": 12 * MIB}
    draft = Draft("measured", "", sections).having(
        "geometry", **{name: as_size(value) for name, value in sizes.items()}
    )
    draft = draft.having("geometry", bits_per_cell=bits).having("spread", flash=0.0)
    return draft.having(
        "timing", sense=(as_time(1000 * SENSE_US),) * bits, program=as_time(650e3 * bits), erase=as_time(ERASE_NS)
    )


def with_start(draft: Draft, start: int) -> Draft:
    return draft.having("collection", start=start)


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> LastingWrites:
    return steady_on(with_start(drive(), START), tmp_path_factory.mktemp("wanted"))


def seen_in(scratch: Path, draft: Draft) -> LastingWrites | None:
    try:
        return steady_on(draft, scratch)
    except DriveError:
        return None


def test_the_beginning_of_collection_is_found_and_writes_wait_as_the_drive_s(
    wanted: LastingWrites, tmp_path: Path
) -> None:
    other = with_start(drive(), 6).having("timing", erase=as_time(4e6))
    found = with_collection(other, wanted, partial(seen_in, tmp_path), map)
    before, after = seen_in(tmp_path, other), seen_in(tmp_path, found)
    assert before is not None
    assert after is not None
    assert found.number("collection", "start") == pytest.approx(START, abs=2)
    assert abs(waiting_off(after, wanted)).max() < abs(waiting_off(before, wanted)).max() / 4


def test_a_wrong_number_of_bits_is_told_by_how_writes_wait_whatever_is_turned(
    wanted: LastingWrites, tmp_path: Path
) -> None:
    off = {}
    for bits in (2, 3, 4):
        found = with_collection(with_start(drive(bits), 6), wanted, partial(seen_in, tmp_path), map)
        seen = seen_in(tmp_path, found)
        assert seen is not None
        off[bits] = abs(waiting_off(seen, wanted)).max()
    assert off[2] < min(off[3], off[4]) / 3


def test_where_nobody_saw_how_writes_wait_nothing_is_turned(tmp_path: Path) -> None:
    draft = with_start(drive(), 6)
    assert with_collection(draft, LastingWrites(50e6, 2.0), partial(seen_in, tmp_path), map) is draft


def test_a_drive_whose_passes_were_not_alike_counts_for_less(wanted: LastingWrites) -> None:
    other = LastingWrites(wanted.bytes_per_s, None, waits=tuple(one + 0.1 for one in wanted.waits))
    restless = LastingWrites(wanted.bytes_per_s, None, waits=wanted.waits, apart=0.2)
    assert waiting_off(other, restless) == pytest.approx([0.01] * len(wanted.waits))
    assert waiting_off(other, wanted).min() > 0.1
