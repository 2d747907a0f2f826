"""How writes wait, as a shape that does not change with the speed of the drive."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssdlab import _core
from ssdlab.engine.result import Histogram
from ssdlab.twin.waits import waits_of

BUFFERED_NS, WAITING = 20_000, 5_000


def histogram(times_ns: np.ndarray) -> Histogram:
    places, counts = np.unique([_core.bin_index(int(one)) for one in times_ns], return_counts=True)
    return Histogram(
        places, counts, float(times_ns.mean()), int(times_ns.min()), int(times_ns.max()), float(times_ns.std())
    )


def writes(sigma: float, waiting_ns: float = 10e6) -> np.ndarray:
    """One of eleven waits, for times whose logarithms are normal."""
    waits = waiting_ns * np.exp(sigma * np.random.default_rng(1).standard_normal(WAITING))
    return np.concatenate([np.full(10 * WAITING, BUFFERED_NS), waits])


def test_those_that_wait_are_told_in_mean_times() -> None:
    found = waits_of(histogram(writes(0.0)))
    mean_ns = (10e6 + 10 * BUFFERED_NS) / 11
    assert found == pytest.approx([np.log(10e6 / mean_ns)] * len(found), abs=0.02)


@given(st.floats(0.1, 10))
def test_a_slower_drive_waits_alike(slower: float) -> None:
    times_ns = writes(0.3)
    assert waits_of(histogram(slower * times_ns)) == pytest.approx(waits_of(histogram(times_ns)), abs=0.03)


def test_a_speed_that_wanders_widens_them_as_much_as_it_does() -> None:
    wandering = waits_of(histogram(writes(np.hypot(0.3, 0.2))))
    assert waits_of(histogram(writes(0.3)), 0.2) == pytest.approx(wandering, abs=0.04)
    assert np.ptp(wandering) > 1.15 * np.ptp(waits_of(histogram(writes(0.3))))


def test_where_few_writes_wait_nothing_is_told() -> None:
    assert waits_of(histogram(np.full(100_000, BUFFERED_NS))) == ()
    assert waits_of(Histogram(np.array([], int), np.array([], int), 0.0, 0, 0, 0.0)) == ()
