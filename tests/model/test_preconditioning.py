"""The step `steady`: planned, ended by the judge, recorded, and judged again from the bundle."""

import io
import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner

from ssdlab.analysis.conclude import conclude
from ssdlab.analysis.infer.steady import SteadyJudge
from ssdlab.analysis.metrics.preconditioning import ground_of
from ssdlab.bundle.model import Metric, Outcome, RunStatus
from ssdlab.bundle.read import Bundle
from ssdlab.cli import app
from ssdlab.cli.display import PlainDisplay
from ssdlab.drive.identity import Memory
from ssdlab.drive.kinds.model import ModelDrive
from ssdlab.engine.base import Progress
from ssdlab.engine.result import Direction
from ssdlab.errors import Interrupted
from ssdlab.job import Draw, DriveState, Pattern, StepKind
from ssdlab.lab.bench import open_bench
from ssdlab.lab.resume import resume
from ssdlab.lab.run import execute
from ssdlab.message import message
from ssdlab.method.faults import SuiteError
from ssdlab.method.plan import Plan, expand
from ssdlab.method.suite import parse_suite
from ssdlab.step_spec import StepSpec
from ssdlab.units import GIB, NS_PER_S
from ssdlab.unknown import Unknown

AS_PUBLISHED = 'at_least = "2x"\nat_most = "23x"'
TARGET = "model:mlc-1tb?capacity=1GiB"
SUITE = """\
[suite]
name = "steady"
version = "1"

[profile.quick]
time = "1/600"

[[step]]
kind = "purge"

[[step]]
kind = "steady"
name = "precondition_rnd"
job = {{ pattern = "random", bs = "4KiB", qd = 256 }}
measured = "5min"
{more}
[[step]]
kind = "measure"
name = "rnd"
job = {{ pattern = "random", bs = "4KiB", qd = 256, limit = "5min" }}
sweep = {{ mix = ["write", "read"] }}
"""


def plan_of(target: str, more: str = AS_PUBLISHED, profile: str = "quick") -> Plan:
    with open_bench(target) as bench:
        return expand(parse_suite(SUITE.format(more=more), "suite"), profile, bench.drive.identity, 1)


def run_of(lab: Path, more: str = AS_PUBLISHED) -> tuple[Bundle, str]:
    words = io.StringIO()
    with open_bench(TARGET) as bench:
        plan = expand(parse_suite(SUITE.format(more=more), "suite"), "quick", bench.drive.identity, 1)
        return execute(plan, bench, lab, PlainDisplay(words)), words.getvalue()


def metrics_of(bundle: Bundle) -> dict[str, Metric]:
    return {metric.name: metric for metric in bundle.metrics}


class TestPlan:
    def test_it_is_one_stream_of_independent_draws_all_over_the_drive(self) -> None:
        step = plan_of(TARGET).steps[1]
        assert step.job is not None
        assert (step.name, step.point.name, step.group, step.kind) == (
            "precondition.rnd",
            "precondition.rnd",
            "precondition_rnd",
            StepKind.PRECONDITION,
        )
        assert (step.job.draw, step.job.region.length_bytes, step.job.amount_bytes) == (
            Draw.INDEPENDENT,
            GIB,
            23 * GIB,
        )

    def test_a_profile_scales_the_seconds_of_the_criteria(self) -> None:
        rule = plan_of(TARGET).steps[1].until
        assert rule is not None
        assert (rule.minimum_bytes, rule.measured_ns, rule.time.of(NS_PER_S)) == (2 * GIB, NS_PER_S // 2, 1_666_666)

    def test_what_follows_is_measured_on_a_steady_drive(self) -> None:
        states = [step.state for step in plan_of(TARGET).steps]
        assert states == [DriveState.UNKNOWN, DriveState.FOB, DriveState.STEADY, DriveState.STEADY]

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            ('at_least = "3x"\nat_most = "3x"', "`3x` is no more than `at_least`, `3x`"),
            ('at_least = "2x"\nat_most = "23"', "`23` is no multiple"),
            ('at_least = "0x"\nat_most = "23x"', "`0x` is no multiple"),
        ],
    )
    def test_bounds_that_make_no_sense_are_faults(self, more: str, message: str) -> None:
        with pytest.raises(SuiteError, match=message):
            plan_of(TARGET, more)

    def test_two_of_one_pattern_are_a_fault(self) -> None:
        again = f'{AS_PUBLISHED}\n[[step]]\nkind = "steady"\nname = "again"\nmeasured = "5min"\n{AS_PUBLISHED}\n'
        with pytest.raises(SuiteError, match="their metrics would have one name"):
            plan_of(TARGET, again + 'job = { pattern = "random", bs = "4KiB", qd = 1 }')


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_of(tmp_path_factory.mktemp("lab"))[0]


