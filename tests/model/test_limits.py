"""A run stops itself where it gets too warm or has written enough, keeps what it finished, and goes on when it may."""

from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.fake_lab import FakeDisplay
from tests.kit.hints import hints_of
from tests.kit.limited_run import SUITE, run
from tests.kit.probe_runs import TARGET as PROBED
from tests.kit.probe_runs import Heard

from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import Limits, RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.drive.access import Purged
from ssdlab.drive.identity import Freshness
from ssdlab.drive.kinds.own_files import Keep
from ssdlab.drive.sense.reading import Cadence, nothing_known
from ssdlab.engine.base import Progress
from ssdlab.errors import SsdlabError
from ssdlab.lab.bench import open_bench
from ssdlab.lab.lifecycle import RunFailed, RunStopped
from ssdlab.lab.limits import LimitReached, LimitRefused, Watchdog, unkept_between
from ssdlab.lab.resume import resume
from ssdlab.lab.sustain.ground import Before, Choice, open_ground
from ssdlab.lab.sustain.live import Live
from ssdlab.lab.sustain.run import sustain
from ssdlab.message import Message, message, verbatim
from ssdlab.method.sustain import SustainSettings
from ssdlab.probe.probes.registry import probes_named
from ssdlab.probe.run import Session
from ssdlab.probe.script import Estimator
from ssdlab.probe.store.writer import record_probes
from ssdlab.units import GIB, MIB, NS_PER_S, format_bytes_decimal
from ssdlab.unknown import Unknown

NOTHING = nothing_known(Unknown(message("unknown-not-asked")))
CHAOS = "model:chaos?capacity=2GiB"
"""Warms up by 8 °C in its first seconds of full load, and throttles at 72 °C."""


def stopped(target: str, lab: Path, limits: Limits, suite: str = SUITE) -> tuple[RunStopped, Bundle]:
    with pytest.raises(RunStopped) as error:
        run(target, lab, limits, suite)
    return error.value, open_bundle(newest_run(lab))


