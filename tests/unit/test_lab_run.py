"""The lab does a plan step by step; however a run ends, the bundle says how, and keeps what was finished."""

import errno
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from inline_snapshot import snapshot
from tests.unit.sample_bundle import Plateau as Level
from tests.unit.sample_bundle import fill_result, run_info, series_of, windows_of

from ssdlab.bundle import layout
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.write import BundleWriter
from ssdlab.drive.access import DriveError, FioAddress, IoPath, Purged
from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.drive.sense import Reading, nothing_known
from ssdlab.engine.base import EngineError, Judge, Progress, Watch
from ssdlab.engine.result import RawResult
from ssdlab.engine.sensing import Heed
from ssdlab.errors import ExitStatus, Interrupted, SsdlabError
from ssdlab.job import DriveState, Job
from ssdlab.lab import step as lab_step
from ssdlab.lab.begin import bundle_path
from ssdlab.lab.display import Ending
from ssdlab.lab.open import Bench
from ssdlab.lab.run import RunFailed, conclude_again, execute
from ssdlab.lab.step import RawLogs
from ssdlab.method.plan import Plan, PlannedStep, expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import MIB
from ssdlab.unknown import Unknown

SUITE = """\
[suite]
name = "short"
version = "1"
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }
passes = 2
rest = "100ms"
"""
STEPS = ["purge", "fill.pass1", "fill.rest", "fill.pass2"]
IDENTITY = DriveIdentity(
    target="fake:drive",
    model="Fake Drive",
    serial="1",
    firmware="1",
    capacity_bytes=64 * MIB,
    logical_block_bytes=512,
    indirection_unit_bytes=4096,
    description="a drive of the tests",
    purge_leaves=Freshness.FRESH,
    memory=Memory.KEEPS,
)


@dataclass
class FakeDrive:
    """Does what it is told, and fails where it is told to."""

    freshness: Freshness = Freshness.FRESH
    gone_after: int = 99
    """Checks that it answers."""
    identity: DriveIdentity = IDENTITY
    address: FioAddress = field(default_factory=lambda: FioAddress(IoPath.FILE, "/dev/null"))
    spec_text: str | None = None
    asked: int = 0
    """How often it was asked what it says of itself."""

    def check(self) -> None:
        self.gone_after -= 1
        if self.gone_after < 0:
            raise DriveError("the drive is gone", "plug it in")

    def purge(self) -> Purged:
        return Purged(self.freshness, "by magic")

    def said(self) -> Mapping[str, str]:
        self.asked += 1
        return {"smart.json": f'{{"asked": {self.asked}}}\n'}

    def findings(self) -> tuple[str, ...]:
        return ("it was late",)

    def close(self) -> None:
        """Nothing is open."""


@dataclass
class FakeEngine:
    """A clock that ticks once a call, and results out of thin air."""

    before_result: Callable[[Job], None] = lambda _: None
    clock_ns: int = 0
    name: str = "fake-1"
    reading: Reading = field(default_factory=lambda: nothing_known(Unknown("a drive of the tests")))

    def now_ns(self) -> int:
        self.clock_ns += 1
        return self.clock_ns

    def rest(self, duration_ns: int, watch: Watch) -> None:
        self.clock_ns += duration_ns
        watch(Progress(1.0, None))

    def run(
        self, job: Job, directory: Path, watch: Watch, judge: Judge | None = None, heed: Heed | None = None
    ) -> RawResult:
        assert judge is None
        if heed is not None:
            heed(0, self.reading)
        (directory / "raw").mkdir()
        watch(Progress(0.5, 1e6))
        self.before_result(job)
        series = windows_of([Level(64 * MIB, 100)], seed=1, dips=0)
        return fill_result(job, series_of(series.bandwidth_bytes_per_s, series.latency_ns_mean, series.latency_ns_max))


class Seen(NamedTuple):
    what: str
    words: str


@dataclass
class FakeDisplay:
    seen: list[Seen] = field(default_factory=list)

    def run_starts(self, plan: Plan, bundle: Path) -> None:
        assert (bundle / layout.JOURNAL).exists()
        self.seen.append(Seen("run", plan.suite.name))

    def step_starts(self, step: PlannedStep) -> None:
        self.seen.append(Seen("begin", step.name))

    def progress(self, step: PlannedStep, progress: Progress) -> None:
        assert progress.share_done is not None
        self.seen.append(Seen("progress", step.name))

    def step_ends(self, step: PlannedStep, ending: Ending, words: str) -> None:
        assert words
        self.seen.append(Seen({Ending.DONE: "end", Ending.SKIPPED: "skip"}[ending], step.name))

    def warning(self, text: str) -> None:
        self.seen.append(Seen("warning", text))


