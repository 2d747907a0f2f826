"""Latency of every I/O at QD1 by percentile, equal steps a nine (METHODS E.fig, tail latency)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.percentile import SAMPLES_ABOVE_MIN
from ssdlab.bundle import layout
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.tables import LatencyCounts, merged_counts, read_latency_counts
from ssdlab.figure.depth_sweep import DepthPoint, DepthSweep, Measured, by_group, depth_sweeps
from ssdlab.figure.drives import Rank, subtitle_of
from ssdlab.figure.model import Figure
from ssdlab.figure.tail import TailCurve, TailWords, curve_of_percentiles, percent_grid, tail_figure
from ssdlab.job import IoLog, StepKind

_MILLIONTHS = 1_000_000
_HINT = "Each step up is ten times rarer: at 99.9, 1 I/O in 1,000 was slower. Upright lines are even, those further left faster"
_GRID = percent_grid()


@dataclass(frozen=True, slots=True, eq=False)
class _Tail:
    """A line, and the state its drive was in."""

    curve: TailCurve
    state: str


def tail_qd1(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """One drive: a figure with a line a workload. Several: a figure a workload, a line a drive."""
    measured = depth_sweeps(bundles)
    if len(bundles) == 1:
        for group in by_group(measured):
            yield from _alone(bundles, group)
        return
    for one in measured:
        yield from _compared(bundles, one)


def percentiles_of(counts: LatencyCounts) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The percentiles of the grid and the latency at each in ns, nearest rank (METHODS 0); NaN where fewer than ten I/Os lie above."""
    counted = np.cumsum(counts.count)
    total = int(counted[-1]) if len(counted) else 0
    shares = np.round(np.array(_GRID) * _MILLIONTHS).astype(np.int64)
    # In whole millionths of a percent, because 99.9 % of 1,000 must be 999 and not the next number above.
    ranks = np.maximum(-(-shares * total // (100 * _MILLIONTHS)), 1)
    known = total - ranks >= SAMPLES_ABOVE_MIN
    latency_ns = np.full(len(shares), np.nan)
    latency_ns[known] = counts.latency_ns[np.searchsorted(counted, ranks[known])]
    return np.array(_GRID), latency_ns


def _alone(bundles: Sequence[Bundle], group: Sequence[Measured]) -> Iterator[Figure]:
    lines = [_tail(one.workload.short, Rank.COMPARED, one.sweeps[0]) for one in group]
    workload = group[0].workload
    title = f"{workload.pattern.value.capitalize()} I/O at QD1: latency by percentile"
    yield from _figure(bundles, lines, workload.group.replace("_", "-"), title)


def _compared(bundles: Sequence[Bundle], measured: Measured) -> Iterator[Figure]:
    lines = [_tail(one.drive.label, one.drive.rank, one) for one in measured.sweeps]
    title = f"{measured.workload.words} at QD1: latency by percentile"
    yield from _figure(bundles, lines, measured.workload.slug, title)


def _tail(label: str, rank: Rank, sweep: DepthSweep) -> _Tail | None:
    """The line of the point at QD1, if it kept every I/O."""
    point = next((one for one in sweep.points if one.depth == 1 and one.job.io_log is IoLog.EVERY_IO), None)
    if point is None:
        return None
    percent, latency_ns = percentiles_of(_counts(sweep.drive.bundle, point))
    return _Tail(curve_of_percentiles(label, point.iops, percent, latency_ns, rank), point.speed.state)


def _counts(bundle: Bundle, point: DepthPoint) -> LatencyCounts:
    """Of all runs of the point together."""
    runs = [step for step in bundle.finished() if step.point == point.name and step.kind is StepKind.MEASURE]
    return merged_counts([read_latency_counts(bundle.directory(step) / layout.EVERY_IO) for step in runs])


def _figure(bundles: Sequence[Bundle], lines: Sequence[_Tail | None], name: str, title: str) -> Iterator[Figure]:
    drawn = [one for one in lines if one is not None and len(one.curve.nines)]
    if not drawn:
        return
    words = TailWords(
        name=f"tail-qd1-{name}",
        title=title,
        subtitle=(*subtitle_of(bundles, [one.state for one in drawn]), _HINT),
        caption="Latency of every single I/O, reads and writes together, by nearest rank; a percentile with fewer than "
        f"{SAMPLES_ABOVE_MIN} I/Os above it is not drawn. The lines have different IOPS: the legend says how many.",
        latency="latency",
    )
    yield tail_figure([one.curve for one in drawn], words)
