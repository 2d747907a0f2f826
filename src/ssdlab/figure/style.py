"""How every figure looks: size, type, colours, axes.

Colours are those of Okabe and Ito (2008), told apart by colour-blind readers. Small text always has the text colour, because
most of the palette has too little contrast for letters.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from ssdlab.figure.place import text_width_px

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
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


SERIES_INKS = (Ink.SERIES_1, Ink.SERIES_2, Ink.SERIES_3, Ink.SERIES_4)


@dataclass(frozen=True, slots=True)
class Shape:
    """Size of the plotting area, and what fits into it."""

    width_px: int
    height_px: int
    columns: int
    """Columns a series is cut into: more than pixels, for twice as sharp pictures."""
    x_ticks: int
    y_ticks: int
    font_px: int
    title_px: int


WIDE = Shape(width_px=860, height_px=400, columns=1290, x_ticks=10, y_ticks=7, font_px=13, title_px=18)
NARROW = Shape(width_px=280, height_px=280, columns=420, x_ticks=4, y_ticks=6, font_px=12, title_px=15)


def series_ink(slot: int) -> Ink:
    """Colour of the series in that slot, from 1; there are as many as a reader can tell apart."""
    return SERIES_INKS[(slot - 1) % len(SERIES_INKS)]


def figure_spec(
    shape: Shape, title: str, subtitle: tuple[str, ...], description: str, layers: list[dict[str, Any]]
) -> dict[str, Any]:
    """A complete specification around the layers of a figure."""
    room_px = shape.width_px + _AXIS_ROOM_PX
    return {
        "$schema": SCHEMA,
        "description": description,
        "width": shape.width_px,
        "height": shape.height_px,
        "title": {
            "text": fitted(title, room_px, shape.title_px),
            "subtitle": [line for one in subtitle for line in fitted(one, room_px, shape.font_px)],
        },
        "layer": layers,
        "config": _config(shape),
    }


def fitted(text: str, width_px: float, font_px: int) -> list[str]:
    """The text in lines no wider than that, broken between words."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and text_width_px(longer, font_px) > width_px:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _config(shape: Shape) -> dict[str, Any]:
    return {
        "font": FONT,
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
