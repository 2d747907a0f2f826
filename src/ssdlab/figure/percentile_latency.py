"""Latency of every I/O by percentile, pure reads and pure writes at QD1 (METHODS C7)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.percentile import SAMPLES_ABOVE_MIN
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.figure.axis import Axis, linear_axis
from ssdlab.figure.curves import Curve, CurvePoint, curve_layers, curve_outline, legend_beside
from ssdlab.figure.depth_sweep import is_over_depths
from ssdlab.figure.drives import Drive, drives_of, subtitle_of
from ssdlab.figure.latency_axis import latency_axis, latency_encoding, latency_text
from ssdlab.figure.layers import Layer
from ssdlab.figure.model import Cell, Column, Figure, Table
from ssdlab.figure.readings import readings
from ssdlab.figure.style import NARROW, WIDE, Shape, figure_spec
from ssdlab.figure.subject import block_words
from ssdlab.figure.suite_steps import measure_steps, points_of_any
from ssdlab.job import IoLog, Job, Pattern
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
    """

    drive: Drive
    percent: NDArray[np.float64]
    latency_ns: NDArray[np.float64]
    iops: float | None
    state: str

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
        for name, job in points_of_any(bundles, step.name).items():
            if job.io_log is not IoLog.EVERY_IO or job.pattern is not Pattern.RANDOM:
                continue
            for direction, read_percent in _RUNS.items():
                if job.read_percent == read_percent:
                    found = [_curve(drive, name, direction) for drive in drives_of(bundles)]
                    curves = [one for one in found if one is not None]
                    if curves:
                        yield percentile_figure(curves, job, direction)


def percentiles(latency_ns: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Percentiles from 0 to 100 and the latency at each, nearest rank (METHODS 0); those with too few I/Os above left out."""
    ordered = np.sort(latency_ns).astype(np.float64)
    rank = np.maximum(np.ceil(_GRID / 100 * len(ordered) - 1e-9), 1).astype(np.int64)
    known = len(ordered) - rank >= SAMPLES_ABOVE_MIN
    return _GRID[known], ordered[rank[known] - 1]


def _curve(drive: Drive, point: str, direction: Direction) -> LatencyCurve | None:
    runs = [step for step in drive.bundle.finished() if step.point == point and step.job is not None]
    runs = [step for step in runs if step.job is not None and step.job.io_log is IoLog.EVERY_IO]
    if not runs:
        return None
    percent, latency_ns = percentiles(
        np.concatenate([drive.bundle.every_io(step, direction).latency_ns for step in runs])
    )
    if not len(percent):
        return None
    iops = readings(drive.bundle).get(f"{point}.iops")
    return LatencyCurve(drive, percent, latency_ns, None if iops is None else iops.value, runs[0].state.value)


def percentile_figure(curves: Sequence[LatencyCurve], job: Job, direction: Direction) -> Figure:
    """A line a drive; the legend says its mean IOPS."""
    words = f"{job.pattern.value.capitalize()} {block_words(job.block_bytes)} {direction.value} at QD{job.queue_depth}"
    title = f"{words}: latency by percentile"
    # Several drives have theirs in the legend.
    rate = [f"{one.iops:,.0f} IOPS" for one in curves if one.iops is not None and len(curves) == 1]
    subtitle = subtitle_of([one.drive.bundle for one in curves], [one.state for one in curves], *rate)
    return Figure(
        name=f"percentile-latency-{job.pattern.value}-{direction.value}",
        title=title,
        subtitle=subtitle,
        caption="Completion latency of every single I/O of all runs, nearest rank; a percentile has at least "
        f"{SAMPLES_ABOVE_MIN} I/Os above it. {_unequal(curves)}",
        spec=_spec(curves, title, subtitle, WIDE),
        narrow_spec=_spec(curves, title, subtitle, NARROW),
        table=_table(curves),
    )


def _unequal(curves: Sequence[LatencyCurve]) -> str:
    if len(curves) == 1:
        return ""
    return " The drives did not do the same number of I/Os a second: the legend says how many."


def _spec(curves: Sequence[LatencyCurve], title: str, subtitle: tuple[str, ...], shape: Shape) -> dict[str, object]:
    lines = [_line(one) for one in curves]
    x = linear_axis("percentile of I/Os (%)", 100, shape.width_px, shape.x_ticks, round_up=True)
    slowest = max(float(one.latency_ns[-1]) for one in curves)
    fastest = min(float(one.latency_ns[0]) for one in curves)
    y = latency_axis("completion latency (log scale)", fastest, slowest, shape.height_px, label_room_px=20)
    legend = legend_beside(lines, [curve_outline(one, x, y) for one in lines], shape)
    drawn = curve_layers(lines, x, y, shape, legend, "percentiles", legend.boxes if legend else ())
    description = f"Line chart: completion latency against percentile, {len(curves)} drives"
    return figure_spec(shape, title, subtitle, description, [_in_latency(one, y) for one in drawn])


def _in_latency(layer: Layer, y: Axis) -> Layer:
    """With the ticks of latencies."""
    position = layer["encoding"]["y"]
    return {**layer, "encoding": {**layer["encoding"], "y": latency_encoding(y, position["field"])}}


def _line(curve: LatencyCurve) -> Curve:
    label = curve.drive.label if curve.iops is None else f"{curve.drive.label}: {curve.iops:,.0f} IOPS"
    points = []
    for percent in _SYMBOLS_AT:
        found = curve.at(percent)
        if found is not None:
            words = f"{curve.drive.label} at {percent:g} %: {latency_text(found)}"
            points.append(CurvePoint(percent, found / NS_PER_US, words))
    path = tuple(zip(curve.percent.tolist(), (curve.latency_ns / NS_PER_US).tolist(), strict=True))
    return Curve(label, curve.drive.slot, curve.drive.rank, tuple(points), path)


def _table(curves: Sequence[LatencyCurve]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for curve in curves:
        found = [curve.at(percent) for percent in _TABLE_AT]
        cells = ["too few I/Os above" if one is None else f"{one / NS_PER_US:,.2f}" for one in found]
        rows.append((curve.drive.label, "unknown" if curve.iops is None else f"{curve.iops:,.0f}", *cells))
    columns = (Column("drive", ""), Column("mean", "IOPS"), *(Column(f"{one:g} %", "µs") for one in _TABLE_AT))
    return Table("latency at some percentiles", columns, tuple(rows))
