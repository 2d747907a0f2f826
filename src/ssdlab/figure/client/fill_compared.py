"""The fills of several drives beside each other, a plot a pass, over bytes and over time (METHODS C2)."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import (
    AxisUnit,
    PlotAxis,
    axis_title,
    clock_unit,
    linear_axis,
    log_axis,
    log_title,
    size_unit,
)
from ssdlab.figure.kit.curves import LINE_WIDTHS
from ssdlab.figure.kit.decimate import Columns, extremes, into_columns
from ssdlab.figure.kit.drives import DrawnRun, Rank, drives_of, subtitle_of
from ssdlab.figure.kit.layers import Layer
from ssdlab.figure.kit.model import AxisScale, Cell, Figure, FigureTable, LongChart, LongSeries
from ssdlab.figure.kit.pass_speed import WRITE_BANDWIDTH
from ssdlab.figure.kit.passes import FillPass, fill_passes, window_text, workload
from ssdlab.figure.kit.say import column, listed, say, sentences
from ssdlab.figure.kit.style import (
    NARROW,
    WIDE,
    Panel,
    PlotShape,
    is_wide,
    panel_width_px,
    panels_spec,
    series_dash,
    series_ink,
)
from ssdlab.figure.kit.subject import state_message
from ssdlab.figure.kit.words import LONG_LIMIT, long_note, three_digits
from ssdlab.message import Message, message
from ssdlab.units import MIB, NS_PER_S

_LOG_FROM = 8.0
"""On a linear axis everything after a cache that many times faster lies on the floor."""
_LOG_TIME_FROM = 3.0
"""On a linear axis the fastest drives would share the left end."""
_TIMES_S = {
    0.1: "0.1 s",
    1: "1 s",
    10: "10 s",
    60: "1 min",
    600: "10 min",
    3600: "1 h",
    36000: "10 h",
    360000: "100 h",
}
_MORE_TIMES_S = {0.2: "0.2 s", 0.5: "0.5 s", 2: "2 s", 5: "5 s", 20: "20 s", 120: "2 min", 300: "5 min", 1800: "30 min"}
_TICKS_MIN = 4
_COLUMNS_A_PX = 0.75
_TABLE_ROWS = 20


class Over(Enum):
    """The horizontal axis."""

    BYTES = "bytes"
    TIME = "time"


@dataclass(frozen=True, slots=True, eq=False)
class DrivePass:
    """One pass of one drive."""

    drive: DrawnRun
    one: FillPass

    def position(self, over: Over) -> NDArray[np.float64]:
        """Middle of each window since the pass began, in bytes or ns."""
        return self.one.written_bytes if over is Over.BYTES else self.one.clock_ns - self.one.begin_ns

    def length(self, over: Over) -> float:
        """Where the pass ends."""
        series = self.one.series
        return float(series.bytes_done[-1] if over is Over.BYTES else series.time_ns[-1])


def fill_over_bytes(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Shows how large the caches are, and the speed that follows them."""
    yield from _compared(bundles, Over.BYTES, message("figure-over-bytes-title"), "fill-over-bytes")


