"""Which of two drafts with other bits in a cell the drive is like: by how writes wait, by passes through a cache, or by all that is left."""

import pytest

from ssdlab.twin.bits import OfBits
from ssdlab.twin.draft import Draft


def through_cache(passes: float, points: float, waiting: float = 0.0) -> OfBits:
    return of_bits("cache_only", passes, points, waiting)


def past_cache(passes: float, points: float, waiting: float = 0.0) -> OfBits:
    return of_bits("direct", passes, points, waiting)


def of_bits(after: str, passes: float, points: float, waiting: float) -> OfBits:
    return OfBits(draft=Draft("one", "", {"slc": {"after": after}}), passes=passes, points=points, waiting=waiting)


def test_the_usual_number_stays_unless_another_leaves_clearly_less() -> None:
    usual = past_cache(0.1, 0.9)
    assert not past_cache(0.1, 0.85).is_better_than(usual)
    assert past_cache(0.1, 0.75).is_better_than(usual)


def test_how_writes_wait_tells_whatever_passes_and_points_say() -> None:
    right, wrong = past_cache(0.1, 0.9, waiting=0.01), past_cache(0.1, 0.2, waiting=0.2)
    assert right.is_better_than(wrong)
    assert not wrong.is_better_than(right)


def test_passes_through_a_cache_tell_whatever_points_say() -> None:
    right, wrong = through_cache(0.005, 0.45), through_cache(0.05, 0.3)
    assert right.is_told_from(wrong)
    assert right.is_better_than(wrong)
    assert not wrong.is_better_than(right)


def test_passes_beside_a_cache_are_no_more_than_a_part_of_all_that_is_left() -> None:
    right, wrong = past_cache(0.05, 0.3), past_cache(0.005, 0.45)
    assert not wrong.is_told_from(right)
    assert right.is_better_than(wrong)


@pytest.mark.parametrize(("passes", "others"), [(0.02, 0.05), (0.0, 0.004)])
def test_passes_that_both_do_about_as_well_tell_nothing(passes: float, others: float) -> None:
    assert not through_cache(passes, 0.4).is_told_from(through_cache(others, 0.4))


def test_passes_tell_nothing_against_how_writes_wait() -> None:
    assert not through_cache(0.005, 0.4, waiting=0.2).is_told_from(through_cache(0.05, 0.4, waiting=0.01))
