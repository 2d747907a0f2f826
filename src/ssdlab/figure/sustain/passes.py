"""The passes of a sustained write over each other, over bytes written (METHODS U): does the speed hold, and from pass to pass?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.metrics.sustain import WRITING, seconds_of, settings_of
from ssdlab.analysis.metrics.sustain_words import PassRow, pass_rows
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import AxisUnit, PlotAxis, axis_title, linear_axis, size_unit
from ssdlab.figure.kit.decimate import Columns, extremes, into_columns
from ssdlab.figure.kit.layers import Layer
from ssdlab.figure.kit.model import AxisScale, Cell, Figure, FigureTable, LongChart, LongSeries
from ssdlab.figure.kit.passes import FillPass, fill_passes, is_sustained, workload
from ssdlab.figure.kit.place import Box, Outline, Placed, Wanted, after_end, along, place
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, Ink, PlotShape, figure_spec
from ssdlab.figure.kit.subject import subtitle
from ssdlab.figure.kit.words import LONG_LIMIT
from ssdlab.message import Listed, Message, Separator, duration, message, number, size
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

TITLE = message("figure-passes-title")
_UNIT = "MB/s"
_MB = 1e6
_THIN_MAX = 24
"""Passes drawn thin, evenly picked; the band behind them is of all."""
_THIN_COLUMNS = 240
_DASHES: tuple[tuple[int, ...], ...] = ((1, 0), (2, 2), (8, 3))
"""Lines are told apart without any colour."""


@dataclass(frozen=True, slots=True, eq=False)
class PassCurve:
    """One pass; arrays of one length.

    Attributes:
        number: Of the pass.
        written_bytes: float64, in the middle of each second.
        bytes_per_s: float64, of that second; of each window where the pass lasts only a few seconds.
        point_ns: How long that is.
        mean: Of the whole pass, its remainder included, in bytes a second: the metric.
    """

    number: int
    written_bytes: NDArray[np.float64]
    bytes_per_s: NDArray[np.float64]
    point_ns: int
    mean: float


@dataclass(frozen=True, slots=True)
class Marked:
    """A curve that has a name."""

    curve: PassCurve
    label: str
    slot: int


def sustain_passes(bundle: Bundle) -> Figure | None:
    """The figure; None of other runs, and where no pass was finished."""
    passes = fill_passes(bundle)
    if not passes or not is_sustained(bundle):
        return None
    rows = {row.number: row for row in pass_rows(bundle.metrics)}
    curves = [_curve(one, rows.get(one.number)) for one in passes]
    unit = size_unit(bundle.run.drive.capacity_bytes)
    return Figure(
        name="sustain-passes",
        title=say(TITLE),
        subtitle=subtitle(bundle, [one.step.state for one in passes]),
        caption=sentences(
            say(message("figure-sentence", what=workload(bundle, passes))), _caption(curves), _not_drawn(bundle)
        ),
        spec=_spec(bundle, passes, curves, rows, unit, WIDE),
        narrow_spec=_spec(bundle, passes, curves, rows, unit, NARROW),
        table=_table(curves, rows),
        long_chart=_long_chart(curves, unit),
    )


def _curve(one: FillPass, row: PassRow | None) -> PassCurve:
    series = one.series
    seconds = seconds_of(series)
    mean = float(series.bytes_done[-1] * NS_PER_S / series.time_ns[-1]) if row is None else row.mean
    if isinstance(seconds, Unknown):
        # The last window is a remainder, in which a single I/O makes any speed.
        whole = slice(0, -1 if len(series.time_ns) > 1 else None)
        speeds = series.bandwidth_bytes_per_s[whole]
        return PassCurve(one.number, one.written_bytes[whole], speeds, series.window_ns, mean)
    done = np.cumsum(seconds.bandwidth)
    return PassCurve(one.number, done - seconds.bandwidth / 2, seconds.bandwidth, NS_PER_S, mean)


def _caption(curves: Sequence[PassCurve]) -> str:
    points = {curve.point_ns for curve in curves}
    words = (
        say(message("figure-point-a-second"))
        if points == {NS_PER_S}
        else say(message("figure-point-each", length=duration(min(points))))
    )
    if len(curves) <= 3:
        return words
    others = len(curves) - len(_marked(curves))
    which = message("figure-passes-others") if others <= _THIN_MAX else message("figure-passes-picked", count=_THIN_MAX)
    return sentences(words, say(message("figure-passes-named", count=len(curves), which=which)))


def _not_drawn(bundle: Bundle) -> str:
    count = sum(one.count for one in bundle.not_whole if one.name == WRITING)
    return say(message("figure-passes-not-drawn", count=number(count))) if count else ""


def _marked(curves: Sequence[PassCurve]) -> list[Marked]:
    """Up to three have names: the first, the slowest, the last."""
    first, last = curves[0], curves[-1]
    if len(curves) <= 3:
        return [Marked(one, _label(one), slot) for slot, one in enumerate(curves, start=1)]
    slowest = min(curves, key=lambda one: one.mean)
    ranks: dict[int, list[Message]] = {}
    for curve, rank in (
        (first, message("figure-pass-first")),
        (slowest, message("figure-pass-slowest")),
        (last, message("figure-pass-last")),
    ):
        ranks.setdefault(curve.number, []).append(rank)
    named = {curve.number: curve for curve in (first, slowest, last)}
    return [Marked(named[at], _label(named[at], ranks[at]), slot) for slot, at in enumerate(sorted(named), start=1)]


def _label(curve: PassCurve, ranks: Sequence[Message] = ()) -> str:
    """The pass with its mean, and what it is among all where it has a rank."""
    speed = _speed(curve.mean)
    if not ranks:
        return say(message("figure-pass-speed", number=curve.number, speed=speed))
    rank = Listed(tuple(ranks), Separator.AND)
    return say(message("figure-pass-ranked-speed", number=curve.number, rank=rank, speed=speed))


def _speed(bytes_per_s: float) -> str:
    return f"{bytes_per_s / _MB:,.0f} MB/s"


def _spec(
    bundle: Bundle,
    passes: tuple[FillPass, ...],
    curves: Sequence[PassCurve],
    rows: dict[int, PassRow],
    unit: AxisUnit,
    shape: PlotShape,
) -> dict[str, object]:
    need = _need(bundle)
    x, y = _axes(curves, need, unit, shape)
    marked = _marked(curves)
    traces = [layers.Trace(one.label, one.slot, _columns(one.curve, unit, x, shape.columns)) for one in marked]
    band = _band(curves, unit, x)
    shown = layers.outlines([*traces, *([layers.Trace("all", 1, band)] if band is not None else [])], x, y)
    levels = [] if need is None else [_needed(need, x)]
    taken = layers.level_boxes(levels, x, y)
    legend = layers.legend_for([trace.label for trace in traces], shown, taken, shape)
    points = [point for one in marked for point in _cliffs(one, rows, unit)]
    wanted = [*(_cliff_wanted(point, x, y) for point in points), *(_level_wanted(one, x, y) for one in levels)]
    bounds = Box(0, 0, shape.width_px, shape.height_px)
    placed = _placed(wanted, shown, [*taken, *legend.boxes], bounds, shape)
    return figure_spec(
        shape,
        say(TITLE),
        subtitle(bundle, [one.step.state for one in passes]),
        say(message("figure-passes-described", passes=len(curves))),
        [
            *([] if band is None else [_band_layer(band, x, y)]),
            *_thin_layers(curves, marked, unit, x, y),
            *[_dashed(one, traces) for one in layers.trace_layers(traces, x, y, legend)],
            *layers.level_layers(levels, x, y),
            *layers.point_layers(points, x, y),
            *layers.text_layers(placed, x, y, shape),
        ],
    )


def _axes(
    curves: Sequence[PassCurve], need: float | None, unit: AxisUnit, shape: PlotShape
) -> tuple[PlotAxis, PlotAxis]:
    length = max(1.0, *(float(one.written_bytes[-1]) for one in curves)) / unit.factor
    fastest = max(1.0, need or 0.0, *(float(one.bytes_per_s.max()) / _MB for one in curves))
    x = linear_axis(_x_title(unit), length, shape.width_px, shape.x_ticks, round_up=False)
    # A line at the very top would look cut off.
    return x, linear_axis(_y_title(), fastest * 1.08, shape.height_px, shape.y_ticks, round_up=True)


def _x_title(unit: AxisUnit) -> str:
    return axis_title(message("figure-written-in-pass"), unit.label)


def _y_title() -> str:
    return axis_title(message("figure-write-speed"), _UNIT)


def _need(bundle: Bundle) -> float | None:
    need = settings_of(bundle.run.suite.text).get("need_bytes_per_s")
    return need / _MB if isinstance(need, int) else None


def _columns(one: PassCurve, unit: AxisUnit, x: PlotAxis, limit: int) -> Columns:
    return into_columns(one.written_bytes / unit.factor, one.bytes_per_s / _MB, x.high, limit)


def _band(curves: Sequence[PassCurve], unit: AxisUnit, x: PlotAxis) -> Columns | None:
    """From the slowest to the fastest of all passes; None where each has a name."""
    if len(curves) <= 3:
        return None
    grid = (np.arange(_THIN_COLUMNS) + 0.5) / _THIN_COLUMNS * x.high
    lows, highs = [], []
    for one in curves:
        columns = _columns(one, unit, x, _THIN_COLUMNS)
        lows.append(np.interp(grid, columns.x, columns.low))
        highs.append(np.interp(grid, columns.x, columns.high))
    low, high = np.min(lows, axis=0), np.max(highs, axis=0)
    return Columns(grid, low, high, (low + high) / 2, np.full(len(grid), len(curves)))


def _band_layer(band: Columns, x: PlotAxis, y: PlotAxis) -> Layer:
    every = say(message("figure-all-passes"))
    rows = [
        {"x": layers.short(at), "low": layers.short(low), "high": layers.short(high), "label": every}
        for at, low, high in zip(band.x, band.low, band.high, strict=True)
    ]
    mark = {"type": "area", "color": Ink.REST.value, "opacity": 0.28, "line": False, "aria": False}
    encoding = {"x": x.encoding("x"), "y": y.encoding("low"), "y2": {"field": "high"}}
    return {"name": "passes-band", "data": {"values": rows}, "mark": mark, "encoding": encoding}


def _thin_layers(
    curves: Sequence[PassCurve], marked: Sequence[Marked], unit: AxisUnit, x: PlotAxis, y: PlotAxis
) -> list[Layer]:
    named = {one.curve.number for one in marked}
    others = [one for one in curves if one.number not in named]
    picked = np.unique(np.linspace(0, len(others) - 1, min(len(others), _THIN_MAX)).round().astype(int))
    rows = []
    for one in (others[index] for index in picked):
        columns, name = _columns(one, unit, x, _THIN_COLUMNS), say(message("figure-pass", number=one.number))
        rows += [
            {"x": layers.short(at), "y": layers.short(mean), "label": name}
            for at, mean in zip(columns.x, columns.mean, strict=True)
        ]
    if not rows:
        return []
    mark = {"type": "line", "color": Ink.REST.value, "strokeWidth": 0.8, "opacity": 0.8, "aria": False}
    encoding = {"x": x.encoding("x"), "y": y.encoding("y"), "detail": {"field": "label", "type": "nominal"}}
    return [{"name": "passes-thin", "data": {"values": rows}, "mark": mark, "encoding": encoding}]


def _dashed(layer: Layer, traces: Sequence[layers.Trace]) -> Layer:
    """The lines, but not their bands, by their dashes as well."""
    if not layer["name"].endswith("-mean"):
        return layer
    encoding: dict[str, Any] = layer["encoding"]
    dashes = [list(_DASHES[(one.slot - 1) % len(_DASHES)]) for one in traces]
    dash = {
        "field": "label",
        "type": "nominal",
        "scale": {"domain": [one.label for one in traces], "range": dashes},
        "legend": encoding["color"]["legend"],
    }
    return {**layer, "encoding": {**encoding, "strokeDash": dash}}


def _needed(need: float, x: PlotAxis) -> layers.KeyLevel:
    return layers.KeyLevel(0.0, x.high, need, say(message("figure-speed-needed", speed=_speed(need * _MB))))


def _level_wanted(level: layers.KeyLevel, x: PlotAxis, y: PlotAxis) -> Wanted:
    level_px = y.length_px - float(y.px(level.level))
    spots = along(float(x.px(level.left)), float(x.px(level.right)), level_px)
    return tuple(Placed((level.description,), spot) for spot in spots)


def _cliffs(one: Marked, rows: dict[int, PassRow], unit: AxisUnit) -> list[layers.KeyPoint]:
    """Where a pass that is not flat fell, on its line: the second of the fall is drawn as a slope, and a mark off it would look like a stray."""
    row = rows.get(one.curve.number)
    if row is None or row.flat is not False or isinstance(row.cliff_bytes, Unknown) or not row.cliff_bytes:
        return []
    if one.curve.written_bytes[0] > row.cliff_bytes:
        return []
    speed = float(np.interp(row.cliff_bytes, one.curve.written_bytes, one.curve.bytes_per_s))
    words = say(message("figure-pass-falls", number=row.number, after=size(row.cliff_bytes)))
    return [layers.KeyPoint(row.cliff_bytes / unit.factor, speed / _MB, one.slot, words)]


def _cliff_wanted(point: layers.KeyPoint, x: PlotAxis, y: PlotAxis) -> Wanted:
    spots = after_end(float(x.px(point.x)), y.length_px - float(y.px(point.y)))
    return tuple(Placed((point.description,), spot) for spot in spots)


def _placed(
    wanted: Sequence[Wanted], curves: Sequence[Outline], taken: Sequence[Box], bounds: Box, shape: PlotShape
) -> list[Placed]:
    return place([one for one in wanted if one], curves, taken, bounds, shape.font_px)


def _table(curves: Sequence[PassCurve], rows: dict[int, PassRow]) -> FigureTable:
    cells: list[tuple[Cell, ...]] = []
    for one in curves:
        row = rows.get(one.number)
        verdict = "" if row is None else say(row.verdict)
        speeds = (one.mean, float(one.bytes_per_s.min()), float(one.bytes_per_s.max()))
        cells.append((one.number, *(f"{speed / _MB:,.1f}" for speed in speeds), verdict))
    return FigureTable(
        say(message("figure-table-passes")),
        (
            column(message("figure-column-pass")),
            column(message("figure-column-mean"), _UNIT),
            column(message("figure-column-slowest-second"), _UNIT),
            column(message("figure-column-fastest-second"), _UNIT),
            column(message("figure-column-verdict")),
        ),
        tuple(cells),
    )


def _long_chart(curves: Sequence[PassCurve], unit: AxisUnit) -> LongChart:
    series = []
    for one in _marked(curves):
        x, y = extremes(one.curve.written_bytes / unit.factor, one.curve.bytes_per_s / _MB, LONG_LIMIT)
        dash = _DASHES[(one.slot - 1) % len(_DASHES)]
        series.append(LongSeries(one.label, one.slot, x, y, () if dash == (1, 0) else dash))
    is_by_second = all(one.point_ns == NS_PER_S for one in curves)
    note = say(message("figure-every-second") if is_by_second else message("figure-every-window"))
    return LongChart(_x_title(unit), _y_title(), AxisScale.LINEAR, note, tuple(series))
