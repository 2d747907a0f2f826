"""Labels stand where nothing else is."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ssdlab.figure.kit.place import Align, Box, Outline, Placed, Spot, box_of, is_cut_off, outline, place

BOUNDS = Box(0, 0, 400, 200)
FONT_PX = 13


def flat(y_px: float, width_px: int = 400) -> Outline:
    return outline(np.array([0.0, width_px - 1.0]), np.full(2, y_px), np.full(2, y_px), width_px)


def at(x_px: float, y_px: float, text: str = "label") -> Placed:
    return Placed((text,), Spot(x_px, y_px, Align.CENTRE))


def test_a_label_takes_the_first_place_that_is_free() -> None:
    choices = (at(200, 100), at(200, 150), at(200, 50))

    assert place([choices], [flat(100)], [], BOUNDS, FONT_PX) == [choices[1]]


def test_a_label_never_leaves_the_plot() -> None:
    assert place([(at(2, 50), at(200, 198), at(200, 50))], [], [], BOUNDS, FONT_PX) == [at(200, 50)]


def test_a_label_without_a_free_place_is_left_out() -> None:
    assert place([(at(200, 100),)], [flat(100)], [], BOUNDS, FONT_PX) == []


def test_labels_do_not_lie_on_each_other() -> None:
    assert place([(at(200, 50),), (at(205, 52), at(205, 90))], [], [], BOUNDS, FONT_PX) == [at(200, 50), at(205, 90)]


def test_a_single_dip_keeps_labels_away() -> None:
    x = np.arange(400, dtype=np.float64)
    bottom = np.full(400, 20.0)
    bottom[200] = 180.0

    curve = outline(x, np.full(400, 20.0), bottom, 400)

    assert curve.meets(box_of(("label",), Spot(205, 120, Align.CENTRE), FONT_PX))
    assert not curve.meets(box_of(("label",), Spot(300, 120, Align.CENTRE), FONT_PX))


def test_a_steep_flank_belongs_to_the_curve() -> None:
    cliff = outline(np.array([100.0, 101.0]), np.array([10.0, 190.0]), np.array([10.0, 190.0]), 400)

    assert cliff.meets(Box(100, 90, 102, 110))


def test_a_label_belongs_on_its_own_side_of_another_curve() -> None:
    other = [flat(90)]

    assert is_cut_off(Spot(200, 80, Align.CENTRE), 100, other)
    assert not is_cut_off(Spot(200, 120, Align.CENTRE), 100, other)


@given(
    st.lists(st.lists(st.tuples(st.floats(0, 400), st.floats(0, 200)), min_size=1, max_size=6), max_size=8),
    st.floats(0, 200),
)
def test_whatever_is_wanted_nothing_placed_collides(wanted: list[list[tuple[float, float]]], level_px: float) -> None:
    curve = flat(level_px)

    placed = place([tuple(at(*spot) for spot in spots) for spots in wanted], [curve], [], BOUNDS, FONT_PX)

    boxes = [box_of(one.lines, one.spot, FONT_PX) for one in placed]
    assert all(box.within(BOUNDS) and not curve.meets(box) for box in boxes)
    assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])
