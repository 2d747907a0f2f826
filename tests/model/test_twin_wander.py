"""The speed of a drive that wanders, as runs on it tell it, and as its twin has it."""

from pathlib import Path

import pytest
from tests.kit.load_drives import run_on
from tests.kit.twin_drives import DRIVE, READS

from ssdlab.twin.fit import fit
from ssdlab.twin.wander import STEADY, wander_of

SIGMA, CORRELATION = 0.08, 0.6
WANDERING = f"{DRIVE}\n[noise]\nsigma = 0.05\n[pace]\nsigma = {SIGMA}\ncorrelation = {CORRELATION}\n"


def test_a_drive_that_wanders_is_told_by_its_reads_and_its_twin_wanders_as_much(tmp_path: Path) -> None:
    bundle = run_on(WANDERING, READS, tmp_path)
    told = wander_of([bundle])
    assert told.sigma == pytest.approx(SIGMA, rel=0.2)
    assert told.correlation == pytest.approx(CORRELATION, abs=0.2)
    twin = fit([bundle], "twin").draft
    assert (twin.number("pace", "sigma"), twin.number("pace", "correlation")) == (told.sigma, told.correlation)


def test_a_drive_of_even_speed_is_not_said_to_wander(tmp_path: Path) -> None:
    even = WANDERING.replace(f"[pace]\nsigma = {SIGMA}", "[pace]\nsigma = 0.0")
    assert wander_of([run_on(even, READS, tmp_path)]) == STEADY
