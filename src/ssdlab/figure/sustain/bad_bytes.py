"""Map of what a sustained write found wrong when it read back (METHODS U): a lane a kind, from the first byte to the last."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.bundle.damage import DamagedFile
from ssdlab.bundle.model import Step, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.engine.sustain.bad_data import BAD_ADAPTER, BAD_FILE, BAD_RANGES_MAX, BadKind, BadRange
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import AxisUnit, PlotAxis, axis_title, linear_axis, size_unit
from ssdlab.figure.kit.layers import KEY_PREFIX, Layer
from ssdlab.figure.kit.model import Cell, Figure, FigureTable
from ssdlab.figure.kit.say import column, listed, say, sentences
from ssdlab.figure.kit.style import NARROW, SYMBOLS, WIDE, Ink, PlotShape, PlotSize, figure_spec, is_wide, series_ink
from ssdlab.figure.kit.subject import subtitle
from ssdlab.message import Message, message, number, size
from ssdlab.method.sustain import NAME

TITLE = message("figure-bad-title")
_LANE_PX = 58
_LANES_MAX = 8
_BAR = 0.24
"""Half the height of a range, of its lane's."""
_SYMBOLS_MAX = 40
"""In a lane; more would hide what they stand for."""
_LEAST_PX = 2.0
_ROWS_MAX = 200
_INKS: Mapping[BadKind, int] = {
    BadKind.ELSEWHERE: 1,
    BadKind.CORRUPTED: 2,
    BadKind.STALE: 3,
    BadKind.ZERO: 4,
    BadKind.FOREIGN: 5,
    BadKind.UNREADABLE: 6,
}


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """All ranges of one kind that one reading found."""

    reading: int
    kind: BadKind
    ranges: tuple[BadRange, ...]

    @property
    def slot(self) -> int:
        """Of its colour and its symbol."""
        return _INKS[self.kind]

    @property
    def length_bytes(self) -> int:
        """Of all ranges."""
        return sum(one.length_bytes for one in self.ranges)

    @property
    def words(self) -> str:
        """How much that is: `3 ranges, 12.0 MiB`."""
        count, length = len(self.ranges), size(self.length_bytes)
        if count == 1:
            return say(message("figure-bad-range", length=length))
        return say(message("figure-bad-ranges", count=number(count), length=length))

    @property
    def title(self) -> Message:
        """What is wrong."""
        match self.kind:
            case BadKind.ELSEWHERE:
                return message("figure-bad-elsewhere")
            case BadKind.CORRUPTED:
                return message("figure-bad-corrupted")
            case BadKind.STALE:
                return message("figure-bad-stale")
            case BadKind.ZERO:
                return message("figure-bad-zero")
            case BadKind.FOREIGN:
                return message("figure-bad-foreign")
            case BadKind.UNREADABLE:
                return message("figure-bad-unreadable")


def bad_bytes(bundle: Bundle) -> Figure | None:
    """The figure; None where nothing was found wrong."""
    found = bad_readings(bundle)
    lanes = _lanes(found)
    if not lanes:
        return None
    shown = lanes[:_LANES_MAX]
    unit = _unit(bundle, shown)
    return Figure(
        name="sustain-bad-bytes",
        title=say(TITLE),
        subtitle=subtitle(bundle, []),
        caption=_caption(lanes, found),
        spec=_spec(bundle, shown, unit, WIDE),
        narrow_spec=_spec(bundle, shown, unit, NARROW),
        table=_table(shown),
    )


def bad_readings(bundle: Bundle) -> dict[int, tuple[BadRange, ...]]:
    """What each reading found wrong, by its number; of those that found anything and whose list can be read."""
    found = {}
    for step in bundle.steps:
        reading = _reading(step)
        if reading is None or not bundle.holds(step, BAD_FILE):
            continue
        try:
            ranges = bundle.files.parsed(bundle.name(step, BAD_FILE), BAD_ADAPTER)
        except DamagedFile:
            continue
        if ranges:
            found[reading] = ranges
    return found


def _reading(step: Step) -> int | None:
    reading = step.name.removeprefix(f"{NAME}.verify")
    return int(reading) if reading.isdecimal() and step.status is StepStatus.FINISHED else None


def _lanes(found: Mapping[int, Sequence[BadRange]]) -> list[Lane]:
    """The latest reading first: what is wrong now matters most."""
    return [
        Lane(reading, kind, ranges)
        for reading in sorted(found, reverse=True)
        for kind in BadKind
        if (ranges := tuple(one for one in found[reading] if one.kind is kind))
    ]


def _unit(bundle: Bundle, lanes: Sequence[Lane]) -> AxisUnit:
    return size_unit(max(bundle.run.drive.capacity_bytes, *(_end(one) for one in lanes)))


