"""Repeated runs and steadiness over time, each against a reference of one line."""

import math
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.kit.synthetic_fill import series_of

from ssdlab.analysis.statistics.consistency import consistency_percent, even_speeds, mean_over_time, speed_samples
from ssdlab.analysis.statistics.repeat import median, relative_standard_error_percent, trimmed_mean
from ssdlab.engine.result import Series
from ssdlab.message import message, number
from ssdlab.unknown import Unknown

RUNS = st.lists(st.floats(1e-3, 1e12), min_size=3, max_size=12)
RATES = st.lists(st.floats(1e6, 1e10), min_size=11, max_size=300)
WINDOW_NS = 100_000_000


def naive_standard_error_percent(x: list[float]) -> float:
    mean = sum(x) / len(x)
    return math.sqrt(sum((one - mean) ** 2 for one in x) / (len(x) - 1)) / (math.sqrt(len(x)) * mean) * 100


def windows(ends_ms: list[int], rates: list[float]) -> Series:
    count = len(ends_ms)
    unknown: NDArray[np.float64] = np.full(count, np.nan)
    bandwidth = np.array(rates)
    return Series(WINDOW_NS, np.array(ends_ms, dtype=np.int64) * 1_000_000, bandwidth, bandwidth, unknown, unknown)


def consistency(*directions: Series) -> float | Unknown:
    return consistency_percent(speed_samples(*directions))


@given(RUNS)
def test_the_median_is_the_middle_of_the_sorted_runs(x: list[float]) -> None:
    assert median(x) == pytest.approx((sorted(x)[(len(x) - 1) // 2] + sorted(x)[len(x) // 2]) / 2)


def test_no_run_has_no_median() -> None:
    with pytest.raises(ValueError, match="no value has no median"):
        median([])


@given(RUNS)
def test_the_relative_standard_error_is_that_of_its_formula(x: list[float]) -> None:
    assert relative_standard_error_percent(x) == pytest.approx(naive_standard_error_percent(x), rel=1e-6, abs=1e-6)


def test_the_relative_standard_error_of_a_known_case() -> None:
    assert relative_standard_error_percent([99.0, 100.0, 101.0]) == pytest.approx(100 / math.sqrt(3) / 100)


def test_one_run_and_runs_without_speed_have_no_relative_standard_error() -> None:
    assert relative_standard_error_percent([5.0]) == Unknown(message("unknown-runs-for-error", runs=1))
    assert relative_standard_error_percent([0.0, 0.0]) == Unknown(message("unknown-mean-no-share", mean=number(0, "g")))


@given(RUNS)
def test_the_trimmed_mean_leaves_out_the_largest_and_the_smallest(x: list[float]) -> None:
    assert trimmed_mean(x) == pytest.approx((math.fsum(x) - max(x) - min(x)) / (len(x) - 2), rel=1e-6, abs=1e-3)


def test_two_runs_have_no_trimmed_mean() -> None:
    assert trimmed_mean([1.0, 2.0]) == Unknown(message("unknown-runs-for-trimmed-mean", runs=2))


@given(RATES)
def test_consistency_is_the_slowest_thousandth_of_the_samples_over_their_mean(rates: list[float]) -> None:
    naive = sorted(rates)[math.ceil(len(rates) / 1000) - 1] / (sum(rates) / len(rates)) * 100
    assert consistency(series_of(np.array(rates))) == pytest.approx(naive, rel=1e-6)


def test_a_steady_drive_has_a_consistency_of_100_percent() -> None:
    assert consistency(series_of(np.full(3000, 5e8))) == pytest.approx(100)


def test_one_slow_sample_of_a_thousand_is_what_consistency_sees_and_of_two_thousand_it_is_not() -> None:
    rates = np.full(1000, 1e9)
    rates[500] = 1e8
    assert consistency(series_of(rates)) == pytest.approx(10, rel=1e-3)
    assert consistency(series_of(np.concatenate([rates, np.full(1000, 1e9)]))) == pytest.approx(100, rel=1e-3)


def test_a_standstill_counts_as_long_as_it_lasts() -> None:
    still_2_s = windows([*range(100, 1100, 100), 3100, *range(3200, 4200, 100)], [1e9] * 10 + [0.0] + [1e9] * 10)
    assert len(speed_samples(still_2_s)) == 41
    assert np.count_nonzero(speed_samples(still_2_s) < 1.0) == 21
    assert consistency(still_2_s) == pytest.approx(0, abs=1e-6)


def test_both_directions_of_a_mixed_job_count_together() -> None:
    up, down = np.linspace(1e8, 9e8, 50), np.linspace(9e8, 1e8, 50)
    assert consistency(series_of(up), series_of(down)) == pytest.approx(100)


def test_a_last_sliver_is_no_sample() -> None:
    assert len(speed_samples(windows([100, 200, 230], [1e9, 1e9, 1e3]))) == 2


@given(st.lists(st.tuples(st.integers(1, 400), st.floats(0, 1e10)), min_size=1, max_size=60), st.data())
def test_windows_cut_evenly_leave_nothing_over(lengths: list[tuple[int, float]], data: st.DataObject) -> None:
    whole = windows(list(accumulate(length for length, _ in lengths)), [rate for _, rate in lengths])
    start = data.draw(st.integers(0, len(lengths) - 1))
    end = data.draw(st.integers(start + 1, len(lengths)))
    done = sum(length * rate for length, rate in lengths[start:end])
    time = sum(length for length, _ in lengths[start:end])
    assert even_speeds(whole, start, end).mean() == pytest.approx(done / time, rel=1e-6, abs=1.0)


def test_ten_samples_have_no_consistency() -> None:
    assert consistency(series_of(np.full(10, 1e9))) == Unknown(message("unknown-few-samples-above", above=9, needed=10))
    assert isinstance(consistency(), Unknown)


def test_nothing_moved_has_no_consistency() -> None:
    assert consistency(series_of(np.zeros(20))) == Unknown(message("unknown-nothing-moved"))


@given(st.lists(st.tuples(st.floats(1, 1e9) | st.just(math.nan), st.integers(1, 10**10)), min_size=1, max_size=100))
def test_a_mean_over_time_weighs_each_window_with_its_length(rows: list[tuple[float, int]]) -> None:
    known = [(value, length) for value, length in rows if value == value]  # noqa: PLR0124 - NaN is not itself
    found = mean_over_time(np.array([value for value, _ in rows]), np.array([length for _, length in rows]))
    if not known:
        assert found == Unknown(message("unknown-no-window-value"))
        return
    assert found == pytest.approx(sum(v * t for v, t in known) / sum(t for _, t in known))