def fill_over_time(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Shows how long each drive takes."""
    yield from _compared(bundles, Over.TIME, message("figure-bandwidth-over-time-title"), "fill-over-time")


def _compared(bundles: Sequence[Bundle], over: Over, told: Message, name: str) -> Iterator[Figure]:
    passes = [DrivePass(drive, one) for drive in drives_of(bundles) for one in fill_passes(drive.bundle)]
    if not passes:
        return
    subtitle = subtitle_of(
        list(dict.fromkeys(one.drive.bundle for one in passes)), [one.one.step.state for one in passes]
    )
    first, title = (passes[0].one,), say(told)
    done = message("figure-sentence", what=workload(passes[0].drive.bundle, first))
    build = _builder(passes, over, title, subtitle)
    yield Figure(
        name=name,
        title=title,
        subtitle=subtitle,
        caption=sentences(say(done), say(message("figure-lines-of-windows", window=window_text(first)))),
        spec=build(WIDE),
        narrow_spec=build(NARROW),
        table=_table(passes, over),
        long_chart=_long_chart(passes, over),
    )


def _long_chart(passes: Sequence[DrivePass], over: Over) -> LongChart:
    unit = _unit(passes, over)
    series = []
    numbers = sorted({one.one.number for one in passes})
    for one in passes:
        x, y = extremes(one.position(over) / unit.factor, one.one.series.bandwidth_bytes_per_s / MIB, LONG_LIMIT)
        of_pass = say(message("figure-pass", number=one.one.number))
        label = one.drive.label if len(passes) == 1 else listed((one.drive.label, of_pass))
        dash = () if one.one.number == passes[0].one.number else (6, 3)
        series.append(LongSeries(label, one.drive.slot, x, y, dash, numbers.index(one.one.number)))
    x_title, y_title = axis_title(_position_title(over), unit.label), axis_title(WRITE_BANDWIDTH, "MiB/s")
    note = long_note(tuple(one.one for one in passes))
    return LongChart(x_title, y_title, AxisScale.LOG, note, tuple(series))


def _position_title(over: Over) -> Message:
    if over is Over.BYTES:
        return message("figure-written-in-pass")
    return message("figure-time-since-pass")


def _builder(
    passes: Sequence[DrivePass], over: Over, title: str, subtitle: tuple[str, ...]
) -> Callable[[PlotShape], dict[str, Any]]:
    numbers = sorted({one.one.number for one in passes})

    def build(shape: PlotShape) -> dict[str, Any]:
        width_px = panel_width_px(shape, len(numbers))
        height_px = shape.height_px if is_wide(shape) else shape.height_px * 4 // 5
        unit = _unit(passes, over)
        x = _position_axis(passes, over, unit, width_px)
        y = _bandwidth_axis(passes, over, unit, x, shape, height_px)
        legend = layers.legend_above([one.label for one in dict.fromkeys(one.drive for one in passes)], shape)
        panels = [
            Panel(
                _panel_title([one for one in passes if one.one.number == number], number),
                width_px,
                height_px,
                _line_layers([one for one in passes if one.one.number == number], over, unit, x, y, legend, number),
            )
            for number in numbers
        ]
        drives = len({one.drive.slot for one in passes})
        if over is Over.BYTES:
            described = message("figure-fills-over-bytes-described", drives=drives)
        else:
            described = message("figure-fills-over-time-described", drives=drives)
        return panels_spec(shape, title, subtitle, say(described), panels)

    return build


def _panel_title(passes: Sequence[DrivePass], number: int) -> str:
    states = {one.one.step.state for one in passes}
    if len(states) > 1:
        return say(message("figure-pass", number=number))
    return say(message("figure-pass-in-state", number=number, state=state_message(states.pop())))


def _unit(passes: Sequence[DrivePass], over: Over) -> AxisUnit:
    longest = max(one.length(over) for one in passes)
    return size_unit(longest) if over is Over.BYTES else clock_unit(longest)


def _position_axis(passes: Sequence[DrivePass], over: Over, unit: AxisUnit, width_px: int) -> PlotAxis:
    """From 0; time is logarithmic where one drive takes many times as long as another."""
    what = _position_title(over)
    lengths = [one.length(over) / unit.factor for one in passes]
    longest = max(lengths)
    if over is Over.TIME and longest / min(lengths) > _LOG_TIME_FROM:
        return _log_time_axis(log_title(what), min(lengths), longest, unit, width_px)
    title = axis_title(what, unit.label)
    return linear_axis(title, longest, width_px, max(4, width_px // 80), round_up=False)


def _log_time_axis(title: str, shortest: float, longest: float, unit: AxisUnit, width_px: int) -> PlotAxis:
    """Begins at a second, or a tenth of it; what came before is in the first column."""
    seconds = unit.factor / NS_PER_S
    low = 1.0 if shortest * seconds > 20 else 0.1
    high = longest * seconds * 1.02
    ticks = [at for at in _TIMES_S if low <= at <= high]
    if len(ticks) < _TICKS_MIN:
        ticks = sorted(at for at in (*_TIMES_S, *_MORE_TIMES_S) if low <= at <= high)
    words = {f"{at:g}": {**_TIMES_S, **_MORE_TIMES_S}[at] for at in ticks}
    labels = f"({json.dumps(words)})[format(datum.value * {seconds:.9g}, '.4~r')]"
    return PlotAxis(
        title, low / seconds, longest * 1.02, tuple(at / seconds for at in ticks), width_px, AxisScale.LOG, labels
    )


def _bandwidth_axis(
    passes: Sequence[DrivePass], over: Over, unit: AxisUnit, x: PlotAxis, shape: PlotShape, height_px: int
) -> PlotAxis:
    """From 0; logarithmic where a drive is many times slower than another, or than itself inside its cache."""
    means = np.concatenate([_columns(one, over, unit, x).mean for one in passes])
    fastest = max(float(means.max()), 1.0)
    slowest = float(np.quantile(means, 0.02))
    if slowest <= 0 or fastest / slowest < _LOG_FROM:
        title = axis_title(WRITE_BANDWIDTH, "MiB/s")
        return linear_axis(title, fastest, height_px, shape.y_ticks, round_up=True)
    return log_axis(log_title(WRITE_BANDWIDTH, "MiB/s"), slowest * 0.7, fastest * 1.1, height_px)


def _columns(one: DrivePass, over: Over, unit: AxisUnit, x: PlotAxis) -> Columns:
    """Columns of equal width on screen."""
    speed = one.one.series.bandwidth_bytes_per_s / MIB
    limit = round(x.length_px * _COLUMNS_A_PX)
    columns = into_columns(x.px(one.position(over) / unit.factor), speed, x.length_px, limit)
    return replace(columns, x=np.array([x.value(float(px)) for px in columns.x]))


def _line_layers(
    passes: Sequence[DrivePass],
    over: Over,
    unit: AxisUnit,
    x: PlotAxis,
    y: PlotAxis,
    legend: layers.Legend,
    number: int,
) -> list[Layer]:
    ordered = sorted((one.drive for one in passes), key=lambda one: one.slot)
    labels = [one.label for one in ordered]
    shared = {"field": "label", "type": "nominal"}
    encoding = {
        "x": x.encoding("x"),
        "y": y.encoding("y"),
        "color": {
            **shared,
            "scale": {"domain": labels, "range": [series_ink(one.slot).value for one in ordered]},
            "legend": {**legend.encoding, "symbolType": "stroke"},
        },
        "strokeDash": {
            **shared,
            "scale": {"domain": labels, "range": [series_dash(one.slot) for one in ordered]},
            "legend": None,
        },
    }
    made = []
    for rank in (Rank.COMPARED, Rank.UNDER_TEST):
        rows = [row for one in passes if one.drive.rank is rank for row in _rows(one, over, unit, x, y)]
        mark = {"type": "line", "strokeWidth": LINE_WIDTHS[rank], "strokeJoin": "round", "aria": False}
        name = f"pass{number}-{rank.value.replace(' ', '-')}"
        if rows:
            made.append({"name": name, "data": {"values": rows}, "mark": mark, "encoding": encoding})
    return made


def _rows(one: DrivePass, over: Over, unit: AxisUnit, x: PlotAxis, y: PlotAxis) -> list[dict[str, Any]]:
    columns = _columns(one, over, unit, x)
    # A stall has no place on a logarithmic axis but its foot.
    return [
        {"x": layers.short(at), "y": layers.short(max(mean, y.low)), "label": one.drive.label}
        for at, mean in zip(columns.x, columns.mean, strict=True)
    ]


def _table(passes: Sequence[DrivePass], over: Over) -> FigureTable:
    unit = _unit(passes, over)
    rows: list[tuple[Cell, ...]] = []
    for one in passes:
        length = one.length(over) / unit.factor
        speed = one.one.series.bandwidth_bytes_per_s / MIB
        columns = into_columns(one.position(over) / unit.factor, speed, max(length, 1e-9), _TABLE_ROWS)
        rows += [
            (one.drive.label, one.one.label, three_digits(at), f"{mean:,.0f}")
            for at, mean in zip(columns.x, columns.mean, strict=True)
        ]
    is_bytes = over is Over.BYTES
    where = message("figure-column-written-middle") if is_bytes else message("figure-column-time-middle")
    heads = (
        column(message("figure-drive")),
        column(message("figure-column-pass")),
        column(where, unit.label),
        column(message("figure-column-mean"), "MiB/s"),
    )
    return FigureTable(say(message("figure-table-rows-a-pass", rows=_TABLE_ROWS)), heads, tuple(rows))