def _end(lane: Lane) -> int:
    return max(one.offset_bytes + one.length_bytes for one in lane.ranges)


def _caption(lanes: Sequence[Lane], found: Mapping[int, Sequence[BadRange]]) -> str:
    told = [message("figure-bad-caption")]
    if any(one.kind is BadKind.ELSEWHERE for one in lanes):
        told.append(message("figure-bad-outlined"))
    if len(lanes) > _LANES_MAX:
        told.append(message("figure-bad-latest", shown=_LANES_MAX, count=len(lanes)))
    if any(len(ranges) >= BAD_RANGES_MAX for ranges in found.values()):
        told.append(message("figure-bad-kept", count=number(BAD_RANGES_MAX)))
    return sentences(*map(say, told))


def _spec(bundle: Bundle, lanes: Sequence[Lane], unit: AxisUnit, shape: PlotShape) -> dict[str, object]:
    capacity = max(bundle.run.drive.capacity_bytes, *(_end(one) for one in lanes))
    title = axis_title(message("figure-bad-place"), unit.label)
    x = linear_axis(title, capacity / unit.factor, shape.width_px, shape.x_ticks, round_up=False)
    plot = PlotSize(shape.width_px, _LANE_PX * len(lanes))
    y = _lane_axis(lanes, plot.height_px, shape)
    merged = [_columns(lane, x, unit) for lane in lanes]
    return figure_spec(
        shape,
        say(TITLE),
        subtitle(bundle, []),
        say(message("figure-bad-described", kinds=len(lanes))),
        [
            *_origin_layers(lanes, x, y, unit),
            _range_layer(lanes, merged, x, y),
            *_symbol_layers(lanes, merged, x, y),
            _text_layer(lanes, x, y, shape),
        ],
        plot,
    )


def _lane_axis(lanes: Sequence[Lane], length_px: int, shape: PlotShape) -> PlotAxis:
    """The first lane on top."""
    several = len({one.reading for one in lanes}) > 1
    names = [say(lane.title) for lane in lanes]
    if several and is_wide(shape):
        names = [say(message("figure-bad-of-reading", kind=lane.title, reading=lane.reading)) for lane in lanes]
    elif several:
        names = [f"{say(lane.title)} {lane.reading}" for lane in lanes]
    ticks = tuple(-float(index) for index in range(len(lanes)))
    labels = f"{json.dumps(names, ensure_ascii=False)}[-datum.value]"
    return PlotAxis(say(message("figure-bad-found")), -len(lanes) + 0.5, 0.5, ticks, length_px, label_expression=labels)


def _columns(lane: Lane, x: PlotAxis, unit: AxisUnit) -> NDArray[np.float64]:
    """Ranges as begin and end on the axis, neighbours that no eye could tell apart joined; shape (ranges, 2)."""
    begin = np.array([one.offset_bytes for one in lane.ranges], dtype=np.float64) / unit.factor
    end = begin + np.array([one.length_bytes for one in lane.ranges], dtype=np.float64) / unit.factor
    least = _LEAST_PX / x.length_px * (x.high - x.low)
    end = np.minimum(np.maximum(end, begin + least), x.high)
    begin = np.minimum(begin, end - least).clip(min=x.low)
    order = np.argsort(begin, kind="stable")
    begin, end = begin[order], np.maximum.accumulate(end[order])
    starts = np.flatnonzero(np.concatenate(([True], begin[1:] > end[:-1] + least / 2)))
    return np.column_stack((begin[starts], np.append(end[starts[1:] - 1], end[-1])))


def _range_layer(lanes: Sequence[Lane], merged: Sequence[NDArray[np.float64]], x: PlotAxis, y: PlotAxis) -> Layer:
    rows = [
        {
            "x": layers.short(begin),
            "x2": layers.short(end),
            "y": -index - _BAR,
            "y2": -index + _BAR,
            "ink": series_ink(lane.slot).value,
            "words": _described(lane, begin, end),
        }
        for index, (lane, ranges) in enumerate(zip(lanes, merged, strict=True))
        for begin, end in ranges
    ]
    encoding = {
        "x": x.encoding("x"),
        "x2": {"field": "x2"},
        "y": y.encoding("y"),
        "y2": {"field": "y2"},
        "fill": {"field": "ink", "type": "nominal", "scale": None},
        "description": {"field": "words"},
    }
    mark = {"type": "rect", "opacity": 0.75}
    return {"name": f"{KEY_PREFIX}ranges", "data": {"values": rows}, "mark": mark, "encoding": encoding}


