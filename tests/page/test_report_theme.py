"""Paths of a page are written short, and stay the same on screen."""

import re

from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from ssdlab.report.theme import shorter

TENTHS = st.integers(-20_000, 20_000).map(lambda tenths: tenths / 10)
CORNERS = st.lists(st.tuples(TENTHS, TENTHS), min_size=1, max_size=40)


def path_of(corners: list[tuple[float, float]]) -> str:
    return "".join(f"{'L' if number else 'M'}{x},{y}" for number, (x, y) in enumerate(corners))


def corners_of(path: str) -> list[tuple[int, int]]:
    """Where a short path goes, in tenths of a pixel."""
    at = (0, 0)
    found = []
    for kind, numbers in re.findall(r"([MlhvZ])([^MlhvZ]*)", path):
        values = [round(float(one) * 10) for one in numbers.split(",") if one]
        if kind == "M":
            at = (values[0], values[1])
        elif kind == "l":
            at = (at[0] + values[0], at[1] + values[1])
        elif kind == "h":
            at = (at[0] + values[0], at[1])
        elif kind == "v":
            at = (at[0], at[1] + values[0])
        else:
            continue
        found.append(at)
    return found


@given(CORNERS)
def test_a_short_path_goes_where_the_long_one_went(corners: list[tuple[float, float]]) -> None:
    wanted = [(round(x * 10), round(y * 10)) for x, y in corners]
    got = corners_of(shorter(path_of(corners)))

    assert (got[0], got[-1]) == (wanted[0], wanted[-1])
    # What is left out lies on a level stretch between two corners that stay.
    left = iter(wanted)
    assert all(corner in left for corner in got)
    assert {y for _, y in got} == {y for _, y in wanted}
    assert (min(got)[0], max(got)[0]) == (min(wanted)[0], max(wanted)[0])


def test_a_level_stretch_has_two_ends_and_nothing_between() -> None:
    assert shorter("M0,10L1,10.04L2,10L3,9.96L4,20") == snapshot("M0,10h3l1,10")


def test_a_closed_area_stays_closed() -> None:
    assert shorter("M0,0L10,0L10,5Z") == snapshot("M0,0h10v5Z")


def test_other_drawings_only_lose_digits() -> None:
    assert shorter("M1.23456,2A3.99999,4,0,1,1,5,6") == snapshot("M1.2,2A3.9,4,0,1,1,5,6")
