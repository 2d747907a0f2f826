"""Preconditioning to steady state: what was written until when, and by whose account the drive was steady (METHODS E1, E3, S)."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.infer.steady import SNIA_ROUNDS, Criterion, CriterionResult, Firing, SteadyContext, SteadyJudge
from ssdlab.analysis.infer.written_past import SteadyOutlook
from ssdlab.analysis.metrics.half_hours import half_hours_of
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.statistics.interval import Interval, interval_of_runs
from ssdlab.bundle.metric_key import Aspect
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import (
    BYTES,
    CRITERION,
    DRIFT,
    FIRST_AT_BYTES,
    FLAT_BYTES,
    MEASUREMENT_APART,
    ROUNDS,
    STEADY_AFTER,
    STEADY_AT_BYTES,
    STEADY_BANDWIDTH,
    STEADY_IOPS,
    WINDOW_EXCURSION,
    WINDOW_RANGE,
)
from ssdlab.engine.result import Direction, EarlyStop, Series
from ssdlab.job import Job, Pattern
from ssdlab.message import Message, duration, message, number, semicolons
from ssdlab.method.draft import Route, SteadyBy, SteadyRule
from ssdlab.method.kinds.steady_state import SteadyStateStep, steady_rule
from ssdlab.method.short_way import STRETCH_SHARE
from ssdlab.method.suite import parse_suite
from ssdlab.point import Point
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

NOT_STEADY = "not steady"
DRIFT_SAID = 0.01
"""What may still change by less a capacity comes to less than a tenth over the eight that follow."""
_APART_SAID = 0.05
"""Stretches as long as a measurement that differ by less from their mean are not worth a word."""


_BY = {SteadyBy.HELD: Criterion.HELD, SteadyBy.WINDOW: Criterion.WINDOW, SteadyBy.SNIA: Criterion.SNIA}


def criterion_of(by: SteadyBy) -> Criterion:
    """What ends a step that says so."""
    return _BY[by]


def short_way_led(stopped: EarlyStop | None) -> bool:
    """Whether the drive was steady on the stretch already, of a step that took the short way."""
    return stopped is not None and stopped.criterion == Criterion.WINDOW.value


def ground_of(rule: SteadyRule, job: Job, capacity_bytes: int) -> SteadyContext:
    """What a planned step is judged against, while it runs and afterwards."""
    return SteadyContext(
        capacity_bytes=capacity_bytes,
        block_bytes=job.block_bytes,
        minimum_bytes=rule.minimum_bytes,
        measured_ns=rule.measured_ns,
        time=rule.time,
    )


def criteria_of(recorded: Iterable[Metric], point: Point) -> tuple[Criterion, ...]:
    """Those by which a step was judged when it was concluded first: all of today's where it has not been yet.

    Bundles from before `held` know nothing of it, whether `window` ended the step or nothing did.
    """
    looked = {
        metric.key.aspect for metric in recorded if metric.key.point == point and metric.key.quantity == FIRST_AT_BYTES
    }
    early = looked and Aspect.HELD not in looked
    return tuple(one for one in Criterion if not (early and one is Criterion.HELD))


def _findings(
    judge: SteadyJudge, stopped: EarlyStop | None, criteria: Sequence[Criterion], by: SteadyBy
) -> Iterator[CriterionResult]:
    """When each criterion was fulfilled, judged anew on the recorded series; the verdict on the step is as it was recorded.

    While fio runs only its status lines can be judged, a little coarser than the series it leaves behind.
    """
    by_window = stopped is not None and stopped.criterion == Criterion.WINDOW.value
    early = by_window or Criterion.HELD not in criteria
    ends = Criterion.WINDOW if early and by is SteadyBy.HELD else criterion_of(by)
    firing = _recorded(stopped)
    for found in judge.findings:
        if found.criterion is ends:
            yield CriterionResult(ends, found.first or firing, firing)
        elif found.criterion in criteria and (found.criterion is not Criterion.HELD or by is not SteadyBy.HELD):
            yield found


def _recorded(stopped: EarlyStop | None) -> Firing | None:
    return None if stopped is None or not stopped.is_verdict else Firing(stopped.at_bytes, stopped.at_ns)


def _judge(step: SteadyStateStep, evidence: StepEvidence) -> SteadyJudge:
    """A judge that has seen the recorded series."""
    run = evidence.run
    scale = parse_suite(run.suite.text, run.suite.name).profile(run.profile)
    rule = steady_rule(step, scale, run.drive.capacity_bytes)
    judge = SteadyJudge(ground_of(rule, evidence.job, run.drive.capacity_bytes))
    series = evidence.series[Direction.WRITE]
    judge.feed(series.time_ns, series.bandwidth_bytes_per_s * series.duration_ns / NS_PER_S)
    return judge


def preconditioning_metrics(
    step: SteadyStateStep, finished: Sequence[StepEvidence], recorded: Sequence[Metric]
) -> Iterator[Metric]:
    """All metrics of the step; nothing where it was not finished.

    Args:
        step: As the suite says it.
        finished: What was recorded of it.
        recorded: Metrics that the bundle has already.
    """
    for evidence in finished:
        if Direction.WRITE in evidence.series:
            yield from _metrics(step, evidence, criteria_of(recorded, evidence.step.point))


def _metrics(step: SteadyStateStep, evidence: StepEvidence, criteria: Sequence[Criterion]) -> Iterator[Metric]:
    stopped = evidence.result.stopped
    written_bytes = evidence.result.directions[Direction.WRITE].io_bytes
    naming = _naming(evidence)
    yield naming.metric(BYTES, written_bytes)
    yield naming.metric(CRITERION, NOT_STEADY if stopped is None else stopped.criterion)
    judge = _judge(step, evidence)
    for finding in _findings(judge, stopped, criteria, step.by):
        yield from criterion_metrics(naming, finding, Unknown(_never(stopped)))
    is_held = stopped is not None and stopped.criterion == Criterion.HELD.value
    outlook = judge.outlook(stopped.at_ns) if stopped is not None and is_held else None
    if step.by is SteadyBy.SNIA:
        yield from _by_minutes(evidence)
    else:
        yield _steady_rate(step, evidence, outlook)
    if outlook is not None:
        yield from outlook_metrics(naming, outlook, evidence.run.drive.capacity_bytes)


def criterion_metrics(naming: Naming, finding: CriterionResult, never: Unknown) -> Iterator[Metric]:
    """Where one criterion was fulfilled; `never` says why it was not."""
    by, fired = Aspect(finding.criterion.value), finding.after_minimum
    yield naming.metric(STEADY_AT_BYTES, never if fired is None else fired.at_bytes, aspect=by)
    yield naming.metric(STEADY_AFTER, never if fired is None else fired.at_ns / NS_PER_S, aspect=by)
    alone = Unknown(message("unknown-never-fulfilled")) if finding.first is None else finding.first.at_bytes
    yield naming.metric(FIRST_AT_BYTES, alone, note=message("metric-however-little"), aspect=by)


def outlook_metrics(naming: Naming, outlook: SteadyOutlook, capacity_bytes: int) -> Iterator[Metric]:
    """What the steady speed does not tell: for how long it was seen, where it goes, and how far one measurement may be off."""
    flat, written = (number(one, ".1f") for one in (outlook.flat_capacities, outlook.written_capacities))
    note = message("metric-slower-rhythms-unseen", capacities=flat, written=written)
    yield naming.metric(FLAT_BYTES, round(outlook.flat_capacities * capacity_bytes), note=note)
    ends = Interval(100 * (outlook.drift - outlook.drift_reach), 100 * (outlook.drift + outlook.drift_reach))
    yield naming.metric(DRIFT, 100 * outlook.drift, ends, message("metric-drift-a-capacity"))
    apart = Unknown(message("unknown-measurement-too-long")) if outlook.apart is None else 100 * outlook.apart
    yield naming.metric(MEASUREMENT_APART, apart, note=message("metric-measurement-apart"))


def _seen(mean: Message, outlook: SteadyOutlook | None) -> Message:
    """What the value is, and what it cannot tell."""
    if outlook is None:
        return mean
    flat, written = (number(one, ".1f") for one in (outlook.flat_capacities, outlook.written_capacities))
    parts = [mean, message("metric-flat-for", capacities=flat, written=written)]
    if outlook.drifts:
        parts.append(message("metric-still-changes", drift=number(outlook.drift, "+.1%")))
    elif outlook.drift_at_most > DRIFT_SAID:
        parts.append(message("metric-may-change", drift=number(outlook.drift_at_most, ".1%")))
    if outlook.apart is not None and outlook.apart > _APART_SAID:
        parts.append(message("metric-measurements-differ", apart=number(outlook.apart, ".0%")))
    return message("metric-remarks", remarks=semicolons(*parts))


def unsteady(stopped: EarlyStop | None) -> Unknown | None:
    """Why the drive is not known to be steady; None where a criterion said that it is."""
    if stopped is None:
        return Unknown(message("unknown-not-steady"))
    return None if stopped.is_verdict else Unknown(message("unknown-ended-before-steady"))


def _never(stopped: EarlyStop | None) -> Message:
    if stopped is None:
        return message("unknown-never-steady")
    if not stopped.is_verdict:
        return message("unknown-operator-ended")
    return message("unknown-criterion-ended", criterion=stopped.criterion)


def _steady_rate(step: SteadyStateStep, evidence: StepEvidence, outlook: SteadyOutlook | None) -> Metric:
    """Mean over the last stretch as long as a measurement, where the drive was steady.

    Of a small drive only over what the criterion has judged, the last capacity or the stretch of the short way: before it the drive may
    have been fresh.
    """
    run = evidence.run
    scale = parse_suite(run.suite.text, run.suite.name).profile(run.profile)
    measured_ns = scale.time.of(step.measured_ns)
    stopped = evidence.result.stopped
    share = STRETCH_SHARE if step.route is Route.SHORT and short_way_led(stopped) else 1.0
    rate, note = steady_bytes_per_s(
        judged_part(evidence), measured_ns, round(share * run.drive.capacity_bytes), outlook
    )
    unknown, naming = unsteady(stopped), _naming(evidence)
    if evidence.job.pattern is Pattern.SEQUENTIAL:
        return naming.metric(STEADY_BANDWIDTH, unknown or rate, note=note)
    return naming.metric(STEADY_IOPS, unknown or rate / evidence.job.block_bytes, note=note)


def _by_minutes(evidence: StepEvidence) -> Iterator[Metric]:
    """As the published text reports it: the mean of the last five minutes, and how flat they are."""
    stopped = evidence.result.stopped
    minutes = half_hours_of(evidence.run, evidence.series[Direction.WRITE], stopped)
    naming, unknown = _naming(evidence), unsteady(stopped)
    count = len(minutes.bytes_per_s)
    yield naming.metric(ROUNDS, count)
    window = minutes.window
    if window is not None and window.mean:
        note = message("metric-window-of-minutes", first=count - SNIA_ROUNDS + 1, last=count)
        yield naming.metric(WINDOW_RANGE, 100 * window.spread / window.mean, note=note)
        yield naming.metric(WINDOW_EXCURSION, 100 * window.excursion / window.mean, note=note)
    is_random = evidence.job.pattern is Pattern.RANDOM
    quantity, per = (STEADY_IOPS, evidence.job.block_bytes) if is_random else (STEADY_BANDWIDTH, 1)
    if unknown is not None or window is None:
        yield naming.metric(quantity, unknown or Unknown(message("unknown-not-steady")))
        return
    rates = [one / per for one in minutes.bytes_per_s[-SNIA_ROUNDS:]]
    interval = interval_of_runs(rates, [None] * len(rates), window.mean / per)
    yield naming.metric(quantity, window.mean / per, interval, message("metric-mean-of-minutes", rounds=SNIA_ROUNDS))


def steady_bytes_per_s(
    series: Series, measured_ns: int, judged_bytes: int, outlook: SteadyOutlook | None
) -> tuple[float, Message]:
    """The speed at the end of what a criterion judged, and what it is the mean of."""
    lasted_ns = min(measured_ns, _lasted_ns(series, judged_bytes))
    return _last_bytes_per_s(series, lasted_ns), _seen(_over_the_last(lasted_ns), outlook)


def _over_the_last(duration_ns: int) -> Message:
    return message("metric-mean-over-last", time=duration(duration_ns))


def judged_part(evidence: StepEvidence) -> Series:
    """The windows up to the verdict; what was in flight then comes after, while the queue drains."""
    stopped = evidence.result.stopped
    return series_until(evidence.series[Direction.WRITE], None if stopped is None else stopped.at_ns)


def series_until(series: Series, at_ns: int | None) -> Series:
    """The windows that ended by then; all of them where it is None."""
    end = len(series.time_ns) if at_ns is None else int(np.searchsorted(series.time_ns, at_ns, side="right"))
    part = slice(max(1, end))
    return Series(
        window_ns=series.window_ns,
        time_ns=series.time_ns[part],
        bandwidth_bytes_per_s=series.bandwidth_bytes_per_s[part],
        iops=series.iops[part],
        latency_ns_mean=series.latency_ns_mean[part],
        latency_ns_max=series.latency_ns_max[part],
    )


def _lasted_ns(series: Series, last_bytes: int) -> int:
    """How long the last bytes took to write, or all there is."""
    done = series.bytes_done
    begin = int(np.searchsorted(done, done[-1] - last_bytes, side="right"))
    return int(series.time_ns[-1] - (series.time_ns[begin - 1] if begin else 0))


def _last_bytes_per_s(series: Series, duration_ns: int) -> float:
    last = series.time_ns > series.time_ns[-1] - duration_ns
    lengths_ns = series.duration_ns[last]
    return float((series.bandwidth_bytes_per_s[last] * lengths_ns).sum() / lengths_ns.sum())


def _naming(evidence: StepEvidence) -> Naming:
    return Naming(evidence.step.point, evidence.step.state, step=evidence.step.name)
