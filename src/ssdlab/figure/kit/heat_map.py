"""Latency over time with the number of I/Os as colour: every I/O is in it, the rarest too.

Pure: distributions over time in, a figure out, whether they come from a bundle or from anyone's log.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.analysis.statistics.percentile import bin_percentiles_ns
from ssdlab.engine.result import LatencyWindows
from ssdlab.figure.kit.axis import AxisUnit, PlotAxis, axis_title, clock_unit, linear_axis, log_title
from ssdlab.figure.kit.latency_axis import latency_axis, latency_encoding
from ssdlab.figure.kit.layers import Layer
from ssdlab.figure.kit.model import Cell, Column, Figure, FigureTable
from ssdlab.figure.kit.say import column, say
from ssdlab.figure.kit.stack import StackedPlot, stacked_spec
from ssdlab.figure.kit.style import HEAT_INKS, NARROW, WIDE, Ink, PlotShape
from ssdlab.figure.kit.words import TABLE_ROWS, three_digits
from ssdlab.message import Message, message, number
from ssdlab.units import NS_PER_MS, NS_PER_S, NS_PER_US
from ssdlab.unknown import Unknown

_CELL_PX_MIN = 5
"""Width of a cell; its height may be three fifths of it."""
_LEGEND_PX = 130
_TICK_ROOM_PX = 24
_STEPS = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
"""How long a cell may be, times a power of ten: lengths that a reader can take in."""
_BINS_AN_OCTAVE = 64
_TABLE_PERCENTS = ("50", "99")


@dataclass(frozen=True, slots=True, eq=False)
class HeatPart:
    """What one panel shows.

    Attributes:
        title: `read`; stands above it.
        windows: Its distribution over time.
        bins_merged: Bins of fio's that are known only together.
    """

    title: Message
    windows: LatencyWindows
    bins_merged: int = _core.BINS_MERGED_OVER_TIME


@dataclass(frozen=True, slots=True)
class HeatWords:
    """What a heat map says in words.

    Attributes:
        name: Names its files.
        latency: What was measured: `completion latency`.
        time: With what it is counted from: `time since the log began`.
    """

    name: str
    title: str
    subtitle: tuple[str, ...]
    caption: str
    latency: Message
    time: Message


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """Counts of cells as drawn; arrays of one length."""

    time_ns: NDArray[np.float64]
    width_ns: float
    low_ns: NDArray[np.float64]
    high_ns: NDArray[np.float64]
    count: NDArray[np.int64]
    rows_an_octave: int


def heat_map_figure(parts: Sequence[HeatPart], words: HeatWords) -> Figure:
    """The figure, one panel a part.

    Raises:
        ValueError: There is no I/O to show.
    """
    drawn = [part for part in parts if len(part.windows.count)]
    if not drawn:
        raise ValueError("no I/Os: a heat map shows at least one")
    return Figure(
        name=words.name,
        title=words.title,
        subtitle=words.subtitle,
        caption=words.caption,
        spec=_spec(drawn, words, replace(WIDE, width_px=WIDE.width_px - _LEGEND_PX)),
        narrow_spec=_spec(drawn, words, NARROW),
        table=_table(drawn),
    )


def _end_ns(parts: Sequence[HeatPart]) -> int:
    return max(int(part.windows.time_ns[-1]) for part in parts)


def _spec(parts: Sequence[HeatPart], words: HeatWords, shape: PlotShape) -> dict[str, Any]:
    panel_shape = shape if len(parts) == 1 else replace(shape, height_px=shape.height_px * 3 // 5)
    unit = clock_unit(_end_ns(parts))
    x = linear_axis(
        axis_title(words.time, unit.label),
        _end_ns(parts) / unit.factor,
        shape.width_px,
        shape.x_ticks,
        round_up=False,
    )
    rows_an_octave = min(_rows_an_octave(part, panel_shape) for part in parts)
    grids = [_grid(part, rows_an_octave, _windows_joined(parts, shape)) for part in parts]
    classes = count_classes(max(int(grid.count.max()) for grid in grids))
    panels = []
    for part, grid in zip(parts, grids, strict=True):
        y = _latency_axis(words, grid, panel_shape, len(parts))
        legend = _legend(grid, shape, classes) if part is parts[0] else None
        panels.append(StackedPlot(part.title, [_cells(grid, x, unit, y, classes, legend)]))
    return stacked_spec(
        panel_shape,
        words.title,
        words.subtitle,
        say(message("figure-heat-map", latency=words.latency)),
        panels,
    )


def length_text(length_ns: float) -> str:
    """Length of a window, exactly: `20 ms`, `1.6 s`."""
    return f"{length_ns / NS_PER_S:,g} s" if length_ns >= NS_PER_S else f"{length_ns / NS_PER_MS:,g} ms"


def _windows_joined(parts: Sequence[HeatPart], shape: PlotShape) -> int:
    columns_max = shape.width_px // _CELL_PX_MIN
    windows = max(math.ceil(int(part.windows.time_ns[-1]) / part.windows.window_ns) for part in parts)
    at_least = math.ceil(windows / columns_max)
    power = int(10 ** (len(str(at_least)) - 1))
    return math.ceil(next(step * power for step in _STEPS if step * power >= at_least))


def _grid(part: HeatPart, rows_an_octave: int, joined: int) -> _Grid:
    windows = part.windows
    bins_a_row = _BINS_AN_OCTAVE // rows_an_octave
    place = (windows.time_ns - 1) // windows.window_ns // joined
    row = windows.bin_index // bins_a_row
    rows_all = _core.BIN_COUNT // bins_a_row
    cells, position = np.unique(place * rows_all + row, return_inverse=True)
    count = np.zeros(len(cells), dtype=np.int64)
    np.add.at(count, position, windows.count)
    edges = _row_edges_ns(bins_a_row)
    width_ns = float(windows.window_ns * joined)
    return _Grid(
        time_ns=cells // rows_all * width_ns,
        width_ns=width_ns,
        low_ns=edges[cells % rows_all],
        high_ns=edges[cells % rows_all + 1],
        count=count,
        rows_an_octave=rows_an_octave,
    )


def _rows_an_octave(part: HeatPart, shape: PlotShape) -> int:
    low, high = _range_ns(part)
    octave_px = shape.height_px / max(1.0, math.log2(high / low))
    finest = _BINS_AN_OCTAVE // part.bins_merged
    return next((rows for rows in (16, 8, 4, 2) if rows <= finest and octave_px / rows >= _CELL_PX_MIN * 3 / 5), 1)


def _range_ns(part: HeatPart) -> tuple[float, float]:
    lowest, highest = int(part.windows.bin_index.min()), int(part.windows.bin_index.max())
    beyond = min(highest + part.bins_merged, _core.BIN_COUNT - 1)
    return max(1.0, float(_core.bin_low(lowest))), float(max(2, _core.bin_low(beyond)))


def _row_edges_ns(bins_a_row: int) -> NDArray[np.float64]:
    lows = [float(_core.bin_low(bin_index)) for bin_index in range(0, _core.BIN_COUNT, bins_a_row)]
    return np.array([*lows, float(_core.bin_low(_core.BIN_COUNT - 1) + _core.bin_low(1))])


def _latency_axis(words: HeatWords, grid: _Grid, shape: PlotShape, parts: int) -> PlotAxis:
    return latency_axis(
        log_title(words.latency if parts == 1 else message("figure-latency")),
        max(1.0, float(grid.low_ns.min())),
        float(grid.high_ns.max()),
        shape.height_px,
        label_room_px=_TICK_ROOM_PX,
    )


def count_classes(largest: int) -> tuple[tuple[int, int], ...]:
    """First and last count of each colour: half decades while seven colours reach, then decades, ends included."""
    half = [1, 3, 10, 30, 100, 300, 1000]
    begins = [one for one in half if one <= largest]
    if largest >= 10_000:
        decades = math.floor(math.log10(largest)) + 1
        step = math.ceil(decades / len(HEAT_INKS))
        begins = [10**power for power in range(0, decades, step)]
    ends = [*(begin - 1 for begin in begins[1:]), largest]
    return tuple(zip(begins, ends, strict=True))


def _class_label(one: tuple[int, int]) -> str:
    begin, end = one
    return f"{begin:,}" if begin == end else say(message("figure-range", low=number(begin), high=number(end)))


def _legend(grid: _Grid, shape: PlotShape, classes: Sequence[tuple[int, int]]) -> dict[str, Any]:
    percent = (2 ** (1 / grid.rows_an_octave) - 1) * 100
    size = say(message("figure-cell-size", length=length_text(grid.width_ns), percent=number(percent, ".0f")))
    # Symbols as large as the distance between them make one bar.
    wide = {"orient": "right", "direction": "vertical", "rowPadding": 0, "offset": 16}
    narrow = {"orient": "top", "direction": "horizontal", "columns": 2, "offset": 8}
    return {
        **(wide if shape.width_px >= WIDE.width_px // 2 else narrow),
        "title": [say(message("figure-ios-in-cell")), size],
        "titleFontSize": shape.font_px,
        "titleFontWeight": "normal",
        "titleColor": Ink.TEXT.value,
        "titleLineHeight": shape.font_px + 3,
        "symbolType": "square",
        "symbolSize": 420,
        "symbolStrokeWidth": 0,
        "values": [_class_label(one) for one in reversed(classes)],
    }


def _cells(
    grid: _Grid,
    x: PlotAxis,
    unit: AxisUnit,
    y: PlotAxis,
    classes: Sequence[tuple[int, int]],
    legend: dict[str, Any] | None,
) -> Layer:
    labels = [_class_label(one) for one in classes]
    class_of = np.searchsorted([begin for begin, _ in classes], grid.count, side="right") - 1
    right = np.minimum((grid.time_ns + grid.width_ns) / unit.factor, x.high)
    low, high = (np.clip(one / NS_PER_US, y.low, y.high) for one in (grid.low_ns, grid.high_ns))
    rows = [
        {"x": float(f"{left:.6g}"), "x2": float(f"{end:.6g}"), "y": bottom, "y2": top, "count": labels[at]}
        for left, end, bottom, top, at in zip(
            grid.time_ns / unit.factor, right, low.tolist(), high.tolist(), class_of, strict=True
        )
    ]
    inks = [HEAT_INKS[round(place)].value for place in np.linspace(0, len(HEAT_INKS) - 1, len(classes))]
    colour = {"field": "count", "type": "nominal", "scale": {"domain": labels, "range": inks}}
    encoding = {
        "x": x.encoding("x"),
        "x2": {"field": "x2"},
        "y": latency_encoding(y, "y"),
        "y2": {"field": "y2"},
        "fill": {**colour, "legend": legend},
        # Drawn over the seam to the neighbour, which would show the paper.
        "stroke": {**colour, "legend": None},
    }
    mark = {"type": "rect", "strokeWidth": 0.5, "aria": False}
    return {"name": "cells", "data": {"values": rows}, "mark": mark, "encoding": encoding}


def _table(parts: Sequence[HeatPart]) -> FigureTable:
    unit = clock_unit(_end_ns(parts))
    rows: list[tuple[Cell, ...]] = []
    for part in parts:
        windows = part.windows
        slices = (windows.time_ns - 1) * TABLE_ROWS // int(windows.time_ns[-1])
        for at in np.unique(slices):
            inside = slices == at
            middle = (at + 0.5) / TABLE_ROWS * int(windows.time_ns[-1]) / unit.factor
            latencies = _percentiles_us(windows.bin_index[inside], windows.count[inside], part.bins_merged)
            rows.append((say(part.title), f"{middle:,.1f}", f"{int(windows.count[inside].sum()):,}", *latencies))
    return FigureTable(
        say(message("figure-table-slices", rows=TABLE_ROWS)),
        (
            column(message("figure-column-ios-of")),
            column(message("figure-column-time-middle"), unit.label),
            Column("I/Os", ""),
            *(Column(f"{percent} %", "µs") for percent in _TABLE_PERCENTS),
        ),
        tuple(rows),
    )


def _percentiles_us(bin_index: NDArray[np.int64], count: NDArray[np.int64], merged: int) -> list[str]:
    middles = np.minimum(bin_index + merged // 2, _core.BIN_COUNT - 1)
    found = bin_percentiles_ns(middles, count, _TABLE_PERCENTS)
    return [
        say(message("figure-too-few-above")) if isinstance(one, Unknown) else three_digits(one / NS_PER_US)
        for one in found
    ]
