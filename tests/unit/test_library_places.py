"""Places of a whole ranking are those that each drive has among the others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssdlab.analysis.statistics.standing import Estimate, from_best, over_runs, places
from ssdlab.bundle.quantities import Better
from ssdlab.library.places import Estimates, all_over_runs, all_places, best_first, estimates_of

_NUMBERS = st.integers(-40, 40).map(float)
_ESTIMATES = st.builds(Estimate, _NUMBERS, st.none() | _NUMBERS, st.none() | _NUMBERS) | st.builds(
    lambda value, below, above: Estimate(value, value - below, value + above),
    _NUMBERS,
    st.integers(0, 9),
    st.integers(0, 9),
)


def arrays(estimates: list[Estimate]) -> Estimates:
    return estimates_of([(one.value, one.low, one.high) for one in estimates])


@given(st.lists(_ESTIMATES, max_size=12), st.sampled_from(Better))
def test_all_places_at_once_are_those_of_one_after_the_other(estimates: list[Estimate], better: Better) -> None:
    each = [places(own, [*estimates[:at], *estimates[at + 1 :]], better) for at, own in enumerate(estimates)]
    assert list(all_places(arrays(estimates), better)) == each


@given(st.lists(st.builds(Estimate, _NUMBERS), max_size=12), st.sampled_from(Better))
def test_numbers_without_intervals_have_the_same_places_at_once(estimates: list[Estimate], better: Better) -> None:
    each = [places(own, [*estimates[:at], *estimates[at + 1 :]], better) for at, own in enumerate(estimates)]
    assert list(all_places(arrays(estimates), better)) == each


@given(st.lists(st.lists(_ESTIMATES, min_size=1, max_size=5), max_size=8))
def test_numbers_of_several_runs_are_the_same_at_once(drives: list[list[Estimate]]) -> None:
    runs = arrays([run for runs in drives for run in runs])
    for found, one in zip(
        all_over_runs(runs, [len(runs) for runs in drives]).each(), map(over_runs, drives), strict=True
    ):
        assert found.value == one.value
        has_interval = one.low is not None and one.high is not None
        assert (found.low is not None, found.high is not None) == (has_interval, has_interval)
        if has_interval:
            assert [found.low, found.high] == pytest.approx([one.low, one.high], abs=1e-9)


@given(st.lists(_ESTIMATES, max_size=12), st.sampled_from(Better))
def test_the_best_stand_first_and_equal_ones_stay_as_they_stood(estimates: list[Estimate], better: Better) -> None:
    expected = sorted(range(len(estimates)), key=lambda at: from_best(estimates[at].value, better))
    assert best_first(arrays(estimates), better).tolist() == expected
