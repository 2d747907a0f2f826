"""Preconditioning and write saturation over time: speed and latency in seconds, and a crop of the beginning (METHODS E.fig)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ssdlab.bundle.read import Bundle
from ssdlab.figure.enterprise.preconditioning import band_note
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis, axis_title, linear_axis, log_title
from ssdlab.figure.kit.decimate import Columns, into_columns
from ssdlab.figure.kit.drives import subtitle_of
from ssdlab.figure.kit.latency_axis import in_latency, latency_axis
from ssdlab.figure.kit.model import Cell, Figure, FigureTable
from ssdlab.figure.kit.say import column, say
from ssdlab.figure.kit.stack import StackedPlot, stacked_spec
from ssdlab.figure.kit.steady_series import SteadyRun, ending_title, speed_axis_of, speed_title, steady_runs
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape
from ssdlab.figure.kit.subject import pattern_of_blocks_title
from ssdlab.figure.kit.timed import latency_title
from ssdlab.figure.kit.words import TABLE_ROWS
from ssdlab.message import Message, message
from ssdlab.units import NS_PER_S, NS_PER_US

_CROP_S = 2000
"""The sources look at the first 1,000 to 2,000 s: there a drive falls from fresh to steady."""
_HEIGHT_SHARE = 0.72
_SHEET_ROWS = 4000


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A run from its beginning to some moment."""

    run: SteadyRun
    end_ns: int

    def columns(self, values: NDArray[np.float64], limit: int) -> Columns:
        """In at most so many columns over the time drawn."""
        series = self.run.series
        middle_ns = series.time_ns - series.duration_ns / 2
        inside = middle_ns <= self.end_ns
        return into_columns(middle_ns[inside] / NS_PER_S, values[inside], self.end_ns / NS_PER_S, limit)

    def slice_of(self, at: float, limit: int) -> int:
        """Which of so many slices of the time drawn it falls into."""
        return min(int(at / (self.end_ns / NS_PER_S) * limit), limit - 1)

    def by_slice(self, values: NDArray[np.float64], limit: int) -> dict[int, float]:
        """Means by the number of the slice; windows in which nothing completed have none."""
        found = self.columns(values, limit)
        return {self.slice_of(at, limit): mean for at, mean in zip(found.x.tolist(), found.mean.tolist(), strict=True)}

    @property
    def latencies(self) -> tuple[tuple[Message, NDArray[np.float64]], ...]:
        """In microseconds; a logarithmic axis has no place for 0."""
        series = self.run.series
        every = (
            (message("figure-column-mean"), series.latency_ns_mean),
            (message("figure-slowest-io-of-window"), series.latency_ns_max),
        )
        return tuple((name, np.where(values > 0, values, np.nan) / NS_PER_US) for name, values in every)


def over_time(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Of the device under test, for each step that writes until the drive is steady: the whole and its beginning."""
    for run, *_ in steady_runs(bundles[:1]):
        name = f"over-time-{run.said.name.replace('_', '-')}"
        work = pattern_of_blocks_title(run.job.pattern, run.job.block_bytes)
        depth = run.job.in_flight
        whole = _Part(run, int(run.series.time_ns[-1]))
        yield _figure(whole, name, message("figure-series-over-time", work=work, depth=depth))
        if whole.end_ns > 2 * _CROP_S * NS_PER_S:
            crop = _Part(run, _CROP_S * NS_PER_S)
            begun = message("figure-series-beginning", work=work, depth=depth, seconds=_CROP_S)
            yield _figure(crop, f"{name}-beginning", begun)


def _figure(part: _Part, name: str, words: Message) -> Figure:
    run = part.run
    title, subtitle = say(words), (*subtitle_of([run.drive.bundle], [run.step.state]), ending_title(run))
    return Figure(
        name=name,
        title=title,
        subtitle=subtitle,
        caption=band_note(run),
        spec=_spec(part, title, subtitle, WIDE),
        narrow_spec=_spec(part, title, subtitle, NARROW),
        table=_table(part, TABLE_ROWS),
        curves=_table(part, _SHEET_ROWS),
    )


def _spec(part: _Part, title: str, subtitle: tuple[str, ...], shape: PlotShape) -> dict[str, object]:
    flat = replace(shape, height_px=round(shape.height_px * _HEIGHT_SHARE), y_ticks=5)
    x = linear_axis(_x_title(), part.end_ns / NS_PER_S, shape.width_px, shape.x_ticks, round_up=False)
    y = speed_axis_of(part.run, flat.height_px, flat.y_ticks)
    speed = layers.Trace(say(message("figure-speed")), 1, part.columns(part.run.speed, shape.columns))
    panels = [
        StackedPlot(
            speed_title(part.run), layers.trace_layers([speed], x, y, layers.Legend({"disable": True}, ()), "speed")
        )
    ]
    if below := _latency_layers(part, x, flat):
        panels.append(StackedPlot(_latency(part), below))
    described = say(message("figure-series-described"))
    return dict(stacked_spec(flat, title, subtitle, described, panels))


def _latency_layers(part: _Part, x: PlotAxis, shape: PlotShape) -> list[layers.Layer]:
    every = [(say(name), part.columns(values, shape.columns)) for name, values in part.latencies]
    traces = [layers.Trace(name, slot, columns) for slot, (name, columns) in enumerate(every, 1) if len(columns.x)]
    if not traces:
        return []
    low = min(float(one.columns.low.min()) for one in traces) * NS_PER_US
    high = max(float(one.columns.high.max()) for one in traces) * NS_PER_US
    y = latency_axis(log_title(_latency(part)), low, high, shape.height_px, label_room_px=22)
    legend = layers.legend_for([one.label for one in traces], layers.outlines(traces, x, y), [], shape)
    return [in_latency(one, y) for one in layers.trace_layers(traces, x, y, legend, "latencies")]


def _latency(part: _Part) -> Message:
    return latency_title([part.run.drive.bundle.result(part.run.step).timed])


def _x_title() -> str:
    return axis_title(message("figure-time-since-begin"), "s")


def _table(part: _Part, limit: int) -> FigureTable:
    """Means of slices of the time, with what was written by then."""
    run = part.run
    speeds, written = part.columns(run.speed, limit), part.columns(run.written, limit)
    latencies = [part.by_slice(values, limit) for _, values in part.latencies]
    unknown = say(message("figure-unknown"))
    rows: list[tuple[Cell, ...]] = []
    for at, speed, multiple in zip(speeds.x.tolist(), speeds.mean.tolist(), written.mean.tolist(), strict=True):
        found = [one.get(part.slice_of(at, limit)) for one in latencies]
        cells = (unknown if one is None else f"{one:.6g}" for one in found)
        rows.append((f"{at:.6g}", f"{multiple:.4g}", f"{speed:.6g}", *cells))
    columns = (
        column(message("figure-column-time-middle"), "s"),
        column(message("figure-written-multiples")),
        column(speed_title(run), run.unit.label),
        *(column(name, "µs") for name, _ in part.latencies),
    )
    return FigureTable(say(message("figure-table-time-slices", rows=len(rows))), columns, tuple(rows))
