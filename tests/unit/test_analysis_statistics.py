"""Percentiles, intervals and levels, each against a reference that a reader sees to be right."""

import tracemalloc
from fractions import Fraction
from itertools import combinations, pairwise
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kit.synthetic_fill import Noise, noisy

from ssdlab import _core
from ssdlab.analysis.statistics import percentile
from ssdlab.analysis.statistics.changepoint import Segment, _partition, likely_moments, log_levels, running_median
from ssdlab.analysis.statistics.interval import (
    Interval,
    StandardError,
    combined_reach,
    error_by_waves,
    interval_of_runs,
    mean_interval,
    standard_error,
    student_t,
)
from ssdlab.analysis.statistics.noise import WindowNoise
from ssdlab.analysis.statistics.percentile import (
    exact_percentile_ns,
    exact_percentiles_ns,
    highest_percentile,
    latency_percentile_ns,
    merged,
    nearest_rank,
)
from ssdlab.bundle.tables import LatencyCounts
from ssdlab.engine.result import Histogram
from ssdlab.message import message
from ssdlab.unknown import Unknown

SAMPLES = st.lists(st.floats(0, 1e12), min_size=11, max_size=400)
LATENCIES_NS = st.lists(st.integers(0, 10**10), min_size=1, max_size=200)
PERCENT = st.decimals(0, 100, places=6).map(str)


def histogram_of(values_ns: list[int]) -> Histogram:
    indices, counts = np.unique([_core.bin_index(value) for value in values_ns], return_counts=True)
    stddev = float(np.std(values_ns, ddof=1)) if len(values_ns) > 1 else 0.0
    return Histogram(indices, counts, float(np.mean(values_ns)), min(values_ns), max(values_ns), stddev)


def rank_of(percent: str, count: int) -> int:
    return max(1, ceil(Fraction(percent) / 100 * count))


@given(SAMPLES, PERCENT)
def test_a_percentile_is_a_sample_of_its_rank(samples: list[float], percent: str) -> None:
    rank = rank_of(percent, len(samples))
    if len(samples) - rank >= 10:
        assert nearest_rank(np.array(samples), percent) == sorted(samples)[rank - 1]
    else:
        assert isinstance(nearest_rank(np.array(samples), percent), Unknown)


@given(st.lists(st.integers(1, 50), max_size=3000), st.lists(PERCENT, max_size=5))
def test_percentiles_of_counted_latencies_are_those_of_single_ones(latencies: list[int], percents: list[str]) -> None:
    counts = LatencyCounts(*np.unique(np.array(latencies, dtype=np.int64), return_counts=True))
    expected = [nearest_rank(np.array(latencies, dtype=np.float64), percent) for percent in percents]
    curve = exact_percentiles_ns(counts, [float(percent) for percent in percents])
    assert [exact_percentile_ns(counts, percent) for percent in percents] == expected
    assert [None if np.isnan(at) else at for at in curve] == [
        None if isinstance(value, Unknown) else value for value in expected
    ]


@given(PERCENT, st.integers(0, 10**15))
def test_the_rank_is_exact_for_any_number_of_samples(percent: str, count: int) -> None:
    assert percentile.rank_of(percent, count) == rank_of(percent, count)


@given(SAMPLES)
def test_percentiles_rise_with_the_rank(samples: list[float]) -> None:
    found = [nearest_rank(np.array(samples), percent) for percent in ("0", "1", "25", "50", "90", "99")]
    known = [value for value in found if not isinstance(value, Unknown)]
    assert known == sorted(known)
    assert found[0] == min(samples)


@given(SAMPLES, st.floats(0.1, 1e6))
def test_percentiles_scale_with_the_samples(samples: list[float], factor: float) -> None:
    plain, scaled = nearest_rank(np.array(samples), "1"), nearest_rank(np.array(samples) * factor, "1")
    assert scaled == pytest.approx(float(plain) * factor)  # type: ignore[arg-type]


