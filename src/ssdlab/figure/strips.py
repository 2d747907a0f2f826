"""Strip plots of a batch: a line a number with a tick a drive, by how many times the median of all it is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

from ssdlab.figure.kit.layers import KEY_PREFIX
from ssdlab.figure.kit.model import Cell, Figure, FigureTable, VegaLite
from ssdlab.figure.kit.place import text_width_px
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, Ink, PlotShape, PlotSize, figure_spec
from ssdlab.message import Message, message
from ssdlab.units import format_quantity_short

_ROW_PX = 54
_TICK_PX = 14
_NAME_PX = 17
"""How far the name of a number stands above its ticks."""
_SERIAL_PX = 17
_ROOM = 1.02
_RATIO_MIN, _RATIO_MAX = 0.01, 100.0
"""What is farther from the median is drawn at the end of the axis."""
_TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)  # fmt: skip
_TICK_APART_PX = 44


@dataclass(frozen=True, slots=True)
class StripValue:
    """A number of one drive."""

    name: str
    """Of the drive, as it may stand in a picture."""
    value: float
    remark: Message | None
    """Why it stands out; None where it does not."""


@dataclass(frozen=True, slots=True)
class Strip:
    """A number of all drives."""

    metric: str
    unit: str
    middle: float
    """Median of all, more than 0."""
    values: tuple[StripValue, ...]
    bounds: tuple[float, ...]
    """Limits, in the unit."""


def strips_figure(strips: Sequence[Strip], about: tuple[str, ...], caption: str) -> Figure:
    """The figure.

    Args:
        strips: At least one, in the order from the top.
        about: Drives and method.
        caption: What stands out, and what is left out.
    """
    title = say(message("figure-strips-title"))
    return Figure(
        name="strips",
        title=title,
        subtitle=about,
        caption=sentences(say(message("figure-strips-caption")), caption),
        spec=_spec(strips, WIDE, title, about),
        narrow_spec=_spec(strips, NARROW, title, about),
        table=_table(strips),
    )


def _spec(strips: Sequence[Strip], shape: PlotShape, title: str, about: tuple[str, ...]) -> VegaLite:
    size = PlotSize(shape.width_px, _ROW_PX * len(strips))
    rows = [strip.metric for strip in strips]
    description = say(
        message("figure-strips-described", numbers=len(strips), drives=max(len(one.values) for one in strips))
    )
    x = _x(strips, shape)
    layers: list[dict[str, Any]] = [
        _layer("middle", [{"ratio": 1.0}], {"type": "rule", "color": Ink.AXIS.value, "strokeDash": [3, 3]}, x, None),
        _layer("limits", _bounds(strips), _tick(Ink.SERIES_3, 22, 3, 1.0), x, rows),
        _layer("drives", _ticks(strips), _tick(Ink.SERIES_1, _TICK_PX, 2, 0.45), x, rows),
        _layer(f"{KEY_PREFIX}odd", list(_odd(strips)), _tick(Ink.SERIES_2, 18, 4, 1.0), x, rows, described=True),
        _layer("names", _names(strips, rows), _text("left", -_NAME_PX, Ink.TEXT), None, rows),
        _layer("serials", _serials(strips, shape, x), _text("center", _SERIAL_PX, Ink.FAINT_TEXT), x, rows),
    ]
    return figure_spec(shape, title, about, description, [one for one in layers if one["data"]["values"]], size)


def _layer(
    name: str,
    values: list[dict[str, Any]],
    mark: dict[str, Any],
    x: dict[str, Any] | None,
    rows: list[str] | None,
    *,
    described: bool = False,
) -> dict[str, Any]:
    encoding: dict[str, Any] = {} if x is None else {"x": x}
    if rows is not None:
        encoding["y"] = {"field": "row", "type": "nominal", "sort": rows, "scale": {"domain": rows}, "axis": None}
    if mark["type"] == "text":
        encoding["text"] = {"field": "text", "type": "nominal"}
    if described:
        encoding["description"] = {"field": "words", "type": "nominal"}
    return {"name": name, "data": {"values": values}, "mark": mark, "encoding": encoding}


def _tick(ink: Ink, height_px: int, width_px: int, opacity: float) -> dict[str, Any]:
    # Ticks of Vega-Lite are rectangles; these are paths, as the marks that take the focus on a page.
    stroke = {"shape": "stroke", "stroke": ink.value, "strokeWidth": width_px, "angle": 90, "size": height_px**2}
    return {"type": "point", "filled": False, "opacity": opacity, "clip": False, **stroke}


def _text(align: str, down_px: int, ink: Ink) -> dict[str, Any]:
    base = {"type": "text", "align": align, "dy": down_px, "color": ink.value, "fontSize": 12, "limit": 0}
    return base | ({"x": 0} if align == "left" else {})


def _ratio(strip: Strip, value: float) -> float:
    return min(max(value / strip.middle, _RATIO_MIN), _RATIO_MAX)


def _ratios(strips: Sequence[Strip]) -> Iterator[float]:
    for strip in strips:
        yield from (_ratio(strip, one.value) for one in strip.values)
        yield from (_ratio(strip, bound) for bound in strip.bounds)


def _x(strips: Sequence[Strip], shape: PlotShape) -> dict[str, Any]:
    """Logarithmic: half and twice the median are as far from it."""
    ratios = list(_ratios(strips))
    low, high = min(*ratios, 1 / _ROOM) / _ROOM, max(*ratios, _ROOM) * _ROOM
    ticks: list[float] = []
    for tick in sorted((one for one in _TICKS if low <= one <= high), key=lambda one: (one != 1, abs(log(one)))):
        places = [_px(one, low, high, shape) for one in ticks]
        if all(abs(_px(tick, low, high, shape) - place) >= _TICK_APART_PX for place in places):
            ticks.append(tick)
    return {
        "field": "ratio",
        "type": "quantitative",
        "scale": {"type": "log", "domain": [low, high], "nice": False},
        "axis": {"title": say(message("figure-strips-axis")), "values": sorted(ticks), "format": "~g", "grid": True},
    }


def _px(ratio: float, low: float, high: float, shape: PlotShape) -> float:
    return shape.width_px * log(ratio / low) / log(high / low)


def _bounds(strips: Sequence[Strip]) -> list[dict[str, Any]]:
    return [{"row": strip.metric, "ratio": _ratio(strip, bound)} for strip in strips for bound in strip.bounds]


def _ticks(strips: Sequence[Strip]) -> list[dict[str, Any]]:
    return [
        {"row": strip.metric, "ratio": _ratio(strip, one.value)}
        for strip in strips
        for one in strip.values
        if one.remark is None
    ]


def _odd(strips: Sequence[Strip]) -> Iterator[dict[str, Any]]:
    for strip in strips:
        for one in strip.values:
            if one.remark is not None:
                words = say(
                    message(
                        "figure-strips-words",
                        drive=one.name,
                        metric=strip.metric,
                        value=format_quantity_short(one.value, strip.unit),
                        remark=one.remark,
                    )
                )
                yield {"row": strip.metric, "ratio": _ratio(strip, one.value), "words": words}


def _names(strips: Sequence[Strip], rows: Sequence[str]) -> list[dict[str, Any]]:
    """What is measured, with the median that all are set against."""
    return [
        {"row": row, "text": f"{strip.metric}  {format_quantity_short(strip.middle, strip.unit)}"}
        for strip, row in zip(strips, rows, strict=True)
    ]


def _serials(strips: Sequence[Strip], shape: PlotShape, x: dict[str, Any]) -> list[dict[str, Any]]:
    """Beside what stands out, as far as there is room: the farthest from the median first."""
    low, high = x["scale"]["domain"]
    found = []
    for strip in strips:
        taken: list[tuple[float, float]] = []
        standing_out = [one for one in strip.values if one.remark is not None]
        for one in sorted(standing_out, key=lambda one: -abs(log(_ratio(strip, one.value)))):
            ratio = _ratio(strip, one.value)
            half, at = text_width_px(one.name, 12) / 2 + 4, _px(ratio, low, high, shape)
            at = min(max(at, half), shape.width_px - half)
            if half * 2 <= shape.width_px and all(at + half <= left or at - half >= right for left, right in taken):
                taken.append((at - half, at + half))
                moved = low * (high / low) ** (at / shape.width_px)
                found.append({"row": strip.metric, "ratio": moved, "text": one.name})
    return found


def _table(strips: Sequence[Strip]) -> FigureTable:
    columns = (
        column(message("figure-strips-metric")),
        column(message("figure-drive")),
        column(message("figure-column-value")),
        column(message("figure-strips-axis"), "1"),
        column(message("figure-strips-remark")),
    )
    rows = tuple(_table_row(strip, one) for strip in strips for one in strip.values)
    return FigureTable(say(message("figure-strips-table")), columns, rows)


def _table_row(strip: Strip, one: StripValue) -> tuple[Cell, ...]:
    value, ratio = format_quantity_short(one.value, strip.unit), f"{one.value / strip.middle:.4g}"
    return strip.metric, one.name, value, ratio, "" if one.remark is None else say(one.remark)
