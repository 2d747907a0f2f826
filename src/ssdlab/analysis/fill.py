"""Metrics of the fill (METHODS C2, M): one set a pass, and what both passes together rank the drive by."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ssdlab.analysis.consistency import even_speeds, mean_over_time
from ssdlab.analysis.evidence import Evidence
from ssdlab.analysis.interval import Interval, mean_interval
from ssdlab.analysis.naming import Naming
from ssdlab.analysis.percentile import nearest_rank
from ssdlab.analysis.phases import Cache, Phases, phases_of
from ssdlab.analysis.plateau import Plateau, inside
from ssdlab.analysis.policy import MEANING, AfterCache, Policy, named_by, policy_of, teeth_of
from ssdlab.bundle.model import DirectionTotals, Metric, Step, StepStatus
from ssdlab.bundle.totals import Totals
from ssdlab.engine.result import Direction, LatencyKind, Series
from ssdlab.job import DriveState, StepKind
from ssdlab.units import NS_PER_S, format_bytes_decimal
from ssdlab.unknown import Unknown

_WHOLE = 0.9
"""A fill of less of the drive may end before the last phase begins."""


@dataclass(frozen=True, slots=True)
class _Pass:
    """One finished pass and its phases."""

    evidence: Evidence
    phases: Phases

    @property
    def series(self) -> Series:
        return self.evidence.series[Direction.WRITE]


def fill_metrics(
    group: str,
    plan: Sequence[Step],
    finished: Sequence[Evidence],
    reclaim_bytes_per_s: Interval | None = None,
    others: Totals | None = None,
) -> Iterator[Metric]:
    """Metrics of each finished pass of a fill, of all passes together, and the class of the drive.

    Args:
        group: Name of the suite's step.
        plan: All its planned steps; what all passes say together is Unknown until every planned pass is finished.
        finished: Those that did their I/O, in order.
        reclaim_bytes_per_s: How fast silence gives the SLC cache back, where the run has measured it.
        others: Passes of which no more is kept than what they come to.
    """
    passes = [
        _Pass(one, phases_of(one.series[Direction.WRITE]))
        for one in finished
        if Direction.WRITE in one.result.directions
    ]
    if not passes:
        return
    policy = _policy(passes[0], reclaim_bytes_per_s)
    for index, one in enumerate(passes):
        yield from _pass_metrics(one, _class_of_pass(one, policy, index))
    fills = [step for step in plan if step.kind is StepKind.FILL]
    # What is finished and has no job is among the others.
    apart = 0 if others is None else sum(step.job is None and step.status is StepStatus.FINISHED for step in fills)
    yield from _whole_fill(group, [one.evidence for one in passes], len(fills) - apart, others)
    naming = Naming(group, passes[0].evidence.step.state)
    if isinstance(policy, Unknown):
        yield naming.metric("after_cache", policy, "")
    else:
        note = f"{MEANING[policy.after]}: {policy.finding}"
        # Never the bare letter: beside numbers with units a `B` reads as bytes.
        yield naming.metric("after_cache", f"class {policy.after.value}", "", note=note)


def _policy(first: _Pass, reclaim_bytes_per_s: Interval | None) -> Policy | Unknown:
    """The class shows in a pass over the whole drive, fresh out of the box."""
    step, capacity_bytes = first.evidence.step, first.evidence.run.drive.capacity_bytes
    written_bytes = first.evidence.result.directions[Direction.WRITE].io_bytes
    if step.state is not DriveState.FOB:
        return Unknown("its first pass did not begin fresh out of the box")
    if written_bytes < _WHOLE * capacity_bytes:
        return Unknown(f"{written_bytes / capacity_bytes:.0%} of the drive was written, what comes later did not show")
    return policy_of(first.series, first.phases, capacity_bytes, reclaim_bytes_per_s)


def _class_of_pass(one: _Pass, policy: Policy | Unknown, index: int) -> AfterCache | None:
    """By which class the phases of a pass get their names: that of the drive, if a later pass can show it too."""
    if isinstance(policy, Unknown) or isinstance(one.phases.cache, Unknown):
        return None
    if index and policy.after is AfterCache.WHOLE_DRIVE:
        return None
    if policy.after is AfterCache.SAWTOOTH and not teeth_of(one.series, one.phases.cache):
        return None
    return policy.after


def _pass_metrics(one: _Pass, after: AfterCache | None) -> tuple[Metric, ...]:
    """Metrics of one finished pass; what the pass does not show is Unknown with the reason."""
    step, totals, series = one.evidence.step, one.evidence.result.directions[Direction.WRITE], one.series
    naming, phases = Naming(step.name, step.state), named_by(after, series, one.phases)

    def level(what: str, plateau: Plateau | Unknown, note: str = "") -> Metric:
        if isinstance(plateau, Unknown):
            return naming.metric(what, plateau, "B/s")
        windows = inside(plateau.start, plateau.end)
        interval = mean_interval(even_speeds(series, windows.start, windows.stop), plateau.bandwidth_bytes_per_s)
        return naming.metric(what, plateau.bandwidth_bytes_per_s, "B/s", interval, note)

    slowest, slowest_note = bandwidth_p1(series)
    return (
        naming.metric("duration", totals.runtime_ns / NS_PER_S, "s"),
        naming.metric("cache_bytes", *_cache_bytes(phases.cache)),
        level("cache_bandwidth", phases.cache.plateau if isinstance(phases.cache, Cache) else phases.cache),
        level("folding_bandwidth", phases.folding, phases.note),
        level("direct_bandwidth", phases.direct, _direct_note(phases)),
        naming.metric("bandwidth_mean", _bandwidth_mean([totals]), "B/s", note="all bytes over all time"),
        naming.metric("bandwidth_p1", slowest, "B/s", note=slowest_note),
    )


def _whole_fill(fill: str, passes: Sequence[Evidence], planned: int, others: Totals | None) -> list[Metric]:
    totals = [one.result.directions[Direction.WRITE] for one in passes]
    over_time = _latency_mean_over_time([one.series[Direction.WRITE] for one in passes])
    over_ios = _latency_mean_over_ios(totals)
    missing = Unknown(f"{len(passes)} of {planned} passes finished")
    complete = len(passes) == planned
    if others is not None:
        over_time = over_ios = Unknown(f"of {others.count} passes no latency is kept")
        planned += others.count
    values: dict[str, tuple[float | Unknown, str, str]] = {
        "bandwidth_mean": (_bandwidth_mean(totals, others), "B/s", "all bytes over all time, rests left out"),
        "latency_mean_over_time": (over_time, "ns", "mean of the window means: every moment counts the same"),
        "latency_mean_over_ios": (over_ios, "ns", "mean of all I/Os: every I/O counts the same"),
    }
    naming, several = Naming(fill, passes[0].step.state), f"; {planned} passes, the state is that before the first"
    return [
        naming.metric(what, value if complete else missing, unit, note=note + several if planned > 1 else note)
        for what, (value, unit, note) in values.items()
    ]


def bandwidth_p1(series: Series) -> tuple[float | Unknown, str]:
    """Slowest 1 % of the windows: nearest rank of their bandwidths in ascending order, and a note on which one that is.

    The last window is as long as what was left to do. It counts only if it lasts at least half of a nominal one: the rate of
    a sliver says more of the moment the job ended than of the drive.
    """
    rates = series.bandwidth_bytes_per_s
    if len(rates) and series.duration_ns[-1] * 2 < series.window_ns:
        rates = rates[:-1]
    rank = max(1, -(-len(rates) // 100))
    return nearest_rank(rates, "1"), f"{rank}. slowest of {len(rates)} windows of {series.window_ns / 1e6:g} ms"


def _cache_bytes(cache: Cache | Unknown) -> tuple[float | Unknown, str, Interval | None, str]:
    if isinstance(cache, Unknown):
        return cache, "B", None, ""
    slow_start = f", after {format_bytes_decimal(cache.rise.done_bytes)} written slower" if cache.plateau.start else ""
    return cache.size_bytes, "B", cache.interval, f"bytes written at the speed of the cache{slow_start}"


def _direct_note(phases: Phases) -> str:
    if isinstance(phases.cache, Unknown):
        return "the whole pass"
    if isinstance(phases.folding, Unknown):
        return "the only phase after the cache: direct writing or folding, one level cannot tell"
    return phases.note


def _bandwidth_mean(totals: Sequence[DirectionTotals], others: Totals | None = None) -> float | Unknown:
    runtime_ns = sum(one.runtime_ns for one in totals) + (0 if others is None else others.duration_ns)
    if runtime_ns == 0:
        return Unknown("the engine reports no run time")
    io_bytes = sum(one.io_bytes for one in totals) + (0 if others is None else others.moved_bytes)
    return io_bytes / runtime_ns * NS_PER_S


def _latency_mean_over_time(passes: Sequence[Series]) -> float | Unknown:
    """Mean over the windows, each with the weight of its length; windows in which nothing completed have no latency."""
    latency_ns = np.concatenate([one.latency_ns_mean for one in passes])
    return mean_over_time(latency_ns, np.concatenate([one.duration_ns for one in passes]))


def _latency_mean_over_ios(totals: Sequence[DirectionTotals]) -> float | Unknown:
    counted = [(one.io_count, one.latency[LatencyKind.LAT].mean_ns) for one in totals if LatencyKind.LAT in one.latency]
    count = sum(one for one, _ in counted)
    if count == 0 or len(counted) < len(totals):
        return Unknown("the engine reports no total latency")
    return sum(one * mean_ns for one, mean_ns in counted) / count
