"""Labels close to the points of lines that may turn back, as those of 2-in-1 figures do."""

from collections.abc import Sequence
from math import dist

import numpy as np
from numpy.typing import NDArray

from ssdlab.figure.kit.axis import PlotAxis
from ssdlab.figure.kit.curves import Curve, CurvePoint
from ssdlab.figure.kit.place import Align, Box, Outline, Placed, Spot, Wanted, box_of, place
from ssdlab.figure.kit.style import PlotShape

_Spot = tuple[float, float]
"""Pixels to the right and down."""

_SYMBOL_PX = 5.0
_REACHES_PX = (12.0, 16.0)
"""A label farther off could be taken for that of a neighbour."""


def path_outline(curve: Curve, x: PlotAxis, y: PlotAxis) -> Outline:
    """The highest and lowest point of a line in each pixel column, in whatever direction it runs."""
    at = x.px([one for one, _ in curve.line])
    height = y.length_px - y.px([one for _, one in curve.line])
    nothing = np.full(x.length_px, np.nan)
    top, bottom = nothing, nothing.copy()
    for column, level in _along(at, height):
        cells = np.clip(column.astype(np.int64), 0, x.length_px - 1)
        np.fmin.at(top, cells, level - _SYMBOL_PX)
        np.fmax.at(bottom, cells, level + _SYMBOL_PX)
    return Outline(top, bottom)


def point_labels(
    curves: Sequence[Curve], x: PlotAxis, y: PlotAxis, shape: PlotShape, taken: Sequence[Box]
) -> list[Placed]:
    """The remarks of the points right beside them, those of the first curve first; one that finds no room is left out."""
    outlines = [path_outline(curve, x, y) for curve in curves]
    symbols = [_symbol(point, x, y) for curve in curves for point in curve.points]
    spots = [_spot_px(point, x, y) for curve in curves for point in curve.points]
    wanted = [
        _unmistakable(_around(point, x, y), _spot_px(point, x, y), spots, shape) for point in _said_once(curves, x, y)
    ]
    bounds = Box(0, 0, x.length_px, y.length_px)
    return place(wanted, outlines, [*taken, *symbols], bounds, shape.font_px)


def _unmistakable(choices: Wanted, own: _Spot, spots: Sequence[_Spot], shape: PlotShape) -> Wanted:
    """The places that no other point is nearer to."""
    others = np.array([one for one in spots if dist(one, own) >= 2 * _SYMBOL_PX]).reshape(-1, 2)
    boxes = [box_of(one.lines, one.spot, shape.font_px) for one in choices]
    return tuple(
        one
        for one, box in zip(choices, boxes, strict=True)
        if (_distances(box, others) > _distances(box, np.array([own]))).all()
    )


def _distances(box: Box, spots: NDArray[np.float64]) -> NDArray[np.float64]:
    """From the box to each spot, of which a row has two numbers; pixels."""
    across = np.maximum(np.maximum(box.left - spots[:, 0], spots[:, 0] - box.right), 0)
    down = np.maximum(np.maximum(box.top - spots[:, 1], spots[:, 1] - box.bottom), 0)
    return np.asarray(np.hypot(across, down), dtype=np.float64)


def _said_once(curves: Sequence[Curve], x: PlotAxis, y: PlotAxis) -> list[CurvePoint]:
    """The points that get a label, in order: where two lines meet at one depth, one label says it for both."""
    chosen: list[CurvePoint] = []
    for point in (point for curve in curves for point in _ends_first(curve.points) if point.remark):
        if not any(other.depth == point.depth and _are_one_spot(other, point, x, y) for other in chosen):
            chosen.append(point)
    return chosen


def _are_one_spot(one: CurvePoint, other: CurvePoint, x: PlotAxis, y: PlotAxis) -> bool:
    return dist(_spot_px(one, x, y), _spot_px(other, x, y)) < 2 * _SYMBOL_PX


def _along(
    at: NDArray[np.float64], height: NDArray[np.float64]
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Every pixel of every stretch of a line."""
    if len(at) == 1:
        return [(at, height)]
    made = []
    for begin in range(len(at) - 1):
        steps = int(max(abs(at[begin + 1] - at[begin]), abs(height[begin + 1] - height[begin]))) + 2
        made.append(
            (np.linspace(at[begin], at[begin + 1], steps), np.linspace(height[begin], height[begin + 1], steps))
        )
    return made


def _ends_first(points: Sequence[CurvePoint]) -> list[CurvePoint]:
    return [*points[:1], *points[-1:], *points[1:-1]] if len(points) > 1 else list(points)


def _spot_px(point: CurvePoint, x: PlotAxis, y: PlotAxis) -> _Spot:
    return float(x.px(point.x)), y.length_px - float(y.px(point.y))


def _symbol(point: CurvePoint, x: PlotAxis, y: PlotAxis) -> Box:
    at, height = _spot_px(point, x, y)
    return Box(at - _SYMBOL_PX, height - _SYMBOL_PX, at + _SYMBOL_PX, height + _SYMBOL_PX)


def _around(point: CurvePoint, x: PlotAxis, y: PlotAxis) -> Wanted:
    """Below and to the right first, where lines that bend upwards leave room."""
    at, height = _spot_px(point, x, y)
    return tuple(
        Placed((point.remark,), Spot(at + right * reach, height + down * reach, align))
        for reach in _REACHES_PX
        for right, down, align in (
            (0.6, 0.9, Align.LEFT),
            (0.0, 1.1, Align.CENTRE),
            (0.9, 0.0, Align.LEFT),
            (-0.6, -0.9, Align.RIGHT),
            (0.0, -1.1, Align.CENTRE),
            (-0.9, 0.0, Align.RIGHT),
            (0.6, -0.9, Align.LEFT),
            (-0.6, 0.9, Align.RIGHT),
        )
    )