@dataclass
class Lab:
    path: Path
    drive: FakeDrive = field(default_factory=FakeDrive)
    engine: FakeEngine = field(default_factory=FakeEngine)
    display: FakeDisplay = field(default_factory=FakeDisplay)

    def run(self, raw_logs: RawLogs = RawLogs.DROP) -> Bundle:
        plan = expand(parse_suite(SUITE, "short.toml"), "standard", self.drive.identity, seed=1)
        return execute(plan, Bench(self.drive, self.engine, None), self.path, self.display, raw_logs)

    def failed_run(self, kind: type[BaseException]) -> tuple[Any, Bundle]:
        with pytest.raises(kind) as error:
            self.run()
        return error.value, open_bundle(newest_run(self.path))


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path / "lab")


def raising(error: BaseException, job_name: str) -> Callable[[Job], None]:
    def act(job: Job) -> None:
        if job.name == job_name:
            raise error

    return act


def statuses(bundle: Bundle) -> dict[str, str]:
    return {step.name: step.status.value for step in bundle.steps}


def test_the_steps_are_done_in_order(lab: Lab) -> None:
    bundle = lab.run()
    assert [(step.name, step.status) for step in bundle.steps] == [(name, StepStatus.FINISHED) for name in STEPS]
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
    events = [json.loads(line) for line in (bundle.path / layout.JOURNAL).read_text().splitlines()]
    assert [event["event"] for event in events] == [
        "plan",
        *["step_started", "step_finished"] * 4,
        "warning",
        "run_finished",
    ]
    clock = [event["clock_ns"] for event in events]
    assert clock == sorted(clock)


def test_whoever_watches_sees_every_step_begin_and_end(lab: Lab) -> None:
    lab.run()
    shown = [(one.what, one.words) for one in lab.display.seen if one.what != "progress"]
    assert shown == [("run", "short"), *[(what, name) for name in STEPS for what in ("begin", "end")]]
    assert {one.words for one in lab.display.seen if one.what == "progress"} == {*STEPS[1:]}


def test_what_the_drive_has_to_say_of_itself_is_a_warning(lab: Lab) -> None:
    assert lab.run().warnings == ("it was late",)


def test_what_the_drive_says_at_the_start_and_at_the_end_is_kept(lab: Lab) -> None:
    bundle = lab.run()
    said = [bundle.drive_said(moment, "smart.json") for moment in (layout.Moment.START, layout.Moment.END)]
    assert said == ['{"asked": 1}\n', '{"asked": 2}\n']
    assert bundle.drive_said(layout.Moment.END, "other.json") == Unknown("the bundle holds no `other.json` of the end")


def test_a_finished_run_has_metrics_and_an_audit(lab: Lab) -> None:
    bundle = lab.run()
    assert "fill.pass1.bandwidth_mean" in {metric.name for metric in bundle.metrics}
    assert bundle.audit


def test_conclusions_can_be_drawn_again(lab: Lab) -> None:
    bundle = lab.run()
    (bundle.path / layout.METRICS).unlink()
    (bundle.path / layout.AUDIT).unlink()
    again = conclude_again(bundle.path)
    assert (again.metrics, again.audit) == (bundle.metrics, bundle.audit)


def test_the_state_is_known_after_a_purge_that_proves_something(lab: Lab) -> None:
    states = [step.state for step in lab.run().steps]
    assert states == [DriveState.UNKNOWN, DriveState.FOB, DriveState.FILLED_ONCE, DriveState.FILLED_ONCE]


def test_the_state_stays_unknown_after_a_purge_that_proves_nothing(lab: Lab) -> None:
    lab.drive.freshness = Freshness.UNPROVEN
    bundle = lab.run()
    assert {step.state for step in bundle.steps} == {DriveState.UNKNOWN}
    assert bundle.warnings[0] == snapshot(
        "the drive's state is unknown from here on, its purge proves nothing: by magic"
    )
    assert Seen("warning", bundle.warnings[0]) in lab.display.seen


def test_how_it_was_purged_is_noted(lab: Lab) -> None:
    assert lab.run().step("purge").note == "by magic"


@pytest.mark.parametrize(("raw_logs", "kept"), [(RawLogs.DROP, False), (RawLogs.KEEP, True)])
def test_raw_logs_are_kept_only_if_asked_for(lab: Lab, raw_logs: RawLogs, *, kept: bool) -> None:
    bundle = lab.run(raw_logs)
    assert (bundle.directory(bundle.step("fill.pass1")) / "raw").exists() == kept


def test_a_long_step_notes_how_far_it_is(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_step, "CHECKPOINT_S", 0)
    journal = (lab.run().path / layout.JOURNAL).read_text().splitlines()
    checkpoints = [event for event in map(json.loads, journal) if event["event"] == "checkpoint"]
    assert {"index": 2, "bytes_done": 32 * MIB}.items() <= checkpoints[0].items()


