"""The search of BootBench: every turn it takes, and where it ends."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssdlab.analysis.infer.search import Bounds, NotFound, SearchEnd, Showing, next_candidate
from ssdlab.message import message
from ssdlab.method.kinds.search import Candidate, Procedure

PASSED, TOO_SLOW, BELOW_FLOOR = Showing.PASSED, Showing.TOO_SLOW, Showing.BELOW_FLOOR
MENDED = Bounds(Procedure.MENDED, jobs_min=4, jobs_max=256, confirm_runs=3)
PUBLISHED = Bounds(Procedure.PUBLISHED, jobs_min=4, jobs_max=256, confirm_runs=3)

Drive = Callable[[Candidate], Showing]


def searched(bounds: Bounds, drive: Drive) -> tuple[list[str], SearchEnd | NotFound]:
    """Every candidate in order, and the answer."""
    asked: list[str] = []
    shown: list[Showing] = []
    while isinstance(following := next_candidate(bounds, shown), Candidate):
        asked.append(following.word)
        shown.append(drive(following))
    return asked, following


def up_to(jobs: int) -> Drive:
    """Keeps the limits with so many jobs and fewer."""
    return lambda candidate: PASSED if candidate.jobs <= jobs else TOO_SLOW


def unless(*words: str, otherwise: Drive, showing: Showing = TOO_SLOW) -> Drive:
    """Misses a limit in these runs."""
    return lambda candidate: showing if candidate.word in words else otherwise(candidate)


class TestDoubling:
    def test_it_begins_with_four_jobs_and_doubles_while_they_pass(self) -> None:
        asked, _ = searched(MENDED, up_to(20))
        assert asked[:4] == ["double.n4", "double.n8", "double.n16", "double.n32"]

    def test_it_goes_no_further_than_256(self) -> None:
        asked, answer = searched(MENDED, up_to(1000))
        assert asked[-4:] == ["double.n256", "confirm.n256.run1", "confirm.n256.run2", "confirm.n256.run3"]
        assert isinstance(answer, SearchEnd)
        assert answer.jobs == 256

    def test_a_drive_that_is_too_slow_for_four_fails_at_once(self) -> None:
        for bounds in (MENDED, PUBLISHED):
            asked, answer = searched(bounds, up_to(3))
            assert asked == ["double.n4"]
            assert isinstance(answer, NotFound)
            assert answer.reason == message("unknown-limits-not-kept", jobs=4)
            assert [one.word for one in answer.by] == ["double.n4"]


class TestBisection:
    def test_it_halves_what_lies_between_the_last_that_passed_and_the_first_that_did_not(self) -> None:
        asked, answer = searched(MENDED, up_to(20))
        assert asked[4:8] == ["bisect.n24", "bisect.n20", "bisect.n22", "bisect.n21"]
        assert isinstance(answer, SearchEnd)
        assert answer.jobs == 20

    def test_it_bisects_also_below_the_largest_number(self) -> None:
        asked, _ = searched(MENDED, up_to(255))
        assert asked[6:9] == ["double.n256", "bisect.n192", "bisect.n224"]


class TestConfirmation:
    def test_what_is_found_is_always_confirmed(self) -> None:
        asked, answer = searched(MENDED, up_to(23))
        assert asked[4:] == [
            *("bisect.n24", "bisect.n20", "bisect.n22", "bisect.n23"),
            *("confirm.n23.run1", "confirm.n23.run2", "confirm.n23.run3"),
        ]
        assert isinstance(answer, SearchEnd)
        assert [one.word for one in answer.by] == asked[-3:]

    def test_what_is_not_confirmed_goes_down_one_by_one(self) -> None:
        drive = unless("confirm.n20.run2", "confirm.n19.run1", otherwise=up_to(20))
        asked, answer = searched(MENDED, drive)
        assert asked[8:] == [
            *("confirm.n20.run1", "confirm.n20.run2"),
            "confirm.n19.run1",
            *("confirm.n18.run1", "confirm.n18.run2", "confirm.n18.run3"),
        ]
        assert isinstance(answer, SearchEnd)
        assert answer.jobs == 18

    def test_what_is_confirmed_with_no_number_from_four_on_is_not_found(self) -> None:
        asked, answer = searched(MENDED, lambda one: TOO_SLOW if "confirm" in one.word else up_to(5)(one))
        assert asked[-2:] == ["confirm.n5.run1", "confirm.n4.run1"]
        assert isinstance(answer, NotFound)
        assert [one.word for one in answer.by] == ["confirm.n4.run1"]


class TestAsPublished:
    def test_the_last_bisection_is_reported_unconfirmed_if_it_passed(self) -> None:
        asked, answer = searched(PUBLISHED, up_to(23))
        assert asked[-1] == "bisect.n23"
        assert isinstance(answer, SearchEnd)
        assert (answer.jobs, [one.word for one in answer.by]) == (23, ["bisect.n23"])

    def test_and_so_is_the_largest_number(self) -> None:
        asked, answer = searched(PUBLISHED, up_to(1000))
        assert asked[-1] == "double.n256"
        assert isinstance(answer, SearchEnd)
        assert [one.word for one in answer.by] == ["double.n256"]

    def test_if_it_failed_the_one_below_is_confirmed(self) -> None:
        asked, answer = searched(PUBLISHED, up_to(20))
        assert asked[-4:] == ["bisect.n21", "confirm.n20.run1", "confirm.n20.run2", "confirm.n20.run3"]
        assert isinstance(answer, SearchEnd)
        assert answer.jobs == 20

    @pytest.mark.parametrize("word", ["double.n4", "bisect.n6"])
    def test_a_missed_floor_ends_everything_below_eight_jobs(self, word: str) -> None:
        asked, answer = searched(PUBLISHED, unless(word, otherwise=up_to(7), showing=BELOW_FLOOR))
        assert asked[-1] == word
        assert isinstance(answer, NotFound)
        assert "which ends the published procedure" in str(answer.reason)

    def test_a_missed_floor_from_eight_jobs_on_is_a_candidate_that_failed(self) -> None:
        _, answer = searched(PUBLISHED, unless("double.n8", otherwise=up_to(7), showing=BELOW_FLOOR))
        assert isinstance(answer, SearchEnd)
        assert answer.jobs == 7


def test_mended_a_missed_floor_is_a_candidate_that_failed_whatever_the_number() -> None:
    _, answer = searched(MENDED, unless("bisect.n6", otherwise=up_to(7), showing=BELOW_FLOOR))
    assert isinstance(answer, SearchEnd)
    assert answer.jobs == 5


@given(st.sampled_from([MENDED, PUBLISHED]), st.integers(4, 300))
def test_a_drive_with_one_threshold_is_always_found_at_it(bounds: Bounds, most: int) -> None:
    asked, answer = searched(bounds, up_to(most))
    assert isinstance(answer, SearchEnd)
    assert answer.jobs == min(most, 256)
    assert len(asked) == len(set(asked)) <= 7 + 7 + 3


@given(st.sampled_from([MENDED, PUBLISHED]), st.randoms(use_true_random=False))
def test_whatever_a_drive_shows_the_search_ends_and_never_asks_twice(bounds: Bounds, random: Random) -> None:
    asked, answer = searched(bounds, lambda _: random.choice(list(Showing)))
    assert len(asked) == len(set(asked))
    assert [one.word for one in answer.by] == asked[-len(answer.by) :]
