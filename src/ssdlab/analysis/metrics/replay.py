"""Metrics of a replayed trace."""

from collections.abc import Iterator, Sequence

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.metrics.measure import run_metrics
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import DURATION, MOVED_SHARE
from ssdlab.job import StepKind
from ssdlab.units import NS_PER_S


def replay_metrics(finished: Sequence[StepEvidence]) -> Iterator[Metric]:
    """How long it took, what each direction did, and what of it was done elsewhere than it was recorded.

    Args:
        finished: Those that did their I/O, in order.
    """
    for one in finished:
        if one.step.kind is not StepKind.MEASURE:
            continue
        naming = Naming(one.step.point, one.step.state)
        yield naming.metric(DURATION, one.result.elapsed_ns / NS_PER_S)
        yield from run_metrics(naming, one)
        if one.result.replayed is not None:
            yield naming.metric(MOVED_SHARE, 100 * one.result.replayed.moved_share)
