"""A drive that dips, as runs on it tell it, and as its twin does."""

from pathlib import Path

import pytest
from tests.kit.load_drives import run_on
from tests.kit.twin_drives import DRIVE, READS

from ssdlab.twin.dips import NO_DIPS, dips_in, dips_of
from ssdlab.twin.draft import Draft
from ssdlab.twin.fit import fit
from ssdlab.units import NS_PER_S

EVERY_S, LENGTH_S, SPEED = 3.1, 0.4, 0.2
DIPPING = f"""{DRIVE}
[noise]
sigma = 0.05
[pace]
dip_every = "{EVERY_S * 1000:.0f}ms"
dip_length = "{LENGTH_S * 1000:.0f}ms"
dip_speed = {SPEED}
"""
EVEN = DIPPING[: DIPPING.index("[pace]")]


def test_a_drive_that_dips_is_told_by_its_reads_and_its_twin_dips_likewise(tmp_path: Path) -> None:
    bundle = run_on(DIPPING, READS, tmp_path)
    told = dips_of([bundle])
    assert told.every_ns == pytest.approx(EVERY_S * NS_PER_S, rel=1e-3)
    assert told.length_ns == pytest.approx(LENGTH_S * NS_PER_S, rel=0.05)
    assert told.speed == pytest.approx(SPEED, abs=0.02)
    twin = fit([bundle], "twin").draft
    found = dips_in(twin)
    assert (found.every_ns, found.length_ns, found.speed) == (told.every_ns, told.length_ns, told.speed)


def test_what_is_slow_in_dips_is_no_slower_flash(tmp_path: Path) -> None:
    first, second = (fit([run_on(spec, READS, tmp_path / str(len(spec)))], "twin").draft for spec in (DIPPING, EVEN))
    assert lone_read_ns(first) == pytest.approx(lone_read_ns(second), rel=0.04)


def lone_read_ns(twin: Draft) -> float:
    """What reads of all pages take in the mean, but for the link."""
    sense_ns = twin.times("timing", "sense")
    return sum(sense_ns) / len(sense_ns) + twin.number("timing", "read_overhead")


def test_a_drive_of_even_speed_is_not_said_to_dip(tmp_path: Path) -> None:
    assert dips_of([run_on(EVEN, READS, tmp_path)]) == NO_DIPS
