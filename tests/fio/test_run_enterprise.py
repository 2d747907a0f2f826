"""The enterprise method in real time: fio conditions a small virtual drive until it is steady, then measures it, and nothing is amiss."""

from pathlib import Path

import numpy as np
import pytest
from tests.kit.processes import OVER, ssdlab
from tests.kit.up_to_the_host import failed_whatever_the_host

from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.engine.result import Direction
from ssdlab.job import DriveState, StepKind
from ssdlab.units import MIB, NS_PER_MS

pytestmark = [pytest.mark.fio, pytest.mark.timeout(900)]  # a busy machine takes ten times as long

CAPACITY_BYTES = 64 * MIB
TARGET = "virtual:demo?capacity=64MiB"
SUITE = """\
[suite]
name = "enterprise-small"
version = "1"

[profile.small]
time = "1/250"

[[step]]
kind = "purge"

[[step]]
kind = "steady"
name = "wsat"
job = { pattern = "random", bs = "4KiB", qd = 256 }
at_least = "2x"
at_most = "23x"
measured = "5min"

[[step]]
kind = "measure"
name = "rnd"
job.read = { pattern = "random", bs = "4KiB", read = "100%", ramp = "30s", limit = "5min" }
job.r70w30 = { pattern = "random", bs = "4KiB", read = "70%", ramp = "30s", limit = "5min" }
job.read512 = { pattern = "random", bs = "512B", read = "100%", ramp = "30s", limit = "5min" }
sweep = { qd = [1, 32] }
every_io = { qd = [1] }
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    directory = tmp_path_factory.mktemp("enterprise")
    suite = directory / "enterprise-small.toml"
    suite.write_text(SUITE)
    ended = ssdlab("run", suite, TARGET, "--profile", "small", "--lab", directory)
    assert ended.status in OVER, ended.stderr
    return open_bundle(Path(ended.stdout.strip()))


def value(bundle: Bundle, name: str) -> float:
    (metric,) = (one for one in bundle.metrics if one.name == name)
    assert isinstance(metric.value, int | float), metric
    return metric.value


def test_every_step_is_finished_and_no_check_fails_that_the_host_has_no_part_in(bundle: Bundle) -> None:
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
    assert {step.status for step in bundle.steps} == {StepStatus.FINISHED}
    assert {check.step for check in bundle.audit} >= {step.name for step in bundle.steps if step.job is not None}
    assert failed_whatever_the_host(bundle) == []


def test_conditioning_writes_at_least_twice_the_drive(bundle: Bundle) -> None:
    written = bundle.result(bundle.step("precondition.rnd")).directions[Direction.WRITE].io_bytes
    assert 2 * CAPACITY_BYTES <= written <= 23 * CAPACITY_BYTES


def test_what_follows_carries_the_verdict(bundle: Bundle) -> None:
    stopped = bundle.result(bundle.step("precondition.rnd")).stopped
    state = DriveState.NOT_STEADY if stopped is None else DriveState.STEADY
    assert {step.state for step in bundle.steps if step.kind in {StepKind.RAMP, StepKind.MEASURE}} == {state}


def test_the_fresh_phase_has_a_speed_and_all_of_it_more_work_for_the_flash_than_was_written(bundle: Bundle) -> None:
    # That the fresh phase is faster, a host that is too busy for a fresh drive cannot show; drives in virtual time do.
    assert value(bundle, "wsat.fob_iops") > 0
    assert value(bundle, "precondition.rnd.write_amplification") > 2


def test_a_mixed_point_has_both_directions_and_their_sum(bundle: Bundle) -> None:
    for depth in (1, 32):
        read, write, both = (value(bundle, f"rnd.r70w30.q{depth}{part}.iops") for part in (".read", ".write", ""))
        assert read + write == pytest.approx(both)
        assert read > write


def test_exact_percentiles_are_those_of_the_sorted_latencies(bundle: Bundle) -> None:
    kept = bundle.every_io(bundle.step("rnd.read.q1"), Direction.READ)
    rank = -(-90 * len(kept.latency_ns) // 100)
    assert value(bundle, "rnd.read.q1.clat_p90") == np.sort(kept.latency_ns)[rank - 1]


def test_a_ramp_lasts_as_long_as_it_should(bundle: Bundle) -> None:
    ramp = bundle.result(bundle.step("rnd.read.q32.ramp")).directions[Direction.READ]
    assert ramp.runtime_ns >= 100 * NS_PER_MS
