"""Bandwidth over bytes written, one line a pass: shows the SLC cache and what comes after it (METHODS C2)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.bundle.read import Bundle
from ssdlab.figure import layers
from ssdlab.figure.axis import Axis, AxisUnit, linear_axis, size_unit
from ssdlab.figure.decimate import Columns, extremes, into_columns
from ssdlab.figure.fill import FillPass, extent, fill_passes, is_sustained, workload
from ssdlab.figure.model import Cell, Column, Figure, LongChart, LongSeries, Scale, Table
from ssdlab.figure.place import Box, Lines, Outline, Placed, Wanted, after_end, along, is_cut_off, place
from ssdlab.figure.readings import reading
from ssdlab.figure.style import NARROW, WIDE, Shape, figure_spec
from ssdlab.figure.subject import subtitle
from ssdlab.figure.words import LONG_LIMIT, TABLE_ROWS, band_note, long_note, table_note
from ssdlab.units import MIB

TITLE = "Bandwidth over bytes written"
Y_TITLE = "write bandwidth (MiB/s)"


@dataclass(frozen=True, slots=True)
class Level:
    """A plateau of one pass as the analysis found it, in the units of the axes."""

    level: float
    left: float
    right: float
    number: int
    """Of the pass."""
    word: str
    speed: str
    size: str | None
    """Of a cache; None for other plateaus."""


def bandwidth_over_bytes(bundle: Bundle) -> Figure | None:
    """The figure; None when no pass was finished, or where the passes of a sustained write have one of their own."""
    passes = fill_passes(bundle)
    if not passes or is_sustained(bundle):
        return None
    unit = size_unit(bundle.run.drive.capacity_bytes)
    return Figure(
        name="bandwidth-over-bytes",
        title=TITLE,
        subtitle=subtitle(bundle, [one.step.state.value for one in passes]),
        caption=f"{workload(passes)} {extent(bundle, passes)}. {band_note(passes, WIDE)} Dashed: the level of each plateau; "
        "disc: end of the SLC cache.",
        spec=_spec(bundle, passes, unit, WIDE),
        narrow_spec=_spec(bundle, passes, unit, NARROW),
        table=_table(passes, unit),
        long_chart=_long_chart(passes, unit),
    )


def _spec(bundle: Bundle, passes: tuple[FillPass, ...], unit: AxisUnit, shape: Shape) -> dict[str, object]:
    length = max(_length(one, unit) for one in passes)
    fastest = max(float(one.series.bandwidth_bytes_per_s.max()) for one in passes) / MIB
    x = linear_axis(f"written in the pass ({unit.label})", length, shape.width_px, shape.x_ticks, round_up=False)
    y = linear_axis(Y_TITLE, max(fastest, 1.0), shape.height_px, shape.y_ticks, round_up=True)
    traces = [layers.Trace(one.label, one.number, _columns(one, unit, length, shape.columns)) for one in passes]
    curves = layers.outlines(traces, x, y)
    legend = layers.legend_for([trace.label for trace in traces], curves, [], shape)
    levels = [level for one in passes for level in _levels(bundle, one, unit)]
    wanted = [
        _wanted(level, x, y, [curve for curve, one in zip(curves, passes, strict=True) if one.number != level.number])
        for level in levels
    ]
    bounds = Box(0, 0, shape.width_px, shape.height_px)
    drawn = [_key_level(level) for level in levels]
    taken = [*layers.level_boxes(drawn, x, y), *legend.boxes]
    placed = place(wanted, curves, taken, bounds, shape.font_px)
    return figure_spec(
        shape,
        TITLE,
        subtitle(bundle, [one.step.state.value for one in passes]),
        f"Line chart: write bandwidth against bytes written, {len(passes)} passes over the drive",
        [
            *layers.trace_layers(traces, x, y, legend),
            *layers.level_layers(drawn, x, y),
            *layers.point_layers([_cache_end(level) for level in levels if level.size], x, y),
            *layers.text_layers(placed, x, y, shape),
        ],
    )


def _length(one: FillPass, unit: AxisUnit) -> float:
    """What the pass wrote; a drive that accepted nothing still has an axis to be drawn on."""
    return max(1.0, float(one.series.bytes_done[-1])) / unit.factor


def _columns(one: FillPass, unit: AxisUnit, length: float, limit: int) -> Columns:
    return into_columns(one.written_bytes / unit.factor, one.series.bandwidth_bytes_per_s / MIB, length, limit)


def _levels(bundle: Bundle, one: FillPass, unit: AxisUnit) -> list[Level]:
    """The plateaus of a pass, each over the stretch where the windows are near its level."""
    name = one.step.name
    size = reading(bundle, f"{name}.cache_bytes")
    cache = reading(bundle, f"{name}.cache_bandwidth")
    levels = []
    if cache and size and size.value > 0:
        end = size.value / unit.factor
        # The table also gives the decimal size; a label has no room for both.
        levels.append(Level(cache.value / MIB, 0.0, end, one.number, "cache", cache.text, size.text.partition(" (")[0]))
    for word in ("folding", "direct"):
        level = reading(bundle, f"{name}.{word}_bandwidth")
        stretch = level and _stretch_near(one, level.value, size.value if size else 0.0)
        if level and stretch:
            left, right = stretch[0] / unit.factor, stretch[1] / unit.factor
            levels.append(Level(level.value / MIB, left, right, one.number, word, level.text, None))
    return levels


def _stretch_near(one: FillPass, level: float, after_bytes: float) -> tuple[float, float] | None:
    """The longest stretch of a pass whose smoothed bandwidth stays within 12 % of a level.

    The metrics say how fast a plateau is, not where it lies; this finds where to draw it.
    """
    slices = np.array_split(np.arange(len(one.written_bytes)), min(200, len(one.written_bytes)))
    bandwidth = _running_median(np.array([np.median(one.series.bandwidth_bytes_per_s[part]) for part in slices]))
    begins = np.array([one.written_bytes[part[0]] for part in slices])
    ends = np.array([one.written_bytes[part[-1]] for part in slices])
    near = (np.abs(bandwidth / level - 1) < 0.12) & (ends > after_bytes)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], near.astype(np.int8), [0]))))
    runs = list(zip(edges[::2], edges[1::2] - 1, strict=True))
    if not runs:
        return None
    first, last = max(runs, key=lambda run: float(ends[run[1]] - begins[run[0]]))
    return max(float(begins[first]), after_bytes), float(ends[last])


def _running_median(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Median of each value and its three neighbours on either side, so that ripple does not cut a plateau."""
    padded = np.pad(values, 3, mode="edge")
    return np.asarray(np.median(np.lib.stride_tricks.sliding_window_view(padded, 7), axis=1), dtype=np.float64)


