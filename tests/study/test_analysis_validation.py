"""The consumer analysis against random drives of known inside, at reduced size."""

from functools import cache

import pytest
from tests.study.passed import Study, runs_whole
from tests.study.random_drives import Evenness, random_drive
from tests.study.validation import (
    GOOD,
    NUMBERS,
    PAGE,
    UNEVEN_NUMBERS,
    Finding,
    Outcome,
    examine,
    found_class,
    largest,
    reach,
    row,
    smallest,
    true_class,
)

FEW = NUMBERS if runs_whole(Study.CONSUMER) else NUMBERS[:7]
FEW_UNEVEN = UNEVEN_NUMBERS if runs_whole(Study.CONSUMER) else UNEVEN_NUMBERS[:3]


@cache
def finding(number: int) -> Finding:
    return examine(random_drive(number))


@pytest.mark.parametrize("number", FEW)
def test_both_caches_are_found_or_rightly_not(number: int) -> None:
    assert {largest(finding(number)).outcome, smallest(finding(number)).outcome} <= GOOD


@pytest.mark.parametrize("number", FEW)
def test_what_follows_the_cache_gets_its_letter(number: int) -> None:
    assert found_class(finding(number)) == true_class(finding(number).drive)


@pytest.mark.parametrize("number", FEW)
def test_no_knee_is_invented(number: int) -> None:
    assert reach(finding(number)).outcome is not Outcome.INVENTED


@pytest.mark.parametrize("number", FEW)
def test_the_reach_is_found_or_rightly_not(number: int) -> None:
    assert reach(finding(number)).outcome in GOOD


@pytest.mark.parametrize("number", FEW)
def test_the_page_says_what_is_found(number: int) -> None:
    assert row(finding(number)) in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("number", FEW_UNEVEN)
def test_the_page_says_what_is_found_of_uneven_drives(number: int) -> None:
    """Missed or not: a miss stays on the page until the analysis finds it."""
    assert row(examine(random_drive(number, Evenness.UNEVEN))) in PAGE.read_text(encoding="utf-8")


def test_the_page_has_all_drives() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert [
        line.split("|")[1].strip() for line in lines if line.startswith("| ") and line.split("|")[1].strip().isdigit()
    ] == [str(number) for number in (*NUMBERS, *UNEVEN_NUMBERS)]


def test_what_makes_a_drive_uneven_changes_nothing_else() -> None:
    even, uneven = random_drive(10), random_drive(10, Evenness.UNEVEN)
    assert (even.largest_cache_bytes, even.smallest_cache_bytes, even.reach_bytes) == (
        uneven.largest_cache_bytes,
        uneven.smallest_cache_bytes,
        uneven.reach_bytes,
    )
    assert uneven.unevenness
    assert not even.unevenness


def test_a_drive_of_a_number_is_always_the_same() -> None:
    assert random_drive(3).text == random_drive(3).text
    assert random_drive(3).text != random_drive(10).text
