"""Latency over time, mean and largest of each window, the rest between the passes drawn too (METHODS C2)."""

from enum import Enum

import numpy as np
from numpy.typing import NDArray

from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import AxisUnit, PlotAxis, axis_title, latency_unit, log_axis, log_title
from ssdlab.figure.kit.decimate import extremes, into_columns
from ssdlab.figure.kit.model import AxisScale, Cell, Figure, FigureTable, LongChart, LongSeries
from ssdlab.figure.kit.passes import PASSES_NAMED_MAX, FillPass, fill_passes, window_text, workload
from ssdlab.figure.kit.place import Align, Box, Placed, Spot, Wanted, place
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape, figure_spec
from ssdlab.figure.kit.subject import subtitle
from ssdlab.figure.kit.timed import kind_word
from ssdlab.figure.kit.timeline import Timeline, rest_note, timeline, title, unit_of
from ssdlab.figure.kit.words import LONG_LIMIT, TABLE_ROWS, band_note, long_note, table_note, three_digits
from ssdlab.message import Message, message

TITLE = message("figure-latency-over-time-title")


class LabelSide(Enum):
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
    done, kind = workload(bundle, passes), _kind(bundle, passes)
    return Figure(
        name="latency-over-time",
        title=say(TITLE),
        subtitle=subtitle(bundle, [one.step.state for one in passes]),
        caption=sentences(
            say(message("figure-latency-over-time-caption", done=done, window=window_text(passes), kind=kind)),
            band_note(passes, WIDE),
            say(message("figure-thin-slowest")) if _has_largest(passes) else "",
            rest_note(bundle, passes),
        ),
        spec=_spec(bundle, passes, latency, WIDE),
        narrow_spec=_spec(bundle, passes, latency, NARROW),
        table=_table(passes, unit, latency),
        long_chart=_long_chart(bundle, passes, unit, latency),
    )


def _has_largest(passes: tuple[FillPass, ...]) -> bool:
    return any(bool(np.isfinite(one.series.latency_ns_max).any()) for one in passes)


def _y_title(bundle: Bundle, passes: tuple[FillPass, ...], latency: AxisUnit) -> str:
    return log_title(_what(bundle, passes), latency.label)


def _what(bundle: Bundle, passes: tuple[FillPass, ...]) -> Message:
    return message("figure-write-latency", kind=_kind(bundle, passes))


def _kind(bundle: Bundle, passes: tuple[FillPass, ...]) -> str:
    return kind_word([bundle.result(one.step).timed for one in passes])


def _spec(bundle: Bundle, passes: tuple[FillPass, ...], latency: AxisUnit, shape: PlotShape) -> dict[str, object]:
    time = timeline(bundle, passes, shape)
    y = _latency_axis(_y_title(bundle, passes, latency), passes, latency, shape)
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
            _wanted(peaks, say(message("figure-slowest-io-of-window")), LabelSide.ABOVE, time.x, y),
            _wanted(means, say(message("figure-mean-of-window")), LabelSide.BELOW, time.x, y),
        ]
    labels = place(wanted, curves, taken, Box(0, 0, shape.width_px, shape.height_px), shape.font_px)
    return figure_spec(
        shape,
        say(TITLE),
        subtitle(bundle, [one.step.state for one in passes]),
        say(message("figure-latency-over-time-described", passes=len(passes))),
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


def _latency_axis(y_title: str, passes: tuple[FillPass, ...], latency: AxisUnit, shape: PlotShape) -> PlotAxis:
    every = np.concatenate([part for one in passes for part in (one.series.latency_ns_mean, one.series.latency_ns_max)])
    known = every[np.isfinite(every) & (every > 0)] / latency.factor
    return log_axis(y_title, float(known.min()) * 0.9, float(known.max()), shape.height_px)


def _wanted(traces: list[layers.Trace], text: str, side: LabelSide, x: PlotAxis, y: PlotAxis) -> Wanted:
    """A label on the outer side of a line, wherever along one of them there is room; the last line first."""
    choices = []
    for trace in reversed(traces):
        columns = trace.columns
        edges = columns.high if side is LabelSide.ABOVE else columns.low
        for nearest in np.linspace(0, len(edges) - 1, 24).astype(int)[1:-1]:
            usual = float(np.median(edges[max(0, nearest - 60) : nearest + 60]))
            edge_px = y.length_px - float(y.px(usual))
            choices += [
                Placed((text,), Spot(float(x.px(columns.x[nearest])), edge_px + side.value * distance, Align.CENTRE))
                for distance in (12, 18, 24, 30)
            ]
    return tuple(choices)


def _table(passes: tuple[FillPass, ...], unit: AxisUnit, latency: AxisUnit) -> FigureTable:
    rows: list[tuple[Cell, ...]] = []
    for one in passes:
        since_begin = (one.clock_ns - one.begin_ns) / unit.factor
        length, begin = (one.end_ns - one.begin_ns) / unit.factor, one.begin_ns / unit.factor
        means = into_columns(since_begin, one.series.latency_ns_mean / latency.factor, length, TABLE_ROWS)
        peaks = into_columns(since_begin, one.series.latency_ns_max / latency.factor, length, TABLE_ROWS)
        slowest = dict(zip((peaks.x / length * TABLE_ROWS).astype(int).tolist(), peaks.high, strict=True))
        for at, mean, high in zip(means.x, means.mean, means.high, strict=True):
            peak = slowest.get(int(at / length * TABLE_ROWS))
            single = say(message("figure-unknown")) if peak is None else three_digits(peak)
            rows.append((one.label, f"{at + begin:,.1f}", three_digits(mean), three_digits(high), single))
    return FigureTable(
        table_note(passes),
        (
            column(message("figure-column-pass")),
            column(message("figure-column-time-middle"), unit.label),
            column(message("figure-column-mean"), latency.label),
            column(message("figure-column-slowest-window"), latency.label),
            column(message("figure-column-slowest-io"), latency.label),
        ),
        tuple(rows),
    )


def _long_chart(bundle: Bundle, passes: tuple[FillPass, ...], unit: AxisUnit, latency: AxisUnit) -> LongChart:
    series = []
    for one in passes:
        x, y = extremes(one.clock_ns / unit.factor, one.series.latency_ns_mean / latency.factor, LONG_LIMIT)
        series.append(LongSeries(one.label, one.number, x, y))
    y_title = axis_title(_what(bundle, passes), latency.label)
    return LongChart(title(unit), y_title, AxisScale.LOG, long_note(passes), tuple(series))
