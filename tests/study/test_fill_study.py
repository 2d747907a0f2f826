"""The analysis of a fill is not confidently wrong where fills are hard to read."""

import math
from collections.abc import Callable
from functools import cache

import pytest
from tests.kit.adverse_fills import AdverseFill, Disturbance, Shape, adverse_fill, stalled_fill
from tests.kit.drawn_fills import drawn_fill
from tests.study.fill_study import Judged, Score, judged
from tests.study.passed import Study, runs_whole

Drawn = Callable[[int, int], AdverseFill]

WHOLE = len(Shape) * len(Disturbance) * 4
FEW = len(Shape) * len(Disturbance)
NUMBERS = range(WHOLE if runs_whole(Study.FILLS) else FEW)
FAMILY = 3
"""The analysis was made looking at fills of another family; these it had not seen."""
WRONG_MAX = 0.025
ABSURD_MAX = 0.005
OPEN_MAX = 0.08
DRAWN_OPEN_MAX = 0.15
"""A third of these caches end in or after a stall that might hide the end."""
CLAIMED = 0.95
CHANCE_MIN = 0.05
"""Fewer intervals that hold than would so seldom be seen by chance, were they what they claim, are too few."""


@cache
def findings() -> tuple[Judged, ...]:
    return tuple(judged(number, FAMILY) for number in NUMBERS)


def share(*scores: Score) -> float:
    return sum(one.worst in scores for one in findings()) / len(findings())


def test_hardly_any_size_or_class_is_wrong() -> None:
    assert share(Score.WRONG, Score.ABSURD) <= WRONG_MAX


def test_few_answers_are_left_open_that_there_are() -> None:
    assert share(Score.OPEN) <= OPEN_MAX


def test_the_intervals_of_speeds_hold_the_truth_as_often_as_they_say() -> None:
    speeds = [speed for one in findings() for speed in one.speeds]
    held = sum(speed.held for speed in speeds)
    assert chance_of_at_most(held, len(speeds)) >= CHANCE_MIN


def test_long_stalls_where_they_hurt_most_make_hardly_a_wrong_answer() -> None:
    found = [judged(number, FAMILY, stalled_fill).worst for number in NUMBERS]
    assert found.count(Score.ABSURD) <= ABSURD_MAX * len(found)
    assert found.count(Score.WRONG) <= WRONG_MAX * len(found)
    assert found.count(Score.OPEN) <= OPEN_MAX * len(found)


def test_fills_of_which_everything_is_drawn_at_once_make_hardly_a_wrong_answer() -> None:
    found = [judged(number, FAMILY, drawn_fill).worst for number in NUMBERS]
    assert found.count(Score.ABSURD) <= ABSURD_MAX * len(found)
    assert found.count(Score.WRONG) <= WRONG_MAX * len(found)
    assert found.count(Score.OPEN) <= DRAWN_OPEN_MAX * len(found)


def test_a_stall_in_a_falling_speed_is_no_end_of_a_cache() -> None:
    """4 % of the drive are written in two stalls, and the speeds before and after them are others."""
    assert judged(593, 4409, stalled_fill).worst is Score.RIGHT


@pytest.mark.parametrize("number", [110, 181], ids=["a cache that ends in the stall", "two seconds of cache before it"])
def test_a_stall_of_49_s_in_the_first_two_is_no_end_of_a_cache(number: int) -> None:
    assert judged(number, 2203).worst is Score.RIGHT


@pytest.mark.parametrize(
    ("number", "family"), [(329, 60029), (539, 60029), (79, 91009)], ids=["faster", "slower", "several levels after it"]
)
def test_a_stall_right_behind_the_cache_at_the_speed_of_the_rest_leaves_both_ends(number: int, family: int) -> None:
    found = judged(number, family, drawn_fill)
    assert found.cache is Score.OPEN
    assert "if it is a stall, anywhere up to" in found.words


