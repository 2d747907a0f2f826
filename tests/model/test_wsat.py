"""Write saturation, run whole on models of drives with a cache and without."""

import io
from pathlib import Path

import pytest

from ssdlab.bundle.read import Bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.job import DriveState
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.units import GIB


def run_of(target: str, lab: Path) -> Bundle:
    with open_bench(target) as bench:
        plan = expand(load_suite("wsat"), "quick", bench.drive.identity, seed=1)
        return execute(plan, bench, lab, PlainDisplay(io.StringIO()))


class TestSuite:
    def test_a_drive_without_a_cache_is_fresh_until_its_spare_flash_is_written(self, tmp_path: Path) -> None:
        bundle = run_of("model:mlc-1tb?capacity=1GiB", tmp_path)
        found = {metric.name: metric.value for metric in bundle.metrics if metric.name.startswith("wsat.")}
        fob, transition, begins, steady = found.values()
        assert isinstance(fob, float)
        assert isinstance(transition, float)
        assert isinstance(begins, float)
        assert isinstance(steady, float)
        assert 3 < fob / steady < 6
        assert GIB < transition < 2 * GIB < begins < 6 * GIB

    def test_a_cache_ends_the_fresh_phase(self, tmp_path: Path) -> None:
        bundle = run_of("model:demo?capacity=1GiB", tmp_path)
        found = {metric.name: metric for metric in bundle.metrics}
        # A quarter of this drive is a cache, as of the 2 GiB it is described with.
        window_bytes = 27e6
        assert found["wsat.transition_at_bytes"].value == pytest.approx(GIB / 4, abs=window_bytes)
        assert found["wsat.fob_iops"].state is DriveState.FOB