def test_the_rank_is_exact_where_floating_point_is_not() -> None:
    assert ceil(0.07 * 100) == 8
    assert nearest_rank(np.arange(1.0, 101.0), "7") == 7.0


def test_a_percentile_needs_ten_samples_above_it() -> None:
    assert nearest_rank(np.arange(100.0), "90") == 89.0
    assert nearest_rank(np.arange(99.0), "90") == Unknown(message("unknown-few-samples-above", above=9, needed=10))
    assert nearest_rank(np.arange(2.0), "50") == Unknown(message("unknown-few-samples-above", above=1, needed=10))
    assert nearest_rank(np.arange(1.0), "50") == Unknown(message("unknown-few-samples-above", above=0, needed=10))
    assert nearest_rank(np.arange(0.0), "50") == Unknown(message("unknown-few-samples-above", above=0, needed=10))


@pytest.mark.parametrize(
    ("count", "highest"),
    [(0, None), (19, None), (20, "50"), (99, "50"), (100, "90"), (999, "90"), (1000, "99"), (10**7, "99.9999")],
)
def test_the_highest_percentile_grows_with_the_number_of_samples(count: int, highest: str | None) -> None:
    assert highest_percentile(count) == highest


@given(LATENCIES_NS, PERCENT)
def test_a_latency_percentile_is_that_of_the_samples_to_the_width_of_a_bin(values_ns: list[int], percent: str) -> None:
    found, rank = latency_percentile_ns(histogram_of(values_ns), percent), rank_of(percent, len(values_ns))
    if len(values_ns) - rank >= 10:
        assert found == _core.bin_mid(_core.bin_index(sorted(values_ns)[rank - 1]))
        assert found == pytest.approx(sorted(values_ns)[rank - 1], rel=1 / 128)
    else:
        assert isinstance(found, Unknown)


@given(st.lists(LATENCIES_NS, min_size=1, max_size=5))
def test_merged_runs_are_one_run_of_all_their_ios(runs: list[list[int]]) -> None:
    found, expected = (
        merged([histogram_of(run) for run in runs]),
        histogram_of([value for run in runs for value in run]),
    )
    assert found.bin_index.tolist() == expected.bin_index.tolist()
    assert found.count.tolist() == expected.count.tolist()
    assert (found.min_ns, found.max_ns) == (expected.min_ns, expected.max_ns)
    assert found.mean_ns == pytest.approx(expected.mean_ns)
    assert found.stddev_ns == pytest.approx(expected.stddev_ns, rel=1e-6, abs=1e-3)


def test_a_percentile_of_two_runs_is_not_the_mean_of_theirs() -> None:
    fast, slow = histogram_of([100] * 1000), histogram_of([10_000] * 3000)
    assert latency_percentile_ns(merged([fast, slow]), "50") == _core.bin_mid(_core.bin_index(10_000))
    assert latency_percentile_ns(merged([fast, slow]), "25") == 100


def test_runs_without_an_io_add_nothing_to_the_others_and_are_nothing_alone() -> None:
    nothing = Histogram(np.array([], dtype=np.int64), np.array([], dtype=np.int64), 0.0, 0, 0, 0.0)
    assert merged([nothing, histogram_of([5, 7])]).min_ns == 5
    with pytest.raises(ValueError, match="there is no latency to be merged"):
        merged([nothing])


def test_a_latency_percentile_of_too_few_samples_is_unknown() -> None:
    found = latency_percentile_ns(histogram_of([1000] * 50), "99")
    assert found == Unknown(message("unknown-few-of-samples-above", least=10, samples=50))


@pytest.mark.parametrize(("degrees", "quantile"), [(1, 12.706), (5, 2.571), (11, 2.201), (30, 2.042), (1000, 1.962)])
def test_students_t_is_that_of_the_tables(degrees: int, quantile: float) -> None:
    assert student_t(degrees) == pytest.approx(quantile, rel=0.002)


