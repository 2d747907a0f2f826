"""Preconditioning to steady state: what was written until when, and by whose account the drive was steady (METHODS E1, E3, S)."""

from collections.abc import Iterator, Sequence

import numpy as np

from ssdlab.analysis.evidence import Evidence
from ssdlab.analysis.steady import Criterion, Finding, Firing, Ground, SteadyJudge
from ssdlab.bundle.model import Metric
from ssdlab.engine.result import Direction, EarlyStop, Series
from ssdlab.job import Job, Pattern
from ssdlab.method.draft import SteadyRule
from ssdlab.method.schema import SteadyStep
from ssdlab.method.steady import steady_rule
from ssdlab.method.suite import parse_suite
from ssdlab.units import NS_PER_S, format_duration
from ssdlab.unknown import Unknown

NOT_STEADY = "not steady"


def ground_of(rule: SteadyRule, job: Job, capacity_bytes: int) -> Ground:
    """What a planned step is judged against, while it runs and afterwards."""
    return Ground(
        capacity_bytes=capacity_bytes,
        block_bytes=job.block_bytes,
        minimum_bytes=rule.minimum_bytes,
        measured_ns=rule.measured_ns,
        time=rule.time,
    )


def findings_of(step: SteadyStep, evidence: Evidence) -> tuple[Finding, ...]:
    """When each criterion was fulfilled, judged anew on the recorded series; what ended the job is as it was recorded.

    While fio runs only its status lines can be judged, a little coarser than the series it leaves behind.
    """
    run = evidence.run
    scale = parse_suite(run.suite.text, run.suite.name).profile(run.profile)
    rule = steady_rule(step, scale, run.drive.capacity_bytes)
    judge = SteadyJudge(ground_of(rule, evidence.job, run.drive.capacity_bytes))
    series = evidence.series[Direction.WRITE]
    judge.feed(series.time_ns, series.bandwidth_bytes_per_s * series.duration_ns / NS_PER_S)
    return tuple(_as_recorded(finding, evidence.result.stopped) for finding in judge.findings)


def _as_recorded(finding: Finding, stopped: EarlyStop | None) -> Finding:
    if finding.criterion is not Criterion.WINDOW:
        return finding
    firing = None if stopped is None or not stopped.is_verdict else Firing(stopped.at_bytes, stopped.at_ns)
    return Finding(finding.criterion, finding.first or firing, firing)


def preconditioning_metrics(step: SteadyStep, finished: Sequence[Evidence]) -> Iterator[Metric]:
    """All metrics of the step; nothing where it was not finished."""
    for evidence in finished:
        if Direction.WRITE in evidence.series:
            yield from _metrics(step, evidence)


def _metrics(step: SteadyStep, evidence: Evidence) -> Iterator[Metric]:
    stopped = evidence.result.stopped
    written_bytes = evidence.result.directions[Direction.WRITE].io_bytes
    yield _metric(evidence, "bytes", written_bytes, "B")
    yield _metric(evidence, "criterion", NOT_STEADY if stopped is None else stopped.criterion, "")
    for finding in findings_of(step, evidence):
        word, fired = finding.criterion.value, finding.after_minimum
        never = Unknown(_never(stopped))
        yield _metric(evidence, f"steady_at_bytes.{word}", never if fired is None else fired.at_bytes, "B")
        yield _metric(evidence, f"steady_after.{word}", never if fired is None else fired.at_ns / NS_PER_S, "s")
        alone = Unknown("it was never fulfilled") if finding.first is None else finding.first.at_bytes
        yield _metric(evidence, f"first_at_bytes.{word}", alone, "B", "however little was written before")
    yield _steady_rate(step, evidence)


def unsteady(stopped: EarlyStop | None) -> Unknown | None:
    """Why the drive is not known to be steady; None where a criterion said that it is."""
    if stopped is None:
        return Unknown(NOT_STEADY)
    return None if stopped.is_verdict else Unknown(f"{stopped.criterion} before it was steady")


def _never(stopped: EarlyStop | None) -> str:
    if stopped is None:
        return "not steady after all that the suite allows"
    if not stopped.is_verdict:
        return "not before the operator ended the writing"
    return f"not before `{stopped.criterion}` ended the writing"


def _steady_rate(step: SteadyStep, evidence: Evidence) -> Metric:
    """Mean over the last stretch as long as a measurement, where the drive was steady.

    Of a small drive only over the last capacity, which the criterion has judged: before it the drive may have been fresh.
    """
    run = evidence.run
    scale = parse_suite(run.suite.text, run.suite.name).profile(run.profile)
    measured_ns = scale.time.of(step.measured_ns)
    series = judged_part(evidence)
    lasted_ns = min(measured_ns, _last_capacity_ns(series, run.drive.capacity_bytes))
    rate, note = _last_bytes_per_s(series, lasted_ns), _over_the_last(lasted_ns)
    unknown = unsteady(evidence.result.stopped)
    if evidence.job.pattern is Pattern.SEQUENTIAL:
        return _metric(evidence, "steady_bandwidth", unknown or rate, "B/s", note)
    return _metric(evidence, "steady_iops", unknown or rate / evidence.job.block_bytes, "1/s", note)


def _over_the_last(duration_ns: int) -> str:
    return f"mean over the last {format_duration(duration_ns)}"


def judged_part(evidence: Evidence) -> Series:
    """The windows up to the verdict; what was in flight then comes after, while the queue drains."""
    series, stopped = evidence.series[Direction.WRITE], evidence.result.stopped
    end = len(series.time_ns) if stopped is None else int(np.searchsorted(series.time_ns, stopped.at_ns, side="right"))
    part = slice(max(1, end))
    return Series(
        window_ns=series.window_ns,
        time_ns=series.time_ns[part],
        bandwidth_bytes_per_s=series.bandwidth_bytes_per_s[part],
        iops=series.iops[part],
        latency_ns_mean=series.latency_ns_mean[part],
        latency_ns_max=series.latency_ns_max[part],
    )


def _last_capacity_ns(series: Series, capacity_bytes: int) -> int:
    """How long the last capacity took to write, or all there is."""
    done = series.bytes_done
    begin = int(np.searchsorted(done, done[-1] - capacity_bytes, side="right"))
    return int(series.time_ns[-1] - (series.time_ns[begin - 1] if begin else 0))


def _last_bytes_per_s(series: Series, duration_ns: int) -> float:
    last = series.time_ns > series.time_ns[-1] - duration_ns
    lengths_ns = series.duration_ns[last]
    return float((series.bandwidth_bytes_per_s[last] * lengths_ns).sum() / lengths_ns.sum())


def _metric(evidence: Evidence, name: str, value: float | str | Unknown, unit: str, note: str = "") -> Metric:
    step = evidence.step
    return Metric(name=f"{step.point}.{name}", value=value, unit=unit, state=step.state, step=step.name, note=note)
