"""The lab does a plan step by step; however a run ends, the bundle says how, and keeps what was finished."""

import errno
import json
import shutil
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.fake_lab import IDENTITY, STEPS, Lab, Seen, raising
from tests.kit.hints import hints_of
from tests.kit.sample_bundle import run_info

from ssdlab.bundle import layout
from ssdlab.bundle.mark import NO_MARKS, FileMark
from ssdlab.bundle.model import RunInfo, RunStatus, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.write import BundleWriter
from ssdlab.drive.identity import Freshness
from ssdlab.engine.base import EngineError
from ssdlab.engine.result import RawResult
from ssdlab.errors import ExitStatus, Interrupted, SsdlabError
from ssdlab.job import DriveState
from ssdlab.lab import step as lab_step
from ssdlab.lab.begin import CannotBegin, new_bundle
from ssdlab.lab.lifecycle import RunFailed
from ssdlab.lab.run import conclude_again
from ssdlab.lab.step import RawLogs
from ssdlab.message import Message, message, verbatim
from ssdlab.units import MIB
from ssdlab.unknown import Unknown


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path / "lab")


def statuses(bundle: Bundle) -> dict[str, str]:
    return {step.name: step.status.value for step in bundle.steps}


def test_the_steps_are_done_in_order(lab: Lab) -> None:
    bundle = lab.run()
    assert [(step.name, step.status) for step in bundle.steps] == [(name, StepStatus.FINISHED) for name in STEPS]
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
    events = [json.loads(line) for line in (bundle.path / layout.JOURNAL).read_text().splitlines()]
    assert [event["event"] for event in events] == [
        "plan",
        "drive_said",
        *["step_started", "step_finished"] * 4,
        "warning",
        "drive_said",
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
    assert bundle.drive_said(layout.Moment.END, "other.json") == Unknown(
        message("unknown-no-drive-answer", name="other.json", moment="end")
    )


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
    assert lab.run().step("purge").note == verbatim("by magic")


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
    lab.engine.before_result = raising(EngineError(verbatim("fio fell over"), verbatim("pick it up")), "fill.pass2")
    error, bundle = lab.failed_run(RunFailed)
    assert statuses(bundle) == {
        "purge": "finished",
        "fill.pass1": "finished",
        "fill.rest": "finished",
        "fill.pass2": "failed",
    }
    assert (bundle.status, str(bundle.reason)) == (RunStatus.FAILED, "fio fell over")
    assert bundle.step("fill.pass2").reason == verbatim("fio fell over")
    assert (str(error), hints_of(error)[0], error.exit_status) == ("fio fell over", "pick it up", ExitStatus.REFUSED)
    assert str(bundle.path) in hints_of(error)[1]


def test_what_was_finished_before_a_failure_is_concluded(lab: Lab) -> None:
    lab.engine.before_result = raising(EngineError(verbatim("fio fell over")), "fill.pass2")
    _, bundle = lab.failed_run(RunFailed)
    assert any(metric.name.startswith("fill.pass1.") for metric in bundle.metrics)


def test_an_operator_may_stop_it(lab: Lab) -> None:
    lab.engine.before_result = raising(KeyboardInterrupt(), "fill.pass1")
    error, bundle = lab.failed_run(Interrupted)
    assert (bundle.status, str(bundle.reason)) == (RunStatus.INTERRUPTED, "stopped by the operator")
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
    assert (str(error), hints_of(error)[0]) == ("the drive is gone", "plug it in")
    assert (bundle.status, str(bundle.reason)) == (RunStatus.FAILED, "the drive is gone")
    assert statuses(bundle)["fill.rest"] == "planned"


def test_an_error_of_our_own_is_noted_and_not_hidden(lab: Lab) -> None:
    lab.engine.before_result = raising(ZeroDivisionError("a bug"), "fill.pass1")
    _, bundle = lab.failed_run(ZeroDivisionError)
    assert (bundle.status, str(bundle.reason)) == (RunStatus.FAILED, "a bug")


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "the bundle cannot be written: the disk is full; what was finished is in `RUN`"),
        (errno.EDQUOT, "the bundle cannot be written: the disk quota is used up; what was finished is in `RUN`"),
        (errno.EIO, "the bundle cannot be written: the disk failed; what was finished is in `RUN`"),
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
        note: Message | None = None,
        written_bytes: int = 0,
        left: Mapping[str, FileMark] = NO_MARKS,
    ) -> None:
        if index == 4:
            raise OSError(number, "broken")
        finished(writer, index, clock_ns, result, note, written_bytes, left)

    monkeypatch.setattr(BundleWriter, "step_finished", refuse)
    error, bundle = lab.failed_run(RunFailed)
    assert str(error).replace(str(bundle.path), "RUN") == said
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


def named(model: str) -> RunInfo:
    info = run_info(MIB)
    return replace(info, drive=replace(info.drive, model=Unknown(verbatim("a directory has none")), target=model))


def test_a_drive_with_a_long_name_in_any_script_has_a_bundle(tmp_path: Path) -> None:
    with new_bundle(tmp_path, named("카메라" * 60), ()) as writer:
        name = writer.path.name
    assert "-fill-카메라" in name
    assert len(name.encode()) <= 120


def test_runs_that_begin_in_the_same_second_never_share_a_bundle(tmp_path: Path) -> None:
    def begin(_: int) -> Path:
        with new_bundle(tmp_path / "lab", named("acme"), ()) as writer:
            return writer.path

    with ThreadPoolExecutor(16) as threads:
        paths = list(threads.map(begin, range(48)))
    assert len(set(paths)) == 48
    assert {path.name.removeprefix(min(paths).name) for path in paths} == {"", *(f"-{one}" for one in range(2, 49))}


def test_a_lab_that_cannot_be_written_to_is_said_before_anything_is_done(tmp_path: Path) -> None:
    (tmp_path / "lab").write_text("no directory")
    with (
        pytest.raises(CannotBegin, match=r"no bundle can be made in `.*lab`: a part of the path is no directory"),
        new_bundle(tmp_path / "lab", named("acme"), ()),
    ):
        pass
