"""Map of what a sustained write found wrong when it read back (METHODS U): a lane a kind, from the first byte to the last."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from ssdlab.bundle.model import Step, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.engine.bad_data import BAD_ADAPTER, BAD_FILE, BAD_RANGES_MAX, BadKind, BadRange
from ssdlab.figure import layers
from ssdlab.figure.axis import Axis, AxisUnit, linear_axis, size_unit
from ssdlab.figure.layers import KEY_PREFIX, Layer
from ssdlab.figure.model import Cell, Column, Figure, Table
from ssdlab.figure.style import NARROW, SYMBOLS, WIDE, Ink, PlotSize, Shape, figure_spec, is_wide, series_ink
from ssdlab.figure.subject import subtitle
from ssdlab.method.sustain import NAME
from ssdlab.units import format_bytes

TITLE = "Where data was read back wrong"
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
        count = len(self.ranges)
        return f"{count:,} {'range' if count == 1 else 'ranges'}, {format_bytes(self.length_bytes)}"


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
        title=TITLE,
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
        number = _reading(step)
        path = bundle.directory(step) / BAD_FILE
        if number is None or not path.exists():
            continue
        try:
            ranges = BAD_ADAPTER.validate_json(path.read_bytes())
        except ValidationError:
            continue
        if ranges:
            found[number] = ranges
    return found


def _reading(step: Step) -> int | None:
    number = step.name.removeprefix(f"{NAME}.verify")
    return int(number) if number.isdecimal() and step.status is StepStatus.FINISHED else None


def _lanes(found: Mapping[int, Sequence[BadRange]]) -> list[Lane]:
    """The latest reading first: what is wrong now matters most."""
    return [
        Lane(number, kind, ranges)
        for number in sorted(found, reverse=True)
        for kind in BadKind
        if (ranges := tuple(one for one in found[number] if one.kind is kind))
    ]


def _unit(bundle: Bundle, lanes: Sequence[Lane]) -> AxisUnit:
    return size_unit(max(bundle.run.drive.capacity_bytes, *(_end(one) for one in lanes)))


def _end(lane: Lane) -> int:
    return max(one.offset_bytes + one.length_bytes for one in lane.ranges)


def _caption(lanes: Sequence[Lane], found: Mapping[int, Sequence[BadRange]]) -> str:
    said = [
        "A bar a range of bytes, at least two pixels wide; the symbol of a kind stands on each range where there are few."
    ]
    if any(one.kind is BadKind.ELSEWHERE for one in lanes):
        said.append("Outlined: where data belongs that was found elsewhere.")
    if len(lanes) > _LANES_MAX:
        said.append(f"Shown: the latest {_LANES_MAX} of {len(lanes)} kinds of readings.")
    if any(len(ranges) >= BAD_RANGES_MAX for ranges in found.values()):
        said.append(f"Of a reading the first {BAD_RANGES_MAX:,} ranges are kept.")
    return " ".join(said)


def _spec(bundle: Bundle, lanes: Sequence[Lane], unit: AxisUnit, shape: Shape) -> dict[str, object]:
    capacity = max(bundle.run.drive.capacity_bytes, *(_end(one) for one in lanes))
    x = linear_axis(
        f"place on the drive ({unit.label})", capacity / unit.factor, shape.width_px, shape.x_ticks, round_up=False
    )
    plot = PlotSize(shape.width_px, _LANE_PX * len(lanes))
    y = _lane_axis(lanes, plot.height_px, shape)
    merged = [_columns(lane, x, unit) for lane in lanes]
    return figure_spec(
        shape,
        TITLE,
        subtitle(bundle, []),
        f"Map of a drive with a lane for each of {len(lanes)} kinds of wrong data",
        [
            *_origin_layers(lanes, x, y, unit),
            _range_layer(lanes, merged, x, y),
            *_symbol_layers(lanes, merged, x, y),
            _text_layer(lanes, x, y, shape),
        ],
        plot,
    )


def _lane_axis(lanes: Sequence[Lane], length_px: int, shape: Shape) -> Axis:
    """The first lane on top."""
    several = len({one.reading for one in lanes}) > 1
    names = [f"{one.kind.value}, reading {one.reading}" if several else one.kind.value for one in lanes]
    if several and not is_wide(shape):
        names = [f"{one.kind.value} {one.reading}" for one in lanes]
    ticks = tuple(-float(index) for index in range(len(lanes)))
    labels = f"{json.dumps(names)}[-datum.value]"
    return Axis("what was found", -len(lanes) + 0.5, 0.5, ticks, length_px, label_expression=labels)


def _columns(lane: Lane, x: Axis, unit: AxisUnit) -> NDArray[np.float64]:
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


def _range_layer(lanes: Sequence[Lane], merged: Sequence[NDArray[np.float64]], x: Axis, y: Axis) -> Layer:
    rows = [
        {
            "x": layers.short(begin),
            "x2": layers.short(end),
            "y": -index - _BAR,
            "y2": -index + _BAR,
            "ink": series_ink(lane.slot).value,
            "words": f"{lane.kind.value}, {begin:,.6g} to {end:,.6g}",
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


def _origin_layers(lanes: Sequence[Lane], x: Axis, y: Axis, unit: AxisUnit) -> list[Layer]:
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


def _symbol_layers(lanes: Sequence[Lane], merged: Sequence[NDArray[np.float64]], x: Axis, y: Axis) -> Iterator[Layer]:
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


def _text_layer(lanes: Sequence[Lane], x: Axis, y: Axis, shape: Shape) -> Layer:
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


def _table(lanes: Sequence[Lane]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            lane.reading,
            lane.kind.value,
            f"{one.offset_bytes:,}",
            f"{one.length_bytes:,}",
            "" if one.found_offset_bytes is None else f"{one.found_offset_bytes:,}",
            _of_pass(one),
        )
        for lane in lanes
        for one in lane.ranges
    ]
    most = f"; the first {_ROWS_MAX} of {len(rows):,}" if len(rows) > _ROWS_MAX else ""
    return Table(
        f"A row a range of bytes{most}, all of them in `{BAD_FILE}` of the step",
        (
            Column("reading", ""),
            Column("found", ""),
            Column("begins at", "B"),
            Column("length", "B"),
            Column("belongs at", "B"),
            Column("more", ""),
        ),
        tuple(rows[:_ROWS_MAX]),
    )


def _of_pass(one: BadRange) -> str:
    return one.detail if one.found_generation is None else f"of pass {one.found_generation}"