@given(st.lists(st.floats(0, 1e12), min_size=6, max_size=400), st.floats(0, 1e12))
def test_the_interval_of_a_mean_is_as_wide_as_its_slowest_waves_are_high(samples: list[float], estimate: float) -> None:
    count = len(samples)
    waves = max(3, int(0.4 * count ** (2 / 3)))
    mean = float(np.mean(samples))
    powers = []
    for wave in range(1, waves + 1):
        parts = [(one - mean) * np.cos(np.pi * wave * (at + 0.5) / count) for at, one in enumerate(samples)]
        powers.append(2 / count * sum(parts) ** 2)
    reach = student_t(waves) * (sum(powers) / waves / count) ** 0.5
    found = error_by_waves(np.array(samples)).around(estimate)
    assert found.low == pytest.approx(max(0.0, estimate - reach), rel=1e-6, abs=1e-2)
    assert found.high == pytest.approx(estimate + reach, rel=1e-6, abs=1e-2)


def test_the_interval_of_a_rate_begins_at_zero_where_it_would_be_negative() -> None:
    few = mean_interval(np.array([0.0, 0.0, 0.0, 0.0, 0.0, 27000.0]), 4500)
    assert few is not None
    assert few.low == 0.0
    assert few.high > 9000
    assert StandardError(4500, 4).around(4500) == Interval(0.0, 4500 + student_t(4) * 4500)


@pytest.mark.parametrize("count", [6, 7, 8, 11, 60, 97, 1000, 1009])
def test_the_error_of_a_mean_is_that_of_the_sums_over_each_cosine(count: int) -> None:
    samples = 1e9 + np.random.default_rng(count).normal(0, 1e7, count).cumsum()
    waves = np.arange(1, max(3, int(0.4 * count ** (2 / 3))) + 1)
    cosines = np.cos(np.pi * waves[:, None] * (np.arange(count) + 0.5) / count)
    powers = 2 / count * (cosines @ (samples - samples.mean())) ** 2
    found = error_by_waves(samples)
    assert found.degrees == len(waves)
    assert found.value == pytest.approx(float(np.sqrt(powers.mean() / count)), rel=1e-9)


def test_a_million_samples_take_memory_as_of_a_few_copies_of_them() -> None:
    samples = np.random.default_rng(1).normal(5e8, 1e7, 1_000_000)
    tracemalloc.start()
    try:
        found = standard_error(samples)
        most_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found is not None
    assert found.value == pytest.approx(1e4, rel=0.1)
    assert most_bytes < 10 * samples.nbytes


def test_a_rhythm_of_many_periods_hardly_widens_the_interval_of_a_mean() -> None:
    held, widths, found = 0, [], []
    for seed in range(100):
        random = np.random.default_rng(seed)
        dips = (np.arange(1000) + random.integers(0, 23)) % 23 < 3
        samples = np.where(dips, 0.4, 1.0) + random.normal(0, 0.05, 1000)
        interval = mean_interval(samples, float(samples.mean()))
        assert interval is not None
        held += interval.low <= 1 - 0.6 * 3 / 23 <= interval.high
        widths.append(interval.high - interval.low)
        found.append(float(samples.mean()))
    assert held >= 93
    assert float(np.median(widths)) <= 6 * float(np.std(found))


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.8])
def test_the_interval_of_a_mean_holds_the_truth_as_often_as_it_says(correlation: float) -> None:
    held = 0
    for seed in range(200):
        samples = noisy(np.full(1000, 5e8), Noise(0.2, correlation=correlation), seed)
        interval = mean_interval(samples, float(samples.mean()))
        assert interval is not None
        held += interval.low <= 5e8 <= interval.high
    assert 0.88 <= held / 200 <= 0.99


