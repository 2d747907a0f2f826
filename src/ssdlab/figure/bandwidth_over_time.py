"""Bandwidth over time, the passes one after the other with the rest between them (METHODS C2)."""

from dataclasses import replace

import numpy as np

from ssdlab.bundle.read import Bundle
from ssdlab.figure import layers
from ssdlab.figure.axis import Axis, AxisUnit, linear_axis
from ssdlab.figure.decimate import extremes, into_columns
from ssdlab.figure.fill import PASSES_NAMED_MAX, FillPass, extent, fill_passes, workload
from ssdlab.figure.model import Cell, Column, Figure, LongChart, LongSeries, Scale, Table
from ssdlab.figure.place import Box, Placed, Wanted, along, place
from ssdlab.figure.readings import reading
from ssdlab.figure.stack import Panel, stacked_spec
from ssdlab.figure.style import NARROW, WIDE, Shape, figure_spec
from ssdlab.figure.subject import subtitle
from ssdlab.figure.temperature import Warmth, note_of, temperature_panel, warmth_of
from ssdlab.figure.timeline import rest_note, timeline, title, unit_of
from ssdlab.figure.words import LONG_LIMIT, TABLE_ROWS, band_note, long_note, table_note
from ssdlab.units import MIB
from ssdlab.unknown import Unknown

TITLE = "Bandwidth over time"
Y_TITLE = "write bandwidth (MiB/s)"
_MEANS = "Dashed: mean of the pass."
_UNNAMED = "The passes follow each other without names."


def bandwidth_over_time(bundle: Bundle) -> Figure | None:
    """The figure; None when no pass was finished."""
    passes = fill_passes(bundle)
    if not passes:
        return None
    unit = unit_of(passes)
    return Figure(
        name="bandwidth-over-time",
        title=TITLE,
        subtitle=subtitle(bundle, [one.step.state.value for one in passes]),
        caption=f"{workload(passes)} {extent(bundle, passes)}. {band_note(passes, WIDE)} "
        f"{_MEANS if len(passes) <= PASSES_NAMED_MAX else _UNNAMED}{rest_note(bundle, passes)}{note_of(_warmth(bundle, passes, unit))}",
        spec=_spec(bundle, passes, WIDE),
        narrow_spec=_spec(bundle, passes, NARROW),
        table=_table(passes, unit),
        long_chart=_long_chart(passes, unit),
    )


def _spec(bundle: Bundle, passes: tuple[FillPass, ...], shape: Shape) -> dict[str, object]:
    time = timeline(bundle, passes, shape)
    x, unit = time.x, time.unit
    fastest = max(float(one.series.bandwidth_bytes_per_s.max()) for one in passes) / MIB
    y = linear_axis(Y_TITLE, max(fastest, 1.0), shape.height_px, shape.y_ticks, round_up=True)
    is_named = len(passes) <= PASSES_NAMED_MAX
    traces = [
        layers.Trace(
            one.label,
            one.number if is_named else 1,
            into_columns(one.clock_ns / unit.factor, one.series.bandwidth_bytes_per_s / MIB, x.high, shape.columns),
        )
        for one in passes
    ]
    curves = layers.outlines(traces, x, y)
    taken = time.boxes()
    labels = [trace.label for trace in traces]
    legend = layers.legend_for(labels, curves, taken, shape) if is_named else layers.NO_LEGEND
    levels = [level for one in passes if is_named for level in _means(bundle, one, unit)]
    taken += [*layers.level_boxes(levels, x, y), *legend.boxes]
    wanted = [_wanted(one, x, y) for one in levels]
    bounds = Box(0, 0, shape.width_px, shape.height_px)
    placed = place(wanted, curves, taken, bounds, shape.font_px)
    said = subtitle(bundle, [one.step.state.value for one in passes])
    description = f"Line chart: write bandwidth against time, {len(passes)} passes over the drive"
    drawn = [
        *time.layers(y),
        *layers.trace_layers(traces, x, y, legend),
        *layers.level_layers(levels, x, y),
        *layers.text_layers(placed, x, y, shape),
    ]
    warmth = _warmth(bundle, passes, unit)
    if not warmth:
        return figure_spec(shape, TITLE, said, description, drawn)
    below = temperature_panel(warmth, x, shape)
    panels = [Panel("bandwidth", drawn), replace(below, layers=[*time.shades(), *below.layers])]
    return stacked_spec(shape, TITLE, said, f"{description}; below it the temperature", panels)


def _warmth(bundle: Bundle, passes: tuple[FillPass, ...], unit: AxisUnit) -> list[Warmth]:
    """Of each pass that has a temperature, on the figure's time axis."""
    found = []
    for one in passes:
        series = bundle.sensors(one.step)
        at = np.array([]) if isinstance(series, Unknown) else (one.begin_ns + series.time_ns) / unit.factor
        warmth = warmth_of(one.label, one.number if len(passes) <= PASSES_NAMED_MAX else 1, series, at)
        found += [] if warmth is None else [warmth]
    return found


def _means(bundle: Bundle, one: FillPass, unit: AxisUnit) -> list[layers.KeyLevel]:
    mean = reading(bundle, f"{one.step.name}.bandwidth_mean")
    if mean is None:
        return []
    words = f"pass {one.number}: mean {mean.text}"
    return [layers.KeyLevel(one.begin_ns / unit.factor, one.end_ns / unit.factor, mean.value / MIB, words)]


def _wanted(level: layers.KeyLevel, x: Axis, y: Axis) -> Wanted:
    name, value = level.description.rsplit("mean ", 1)
    forms = ((level.description,), (f"{name}mean", value))
    spots = along(float(x.px(level.left)), float(x.px(level.right)), y.length_px - float(y.px(level.level)))
    return tuple(Placed(lines, spot) for lines in forms for spot in spots)


def _table(passes: tuple[FillPass, ...], unit: AxisUnit) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in passes:
        since_begin = (one.clock_ns - one.begin_ns) / unit.factor
        length = (one.end_ns - one.begin_ns) / unit.factor
        columns = into_columns(since_begin, one.series.bandwidth_bytes_per_s / MIB, length, TABLE_ROWS)
        begin = one.begin_ns / unit.factor
        for at, mean, low, high in zip(columns.x + begin, columns.mean, columns.low, columns.high, strict=True):
            rows.append((one.label, f"{at:,.1f}", f"{mean:,.0f}", f"{low:,.0f}", f"{high:,.0f}"))
    return Table(
        table_note(passes),
        (
            Column("pass", ""),
            Column("time, middle", unit.label),
            Column("mean", "MiB/s"),
            Column("slowest window", "MiB/s"),
            Column("fastest window", "MiB/s"),
        ),
        tuple(rows),
    )


def _long_chart(passes: tuple[FillPass, ...], unit: AxisUnit) -> LongChart:
    series = []
    for one in passes:
        x, y = extremes(one.clock_ns / unit.factor, one.series.bandwidth_bytes_per_s / MIB, LONG_LIMIT)
        series.append(LongSeries(one.label, one.number, x, y))
    return LongChart(title(unit), Y_TITLE, Scale.LINEAR, long_note(passes), tuple(series))
