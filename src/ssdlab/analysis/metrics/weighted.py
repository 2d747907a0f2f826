"""The weighted curve over the share of reads, and the value it ranks drives by (METHODS C6)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean

from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.statistics.interval import Interval, combined_reach, interval_around
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import IOPS
from ssdlab.job import DriveState, Job
from ssdlab.message import Message, message, verbatim
from ssdlab.method.kinds.measure import MeasureStep, RankOver, Weighted
from ssdlab.point import Aggregate, CoordinateAxis, Point, job_point, weighted_point
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True)
class PointRate:
    """I/Os a second of a point, and their interval where there is one."""

    job: Job
    iops: float | Unknown
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class _Sum:
    """A weighted sum of points; half of its interval where all of them have one."""

    iops: float
    reach: float | None

    @property
    def interval(self) -> Interval | None:
        return None if self.reach is None else interval_around(self.iops, self.reach)


Rates = Mapping[Point, PointRate]
Depths = Mapping[tuple[int, int], PointRate]
"""By share of reads and queue depth."""


def weighted_metrics(step: MeasureStep, weighted: Weighted, rates: Rates, state: DriveState) -> Iterator[Metric]:
    """`<step>.<job>.weighted.r<share>.iops` and `<step>.<job>.rank.iops`; Unknown where a point is missing."""
    for label in step.jobs:
        of_job = job_point(step.name, label)
        points = {
            (rate.job.read_percent, rate.job.queue_depth): rate for point, rate in rates.items() if of_job.holds(point)
        }
        curve = {
            read_percent: _weighted(weighted, points, read_percent) for read_percent in step.sweep.read_percent or ()
        }
        for read_percent, value in curve.items():
            naming = Naming(weighted_point(of_job, read_percent), state, step=of_job.name)
            yield _metric(naming, value, verbatim(_words(weighted)))
        naming = Naming(of_job.at(CoordinateAxis.AGGREGATE, Aggregate.RANK), state, step=of_job.name)
        yield _metric(naming, _rank(weighted, curve), _RANKED[weighted.rank_over])


def _metric(naming: Naming, value: _Sum | Unknown, note: Message) -> Metric:
    if isinstance(value, Unknown):
        return naming.metric(IOPS, value, note=note)
    return naming.metric(IOPS, value.iops, value.interval, note)


_RANKED = {
    RankOver.MIXED: message("metric-mean-of-mixed"),
    RankOver.ALL: message("metric-mean-of-curve"),
}


def _words(weighted: Weighted) -> str:
    parts = sorted(weighted.share_of_depth.items())
    return " + ".join(f"{100 * part.numerator / part.denominator:g} % QD{depth}" for depth, part in parts)


def _weighted(weighted: Weighted, points: Depths, read_percent: int) -> _Sum | Unknown:
    total = 0.0
    parts: list[tuple[float, float | None]] = []
    for depth, part in weighted.share_of_depth.items():
        point = points.get((read_percent, depth))
        if point is None:
            return Unknown(message("unknown-point-not-measured", depth=str(depth), share=str(read_percent)))
        if isinstance(point.iops, Unknown):
            return point.iops
        total += point.iops * part.numerator / part.denominator
        # The lower end may have been cut off at zero.
        reach = None if point.interval is None else point.interval.high - point.iops
        parts.append((part.numerator / part.denominator, reach))
    return _Sum(total, combined_reach(parts))


def _rank(weighted: Weighted, curve: Mapping[int, _Sum | Unknown]) -> _Sum | Unknown:
    counted = [
        value for read_percent, value in curve.items() if weighted.rank_over is RankOver.ALL or 0 < read_percent < 100
    ]
    known = [value for value in counted if not isinstance(value, Unknown)]
    if not known or len(known) < len(counted):
        return Unknown(message("unknown-points-known", known=len(known), planned=len(counted)))
    reach = combined_reach([(1 / len(known), one.reach) for one in known])
    return _Sum(fmean(one.iops for one in known), reach)