@pytest.mark.parametrize(
    ("count", "correlation", "least"),
    [
        *((count, 0.0, 0.94) for count in (10, 20, 50)),
        *((count, 0.5, 0.90) for count in (10, 20, 50)),
        *((count, 0.9, 0.79) for count in (10, 20, 50)),
    ],
)
def test_the_interval_of_the_mean_of_a_short_series_allows_for_memory_that_hardly_shows(
    count: int, correlation: float, least: float
) -> None:
    random, held = np.random.default_rng(count), 0
    for _ in range(1000):
        fresh = random.normal(0, np.sqrt(1 - correlation**2), count)
        fresh[0] /= np.sqrt(1 - correlation**2)
        deviation = [float(fresh[0])]
        for new in fresh[1:].tolist():
            deviation.append(correlation * deviation[-1] + new)
        samples = 100 + np.array(deviation)
        interval = mean_interval(samples, float(samples.mean()))
        assert interval is not None
        held += interval.low <= 100 <= interval.high
    assert held / 1000 >= least


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_the_interval_of_the_median_of_three_runs_holds_the_truth_as_often_as_it_says(correlation: float) -> None:
    held, widths, found = 0, [], []
    for seed in range(200):
        runs = [noisy(np.full(300, 5e8), Noise(0.1, correlation=correlation), 3 * seed + run) for run in range(3)]
        values = [float(run.mean()) for run in runs]
        own = [standard_error(run) for run in runs]
        interval = interval_of_runs(values, own, sorted(values)[1])
        assert interval is not None
        held += interval.low <= 5e8 <= interval.high
        widths.append(interval.high - interval.low)
        found.append(sorted(values)[1])
    assert 0.91 <= held / 200 <= 0.99
    assert float(np.median(widths)) <= 6 * float(np.std(found))


def test_runs_that_differ_by_more_than_each_allows_say_so() -> None:
    own = [StandardError(0.5, 4)] * 3
    interval = interval_of_runs([100, 110, 120], own, 110)
    assert interval is not None
    between = (10**2 - 0.5**2) ** 0.5
    reach = np.hypot(student_t(12) * 0.5, student_t(2) * between) * (1.35 / 3) ** 0.5
    assert interval.high - 110 == pytest.approx(reach)


@pytest.mark.parametrize("runs", [3, 5])
@pytest.mark.parametrize("between", [0.0, 1.0, 1.5, 2.0, 3.0])
def test_the_interval_of_runs_that_differ_holds_the_truth_as_often_as_it_says(runs: int, between: float) -> None:
    """By so many times what each may be off by itself: medians of three, trimmed means of five."""
    random, held, seeds = np.random.default_rng(runs), 0, 4000
    for _ in range(seeds):
        values = 1000 + random.normal(0, np.hypot(1, between), runs)
        own = [StandardError(float(error), 16) for error in np.sqrt(random.chisquare(16, runs) / 16)]
        middle = float(np.sort(values)[1:-1].mean())
        interval = interval_of_runs(values.tolist(), own, middle)
        assert interval is not None
        held += interval.low <= 1000 <= interval.high
    assert 0.93 <= held / seeds <= 0.993


def test_equal_runs_that_do_not_say_how_far_they_may_be_off_have_no_interval() -> None:
    assert interval_of_runs([100, 100], [None, None], 100) is None
    assert interval_of_runs([100, 100, 100], [StandardError(0.5, 4), None, None], 100) is None
    assert interval_of_runs([100, 102], [None, None], 101) is not None


def test_one_run_has_its_own_interval_and_none_has_none() -> None:
    error = StandardError(0.5, 4)
    assert interval_of_runs([5], [error], 5) == error.around(5)
    assert interval_of_runs([5], [None], 5) is None


def test_a_weighted_sum_is_known_as_well_as_its_parts_together() -> None:
    parts = [(0.8, 10.0), (0.2, 30.0)]
    assert combined_reach(parts) == pytest.approx(10)
    assert combined_reach([*parts, (0.1, None)]) is None
    assert combined_reach([]) is None


def test_correlated_samples_have_a_wider_interval() -> None:
    widths = []
    for correlation in (0.0, 0.8):
        interval = mean_interval(noisy(np.full(4000, 5e8), Noise(0.2, correlation=correlation), 1), 5e8)
        assert interval is not None
        widths.append(interval.high - interval.low)
    assert widths[1] > 2 * widths[0]


def test_five_samples_have_no_interval() -> None:
    assert mean_interval(np.arange(5.0), 2.0) is None
    assert mean_interval(np.arange(6.0), 2.5) is not None


