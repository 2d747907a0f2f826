"""The layers figures over time or bytes are made of.

Each layer has a name, so that what was rendered can be held against what was asked for. Layers that carry key values are
named `key-...`: their marks are described in words and can be reached with the keyboard.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from ssdlab.figure.kit.axis import PlotAxis
from ssdlab.figure.kit.decimate import Columns
from ssdlab.figure.kit.place import (
    GAP_PX,
    Box,
    Outline,
    Placed,
    is_free,
    line_height_px,
    outline,
    text_width_px,
)
from ssdlab.figure.kit.style import Ink, PlotShape, series_ink

Layer = dict[str, Any]
KEY_PREFIX = "key-"


class Halo(Enum):
    """What keeps grid lines off the letters of a label."""

    PAPER = "paper"
    NONE = "none"
    """For labels on a shade, where a halo would be a blot."""


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """One line of a figure, thinned, in the units of the axes."""

    label: str
    slot: int
    columns: Columns


@dataclass(frozen=True, slots=True)
class KeyLevel:
    """A horizontal stretch at a measured level."""

    left: float
    right: float
    level: float
    description: str
    """What a screen reader says and a tooltip shows."""


@dataclass(frozen=True, slots=True)
class KeyPoint:
    """A measured point."""

    x: float
    y: float
    slot: int
    description: str


@dataclass(frozen=True, slots=True)
class Legend:
    """Where the legend went."""

    encoding: dict[str, Any]
    boxes: tuple[Box, ...]
    """The room it takes inside the plotting area; none when it is above."""


def outlines(traces: Sequence[Trace], x: PlotAxis, y: PlotAxis) -> list[Outline]:
    """Where the data is on screen."""
    return [
        outline(
            x.px(trace.columns.x),
            y.length_px - y.px(trace.columns.high),
            y.length_px - y.px(trace.columns.low),
            x.length_px,
        )
        for trace in traces
    ]


def trace_layers(
    traces: Sequence[Trace], x: PlotAxis, y: PlotAxis, legend: Legend, name: str = "windows"
) -> list[Layer]:
    """A band from the smallest to the largest window of each column, and the mean through it."""
    color = _pass_colour(traces, legend)
    layers = []
    merged = [trace for trace in traces if trace.columns.merged]
    if merged:
        rows = [
            {"x": short(at), "low": short(low), "high": short(high), "label": trace.label}
            for trace in merged
            for at, low, high in zip(trace.columns.x, trace.columns.low, trace.columns.high, strict=True)
        ]
        # The outline keeps a dip of one window visible that the pale filling alone would lose.
        mark = {
            "type": "area",
            "opacity": 1,
            "fillOpacity": 0.3,
            "line": False,
            "strokeWidth": 0.8,
            "strokeOpacity": 0.75,
            "aria": False,
        }
        encoding = {"x": x.encoding("x"), "y": y.encoding("low"), "y2": {"field": "high"}}
        stroke = {"field": "label", "type": "nominal", "scale": color["scale"], "legend": None}
        layers.append(_layer(f"{name}-band", rows, mark, {**encoding, "color": color, "stroke": stroke}))
    rows = [
        {"x": short(at), "y": short(mean), "label": trace.label}
        for trace in traces
        for at, mean in zip(trace.columns.x, trace.columns.mean, strict=True)
    ]
    mark = {"type": "line", "strokeWidth": 1.7, "strokeJoin": "round", "aria": False}
    layers.append(_layer(f"{name}-mean", rows, mark, {"x": x.encoding("x"), "y": y.encoding("y"), "color": color}))
    return layers


def peak_layers(traces: Sequence[Trace], x: PlotAxis, y: PlotAxis) -> list[Layer]:
    """A thin line through the largest sample of each column."""
    rows = [
        {"x": short(at), "y": short(high), "label": trace.label}
        for trace in traces
        for at, high in zip(trace.columns.x, trace.columns.high, strict=True)
    ]
    if not rows:
        return []
    mark = {"type": "line", "strokeWidth": 0.7, "strokeJoin": "round", "opacity": 0.6, "aria": False}
    inks = {trace.label: series_ink(trace.slot).value for trace in traces}
    scale = {"domain": list(inks), "range": list(inks.values())}
    colour = {"field": "label", "type": "nominal", "scale": scale}
    return [_layer("peaks", rows, mark, {"x": x.encoding("x"), "y": y.encoding("y"), "color": colour})]


def shade_layers(stretches: Sequence[tuple[float, float]], x: PlotAxis, y: PlotAxis) -> list[Layer]:
    """Rests: a shaded stretch with a grey line along the bottom."""
    if not stretches:
        return []
    rows = [{"x": left, "x2": right, "y": y.low} for left, right in stretches]
    horizontal = {"x": x.encoding("x"), "x2": {"field": "x2"}}
    line = {"type": "rule", "color": Ink.REST.value, "strokeWidth": 4, "aria": False}
    return [
        *shades(stretches, x),
        _layer("rest-line", rows, line, {**horizontal, "y": y.encoding("y")}),
    ]


def shades(stretches: Sequence[tuple[float, float]], x: PlotAxis) -> list[Layer]:
    """Shaded stretches without a line."""
    if not stretches:
        return []
    rows = [{"x": left, "x2": right} for left, right in stretches]
    mark = {"type": "rect", "color": Ink.SHADE.value, "aria": False}
    return [_layer("rest-shade", rows, mark, {"x": x.encoding("x"), "x2": {"field": "x2"}})]


def level_layers(levels: Sequence[KeyLevel], x: PlotAxis, y: PlotAxis) -> list[Layer]:
    """Dashed lines at measured levels."""
    if not levels:
        return []
    rows = [
        {"x": short(one.left), "x2": short(one.right), "y": short(one.level), "words": one.description}
        for one in levels
    ]
    mark = {"type": "rule", "color": Ink.TEXT.value, "strokeWidth": 1.4, "strokeDash": [5, 4]}
    encoding = {"x": x.encoding("x"), "x2": {"field": "x2"}, "y": y.encoding("y"), "description": {"field": "words"}}
    return [_layer(f"{KEY_PREFIX}levels", rows, mark, encoding)]


def level_boxes(levels: Sequence[KeyLevel], x: PlotAxis, y: PlotAxis) -> list[Box]:
    """The room the dashed lines take, for labels to stay clear of."""
    boxes = []
    for one in levels:
        level_px = y.length_px - float(y.px(one.level))
        boxes.append(Box(float(x.px(one.left)), level_px - 2, float(x.px(one.right)), level_px + 2))
    return boxes


def point_layers(points: Sequence[KeyPoint], x: PlotAxis, y: PlotAxis) -> list[Layer]:
    """Discs at measured points."""
    if not points:
        return []
    rows = [
        {"x": short(one.x), "y": short(one.y), "ink": series_ink(one.slot).value, "words": one.description}
        for one in points
    ]
    mark = {"type": "point", "filled": True, "size": 80, "opacity": 1, "stroke": Ink.PAPER.value, "strokeWidth": 1.5}
    encoding = {
        "x": x.encoding("x"),
        "y": y.encoding("y"),
        "fill": {"field": "ink", "type": "nominal", "scale": None},
        "description": {"field": "words"},
    }
    return [_layer(f"{KEY_PREFIX}points", rows, mark, encoding)]


def text_layers(
    texts: Sequence[Placed], x: PlotAxis, y: PlotAxis, shape: PlotShape, halo: Halo = Halo.PAPER, name: str = "labels"
) -> list[Layer]:
    """Labels in the text colour."""
    layers = []
    for align in {one.spot.align: None for one in texts}:
        rows = [_text_row(one, x, y, shape) for one in texts if one.spot.align is align]
        base = {
            "type": "text",
            "align": align.value,
            "baseline": "middle",
            "fontSize": shape.font_px,
            "lineHeight": line_height_px(shape.font_px),
            "color": Ink.TEXT.value,
            "aria": False,
        }
        encoding = {"x": x.encoding("x"), "y": y.encoding("y"), "text": {"field": "text"}}
        if halo is Halo.PAPER:
            around = {"stroke": Ink.PAPER.value, "strokeWidth": 4, "strokeJoin": "round", "color": Ink.PAPER.value}
            layers.append(_layer(f"{name}-{align.value}-halo", rows, {**base, **around}, encoding))
            layers.append(_layer(f"{name}-{align.value}", rows, base, encoding))
        else:
            layers.append(_layer(f"shade-{name}-{align.value}", rows, base, encoding))
    return layers


def legend_for(labels: Sequence[str], curves: Sequence[Outline], taken: Sequence[Box], shape: PlotShape) -> Legend:
    """The legend in a corner where the data never goes; above the plot when there is no such corner."""
    width = 34 + max(text_width_px(label, shape.font_px) for label in labels)
    height = len(labels) * (shape.font_px + 11) + 2
    bounds = Box(0, 0, shape.width_px, shape.height_px)
    lefts = (shape.width_px - width - GAP_PX, (shape.width_px - width) / 2, 3 * GAP_PX)
    tops = (2 * GAP_PX, shape.height_px - height - 3 * GAP_PX)
    for left, top in [(left, top) for top in tops for left in lefts]:
        box = Box(left - GAP_PX, top - GAP_PX, left + width, top + height + GAP_PX)
        if is_free(box, curves, taken, bounds):
            return Legend(
                {"orient": "none", "legendX": round(left), "legendY": round(top), "direction": "vertical"}, (box,)
            )
    return legend_above(labels, shape)


NO_LEGEND = Legend({"disable": True}, ())


_ABOVE_PX = 14
"""Between the legend and what is below it, so that the title of a panel is not read as one more of its rows."""


def legend_above(labels: Sequence[str], shape: PlotShape) -> Legend:
    """The legend above the plot, in as many columns as there is room for."""
    column = 54 + max(text_width_px(label, shape.font_px) for label in labels)
    columns = max(1, int((shape.width_px + 40) / column))
    return Legend({"orient": "top", "direction": "horizontal", "columns": columns, "offset": _ABOVE_PX}, ())


def _text_row(one: Placed, x: PlotAxis, y: PlotAxis, shape: PlotShape) -> dict[str, Any]:
    # Vega puts the first line at the position; the spot is the middle of all lines.
    first_px = one.spot.y_px - (len(one.lines) - 1) / 2 * line_height_px(shape.font_px)
    return {
        "x": short(x.value(one.spot.x_px)),
        "y": short(y.value(y.length_px - first_px)),
        "text": one.lines[0] if len(one.lines) == 1 else list(one.lines),
    }


def _pass_colour(traces: Sequence[Trace], legend: Legend) -> dict[str, Any]:
    by_label = {trace.label: series_ink(trace.slot).value for trace in traces}
    return {
        "field": "label",
        "type": "nominal",
        "scale": {"domain": list(by_label), "range": list(by_label.values())},
        "legend": {**legend.encoding, "symbolType": "stroke"},
    }


def _layer(name: str, rows: list[dict[str, Any]], mark: dict[str, Any], encoding: dict[str, Any]) -> Layer:
    return {"name": name, "data": {"values": rows}, "mark": mark, "encoding": encoding}


def short(value: float | np.floating[Any]) -> float:
    """Rounded: six digits are finer than a pixel; more would only make the page heavy."""
    return float(f"{value:.6g}")
