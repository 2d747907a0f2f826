"""From a bundle to its conclusions: metrics and audit. Pure: the same files give the same numbers, today or in years."""

from collections.abc import Sequence
from dataclasses import replace

from ssdlab.analysis.audit import audit_of, failed
from ssdlab.analysis.evidence import Evidence, evidence_of
from ssdlab.analysis.fill import fill_metrics, pass_metrics
from ssdlab.bundle.model import Check, Metric
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.job import StepKind


def conclude(bundle: Bundle) -> tuple[tuple[Metric, ...], tuple[Check, ...]]:
    """Analyse every finished step; a failed check marks the metrics of its step and never drops them.

    Works on a bundle that ends anywhere: what is not finished gives no metric, what needs it is Unknown.
    """
    finished = [evidence for step in bundle.finished() if (evidence := evidence_of(bundle, step)) is not None]
    audit = tuple(check for evidence in finished for check in audit_of(evidence))
    metrics: list[Metric] = []
    passes = [one for one in finished if _is_pass(one)]
    for evidence in passes:
        metrics += pass_metrics(evidence)
    metrics += fill_metrics(bundle.steps, passes)
    return tuple(_marked(metric, failed(audit)) for metric in metrics), audit


def _is_pass(evidence: Evidence) -> bool:
    """Whether a step is a pass of a fill, and not a fill that only prepares another step."""
    step = evidence.step
    return step.kind is StepKind.FILL and step.point == step.name and Direction.WRITE in evidence.result.directions


def _marked(metric: Metric, failures: Sequence[Check]) -> Metric:
    """A metric of several passes, whose step is their common name, carries the failures of all of them."""
    own = [check for check in failures if check.step == metric.step or check.step.startswith(f"{metric.step}.")]
    return replace(metric, failed_checks=tuple(dict.fromkeys(check.name for check in own)))
