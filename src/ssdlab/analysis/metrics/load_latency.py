"""Metrics of a step `load_latency` (METHODS W): latency at each rate that was offered, and up to which rate a limit is kept."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import inf, isfinite, log

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.infer.load_latency import bracket
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.statistics.consistency import speed_samples
from ssdlab.analysis.statistics.interval import Interval, mean_interval
from ssdlab.analysis.statistics.percentile import PERCENTS, latency_percentile_ns, merged
from ssdlab.analysis.statistics.rate import total_iops
from ssdlab.analysis.statistics.response import Responses, responses_of
from ssdlab.bundle.model import Metric, Step, StepStatus
from ssdlab.bundle.quantities import (
    CLAT,
    CLAT_MEAN,
    IOPS,
    IOPS_WITHIN,
    KNEE_IOPS,
    KNEE_LOAD,
    LATE,
    OFFERED_IOPS,
    RESPONSE,
    RESPONSE_MEAN,
    SATURATION_IOPS,
    UNSUBMITTED,
)
from ssdlab.engine.punctuality import Punctuality
from ssdlab.engine.result import Histogram, LatencyKind
from ssdlab.job import StepKind
from ssdlab.message import Message, duration, message, number, semicolons
from ssdlab.method.kinds.load_latency import LoadLatencyStep, mix_point
from ssdlab.method.values import NamedReadPercent
from ssdlab.point import CoordinateAxis, Point
from ssdlab.unknown import Unknown

LIMITED_PERCENT = "99.9"
"""The percentile for which a limit is given."""
_LATE_SHARE = 0.05
"""Of the mean response latency: the generator may be late by so much in 99 of 100 I/Os, as check `load.rate` has it."""
_BUSY_PERCENT = 90.0
"""Of a core: from there on the one thread that offers the load may be what is slow, as check `host.cpu` has it."""


@dataclass(frozen=True, eq=False)
class _Offered:
    """One rate."""

    evidence: StepEvidence
    load: int
    rate_iops: int

    @cached_property
    def punctuality(self) -> Punctuality | Unknown:
        return self.evidence.result.punctuality

    @cached_property
    def unsubmitted(self) -> int:
        return 0 if isinstance(self.punctuality, Unknown) else self.punctuality.unsubmitted

    @cached_property
    def responses(self) -> Responses | None:
        return _responses(self.evidence, self.unsubmitted)

    @cached_property
    def late(self) -> Message | None:
        """That the host was the slower one, where it was."""
        told, found = self.punctuality, self.responses
        if isinstance(told, Unknown) or found is None:
            return None
        late_ns = told.late_max_ns if isinstance(told.late_p99_ns, Unknown) else told.late_p99_ns
        return (
            message("metric-generator-late", late=duration(late_ns))
            if late_ns > _LATE_SHARE * found.done.mean_ns
            else None
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Mix:
    """All that was measured of one share of reads."""

    point: Point
    ladder: tuple[StepEvidence, ...]
    offered: tuple[_Offered, ...]
    """From the lowest rate on."""
    ended: bool


def load_latency_metrics(
    step: LoadLatencyStep, plan: Sequence[Step], finished: Sequence[StepEvidence]
) -> Iterator[Metric]:
    """Metrics of a step `load_latency`: what each mix comes to, then its points.

    Args:
        step: As the suite says it.
        plan: All steps of the group, also those asked for while it ran.
        finished: Those that did their I/O, in order.
    """
    for named in step.named_read_percent:
        mix = _mix(step, named, plan, finished)
        if mix.ladder:
            yield from _whole_metrics(step, mix)
        for one in mix.ladder:
            yield from _ladder_metrics(one)
        for offered in mix.offered:
            yield from _offered_metrics(offered)


def _mix(
    step: LoadLatencyStep, named: NamedReadPercent, plan: Sequence[Step], finished: Sequence[StepEvidence]
) -> _Mix:
    point = mix_point(step, named)
    measured = [one for one in finished if one.step.kind is StepKind.MEASURE and point.holds(one.step.point)]
    offered = [
        _Offered(one, load, one.job.rate_iops)
        for one in measured
        if isinstance(load := one.step.point.value(CoordinateAxis.OFFERED), int) and one.job.rate_iops is not None
    ]
    return _Mix(
        point,
        tuple(one for one in measured if one.job.rate_iops is None),
        tuple(sorted(offered, key=lambda one: one.rate_iops)),
        any(one.kind is StepKind.SEARCH and one.point == point and one.status is StepStatus.FINISHED for one in plan),
    )


def _responses(evidence: StepEvidence, unsubmitted: int) -> Responses | None:
    done = [kinds[LatencyKind.LAT] for kinds in evidence.latency.values() if LatencyKind.LAT in kinds]
    return responses_of(done, evidence.series.values(), unsubmitted)


# What a mix comes to


def _whole_metrics(step: LoadLatencyStep, mix: _Mix) -> Iterator[Metric]:
    naming = Naming(mix.point, mix.ladder[0].step.state)
    rates = {one.job.queue_depth: total_iops(one.result.directions.values()) for one in mix.ladder}
    known = {depth: rate for depth, rate in rates.items() if not isinstance(rate, Unknown)}
    deepest = max(known, key=lambda depth: known[depth], default=None)
    if deepest is None:
        return
    best = next(one for one in mix.ladder if one.job.queue_depth == deepest)
    yield naming.metric(SATURATION_IOPS, known[deepest], _rate_interval(best, known[deepest]), _at_depth(best))
    for limit_ns in sorted(step.limits.response_p99_9_ns):
        yield _within(naming, mix, limit_ns)
    yield from _knee(naming, mix, step.offered.loads)


def _at_depth(best: StepEvidence) -> Message:
    """Where it was reached, and that it may be what the host does at most."""
    depth, user, system = best.job.queue_depth, best.result.cpu_user_percent, best.result.cpu_system_percent
    if user is None or system is None or user + system < _BUSY_PERCENT:
        return message("metric-at-depth", depth=depth)
    return message("metric-at-depth-of-busy-host", depth=depth, busy=number(user + system, ".0f"))


def _within(naming: Naming, mix: _Mix, limit_ns: int) -> Metric:
    """The rate at which the limit is just kept, with its interval; between two loads on the logarithm of the latency."""
    found = [(one, one.responses) for one in mix.offered]
    tails = [(one, inf if known is None else known.tail_ns(LIMITED_PERCENT)) for one, known in found]
    kept, lost = bracket(limit_ns, {one.load: tail_ns for one, tail_ns in tails})
    value = _unknown_rate(mix, kept, lost) or _crossing(limit_ns, [(one.rate_iops, tail_ns) for one, tail_ns in tails])
    note = next((one.late for one in mix.offered if one.load in {kept, lost} and one.late is not None), None)
    return replace(naming, point=mix.point.at(CoordinateAxis.LIMIT, limit_ns), step=mix.point.name).metric(
        IOPS_WITHIN,
        value,
        None if isinstance(value, Unknown) else _around(mix, limit_ns, value),
        note,
        percent=LIMITED_PERCENT,
    )


def _unknown_rate(mix: _Mix, kept: int | None, lost: int | None) -> Unknown | None:
    """Why the rate is not known that keeps a limit; None where it is."""
    if not mix.ended:
        return Unknown(message("unknown-search-unfinished"))
    if kept is None:
        return Unknown(message("unknown-limit-never-kept", rate=number(mix.offered[0].rate_iops)))
    if lost is None:
        return Unknown(message("unknown-limit-never-lost", rate=number(mix.offered[-1].rate_iops)))
    below = next(one.responses for one in mix.offered if one.load == kept)
    quoted = Unknown(message("unknown-no-io-completed")) if below is None else below.percentile_ns(LIMITED_PERCENT)
    return quoted if isinstance(quoted, Unknown) else None


def _crossing(limit_ns: float, curve: Sequence[tuple[float, float]]) -> float:
    """The first rate at which a curve passes the limit; its ends where it does not, and the last known rate below an infinite latency."""
    if curve[0][1] > limit_ns:
        return curve[0][0]
    for (rate, tail_ns), (higher, longer_ns) in pairwise(curve):
        if longer_ns > limit_ns:
            if not isfinite(longer_ns):
                return rate
            # A model may take no time at all, and less than a nanosecond is not told apart.
            least_ns = max(1.0, tail_ns)
            share = log(limit_ns / least_ns) / log(longer_ns / least_ns)
            return rate + share * (higher - rate)
    return curve[-1][0]


def _around(mix: _Mix, limit_ns: int, value: float) -> Interval | None:
    """Where the upper and the lower ends of the latencies' intervals pass the limit."""
    reached = [(one.rate_iops, found.interval_ns(LIMITED_PERCENT)) for one in mix.offered if (found := one.responses)]
    known = [(rate, interval) for rate, interval in reached if interval is not None]
    if len(known) < len(mix.offered):
        return None
    # Where the latency may be beyond the limit at the lowest rate already, none is known to keep it.
    keeps = known[0][1].high <= limit_ns
    low = _crossing(limit_ns, [(rate, interval.high) for rate, interval in known]) if keeps else 0.0
    high = _crossing(limit_ns, [(rate, interval.low) for rate, interval in known])
    return Interval(min(low, value), max(high, value))


