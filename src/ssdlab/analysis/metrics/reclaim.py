"""Metrics of the reclaim ladder (METHODS C8, M)."""

from collections.abc import Iterator, Sequence

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.infer.reclaim import Reclaim, ReclaimAfterRest, reclaim_of
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.bundle.model import Metric, Step, StepStatus
from ssdlab.bundle.quantities import BYTES, CACHE_BYTES, DELAY, RATE
from ssdlab.engine.result import Direction
from ssdlab.job import StepKind
from ssdlab.message import Message, message, number
from ssdlab.point import Point
from ssdlab.unknown import Unknown


def reclaim_metrics(group: str, plan: Sequence[Step], finished: Sequence[StepEvidence]) -> Iterator[Metric]:
    """`<group>.t<rest>.bytes` and `.cache_bytes` of each rest, `<group>.delay` and `<group>.rate` of all.

    Args:
        group: Name of the suite's step.
        plan: All its planned steps: for each rest a purge, a fill, the rest and the write that is measured.
        finished: Those that did their I/O.
    """
    writes = _writes(finished)
    found = ladder_of(plan, finished)
    for write, cache in zip(writes, found.cache_bytes, strict=True):
        naming = Naming(write.step.point, write.step.state)
        written = float(write.result.directions[Direction.WRITE].io_bytes)
        yield naming.metric(BYTES, written, note=_rested(plan, write))
        yield naming.metric(CACHE_BYTES, cache, note=message("metric-of-them-at-cache-speed"))
    if writes:
        missing = _missing(plan)
        naming = Naming(Point(group), writes[0].step.state)
        yield naming.metric(DELAY, missing or found.delay_s, found.delay, message("metric-silence"))
        yield naming.metric(RATE, missing or found.rate_bytes_per_s, found.rate, message("metric-cache-a-second"))


def ladder_of(plan: Sequence[Step], finished: Sequence[StepEvidence]) -> Reclaim:
    """What the finished rungs say together, in the order of the plan."""
    return reclaim_of([ReclaimAfterRest(_rest_ns(plan, one), one.series[Direction.WRITE]) for one in _writes(finished)])


def _writes(finished: Sequence[StepEvidence]) -> list[StepEvidence]:
    return [one for one in finished if one.step.kind is StepKind.MEASURE and Direction.WRITE in one.result.directions]


def _missing(plan: Sequence[Step]) -> Unknown | None:
    writes = [step for step in plan if step.kind is StepKind.MEASURE]
    done = sum(step.status is StepStatus.FINISHED for step in writes)
    return Unknown(message("unknown-rests-measured", done=done, planned=len(writes))) if done < len(writes) else None


def _rest_ns(plan: Sequence[Step], write: StepEvidence) -> int:
    """How long the drive had really been left alone: from the end of the fill to the start of the write."""
    filled_ns = [step.ended_ns for step in plan if step.kind is StepKind.FILL and step.point == write.step.point]
    if filled_ns and filled_ns[-1] is not None and write.step.started_ns is not None:
        return write.step.started_ns - filled_ns[-1]
    return sum(step.rest_ns for step in plan if step.point == write.step.point)


def _rested(plan: Sequence[Step], write: StepEvidence) -> Message:
    return message("metric-rested", rest_s=number(_rest_ns(plan, write) / 1e9, ".3g"))