def _described(lane: Lane, begin: float, end: float) -> str:
    range_ = message("figure-range", low=number(begin, ",.6g"), high=number(end, ",.6g"))
    return listed((say(lane.title), say(range_)))


def _origin_layers(lanes: Sequence[Lane], x: PlotAxis, y: PlotAxis, unit: AxisUnit) -> list[Layer]:
    rows = []
    for index, lane in enumerate(lanes):
        origins = tuple(
            BadRange(one.found_offset_bytes, one.length_bytes, one.kind, None, None, "")
            for one in lane.ranges
            if one.found_offset_bytes is not None and one.found_offset_bytes / unit.factor < x.high
        )
        if not origins:
            continue
        ink = series_ink(lane.slot).value
        for begin, end in _columns(Lane(lane.reading, lane.kind, origins), x, unit):
            rows.append(
                {"x": layers.short(begin), "x2": layers.short(end), "y": -index - _BAR, "y2": -index + _BAR, "ink": ink}
            )
    if not rows:
        return []
    mark = {"type": "rect", "fillOpacity": 0.0, "strokeWidth": 1.2, "strokeDash": [3, 2], "aria": False}
    encoding = {
        "x": x.encoding("x"),
        "x2": {"field": "x2"},
        "y": y.encoding("y"),
        "y2": {"field": "y2"},
        "stroke": {"field": "ink", "type": "nominal", "scale": None},
    }
    return [{"name": "origins", "data": {"values": rows}, "mark": mark, "encoding": encoding}]


def _symbol_layers(
    lanes: Sequence[Lane], merged: Sequence[NDArray[np.float64]], x: PlotAxis, y: PlotAxis
) -> Iterator[Layer]:
    """A symbol a kind, so that kinds are told apart without any colour."""
    for kind in dict.fromkeys(lane.kind for lane in lanes):
        rows = [
            {"x": layers.short(float(ranges[row].mean())), "y": -index, "ink": series_ink(lane.slot).value}
            for index, (lane, ranges) in enumerate(zip(lanes, merged, strict=True))
            if lane.kind is kind and len(ranges) <= _SYMBOLS_MAX
            for row in range(len(ranges))
        ]
        if not rows:
            continue
        shape = SYMBOLS[_INKS[kind] - 1]
        mark = {
            "type": "point",
            "shape": shape,
            "filled": True,
            "size": 90,
            "opacity": 1,
            "stroke": Ink.PAPER.value,
            "strokeWidth": 1.2,
            "aria": False,
        }
        encoding = {
            "x": x.encoding("x"),
            "y": y.encoding("y"),
            "fill": {"field": "ink", "type": "nominal", "scale": None},
        }
        yield {"name": f"symbols-{kind.value}", "data": {"values": rows}, "mark": mark, "encoding": encoding}


def _text_layer(lanes: Sequence[Lane], x: PlotAxis, y: PlotAxis, shape: PlotShape) -> Layer:
    """How much it is, at the upper edge of each lane."""
    rows = [{"x": x.low, "y": -index + 0.5, "text": lane.words} for index, lane in enumerate(lanes)]
    mark = {
        "type": "text",
        "align": "left",
        "baseline": "top",
        "dx": 4,
        "fontSize": shape.font_px - 2,
        "color": Ink.TEXT.value,
        "aria": False,
    }
    encoding = {"x": x.encoding("x"), "y": y.encoding("y"), "text": {"field": "text"}}
    return {"name": "amounts", "data": {"values": rows}, "mark": mark, "encoding": encoding}


def _table(lanes: Sequence[Lane]) -> FigureTable:
    rows: list[tuple[Cell, ...]] = [
        (
            lane.reading,
            say(lane.title),
            f"{one.offset_bytes:,}",
            f"{one.length_bytes:,}",
            "" if one.found_offset_bytes is None else f"{one.found_offset_bytes:,}",
            _of_pass(one),
        )
        for lane in lanes
        for one in lane.ranges
    ]
    if len(rows) > _ROWS_MAX:
        caption = message("figure-bad-table-first", shown=_ROWS_MAX, count=number(len(rows)), file=BAD_FILE)
    else:
        caption = message("figure-bad-table", file=BAD_FILE)
    return FigureTable(
        say(caption),
        (
            column(message("figure-bad-column-reading")),
            column(message("figure-bad-column-found")),
            column(message("figure-bad-column-begins"), "B"),
            column(message("figure-bad-column-length"), "B"),
            column(message("figure-bad-column-belongs"), "B"),
            column(message("figure-bad-column-more")),
        ),
        tuple(rows[:_ROWS_MAX]),
    )


def _of_pass(one: BadRange) -> str:
    if one.found_generation is None:
        return one.detail
    return say(message("figure-bad-of-pass", number=one.found_generation))
