"""The figures of a trace: where it reads and writes when, how much, in which sizes, and how soon it comes back.

Pure: a profile and a picture of a trace in, figures out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ssdlab.engine.result import Direction
from ssdlab.figure.kit.axis import AxisUnit, PlotAxis, axis_title, clock_unit, linear_axis, size_unit
from ssdlab.figure.kit.grouped_bars import BarLine, BarPlot, GroupedBar, grouped_spec
from ssdlab.figure.kit.heat_map import count_classes
from ssdlab.figure.kit.layers import Layer, short
from ssdlab.figure.kit.model import AxisScale, Figure, FigureTable
from ssdlab.figure.kit.over_time import OverTimeLine, OverTimePlot, OverTimeWords, over_time_figure
from ssdlab.figure.kit.say import column, say
from ssdlab.figure.kit.stack import StackedPlot, stacked_spec
from ssdlab.figure.kit.style import HEAT_INKS, NARROW, WIDE, Ink, PlotShape
from ssdlab.figure.kit.subject import direction_message
from ssdlab.message import Message, duration, message, number, size, verbatim
from ssdlab.trace.look import TraceCell, TracePicture, TraceProfile
from ssdlab.units import NS_PER_S, format_bytes

_LEGEND_PX = 130
_MB = 1e6
_SHARE = "share"
"""Name of the only plot of bars."""
_SIZES_MAX = 6
"""Of reads and of writes each."""
_KINDS = (("read", Direction.READ, 1), ("write", Direction.WRITE, 2))


def trace_figures(profile: TraceProfile, picture: TracePicture) -> Iterator[Figure]:
    """Those that the trace has something for: all but the first need times, or blocks that are touched again."""
    if picture.read or picture.write:
        yield _places_figure(picture)
    if picture.column_ns is not None:
        yield _over_time_figure(picture, picture.column_ns)
    bars = [*_size_bars(profile)]
    if bars:
        yield _bar_figure("sizes", bars)
    bars = [*_reuse_bars(profile)]
    if bars:
        yield _bar_figure("reuse", bars)


def _places_figure(picture: TracePicture) -> Figure:
    title = say(message("trace-figure-places-title"))
    subtitle = (say(_cell_words(picture)),)
    return Figure(
        name="places",
        title=title,
        subtitle=subtitle,
        caption=say(message("trace-figure-places-caption")),
        spec=_places_spec(picture, replace(WIDE, width_px=WIDE.width_px - _LEGEND_PX), title, subtitle),
        narrow_spec=_places_spec(picture, NARROW, title, subtitle),
        table=_places_table(picture),
    )


def _cell_words(picture: TracePicture) -> Message:
    if picture.column_ns is None:
        return message("trace-figure-cell-ios", ios=number(picture.column_ios or 0), size=size(picture.row_bytes))
    return message("trace-figure-cell", length=duration(picture.column_ns), size=size(picture.row_bytes))


def _drawn(picture: TracePicture) -> list[tuple[Message, tuple[TraceCell, ...]]]:
    cells = {Direction.READ: picture.read, Direction.WRITE: picture.write}
    return [(direction_message(direction), cells[direction]) for _, direction, _ in _KINDS if cells[direction]]


def _places_spec(picture: TracePicture, shape: PlotShape, title: str, subtitle: tuple[str, ...]) -> dict[str, Any]:
    drawn = _drawn(picture)
    if len(drawn) > 1:
        shape = replace(shape, height_px=shape.height_px * 3 // 5)
    classes = count_classes(max(cell.ios for _, cells in drawn for cell in cells))
    x, y = _time_axis(picture, shape), _place_axis(picture, shape)
    panels = [
        StackedPlot(what, [_cells(picture, cells, x, y, classes, _legend(shape, classes) if place == 0 else None)])
        for place, (what, cells) in enumerate(drawn)
    ]
    return stacked_spec(shape, title, subtitle, say(message("trace-figure-places-described")), panels)


def _time_unit(picture: TracePicture) -> AxisUnit:
    """Of the columns: of time, or of I/Os where no times are known."""
    if picture.column_ns is None:
        return AxisUnit("", 1 / (picture.column_ios or 1))
    unit = clock_unit(picture.column_ns * len(picture.columns))
    return AxisUnit(unit.label, unit.factor / picture.column_ns)


def _time_axis(picture: TracePicture, shape: PlotShape) -> PlotAxis:
    unit = _time_unit(picture)
    what = message("trace-figure-time") if picture.column_ns is not None else message("trace-figure-order")
    title = axis_title(what, unit.label) if unit.label else say(what)
    return linear_axis(title, len(picture.columns) / unit.factor, shape.width_px, shape.x_ticks, round_up=False)


def _place_axis(picture: TracePicture, shape: PlotShape) -> PlotAxis:
    unit, rows = _place_unit(picture), _rows(picture)
    what = message("trace-figure-place-from", begin=size(picture.begin_bytes))
    high = rows * picture.row_bytes / unit.factor
    return linear_axis(axis_title(what, unit.label), high, shape.height_px, shape.y_ticks, round_up=False)


def _rows(picture: TracePicture) -> int:
    return 1 + max(cell.row for cell in (*picture.read, *picture.write))


def _place_unit(picture: TracePicture) -> AxisUnit:
    return size_unit(_rows(picture) * picture.row_bytes)


def _cells(
    picture: TracePicture,
    cells: Sequence[TraceCell],
    x: PlotAxis,
    y: PlotAxis,
    classes: Sequence[tuple[int, int]],
    legend: dict[str, Any] | None,
) -> Layer:
    labels = [_class_label(one) for one in classes]
    begins = [begin for begin, _ in classes]
    time, place = _time_unit(picture).factor, _place_unit(picture).factor / picture.row_bytes
    rows = [
        {
            "x": short(cell.column / time),
            "x2": short((cell.column + 1) / time),
            "y": short(cell.row / place),
            "y2": short((cell.row + 1) / place),
            "count": labels[int(np.searchsorted(begins, cell.ios, side="right")) - 1],
        }
        for cell in cells
    ]
    inks = [HEAT_INKS[round(at)].value for at in np.linspace(0, len(HEAT_INKS) - 1, len(classes))]
    colour = {"field": "count", "type": "nominal", "scale": {"domain": labels, "range": inks}}
    encoding = {
        "x": x.encoding("x"),
        "x2": {"field": "x2"},
        "y": y.encoding("y"),
        "y2": {"field": "y2"},
        "fill": {**colour, "legend": legend},
        # Drawn over the seam to the neighbour, which would show the paper.
        "stroke": {**colour, "legend": None},
    }
    mark = {"type": "rect", "strokeWidth": 0.5, "aria": False}
    return {"name": "cells", "data": {"values": rows}, "mark": mark, "encoding": encoding}


def _class_label(one: tuple[int, int]) -> str:
    begin, end = one
    return f"{begin:,}" if begin == end else say(message("figure-range", low=number(begin), high=number(end)))


def _legend(shape: PlotShape, classes: Sequence[tuple[int, int]]) -> dict[str, Any]:
    wide = {"orient": "right", "direction": "vertical", "rowPadding": 0, "offset": 16}
    narrow = {"orient": "top", "direction": "horizontal", "columns": 2, "offset": 8}
    return {
        **(wide if shape.width_px >= WIDE.width_px // 2 else narrow),
        "title": say(message("figure-ios-in-cell")),
        "titleFontSize": shape.font_px,
        "titleFontWeight": "normal",
        "titleColor": Ink.TEXT.value,
        "symbolType": "square",
        "symbolSize": 420,
        "symbolStrokeWidth": 0,
        "values": [_class_label(one) for one in reversed(classes)],
    }


def _places_table(picture: TracePicture) -> FigureTable:
    unit, rows = _time_unit(picture), []
    for at, one in enumerate(picture.columns):
        touched = {cell.row for cell in (*picture.read, *picture.write) if cell.column == at}
        rows.append((f"{at / unit.factor:,.6g}", f"{one.read_ios:,}", f"{one.write_ios:,}", f"{len(touched):,}"))
    return FigureTable(
        say(message("trace-figure-table-columns")),
        (
            column(message("trace-column-from"), unit.label or "1"),
            column(message("trace-figure-reads"), "1"),
            column(message("trace-figure-writes"), "1"),
            column(message("trace-figure-rows-touched"), "1"),
        ),
        tuple(rows),
    )


def _over_time_figure(picture: TracePicture, column_ns: int) -> Figure:
    columns = picture.columns
    middle_ns = (np.arange(len(columns), dtype=np.float64) + 0.5) * column_ns
    per_s = NS_PER_S / column_ns

    def lines(values: dict[str, list[float]]) -> tuple[OverTimeLine, ...]:
        return tuple(
            OverTimeLine(say(direction_message(direction)), slot, middle_ns, np.array(values[kind]) * per_s)
            for kind, direction, slot in _KINDS
            if any(values[kind])
        )

    ios = {"read": [one.read_ios * 1.0 for one in columns], "write": [one.write_ios * 1.0 for one in columns]}
    moved = {"read": [one.read_bytes / _MB for one in columns], "write": [one.write_bytes / _MB for one in columns]}
    rate, bandwidth = verbatim("IOPS"), message("figure-bandwidth")
    plots = [
        OverTimePlot(rate, say(rate), AxisScale.LINEAR, lines(ios)),
        OverTimePlot(bandwidth, axis_title(bandwidth, "MB/s"), AxisScale.LINEAR, lines(moved)),
    ]
    if picture.knows_latencies:
        depth = message("trace-column-in-flight")
        flying = np.array([one.in_flight_ns / column_ns for one in columns])
        line = OverTimeLine(say(message("trace-figure-all-ios")), 3, middle_ns, flying)
        plots.append(OverTimePlot(depth, say(depth), AxisScale.LINEAR, (line,)))
    words = OverTimeWords(
        name="over-time",
        title=say(message("trace-figure-over-time-title")),
        subtitle=(say(message("trace-figure-window", length=duration(column_ns))),),
        caption="" if picture.knows_latencies else say(message("trace-no-latencies")),
        time=message("trace-figure-time"),
    )
    return over_time_figure(plots, words, float(len(columns) * column_ns))


def _bar_figure(name: str, bars: Sequence[BarLine]) -> Figure:
    title, axis = say(message("trace-figure-bars-title", of=name)), message("trace-figure-bars-axis", of=name)
    subtitle = (say(message("trace-figure-bars-subtitle", of=name)),)

    def spec(shape: PlotShape) -> dict[str, Any]:
        return grouped_spec(bars, [BarPlot(_SHARE, say(axis), "%", 0.1)], shape, title, subtitle, title)

    return Figure(
        name=name,
        title=title,
        subtitle=subtitle,
        caption=say(message("trace-figure-bars-caption", of=name)),
        spec=spec(WIDE),
        narrow_spec=spec(NARROW),
        table=FigureTable(
            title,
            (column(message("trace-figure-bars-column", of=name)), column(axis, "%")),
            tuple((one.name, one.bars[_SHARE].text) for one in bars),
        ),
    )


def _bar(label: str, slot: int, share: float) -> BarLine:
    text = f"{100 * share:.1f} %"
    return BarLine(name=label, bold=False, slot=slot, bars={_SHARE: GroupedBar(100 * share, text, f"{label}: {text}")})


def _size_bars(profile: TraceProfile) -> Iterator[BarLine]:
    """The commonest lengths of reads and of writes, the shortest first."""
    for kind, direction, slot in _KINDS:
        for one in profile.ops:
            if one.op == kind:
                for length, ios in sorted(one.lengths[:_SIZES_MAX]):
                    yield _bar(f"{say(direction_message(direction))} {format_bytes(length)}", slot, ios / one.ios)


def _reuse_bars(profile: TraceProfile) -> Iterator[BarLine]:
    """Shares of the touches that come back, by the power of four of bytes that lie between."""
    total = sum(touches for _, touches in profile.reuse_bytes)
    shares: dict[int, int] = {}
    for distance, touches in profile.reuse_bytes:
        power = max(6, (max(distance, 1).bit_length() + 1) // 2)
        shares[power] = shares.get(power, 0) + touches
    if not total:
        return
    for power in range(min(shares), max(shares) + 1):
        label = say(message("trace-figure-up-to", size=size(4**power)))
        yield _bar(label, 1, shares.get(power, 0) / total)
