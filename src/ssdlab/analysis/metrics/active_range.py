"""Metric of the active range: the reach of the mapping cache (METHODS C3, M)."""

from collections.abc import Sequence

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.infer.reach import Limit, MappingCacheReach, RangePoint, reach_of
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.statistics.rate import total_iops
from ssdlab.bundle.model import Metric, Step, StepStatus
from ssdlab.bundle.quantities import REACH_BYTES
from ssdlab.engine.result import Direction, LatencyKind
from ssdlab.message import Message, message, number, size
from ssdlab.point import Point
from ssdlab.unknown import Unknown

_DONE = {StepStatus.FINISHED, StepStatus.SKIPPED}


def active_range_metrics(group: str, plan: Sequence[Step], finished: Sequence[StepEvidence]) -> tuple[Metric, ...]:
    """`<group>.reach_bytes`; Unknown until every range is measured, and where nothing falls.

    Args:
        group: Name of the suite's step.
        plan: All its planned steps.
        finished: Those that did their I/O.
    """
    if not finished:
        return ()
    naming = Naming(Point(group), finished[0].step.state)
    ranges = [step for step in plan if step.job is not None]
    missing = sum(step.status not in _DONE for step in ranges)
    found = (
        Unknown(message("unknown-ranges-measured", done=len(ranges) - missing, planned=len(ranges)))
        if missing
        else reach_of(_points(finished))
    )
    if isinstance(found, Unknown):
        return (naming.metric(REACH_BYTES, found),)
    return (naming.metric(REACH_BYTES, found.bytes, found.interval, _note(found)),)


def _points(finished: Sequence[StepEvidence]) -> list[RangePoint]:
    rates = [(one, total_iops(one.result.directions.values())) for one in finished]
    return [
        RangePoint(one.job.region.length_bytes, rate, _spread(one))
        for one, rate in rates
        if not isinstance(rate, Unknown)
    ]


def _spread(one: StepEvidence) -> float | Unknown:
    histogram = one.latency.get(Direction.READ, {}).get(LatencyKind.LAT)
    if histogram is None or not histogram.mean_ns:
        return Unknown(message("unknown-no-total-latency"))
    return histogram.stddev_ns / histogram.mean_ns


def _note(found: MappingCacheReach) -> Message:
    drop, hidden = number(found.drop, ".0%"), size(found.hidden_bytes)
    match found.limit:
        case Limit.FLASH:
            return message("metric-slower", drop=drop)
        case Limit.COMMON:
            return message("metric-slower-common", drop=drop, hidden=hidden)
        case Limit.UNKNOWN:
            return message("metric-slower-unknown", drop=drop, hidden=hidden)
