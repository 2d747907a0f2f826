"""Metric of the active range: the reach of the mapping cache (METHODS C3, M)."""

from collections.abc import Sequence

from ssdlab.analysis.evidence import Evidence
from ssdlab.analysis.naming import Naming
from ssdlab.analysis.rate import total_iops
from ssdlab.analysis.reach import Limit, RangePoint, Reach, reach_of
from ssdlab.bundle.model import Metric, Step, StepStatus
from ssdlab.engine.result import Direction, LatencyKind
from ssdlab.units import format_bytes
from ssdlab.unknown import Unknown

_DONE = {StepStatus.FINISHED, StepStatus.SKIPPED}


def active_range_metrics(group: str, plan: Sequence[Step], finished: Sequence[Evidence]) -> tuple[Metric, ...]:
    """`<group>.reach_bytes`; Unknown until every range is measured, and where nothing falls.

    Args:
        group: Name of the suite's step.
        plan: All its planned steps.
        finished: Those that did their I/O.
    """
    if not finished:
        return ()
    naming = Naming(group, finished[0].step.state)
    ranges = [step for step in plan if step.job is not None]
    missing = sum(step.status not in _DONE for step in ranges)
    found = (
        Unknown(f"{len(ranges) - missing} of {len(ranges)} ranges measured") if missing else reach_of(_points(finished))
    )
    if isinstance(found, Unknown):
        return (naming.metric("reach_bytes", found, "B"),)
    return (naming.metric("reach_bytes", found.bytes, "B", found.interval, _note(found)),)


def _points(finished: Sequence[Evidence]) -> list[RangePoint]:
    rates = [(one, total_iops(one.result.directions.values())) for one in finished]
    return [
        RangePoint(one.job.region.length_bytes, rate, _spread(one))
        for one, rate in rates
        if not isinstance(rate, Unknown)
    ]


def _spread(one: Evidence) -> float | Unknown:
    histogram = one.latency.get(Direction.READ, {}).get(LatencyKind.LAT)
    if histogram is None or not histogram.mean_ns:
        return Unknown("the engine reports no total latency")
    return histogram.stddev_ns / histogram.mean_ns


def _note(found: Reach) -> str:
    slower = f"reads over the whole drive are {found.drop:.0%} slower"
    least = f"the mapping cache may cover as little as {format_bytes(found.hidden_bytes)}"
    match found.limit:
        case Limit.FLASH:
            return slower
        case Limit.COMMON:
            return f"{slower}; inside it link or controller are the limit and hide the first misses: {least}"
        case Limit.UNKNOWN:
            return f"{slower}; if inside it something other than flash is the limit, {least}"