@pytest.mark.parametrize("number", [520, 562], ids=["for three seconds", "for half a minute"])
def test_a_drive_that_writes_faster_later_on_has_not_shown_the_end_of_its_cache(number: int) -> None:
    """The cache ended in the stalls with which the drive began."""
    found = judged(number, 97011, drawn_fill)
    assert found.cache is Score.OPEN
    assert "a cache is where a drive is fastest" in found.words


def test_a_stall_behind_the_cache_that_dips_cut_into_levels_leaves_both_ends() -> None:
    assert judged(471, 97011, drawn_fill).worst is Score.RIGHT


def test_noise_that_remembers_may_hide_an_earlier_fall_from_two_standard_deviations_on() -> None:
    found = judged(506, 97011, drawn_fill)
    assert found.cache is Score.OPEN
    assert "may have fallen already after" in found.words


def test_a_cache_of_three_windows_is_not_passed_over_under_noise_of_long_memory() -> None:
    found = judged(463, 98011, drawn_fill)
    assert found.cache is Score.OPEN
    assert "may have fallen already after 2.99 GB" in found.words


def test_a_wave_of_noise_in_a_falling_speed_is_no_end_of_a_cache() -> None:
    assert judged(519, 98003).worst is Score.RIGHT


def test_a_cache_that_ends_in_a_stall_is_found_across_the_window_in_which_the_stall_begins() -> None:
    assert judged(309, 52027, drawn_fill).worst is Score.RIGHT


@pytest.mark.parametrize(
    ("number", "family", "drawn"),
    [(23, 60029, drawn_fill), (71, 71023, adverse_fill)],
    ids=["three to five levels", "four levels"],
)
def test_two_phases_in_which_noise_would_hide_a_third_have_no_class(number: int, family: int, drawn: Drawn) -> None:
    assert judged(number, family, drawn).worst is Score.RIGHT


@pytest.mark.parametrize(
    ("number", "family", "reason"),
    [(430, 52009, "falls little by little"), (70, 60013, "no faster than a wave of the noise")],
    ids=["white noise", "noise that remembers"],
)
def test_noise_that_cuts_a_ramp_into_levels_makes_no_cache(number: int, family: int, reason: str) -> None:
    found = judged(number, family)
    assert found.worst is Score.RIGHT
    assert reason in found.words


def test_a_level_without_the_dips_of_the_rest_is_no_cache() -> None:
    """Dips of a second, which are levels of their own to the search for changes; the first of them comes after five seconds."""
    assert judged(356, 60029, drawn_fill).worst is Score.RIGHT


@pytest.mark.parametrize(
    ("number", "family", "score", "reason"),
    [
        (135, 11, Score.OPEN, "may have fallen already after 117 GB"),
        (145, 12, Score.RIGHT, "no faster than a wave of the noise"),
    ],
    ids=["a fall hidden by a wave", "a ramp that looks like a fall"],
)
def test_noise_that_remembers_makes_no_cache(number: int, family: int, score: Score, reason: str) -> None:
    found = judged(number, family)
    assert found.cache is score
    assert reason in found.words


def chance_of_at_most(held: int, count: int) -> float:
    """Of no more intervals that hold than these, if each does as often as it claims (binomial distribution)."""
    return sum(math.comb(count, one) * CLAIMED**one * (1 - CLAIMED) ** (count - one) for one in range(held + 1))


@pytest.mark.parametrize("shape", Shape, ids=lambda shape: shape.name)
def test_what_is_written_is_the_capacity(shape: Shape) -> None:
    fill = adverse_fill(tuple(Shape).index(shape))
    assert fill.series.bytes_done[-1] == pytest.approx(fill.capacity_bytes, rel=1e-3)


def test_a_fill_of_a_number_is_always_the_same() -> None:
    first, again = adverse_fill(17), adverse_fill(17)
    assert first.series.bandwidth_bytes_per_s.tolist() == again.series.bandwidth_bytes_per_s.tolist()
    assert first.detail != adverse_fill(17, family=2).detail
