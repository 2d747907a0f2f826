"""How every figure looks: size, type, colours, axes.

Colours are those of Okabe and Ito (2008), told apart by colour-blind readers. Small text always has the text colour, because
most of the palette has too little contrast for letters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ssdlab.figure.kit.place import text_width_px
from ssdlab.figure.kit.say import font

_AXIS_ROOM_PX = 68
"""Room the labels and the title of the vertical axis take at least."""
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"


class Ink(Enum):
    """Everything that has a colour, and that colour on white; pages replace it when they are dark."""

    TEXT = "#1b1b1b"
    FAINT_TEXT = "#5c5c5c"
    GRID = "#e4e4e4"
    AXIS = "#858585"
    PAPER = "#fefefe"
    REST = "#8c8c8c"
    SHADE = "#eeeeee"
    SERIES_1 = "#0072b2"
    SERIES_2 = "#d55e00"
    SERIES_3 = "#009e73"
    SERIES_4 = "#cc79a7"
    # Not of the palette, whose other colours are too pale for lines on white: dark enough to stay apart by brightness alone.
    SERIES_5 = "#5c4400"
    SERIES_6 = "#4b2e83"
    HEAT_1 = "#fcae36"
    HEAT_2 = "#f2844b"
    HEAT_3 = "#e16462"
    HEAT_4 = "#cc4778"
    HEAT_5 = "#a82296"
    HEAT_6 = "#7201a8"
    HEAT_7 = "#360498"


HEAT_INKS = (Ink.HEAT_1, Ink.HEAT_2, Ink.HEAT_3, Ink.HEAT_4, Ink.HEAT_5, Ink.HEAT_6, Ink.HEAT_7)
"""From few to many; those of the colour map plasma (N. J. Smith and S. van der Walt, 2015), which orders by lightness."""

SERIES_INKS = (Ink.SERIES_1, Ink.SERIES_2, Ink.SERIES_3, Ink.SERIES_4, Ink.SERIES_5, Ink.SERIES_6)
SYMBOLS = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right", "triangle-left")
"""Told apart without any colour; as many as a reader can."""


@dataclass(frozen=True, slots=True)
class PlotShape:
    """Size of the plotting area, and what fits into it."""

    width_px: int
    height_px: int
    columns: int
    """Columns a series is cut into: more than pixels, for twice as sharp pictures."""
    x_ticks: int
    y_ticks: int
    font_px: int
    title_px: int


WIDE = PlotShape(width_px=860, height_px=400, columns=1290, x_ticks=10, y_ticks=7, font_px=13, title_px=18)
NARROW = PlotShape(width_px=280, height_px=280, columns=420, x_ticks=4, y_ticks=6, font_px=12, title_px=15)


def series_ink(slot: int) -> Ink:
    """Colour of the series in that slot, from 1."""
    return SERIES_INKS[(slot - 1) % len(SERIES_INKS)]


def series_symbol(slot: int) -> str:
    """Symbol of the series in that slot, from 1."""
    return SYMBOLS[(slot - 1) % len(SYMBOLS)]


def series_dash(slot: int) -> list[int]:
    """Whole lines for the first use of the colours, dashes for the second."""
    return [1, 0] if slot <= len(SERIES_INKS) else [7, 3]


@dataclass(frozen=True, slots=True)
class PlotSize:
    """Size of a plotting area that is not that of its shape."""

    width_px: int
    height_px: int


def figure_spec(
    shape: PlotShape,
    title: str,
    subtitle: tuple[str, ...],
    description: str,
    layers: list[dict[str, Any]],
    plot: PlotSize | None = None,
) -> dict[str, Any]:
    """A complete specification around the layers of a figure."""
    size = plot or PlotSize(shape.width_px, shape.height_px)
    return {
        "$schema": SCHEMA,
        "description": description,
        "width": size.width_px,
        "height": size.height_px,
        "title": _heading(shape, title, subtitle),
        "layer": layers,
        "config": _config(shape),
    }


@dataclass(frozen=True, slots=True)
class Panel:
    """One of several plots beside each other."""

    title: str
    width_px: int
    height_px: int
    layers: list[dict[str, Any]]


def panels_spec(
    shape: PlotShape, title: str, subtitle: tuple[str, ...], description: str, panels: Sequence[Panel]
) -> dict[str, Any]:
    """A complete specification of several plots: side by side, on a narrow screen one below the other."""
    views = [
        {
            "title": {
                "text": one.title,
                "fontSize": shape.font_px,
                "fontWeight": "bold",
                "frame": "group",
                "anchor": "start",
                "offset": 8,
            },
            "width": one.width_px,
            "height": one.height_px,
            "layer": one.layers,
        }
        for one in panels
    ]
    return {
        "$schema": SCHEMA,
        "description": description,
        "title": _heading(shape, title, subtitle),
        "hconcat" if is_wide(shape) else "vconcat": views,
        "spacing": PANEL_GAP_PX if is_wide(shape) else 24,
        # One legend for all plots.
        "resolve": {"scale": dict.fromkeys(("color", "shape", "strokeDash"), "shared")},
        "config": _config(shape),
    }


PANEL_GAP_PX = 26


def is_wide(shape: PlotShape) -> bool:
    """Whether plots have room beside each other."""
    return shape.width_px > 2 * NARROW.width_px


def panel_width_px(shape: PlotShape, count: int) -> int:
    """Width of the plotting area of each of so many panels."""
    if not is_wide(shape):
        return shape.width_px
    room_px = shape.width_px - (count - 1) * (PANEL_GAP_PX + _AXIS_ROOM_PX)
    return room_px // count


def room_px(shape: PlotShape) -> int:
    """Width of a figure with its vertical axis."""
    return shape.width_px + _AXIS_ROOM_PX


def _heading(shape: PlotShape, title: str, subtitle: tuple[str, ...]) -> dict[str, list[str]]:
    """The words over a figure, in lines that fit."""
    width_px = room_px(shape)
    return {
        "text": fitted(title, width_px, shape.title_px),
        "subtitle": [line for sentence in subtitle for line in fitted(sentence, width_px, shape.font_px)],
    }


def fitted(text: str, width_px: float, font_px: int) -> list[str]:
    """The text in lines no wider than that, broken between words, and within one that alone is wider."""
    lines = [""]
    for word in (part for whole in text.split(" ") for part in _pieces(whole, width_px, font_px)):
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and text_width_px(longer, font_px) > width_px:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _pieces(word: str, width_px: float, font_px: int) -> list[str]:
    pieces = [""]
    for letter in word:
        if pieces[-1] and text_width_px(pieces[-1] + letter, font_px) > width_px:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def _config(shape: PlotShape) -> dict[str, Any]:
    return {
        "font": font(),
        "background": None,
        "padding": 6,
        "view": {"stroke": None},
        "title": {
            "anchor": "start",
            "frame": "bounds",
            "fontSize": shape.title_px,
            "fontWeight": "bold",
            "color": Ink.TEXT.value,
            "subtitleFontSize": shape.font_px,
            "subtitleColor": Ink.FAINT_TEXT.value,
            "subtitlePadding": 5,
            "subtitleLineHeight": shape.font_px + 4,
            "lineHeight": shape.title_px + 4,
            "offset": 14,
        },
        "axis": {
            "labelFontSize": shape.font_px,
            "labelColor": Ink.TEXT.value,
            "titleFontSize": shape.font_px,
            "titleFontWeight": "normal",
            "titleColor": Ink.TEXT.value,
            "titlePadding": 8,
            "domainColor": Ink.AXIS.value,
            "tickColor": Ink.AXIS.value,
            "gridColor": Ink.GRID.value,
            "labelFlush": False,
        },
        "axisY": {"minExtent": _AXIS_ROOM_PX - 20},
        "legend": {
            "title": None,
            "labelFontSize": shape.font_px,
            "labelColor": Ink.TEXT.value,
            "labelLimit": 0,
            "symbolStrokeWidth": 3,
            "symbolSize": 260,
            "symbolOpacity": 1,
            "rowPadding": 5,
        },
    }
