"""Places of a whole ranking are those that each drive has among the others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssdlab.analysis.statistics.standing import Estimate, over_runs, places
from ssdlab.bundle.quantities import Better
from ssdlab.library.places import all_over_runs, all_places

_NUMBERS = st.integers(-40, 40).map(float)
_ESTIMATES = st.builds(Estimate, _NUMBERS, st.none() | _NUMBERS, st.none() | _NUMBERS) | st.builds(
    lambda value, below, above: Estimate(value, value - below, value + above),
    _NUMBERS,
    st.integers(0, 9),
    st.integers(0, 9),
)


@given(st.lists(_ESTIMATES, max_size=12), st.sampled_from(Better))
def test_all_places_at_once_are_those_of_one_after_the_other(estimates: list[Estimate], better: Better) -> None:
    each = [places(own, [*estimates[:at], *estimates[at + 1 :]], better) for at, own in enumerate(estimates)]
    assert list(all_places(estimates, better)) == each


@given(st.lists(st.builds(Estimate, _NUMBERS), max_size=12), st.sampled_from(Better))
def test_numbers_without_intervals_have_the_same_places_at_once(estimates: list[Estimate], better: Better) -> None:
    each = [places(own, [*estimates[:at], *estimates[at + 1 :]], better) for at, own in enumerate(estimates)]
    assert list(all_places(estimates, better)) == each


@given(st.lists(st.lists(_ESTIMATES, min_size=1, max_size=5), max_size=8))
def test_numbers_of_several_runs_are_the_same_at_once(drives: list[list[Estimate]]) -> None:
    each = [over_runs(runs) for runs in drives]
    for found, one in zip(all_over_runs(drives), each, strict=True):
        assert found.value == one.value
        assert (found.low is None, found.high is None) == (one.low is None, one.high is None)
        assert [found.low or 0, found.high or 0] == pytest.approx([one.low or 0, one.high or 0], abs=1e-9)
