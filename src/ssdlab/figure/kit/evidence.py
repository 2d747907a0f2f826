"""What the figures of probes share: points measured, lines inferred, and places named on the horizontal axis."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis
from ssdlab.figure.kit.model import Figure, FigureTable
from ssdlab.figure.kit.place import Align, Placed, Spot, text_width_px
from ssdlab.figure.kit.say import say
from ssdlab.figure.kit.style import NARROW, WIDE, Ink, PlotShape, figure_spec, series_ink
from ssdlab.message import Message, message
from ssdlab.probe.answer import Answer
from ssdlab.probe.words import value_of
from ssdlab.unknown import Unknown

Floats = NDArray[np.float64]


class Stroke(Enum):
    """How a series is drawn."""

    POINTS = "points"
    LINE = "line"
    DASHED = "dashed"
    """What was inferred, over what was measured."""


@dataclass(frozen=True, slots=True, eq=False)
class PlotSeries:
    """Pairs of numbers in the units of the axes."""

    label: str
    slot: int
    x: Floats
    y: Floats
    stroke: Stroke = Stroke.POINTS
    point_px2: int = 16


@dataclass(frozen=True, slots=True)
class PlaceMark:
    """A place on the horizontal axis that was inferred, with its interval where it has one."""

    x: float
    words: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EvidencePlot:
    """A plot of evidence.

    Attributes:
        x: The horizontal axis for so many pixels and ticks.
        y: The vertical one.
    """

    x: Callable[[int, int], PlotAxis]
    y: Callable[[int, int], PlotAxis]
    series: Sequence[PlotSeries]
    marks: Sequence[PlaceMark] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PlotHeading:
    """What stands around a plot of evidence."""

    name: str
    title: str
    subtitle: tuple[str, ...]
    caption: str


def evidence_figure(heading: PlotHeading, plot: EvidencePlot, table: FigureTable) -> Figure:
    """A figure of one plot."""

    def build(shape: PlotShape) -> dict[str, Any]:
        drawn = _layers(plot, shape)
        return figure_spec(shape, heading.title, heading.subtitle, heading.caption, drawn)

    return Figure(
        name=heading.name,
        title=heading.title,
        subtitle=heading.subtitle,
        caption=heading.caption,
        spec=build(WIDE),
        narrow_spec=build(NARROW),
        table=table,
    )


def conclusion(answer: Answer, what: Message) -> str:
    """`what` with its value and grade, or why there is none."""
    if isinstance(answer.value, Unknown):
        return say(message("figure-not-identifiable", what=what, why=answer.value.reason))
    return say(message("figure-conclusion", what=what, value=value_of(answer), grade=answer.grade.value))


def _layers(plot: EvidencePlot, shape: PlotShape) -> list[layers.Layer]:
    x, y = plot.x(shape.width_px, shape.x_ticks), plot.y(shape.height_px, shape.y_ticks)
    legend = layers.legend_above([one.label for one in plot.series], shape)
    symbol = "circle" if any(one.stroke is Stroke.POINTS for one in plot.series) else "stroke"
    inks = {one.label: series_ink(one.slot).value for one in plot.series}
    colour = {
        "field": "label",
        "type": "nominal",
        "scale": {"domain": list(inks), "range": list(inks.values())},
        "legend": {**legend.encoding, "symbolType": symbol, "symbolSize": 90} if len(plot.series) > 1 else None,
    }
    drawn = [_interval(plot.marks, x)] if any(one.low is not None for one in plot.marks) else []
    drawn += [_series(number, one, x, y, colour) for number, one in enumerate(plot.series, start=1) if len(one.x)]
    return [*drawn, *_marks(plot.marks, x, y, shape)]


def _series(number: int, one: PlotSeries, x: PlotAxis, y: PlotAxis, colour: dict[str, Any]) -> layers.Layer:
    rows = [
        {"x": layers.short(at), "y": layers.short(value), "label": one.label}
        for at, value in zip(one.x, one.y, strict=True)
    ]
    mark = {**_STROKES[one.stroke], "aria": False}
    if one.stroke is Stroke.POINTS:
        mark["size"] = one.point_px2
    encoding = {"x": x.encoding("x"), "y": y.encoding("y"), "color": colour}
    return {
        "name": f"evidence-{number}",
        "data": {"values": rows},
        "mark": mark,
        "encoding": encoding,
    }


_STROKES: dict[Stroke, dict[str, Any]] = {
    Stroke.POINTS: {"type": "point", "filled": True, "opacity": 1},
    Stroke.LINE: {"type": "line", "strokeWidth": 1.7},
    Stroke.DASHED: {"type": "line", "strokeWidth": 1.8, "strokeDash": [6, 4]},
}


def _interval(marks: Sequence[PlaceMark], x: PlotAxis) -> layers.Layer:
    rows = [{"x": max(x.low, one.low), "x2": min(x.high, one.high or one.x)} for one in marks if one.low is not None]
    mark = {"type": "rect", "color": Ink.SHADE.value, "aria": False}
    encoding = {"x": x.encoding("x"), "x2": {"field": "x2"}}
    return {"name": "interval", "data": {"values": rows}, "mark": mark, "encoding": encoding}


def _marks(marks: Sequence[PlaceMark], x: PlotAxis, y: PlotAxis, shape: PlotShape) -> list[layers.Layer]:
    shown = [one for one in marks if x.low <= one.x <= x.high]
    if not shown:
        return []
    rows = [{"x": layers.short(one.x), "words": one.words} for one in shown]
    rule = {
        "name": f"{layers.KEY_PREFIX}marks",
        "data": {"values": rows},
        "mark": {"type": "rule", "color": Ink.TEXT.value, "strokeWidth": 1.2, "strokeDash": [5, 4]},
        "encoding": {"x": x.encoding("x"), "description": {"field": "words"}},
    }
    placed = [Placed((one.words,), _spot(float(x.px(one.x)), one.words, at, shape)) for at, one in enumerate(shown)]
    return [rule, *layers.text_layers(placed, x, y, shape)]


def _spot(x_px: float, words: str, row: int, shape: PlotShape) -> Spot:
    """Beside the rule, on the side that has room."""
    y_px = 12.0 + row * 20
    if x_px + 6 + text_width_px(words, shape.font_px) <= shape.width_px:
        return Spot(x_px + 6, y_px, Align.LEFT)
    return Spot(x_px - 6, y_px, Align.RIGHT)
