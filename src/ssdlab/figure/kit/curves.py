"""Curves through few measured points: a line, a symbol at each point said in words, and its interval where there is one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np

from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import SHORT_NUMBERS, PlotAxis, axis_title, linear_axis, log_axis, log_title
from ssdlab.figure.kit.drives import Rank
from ssdlab.figure.kit.layers import KEY_PREFIX, Layer
from ssdlab.figure.kit.place import Align, Box, Outline, Placed, Spot, Wanted, outline, place
from ssdlab.figure.kit.readings import IOPS, SpeedUnit
from ssdlab.figure.kit.style import Ink, PlotShape, series_dash, series_ink, series_symbol
from ssdlab.message import Message

_LOG_FROM = 12.0
"""On a linear axis a drive that many times slower than the fastest has no shape left."""


LINE_WIDTHS = {Rank.COMPARED: 1.7, Rank.UNDER_TEST: 3.0}


class Trust(Enum):
    """Whether a point is what it should be."""

    SETTLED = "settled"
    DOUBTFUL = "doubtful"
    """Drawn hollow: its runs differ too much, or a check failed."""


class IntervalEnd(Enum):
    """One of the two, and the symbol of a bar that goes on there."""

    LOW = "triangle-down"
    HIGH = "triangle-up"


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One measured point, in the units of the axes."""

    x: float
    y: float
    words: str
    """What a screen reader says and a tooltip shows."""
    low: float | None = None
    high: float | None = None
    goes_on: frozenset[IntervalEnd] = frozenset()
    """Ends of the interval that lie beyond `low` or `high`: its bar ends there in an arrow."""
    trust: Trust = Trust.SETTLED
    remark: str = ""
    """Stands beside the point."""
    depth: int | None = None
    """Queue depth, where a remark tells it."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One line."""

    label: str
    slot: int
    rank: Rank
    points: tuple[CurvePoint, ...]
    path: tuple[tuple[float, float], ...] = ()
    """Where the line runs, if through more than its points."""

    @property
    def line(self) -> tuple[tuple[float, float], ...]:
        """What the line is drawn through, by ascending x."""
        return self.path or tuple(sorted((one.x, one.y) for one in self.points))


def speed_axis(title: Message, unit: SpeedUnit, curves: Iterable[Curve], shape: PlotShape, length_px: int) -> PlotAxis:
    """A vertical axis of speeds for all points: from 0, or logarithmic where the slowest would be lost at the bottom."""
    points = [point for curve in curves for point in curve.points]
    ends = [end for one in points for end in (one.y, one.low, one.high) if end is not None]
    values = [one.y for one in points]
    if min(values) > 0 and max(values) / min(values) > _LOG_FROM:
        low = max(min(ends), min(values) / 2)
        axis = log_axis(log_title(title, unit.label), low * 0.95, max(ends) * 1.05, length_px)
    else:
        high = max(max(ends) * 1.02, 1.0)
        axis = linear_axis(axis_title(title, unit.label), high, length_px, shape.y_ticks, round_up=True)
    return replace(axis, label_expression=SHORT_NUMBERS) if unit is IOPS else axis


def curve_layers(
    curves: Sequence[Curve],
    x: PlotAxis,
    y: PlotAxis,
    shape: PlotShape,
    legend: layers.Legend | None,
    name: str,
    taken: Sequence[Box] = (),
) -> list[Layer]:
    """Lines, intervals, symbols and remarks.

    Args:
        curves: Drawn in that order; those under test lie on top.
        x: Horizontal axis.
        y: Vertical axis.
        shape: For the size of letters.
        legend: None where another plot of the figure has it.
        name: Distinguishes the layers of several plots.
        taken: Where no remark may stand.
    """
    scales = _scales(curves, legend)
    shown = sorted(curves, key=lambda one: one.rank is Rank.UNDER_TEST)
    remarks = _remarks(shown, x, y, shape, taken)
    return [
        *_interval_layers(shown, x, y, name),
        *_line_layers(shown, x, y, scales, name),
        *_point_layers(shown, x, y, scales, name),
        *layers.text_layers(remarks, x, y, shape, name=f"{name}-remarks"),
    ]


def curve_outline(curve: Curve, x: PlotAxis, y: PlotAxis) -> Outline:
    """Where a curve is on screen."""
    at = x.px([one for one, _ in curve.line])
    height = y.length_px - y.px([one for _, one in curve.line])
    # Symbols are wider than the line.
    return outline(at, height - 6, height + 6, x.length_px)


def legend_beside(curves: Sequence[Curve], outlines: Sequence[Outline], shape: PlotShape) -> layers.Legend | None:
    """Where the legend goes; none for a single line, whose name is in the title."""
    if len(curves) == 1:
        return None
    return layers.legend_for([one.label for one in curves], outlines, [], shape)


def _scales(curves: Sequence[Curve], legend: layers.Legend | None) -> dict[str, Any]:
    ordered = sorted(curves, key=lambda one: one.slot)
    labels = [one.label for one in ordered]
    look = (
        None if legend is None else {**legend.encoding, "symbolSize": 110, "fillColor": Ink.PAPER.value, "padding": 4}
    )
    shared = {"field": "label", "type": "nominal"}
    return {
        "color": {
            **shared,
            "legend": look,
            "scale": {"domain": labels, "range": [series_ink(one.slot).value for one in ordered]},
        },
        "shape": {
            **shared,
            "legend": look,
            "scale": {"domain": labels, "range": [series_symbol(one.slot) for one in ordered]},
        },
        "strokeDash": {
            **shared,
            "legend": None,
            "scale": {"domain": labels, "range": [series_dash(one.slot) for one in ordered]},
        },
    }


