"""From a bundle to its conclusions: metrics and audit. Pure: the same files give the same numbers, today or in years."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ssdlab.analysis.audit import audit_of, failed
from ssdlab.analysis.bootbench import bootbench_metrics
from ssdlab.analysis.evidence import Evidence, evidence_of
from ssdlab.analysis.fill import fill_metrics
from ssdlab.analysis.interval import Interval
from ssdlab.analysis.ladder import ladder_of, reclaim_metrics
from ssdlab.analysis.measure import measure_metrics
from ssdlab.analysis.preconditioning import preconditioning_metrics
from ssdlab.analysis.sensed import amplification_metrics
from ssdlab.analysis.sustain import sustain_metrics
from ssdlab.analysis.wsat import begins_fresh, wsat_metrics
from ssdlab.bundle.model import Check, Metric, Step
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.totals import Totals
from ssdlab.job import StepKind
from ssdlab.method.faults import SuiteError
from ssdlab.method.schema import AnyStep, MeasureStep, ReclaimStep, SearchStep, SteadyStep
from ssdlab.method.suite import parse_suite
from ssdlab.method.sustain import NAME as SUSTAIN


@dataclass(frozen=True, slots=True)
class _Group:
    """All that came of one step of the suite; the suite's own words for it where the bundle still holds them."""

    name: str
    said: AnyStep | None
    before: tuple[Step, ...]
    """All planned steps before those."""
    plan: tuple[Step, ...]
    finished: tuple[Evidence, ...]


def conclude(bundle: Bundle) -> tuple[tuple[Metric, ...], tuple[Check, ...]]:
    """Analyse every finished step; a failed check marks the metrics of its step and never drops them.

    Works on a bundle that ends anywhere: what is not finished gives no metric, what needs it is Unknown.
    """
    finished = [evidence for step in bundle.finished() if (evidence := evidence_of(bundle, step)) is not None]
    audit = tuple(check for evidence in finished for check in audit_of(evidence))
    groups = _groups(bundle, finished)
    reclaim = next((_reclaim_rate(group) for group in groups if isinstance(group.said, ReclaimStep)), None)
    metrics = [
        metric
        for group in groups
        for metric in (*_metrics(group, reclaim, bundle.not_whole), *amplification_metrics(group.finished))
    ]
    if bundle.run.suite.name == SUSTAIN:
        metrics += sustain_metrics(bundle.run.suite.text, bundle.steps, finished, bundle.thinned)
    failures = failed(audit)
    return tuple(_marked(metric, failures) for metric in metrics), audit


def _groups(bundle: Bundle, finished: Sequence[Evidence]) -> list[_Group]:
    said = _suite_steps(bundle.run.suite.text)
    return [
        _Group(
            name,
            said.get(name),
            tuple(_before(bundle.steps, name)),
            tuple(step for step in bundle.steps if step.group == name),
            tuple(one for one in finished if one.step.group == name),
        )
        for name in dict.fromkeys(step.group for step in bundle.steps)
    ]


def _before(steps: Sequence[Step], group: str) -> Iterator[Step]:
    for step in steps:
        if step.group == group:
            return
        yield step


def _suite_steps(text: str) -> Mapping[str, AnyStep]:
    """Steps of the suite by name; none of a suite that says what this ssdlab does not know."""
    try:
        return {step.name: step for step in parse_suite(text, "the suite of the bundle").steps}
    except SuiteError:
        return {}


def _reclaim_rate(group: _Group) -> Interval | None:
    return ladder_of(group.plan, group.finished).rate


def _metrics(group: _Group, reclaim_bytes_per_s: Interval | None, not_whole: Sequence[Totals]) -> Iterator[Metric]:
    match group.said:
        case MeasureStep():
            yield from measure_metrics(group.said, group.plan, group.finished)
        case ReclaimStep():
            yield from reclaim_metrics(group.name, group.plan, group.finished)
        case SteadyStep():
            yield from preconditioning_metrics(group.said, group.finished)
            if begins_fresh(group.said, group.before):
                yield from wsat_metrics(group.said, group.finished)
        case SearchStep():
            yield from bootbench_metrics(group.said, group.plan, group.finished)
        case _:
            # A fill that only prepares another step belongs to the point of that one.
            passes = [
                one for one in group.finished if one.step.kind is StepKind.FILL and one.step.point == one.step.name
            ]
            others = next((one for one in not_whole if one.name == f"{group.name}.pass"), None)
            yield from fill_metrics(group.name, group.plan, passes, reclaim_bytes_per_s, others)


def _marked(metric: Metric, failures: Sequence[Check]) -> Metric:
    """A metric of several passes, whose step is their common name, carries the failures of all of them."""
    own = [check for check in failures if check.step == metric.step or check.step.startswith(f"{metric.step}.")]
    return replace(metric, failed_checks=tuple(dict.fromkeys(check.name for check in own)))
