"""Intervals of percentiles, held against what comes after the points."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kit.percentile_intervals import PARTS_MAX, LatencyParts, Ranks, between_bins, parts_of, ranks_around
from tests.kit.slow_spells import SlowPoint, Spells, bins_of, latency_windows, slow_points

from ssdlab import _core
from ssdlab.analysis.statistics.interval import Interval
from ssdlab.analysis.statistics.percentile import latency_percentile_ns, rank_of
from ssdlab.engine.result import Histogram, LatencyWindows
from ssdlab.message import message
from ssdlab.unknown import Unknown

LATENCIES_NS = st.lists(st.integers(1, 10**7), min_size=1200, max_size=1300)
PERCENTS = st.sampled_from(["50", "90", "99"])


def between_latencies(latency_ns: np.typing.NDArray[np.int64], ranks: Ranks) -> Interval:
    low, high = np.sort(latency_ns)[[ranks.low - 1, ranks.high - 1]]
    return Interval(float(low), float(high))


def histogram_of(latency_ns: np.typing.NDArray[np.int64]) -> Histogram:
    bins, count = np.unique(bins_of(latency_ns), return_counts=True)
    return Histogram(bins, count, float(latency_ns.mean()), int(latency_ns.min()), int(latency_ns.max()), 0.0)


def ranks_of(point: SlowPoint, percent: str) -> Ranks | Unknown:
    windows = latency_windows(point.time_ns, point.latency_ns, PARTS_MAX)
    return ranks_around(percent, len(point.latency_ns), parts_of([[windows]]))


def nearest_rank(latency_ns: np.typing.NDArray[np.int64], percent: str) -> int:
    rank = rank_of(percent, len(latency_ns))
    return int(np.partition(latency_ns, rank - 1)[rank - 1])


def held(spells: Spells, percent: str, points: int, length_s: int) -> tuple[float, float]:
    """Shares of points that have no interval, and of the others that hold the percentile of ten times the time."""
    holds, none = [], 0
    for point in slow_points(spells, 7, points, length_s):
        ranks = ranks_of(point, percent)
        if isinstance(ranks, Unknown):
            none += 1
            continue
        ends = between_latencies(point.latency_ns, ranks)
        truth = nearest_rank(point.later_ns, percent)
        holds.append(ends.low <= truth <= ends.high)
    return none / points, float(np.mean(holds)) if holds else 0.0


@pytest.mark.parametrize("percent", ["99", "99.9"])
def test_of_independent_ios_the_interval_holds_the_truth_as_often_as_it_says(percent: str) -> None:
    none, share = held(Spells.NONE, percent, 400, 40)
    assert not none
    assert 0.93 <= share <= 0.97


@pytest.mark.parametrize("spells", [Spells.BURSTS, Spells.COLLECTION, Spells.TWO_SPEEDS])
def test_slow_ios_that_come_together_widen_the_interval_until_it_holds_the_truth(spells: Spells) -> None:
    none, share = held(spells, "99", 150, 40)
    assert none <= 0.05
    assert share >= 0.93


@given(LATENCIES_NS, PERCENTS, st.integers(6, 60))
def test_it_is_never_narrower_than_of_independent_ios_and_holds_the_percentile(
    latencies: list[int], percent: str, parts: int
) -> None:
    latency_ns = np.array(latencies)
    part = np.arange(len(latencies)) * parts // len(latencies)
    windows = LatencyWindows(100, (part + 1) * 100, bins_of(latency_ns) // 4 * 4, np.ones(len(part), dtype=np.int64))
    ranks = ranks_around(percent, len(latencies), parts_of([[windows]]))
    if isinstance(ranks, Unknown):
        return
    share = float(percent) / 100
    assert ranks.high - ranks.low >= 2 * 1.959 * np.sqrt(len(latencies) * share * (1 - share))
    exact = between_latencies(latency_ns, ranks)
    assert exact.low <= nearest_rank(latency_ns, percent) <= exact.high
    coarse = between_bins(histogram_of(latency_ns), ranks)
    middle = latency_percentile_ns(histogram_of(latency_ns), percent)
    assert not isinstance(middle, Unknown)
    assert coarse.low <= min(middle, exact.low)
    assert coarse.high >= max(middle, exact.high)


@pytest.mark.parametrize("parts", [1, 5])
def test_of_few_parts_nothing_is_said(parts: int) -> None:
    count = np.full((parts, 3), 1000)
    assert ranks_around("99", count.sum(), LatencyParts(count)) == Unknown(message("unknown-few-windows"))


def test_where_all_slow_ios_came_at_once_nothing_bounds_the_percentile_above() -> None:
    count = np.tile([1000, 0], (50, 1))
    count[20] = [500, 500]
    ranks = ranks_around("99.9", int(count.sum()), LatencyParts(count))
    assert ranks == Unknown(message("metric-interval-open-above"))


def test_speeds_of_two_runs_widen_it_as_speeds_of_one_run_do() -> None:
    (point,) = slow_points(Spells.NONE, 1, 1, 20)
    windows = latency_windows(point.time_ns, point.latency_ns, PARTS_MAX)
    slow = latency_windows(point.time_ns, point.latency_ns * 2, PARTS_MAX)
    alike, apart = (
        ranks_around("50", 2 * len(point.latency_ns), parts_of([[windows], [other]])) for other in (windows, slow)
    )
    assert isinstance(alike, Ranks)
    assert isinstance(apart, Ranks)
    assert apart.high - apart.low > 3 * (alike.high - alike.low)


def test_directions_are_counted_together_in_windows_of_the_longer() -> None:
    def windows(length_ns: int, ends: list[int], count: list[int]) -> LatencyWindows:
        return LatencyWindows(length_ns, np.array(ends), np.full(len(ends), 400), np.array(count))

    parts = parts_of([[windows(100, [100, 200, 350], [1, 2, 3]), windows(200, [200, 400], [10, 20])]])
    assert parts.count.tolist() == [[13], [23]]


def test_the_bins_are_those_of_fio() -> None:
    values = np.array([1, 63, 64, 65, 127, 128, 255, 1000, 4095, 4096, 10**6, 2**30 - 1, 2**30, 10**10, 2**40])
    assert bins_of(values).tolist() == [_core.bin_index(value) for value in values.tolist()]