def _knee(naming: Naming, mix: _Mix, loads: Sequence[int]) -> Iterator[Metric]:
    """Where rate over mean response latency is largest: beyond it, latency grows faster than the rate.

    Kleinrock, "Power and deterministic rules of thumb for probabilistic problems in computer communications", ICC 1979. Of loads that
    were asked for: those that lie closer together differ by chance. Of some I/Os a second several loads come to the same rate, which is whole.
    """
    asked = [one for one in mix.offered if one.load in loads or one.load > max(loads)]
    apart = list({one.rate_iops: one for one in asked}.values())
    powers = [(one.rate_iops, _log_power(one)) for one in apart]
    value: float | Unknown = Unknown(message("unknown-search-unfinished"))
    interval, note = None, None
    if mix.ended:
        top = max(range(len(powers)), key=lambda at: powers[at][1], default=0)
        value = Unknown(message("unknown-knee-beyond"))
        if 0 < top < len(powers) - 1:
            value = _vertex(powers[top - 1], powers[top], powers[top + 1])
            interval = Interval(powers[top - 1][0], powers[top + 1][0])
            note = next((one.late for one in apart[top - 1 : top + 2] if one.late is not None), None)
    yield naming.metric(KNEE_IOPS, value, interval, note)
    rates = [total_iops(one.result.directions.values()) for one in mix.ladder]
    share = 100 / max(rate for rate in rates if not isinstance(rate, Unknown))
    shares = None if interval is None else Interval(share * interval.low, share * interval.high)
    yield naming.metric(KNEE_LOAD, value if isinstance(value, Unknown) else share * value, shares)