def naive_cost(values: list[float], bounds: tuple[int, ...], penalty: float) -> float:
    """Squared distances to the mean of each part, and a penalty for each part but the first."""
    parts = [np.array(values[start:end]) for start, end in pairwise(bounds)]
    return sum(float(((part - part.mean()) ** 2).sum()) for part in parts) + penalty * (len(parts) - 1)


@given(st.lists(st.floats(-50, 50), min_size=6, max_size=11))
def test_a_partition_is_the_cheapest_of_all_there_are(values: list[float]) -> None:
    count, penalty = len(values), 4 * np.log(len(values))
    cuts = [cut for number in range(4) for cut in combinations(range(1, count), number)]
    allowed = [(0, *cut, count) for cut in cuts if min(np.diff([0, *cut, count])) >= 3]
    found = _partition(np.array(values), np.ones(count), np.arange(count + 1))
    assert tuple(found) in allowed
    cheapest = min(naive_cost(values, bounds, penalty) for bounds in allowed)
    assert naive_cost(values, tuple(found), penalty) == pytest.approx(cheapest, rel=1e-6, abs=1e-6)


@given(st.lists(st.floats(-10, 10), min_size=5, max_size=50))
def test_a_running_median_is_that_of_each_five_neighbours(values: list[float]) -> None:
    found = running_median(np.array(values))
    assert found[2:-2].tolist() == [sorted(values[i - 2 : i + 3])[2] for i in range(2, len(values) - 2)]
    assert (found[0], found[-1]) == (sorted(values[:3])[1], sorted(values[-3:])[1])


@given(st.lists(st.floats(0, 1e10), min_size=1, max_size=50))
def test_a_standstill_has_a_thousandth_of_the_median_level(rates: list[float]) -> None:
    moving = sorted(rate for rate in rates if rate > 0)
    floor = float(np.median(moving)) / 1000 if moving else 1.0
    assert log_levels(np.array(rates)) == pytest.approx([np.log(max(rate, floor)) for rate in rates])


@given(
    st.lists(st.floats(-3, 3), min_size=6, max_size=30),
    st.integers(3, 27),
    st.floats(0.01, 2),
)
def test_a_change_is_likely_where_the_likelihood_loses_little(values: list[float], cut: int, variance: float) -> None:
    cut = min(cut, len(values) - 3)
    log_values = np.array(values)
    before, after = float(np.median(log_values[: cut - 1])), float(np.median(log_values[cut + 1 :]))
    noise = WindowNoise(variance, 0.0)
    unsure = noise.variance_of_median(cut - 1), noise.variance_of_median(len(values) - cut - 1)

    def loss(at: int, share: float) -> float:
        """Of a change in that sample, after that share of it: a part of the levels' own uncertainty falls to it."""
        fast, slow = share * np.exp(before), (1 - share) * np.exp(after)
        level = float(np.log(fast + slow))
        part = fast / (fast + slow)
        own = variance + part**2 * unsure[0] + (1 - part) ** 2 * unsure[1]
        sure = [*((value - before) ** 2 / variance for value in values[:at])]
        sure += [(value - after) ** 2 / variance for value in values[at + 1 :]]
        return float(sum(min(one, 9) for one in [*sure, (values[at] - level) ** 2 / own]) / 2)

    losses = {(at, share): loss(at, share / 20) for at in range(len(values)) for share in range(21)}
    least = min(losses.values())
    best = min(losses, key=lambda moment: losses[moment])[0]
    found = likely_moments(log_values, Segment(0, cut), Segment(cut, len(values)), noise)
    ends = [(moment.index, round(20 * moment.share)) for moment in found]

    def within(more: float) -> list[tuple[int, int]]:
        return [at for at, one in losses.items() if one <= least + (1.92 if at[0] == best else 3.68) + more]

    certain, possible = within(-1e-9), within(1e-9)
    assert possible[0] <= ends[0] <= certain[0]
    assert certain[-1] <= ends[1] <= possible[-1]
