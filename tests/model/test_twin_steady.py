"""A twin is turned until random writes go on for good as a probe saw them."""

import tomllib
from pathlib import Path

import pytest
from tests.kit.twin_drives import DRIVE, SENSE_US

from ssdlab import _core
from ssdlab.twin.draft import Draft, as_size, as_time
from ssdlab.twin.steady import LastingWrites, steady_on, with_steady
from ssdlab.units import MIB


def the_drive_itself() -> Draft:
    sections = {name: section for name, section in tomllib.loads(DRIVE).items() if isinstance(section, dict)}
    draft = Draft("measured", "", sections).having("timing", sense=(as_time(1000 * SENSE_US),) * 2)
    draft = draft.having("timing", program=as_time(1.3e6))
    sizes = {"capacity": 256 * MIB, "raw": 384 * MIB, "superblock": 2 * MIB}
    return draft.having("geometry", **{name: as_size(value) for name, value in sizes.items()})


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> LastingWrites:
    return steady_on(the_drive_itself(), tmp_path_factory.mktemp("wanted"))


def test_spare_flash_and_programs_are_turned_until_both_are_as_they_were_seen(
    wanted: LastingWrites, tmp_path: Path
) -> None:
    other = the_drive_itself().having("geometry", raw=as_size(352 * MIB)).having("timing", program=as_time(2e6))
    found, trials = with_steady(other, wanted, tmp_path)
    assert trials == 3
    assert found.number("geometry", "raw") == pytest.approx(384 * MIB, rel=0.03)
    assert found.number("timing", "program") == pytest.approx(1.3e6, rel=0.05)


def test_without_a_count_of_what_flash_was_written_only_programs_are_turned(
    wanted: LastingWrites, tmp_path: Path
) -> None:
    other = the_drive_itself().having("timing", program=as_time(1.6e6))
    found, _ = with_steady(other, LastingWrites(wanted.bytes_per_s, None), tmp_path)
    assert found.number("geometry", "raw") == 384 * MIB
    assert found.number("timing", "program") == pytest.approx(1.3e6, rel=0.05)


def test_a_draft_that_is_no_possible_drive_stays_as_it_is(wanted: LastingWrites, tmp_path: Path) -> None:
    impossible = the_drive_itself().having("geometry", raw=as_size(256 * MIB))
    assert with_steady(impossible, wanted, tmp_path) == (impossible, 0)


def test_spare_flash_is_turned_no_further_than_a_drive_can_be(tmp_path: Path) -> None:
    scarce = the_drive_itself().having("geometry", raw=as_size(272 * MIB))
    found, _ = with_steady(scarce, LastingWrites(1e6, 1000.0), tmp_path)
    assert not _core.spec_check(found.text)
