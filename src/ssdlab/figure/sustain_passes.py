"""The passes of a sustained write over each other, over bytes written (METHODS U): does the speed hold, and from pass to pass?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.sustain import WRITING, seconds_of, settings_of
from ssdlab.analysis.sustain_words import PassRow, pass_rows
from ssdlab.bundle.read import Bundle
from ssdlab.figure import layers
from ssdlab.figure.axis import Axis, AxisUnit, linear_axis, size_unit
from ssdlab.figure.decimate import Columns, extremes, into_columns
from ssdlab.figure.fill import FillPass, extent, fill_passes, is_sustained, workload
from ssdlab.figure.layers import Layer
from ssdlab.figure.model import Cell, Column, Figure, LongChart, LongSeries, Scale, Table
from ssdlab.figure.place import Box, Outline, Placed, Wanted, after_end, along, place
from ssdlab.figure.style import NARROW, WIDE, Ink, Shape, figure_spec
from ssdlab.figure.subject import subtitle
from ssdlab.figure.words import LONG_LIMIT
from ssdlab.units import format_bytes
from ssdlab.unknown import Unknown

TITLE = "Speed of each pass over bytes written"
Y_TITLE = "write speed (MB/s)"
_MB = 1e6
_THIN_MAX = 24
"""Passes drawn thin, evenly picked; the band behind them is of all."""
_THIN_COLUMNS = 240
_DASHES: tuple[tuple[int, ...], ...] = ((1, 0), (2, 2), (8, 3))
"""Lines are told apart without any colour."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One pass; arrays of one length.

    Attributes:
        number: Of the pass.
        written_bytes: float64, in the middle of each second.
        bytes_per_s: float64, of that second; of each window where the pass lasts only a few seconds.
    """

    number: int
    written_bytes: NDArray[np.float64]
    bytes_per_s: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """Of its seconds."""
        return float(self.bytes_per_s.mean())


@dataclass(frozen=True, slots=True)
class Marked:
    """A curve that has a name."""

    curve: Curve
    label: str
    slot: int


def sustain_passes(bundle: Bundle) -> Figure | None:
    """The figure; None of other runs, and where no pass was finished."""
    passes = fill_passes(bundle)
    if not passes or not is_sustained(bundle):
        return None
    curves = [_curve(one) for one in passes]
    unit = size_unit(bundle.run.drive.capacity_bytes)
    rows = {row.number: row for row in pass_rows(bundle.metrics)}
    return Figure(
        name="sustain-passes",
        title=TITLE,
        subtitle=subtitle(bundle, [one.step.state.value for one in passes]),
        caption=f"{workload(passes)} {extent(bundle, passes)}. {_caption(curves)}{_not_drawn(bundle)}",
        spec=_spec(bundle, passes, curves, rows, unit, WIDE),
        narrow_spec=_spec(bundle, passes, curves, rows, unit, NARROW),
        table=_table(curves, rows),
        long_chart=_long_chart(curves, unit),
    )


def _curve(one: FillPass) -> Curve:
    series = one.series
    seconds = seconds_of(series)
    if isinstance(seconds, Unknown):
        # The last window is a remainder, in which a single I/O makes any speed.
        whole = slice(0, -1 if len(series.time_ns) > 1 else None)
        return Curve(one.number, one.written_bytes[whole], series.bandwidth_bytes_per_s[whole])
    done = np.cumsum(seconds.bandwidth)
    return Curve(one.number, done - seconds.bandwidth / 2, seconds.bandwidth)


def _caption(curves: Sequence[Curve]) -> str:
    words = "One point a second, mean of each pass in the legend."
    if len(curves) <= 3:
        return words
    thin = min(len(curves) - len(_marked(curves)), _THIN_MAX)
    which = "the others" if thin == len(curves) - len(_marked(curves)) else f"{thin} of the others, evenly picked"
    return f"{words} Of {len(curves)} passes the first, the slowest and the last have names; thin: {which}; grey: all of them."


def _not_drawn(bundle: Bundle) -> str:
    count = sum(one.count for one in bundle.not_whole if one.name == WRITING)
    return f" Another {count:,} passes are kept as totals, and not drawn." if count else ""


def _marked(curves: Sequence[Curve]) -> list[Marked]:
    """Up to three have names: the first, the slowest, the last."""
    first, last = curves[0], curves[-1]
    if len(curves) <= 3:
        return [Marked(one, f"pass {one.number}: {_speed(one.mean)}", slot) for slot, one in enumerate(curves, start=1)]
    slowest = min(curves, key=lambda one: one.mean)
    words: dict[int, list[str]] = {}
    for one, word in ((first, "first"), (slowest, "slowest"), (last, "last")):
        words.setdefault(one.number, []).append(word)
    named = {one.number: one for one in (first, slowest, last)}
    return [
        Marked(named[number], f"pass {number}, {' and '.join(words[number])}: {_speed(named[number].mean)}", slot)
        for slot, number in enumerate(sorted(named), start=1)
    ]


def _speed(bytes_per_s: float) -> str:
    return f"{bytes_per_s / _MB:,.0f} MB/s"


def _spec(
    bundle: Bundle,
    passes: tuple[FillPass, ...],
    curves: Sequence[Curve],
    rows: dict[int, PassRow],
    unit: AxisUnit,
    shape: Shape,
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
        TITLE,
        subtitle(bundle, [one.step.state.value for one in passes]),
        f"Line chart: write speed against bytes written, {len(curves)} passes over each other",
        [
            *([] if band is None else [_band_layer(band, x, y)]),
            *_thin_layers(curves, marked, unit, x, y),
            *[_dashed(one, traces) for one in layers.trace_layers(traces, x, y, legend)],
            *layers.level_layers(levels, x, y),
            *layers.point_layers(points, x, y),
            *layers.text_layers(placed, x, y, shape),
        ],
    )


def _axes(curves: Sequence[Curve], need: float | None, unit: AxisUnit, shape: Shape) -> tuple[Axis, Axis]:
    length = max(1.0, *(float(one.written_bytes[-1]) for one in curves)) / unit.factor
    fastest = max(1.0, need or 0.0, *(float(one.bytes_per_s.max()) / _MB for one in curves))
    x = linear_axis(f"written in the pass ({unit.label})", length, shape.width_px, shape.x_ticks, round_up=False)
    # A line at the very top would look cut off.
    return x, linear_axis(Y_TITLE, fastest * 1.08, shape.height_px, shape.y_ticks, round_up=True)


def _need(bundle: Bundle) -> float | None:
    need = settings_of(bundle.run.suite.text).get("need_bytes_per_s")
    return need / _MB if isinstance(need, int) else None


def _columns(one: Curve, unit: AxisUnit, x: Axis, limit: int) -> Columns:
    return into_columns(one.written_bytes / unit.factor, one.bytes_per_s / _MB, x.high, limit)


def _band(curves: Sequence[Curve], unit: AxisUnit, x: Axis) -> Columns | None:
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


def _band_layer(band: Columns, x: Axis, y: Axis) -> Layer:
    rows = [
        {"x": layers.short(at), "low": layers.short(low), "high": layers.short(high), "label": "all passes"}
        for at, low, high in zip(band.x, band.low, band.high, strict=True)
    ]
    mark = {"type": "area", "color": Ink.REST.value, "opacity": 0.28, "line": False, "aria": False}
    encoding = {"x": x.encoding("x"), "y": y.encoding("low"), "y2": {"field": "high"}}
    return {"name": "passes-band", "data": {"values": rows}, "mark": mark, "encoding": encoding}


def _thin_layers(curves: Sequence[Curve], marked: Sequence[Marked], unit: AxisUnit, x: Axis, y: Axis) -> list[Layer]:
    named = {one.curve.number for one in marked}
    others = [one for one in curves if one.number not in named]
    picked = np.unique(np.linspace(0, len(others) - 1, min(len(others), _THIN_MAX)).round().astype(int))
    rows = []
    for one in (others[index] for index in picked):
        columns = _columns(one, unit, x, _THIN_COLUMNS)
        rows += [
            {"x": layers.short(at), "y": layers.short(mean), "label": f"pass {one.number}"}
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


def _needed(need: float, x: Axis) -> layers.KeyLevel:
    return layers.KeyLevel(0.0, x.high, need, f"needed: {_speed(need * _MB)}")


def _level_wanted(level: layers.KeyLevel, x: Axis, y: Axis) -> Wanted:
    level_px = y.length_px - float(y.px(level.level))
    spots = along(float(x.px(level.left)), float(x.px(level.right)), level_px)
    return tuple(Placed((level.description,), spot) for spot in spots)


def _cliffs(one: Marked, rows: dict[int, PassRow], unit: AxisUnit) -> list[layers.KeyPoint]:
    """Where a pass that is not flat fell, at the speed it had until then."""
    row = rows.get(one.curve.number)
    if row is None or row.flat is not False or isinstance(row.cliff_bytes, Unknown) or not row.cliff_bytes:
        return []
    before = one.curve.bytes_per_s[one.curve.written_bytes <= row.cliff_bytes]
    if not len(before):
        return []
    words = f"pass {row.number} falls after {format_bytes(row.cliff_bytes)}"
    return [layers.KeyPoint(row.cliff_bytes / unit.factor, float(np.median(before)) / _MB, one.slot, words)]


def _cliff_wanted(point: layers.KeyPoint, x: Axis, y: Axis) -> Wanted:
    spots = after_end(float(x.px(point.x)), y.length_px - float(y.px(point.y)))
    return tuple(Placed((point.description,), spot) for spot in spots)


def _placed(
    wanted: Sequence[Wanted], curves: Sequence[Outline], taken: Sequence[Box], bounds: Box, shape: Shape
) -> list[Placed]:
    return place([one for one in wanted if one], curves, taken, bounds, shape.font_px)


def _table(curves: Sequence[Curve], rows: dict[int, PassRow]) -> Table:
    cells: list[tuple[Cell, ...]] = []
    for one in curves:
        row = rows.get(one.number)
        verdict = "" if row is None else row.verdict
        speeds = (one.mean, float(one.bytes_per_s.min()), float(one.bytes_per_s.max()))
        cells.append((one.number, *(f"{speed / _MB:,.1f}" for speed in speeds), verdict))
    return Table(
        "A row a pass that was kept whole; seconds, or windows of a pass of only a few seconds",
        (
            Column("pass", ""),
            Column("mean", "MB/s"),
            Column("slowest second", "MB/s"),
            Column("fastest second", "MB/s"),
            Column("verdict", ""),
        ),
        tuple(cells),
    )


def _long_chart(curves: Sequence[Curve], unit: AxisUnit) -> LongChart:
    series = []
    for one in _marked(curves):
        x, y = extremes(one.curve.written_bytes / unit.factor, one.curve.bytes_per_s / _MB, LONG_LIMIT)
        dash = _DASHES[(one.slot - 1) % len(_DASHES)]
        series.append(LongSeries(one.label, one.slot, x, y, () if dash == (1, 0) else dash))
    return LongChart(
        f"written in the pass ({unit.label})", Y_TITLE, Scale.LINEAR, "every second of these passes", tuple(series)
    )
