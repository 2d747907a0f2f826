"""`route = "short"` of a step `steady`: planned, run on model drives, left where it does not lead there, and refused without a purge."""

import io
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from ssdlab.bundle.model import Metric, Outcome, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.warning import WarningKind
from ssdlab.cli.display import PlainDisplay
from ssdlab.drive.access import Purged
from ssdlab.drive.identity import Freshness
from ssdlab.drive.kinds.model import ModelDrive
from ssdlab.engine.result import Direction
from ssdlab.job import Resume, StepKind
from ssdlab.lab.bench import open_bench
from ssdlab.lab.resume import Remaining, _past, _writes
from ssdlab.lab.run import execute
from ssdlab.message import message
from ssdlab.method.faults import SuiteError
from ssdlab.method.kinds.steady_state import SHORT_WAY_COLLECTS
from ssdlab.method.plan import Plan, expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import GIB, NS_PER_S

TARGET = "model:mlc-1tb?capacity=1GiB"
SUITE = """\
[suite]
name = "short"
version = "1"

[profile.quick]
time = "1/600"

{before}
[[step]]
kind = "steady"
name = "writes"
job = {{ pattern = "{pattern}", bs = "4KiB", qd = 256 }}
at_least = "2x"
at_most = "23x"
measured = "5min"
route = "short"
{more}
[[step]]
kind = "measure"
name = "rnd"
job = {{ pattern = "random", bs = "4KiB", qd = 256, limit = "5min", read = "0%" }}
"""
PURGED = '[[step]]\nkind = "purge"\n[[step]]\nkind = "rest"\nduration = "1min"\n'
FILLED = '[[step]]\nkind = "purge"\n[[step]]\nkind = "fill"\njob = { pattern = "sequential", bs = "128KiB", qd = 8 }\n'


def suite_text(before: str = PURGED, pattern: str = "random", more: str = "") -> str:
    return SUITE.format(before=before, pattern=pattern, more=more)


def plan_on(target: str) -> Plan:
    with open_bench(target) as bench:
        return expand(parse_suite(suite_text(), "suite"), "quick", bench.drive.identity, 1)


def run_on(target: str, lab: Path, text: str = suite_text(), profile: str = "quick") -> Bundle:
    with open_bench(target) as bench:
        plan = expand(parse_suite(text, "suite"), profile, bench.drive.identity, 1)
        return execute(plan, bench, lab, PlainDisplay(io.StringIO()))


def metrics_of(bundle: Bundle) -> dict[str, Metric]:
    return {metric.name: metric for metric in bundle.metrics}


def written_bytes(bundle: Bundle, group: str) -> int:
    steps = [step for step in bundle.finished() if step.group == group]
    return sum(bundle.result(step).directions[Direction.WRITE].io_bytes for step in steps)


class TestPlan:
    def test_the_pass_fills_every_byte_once_and_overwrites_three_fifths_more_at_most(self) -> None:
        steps = [step for step in plan_on(TARGET).steps if step.group == "writes.pass"]
        jobs = [(step.kind, step.job) for step in steps if step.job is not None]
        filled = [job.region for kind, job in jobs if kind is StepKind.FILL]
        assert filled[0].offset_bytes == 0
        assert all(before.end_bytes == after.offset_bytes for before, after in pairwise(filled))
        assert filled[-1].end_bytes == GIB
        overwritten = sum(job.amount_bytes or 0 for kind, job in jobs if kind is StepKind.RAMP)
        assert overwritten == pytest.approx(0.62 * GIB, rel=0.02)

    def test_nothing_is_overwritten_before_it_is_filled(self) -> None:
        end = 0
        for step in plan_on(TARGET).steps:
            if step.group == "writes.pass" and step.job is not None:
                if step.kind is StepKind.RAMP:
                    assert step.job.region.end_bytes <= end
                end = max(end, step.job.region.end_bytes)

    def test_what_was_begun_of_it_is_begun_again_from_the_purge(self) -> None:
        steps = [step for step in plan_on(TARGET).steps if step.group.startswith("writes")]
        assert {step.resume for step in steps} == {Resume.FROM_PURGE}

    def test_on_a_drive_that_cannot_be_purged_the_pass_is_left_out(self) -> None:
        with open_bench(TARGET) as bench:
            unproven = replace(bench.drive.identity, purge_leaves=Freshness.UNPROVEN)
        steps = expand(parse_suite(suite_text(), "suite"), "quick", unproven, 1).steps
        assert all(step.skip is not None for step in steps if step.group == "writes.pass")
        writes = next(step for step in steps if step.group == "writes")
        assert writes.until is not None
        assert writes.until.short is None

    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            (suite_text(before=""), "begins on a purged drive"),
            (suite_text(before=FILLED), "begins on a purged drive"),
            (suite_text(pattern="sequential"), "not of sequential ones"),
            (suite_text(more='by = "snia"'), "not by `snia`"),
        ],
    )
    def test_where_it_leads_nowhere_it_is_refused(self, text: str, fault: str) -> None:
        with pytest.raises(SuiteError, match=fault):
            parse_suite(text, "suite")


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(TARGET, tmp_path_factory.mktemp("lab"))