def _forms(level: Level) -> tuple[Lines, ...]:
    """Text of a label: on one line, or on two where there is little room."""
    if level.size:
        cache = f"pass {level.number}: cache {level.size}"
        return (f"{cache} at {level.speed}",), (cache, f"at {level.speed}")
    return ((f"pass {level.number}: {level.word} {level.speed}",),)


def _words(level: Level) -> str:
    return _forms(level)[0][0]


def _wanted(level: Level, x: Axis, y: Axis, others: list[Outline]) -> Wanted:
    left, right = float(x.px(level.left)), float(x.px(level.right))
    level_px = y.length_px - float(y.px(level.level))
    # A label with another pass between it and its level would be taken for that of the other.
    over = sorted(along(left, right, level_px), key=lambda spot: is_cut_off(spot, level_px, others))
    beside = after_end(right, level_px)
    order = (beside, over) if level.size else (over, beside)
    return tuple(Placed(lines, spot) for spots in order for lines in _forms(level) for spot in spots)


def _key_level(level: Level) -> layers.KeyLevel:
    return layers.KeyLevel(level.left, level.right, level.level, _words(level))


def _cache_end(level: Level) -> layers.KeyPoint:
    words = f"pass {level.number}: the cache ends after {level.size}"
    return layers.KeyPoint(level.right, level.level, level.number, words)


def _table(passes: Sequence[FillPass], unit: AxisUnit) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in passes:
        columns = _columns(one, unit, _length(one, unit), TABLE_ROWS)
        for at, mean, low, high in zip(columns.x, columns.mean, columns.low, columns.high, strict=True):
            rows.append((one.label, f"{at:,.1f}", f"{mean:,.0f}", f"{low:,.0f}", f"{high:,.0f}"))
    return Table(
        table_note(passes),
        (
            Column("pass", ""),
            Column("written, middle", unit.label),
            Column("mean", "MiB/s"),
            Column("slowest window", "MiB/s"),
            Column("fastest window", "MiB/s"),
        ),
        tuple(rows),
    )


def _long_chart(passes: tuple[FillPass, ...], unit: AxisUnit) -> LongChart:
    series = []
    for one in passes:
        x, y = extremes(one.written_bytes / unit.factor, one.series.bandwidth_bytes_per_s / MIB, LONG_LIMIT)
        series.append(LongSeries(one.label, one.number, x, y))
    return LongChart(f"written in the pass ({unit.label})", Y_TITLE, Scale.LINEAR, long_note(passes), tuple(series))