def _line_layers(curves: Sequence[Curve], x: PlotAxis, y: PlotAxis, scales: dict[str, Any], name: str) -> list[Layer]:
    made = []
    for rank in (Rank.COMPARED, Rank.UNDER_TEST):
        rows = [
            {"x": layers.short(at), "y": layers.short(height), "label": curve.label}
            for curve in curves
            for at, height in curve.line
            if curve.rank is rank
        ]
        mark = {"type": "line", "strokeWidth": LINE_WIDTHS[rank], "strokeJoin": "round", "aria": False}
        encoding = {
            "x": x.encoding("x"),
            "y": y.encoding("y"),
            "color": scales["color"],
            "strokeDash": scales["strokeDash"],
            # As the rows come, not by ascending x: the line may turn back.
            "order": {"value": None},
        }
        word = rank.value.replace(" ", "-")
        if rows:
            made.append({"name": f"{name}-{word}", "data": {"values": rows}, "mark": mark, "encoding": encoding})
    return made


def _point_layers(curves: Sequence[Curve], x: PlotAxis, y: PlotAxis, scales: dict[str, Any], name: str) -> list[Layer]:
    every = [(curve.label, point) for curve in curves for point in curve.points]
    rows = [
        {"x": layers.short(point.x), "y": layers.short(point.y), "label": label, "words": point.words}
        for label, point in every
    ]
    mark = {"type": "point", "filled": True, "size": 70, "opacity": 1, "stroke": Ink.PAPER.value, "strokeWidth": 1}
    position = {"x": x.encoding("x"), "y": y.encoding("y")}
    encoding = {
        **position,
        "color": scales["color"],
        "shape": scales["shape"],
        "description": {"field": "words"},
    }
    made = [{"name": f"{KEY_PREFIX}{name}", "data": {"values": rows}, "mark": mark, "encoding": encoding}]
    holes = [row for row, (_, point) in zip(rows, every, strict=True) if point.trust is Trust.DOUBTFUL]
    if holes:
        hole = {"type": "point", "filled": True, "size": 22, "opacity": 1, "color": Ink.PAPER.value, "aria": False}
        made.append({"name": f"{name}-holes", "data": {"values": holes}, "mark": hole, "encoding": position})
    return made


def _interval_layers(curves: Sequence[Curve], x: PlotAxis, y: PlotAxis, name: str) -> list[Layer]:
    """A bar from one end of the interval to the other; one shorter than its symbol would only be a blot."""
    shown = [
        (point, point.low, point.high, series_ink(curve.slot).value)
        for curve in curves
        for point in curve.points
        if point.low is not None
        and point.high is not None
        and float(y.px(point.high)) - float(y.px(point.low)) > _SYMBOL_PX
    ]
    rows = [
        {
            "x": layers.short(point.x),
            "low": layers.short(max(low, y.low)),
            "high": layers.short(min(high, y.high)),
            "ink": ink,
        }
        for point, low, high, ink in shown
    ]
    if not rows:
        return []
    mark = {"type": "rule", "strokeWidth": 1.5, "aria": False}
    encoding = {
        "x": x.encoding("x"),
        "y": y.encoding("low"),
        "y2": {"field": "high"},
        "stroke": {"field": "ink", "type": "nominal", "scale": None},
    }
    return [
        {"name": f"{name}-intervals", "data": {"values": rows}, "mark": mark, "encoding": encoding},
        *_arrow_layers(shown, x, y, name),
    ]


def _arrow_layers(
    shown: Sequence[tuple[CurvePoint, float, float, str]], x: PlotAxis, y: PlotAxis, name: str
) -> list[Layer]:
    """The heads of bars that go on, but for those that leave the plot."""
    made = []
    for end in IntervalEnd:
        ends = [(point, low if end is IntervalEnd.LOW else high, ink) for point, low, high, ink in shown]
        rows = [
            {"x": layers.short(point.x), "y": layers.short(at), "ink": ink}
            for point, at, ink in ends
            if end in point.goes_on and y.low <= at <= y.high
        ]
        mark = {"type": "point", "filled": True, "shape": end.value, "size": 36, "opacity": 1, "aria": False}
        encoding = {
            "x": x.encoding("x"),
            "y": y.encoding("y"),
            "color": {"field": "ink", "type": "nominal", "scale": None},
        }
        if rows:
            layer = {"data": {"values": rows}, "mark": mark, "encoding": encoding}
            made.append({"name": f"{name}-arrows-{end.name.lower()}", **layer})
    return made


_SYMBOL_PX = 9.0


def _remarks(curves: Sequence[Curve], x: PlotAxis, y: PlotAxis, shape: PlotShape, taken: Sequence[Box]) -> list[Placed]:
    outlines = [curve_outline(curve, x, y) for curve in curves]
    wanted = [_beside(point, x, y) for curve in reversed(curves) for point in curve.points if point.remark]
    return place(wanted, outlines, taken, Box(0, 0, x.length_px, y.length_px), shape.font_px)


def _beside(point: CurvePoint, x: PlotAxis, y: PlotAxis) -> Wanted:
    """Over and under the point, near ones first."""
    at, height = float(x.px(point.x)), y.length_px - float(y.px(point.y))
    return tuple(
        Placed((point.remark,), Spot(at + aside, height + sign * distance, align))
        for distance in np.arange(16, 76, 6)
        for sign in (-1, 1)
        for aside, align in ((0, Align.CENTRE), (4, Align.LEFT), (-4, Align.RIGHT))
    )
