"""Percentiles, intervals and levels, each against a reference that a reader sees to be right."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.synthetic_fill import Noise, noisy

from ssdlab import _core
from ssdlab.analysis.changepoint import Segment, _partition, likely_range, log_levels, running_median
from ssdlab.analysis.interval import mean_interval, student_t
from ssdlab.analysis.percentile import highest_percentile, latency_percentile_ns, merged, nearest_rank
from ssdlab.engine.result import Histogram
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
    assert nearest_rank(np.arange(99.0), "90") == Unknown("9 samples lie above it, a percentile needs 10")


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
    assert found == Unknown("fewer than 10 of 50 samples lie above it")


@pytest.mark.parametrize(("degrees", "quantile"), [(1, 12.706), (5, 2.571), (11, 2.201), (30, 2.042), (1000, 1.962)])
def test_students_t_is_that_of_the_tables(degrees: int, quantile: float) -> None:
    assert student_t(degrees) == pytest.approx(quantile, rel=0.002)


@given(st.lists(st.floats(0, 1e12), min_size=6, max_size=400), st.floats(0, 1e12))
def test_the_interval_of_a_mean_is_as_wide_as_the_means_of_its_batches_scatter(
    samples: list[float], estimate: float
) -> None:
    length = int(len(samples) ** 0.5) if len(samples) >= 24 else 1
    means = [float(np.mean(samples[i : i + length])) for i in range(0, len(samples) - length + 1, length)]
    reach = student_t(len(means) - 1) * float(np.std(means, ddof=1)) / len(means) ** 0.5
    found = mean_interval(np.array(samples), estimate)
    assert found is not None
    assert (found.low + found.high) / 2 == pytest.approx(estimate, rel=1e-9, abs=1e-3)
    assert (found.high - found.low) / 2 == pytest.approx(reach, rel=1e-6, abs=1e-3)


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.8])
def test_the_interval_of_a_mean_holds_the_truth_as_often_as_it_says(correlation: float) -> None:
    held = 0
    for seed in range(200):
        samples = noisy(np.full(1000, 5e8), Noise(0.2, correlation=correlation), seed)
        interval = mean_interval(samples, float(samples.mean()))
        assert interval is not None
        held += interval.low <= 5e8 <= interval.high
    assert 0.88 <= held / 200 <= 0.99


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
def test_a_change_is_likely_where_the_likelihood_loses_less_than_two(
    values: list[float], cut: int, noise: float
) -> None:
    cut = min(cut, len(values) - 3)
    log_values = np.array(values)
    before, after = np.median(log_values[:cut]), np.median(log_values[cut:])

    def loss(at: int) -> float:
        levels = [before] * at + [after] * (len(values) - at)
        return float(sum(min((value - level) ** 2 / noise, 9) / 2 for value, level in zip(values, levels, strict=True)))

    losses = [loss(at) for at in range(len(values) + 1)]
    best = min(losses)
    found = likely_range(log_values, Segment(0, cut), Segment(cut, len(values)), noise)
    certain = [at for at, one in enumerate(losses) if one <= best + 1.92 - 1e-9]
    possible = [at for at, one in enumerate(losses) if one <= best + 1.92 + 1e-9]
    assert possible[0] <= found[0] <= certain[0]
    assert certain[-1] <= found[1] <= possible[-1]
