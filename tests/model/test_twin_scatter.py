"""How much of what reads scatter is of the flash, as the probe of noise saw it on drives that are known."""

from pathlib import Path

import pytest
from tests.kit.probe_runs import record
from tests.kit.twin_drives import DRIVE, SPREAD

from ssdlab.bundle.read import open_bundle
from ssdlab.probe.probes.noise import NOISE
from ssdlab.twin.scatter import Scatter, scatter_of


def scatter(lab: Path, spec: str) -> Scatter:
    (lab / "drive.toml").write_text(spec.replace("[timing]", '[timing]\nunmapped_read = "10us"'))
    path, _ = record([NOISE], lab, lambda _, __: None, f"model:{lab / 'drive.toml'}?capacity=2GiB")
    found = scatter_of([open_bundle(path)])
    assert found is not None
    return found


def test_operations_that_scatter_are_told_from_commands_that_do(tmp_path: Path) -> None:
    found = scatter(tmp_path, f"{DRIVE}\n[noise]\nsigma = 0.1\n")
    assert found.commands == pytest.approx(0.1, rel=0.15)
    # A part of a read is not of the flash.
    assert 0.6 * SPREAD < found.operations < SPREAD


def test_commands_that_scatter_are_not_taken_for_operations(tmp_path: Path) -> None:
    even = DRIVE.replace(f"flash = {SPREAD}", "flash = 0.0")
    found = scatter(tmp_path, f"{even}\n[noise]\nsigma = 0.2\n")
    assert found.commands == pytest.approx(0.2, rel=0.06)
    assert found.operations == 0.0


@pytest.mark.parametrize("sigma", [0.0, 0.05])
def test_operations_of_even_times_scatter_nothing(tmp_path: Path, sigma: float) -> None:
    even = DRIVE.replace(f"flash = {SPREAD}", "flash = 0.0")
    assert scatter(tmp_path, f"{even}\n[noise]\nsigma = {sigma}\n").operations == 0.0


def test_where_no_probe_was_done_nothing_is_told() -> None:
    assert scatter_of([]) is None
