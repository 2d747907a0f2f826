"""Latency over time, mean and largest of each window, the rest between the passes drawn too (METHODS C2)."""

from enum import Enum

import numpy as np
from numpy.typing import NDArray

from ssdlab.bundle.read import Bundle
from ssdlab.figure import layers
from ssdlab.figure.axis import Axis, AxisUnit, latency_unit, log_axis
from ssdlab.figure.decimate import extremes, into_columns
from ssdlab.figure.fill import PASSES_NAMED_MAX, FillPass, extent, fill_passes, window_text, workload
from ssdlab.figure.model import Cell, Column, Figure, LongChart, LongSeries, Scale, Table
from ssdlab.figure.place import Align, Box, Placed, Spot, Wanted, place
from ssdlab.figure.style import NARROW, WIDE, Shape, figure_spec
from ssdlab.figure.subject import subtitle
from ssdlab.figure.timeline import Timeline, rest_note, timeline, title, unit_of
from ssdlab.figure.words import LONG_LIMIT, TABLE_ROWS, band_note, long_note, table_note, three_digits

TITLE = "Latency over time"


class Side(Enum):
    """Side of a line a label stands on; the sign of its distance in pixels downwards."""

    ABOVE = -1
    BELOW = 1


def latency_over_time(bundle: Bundle) -> Figure | None:
    """The figure; None when no pass was finished, or none has latencies."""
    passes = tuple(one for one in fill_passes(bundle) if np.isfinite(one.series.latency_ns_mean).any())
    if not passes:
        return None
    unit = unit_of(passes)
    latency = latency_unit(float(np.nanmedian(np.concatenate([one.series.latency_ns_mean for one in passes]))))
    largest = " Thin, above: the slowest I/O of each window." if _has_largest(passes) else ""
    return Figure(
        name="latency-over-time",
        title=TITLE,
        subtitle=subtitle(bundle, [one.step.state.value for one in passes]),
        caption=f"{workload(passes)} {extent(bundle, passes)}; mean latency of the I/Os completed in each "
        f"{window_text(passes)} window. {band_note(passes, WIDE)}{largest}{rest_note(bundle, passes)}",
        spec=_spec(bundle, passes, latency, WIDE),
        narrow_spec=_spec(bundle, passes, latency, NARROW),
        table=_table(passes, unit, latency),
        long_chart=_long_chart(passes, unit, latency),
    )


def _has_largest(passes: tuple[FillPass, ...]) -> bool:
    return any(bool(np.isfinite(one.series.latency_ns_max).any()) for one in passes)


def _y_title(latency: AxisUnit) -> str:
    return f"write latency ({latency.label}, log scale)"


def _spec(bundle: Bundle, passes: tuple[FillPass, ...], latency: AxisUnit, shape: Shape) -> dict[str, object]:
    time = timeline(bundle, passes, shape)
    y = _latency_axis(passes, latency, shape)
    means = [_trace(one, one.series.latency_ns_mean, time, latency) for one in passes]
    peaks = [_trace(one, one.series.latency_ns_max, time, latency) for one in passes]
    peaks = [trace for trace in peaks if len(trace.columns.x)]
    curves = layers.outlines([*means, *peaks], time.x, y)
    taken = time.boxes()
    names = [trace.label for trace in means]
    is_named = len(passes) <= PASSES_NAMED_MAX
    legend = layers.legend_for(names, curves, taken, shape) if is_named else layers.NO_LEGEND
    taken += legend.boxes
    wanted = []
    if peaks:
        wanted = [
            _wanted(peaks, "slowest I/O of each window", Side.ABOVE, time.x, y),
            _wanted(means, "mean of each window", Side.BELOW, time.x, y),
        ]
    labels = place(wanted, curves, taken, Box(0, 0, shape.width_px, shape.height_px), shape.font_px)
    return figure_spec(
        shape,
        TITLE,
        subtitle(bundle, [one.step.state.value for one in passes]),
        f"Line chart: write latency against time, {len(passes)} passes over the drive",
        [
            *time.layers(y),
            *layers.peak_layers(peaks, time.x, y),
            *layers.trace_layers(means, time.x, y, legend),
            *layers.text_layers(labels, time.x, y, shape),
        ],
    )


def _trace(one: FillPass, latency_ns: NDArray[np.float64], time: Timeline, latency: AxisUnit) -> layers.Trace:
    # A logarithmic axis has no place for 0, which no latency can be anyway.
    known = np.where(latency_ns > 0, latency_ns, np.nan)
    at = one.clock_ns / time.unit.factor
    return layers.Trace(
        one.label, one.number, into_columns(at, known / latency.factor, time.x.high, time.shape.columns)
    )


def _latency_axis(passes: tuple[FillPass, ...], latency: AxisUnit, shape: Shape) -> Axis:
    every = np.concatenate([part for one in passes for part in (one.series.latency_ns_mean, one.series.latency_ns_max)])
    known = every[np.isfinite(every) & (every > 0)] / latency.factor
    return log_axis(_y_title(latency), float(known.min()) * 0.9, float(known.max()), shape.height_px)


def _wanted(traces: list[layers.Trace], text: str, side: Side, x: Axis, y: Axis) -> Wanted:
    """A label on the outer side of a line, wherever along one of them there is room; the last line first."""
    choices = []
    for trace in reversed(traces):
        columns = trace.columns
        edges = columns.high if side is Side.ABOVE else columns.low
        for nearest in np.linspace(0, len(edges) - 1, 24).astype(int)[1:-1]:
            usual = float(np.median(edges[max(0, nearest - 60) : nearest + 60]))
            edge_px = y.length_px - float(y.px(usual))
            choices += [
                Placed((text,), Spot(float(x.px(columns.x[nearest])), edge_px + side.value * distance, Align.CENTRE))
                for distance in (12, 18, 24, 30)
            ]
    return tuple(choices)


def _table(passes: tuple[FillPass, ...], unit: AxisUnit, latency: AxisUnit) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in passes:
        since_begin = (one.clock_ns - one.begin_ns) / unit.factor
        length, begin = (one.end_ns - one.begin_ns) / unit.factor, one.begin_ns / unit.factor
        means = into_columns(since_begin, one.series.latency_ns_mean / latency.factor, length, TABLE_ROWS)
        peaks = into_columns(since_begin, one.series.latency_ns_max / latency.factor, length, TABLE_ROWS)
        slowest = dict(zip((peaks.x / length * TABLE_ROWS).astype(int).tolist(), peaks.high, strict=True))
        for at, mean, high in zip(means.x, means.mean, means.high, strict=True):
            peak = slowest.get(int(at / length * TABLE_ROWS))
            single = "unknown" if peak is None else three_digits(peak)
            rows.append((one.label, f"{at + begin:,.1f}", three_digits(mean), three_digits(high), single))
    return Table(
        table_note(passes),
        (
            Column("pass", ""),
            Column("time, middle", unit.label),
            Column("mean", latency.label),
            Column("slowest window", latency.label),
            Column("slowest I/O", latency.label),
        ),
        tuple(rows),
    )


def _long_chart(passes: tuple[FillPass, ...], unit: AxisUnit, latency: AxisUnit) -> LongChart:
    series = []
    for one in passes:
        x, y = extremes(one.clock_ns / unit.factor, one.series.latency_ns_mean / latency.factor, LONG_LIMIT)
        series.append(LongSeries(one.label, one.number, x, y))
    return LongChart(title(unit), _y_title(latency), Scale.LOG, long_note(passes), tuple(series))
