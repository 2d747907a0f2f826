"""A run stops itself where it gets too warm or has written enough, keeps what it finished, and goes on when it may."""

from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.unit.plans import HEADER
from tests.unit.test_lab_run import FakeDisplay

from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import Limits, RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.drive.access import Purged
from ssdlab.drive.identity import Freshness
from ssdlab.drive.sense import Cadence, nothing_known
from ssdlab.engine.base import Progress
from ssdlab.errors import SsdlabError
from ssdlab.lab.limits import LimitReached, LimitRefused, Watchdog, unkept_between
from ssdlab.lab.open import open_bench
from ssdlab.lab.resume import resume
from ssdlab.lab.run import RunFailed, RunStopped, execute
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import GIB, NS_PER_S
from ssdlab.unknown import Unknown

NOTHING = nothing_known(Unknown("nobody asked"))
SUITE = f"""{HEADER}
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = {{ pattern = "sequential", bs = "128KiB", qd = 32 }}
passes = 2
rest = "60s"
"""
CHAOS = "model:chaos?capacity=2GiB"
"""Warms up by 8 °C in its first seconds of full load, and throttles at 72 °C."""


def run(target: str, lab: Path, limits: Limits, suite: str = SUITE) -> Bundle:
    with open_bench(target) as bench:
        plan = expand(parse_suite(suite, "mine.toml"), "standard", bench.drive.identity, seed=1)
        return execute(plan, bench, lab, FakeDisplay(), limits=limits)


def stopped(target: str, lab: Path, limits: Limits, suite: str = SUITE) -> tuple[RunStopped, Bundle]:
    with pytest.raises(RunStopped) as error:
        run(target, lab, limits, suite)
    return error.value, open_bundle(newest_run(lab))


def test_a_run_that_gets_too_warm_stops_and_says_how_warm(tmp_path: Path) -> None:
    error, bundle = stopped("model:chaos", tmp_path, Limits(temperature_c_max=60))
    assert (bundle.status, bundle.faults) == (RunStatus.STOPPED, ())
    assert bundle.reason == snapshot(
        "the drive was at 61.2 °C, 2.00 s into the job, and `--max-temperature` allows 60 °C"
    )
    assert {step.name: step.status for step in bundle.steps} == {
        "purge": StepStatus.FINISHED,
        "fill.pass1": StepStatus.INTERRUPTED,
        "fill.rest": StepStatus.PLANNED,
        "fill.pass2": StepStatus.PLANNED,
    }
    assert bundle.step("fill.pass1").reason == bundle.reason
    assert error.message == f"the run was stopped: {bundle.reason}"
    assert error.hints == (
        "cool the drive better, let it rest, then resume the run",
        f"go on with it: `ssdlab resume {bundle.path}`",
        f"what was finished is in `{bundle.path}`",
    )
    assert (error.exit_status, bundle.run.limits) == (1, Limits(temperature_c_max=60))


def test_a_run_that_writes_enough_keeps_the_steps_it_finished_and_concludes_from_them(tmp_path: Path) -> None:
    endless = f"""{SUITE}
[[step]]
name = "again"
kind = "measure"
job = {{ pattern = "sequential", bs = "128KiB", qd = 32, read = "0%", limit = "1h" }}
"""
    _, bundle = stopped(CHAOS, tmp_path, Limits(write_bytes_max=5 * GIB), endless)
    assert bundle.step("fill.pass2").status is StepStatus.FINISHED
    assert bundle.steps[-1].status is StepStatus.INTERRUPTED
    assert isinstance(bundle.written_bytes, int)
    assert 5 * GIB < bundle.written_bytes < 6 * GIB
    assert "fill.pass2.bandwidth_mean" in {metric.name for metric in bundle.metrics}


def test_a_plan_that_must_write_more_is_refused_before_anything_is_touched(tmp_path: Path) -> None:
    with pytest.raises(LimitRefused) as error:
        run(CHAOS, tmp_path, Limits(write_bytes_max=3 * GIB))
    assert error.value.message == snapshot("the run writes at least 4.29 GB, and `--max-write` allows 3.22 GB")
    assert not list(tmp_path.iterdir())


