"""Latency of every I/O by percentile, pure reads and pure writes at QD1 (METHODS C7)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.percentile import SAMPLES_ABOVE_MIN, exact_percentiles_ns
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import IOPS
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.tables import merged_counts
from ssdlab.engine.result import Direction, LatencyKind
from ssdlab.figure.kit.axis import PlotAxis, axis_title, linear_axis, log_title
from ssdlab.figure.kit.curves import Curve, CurvePoint, curve_layers, curve_outline, legend_beside
from ssdlab.figure.kit.depth_sweep import is_over_depths
from ssdlab.figure.kit.drives import DrawnRun, drives_of, subtitle_of
from ssdlab.figure.kit.latency_axis import latency_axis, latency_encoding, latency_text
from ssdlab.figure.kit.layers import Layer
from ssdlab.figure.kit.model import Cell, Column, Figure, FigureTable
from ssdlab.figure.kit.readings import readings
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape, figure_spec
from ssdlab.figure.kit.subject import direction_message, pattern_of_blocks_title
from ssdlab.figure.kit.suite_steps import measure_steps, points_of_any
from ssdlab.figure.kit.timed import kind_word, labelled, latency_title, one_kind
from ssdlab.figure.kit.words import with_iops
from ssdlab.job import DriveState, IoLog, Job, Pattern
from ssdlab.message import message, number
from ssdlab.point import Point
from ssdlab.units import NS_PER_US

_GRID = np.unique(np.concatenate([np.arange(0, 99, 0.25), np.arange(99, 100.001, 0.02)]).round(2))
_SYMBOLS_AT = (10.0, 50.0, 90.0, 99.0)
_TABLE_AT = (0.0, 1.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.9)
_RUNS = {Direction.READ: 100, Direction.WRITE: 0}


@dataclass(frozen=True, slots=True, eq=False)
class LatencyCurve:
    """All I/Os of one drive.

    Attributes:
        percent: float64, ascending; ends where fewer than ten I/Os lie above.
        latency_ns: float64, at most that long took this share of the I/Os.
        iops: Mean of the runs; None where it is unknown.
        state: The drive's when they were done.
        timed: Whether submission is part of the latency.
    """

    drive: DrawnRun
    percent: NDArray[np.float64]
    latency_ns: NDArray[np.float64]
    iops: float | None
    state: DriveState
    timed: LatencyKind

    def at(self, percent: float) -> float | None:
        """Latency in ns at a percentile that is a point of the curve; None beyond its end."""
        place = int(np.searchsorted(self.percent, percent - 1e-9))
        return float(self.latency_ns[place]) if place < len(self.percent) else None


def percentile_latency(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """One figure for reads, one for writes, of random points that kept every I/O."""
    for step in measure_steps(bundles[0]):
        if is_over_depths(step):
            # These have figures of tails (METHODS E.fig).
            continue
        for point, job in points_of_any(bundles, step.name).items():
            if job.io_log is not IoLog.EVERY_IO or job.pattern is not Pattern.RANDOM:
                continue
            for direction, read_percent in _RUNS.items():
                if job.read_percent == read_percent:
                    found = [_curve(drive, point, direction) for drive in drives_of(bundles)]
                    curves = [one for one in found if one is not None]
                    if curves:
                        yield percentile_figure(curves, job, direction)


def _curve(drive: DrawnRun, point: Point, direction: Direction) -> LatencyCurve | None:
    runs = [step for step in drive.bundle.finished() if step.point == point and step.job is not None]
    runs = [step for step in runs if step.job is not None and step.job.io_log is IoLog.EVERY_IO]
    if not runs:
        return None
    timed = one_kind([drive.bundle.result(step).timed for step in runs])
    if timed is None:
        return None
    counts = merged_counts([drive.bundle.latency_counts(step, [direction]) for step in runs])
    latency_ns = exact_percentiles_ns(counts, _GRID.tolist())
    known = np.isfinite(latency_ns)
    if not known.any():
        return None
    iops = readings(drive.bundle).get(MetricKey(point, IOPS))
    return LatencyCurve(
        drive, _GRID[known], latency_ns[known], None if iops is None else iops.value, runs[0].state, timed
    )


def percentile_figure(curves: Sequence[LatencyCurve], job: Job, direction: Direction) -> Figure:
    """A line a drive; the legend says its mean IOPS."""
    done = message(
        "figure-done-at-depth",
        work=pattern_of_blocks_title(job.pattern, job.block_bytes),
        mix=direction_message(direction),
        depth=job.queue_depth,
    )
    title = say(message("figure-by-percentile", done=done))
    # Several drives have theirs in the legend.
    rate = [f"{one.iops:,.0f} IOPS" for one in curves if one.iops is not None and len(curves) == 1]
    subtitle = subtitle_of([one.drive.bundle for one in curves], [one.state for one in curves], *rate)
    return Figure(
        name=f"percentile-latency-{job.pattern.value}-{direction.value}",
        title=title,
        subtitle=subtitle,
        caption=sentences(
            say(message("figure-percentile-caption", kind=kind_word(_kinds(curves)), count=SAMPLES_ABOVE_MIN)),
            say(message("figure-percentile-unequal")) if len(curves) > 1 else "",
        ),
        spec=_spec(curves, title, subtitle, WIDE),
        narrow_spec=_spec(curves, title, subtitle, NARROW),
        table=_table(curves),
        curves=_every_point(curves),
    )


def _kinds(curves: Sequence[LatencyCurve]) -> set[LatencyKind]:
    return {one.timed for one in curves}


def _spec(curves: Sequence[LatencyCurve], title: str, subtitle: tuple[str, ...], shape: PlotShape) -> dict[str, object]:
    kinds = _kinds(curves)
    lines = [_line(one, labelled(one.drive.label, one.timed, kinds)) for one in curves]
    x = linear_axis(
        axis_title(message("figure-percentile-of-ios"), "%"), 100, shape.width_px, shape.x_ticks, round_up=True
    )
    slowest = max(float(one.latency_ns[-1]) for one in curves)
    fastest = min(float(one.latency_ns[0]) for one in curves)
    y_title = log_title(latency_title(kinds))
    y = latency_axis(y_title, fastest, slowest, shape.height_px, label_room_px=20)
    legend = legend_beside(lines, [curve_outline(one, x, y) for one in lines], shape)
    drawn = curve_layers(lines, x, y, shape, legend, "percentiles", legend.boxes if legend else ())
    description = say(message("figure-percentile-described", drives=len(curves)))
    return figure_spec(shape, title, subtitle, description, [_in_latency(one, y) for one in drawn])


def _in_latency(layer: Layer, y: PlotAxis) -> Layer:
    """With the ticks of latencies."""
    position = layer["encoding"]["y"]
    return {**layer, "encoding": {**layer["encoding"], "y": latency_encoding(y, position["field"])}}


def _line(curve: LatencyCurve, drive: str) -> Curve:
    label = drive if curve.iops is None else with_iops(drive, curve.iops)
    points = []
    for percent in _SYMBOLS_AT:
        found = curve.at(percent)
        if found is not None:
            at = message(
                "figure-percentile-point",
                drive=curve.drive.label,
                percent=number(percent, "g"),
                value=latency_text(found),
            )
            points.append(CurvePoint(percent, found / NS_PER_US, say(at)))
    path = tuple(zip(curve.percent.tolist(), (curve.latency_ns / NS_PER_US).tolist(), strict=True))
    return Curve(label, curve.drive.slot, curve.drive.rank, tuple(points), path)


def _every_point(curves: Sequence[LatencyCurve]) -> FigureTable:
    kinds = _kinds(curves)
    rows: list[tuple[Cell, ...]] = [
        (labelled(curve.drive.label, curve.timed, kinds), f"{percent:g}", f"{latency_ns / NS_PER_US:.3f}")
        for curve in curves
        for percent, latency_ns in zip(curve.percent.tolist(), curve.latency_ns.tolist(), strict=True)
    ]
    columns = (
        column(message("figure-drive")),
        column(message("figure-percentile-of-ios"), "%"),
        column(latency_title(kinds), "µs"),
    )
    return FigureTable(say(message("figure-table-percentiles")), columns, tuple(rows))


def _table(curves: Sequence[LatencyCurve]) -> FigureTable:
    rows: list[tuple[Cell, ...]] = []
    kinds = _kinds(curves)
    for curve in curves:
        found = [curve.at(percent) for percent in _TABLE_AT]
        too_few, unknown = say(message("figure-too-few-above")), say(message("figure-unknown"))
        cells = [too_few if one is None else f"{one / NS_PER_US:,.2f}" for one in found]
        label = labelled(curve.drive.label, curve.timed, kinds)
        rows.append((label, unknown if curve.iops is None else f"{curve.iops:,.0f}", *cells))
    columns = (
        column(message("figure-drive")),
        column(message("figure-column-mean"), "IOPS"),
        *(Column(f"{one:g} %", "µs") for one in _TABLE_AT),
    )
    return FigureTable(say(message("figure-table-some-percentiles")), columns, tuple(rows))