def test_a_run_that_gets_too_warm_stops_and_says_how_warm(tmp_path: Path) -> None:
    error, bundle = stopped("model:chaos", tmp_path, Limits(temperature_c_max=60))
    assert (bundle.status, bundle.faults) == (RunStatus.STOPPED, ())
    assert str(bundle.reason) == snapshot(
        "the drive was at 61.2 °C, 2.00 s into the job, and `--max-temperature` allows 60 °C"
    )
    assert {step.name: step.status for step in bundle.steps} == {
        "purge": StepStatus.FINISHED,
        "fill.pass1": StepStatus.INTERRUPTED,
        "fill.rest": StepStatus.PLANNED,
        "fill.pass2": StepStatus.PLANNED,
    }
    assert bundle.step("fill.pass1").reason == bundle.reason
    assert str(error) == f"the run was stopped: {bundle.reason}"
    assert hints_of(error) == (
        "cool the drive better, and let it rest",
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
    assert str(error.value) == snapshot("the run writes at least 4.29 GB, and `--max-write` allows 3.22 GB")
    assert not list(tmp_path.iterdir())


def test_a_drive_that_tells_no_temperature_cannot_be_held_to_one(tmp_path: Path) -> None:
    with pytest.raises(LimitRefused) as error:
        run("model:demo?capacity=256MiB", tmp_path, Limits(temperature_c_max=70))
    assert str(error.value) == snapshot(
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
    assert "at least 5." in str(refused.value)
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
    watchdog.purged(Purged(Freshness.FRESH, verbatim("by magic"), written_bytes=600))
    watchdog.begin()
    watchdog.watch(Progress(0.5, None, 400))
    with pytest.raises(LimitReached):
        watchdog.watch(Progress(0.6, None, 401))


def test_a_limit_that_is_kept_only_between_jobs_is_said() -> None:
    silent, asked = Cadence(None, None), Cadence(NS_PER_S, None)
    warm = Limits(temperature_c_max=70)
    assert str(unkept_between(warm, silent)) == snapshot(
        "this drive cannot be asked under load without holding up its I/O: `--max-temperature` is checked before each job only"
    )
    assert unkept_between(warm, asked) is None
    assert unkept_between(Limits(), silent) is None


def test_errors_of_limits_are_the_users_to_mend() -> None:
    assert issubclass(LimitRefused, SsdlabError)
    assert LimitReached(verbatim("x")).exit_status == 1


# Sustained writes


class Nobody:
    def begins(self, bundle: Path, length_bytes: int) -> None: ...
    def rests(self, duration_ns: int) -> None: ...
    def note(self, text: Message) -> None: ...
    def record(self, live: Live) -> None: ...


def sustained(lab: Path, limits: Limits, target: str, settings: SustainSettings) -> Bundle:
    choice = Choice(target=target, erase=None, before=Before.AS_IT_IS, keep=Keep.REMOVE)
    with open_ground(choice, settings) as ground:
        return sustain(settings, ground, lab, Nobody(), None, limits)


def stopped_passes(lab: Path, limits: Limits, target: str, settings: SustainSettings) -> Bundle:
    with pytest.raises(RunStopped):
        sustained(lab, limits, target, settings)
    bundle = open_bundle(newest_run(lab))
    assert (bundle.status, bundle.faults, bundle.run.limits) == (RunStatus.STOPPED, (), limits)
    return bundle


def test_an_endless_sustained_write_ends_at_its_limit_and_keeps_the_last_pass_as_far_as_it_came(tmp_path: Path) -> None:
    endless = SustainSettings(chunk_bytes=16 * MIB, record_bytes=256 * MIB, passes=None)
    bundle = stopped_passes(tmp_path, Limits(write_bytes_max=5 * GIB), CHAOS, endless)
    assert [step.status for step in bundle.steps] == [StepStatus.FINISHED] * 3
    assert isinstance(bundle.written_bytes, int)
    assert 5 * GIB < bundle.written_bytes < 6 * GIB
    assert (
        str(bundle.reason)
        == f"{format_bytes_decimal(bundle.written_bytes)} are written, and `--max-write` allows 5.37 GB"
    )
    assert "sustain.pass3.bandwidth_mean" in {metric.name for metric in bundle.metrics}


def test_files_in_a_directory_are_counted_by_what_was_written_to_them(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    small = SustainSettings(chunk_bytes=MIB, record_bytes=MIB, total_bytes=4 * MIB, passes=None)
    bundle = stopped_passes(tmp_path / "lab", Limits(write_bytes_max=10 * MIB), str(place), small)
    assert bundle.written_bytes == 11 * MIB
    assert not list(place.iterdir())


def test_a_sustained_write_that_gets_too_warm_ends(tmp_path: Path) -> None:
    whole = SustainSettings(chunk_bytes=16 * MIB, record_bytes=GIB)
    bundle = stopped_passes(tmp_path, Limits(temperature_c_max=60), "model:chaos", whole)
    assert bundle.reason is not None
    assert "`--max-temperature` allows 60 °C" in str(bundle.reason)
    (step,) = bundle.steps
    assert step.status is StepStatus.FINISHED
    assert bundle.result(step).stopped is not None


def test_passes_that_must_write_more_are_refused_before_anything_is_touched(tmp_path: Path) -> None:
    twice = SustainSettings(chunk_bytes=16 * MIB, record_bytes=GIB, passes=2)
    with pytest.raises(LimitRefused, match=r"writes at least 4\.29 GB, and `--max-write` allows 3\.22 GB"):
        sustained(tmp_path, Limits(write_bytes_max=3 * GIB), CHAOS, twice)
    with pytest.raises(LimitRefused, match="the drive's temperature is not known"):
        sustained(tmp_path, Limits(temperature_c_max=60), str(tmp_path), replace(twice, total_bytes=16 * MIB))
    assert not list(tmp_path.iterdir())


# Probes


def probed(name: str, lab: Path, limits: Limits, heard: Heard) -> None:
    with open_bench(PROBED) as bench:
        session = Session(bench, 7, lambda _name, _progress: None, watchdog=Watchdog(limits))
        record_probes(session, probes_named(name), Estimator.ROBUST, lab, heard)


def test_probes_end_before_commands_that_would_write_more_and_keep_what_was_found(tmp_path: Path) -> None:
    limits = Limits(write_bytes_max=256 * MIB)
    heard = Heard()
    with pytest.raises(RunStopped):
        probed("quick", tmp_path, limits, heard)
    bundle = open_bundle(newest_run(tmp_path))
    assert (bundle.status, bundle.faults, bundle.run.limits) == (RunStatus.STOPPED, (), limits)
    assert [step.status for step in bundle.steps] == [StepStatus.FINISHED] * len(heard.findings) + [
        StepStatus.INTERRUPTED
    ]
    assert heard.findings
    assert isinstance(bundle.written_bytes, int)
    assert bundle.written_bytes <= 256 * MIB


def test_probes_of_a_drive_that_tells_no_temperature_cannot_be_held_to_one(tmp_path: Path) -> None:
    with pytest.raises(LimitRefused, match="the drive's temperature is not known"):
        probed("noise", tmp_path, Limits(temperature_c_max=60), Heard())
    assert not list(tmp_path.iterdir())


def test_a_drive_that_is_too_warm_is_given_no_single_commands(tmp_path: Path) -> None:
    with open_bench(CHAOS) as bench, pytest.raises(LimitReached, match="before the job"):
        Watchdog(Limits(temperature_c_max=1)).foresee(0, bench.sensor)
