"""Bars in groups, a line each, in one plot or in several beside each other with the same lines."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis, linear_axis
from ssdlab.figure.kit.layers import KEY_PREFIX, Layer
from ssdlab.figure.kit.place import line_height_px, text_width_px
from ssdlab.figure.kit.style import (
    PANEL_GAP_PX,
    Ink,
    Panel,
    PlotShape,
    fitted,
    is_wide,
    panels_spec,
    room_px,
    series_ink,
)

_ROW_PX = 25
"""Of a name that fits into one line."""
_BAR_PX = 18
_NAME_SHARE_MAX = 0.3


@dataclass(frozen=True, slots=True)
class GroupedBar:
    """One bar, in the unit of the axis."""

    value: float
    text: str
    """Stands at its end."""
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BarLine:
    """One line of the plots: the name of a group, or a bar of it with the name of its drive."""

    name: str
    bold: bool
    slot: int = 1
    opacity: float = 1.0
    bars: Mapping[str, GroupedBar]
    """By the plot it stands in; a group's name has none."""


@dataclass(frozen=True, slots=True)
class BarPlot:
    """One of the plots beside each other."""

    name: str
    """Stable; names its layers and is the key of its bars."""
    title: str
    axis: str
    least: float
    """The axis reaches at least so far."""


def grouped_spec(
    lines: Sequence[BarLine],
    plots: Sequence[BarPlot],
    shape: PlotShape,
    title: str,
    subtitle: tuple[str, ...],
    description: str,
) -> dict[str, Any]:
    """A figure of the lines in the order given, each bar with its value at its end."""
    names_px = _names_px(lines, shape)
    room = room_px(shape) - names_px
    gaps_px = (PANEL_GAP_PX + 10) * (len(plots) - 1)
    width_px = round((room - gaps_px) / len(plots) if is_wide(shape) else room)
    row_px = _row_px(lines, shape, names_px)
    panels = []
    for number, plot in enumerate(plots):
        x = _value_axis(lines, plot, shape, width_px)
        named = number == 0 or not is_wide(shape)
        y = _line_encoding(lines, shape, names_px if named else 0.0)
        drawn = _panel_layers(lines, plot, x, y, shape, _BAR_PX / row_px)
        panels.append(Panel(plot.title, width_px, row_px * len(lines), drawn))
    return panels_spec(shape, title, subtitle, description, panels)


def _names_px(lines: Sequence[BarLine], shape: PlotShape) -> float:
    widest = max(text_width_px(line.name, shape.font_px) for line in lines) * 1.06
    return min(widest, room_px(shape) * (_NAME_SHARE_MAX if is_wide(shape) else 0.45)) + 16


def _row_px(lines: Sequence[BarLine], shape: PlotShape, names_px: float) -> int:
    """Room for the name that takes most lines."""
    most = max(len(fitted(line.name, names_px, shape.font_px)) for line in lines)
    return _ROW_PX + (most - 1) * line_height_px(shape.font_px)


def _value_axis(lines: Sequence[BarLine], plot: BarPlot, shape: PlotShape, width_px: int) -> PlotAxis:
    found = [line.bars[plot.name] for line in lines if plot.name in line.bars]
    most = max([plot.least, *(bar.value for bar in found)])
    beyond_px = max((text_width_px(bar.text, shape.font_px) for bar in found), default=0.0) * 1.06 + 14
    high = most * width_px / max(width_px - beyond_px, 40)
    return linear_axis(plot.axis, high, width_px, max(2, width_px // 65), round_up=False)


def _panel_layers(
    lines: Sequence[BarLine], plot: BarPlot, x: PlotAxis, y: dict[str, Any], shape: PlotShape, thickness: float
) -> list[Layer]:
    found = [(number, line, line.bars[plot.name]) for number, line in enumerate(lines) if plot.name in line.bars]
    bars = [
        {
            "row": str(number),
            "x": layers.short(bar.value),
            "ink": series_ink(line.slot).value,
            "opacity": line.opacity,
            "words": bar.words,
        }
        for number, line, bar in found
    ]
    encoding = {
        "x": x.encoding("x"),
        "y": y,
        "fill": {"field": "ink", "type": "nominal", "scale": None},
        "fillOpacity": {"field": "opacity", "type": "quantitative", "scale": None},
        "description": {"field": "words"},
    }
    texts = [{"row": str(number), "x": layers.short(bar.value), "text": bar.text} for number, _, bar in found]
    label = {"type": "text", "align": "left", "baseline": "middle", "dx": 6, "fontSize": shape.font_px}
    ends = {"x": x.encoding("x"), "y": y, "text": {"field": "text"}}
    return [
        {
            "name": f"{KEY_PREFIX}{plot.name}",
            "data": {"values": bars},
            "mark": {"type": "bar", "height": {"band": round(thickness, 3)}},
            "encoding": encoding,
        },
        {
            "name": f"{plot.name}-values",
            "data": {"values": texts},
            "mark": {**label, "color": Ink.TEXT.value, "aria": False},
            "encoding": ends,
        },
    ]


def _line_encoding(lines: Sequence[BarLine], shape: PlotShape, names_px: float) -> dict[str, Any]:
    """One place a line; names beside it where there is room for them."""
    order = [str(number) for number in range(len(lines))]
    names = {
        number: fitted(line.name, max(names_px, 1.0), shape.font_px) for number, line in zip(order, lines, strict=True)
    }
    bold = [number for number, line in zip(order, lines, strict=True) if line.bold]
    axis = {
        "title": None,
        "values": order,
        "labelExpr": f"{json.dumps(names, ensure_ascii=False)}[datum.value]",
        "labelLimit": 0,
        "labelPadding": 7,
        "labelFontWeight": {
            "condition": {"test": f"indexof({json.dumps(bold)}, datum.value) >= 0", "value": "bold"},
            "value": "normal",
        },
        "grid": False,
        "ticks": False,
        "minExtent": 0,
    }
    # The plot on the right has the same lines as the one on the left.
    return {"field": "row", "type": "nominal", "scale": {"domain": order}, "axis": axis if names_px else None}
