"""From a bundle to its conclusions: metrics and audit. Pure: the same files give the same numbers, today or in years."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ssdlab.analysis.audit.power import power_checks
from ssdlab.analysis.audit.run import audit_of, failed
from ssdlab.analysis.audit.sensed import amplification_metrics
from ssdlab.analysis.evidence import StepEvidence, evidence_of
from ssdlab.analysis.metrics.bootbench import bootbench_metrics
from ssdlab.analysis.metrics.cross_stimulus import cross_stimulus_metrics
from ssdlab.analysis.metrics.demand import demand_metrics
from ssdlab.analysis.metrics.fill import fill_metrics
from ssdlab.analysis.metrics.idle_recovery import idle_recovery_metrics
from ssdlab.analysis.metrics.load_latency import load_latency_metrics
from ssdlab.analysis.metrics.measure import measure_metrics, mixes_metrics
from ssdlab.analysis.metrics.power import power_metrics
from ssdlab.analysis.metrics.preconditioning import preconditioning_metrics
from ssdlab.analysis.metrics.reclaim import ladder_of, reclaim_metrics
from ssdlab.analysis.metrics.replay import replay_metrics
from ssdlab.analysis.metrics.rounds import rounds_metrics
from ssdlab.analysis.metrics.route import route_metrics
from ssdlab.analysis.metrics.sustain import readings_of, sustain_metrics
from ssdlab.analysis.metrics.write_amplification import write_amplification_metrics
from ssdlab.analysis.metrics.wsat import begins_fresh, wsat_metrics
from ssdlab.analysis.statistics.interval import Interval
from ssdlab.bundle.damage import made_sense_of
from ssdlab.bundle.model import Check, Metric, Step
from ssdlab.bundle.read import Bundle
from ssdlab.job import StepKind
from ssdlab.method.faults import SuiteError
from ssdlab.method.kinds.cross_stimulus import CrossStimulusStep
from ssdlab.method.kinds.demand import DemandStep
from ssdlab.method.kinds.fill import FillStep
from ssdlab.method.kinds.idle_recovery import IdleRecoveryStep
from ssdlab.method.kinds.load_latency import LoadLatencyStep
from ssdlab.method.kinds.measure import MeasureStep
from ssdlab.method.kinds.mixes import MixesStep
from ssdlab.method.kinds.purge import PurgeStep
from ssdlab.method.kinds.reclaim import ReclaimStep
from ssdlab.method.kinds.replay import ReplayStep
from ssdlab.method.kinds.rest import RestStep
from ssdlab.method.kinds.rounds import RoundsStep
from ssdlab.method.kinds.search import SearchStep
from ssdlab.method.kinds.steady_state import SteadyStateStep
from ssdlab.method.kinds.trim import TrimStep
from ssdlab.method.kinds.used_state import UsedStateStep
from ssdlab.method.kinds.write_amplification import WriteAmplificationStep
from ssdlab.method.schema import AnyStep
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
    finished: tuple[StepEvidence, ...]


def conclude(bundle: Bundle) -> tuple[tuple[Metric, ...], tuple[Check, ...]]:
    """Analyse every finished step; a failed check marks the metrics of its step and never drops them.

    Works on a bundle that ends anywhere: what is not finished gives no metric, what needs it is Unknown.

    Raises:
        BundleError: A file of a finished step is damaged.
    """
    with made_sense_of(bundle.path):
        return _concluded(bundle)


def _concluded(bundle: Bundle) -> tuple[tuple[Metric, ...], tuple[Check, ...]]:
    finished = [evidence for step in bundle.finished() if (evidence := evidence_of(bundle, step)) is not None]
    audit = (*(check for evidence in finished for check in audit_of(evidence)), *power_checks(bundle.power))
    groups = _groups(bundle, finished)
    reclaim = next((_reclaim_rate(group) for group in groups if isinstance(group.said, ReclaimStep)), None)
    metrics = [
        metric
        for group in groups
        for metric in (*_metrics(group, reclaim, bundle), *amplification_metrics(group.finished))
    ]
    if bundle.run.suite.name == SUSTAIN:
        metrics += sustain_metrics(bundle.run.suite.text, readings_of(bundle), finished, bundle.thinned)
    metrics += power_metrics(bundle.power, bundle.steps, finished)
    failures = failed(audit)
    return tuple(_marked(metric, failures) for metric in metrics), audit


def _groups(bundle: Bundle, finished: Sequence[StepEvidence]) -> list[_Group]:
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


def _metrics(group: _Group, reclaim_bytes_per_s: Interval | None, bundle: Bundle) -> Iterator[Metric]:
    match group.said:
        case MeasureStep() | MixesStep() | ReplayStep():
            yield from _points_metrics(group.said, group)
        case ReclaimStep():
            yield from reclaim_metrics(group.name, group.plan, group.finished)
        case SteadyStateStep():
            yield from _steady_metrics(group.said, group, bundle)
        case SearchStep():
            yield from bootbench_metrics(group.said, group.plan, group.finished)
        case LoadLatencyStep():
            yield from load_latency_metrics(group.said, group.plan, group.finished)
        case RoundsStep() | IdleRecoveryStep() | CrossStimulusStep() | DemandStep():
            yield from _published_metrics(group.said, group, bundle.run.drive.logical_block_bytes)
        case WriteAmplificationStep():
            yield from write_amplification_metrics(group.said, group.finished)
        case PurgeStep() | RestStep() | UsedStateStep() | TrimStep():
            # They prepare the drive for what is measured.
            return
        case FillStep() | None:
            # What no suite has said fills, too: a sustained write. A fill that only prepares another step belongs to the point of that one.
            passes = [
                one for one in group.finished if one.step.kind is StepKind.FILL and one.step.point.name == one.step.name
            ]
            others = next((one for one in bundle.not_whole if one.name == f"{group.name}.pass"), None)
            yield from fill_metrics(group.name, group.plan, passes, reclaim_bytes_per_s, others)


def _points_metrics(said: MeasureStep | MixesStep | ReplayStep, group: _Group) -> Iterator[Metric]:
    match said:
        case MeasureStep():
            yield from measure_metrics(said, group.plan, group.finished)
        case MixesStep():
            yield from mixes_metrics(group.finished)
        case ReplayStep():
            yield from replay_metrics(group.finished)


def _published_metrics(
    said: RoundsStep | IdleRecoveryStep | CrossStimulusStep | DemandStep, group: _Group, logical_block_bytes: int
) -> Iterator[Metric]:
    """Of the kinds that SNIA PTS asks for."""
    match said:
        case RoundsStep():
            yield from rounds_metrics(said, logical_block_bytes, group.finished)
        case IdleRecoveryStep():
            yield from idle_recovery_metrics(said, group.finished)
        case CrossStimulusStep():
            yield from cross_stimulus_metrics(said, group.finished)
        case DemandStep():
            yield from demand_metrics(said, group.finished)


def _steady_metrics(said: SteadyStateStep, group: _Group, bundle: Bundle) -> Iterator[Metric]:
    yield from preconditioning_metrics(said, group.finished, bundle.metrics)
    yield from route_metrics(said, bundle, group.finished)
    if begins_fresh(said, group.before):
        yield from wsat_metrics(said, group.finished)


def _marked(metric: Metric, failures: Sequence[Check]) -> Metric:
    """A metric of several passes, whose step is their common name, carries the failures of all of them."""
    own = [check for check in failures if check.step == metric.step or check.step.startswith(f"{metric.step}.")]
    return replace(metric, failed_checks=tuple(dict.fromkeys(check.name for check in own)))
