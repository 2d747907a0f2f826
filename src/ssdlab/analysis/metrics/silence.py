"""How long the drive was left alone between points that are to follow each other without a rest (METHODS 0, E)."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import SILENCE
from ssdlab.message import message
from ssdlab.point import Point
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown


def silence_metrics(name: str, finished: Sequence[StepEvidence]) -> Iterator[Metric]:
    """The mean of a step `measure`; none where every point has a rest before it."""
    gaps_ns = [gap_ns for gap in pairwise(finished) if (gap_ns := _gap_ns(*gap)) is not None]
    if gaps_ns:
        note = message("metric-silence-gaps", gaps=len(gaps_ns))
        naming = Naming(Point(name), finished[0].step.state)
        yield naming.metric(SILENCE, sum(gaps_ns) / len(gaps_ns) / NS_PER_S, note=note)


def _gap_ns(before: StepEvidence, after: StepEvidence) -> int | None:
    """As the engine tells, else from one beginning to the next without the I/O; None where a rest lies between, or the run was resumed."""
    first, second = before.step, after.step
    if second.index != first.index + 1 or first.started_ns is None or second.started_ns is None:
        return None
    if not isinstance(after.result.gap_ns, Unknown):
        return after.result.gap_ns
    gap_ns = second.started_ns - first.started_ns - max(one.runtime_ns for one in before.result.directions.values())
    return gap_ns if gap_ns >= 0 else None