class TestRun:
    def test_the_job_ends_once_the_drive_is_steady(self, steady: Bundle) -> None:
        result = steady.result(steady.step("precondition.rnd"))
        assert result.stopped is not None
        assert result.stopped.criterion == "held"
        written_bytes = result.directions[Direction.WRITE].io_bytes
        # From fresh out of the box, with 10 % spare, a decay over several capacities.
        assert 4 < written_bytes / GIB < 9
        # The model is judged every ten windows of 100 ms, and each is at most 60 MB here.
        assert 0 <= written_bytes - result.stopped.at_bytes < GIB

    def test_what_is_measured_then_stays(self, steady: Bundle) -> None:
        metrics = metrics_of(steady)
        before, after = metrics["precondition.rnd.steady_iops"].value, metrics["rnd.write.iops"].value
        assert isinstance(before, float)
        assert isinstance(after, float)
        assert after == pytest.approx(before, rel=0.05)

    def test_the_recorded_series_is_judged_as_the_running_job_was(self, steady: Bundle) -> None:
        step, plan = steady.step("precondition.rnd"), plan_of(TARGET)
        rule = plan.steps[1].until
        assert step.job is not None
        assert rule is not None
        judge = SteadyJudge(ground_of(rule, step.job, GIB))
        series = steady.series(step, Direction.WRITE)
        stopped = judge.feed(series.time_ns, series.bandwidth_bytes_per_s * series.duration_ns / NS_PER_S)
        assert stopped == steady.result(step).stopped

    def test_every_criterion_is_reported(self, steady: Bundle) -> None:
        metrics = metrics_of(steady)
        prefix = "precondition.rnd."
        found = {name.removeprefix(prefix): one.unit for name, one in metrics.items() if name.startswith(prefix)}
        assert found == snapshot(
            {
                "bytes": "B",
                "criterion": "",
                "steady_at_bytes.held": "B",
                "steady_after.held": "s",
                "first_at_bytes.held": "B",
                "steady_at_bytes.window": "B",
                "steady_after.window": "s",
                "first_at_bytes.window": "B",
                "steady_at_bytes.snia": "B",
                "steady_after.snia": "s",
                "first_at_bytes.snia": "B",
                "steady_at_bytes.fio": "B",
                "steady_after.fio": "s",
                "first_at_bytes.fio": "B",
                "steady_iops": "1/s",
                "flat_bytes": "B",
                "drift": "%",
                "measurement_apart": "%",
                "write_amplification": "",
            }
        )
        assert metrics[f"{prefix}criterion"].value == "held"
        fio, window, held = (metrics[f"{prefix}steady_at_bytes.{word}"].value for word in ("fio", "window", "held"))
        assert isinstance(fio, int)
        assert isinstance(window, int)
        assert isinstance(held, int)
        assert fio < 2.1 * GIB < window < held

    def test_what_cannot_be_seen_is_said(self, steady: Bundle) -> None:
        metrics = metrics_of(steady)
        flat = metrics["precondition.rnd.flat_bytes"]
        assert isinstance(flat.value, int)
        assert flat.value > 1.5 * GIB
        unseen = f"a rhythm of {flat.value / GIB:.1f} capacities or longer would not have been seen"
        assert str(flat.note).startswith(f"{unseen}; ")
        assert str(flat.note).endswith(" were written")
        assert f"capacities written: {unseen}" in str(metrics["precondition.rnd.steady_iops"].note)

    def test_an_end_by_the_judge_is_no_fault_of_the_job(self, steady: Bundle) -> None:
        failed = [check for check in steady.audit if check.outcome is Outcome.FAIL]
        assert failed == []

    def test_the_same_seed_ends_with_the_same_byte(self, steady: Bundle, tmp_path: Path) -> None:
        again, _ = run_of(tmp_path)
        assert again.result(again.step("precondition.rnd")) == steady.result(steady.step("precondition.rnd"))