def test_a_drive_that_tells_no_temperature_cannot_be_held_to_one(tmp_path: Path) -> None:
    with pytest.raises(LimitRefused) as error:
        run("model:demo?capacity=256MiB", tmp_path, Limits(temperature_c_max=70))
    assert error.value.message == snapshot(
        "`--max-temperature` cannot be kept, the drive's temperature is not known: the drive's spec has no section `thermal`"
    )


def test_limits_that_are_not_reached_change_nothing(tmp_path: Path) -> None:
    free = run(CHAOS, tmp_path / "free", Limits())
    held = run(CHAOS, tmp_path / "held", Limits(temperature_c_max=95, write_bytes_max=5 * GIB))
    assert (held.status, held.metrics) == (RunStatus.FINISHED, free.metrics)
    assert held.written_bytes == free.written_bytes == 4 * GIB


def test_a_resumed_run_counts_what_it_wrote_before(tmp_path: Path) -> None:
    _, bundle = stopped("model:chaos?capacity=2GiB", tmp_path, Limits(temperature_c_max=60, write_bytes_max=5 * GIB))
    assert isinstance(bundle.written_bytes, int)
    with open_bench(CHAOS) as bench, pytest.raises(RunFailed) as refused:
        resume(bundle.path, bench, FakeDisplay())
    assert "at least 5." in refused.value.message
    with open_bench(CHAOS) as bench:
        done = resume(bundle.path, bench, FakeDisplay(), limits=Limits(write_bytes_max=8 * GIB))
    assert done.status is RunStatus.FINISHED
    assert done.written_bytes == bundle.written_bytes + 4 * GIB


def heeding(limits: Limits, *temperatures_c: float) -> None:
    watchdog = Watchdog(limits)
    for second, celsius in enumerate(temperatures_c):
        watchdog.heed(second * NS_PER_S, replace(NOTHING, temperature_c=celsius))


def test_the_limit_itself_is_allowed() -> None:
    heeding(Limits(temperature_c_max=70), 60.0, 70.0)
    with pytest.raises(LimitReached):
        heeding(Limits(temperature_c_max=70), 60.0, 70.1)


def test_a_drive_that_is_too_warm_from_the_start_is_not_loaded() -> None:
    with pytest.raises(LimitReached, match=r"at 71\.0 °C, before the job"):
        heeding(Limits(temperature_c_max=70), 71.0)


def test_a_sensor_that_falls_silent_ends_the_run_at_the_next_job_and_not_within_one() -> None:
    watchdog = Watchdog(Limits(temperature_c_max=70))
    watchdog.heed(NS_PER_S, NOTHING)
    with pytest.raises(LimitReached, match="cannot be kept any more: nobody asked"):
        watchdog.heed(0, NOTHING)


def test_where_the_drive_does_not_count_the_engine_does() -> None:
    watchdog = Watchdog(Limits(write_bytes_max=1000), written_bytes=100)
    watchdog.begin()
    watchdog.watch(Progress(0.5, None, 600))
    watchdog.begin()
    with pytest.raises(LimitReached):
        watchdog.watch(Progress(0.5, None, 301))


def test_what_proves_a_purge_counts_too() -> None:
    watchdog = Watchdog(Limits(write_bytes_max=1000))
    watchdog.begin()
    watchdog.purged(Purged(Freshness.FRESH, "by magic", written_bytes=600))
    watchdog.begin()
    watchdog.watch(Progress(0.5, None, 400))
    with pytest.raises(LimitReached):
        watchdog.watch(Progress(0.6, None, 401))


def test_a_limit_that_is_kept_only_between_jobs_is_said() -> None:
    silent, asked = Cadence(None, None), Cadence(NS_PER_S, None)
    warm = Limits(temperature_c_max=70)
    assert unkept_between(warm, silent) == snapshot(
        "this drive cannot be asked under load without holding up its I/O: `--max-temperature` is checked before each job only"
    )
    assert unkept_between(warm, asked) is None
    assert unkept_between(Limits(), silent) is None


def test_errors_of_limits_are_the_users_to_mend() -> None:
    assert issubclass(LimitRefused, SsdlabError)
    assert LimitReached("x").exit_status == 1
