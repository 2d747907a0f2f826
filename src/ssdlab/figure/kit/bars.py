"""Horizontal bars, one a drive, the best on top: how drives rank by one number."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis, linear_axis
from ssdlab.figure.kit.drives import Rank
from ssdlab.figure.kit.layers import KEY_PREFIX, Layer
from ssdlab.figure.kit.place import text_width_px
from ssdlab.figure.kit.say import say
from ssdlab.figure.kit.style import Ink, PlotShape, PlotSize, figure_spec, fitted, is_wide, room_px, series_ink
from ssdlab.message import message

_BAR_STEP_PX = 36
_TEXT_GAP_PX = 8
_LABEL_SHARE_MAX = 0.38
"""Of the width of a figure, for the names of the drives."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, in the unit of the axis."""

    label: str
    slot: int
    rank: Rank
    value: float
    text: str
    """Stands at its end."""
    words: str
    low: float | None = None
    high: float | None = None

    @property
    def end(self) -> float:
        """Where bar and interval end."""
        return self.value if self.high is None else max(self.value, self.high)


def bar_spec(
    bars: Sequence[Bar], x_title: str, shape: PlotShape, title: str, subtitle: tuple[str, ...], description: str
) -> dict[str, object]:
    """A figure of bars in the order given, each with its value at its end."""
    names = _names(bars, shape)
    plot = PlotSize(round(room_px(shape) - _names_width_px(names, shape)), _step_px(names, shape) * len(bars))
    x = _value_axis(bars, x_title, shape, plot.width_px)
    return figure_spec(shape, title, subtitle, description, bar_layers(bars, names, x, shape), plot)


def bar_layers(bars: Sequence[Bar], names: dict[str, list[str]], x: PlotAxis, shape: PlotShape) -> list[Layer]:
    """Bars, their intervals and the values at their ends."""
    y = _name_encoding(bars, names)
    rows = [
        {
            "name": one.label,
            "x": layers.short(one.value),
            "ink": series_ink(one.slot).value,
            "opacity": 1.0 if len(bars) == 1 else one.rank.opacity,
            "words": one.words,
        }
        for one in bars
    ]
    encoding = {
        "x": x.encoding("x"),
        "y": y,
        "fill": {"field": "ink", "type": "nominal", "scale": None},
        "fillOpacity": {"field": "opacity", "type": "quantitative", "scale": None},
        "description": {"field": "words"},
    }
    bar = {"type": "bar", "height": {"band": 0.62}}
    return [
        {"name": f"{KEY_PREFIX}bars", "data": {"values": rows}, "mark": bar, "encoding": encoding},
        *_interval_layers(bars, x, y),
        *_text_layers(bars, x, y, shape),
    ]


def _interval_layers(bars: Sequence[Bar], x: PlotAxis, y: dict[str, Any]) -> list[Layer]:
    rows = [
        {"name": one.label, "low": layers.short(one.low), "high": layers.short(one.high)}
        for one in bars
        if one.low is not None and one.high is not None and float(x.px(one.high)) - float(x.px(one.low)) > 1
    ]
    if not rows:
        return []
    mark = {"type": "rule", "color": Ink.TEXT.value, "strokeWidth": 1.6, "aria": False}
    encoding = {"x": x.encoding("low"), "x2": {"field": "high"}, "y": y}
    return [{"name": "intervals", "data": {"values": rows}, "mark": mark, "encoding": encoding}]


def _text_layers(bars: Sequence[Bar], x: PlotAxis, y: dict[str, Any], shape: PlotShape) -> list[Layer]:
    made = []
    for rank in Rank:
        rows = [{"name": one.label, "x": layers.short(one.end), "text": one.text} for one in bars if one.rank is rank]
        if not rows:
            continue
        mark = {
            "type": "text",
            "align": "left",
            "baseline": "middle",
            "dx": _TEXT_GAP_PX,
            "fontSize": shape.font_px,
            "fontWeight": "bold" if rank is Rank.UNDER_TEST else "normal",
            "color": Ink.TEXT.value,
            "aria": False,
        }
        encoding = {"x": x.encoding("x"), "y": y, "text": {"field": "text"}}
        name = f"values-{rank.name.lower().replace('_', '-')}"
        made.append({"name": name, "data": {"values": rows}, "mark": mark, "encoding": encoding})
    return made


def _value_axis(bars: Sequence[Bar], title: str, shape: PlotShape, length_px: int) -> PlotAxis:
    """From 0, with room for the values beyond the bars."""
    beyond_px = max(text_width_px(one.text, shape.font_px + 1) for one in bars) + 2 * _TEXT_GAP_PX
    high = max(one.end for one in bars) * length_px / (length_px - beyond_px)
    return linear_axis(title, high, length_px, max(2, length_px // 110), round_up=False)


def _names(bars: Sequence[Bar], shape: PlotShape) -> dict[str, list[str]]:
    """The names in as many lines as they need."""
    width_px = room_px(shape) * _LABEL_SHARE_MAX
    # Half a pixel a letter more: that of the drive under test is bold.
    return {one.label: fitted(one.label, width_px / 1.06, shape.font_px) for one in bars}


def _names_width_px(names: dict[str, list[str]], shape: PlotShape) -> float:
    lines = [line for one in names.values() for line in one]
    return max(text_width_px(line, shape.font_px) for line in lines) * 1.06 + 34


def _step_px(names: dict[str, list[str]], shape: PlotShape) -> int:
    lines = max(len(one) for one in names.values())
    return max(_BAR_STEP_PX if is_wide(shape) else 30, lines * (shape.font_px + 4) + 8)


def _name_encoding(bars: Sequence[Bar], names: dict[str, list[str]]) -> dict[str, Any]:
    order = [one.label for one in bars]
    broken = {name: lines for name, lines in names.items() if len(lines) > 1}
    under_test = [one.label for one in bars if one.rank is Rank.UNDER_TEST]
    return {
        "field": "name",
        "type": "nominal",
        "scale": {"domain": order},
        "axis": {
            "title": say(message("figure-drive")),
            "values": order,
            "labelExpr": f"{_literal(broken)}[datum.value] || datum.value",
            "labelLimit": 0,
            "labelFontWeight": {
                "condition": {"test": f"indexof({_literal(under_test)}, datum.value) >= 0", "value": "bold"},
                "value": "normal",
            },
            "grid": False,
            "ticks": False,
            "domain": True,
            "minExtent": 0,
            "labelPadding": 7,
        },
    }


def _literal(value: object) -> str:
    """A value in the language of Vega's expressions, which is that of JSON."""
    return json.dumps(value, ensure_ascii=False)
