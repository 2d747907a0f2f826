"""Percentiles and intervals."""

from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.synthetic_fill import Noise, noisy

from ssdlab import _core
from ssdlab.analysis.interval import mean_interval, student_t
from ssdlab.analysis.percentile import highest_percentile, latency_percentile_ns, nearest_rank
from ssdlab.engine.result import Histogram
from ssdlab.unknown import Unknown

SAMPLES = st.lists(st.floats(0, 1e12), min_size=11, max_size=400)


def histogram_of(values_ns: list[int]) -> Histogram:
    indices, counts = np.unique([_core.bin_index(value) for value in values_ns], return_counts=True)
    return Histogram(
        indices, counts, float(np.mean(values_ns)), min(values_ns), max(values_ns), float(np.std(values_ns))
    )


@given(SAMPLES)
def test_a_percentile_is_a_sample_of_its_rank(samples: list[float]) -> None:
    assert nearest_rank(np.array(samples), "1") == sorted(samples)[ceil(len(samples) / 100) - 1]


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


@given(st.lists(st.integers(1, 10**10), min_size=40, max_size=200))
def test_a_latency_percentile_is_that_of_the_samples_to_the_width_of_a_bin(values_ns: list[int]) -> None:
    found = latency_percentile_ns(histogram_of(values_ns), "50")
    assert isinstance(found, int)
    assert found == pytest.approx(sorted(values_ns)[ceil(len(values_ns) / 2) - 1], rel=1 / 128, abs=1)


def test_a_latency_percentile_of_too_few_samples_is_unknown() -> None:
    found = latency_percentile_ns(histogram_of([1000] * 50), "99")
    assert found == Unknown("fewer than 10 of 50 samples lie above it")


@pytest.mark.parametrize(("degrees", "quantile"), [(1, 12.706), (5, 2.571), (11, 2.201), (30, 2.042), (1000, 1.962)])
def test_students_t_is_that_of_the_tables(degrees: int, quantile: float) -> None:
    assert student_t(degrees) == pytest.approx(quantile, rel=0.002)


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.8])
def test_the_interval_of_a_mean_holds_the_truth_as_often_as_it_says(correlation: float) -> None:
    held = 0
    for seed in range(200):
        interval = mean_interval(noisy(np.full(1000, 5e8), Noise(0.2, correlation=correlation), seed))
        assert interval is not None
        held += interval.low <= 5e8 <= interval.high
    assert 0.88 <= held / 200 <= 0.99


def test_correlated_samples_have_a_wider_interval() -> None:
    widths = []
    for correlation in (0.0, 0.8):
        interval = mean_interval(noisy(np.full(4000, 5e8), Noise(0.2, correlation=correlation), 1))
        assert interval is not None
        widths.append(interval.high - interval.low)
    assert widths[1] > 2 * widths[0]


def test_five_samples_have_no_interval() -> None:
    assert mean_interval(np.arange(5.0)) is None
    assert mean_interval(np.arange(6.0)) is not None
