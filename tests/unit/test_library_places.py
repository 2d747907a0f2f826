"""Places of a whole ranking are those that each drive has among the others."""

from hypothesis import given
from hypothesis import strategies as st

from ssdlab.analysis.statistics.standing import Estimate, places
from ssdlab.bundle.quantities import Better
from ssdlab.library.places import all_places

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
