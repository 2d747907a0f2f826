"""How numbers of drives stand to each other."""

import pytest

from ssdlab.analysis.statistics.standing import Estimate, Places, RankOrder, order, over_runs, places
from ssdlab.bundle.quantities import Better


@pytest.mark.parametrize(
    ("own", "other", "better", "wanted"),
    [
        (Estimate(10, 9, 11), Estimate(12, 11, 13), Better.HIGHER, RankOrder.LEVEL),
        (Estimate(10, 9, 11), Estimate(14, 13, 15), Better.HIGHER, RankOrder.BEHIND),
        (Estimate(10, 9, 11), Estimate(14, 13, 15), Better.LOWER, RankOrder.AHEAD),
        (Estimate(-5, -6, -4), Estimate(1, 0, 2), Better.NEAR_ZERO, RankOrder.BEHIND),
        (Estimate(-5), Estimate(5), Better.NEAR_ZERO, RankOrder.LEVEL),
        (Estimate(-5, -6, -4), Estimate(5.5, 5, 6), Better.NEAR_ZERO, RankOrder.LEVEL),
        (Estimate(-1, -3, 1), Estimate(2, 1, 3), Better.NEAR_ZERO, RankOrder.LEVEL),
        (Estimate(-4), Estimate(5), Better.NEAR_ZERO, RankOrder.AHEAD),
        (Estimate(100), Estimate(98), Better.HIGHER, RankOrder.LEVEL),
        (Estimate(100), Estimate(96), Better.HIGHER, RankOrder.AHEAD),
    ],
)
def test_intervals_that_overlap_are_level(own: Estimate, other: Estimate, better: Better, wanted: RankOrder) -> None:
    assert order(own, other, better) is wanted


def test_a_number_measured_once_is_what_it_says_itself() -> None:
    assert over_runs([Estimate(5, 4, 6)]) == Estimate(5, 4, 6)


def test_runs_that_agree_to_the_last_digit_keep_their_own_interval() -> None:
    assert over_runs([Estimate(5, 4, 6), Estimate(5, 4.5, 5.5)]) == Estimate(5, 4, 6)


def test_several_runs_are_their_median_within_students_t() -> None:
    found = over_runs([Estimate(10), Estimate(12), Estimate(11)])
    assert found.value == 11
    assert found.low == pytest.approx(11 - 4.303 / 3**0.5)
    assert found.high == pytest.approx(11 + 4.303 / 3**0.5)


def test_the_interval_of_many_runs_holds_their_median_however_skewed_they_are() -> None:
    found = over_runs([Estimate(1.0)] * 20 + [Estimate(100.0)] * 9)
    assert found.low is not None
    assert found.low <= found.value == 1.0


def test_tied_numbers_share_their_places() -> None:
    numbers = [Estimate(value, value - 1, value + 1) for value in (20, 19, 10)]
    found = [places(own, [other for other in numbers if other is not own], Better.HIGHER) for own in numbers]
    assert found == [Places(1, 2, 3), Places(1, 2, 3), Places(3, 3, 3)]
