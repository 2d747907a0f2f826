"""Which values are not like the others: against published numbers, at the stated level, and with nothing to go by."""

from math import exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssdlab._core import student_t_beyond
from ssdlab.qualify.outliers import DRIVES_MIN, outliers, reach

LEVEL = 5e-5


def found(logarithms: list[float], level: float = LEVEL) -> set[int]:
    return {one.place for one in outliers([exp(one) for one in logarithms], level)}


@pytest.mark.parametrize(
    ("probability", "degrees", "expected"),
    [
        (0.025, 1, 12.7062),
        (0.025, 10, 2.2281),
        (0.005, 5, 4.0321),
        (0.0005, 30, 3.6460),
        (0.1, 120, 1.2886),
    ],
)
def test_quantiles_of_student_are_those_of_the_tables(probability: float, degrees: int, expected: float) -> None:
    assert student_t_beyond(probability, degrees) == pytest.approx(expected, abs=6e-5)


@pytest.mark.parametrize("probability", [0.4, 1e-3, 1e-9, 1e-15])
def test_far_out_the_quantile_of_two_degrees_is_its_closed_form(probability: float) -> None:
    two = 2 * probability * (1 - probability)
    assert student_t_beyond(probability, 2) == pytest.approx((1 - 2 * probability) / sqrt(two), rel=1e-9)


@pytest.mark.parametrize(("number", "expected"), [(1, 3.158), (2, 3.151), (3, 3.143), (4, 3.136), (5, 3.128)])
def test_the_limit_is_that_of_rosners_test(number: int, expected: float) -> None:
    """Of Rosner's 54 values, at a level of 5 %, as in the handbook of NIST/SEMATECH, 1.3.5.17.3; his is in deviations of all values."""
    left = 54 - number + 1
    beyond = reach(left, 0.05)
    with_it = beyond * (1 - 1 / left) / sqrt(((left - 2) + beyond**2 * (1 - 1 / left)) / (left - 1))
    # The handbook prints the limits cut off after three digits.
    assert expected <= with_it < expected + 0.001


@pytest.mark.parametrize("count", [DRIVES_MIN, 20, 40])
def test_a_healthy_number_has_an_outlier_no_more_often_than_its_level(count: int) -> None:
    random, batches = np.random.default_rng(2083), 1500
    alarms = sum(bool(found(list(0.05 * random.standard_normal(count)), 0.05)) for _ in range(batches))
    assert alarms <= 0.05 * batches + 2.5 * sqrt(0.05 * batches)


def test_three_odd_values_of_forty_do_not_hide_each_other() -> None:
    random = np.random.default_rng(7)
    for _ in range(20):
        values = 0.02 * random.standard_normal(40)
        values[[3, 17]] -= 0.3
        values[30] += 0.35
        assert found(list(values)) == {3, 17, 30}


@pytest.mark.parametrize("count", range(DRIVES_MIN))
def test_of_few_values_nothing_is_said(count: int) -> None:
    assert found([0.001 * place for place in range(count - 1)] + [9.0] * (count > 0)) == set()


@pytest.mark.parametrize(
    "values",
    [
        [5.0] * 40,
        [5.0] * 39 + [6.0],
        [5.0] * 36 + [6.0] * 4,
        [5.0] * 30 + [6.0] * 9 + [7.0],
        [5.0] * 39 + [5.0001],
        [1e-9] * 39 + [1e9],
    ],
    ids=["alike", "one step", "four a step up", "counts", "last digit", "one alone"],
)
def test_values_known_to_a_step_raise_no_alarm(values: list[float]) -> None:
    assert outliers(values, LEVEL) == ()


def test_what_is_far_off_is_found_however_closely_the_others_agree() -> None:
    others = [3.454 + 1e-4 * place for place in range(12)]
    assert [one.place for one in outliers([*others, 1.803], LEVEL)] == [12]


def test_what_is_many_steps_off_is_found() -> None:
    counts = [100.0, 101.0, 102.0, 103.0] * 10
    assert [one.place for one in outliers([*counts, 160.0], LEVEL)] == [40]


def test_a_difference_that_does_not_matter_is_none() -> None:
    random = np.random.default_rng(3)
    values = list(1e-3 * random.standard_normal(40))
    assert found([*values, 0.028]) == set()
    assert found([*values, 0.033]) == {40}


def test_a_deviation_has_a_sign_and_is_in_deviations_of_the_others() -> None:
    random = np.random.default_rng(5)
    others = list(0.02 * random.standard_normal(40))
    (one,) = outliers([exp(value) for value in [*others, -0.5]], LEVEL)
    expected = (-0.5 - np.mean(others)) / np.std(others, ddof=1)
    assert one.deviations == pytest.approx(expected, rel=0.02)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.floats(-1, 1), min_size=DRIVES_MIN, max_size=40),
    st.floats(-3, 3),
    st.randoms(use_true_random=False),
)
def test_neither_the_order_nor_the_unit_decides(values: list[float], offset: float, random: object) -> None:
    order = list(range(len(values)))
    random.shuffle(order)  # type: ignore[attr-defined]
    # Whole steps of the resolution, so that no rounding lies between the two.
    stepped, moved = [round(value, 3) for value in values], round(offset, 3)
    one = found(stepped)
    other = {order[place] for place in found([stepped[place] + moved for place in order])}
    assert {stepped[place] for place in one} == {stepped[place] for place in other}


@settings(deadline=None, max_examples=60)
@given(st.lists(st.floats(0.001, 1e12), min_size=DRIVES_MIN, max_size=40))
def test_no_more_than_a_quarter_is_odd_and_each_is_far_from_the_middle(values: list[float]) -> None:
    odd = outliers(values, 0.05)
    rest = [log(value) for place, value in enumerate(values) if place not in {one.place for one in odd}]
    assert len(odd) <= len(values) // 4
    assert all(abs(log(values[one.place]) - np.mean(rest)) > 0.029 for one in odd)
