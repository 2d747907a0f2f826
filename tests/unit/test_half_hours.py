"""One stream of writes by the rule of SNIA PTS: the last minutes of five half hours end it, and are what is reported."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kit.fill_evidence import evidence_of_fill, run_info
from tests.kit.plans import HEADER, drive, names, plan_of
from tests.kit.synthetic_fill import series_of

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.infer.snia import snia_window
from ssdlab.analysis.infer.steady import Criterion, SteadyContext, SteadyJudge
from ssdlab.analysis.metrics.half_hours import HalfHours, half_hours_of
from ssdlab.analysis.metrics.preconditioning import preconditioning_metrics
from ssdlab.analysis.metrics.wsat import wsat_metrics
from ssdlab.bundle.model import Metric
from ssdlab.engine.result import STOPPED_BY_OPERATOR, EarlyStop, Series
from ssdlab.figure.enterprise.half_hours import verdict_words
from ssdlab.job import DriveState, Pattern, StepKind
from ssdlab.method.builtin import load_suite
from ssdlab.method.departures import departures
from ssdlab.method.draft import SteadyBy
from ssdlab.method.faults import SuiteError
from ssdlab.method.kinds.steady_state import SteadyStateStep, steady_point
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import GIB, KIB, MIB, NS_PER_S, Share
from ssdlab.unknown import Unknown

BLOCK_BYTES = 4 * KIB
QUICK = Share(1, 300)
"""Half an hour is 6 s, its last minute 200 ms: two of the windows that a series has."""
PER_ROUND = 60
STEADY = f"""{HEADER}[profile.quick]
time = "1/300"
[[step]]
kind = "steady"
name = "wsat"
job = {{ pattern = "random", bs = "4KiB", jobs = 4, qd = 32 }}
by = "snia"
at_least = "1x"
at_most = "4x"
measured = "20min"
"""


def stream(minutes: Sequence[float], between: float = 5e8) -> Series:
    """Whole half hours, as the quick profile scales them, each with that rate in its last minute."""
    return series_of(np.array([rate for one in minutes for rate in [between] * (PER_ROUND - 2) + [one, one]]))


def evidence(series: Series, stopped: EarlyStop | None) -> StepEvidence:
    filled, run = evidence_of_fill(series), run_info(GIB)
    point = steady_point(Pattern.RANDOM)
    step = replace(filled.step, name=point.name, point=point, state=DriveState.FOB, kind=StepKind.PRECONDITION)
    return replace(
        filled,
        run=replace(run, suite=replace(run.suite, text=STEADY), profile="quick"),
        step=step,
        job=replace(filled.job, pattern=Pattern.RANDOM, block_bytes=BLOCK_BYTES),
        result=replace(filled.result, stopped=stopped),
    )


def said() -> SteadyStateStep:
    step = parse_suite(STEADY, "test").steps[0]
    assert isinstance(step, SteadyStateStep)
    return step


def metrics(found: StepEvidence) -> dict[str, Metric]:
    both = [*preconditioning_metrics(said(), [found], []), *wsat_metrics(said(), [found])]
    return {one.name: one for one in both}


def judged(minutes: Sequence[float], minimum_bytes: int = 0) -> EarlyStop | None:
    """What ends such a stream."""
    series = stream(minutes)
    judge = SteadyJudge(SteadyContext(GIB, BLOCK_BYTES, minimum_bytes, NS_PER_S, QUICK), Criterion.SNIA)
    return judge.feed(series.time_ns, series.bandwidth_bytes_per_s * series.duration_ns / NS_PER_S)


def round_of(stopped: EarlyStop | None) -> int | None:
    return None if stopped is None else round(stopped.at_ns / (6 * NS_PER_S))


class TestSuite:
    def test_it_writes_from_fresh_on_and_then_for_twenty_minutes_more(self) -> None:
        plan = expand(load_suite("pts-wsat"), "standard", drive(GIB), seed=1)
        assert names(plan) == ["purge", "precondition.rnd", "histogram"]
        stream_of, after = plan.steps[1].job, plan.steps[2].job
        assert stream_of is not None
        assert after is not None
        assert plan.steps[1].state is DriveState.FOB
        assert (stream_of.amount_bytes, stream_of.duration_ns) == (4 * GIB, 24 * 3600 * NS_PER_S)
        assert after.duration_ns == 1200 * NS_PER_S
        for job in (stream_of, after):
            assert (job.block_bytes, job.read_percent, job.jobs, job.queue_depth) == (BLOCK_BYTES, 0, 4, 32)
            assert job.region.length_bytes == GIB

    def test_five_half_hours_end_it_once_the_drive_is_written(self) -> None:
        until = expand(load_suite("pts-wsat"), "standard", drive(GIB), seed=1).steps[1].until
        assert until is not None
        assert (until.by, until.minimum_bytes) == (SteadyBy.SNIA, GIB)

    def test_all_jobs_together_write_what_the_step_may_write(self) -> None:
        (step,) = plan_of(STEADY.replace(HEADER, "").replace("jobs = 4", "jobs = 3"), 64 * MIB, header=HEADER).steps
        assert step.job is not None
        assert step.job.amount_bytes == 4 * 64 * MIB // (3 * BLOCK_BYTES) * 3 * BLOCK_BYTES

    def test_time_alone_may_end_it(self) -> None:
        text = STEADY.replace('at_most = "4x"', 'limit = "6h"')
        (step,) = expand(parse_suite(text, "mine.toml"), "quick", drive(GIB), seed=1).steps
        assert step.job is not None
        assert (step.job.amount_bytes, step.job.duration_ns) == (None, 72 * NS_PER_S)

    def test_a_profile_may_end_by_an_amount_what_only_time_would_end(self) -> None:
        steady = expand(load_suite("pts-hir"), "quick", drive(GIB), seed=1).steps[1].job
        assert steady is not None
        assert (steady.amount_bytes, steady.duration_ns) == (3 * GIB, 450 * NS_PER_S)

    def test_something_must_end_it(self) -> None:
        with pytest.raises(SuiteError, match="say `at_most`, `limit` or both"):
            parse_suite(STEADY.replace('at_most = "4x"\n', ""), "mine.toml")

    def test_writes_in_order_come_from_one_job(self) -> None:
        with pytest.raises(SuiteError, match="only random writes have more than one"):
            parse_suite(STEADY.replace('"random"', '"sequential"'), "mine.toml")

    def test_a_run_says_that_it_goes_on_while_the_drive_is_fresh(self) -> None:
        plan = expand(load_suite("pts-wsat"), "standard", drive(GIB), seed=1)
        told = [one.id for one in departures(plan, drive(GIB))]
        assert told == ["published-at-second-hand", "published-cache-left", "published-not-while-fresh"]


class TestVerdict:
    def test_what_is_written_before_the_last_minutes_does_not_count(self) -> None:
        assert round_of(judged([1e8] * 5)) == 5

    def test_not_before_the_least_that_is_to_be_written(self) -> None:
        # A half hour writes 58 windows of 50 MB and two of 10 MB.
        seven_rounds_bytes = 7 * 58 * 50_000_000
        assert round_of(judged([1e8] * 9, seven_rounds_bytes)) == 7

    @given(st.lists(st.integers(50, 100), min_size=5, max_size=9))
    def test_the_first_five_flat_minutes_end_it(self, minutes: list[int]) -> None:
        flat = [
            end
            for end in range(5, len(minutes) + 1)
            if (window := snia_window([float(one) for one in minutes[:end]])) is not None and window.is_flat
        ]
        found = round_of(judged([1e6 * one for one in minutes]))
        assert found == (flat[0] if flat else None)


class TestHalfHours:
    def found(self, series: Series, stopped: EarlyStop | None = None) -> HalfHours:
        return half_hours_of(evidence(series, stopped).run, series, stopped)

    def test_each_is_the_mean_of_its_last_minute(self) -> None:
        found = self.found(stream([1e8, 2e8, 3e8]))
        assert found.bytes_per_s == pytest.approx((1e8, 2e8, 3e8), rel=1e-4)
        assert (found.round_ns, found.sample_ns) == pytest.approx((6 * NS_PER_S, NS_PER_S // 5), rel=1e-6)

    def test_one_that_the_operator_cuts_short_is_left_out(self) -> None:
        stopped = EarlyStop(STOPPED_BY_OPERATOR, at_bytes=0, at_ns=17_900_000_000)
        assert self.found(stream([1e8, 2e8, 3e8]), stopped).bytes_per_s == pytest.approx((1e8, 2e8), rel=1e-4)

    def test_one_that_the_verdict_ended_counts_though_the_clock_of_fio_lags(self) -> None:
        series = stream([1e8, 2e8, 3e8, 4e8, 5e8])
        # fio began 50 ms after the judge.
        stopped = EarlyStop("snia", at_bytes=0, at_ns=29_950_000_000)
        late = replace(series, time_ns=series.time_ns - 50_000_000)
        assert self.found(late, stopped).bytes_per_s == pytest.approx((1e8, 2e8, 3e8, 4e8, 5e8), rel=1e-2)

    def test_fewer_than_five_have_no_window(self) -> None:
        assert self.found(stream([1e8] * 4)).window is None


class TestMetrics:
    MINUTES = (9e8, 4.1e8, 4.0e8, 4.2e8, 4.0e8, 4.2e8)

    def test_the_steady_speed_is_the_mean_of_the_five_minutes(self) -> None:
        found = metrics(evidence(stream(self.MINUTES), EarlyStop("snia", at_bytes=0, at_ns=36 * NS_PER_S)))
        mean = sum(self.MINUTES[-5:]) / 5 / BLOCK_BYTES
        for name in ("precondition.rnd.steady_iops", "wsat.steady_iops"):
            told = found[name]
            assert told.value == pytest.approx(mean, rel=1e-4)
            assert told.low is not None
            assert told.high is not None
            assert told.low < mean < told.high

    def test_the_window_is_told_as_the_method_asks(self) -> None:
        found = metrics(evidence(stream(self.MINUTES), EarlyStop("snia", at_bytes=0, at_ns=36 * NS_PER_S)))
        assert found["precondition.rnd.rounds"].value == 6
        assert found["precondition.rnd.criterion"].value == "snia"
        assert found["precondition.rnd.window_range"].value == pytest.approx(100 * 0.2 / 4.1, rel=1e-3)
        # Least squares through 4.1, 4.0, 4.2, 4.0, 4.2: a slope of 0.02 a half hour.
        assert found["precondition.rnd.window_excursion"].value == pytest.approx(100 * 0.08 / 4.1, rel=1e-2)

    def test_a_drive_that_was_not_steady_has_a_window_and_no_steady_speed(self) -> None:
        found = metrics(evidence(stream([9e8, 8e8, 7e8, 6e8, 5e8]), None))
        assert found["precondition.rnd.criterion"].value == "not steady"
        assert found["precondition.rnd.window_range"].value == pytest.approx(100 * 4 / 7, rel=1e-3)
        for name in ("precondition.rnd.steady_iops", "wsat.steady_iops"):
            assert isinstance(found[name].value, Unknown)


class TestFigure:
    def test_what_status_lines_called_flat_is_not_said_to_be_where_the_windows_are_not(self) -> None:
        flat, falling = snia_window([100.0] * 5), snia_window([100.0, 90.0, 80.0, 70.0, 60.0])
        assert verdict_words(DriveState.STEADY, 8, flat).startswith("The drive was steady in rounds 4 to 8")
        assert verdict_words(DriveState.STEADY, 8, falling).startswith("fio's status lines, which ended the writing")
        assert verdict_words(DriveState.NOT_STEADY, 8, falling).startswith("Not steady: in rounds 4 to 8")
