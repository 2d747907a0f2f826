"""A series by the second has the bytes, the I/Os and the latencies of its windows."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ssdlab.library.seconds import by_second
from ssdlab.units import NS_PER_MS, NS_PER_S


def windows(lengths_ns: list[int], iops: list[float], latency_ns: list[float]) -> Mapping[str, NDArray[Any]]:
    rates, means = np.array(iops, dtype=np.float64), np.array(latency_ns, dtype=np.float64)
    return {
        "time_ns": np.cumsum(np.array(lengths_ns, dtype=np.int64)),
        "bandwidth_bytes_per_s": rates * 4096,
        "iops": rates,
        "latency_ns_mean": means,
        "latency_ns_max": means * 2,
    }


@given(st.lists(st.tuples(st.integers(1, 3 * NS_PER_S), st.floats(0, 1e6)), max_size=60))
def test_rates_times_lengths_add_up_to_the_same(parts: list[tuple[int, float]]) -> None:
    given_ones = windows([length for length, _ in parts], [rate for _, rate in parts], [1e5] * len(parts))
    found = by_second(given_ones)
    for name in ("bandwidth_bytes_per_s", "iops"):
        done, before = (np.sum(one[name] * np.diff(one["time_ns"], prepend=0)) for one in (found, given_ones))
        assert done == pytest.approx(before)
    assert len(set((found["time_ns"] - 1) // NS_PER_S)) == len(found["time_ns"])


def test_latencies_are_the_mean_over_the_ios_and_the_largest() -> None:
    found = by_second(windows([500 * NS_PER_MS] * 4, [10, 30, 0, 0], [1000, 2000, np.nan, np.nan]))
    assert found["time_ns"].tolist() == [NS_PER_S, 2 * NS_PER_S]
    assert found["latency_ns_mean"].tolist() == [1750, pytest.approx(np.nan, nan_ok=True)]
    assert found["latency_ns_max"].tolist() == [4000, pytest.approx(np.nan, nan_ok=True)]


def test_windows_longer_than_a_second_stay_as_they_are() -> None:
    given_ones = windows([10 * NS_PER_S, 10 * NS_PER_S, NS_PER_S // 2], [1, 2, 3], [100, 200, 300])
    found = by_second(given_ones)
    assert {name: column.tolist() for name, column in found.items()} == {
        name: column.tolist() for name, column in given_ones.items()
    }