@pytest.fixture(scope="module")
def unsteady(tmp_path_factory: pytest.TempPathFactory) -> tuple[Bundle, str]:
    return run_of(tmp_path_factory.mktemp("lab"), 'at_least = "2x"\nat_most = "3x"')


class TestNotSteady:
    def test_it_is_a_result_and_no_error(self, unsteady: tuple[Bundle, str]) -> None:
        bundle, _ = unsteady
        result = bundle.result(bundle.step("precondition.rnd"))
        assert result.stopped is None
        assert result.directions[Direction.WRITE].io_bytes == 3 * GIB

    def test_it_is_said_while_it_runs_and_kept(self, unsteady: tuple[Bundle, str]) -> None:
        bundle, words = unsteady
        text = "not steady after `precondition.rnd` has written all that the suite allows: what follows is marked so"
        assert text in words
        assert text in bundle.warnings

    def test_all_that_follows_is_marked(self, unsteady: tuple[Bundle, str]) -> None:
        bundle, _ = unsteady
        assert metrics_of(bundle)["rnd.write.iops"].state is DriveState.NOT_STEADY

    def test_it_has_no_steady_value(self, unsteady: tuple[Bundle, str]) -> None:
        metrics = metrics_of(unsteady[0])
        assert metrics["precondition.rnd.criterion"].value == "not steady"
        assert metrics["precondition.rnd.steady_iops"].value == Unknown(message("unknown-not-steady"))
        assert metrics["precondition.rnd.steady_at_bytes.held"].value == Unknown(message("unknown-never-steady"))


def test_a_bundle_from_before_held_is_judged_as_it_was(unsteady: tuple[Bundle, str]) -> None:
    """Then `window` ended steps, or had not when all was written: what it would say of the recorded series is no verdict."""
    bundle, _ = unsteady
    early = replace(bundle, metrics=tuple(one for one in bundle.metrics if not one.name.endswith(".held")))
    assert len(early.metrics) == len(bundle.metrics) - 3
    again = {metric.name: metric for metric in conclude(early)[0]}
    assert not [name for name in again if name.endswith(".held")]
    assert again["precondition.rnd.steady_at_bytes.window"].value == Unknown(message("unknown-never-steady"))


def test_the_result_on_disk_says_what_ended_the_job(steady: Bundle) -> None:
    content = json.loads((steady.directory(steady.step("precondition.rnd")) / "result.json").read_bytes())
    assert sorted(content["stopped"]) == ["at_bytes", "at_ns", "criterion"]


def test_sequential_preconditioning_ends_with_a_bandwidth(tmp_path: Path) -> None:
    text = SUITE.format(more=AS_PUBLISHED).replace(
        '"random", bs = "4KiB", qd = 256 }\nmeasured', '"sequential", bs = "128KiB", qd = 256 }\nmeasured'
    )
    with open_bench(TARGET) as bench:
        plan = expand(parse_suite(text, "suite"), "quick", bench.drive.identity, 1)
        bundle = execute(plan, bench, tmp_path, PlainDisplay(io.StringIO()))
    metrics = metrics_of(bundle)
    step = bundle.step("precondition.seq")
    assert step.job is not None
    assert step.job.pattern is Pattern.SEQUENTIAL
    # As fast as the link: every pass overwrites whole superblocks.
    assert metrics["precondition.seq.steady_bandwidth"].value == pytest.approx(2.7e9, rel=0.05)


def test_the_plan_says_that_the_amount_is_the_most(tmp_path: Path) -> None:
    suite = tmp_path / "steady.toml"
    suite.write_text(SUITE.format(more=AS_PUBLISHED))
    printed = CliRunner().invoke(app, ["plan", str(suite), TARGET]).stdout
    note = "precondition_rnd: ends once the drive is steady, not before 2.00 GiB; the time is that of all it may write"
    assert note in printed.splitlines()


