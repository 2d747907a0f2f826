"""A run that stopped goes on in its bundle; what the drive's state requires is done again, and nothing else."""

import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.fake_lab import IDENTITY, FakeDisplay, FakeDrive, FakeEngine, raising
from tests.kit.processes import OVER, ssdlab
from tests.kit.stopped_run import SUITE, stopped

from ssdlab.bundle import layout
from ssdlab.bundle.checksums import write_checked
from ssdlab.bundle.journal import RunBusyError
from ssdlab.bundle.model import RunStatus, StepStatus, as_step
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.write import BundleWriter
from ssdlab.drive.details import Details
from ssdlab.drive.identity import (
    NO_BLOCK_DEVICE,
    BlockDetails,
    DriveIdentity,
    DriveName,
    Freshness,
    Memory,
    NameKind,
)
from ssdlab.engine.base import EngineError
from ssdlab.errors import Interrupted
from ssdlab.job import DriveState
from ssdlab.lab.bench import Bench, open_bench
from ssdlab.lab.errors import CannotResume
from ssdlab.lab.resume import is_over, plan_again, remaining, resume
from ssdlab.lab.run import execute, run_info
from ssdlab.message import as_written, message, verbatim
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.unknown import Unknown
from ssdlab.words import Language, in_language

MODEL = "model:demo?capacity=128MiB"


def left_of(bundle: Bundle, memory: Memory = Memory.KEEPS) -> tuple[list[str], str]:
    left = remaining(plan_again(bundle, IDENTITY), bundle.steps, memory)
    return [step.name for step in left.again], str(left.reason)


def steps_done_in(bundle: Bundle, display: FakeDisplay) -> list[str]:
    return [seen.words for seen in display.seen if seen.what == "begin"]


def test_a_fill_that_stopped_halfway_takes_all_since_the_purge(tmp_path: Path) -> None:
    assert left_of(stopped(tmp_path, FakeDrive(), "fill.pass1")) == snapshot(
        (
            ["purge", "fill.pass1"],
            "`fill.pass1` stopped halfway and needs the drive as before, so the run begins again at `purge`",
        )
    )


def test_a_point_that_stopped_halfway_is_done_again_alone(tmp_path: Path) -> None:
    assert left_of(stopped(tmp_path, FakeDrive(), "look.q2.r100.run2")) == snapshot(
        (["look.q2.r100.run2"], "`look.q2.r100.run2` stopped halfway and is done again")
    )


def test_a_drive_that_forgets_begins_again_at_its_last_purge(tmp_path: Path) -> None:
    assert left_of(stopped(tmp_path, FakeDrive(), "look.q1.r0.run2"), Memory.FORGETS) == snapshot(
        (
            ["purge", "fill.pass1", "rest", "look.q1.r0.run1", "look.q1.r0.run2"],
            "the drive keeps nothing once ssdlab ends, so the run begins again at `purge`",
        )
    )


def test_what_was_finished_before_the_last_purge_is_never_done_again(tmp_path: Path) -> None:
    assert left_of(stopped(tmp_path, FakeDrive(), "again.pass1"), Memory.FORGETS) == snapshot(
        (["purge2", "again.pass1"], "the drive keeps nothing once ssdlab ends, so the run begins again at `purge2`")
    )


def test_the_run_ends_as_if_it_had_never_stopped(tmp_path: Path) -> None:
    drive, display = FakeDrive(), FakeDisplay()
    begun = stopped(tmp_path, drive, "again.pass1")
    bundle = resume(begun.path, Bench(drive, FakeEngine(), None), display)
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
    assert {step.status for step in bundle.steps} == {StepStatus.FINISHED}
    assert steps_done_in(bundle, display) == ["purge2", "again.pass1"]
    assert [one.redone for one in bundle.resumptions] == [("purge2", "again.pass1")]


def test_the_clock_goes_on_where_it_stood(tmp_path: Path) -> None:
    drive = FakeDrive()
    begun = stopped(tmp_path, drive, "again.pass1")
    bundle = resume(begun.path, Bench(drive, FakeEngine(), None), FakeDisplay())
    moments = [step.started_ns for step in bundle.steps if step.started_ns is not None]
    assert moments == sorted(moments)
    assert len(set(moments)) == len(bundle.steps)


