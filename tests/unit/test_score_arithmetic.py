"""The arithmetic of scores: ratios of times, their mean, their interval."""

from collections.abc import Sequence
from math import exp, log, prod, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.message import message
from ssdlab.score.arithmetic import geometric_mean, score, score_interval
from ssdlab.unknown import Unknown

TIME_NS = st.integers(min_value=1, max_value=10**15)
"""Up to eleven days."""


@st.composite
def timed_sets(draw: st.DrawFn) -> tuple[list[int], list[list[int]]]:
    """Times of a reference, and of some runs of a drive."""
    traces = draw(st.integers(min_value=1, max_value=5))
    of_run = st.lists(TIME_NS, min_size=traces, max_size=traces)
    return draw(of_run), draw(st.lists(of_run, min_size=1, max_size=5))


def known(interval: Interval | Unknown) -> Interval:
    assert isinstance(interval, Interval)
    return interval


@given(timed_sets())
def test_the_reference_scores_exactly_one(sets: tuple[list[int], list[list[int]]]) -> None:
    reference_ns, _ = sets
    assert score(reference_ns, [reference_ns]) == 1
    assert score(reference_ns, [reference_ns] * 3) == 1


@given(timed_sets(), st.randoms(use_true_random=False))
def test_the_order_of_the_runs_does_not_matter(sets: tuple[list[int], list[list[int]]], chance: Random) -> None:
    reference_ns, runs_ns = sets
    shuffled = runs_ns.copy()
    chance.shuffle(shuffled)
    assert score(reference_ns, shuffled) == score(reference_ns, runs_ns)
    assert score_interval(reference_ns, shuffled) == score_interval(reference_ns, runs_ns)


@given(timed_sets(), st.integers(min_value=2, max_value=1000))
def test_a_drive_that_takes_so_many_times_as_long_scores_so_many_times_less(
    sets: tuple[list[int], list[list[int]]], times: int
) -> None:
    reference_ns, runs_ns = sets
    slower = [[times * one for one in run] for run in runs_ns]
    assert score(reference_ns, slower) == pytest.approx(score(reference_ns, runs_ns) / times)


@given(timed_sets())
def test_no_trace_weighs_more_for_being_long(sets: tuple[list[int], list[list[int]]]) -> None:
    reference_ns, (run_ns, *_) = sets
    ratios = [reference / own for reference, own in zip(reference_ns, run_ns, strict=True)]
    assert score(reference_ns, [run_ns]) == pytest.approx(prod(one ** (1 / len(ratios)) for one in ratios))


@given(timed_sets())
def test_the_score_lies_within_its_interval(sets: tuple[list[int], list[list[int]]]) -> None:
    interval = score_interval(*sets)
    if isinstance(interval, Interval):
        assert interval.low <= score(*sets) <= interval.high


def test_the_interval_is_that_of_student_over_logarithms() -> None:
    runs_ns: Sequence[Sequence[int]] = [(100,), (200,)]
    # Two runs: 12.706 standard errors of the mean of their logarithms to either side.
    reach = 12.706 * log(2) / sqrt(2) / sqrt(2)
    middle = log(100) - log(100 * sqrt(2))
    interval = known(score_interval((100,), runs_ns))
    assert (interval.low, interval.high) == pytest.approx((exp(middle - reach), exp(middle + reach)), rel=1e-3)


def test_one_run_has_no_interval() -> None:
    assert score_interval((100,), [(80,)]) == Unknown(message("unknown-score-one-run"))


def test_runs_that_took_the_same_time_have_no_interval() -> None:
    assert score_interval((100, 5), [(80, 4)] * 4) == Unknown(message("unknown-score-runs-alike"))


def test_the_time_of_several_runs_is_their_geometric_mean() -> None:
    assert geometric_mean((100, 400)) == pytest.approx(200)
