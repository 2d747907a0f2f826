"""Placing labels where neither data nor another label is.

The renderer cannot do it (it has no canvas to measure on), so it is done here, in pixels of the plotting area: x to the right,
y downwards.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

GAP_PX = 5.0
_STEP_PX = 6
_FARTHEST_PX = 100
"""A label farther from what it names would be taken for another's."""


class Align(Enum):
    """Which point of a text stands at its position; Vega's words."""

    LEFT = "left"
    CENTRE = "center"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        """Whether the two share any area."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def within(self, other: "Box") -> bool:
        """Whether it lies wholly inside."""
        return (
            self.left >= other.left
            and self.right <= other.right
            and self.top >= other.top
            and self.bottom <= other.bottom
        )


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """Where a curve is: its highest and lowest point in each pixel column, NaN where there is none."""

    top: NDArray[np.float64]
    bottom: NDArray[np.float64]

    def meets(self, box: Box) -> bool:
        """Whether the curve passes through the box."""
        first, last = max(0, int(box.left)), min(len(self.top), int(np.ceil(box.right)))
        above, below = self.top[first:last], self.bottom[first:last]
        return bool(((above < box.bottom) & (below > box.top)).any())


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for a text: its vertical middle at `y_px`."""

    x_px: float
    y_px: float
    align: Align


Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """A text at its place."""

    lines: Lines
    spot: Spot


Wanted = tuple[Placed, ...]
"""The places one text may stand, perhaps in several forms, best first."""


def outline(x_px: NDArray[np.float64], top: NDArray[np.float64], bottom: NDArray[np.float64], width_px: int) -> Outline:
    """The curve through columns of a series, as seen on screen.

    Steep flanks between two neighbouring pixel columns belong to the curve: each column reaches to its neighbours.
    """
    pixels = np.arange(width_px, dtype=np.float64)
    if not len(x_px):
        nothing = np.full(width_px, np.nan)
        return Outline(nothing, nothing)
    cells = np.clip(x_px.astype(np.int64), 0, width_px - 1)
    high = np.interp(pixels, x_px, top, left=np.nan, right=np.nan)
    low = np.interp(pixels, x_px, bottom, left=np.nan, right=np.nan)
    np.fmin.at(high, cells, top)
    np.fmax.at(low, cells, bottom)
    return Outline(_over_neighbours(high, np.fmin), _over_neighbours(low, np.fmax))


def _over_neighbours(values: NDArray[np.float64], choose: np.ufunc) -> NDArray[np.float64]:
    padded = np.pad(values, 1, constant_values=np.nan)
    return np.asarray(choose(choose(padded[:-2], padded[1:-1]), padded[2:]), dtype=np.float64)


def text_width_px(text: str, font_px: int) -> float:
    """Width of a text, on the safe side for Liberation Sans and Arial, and for Hangul in any font."""
    narrow = sum(letter in " ,.:;il|'()/" for letter in text)
    hangul = sum("\uac00" <= letter <= "\ud7a3" for letter in text)
    return ((len(text) - narrow - hangul) * 0.58 + narrow * 0.31 + hangul * 0.95) * font_px


def line_height_px(font_px: int) -> int:
    """Distance between the lines of a label."""
    return font_px + 3


def box_of(lines: Lines, spot: Spot, font_px: int) -> Box:
    """The room a text takes, with a little air around it."""
    width = max(text_width_px(line, font_px) for line in lines)
    left = {Align.LEFT: spot.x_px, Align.CENTRE: spot.x_px - width / 2, Align.RIGHT: spot.x_px - width}[spot.align]
    half = font_px * 0.62 + (len(lines) - 1) / 2 * line_height_px(font_px)
    return Box(left - 3, spot.y_px - half, left + width + 3, spot.y_px + half)


def place(
    wanted: Iterable[Wanted], curves: Sequence[Outline], taken: Sequence[Box], bounds: Box, font_px: int
) -> list[Placed]:
    """Give each text the best of its places that is free; one that finds none is left out rather than laid over data."""
    boxes = list(taken)
    placed = []
    for choices in wanted:
        for choice in choices:
            box = box_of(choice.lines, choice.spot, font_px)
            if is_free(box, curves, boxes, bounds):
                boxes.append(box)
                placed.append(choice)
                break
    return placed


def is_free(box: Box, curves: Sequence[Outline], taken: Sequence[Box], bounds: Box) -> bool:
    """Whether nothing else is in that box."""
    free_of_boxes = not any(box.overlaps(other) for other in taken)
    return box.within(bounds) and free_of_boxes and not any(curve.meets(box) for curve in curves)


def after_end(right_px: float, level_px: float) -> tuple[Spot, ...]:
    """Places for the label of a level after its end, sinking."""
    return tuple(
        Spot(right_px + 2 * GAP_PX, level_px + distance, Align.LEFT) for distance in range(0, _FARTHEST_PX, _STEP_PX)
    )


def along(left_px: float, right_px: float, level_px: float) -> tuple[Spot, ...]:
    """Places for the label of a level over and under its stretch, near ones first."""
    distances = range(2 * _STEP_PX, _FARTHEST_PX, _STEP_PX)
    return tuple(
        spot
        for y_px in [level_px + sign * distance for distance in distances for sign in (-1, 1)]
        for spot in (
            Spot((left_px + right_px) / 2, y_px, Align.CENTRE),
            Spot(left_px + GAP_PX, y_px, Align.LEFT),
            Spot(right_px - GAP_PX, y_px, Align.RIGHT),
        )
    )


def is_cut_off(spot: Spot, level_px: float, others: Sequence[Outline]) -> bool:
    """Whether another curve runs between a place and the level it would name."""
    between = Box(spot.x_px - 1, min(spot.y_px, level_px), spot.x_px + 1, max(spot.y_px, level_px))
    return any(curve.meets(between) for curve in others)
