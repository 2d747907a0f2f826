"""Latency of every I/O at QD1 by percentile, equal steps a nine (METHODS E.fig, tail latency)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ssdlab.analysis.statistics.percentile import SAMPLES_ABOVE_MIN, exact_percentiles_ns
from ssdlab.bundle.model import Step
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.tables import LatencyCounts, merged_counts
from ssdlab.engine.result import LatencyKind
from ssdlab.figure.kit.depth_sweep import DepthPoint, DepthSweep, MeasuredWorkload, by_group, depth_sweeps
from ssdlab.figure.kit.drives import Rank, subtitle_of
from ssdlab.figure.kit.latency_axis import latency_text
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.promised import promised
from ssdlab.figure.kit.say import say
from ssdlab.figure.kit.stated import StatedQuantity
from ssdlab.figure.kit.subject import pattern_title
from ssdlab.figure.kit.tail import TailCurve, TailMark, TailWords, curve_of_percentiles, percent_grid, tail_figure
from ssdlab.figure.kit.timed import kind_word, labelled, latency_title, one_kind
from ssdlab.job import DriveState, IoLog, StepKind
from ssdlab.message import message

_HINT = message("figure-tail-qd1-hint")
_GRID = percent_grid()


@dataclass(frozen=True, slots=True, eq=False)
class _Tail:
    """A line, and the state its drive was in."""

    curve: TailCurve
    state: DriveState
    timed: LatencyKind
    marks: tuple[TailMark, ...]
    """What its datasheet states."""


def tail_qd1(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """One drive: a figure with a line a workload. Several: a figure a workload, a line a drive."""
    measured = depth_sweeps(bundles)
    if len(bundles) == 1:
        for group in by_group(measured):
            yield from _alone(bundles, group)
        return
    for one in measured:
        yield from _compared(bundles, one)


def _alone(bundles: Sequence[Bundle], group: Sequence[MeasuredWorkload]) -> Iterator[Figure]:
    lines = [_tail(one.workload.short, Rank.COMPARED, one.sweeps[0]) for one in group]
    workload = group[0].workload
    done = message("figure-io-at-qd1", pattern=pattern_title(workload.pattern))
    title = say(message("figure-by-percentile", done=done))
    yield from _figure(bundles, lines, workload.group.replace("_", "-"), title)


def _compared(bundles: Sequence[Bundle], measured: MeasuredWorkload) -> Iterator[Figure]:
    lines = [_tail(one.drive.label, one.drive.rank, one) for one in measured.sweeps]
    done = message("figure-work-at-qd1", work=measured.workload.words)
    title = say(message("figure-by-percentile", done=done))
    yield from _figure(bundles, lines, measured.workload.slug, title)


def _tail(label: str, rank: Rank, sweep: DepthSweep) -> _Tail | None:
    """The line of the point at QD1, if it kept every I/O."""
    point = next((one for one in sweep.points if one.depth == 1 and one.job.io_log is IoLog.EVERY_IO), None)
    if point is None:
        return None
    timed = one_kind([sweep.drive.bundle.result(step).timed for step in _runs(sweep.drive.bundle, point)])
    if timed is None:
        return None
    latency_ns = exact_percentiles_ns(_counts(sweep.drive.bundle, point), _GRID)
    curve = curve_of_percentiles(label, point.iops, np.array(_GRID), latency_ns, rank)
    marks = tuple(_marks(sweep.drive.bundle, point, label))
    return _Tail(curve, point.speed.state, timed, marks)


def _marks(bundle: Bundle, point: DepthPoint, label: str) -> Iterator[TailMark]:
    for value in promised(bundle, StatedQuantity.LATENCY, point.job):
        if value.percentile is not None and value.queue_depth in {None, point.depth}:
            percent, latency = value.percentile, latency_text(value.value)
            words = message("figure-tail-stated", line=label, percent=percent, latency=latency)
            yield TailMark(float(percent), value.value, say(words))


def _counts(bundle: Bundle, point: DepthPoint) -> LatencyCounts:
    """Of all runs of the point together."""
    return merged_counts([bundle.latency_counts(step) for step in _runs(bundle, point)])


def _runs(bundle: Bundle, point: DepthPoint) -> list[Step]:
    return [step for step in bundle.finished() if step.point == point.point and step.kind is StepKind.MEASURE]


def _figure(bundles: Sequence[Bundle], lines: Sequence[_Tail | None], name: str, title: str) -> Iterator[Figure]:
    drawn = [one for one in lines if one is not None and len(one.curve.nines)]
    if not drawn:
        return
    kinds = {one.timed for one in drawn}
    words = TailWords(
        name=f"tail-qd1-{name}",
        title=title,
        subtitle=(*subtitle_of(bundles, [one.state for one in drawn]), say(_HINT)),
        caption=say(message("figure-tail-qd1-caption", kind=kind_word(kinds), count=SAMPLES_ABOVE_MIN)),
        latency=latency_title(kinds),
        marks=tuple(mark for one in drawn for mark in one.marks),
    )
    curves = [replace(one.curve, label=labelled(one.curve.label, one.timed, kinds)) for one in drawn]
    yield tail_figure(curves, words)
