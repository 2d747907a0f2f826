"""What a candidate of a search has shown against each limit, and the metrics of the whole (METHODS E5, M)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.infer.search import Bounds, NotFound, SearchEnd, Showing, bounds_of, next_candidate
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.statistics.percentile import SAMPLES_ABOVE_MIN, rank_of
from ssdlab.analysis.statistics.rate import total_iops
from ssdlab.bundle.metric_key import Aspect
from ssdlab.bundle.model import Metric, Step, StepStatus
from ssdlab.bundle.quantities import CLAT, CLAT_MAX, IOPS, JOBS, PASS, TRIM_FLOOR, WRITE_FLOOR, Quantity
from ssdlab.engine.result import Direction, Histogram, LatencyKind, RawResult, Series
from ssdlab.job import StepKind
from ssdlab.message import Message, commas, message
from ssdlab.method.kinds.search import Candidate, SearchStep
from ssdlab.point import Point
from ssdlab.units import NS_PER_S, format_quantity
from ssdlab.unknown import Unknown


class Bound(Enum):
    """What is limited."""

    CLAT_P99 = "clat_p99"
    CLAT_P99_9 = "clat_p99_9"
    CLAT_MAX = "clat_max"
    WRITE_FLOOR = "write_floor"
    TRIM_FLOOR = "trim_floor"
    IOPS = "iops"


_FLOORS = (Bound.WRITE_FLOOR, Bound.TRIM_FLOOR)
_AT_LEAST = (*_FLOORS, Bound.IOPS)
"""Of these more is better."""
QUANTITIES: Mapping[Bound, tuple[Quantity, str | None]] = {
    Bound.CLAT_P99: (CLAT, "99"),
    Bound.CLAT_P99_9: (CLAT, "99.9"),
    Bound.CLAT_MAX: (CLAT_MAX, None),
    Bound.WRITE_FLOOR: (WRITE_FLOOR, None),
    Bound.TRIM_FLOOR: (TRIM_FLOOR, None),
    Bound.IOPS: (IOPS, None),
}
"""What it is as a metric: the quantity, and of a percentile which."""
UNITS: Mapping[Bound, str] = {bound: quantity.unit for bound, (quantity, _) in QUANTITIES.items()}


def limits_of(step: SearchStep) -> Mapping[Bound, int]:
    """Every limit in the unit of what it limits."""
    return {
        Bound.CLAT_P99: step.limits.clat_p99_ns,
        Bound.CLAT_P99_9: step.limits.clat_p99_9_ns,
        Bound.CLAT_MAX: step.limits.clat_max_ns,
        Bound.WRITE_FLOOR: step.writes.floor_bytes_per_s,
        Bound.TRIM_FLOOR: step.trims.floor_bytes_per_s,
        Bound.IOPS: step.limits.iops,
    }


@dataclass(frozen=True, slots=True)
class CandidateRun:
    """One run of one candidate; each value in the unit of its limit."""

    values: Mapping[Bound, float]
    ios: int
    """Reads, on which it depends which percentiles mean anything."""

    def keeps(self, bound: Bound, limits: Mapping[Bound, int]) -> bool:
        """Whether it is within a limit, the limit itself included."""
        return margin_percent(bound, self.values[bound], limits) >= 0

    def showing(self, limits: Mapping[Bound, int]) -> Showing:
        """What it means for the search, which asks for latencies and floors alone."""
        if not all(self.keeps(bound, limits) for bound in _FLOORS):
            return Showing.BELOW_FLOOR
        return Showing.PASSED if all(self.keeps(one, limits) for one in Bound if one is not Bound.IOPS) else _TOO_SLOW

    def missed(self, limits: Mapping[Bound, int]) -> tuple[Bound, ...]:
        """Every limit it does not keep, that of the rate included."""
        return tuple(bound for bound in Bound if not self.keeps(bound, limits))


_TOO_SLOW = Showing.TOO_SLOW


def margin_percent(bound: Bound, value: float, limits: Mapping[Bound, int]) -> float:
    """How far inside a limit a value is, in per cent of the limit; negative outside."""
    difference = value - limits[bound] if bound in _AT_LEAST else limits[bound] - value
    return difference / limits[bound] * 100


def shown_by_result(step: SearchStep, result: RawResult) -> CandidateRun:
    """Of a candidate that has just been run."""
    series = {direction: one.series for direction, one in result.directions.items()}
    reads = result.directions.get(Direction.READ)
    histogram = None if reads is None else reads.latency[LatencyKind.CLAT]
    return _shown(step, histogram, total_iops([] if reads is None else [reads]), series)


def shown_by_evidence(step: SearchStep, evidence: StepEvidence) -> CandidateRun:
    """The same of one in a bundle."""
    reads = evidence.result.directions.get(Direction.READ)
    histogram = None if reads is None else evidence.latency[Direction.READ][LatencyKind.CLAT]
    return _shown(step, histogram, total_iops([] if reads is None else [reads]), evidence.series)


def _shown(
    step: SearchStep, reads: Histogram | None, iops: float | Unknown, series: Mapping[Direction, Series]
) -> CandidateRun:
    """Without a single read the latencies are as long as can be."""
    floor_over_ns = step.floor_over_ns
    return CandidateRun(
        {
            Bound.CLAT_P99: np.inf if reads is None else nearest_bin_ns(reads, "99"),
            Bound.CLAT_P99_9: np.inf if reads is None else nearest_bin_ns(reads, "99.9"),
            Bound.CLAT_MAX: np.inf if reads is None else reads.max_ns,
            Bound.WRITE_FLOOR: slowest_bytes_per_s(series.get(Direction.WRITE), floor_over_ns),
            Bound.TRIM_FLOOR: slowest_bytes_per_s(series.get(Direction.TRIM), floor_over_ns),
            Bound.IOPS: 0.0 if isinstance(iops, Unknown) else iops,
        },
        0 if reads is None else reads.total,
    )


def nearest_bin_ns(histogram: Histogram, percent: str) -> float:
    """A percentile by nearest rank as fio prints it, however few samples lie above: what the procedure is published with."""
    place = int(np.searchsorted(np.cumsum(histogram.count), rank_of(percent, histogram.total)))
    return float(min(_core.bin_mid(int(histogram.bin_index[place])), histogram.max_ns))


def slowest_bytes_per_s(series: Series | None, cycle_ns: int) -> float:
    """The slowest of all whole cycles, one after the other as fio counts them (`rate_cycle`); of a shorter run that of all of it."""
    if series is None or not len(series.time_ns):
        return 0.0
    lasted_ns = int(series.time_ns[-1])
    ends_ns = _cycle_ends(lasted_ns, cycle_ns)
    done = np.interp(ends_ns, np.append(0, series.time_ns), np.append(0.0, series.bytes_done))
    return float((np.diff(done, prepend=0.0) / np.diff(ends_ns, prepend=0)).min() * NS_PER_S)


def _cycle_ends(lasted_ns: int, cycle_ns: int) -> NDArray[np.int64]:
    if lasted_ns < cycle_ns:
        return np.array([max(1, lasted_ns)], dtype=np.int64)
    return np.arange(cycle_ns, lasted_ns + 1, cycle_ns, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Tried:
    """A candidate and what it has shown."""

    candidate: Candidate
    evidence: StepEvidence
    shown: CandidateRun


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """A search as far as it came, seen from its bundle."""

    tried: tuple[Tried, ...]
    answer: SearchEnd | NotFound | Unknown

    @property
    def deciding(self) -> tuple[Tried, ...]:
        """The runs whose numbers count."""
        by = () if isinstance(self.answer, Unknown) else self.answer.by
        return tuple(one for one in self.tried if one.candidate in by)


def outcome_of(step: SearchStep, plan: Sequence[Step], finished: Sequence[StepEvidence]) -> SearchOutcome:
    """Go through a search again: the same candidates follow from the same numbers."""
    bounds, limits = bounds_of(step, _confirm_runs(step, plan)), limits_of(step)
    by_name = {one.step.name: one for one in finished if one.step.kind is StepKind.MEASURE}
    tried: list[Tried] = []
    while isinstance(following := _following(bounds, limits, tried), Candidate):
        evidence = by_name.get(following.point(step.name).name)
        if evidence is None:
            break
        tried.append(Tried(following, evidence, shown_by_evidence(step, evidence)))
    ended = any(one.kind is StepKind.SEARCH and one.status is StepStatus.FINISHED for one in plan)
    if isinstance(following, Candidate) or not ended:
        return SearchOutcome(tuple(tried), Unknown(message("unknown-search-unfinished")))
    return SearchOutcome(tuple(tried), following)


def _following(bounds: Bounds, limits: Mapping[Bound, int], tried: Sequence[Tried]) -> Candidate | SearchEnd | NotFound:
    return next_candidate(bounds, [one.shown.showing(limits) for one in tried])


def _confirm_runs(step: SearchStep, plan: Sequence[Step]) -> int:
    """Profiles may have fewer than the suite says: of a search that ended, as many as there are."""
    runs = [one.run for one in plan if one.kind is StepKind.MEASURE]
    return min(step.times.confirm_runs, max(runs, default=step.times.confirm_runs))


def bootbench_metrics(step: SearchStep, plan: Sequence[Step], finished: Sequence[StepEvidence]) -> tuple[Metric, ...]:
    """Metrics of a step `search`: the answer, how far inside each limit it is, and every candidate on the way."""
    outcome = outcome_of(step, plan, finished)
    if not outcome.tried:
        return ()
    state = outcome.tried[0].evidence.step.state
    limits = limits_of(step)
    every = [metric for one in outcome.tried for metric in _candidate_metrics(step, one, limits)]
    return (*_answer_metrics(Naming(Point(step.name), state), outcome, limits), *every)


def _answer_metrics(naming: Naming, outcome: SearchOutcome, limits: Mapping[Bound, int]) -> Iterator[Metric]:
    answer, worst = outcome.answer, worst_of(outcome.deciding)
    why_not = _why_not(answer)
    runs = message("metric-slowest-of-runs", runs=len(outcome.deciding))
    yield naming.metric(IOPS, why_not or worst.values[Bound.IOPS], note=None if why_not else runs)
    yield naming.metric(JOBS, why_not or _jobs(answer))
    found = isinstance(answer, SearchEnd)
    verdict = answer if isinstance(answer, Unknown) else found and not worst.missed(limits)
    yield naming.metric(PASS, verdict, note=_verdict_words(answer, worst, limits))
    if isinstance(answer, Unknown):
        return
    for bound in Bound:
        value, (quantity, percent) = worst.values[bound], QUANTITIES[bound]
        limit = _limit(bound, limits)
        if bound is not Bound.IOPS:
            yield naming.metric(quantity, _meant(bound, value, worst.ios), note=limit, percent=percent)
        margin = margin_percent(bound, value, limits)
        known = why_not if bound is Bound.IOPS and why_not else margin if np.isfinite(margin) else _NO_READ
        yield naming.metric(quantity, known, note=limit, percent=percent, aspect=Aspect.MARGIN)


def _jobs(answer: SearchEnd | NotFound | Unknown) -> int:
    return answer.jobs if isinstance(answer, SearchEnd) else 0


def _why_not(answer: SearchEnd | NotFound | Unknown) -> Unknown | None:
    match answer:
        case Unknown():
            return answer
        case NotFound():
            return Unknown(answer.reason)
        case SearchEnd():
            return None


_SHOWN = {
    Showing.PASSED: message("metric-passed"),
    Showing.TOO_SLOW: message("metric-too-slow"),
    Showing.BELOW_FLOOR: message("metric-below-floor"),
}
_NO_READ = Unknown(message("unknown-no-read-completed"))


def _limit(bound: Bound, limits: Mapping[Bound, int]) -> Message:
    shown = format_quantity(limits[bound], UNITS[bound])
    return message("metric-at-least", limit=shown) if bound in _AT_LEAST else message("metric-at-most", limit=shown)


def _verdict_words(
    answer: SearchEnd | NotFound | Unknown, worst: CandidateRun, limits: Mapping[Bound, int]
) -> Message | None:
    if isinstance(answer, Unknown):
        return None
    judged = [bound for bound in worst.missed(limits) if isinstance(answer, SearchEnd) or bound is not Bound.IOPS]
    if not judged:
        return message("metric-no-limit-missed")
    return message("metric-limits-missed", limits=commas(*(bound.value for bound in judged)))


def worst_of(tried: Sequence[Tried]) -> CandidateRun:
    """Of several runs the worst of each value, as their slowest counts."""
    shown = [one.shown for one in tried]
    if not shown:
        return CandidateRun(dict.fromkeys(Bound, 0.0), 0)
    values = {bound: (min if bound in _AT_LEAST else max)(one.values[bound] for one in shown) for bound in Bound}
    return CandidateRun(values, min(one.ios for one in shown))


def _candidate_metrics(step: SearchStep, tried: Tried, limits: Mapping[Bound, int]) -> Iterator[Metric]:
    naming = Naming(tried.candidate.point(step.name), tried.evidence.step.state)
    missed = tried.shown.missed(limits)
    for bound in Bound:
        value = _meant(bound, tried.shown.values[bound], tried.shown.ios)
        shown = format_quantity(limits[bound], UNITS[bound])
        note = message("metric-limit", limit=shown) if bound in missed else None
        quantity, percent = QUANTITIES[bound]
        yield naming.metric(quantity, value, note=note, percent=percent)
    showing = tried.shown.showing(limits)
    yield naming.metric(PASS, showing is Showing.PASSED, note=_SHOWN[showing])


_ABOVE = {Bound.CLAT_P99: Fraction(1, 100), Bound.CLAT_P99_9: Fraction(1, 1000)}


def _meant(bound: Bound, value: float, ios: int) -> float | Unknown:
    """A value as a metric; a percentile with too few samples above it decides a candidate, but is no number to be quoted."""
    if not np.isfinite(value):
        return _NO_READ
    above = int(ios * _ABOVE[bound]) if bound in _ABOVE else SAMPLES_ABOVE_MIN
    if above < SAMPLES_ABOVE_MIN:
        return Unknown(message("unknown-few-reads-above", above=above, reads=ios, needed=SAMPLES_ABOVE_MIN))
    return value