def _log_power(one: _Offered) -> float:
    """Nothing at all of a drive that did not keep up."""
    found = one.responses
    if found is None or one.unsubmitted or not found.done.mean_ns:
        return -inf
    return log(one.rate_iops / found.done.mean_ns)


def _vertex(below: tuple[float, float], top: tuple[float, float], above: tuple[float, float]) -> float:
    """Of the parabola through three points, of which the middle one is the highest; that one where another is not known."""
    (x0, y0), (x1, y1), (x2, y2) = below, top, above
    if not isfinite(y0) or not isfinite(y2):
        return x1
    rise, fall = (y1 - y0) / (x1 - x0), (y2 - y1) / (x2 - x1)
    bend = (fall - rise) / (x2 - x0)
    return x1 if not bend else (x0 + x1) / 2 - rise / (2 * bend)


# What a point shows


def _ladder_metrics(one: StepEvidence) -> Iterator[Metric]:
    naming = Naming(one.step.point, one.step.state)
    iops = total_iops(one.result.directions.values())
    yield naming.metric(IOPS, iops, None if isinstance(iops, Unknown) else _rate_interval(one, iops))
    service = _service(one)
    yield naming.metric(CLAT_MEAN, service if isinstance(service, Unknown) else service.mean_ns)


def _offered_metrics(one: _Offered) -> Iterator[Metric]:
    evidence = one.evidence
    naming = Naming(evidence.step.point, evidence.step.state)
    iops = total_iops(evidence.result.directions.values())
    yield naming.metric(OFFERED_IOPS, one.rate_iops)
    yield naming.metric(IOPS, iops, None if isinstance(iops, Unknown) else _rate_interval(evidence, iops))
    told = one.punctuality
    yield naming.metric(LATE, told if isinstance(told, Unknown) else told.late_p99_ns, percent="99")
    yield naming.metric(UNSUBMITTED, told if isinstance(told, Unknown) else told.unsubmitted)
    yield from _latencies(naming, evidence, one.responses, one.late)
    directions = evidence.result.directions
    if len(directions) > 1:
        total = sum(part.io_count for part in directions.values())
        for direction, part in directions.items():
            # What was never submitted was drawn as the rest was.
            alone = evidence.only(direction)
            responses = _responses(alone, round(one.unsubmitted * part.io_count / total))
            yield from _latencies(replace(naming, direction=direction), alone, responses, one.late)


