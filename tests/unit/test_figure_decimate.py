"""Thinning keeps every dip and every spike."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from ssdlab.figure.kit.decimate import extremes, into_columns

Samples = NDArray[np.float64]
SAMPLES = arrays.arrays(np.float64, st.integers(1, 3000), elements=st.floats(-1e12, 1e12))


def positions(samples: Samples) -> Samples:
    return np.arange(len(samples), dtype=np.float64)


@given(SAMPLES, st.integers(1, 400))
def test_columns_keep_the_smallest_and_the_largest_sample(samples: Samples, limit: int) -> None:
    columns = into_columns(positions(samples), samples, float(len(samples)), limit)

    assert columns.low.min() == samples.min()
    assert columns.high.max() == samples.max()


@given(SAMPLES, st.integers(1, 400))
def test_columns_lose_no_sample_and_are_no_more_than_asked(samples: Samples, limit: int) -> None:
    columns = into_columns(positions(samples), samples, float(len(samples)), limit)

    assert columns.count.sum() == len(samples)
    assert len(columns.x) <= limit
    assert (np.diff(columns.x) > 0).all()


@given(SAMPLES, st.integers(1, 400))
def test_every_column_has_the_extremes_of_its_own_samples(samples: Samples, limit: int) -> None:
    columns = into_columns(positions(samples), samples, float(len(samples)), limit)

    parts = np.split(samples, np.cumsum(columns.count)[:-1])
    assert [part.min() for part in parts] == columns.low.tolist()
    assert [part.max() for part in parts] == columns.high.tolist()


def test_one_dip_among_a_million_windows_stays_in_its_column() -> None:
    samples = np.full(1_000_000, 1500.0)
    samples[654_321] = 3.0

    columns = into_columns(positions(samples), samples, 1e6, 1290)

    assert columns.low.min() == 3.0
    assert (columns.low == 3.0).sum() == 1
    assert abs(columns.x[np.argmin(columns.low)] - 654_321) < 1e6 / 1290


def test_windows_without_any_io_are_left_out() -> None:
    samples = np.array([1.0, np.nan, 3.0])

    columns = into_columns(positions(samples), samples, 3.0, 10)

    assert columns.mean.tolist() == [1.0, 3.0]


def test_a_series_of_nothing_known_gives_no_column() -> None:
    samples = np.full(5, np.nan)

    assert len(into_columns(positions(samples), samples, 5.0, 10).x) == 0


@given(SAMPLES, st.integers(2, 400))
def test_extremes_keep_smallest_and_largest_in_order(samples: Samples, limit: int) -> None:
    x, y = extremes(positions(samples), samples, limit)

    assert y.min() == samples.min()
    assert y.max() == samples.max()
    assert len(x) <= limit
    assert (np.diff(x) > 0).all()
    assert (samples[x.astype(int)] == y).all()


@pytest.mark.parametrize("length", [1, 100])
def test_a_short_series_comes_back_whole(length: int) -> None:
    samples = np.linspace(1, 2, length)

    x, y = extremes(positions(samples), samples, 100)

    assert len(x) == length
    assert y is samples


def test_extremes_look_past_windows_without_any_io() -> None:
    samples = np.array([np.nan, 5.0, np.nan, 1.0, 9.0, np.nan, 4.0, np.nan])

    _, y = extremes(positions(samples), samples, 4)

    assert y[~np.isnan(y)].tolist() == [5.0, 1.0, 9.0, 4.0]
    assert np.isnan(y).tolist() == [True, False, False, False, True, False]


def test_extremes_keep_a_gap_that_is_shorter_than_a_slice() -> None:
    samples = np.arange(3_000, dtype=np.float64)
    samples[1_001:1_004] = np.nan

    x, y = extremes(positions(samples), samples, 300)

    assert len(x) == 301
    assert x[np.isnan(y)].tolist() == [1_001.0]
    assert (x[:-1] < x[1:]).all()
    assert np.nanmin(y) == 0.0
    assert np.nanmax(y) == 2_999.0