class Impatient(PlainDisplay):
    """Stops the run when a step begins."""

    def __init__(self, at: str) -> None:
        super().__init__(io.StringIO())
        self._at = at

    def step_starts(self, step: StepSpec) -> None:
        if step.name == self._at:
            raise KeyboardInterrupt
        super().step_starts(step)


class Told(PlainDisplay):
    """Presses Ctrl-C once so much of the random writing is done."""

    def __init__(self, presses: int = 1) -> None:
        self.words = io.StringIO()
        super().__init__(self.words)
        self._presses = presses

    def progress(self, step: StepSpec, progress: Progress) -> None:
        if step.name == "precondition.rnd" and (progress.share_done or 0) > 0.02 and self._presses:
            self._presses -= 1
            signal.raise_signal(signal.SIGINT)


def told(lab: Path, display: Told) -> Bundle:
    text = SUITE.format(more=AS_PUBLISHED + '\nctrl_c = "step"')
    with open_bench(TARGET) as bench:
        return execute(expand(parse_suite(text, "suite"), "quick", bench.drive.identity, 1), bench, lab, display)


class TestToldToStop:
    def test_ctrl_c_ends_the_step_and_the_run_goes_on(self, tmp_path: Path) -> None:
        display = Told()
        bundle = told(tmp_path, display)
        step = bundle.step("precondition.rnd")
        result = bundle.result(step)
        assert step.job is not None
        assert step.job.amount_bytes is not None
        assert result.stopped is not None
        assert result.stopped.criterion == "stopped by the operator"
        written_bytes = result.directions[Direction.WRITE].io_bytes
        assert 0 < result.stopped.at_bytes <= written_bytes < step.job.amount_bytes
        assert (bundle.status, bundle.reason) == (RunStatus.FINISHED, None)
        assert "(Ctrl-C ends this step and keeps it)" in display.words.getvalue()
        assert "the operator stopped `precondition.rnd` before the drive was steady" in display.words.getvalue()

    def test_what_follows_is_not_steady_and_no_fault(self, tmp_path: Path) -> None:
        bundle = told(tmp_path, Told())
        metrics = metrics_of(bundle)
        assert metrics["rnd.write.iops"].state is DriveState.NOT_STEADY
        assert metrics["precondition.rnd.criterion"].value == "stopped by the operator"
        assert metrics["precondition.rnd.steady_iops"].value == Unknown(message("unknown-ended-before-steady"))
        assert metrics["precondition.rnd.steady_at_bytes.held"].value == Unknown(message("unknown-operator-ended"))
        assert [check for check in bundle.audit if check.outcome is Outcome.FAIL] == []

    def test_ctrl_c_twice_ends_the_run(self, tmp_path: Path) -> None:
        with pytest.raises(Interrupted):
            told(tmp_path, Told(presses=2))
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def test_elsewhere_once_is_enough(self, tmp_path: Path) -> None:
        with open_bench(TARGET) as bench, pytest.raises(Interrupted):
            execute(plan_of(TARGET), bench, tmp_path, Told())


def test_a_resumed_run_still_knows_that_the_drive_was_not_steady(tmp_path: Path) -> None:
    text = SUITE.format(more='at_least = "2x"\nat_most = "3x"')
    with open_bench(TARGET) as bench:
        assert isinstance(bench.drive, ModelDrive)
        # Here the model stays in memory between the two runs, as a real drive does.
        bench.drive.identity = replace(bench.drive.identity, memory=Memory.KEEPS)
        plan = expand(parse_suite(text, "suite"), "quick", bench.drive.identity, 1)
        with pytest.raises(Interrupted):
            execute(plan, bench, tmp_path, Impatient("rnd.read"))
        (path,) = (tmp_path / "runs").iterdir()
        bundle = resume(path, bench, PlainDisplay(io.StringIO()))
    assert bundle.step("rnd.read").state is DriveState.NOT_STEADY