class TestRun:
    def test_it_is_steady_after_less_than_two_capacities(self, short: Bundle) -> None:
        metrics = metrics_of(short)
        assert metrics["precondition.rnd.route"].value == "short"
        assert metrics["precondition.rnd.criterion"].value == "window"
        assert written_bytes(short, "writes.pass") + written_bytes(short, "writes") < 2 * GIB

    def test_overwrites_end_once_the_drive_collects_and_the_run_says_why(self, short: Bundle) -> None:
        overwrites = [one for one in short.steps if one.group == "writes.pass" and one.kind is StepKind.RAMP]
        done = [one.status is StepStatus.FINISHED for one in overwrites]
        assert done == sorted(done, reverse=True)
        assert 0 < sum(done) < len(done)
        assert {str(one.reason) for one in overwrites if one.status is StepStatus.SKIPPED} == {str(SHORT_WAY_COLLECTS)}
        fills = [one for one in short.steps if one.group == "writes.pass" and one.kind is StepKind.FILL]
        assert {one.status for one in fills} == {StepStatus.FINISHED}

    def test_a_run_that_goes_on_between_two_steps_of_the_pass_knows_what_it_has_shown(self, short: Bundle) -> None:
        left = Remaining(steps=(), again=(), reason=message("lab-nothing-again"))
        passed = _past(plan_on(TARGET), short, left).passed
        assert passed is not None
        assert passed.collects
        assert passed.seen.written_bytes == written_bytes(short, "writes.pass")
        early = replace(
            short, steps=tuple(one for one in short.steps if not one.name.startswith("precondition.rnd.more"))
        )
        before = _past(plan_on(TARGET), early, left).passed
        assert before is not None
        assert not before.collects
        assert before.seen.fresh_bytes_per_s == passed.seen.fresh_bytes_per_s > 0

    def test_it_is_as_fast_then_as_the_long_way_makes_it(self, short: Bundle) -> None:
        # 126,000 IOPS, which the long way ends with after eight capacities.
        assert metrics_of(short)["rnd.iops"].value == pytest.approx(126_000, rel=0.05)

    def test_what_follows_is_measured_on_a_steady_drive(self, short: Bundle) -> None:
        assert short.step("rnd").state.value == "steady"
        assert short.warned == ()

    def test_no_check_fails(self, short: Bundle) -> None:
        assert [check.name for check in short.audit if check.outcome is Outcome.FAIL] == []

    def test_the_audit_says_by_which_way_it_ended(self, short: Bundle) -> None:
        said = [str(check.finding) for check in short.audit if check.step == "precondition.rnd"]
        assert [one for one in said if one.endswith("on the short way")]


def test_the_steady_speed_and_what_points_know_of_the_drive_are_of_the_stretch_that_was_judged(tmp_path: Path) -> None:
    target = TARGET.replace("1GiB", "4GiB")
    bundle = run_on(target, tmp_path, suite_text().replace('limit = "5min"', 'limit = "1s"'), "standard")
    step = next(one for one in bundle.finished() if one.group == "writes")
    rule = next(one.until for one in plan_on(target).steps if one.until is not None)
    past = _writes(bundle, step, rule)
    window_bytes = float(past.bytes_per_s.mean()) * past.window_ns / NS_PER_S
    assert len(past.bytes_per_s) * window_bytes == pytest.approx(0.20 * 4 * GIB, abs=window_bytes)
    steady = metrics_of(bundle)["precondition.rnd.steady_iops"].value
    assert steady == pytest.approx(float(past.bytes_per_s.mean()) / 4096, rel=0.02)


class TestLongWay:
    def test_a_drive_that_is_not_even_goes_on_and_says_so(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("ssdlab.analysis.adaptive.short_way.EXCURSION_MAX", 0.0)
        bundle = run_on(TARGET, tmp_path)
        assert metrics_of(bundle)["precondition.rnd.route"].value == "long"
        assert metrics_of(bundle)["precondition.rnd.criterion"].value == "held"
        said = [str(check.finding) for check in bundle.audit if check.step == "precondition.rnd"]
        assert [one for one in said if one.endswith("to which the short one led")]
        assert [(one.kind, one.step) for one in bundle.warned] == [(WarningKind.METHOD, "precondition.rnd")]

    def test_a_purge_that_proves_nothing_leads_to_it_and_says_so(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        unproven = Purged(Freshness.UNPROVEN, message("drive-purged-model"))
        purge = ModelDrive.purge
        monkeypatch.setattr(ModelDrive, "purge", lambda drive: (purge(drive), unproven)[1])
        bundle = run_on(TARGET, tmp_path)
        assert written_bytes(bundle, "writes.pass") == 0
        assert metrics_of(bundle)["precondition.rnd.route"].value == "long"
        assert {one.kind for one in bundle.warned} >= {WarningKind.PURGE, WarningKind.METHOD}