def test_what_a_redone_step_had_left_is_set_aside(tmp_path: Path) -> None:
    drive = FakeDrive()
    begun = stopped(tmp_path, drive, "fill.pass1")
    name = layout.step_directory(begun.run, begun.step("fill.pass1"))
    (begun.path / name / "half").write_text("a file the engine did not get to remove")
    bundle = resume(begun.path, Bench(drive, FakeEngine(), None), FakeDisplay())
    assert (bundle.path / "attempts/1" / name / "half").exists()
    assert not (bundle.path / name / "half").exists()


def test_a_purge_that_proved_nothing_still_proves_nothing(tmp_path: Path) -> None:
    drive = FakeDrive(freshness=Freshness.UNPROVEN)
    begun = stopped(tmp_path, drive, "look.q2.r100.run2")
    bundle = resume(begun.path, Bench(drive, FakeEngine(), None), FakeDisplay())
    assert {step.state for step in bundle.steps} == {DriveState.UNKNOWN}


def test_another_drive_is_refused(tmp_path: Path) -> None:
    begun = stopped(tmp_path, FakeDrive(), "look.q2.r100.run2")
    other = FakeDrive(identity=replace(IDENTITY, serial="2", capacity_bytes=IDENTITY.capacity_bytes * 2))
    before = (begun.path / layout.JOURNAL).read_bytes()
    with pytest.raises(CannotResume) as error:
        resume(begun.path, Bench(other, FakeEngine(), None), FakeDisplay())
    assert str(error.value) == snapshot(
        "this is not the drive the run was begun on: serial number `2` instead of `1`, capacity `134217728` instead of `67108864`"
    )
    assert (begun.path / layout.JOURNAL).read_bytes() == before


def named(called: DriveName) -> DriveIdentity:
    unknown = Unknown(message("unknown-no-block-device"))
    details = Details(controller=unknown, namespace=unknown, smart=unknown, security=unknown, health=unknown)
    block = BlockDetails(
        called=called,
        wwid=unknown,
        medium=unknown,
        physical_block_bytes=unknown,
        link=unknown,
        details=details,
    )
    return replace(IDENTITY, block=block)


def test_why_a_drive_has_no_name_is_told_in_the_reader_s_language(tmp_path: Path) -> None:
    begun = stopped(tmp_path, FakeDrive(), "look.q2.r100.run2")
    other = named(DriveName("S1", NameKind.SERIAL))
    with pytest.raises(CannotResume) as error:
        plan_again(begun, other)
    why = in_language(message("unknown-no-block-device"), Language.KOREAN)
    assert why in in_language(error.value.message, Language.KOREAN)


def test_what_an_older_ssdlab_said_of_a_drive_without_a_name_makes_it_no_other_drive(tmp_path: Path) -> None:
    begun = stopped(tmp_path, FakeDrive(identity=replace(IDENTITY, serial=NO_BLOCK_DEVICE)), "look.q2.r100.run2")
    said = Unknown(as_written(str(NO_BLOCK_DEVICE.reason)))
    older = replace(begun, run=replace(begun.run, drive=replace(begun.run.drive, serial=said, block=said)))
    assert plan_again(older, replace(IDENTITY, serial=NO_BLOCK_DEVICE)).steps


def test_a_run_that_is_still_being_written_is_refused(tmp_path: Path) -> None:
    drive = FakeDrive()
    begun = stopped(tmp_path, drive, "look.q2.r100.run2")
    with closing(BundleWriter.reopen(begun.path, begun.run, begun.steps)), pytest.raises(RunBusyError):
        resume(begun.path, Bench(drive, FakeEngine(), None), FakeDisplay())