def _latencies(
    naming: Naming, evidence: StepEvidence, responses: Responses | None, note: Message | None
) -> Iterator[Metric]:
    """Response and service; percentiles that so few I/Os cannot give are unknown."""
    none = Unknown(message("unknown-no-io-completed"))
    mean = none if responses is None else responses.done.mean_ns
    if responses is not None and responses.unsubmitted:
        mean = Unknown(message("unknown-never-submitted", count=responses.unsubmitted))
    yield naming.metric(RESPONSE_MEAN, mean, note=note)
    for percent in PERCENTS:
        value = none if responses is None else responses.percentile_ns(percent)
        interval = None if responses is None else responses.interval_ns(percent)
        if interval is None or isfinite(interval.high):
            yield naming.metric(RESPONSE, value, interval, note, percent=percent)
        else:
            about = note if isinstance(value, Unknown) else _open_above(note)
            yield naming.metric(RESPONSE, value, note=about, percent=percent)
    service = _service(evidence)
    yield naming.metric(CLAT_MEAN, service if isinstance(service, Unknown) else service.mean_ns)
    for percent in PERCENTS:
        found = service if isinstance(service, Unknown) else latency_percentile_ns(service, percent)
        yield naming.metric(CLAT, found, percent=percent)


def _open_above(note: Message | None) -> Message:
    """Why a percentile has no interval, beside what else is to be known of it."""
    why = message("metric-interval-open-above")
    return why if note is None else message("metric-remarks", remarks=semicolons(note, why))


def _service(evidence: StepEvidence) -> Histogram | Unknown:
    """From submission to completion, of all directions."""
    found = [kinds[LatencyKind.CLAT] for kinds in evidence.latency.values() if LatencyKind.CLAT in kinds]
    if not any(one.total for one in found):
        return Unknown(message("unknown-no-latency-kind", kind=LatencyKind.CLAT.value))
    return merged(found)


def _rate_interval(evidence: StepEvidence, iops: float) -> Interval | None:
    block_bytes = evidence.job.block_bytes
    interval = mean_interval(speed_samples(*evidence.series.values()), iops * block_bytes)
    return None if interval is None else Interval(interval.low / block_bytes, interval.high / block_bytes)