def test_two_runs_in_one_second_have_a_bundle_each(lab: Lab) -> None:
    assert lab.run().path != lab.run().path


def test_an_engine_that_fails_ends_the_run_with_its_reason(lab: Lab) -> None:
    lab.engine.before_result = raising(EngineError("fio fell over", "pick it up"), "fill.pass2")
    error, bundle = lab.failed_run(RunFailed)
    assert statuses(bundle) == {
        "purge": "finished",
        "fill.pass1": "finished",
        "fill.rest": "finished",
        "fill.pass2": "failed",
    }
    assert (bundle.status, bundle.reason) == (RunStatus.FAILED, "fio fell over")
    assert bundle.step("fill.pass2").reason == "fio fell over"
    assert (error.message, error.hints[0], error.exit_status) == ("fio fell over", "pick it up", ExitStatus.REFUSED)
    assert str(bundle.path) in error.hints[1]


def test_what_was_finished_before_a_failure_is_concluded(lab: Lab) -> None:
    lab.engine.before_result = raising(EngineError("fio fell over"), "fill.pass2")
    _, bundle = lab.failed_run(RunFailed)
    assert any(metric.name.startswith("fill.pass1.") for metric in bundle.metrics)


def test_an_operator_may_stop_it(lab: Lab) -> None:
    lab.engine.before_result = raising(KeyboardInterrupt(), "fill.pass1")
    error, bundle = lab.failed_run(Interrupted)
    assert (bundle.status, bundle.reason) == (RunStatus.INTERRUPTED, "stopped by the operator")
    assert statuses(bundle) == {
        "purge": "finished",
        "fill.pass1": "interrupted",
        "fill.rest": "planned",
        "fill.pass2": "planned",
    }
    assert error.exit_status is ExitStatus.INTERRUPTED


def test_a_drive_that_is_gone_before_a_step_ends_the_run(lab: Lab) -> None:
    lab.drive.gone_after = 2
    error, bundle = lab.failed_run(RunFailed)
    assert (error.message, error.hints[0]) == ("the drive is gone", "plug it in")
    assert (bundle.status, bundle.reason) == (RunStatus.FAILED, "the drive is gone")
    assert statuses(bundle)["fill.rest"] == "planned"


def test_an_error_of_our_own_is_noted_and_not_hidden(lab: Lab) -> None:
    lab.engine.before_result = raising(ZeroDivisionError("a bug"), "fill.pass1")
    _, bundle = lab.failed_run(ZeroDivisionError)
    assert (bundle.status, bundle.reason) == (RunStatus.FAILED, "a bug")


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "the host's disk is full; what was finished is in `RUN`"),
        (errno.EDQUOT, "the host's disk is full; what was finished is in `RUN`"),
        (errno.EIO, "the bundle cannot be written: [Errno 5] broken; what was finished is in `RUN`"),
    ],
)
def test_a_host_disk_that_refuses_ends_the_run(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    finished = BundleWriter.step_finished

    def refuse(
        writer: BundleWriter,
        index: int,
        clock_ns: int,
        result: RawResult | None,
        note: str = "",
        written_bytes: int = 0,
    ) -> None:
        if index == 4:
            raise OSError(number, "broken")
        finished(writer, index, clock_ns, result, note, written_bytes)

    monkeypatch.setattr(BundleWriter, "step_finished", refuse)
    error, bundle = lab.failed_run(RunFailed)
    assert error.message.replace(str(bundle.path), "RUN") == said
    assert [step.name for step in bundle.finished()] == STEPS[:3]


def test_a_run_does_not_begin_without_room_for_its_bundle(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(lab.path.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=4096))
    with pytest.raises(RunFailed, match=r"has 4\.00 KiB free, this run may need"):
        lab.run()
    assert not lab.path.exists()


def test_a_bundle_is_named_after_the_drive(lab: Lab) -> None:
    lab.drive.identity = replace(IDENTITY, model="ACME / 990 <Pro>")
    assert lab.run().path.name.endswith("-short-acme---990--pro")


def test_every_refusal_is_for_the_user() -> None:
    assert issubclass(RunFailed, SsdlabError)
    assert issubclass(Interrupted, SsdlabError)


def test_a_drive_with_a_long_name_in_any_script_has_a_bundle(tmp_path: Path) -> None:
    identity = replace(run_info(MIB).drive, model=Unknown("a directory has none"), target="카메라" * 60)
    first = bundle_path(tmp_path, "sustain", identity)
    first.mkdir(parents=True)
    second = bundle_path(tmp_path, "sustain", identity)
    second.mkdir()
    assert first != second
    assert "-sustain-카메라" in first.name