def test_a_plan_that_would_be_another_one_today_is_refused(tmp_path: Path) -> None:
    begun = stopped(tmp_path, FakeDrive(), "fill.pass1")
    longer = SUITE.replace('duration = "1s"', 'duration = "2s"')
    bundle = replace(begun, run=replace(begun.run, suite=replace(begun.run.suite, text=longer)))
    with pytest.raises(CannotResume, match="plans other steps"):
        plan_again(bundle, IDENTITY)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A run of the model that nothing stopped."""
    with open_bench(MODEL) as bench:
        plan = expand(parse_suite(SUITE, "short.toml"), "standard", bench.drive.identity, seed=1)
        return execute(plan, bench, tmp_path_factory.mktemp("lab"), FakeDisplay())


def cut(whole: Bundle, path: Path, length: int) -> Path:
    """The bundle as a power loss would leave it once so many bytes of the journal were durable."""
    shutil.copytree(whole.path, path)
    journal = path / layout.JOURNAL
    journal.write_bytes(journal.read_bytes()[:length])
    for name in (layout.METRICS, layout.AUDIT):
        (path / name).unlink()
    return path


def test_a_run_cut_off_anywhere_ends_with_the_same_numbers(whole: Bundle, tmp_path: Path) -> None:
    journal = (whole.path / layout.JOURNAL).read_bytes()
    ends = [number + 1 for number, letter in enumerate(journal) if letter == ord("\n")]
    values = {metric.name: metric.value for metric in whole.metrics}
    for number, end in enumerate([0, *ends]):
        # Every second cut goes through the middle of the next line.
        torn = end if number % 2 else min(end + 20, len(journal))
        with open_bench(MODEL) as bench:
            bundle = resume(cut(whole, tmp_path / str(number), torn), bench, FakeDisplay())
        assert bundle.status is RunStatus.FINISHED
        assert (bundle.faults, {metric.name: metric.value for metric in bundle.metrics}) == ((), values)


def test_a_run_can_be_stopped_and_resumed_again_and_again(tmp_path: Path) -> None:
    drive = FakeDrive()
    path = stopped(tmp_path, drive, "fill.pass1").path
    for job in ("look.q1.r0.run1", "look.q2.r100.run1", "again.pass1"):
        failing = FakeEngine(before_result=raising(EngineError(verbatim("fio fell over")), job))
        with pytest.raises(Exception, match="fell over"):
            resume(path, Bench(drive, failing, None), FakeDisplay())
    bundle = resume(path, Bench(drive, FakeEngine(), None), FakeDisplay())
    assert bundle.status is RunStatus.FINISHED
    assert len(bundle.resumptions) == 4


def test_a_step_of_the_plan_s_place_is_the_plan_s_whoever_is_said_to_have_asked_for_it(tmp_path: Path) -> None:
    begun = stopped(tmp_path, FakeDrive(), "fill.pass1")
    other = replace(begun.step("fill.pass1"), name="another", asked_by=99)
    steps = tuple(other if step.index == other.index else step for step in begun.steps)
    with pytest.raises(CannotResume, match="plans other steps"):
        plan_again(replace(begun, steps=steps), IDENTITY)


def test_a_bundle_that_lost_its_journal_begins_anew(tmp_path: Path) -> None:
    drive = FakeDrive()
    begun = stopped(tmp_path, drive, "fill.pass1")
    (begun.path / layout.JOURNAL).unlink()
    bundle = resume(begun.path, Bench(drive, FakeEngine(), None), FakeDisplay())
    assert bundle.status is RunStatus.FINISHED
    assert run_info(plan_again(bundle, IDENTITY), Bench(drive, FakeEngine(), None)).seed == bundle.run.seed


STEADY = """\
[suite]
name = "steady"
version = "1"
[[step]]
kind = "purge"
[[step]]
kind = "steady"
name = "conditioning"
job = { pattern = "random", bs = "4KiB", qd = 32 }
at_least = "1x"
at_most = "2x"
measured = "1s"
[[step]]
kind = "measure"
name = "rnd"
job.write = { pattern = "random", bs = "4KiB", read = "0%", ramp = "1s", limit = "1s" }
job.read = { pattern = "random", bs = "4KiB", read = "100%", ramp = "1s", limit = "1s" }
sweep = { qd = [1, 2] }
"""


def stopped_at(name: str, came: StepStatus = StepStatus.INTERRUPTED, suite: str = STEADY) -> tuple[list[str], str]:
    """What is left of a run on a steady drive that was stopped while doing that step, or just before."""
    plan = expand(parse_suite(suite, "steady.toml"), "standard", IDENTITY, seed=1)
    steps = [as_step(step) for step in plan.steps]
    index = next(step.index for step in steps if step.name == name)
    done = dict.fromkeys(range(1, index), StepStatus.FINISHED) | {index: came}
    before = tuple(replace(step, status=done.get(step.index, StepStatus.PLANNED)) for step in steps)
    left = remaining(plan, before, Memory.KEEPS)
    return [step.name for step in left.steps], str(left.reason)


def test_a_measurement_is_done_again_with_its_ramp() -> None:
    assert stopped_at("rnd.read.q2") == snapshot(
        (["rnd.read.q2.ramp", "rnd.read.q2"], "`rnd.read.q2` stopped halfway and is done again")
    )


def test_reads_of_a_steady_drive_go_on_after_a_stop() -> None:
    assert stopped_at("rnd.read.q1.ramp")[0] == ["rnd.read.q1.ramp", "rnd.read.q1", "rnd.read.q2.ramp", "rnd.read.q2"]


def test_writes_to_a_drive_that_has_rested_begin_again_at_the_purge() -> None:
    names, reason = stopped_at("rnd.write.q2.ramp")
    assert names[:3] == ["purge", "precondition.rnd", "rnd.write.q1.ramp"]
    assert reason == snapshot(
        "`rnd.write.q2.ramp` stopped halfway and needs the drive as before, so the run begins again at `purge`"
    )


def test_a_drive_that_was_left_between_two_writes_is_no_longer_steady() -> None:
    names, reason = stopped_at("rnd.write.q2.ramp", StepStatus.PLANNED)
    assert names[0] == "purge"
    assert reason == snapshot(
        "`rnd.write.q2.ramp` writes to a steady drive and this one has rested, so the run begins again at `purge`"
    )


class TestLoads:
    """Loads are asked for while the run goes on; a mix is one step of the plan."""

    def test_a_mix_of_reads_is_done_again_alone_where_no_write_follows(self) -> None:
        reads = load_suite("load-latency").text.replace('["read", "r70w30", "write"]', '["read"]')
        assert stopped_at("load_latency.read.search", suite=reads) == snapshot(
            (["load_latency.read.search"], "`load_latency.read.search` stopped halfway and is done again")
        )

    def test_one_that_writes_follow_takes_a_steady_drive_again(self) -> None:
        names, reason = stopped_at("load_latency.read.search", suite=load_suite("load-latency").text)
        assert (names[0], names[-1]) == ("purge", "load_latency.write.search")
        assert reason == snapshot(
            "`load_latency.r70w30.search` writes to a steady drive and this one has rested, so the run begins again at `purge`"
        )

    @pytest.mark.parametrize("came", [StepStatus.INTERRUPTED, StepStatus.PLANNED])
    def test_one_that_writes_takes_a_steady_drive_again(self, came: StepStatus) -> None:
        names, _ = stopped_at("load_latency.write.search", came, load_suite("load-latency").text)
        assert names[0] == "purge"


def test_the_command_gives_a_run_its_end_that_was_killed_after_its_last_step(whole: Bundle, tmp_path: Path) -> None:
    journal = (whole.path / layout.JOURNAL).read_bytes()
    last_step = journal.index(b"\n", journal.rindex(b'"event":"step_finished"')) + 1
    killed = cut(whole, tmp_path / "killed", last_step)
    assert is_over(open_bundle(killed))
    assert ssdlab("resume", killed).status in OVER
    again = open_bundle(killed)
    assert (again.status, again.faults) == (RunStatus.FINISHED, ())
    assert {one.name: one.value for one in again.metrics} == {one.name: one.value for one in whole.metrics}


def killed(_bundle: Path) -> Bundle:
    """In the place of conclusions."""
    raise KeyboardInterrupt


def test_conclusions_of_a_part_never_stand_for_the_whole_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drive = FakeDrive()
    begun = stopped(tmp_path, drive, "again.pass1")
    assert begun.metrics
    with monkeypatch.context() as patched:
        patched.setattr("ssdlab.lab.run.conclude_again", killed)
        with pytest.raises(Interrupted):
            resume(begun.path, Bench(drive, FakeEngine(), None), FakeDisplay())
    between = open_bundle(begun.path)
    assert (between.status, between.metrics, between.audit, between.faults) == (RunStatus.FINISHED, (), (), ())
    # Nothing is left to do but to conclude.
    assert ssdlab("resume", begun.path).status in OVER
    names = {metric.name for metric in open_bundle(begun.path).metrics}
    assert names > {metric.name for metric in begun.metrics}


def test_a_mark_that_is_no_conclusion_stays_when_a_run_goes_on(tmp_path: Path) -> None:
    drive = FakeDrive()
    begun = stopped(tmp_path, drive, "again.pass1")
    write_checked(begun.path, {"power.json": b"{}"})
    bundle = resume(begun.path, Bench(drive, FakeEngine(), None), FakeDisplay())
    assert "power.json" in bundle.files.marks
