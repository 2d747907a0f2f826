"""Metrics of the fill (METHODS C2, M): one set a pass, and what both passes together rank the drive by."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.infer.phases import Cache, PassPhases, phases_of
from ssdlab.analysis.infer.plateau import Plateau, inside
from ssdlab.analysis.infer.policy import MEANING, AfterCache, Policy, named_by, policy_of
from ssdlab.analysis.infer.slump import parts_between
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.statistics.consistency import even_speeds, mean_over_time
from ssdlab.analysis.statistics.interval import Interval, level_interval
from ssdlab.analysis.statistics.percentile import nearest_rank
from ssdlab.bundle.model import DirectionTotals, Metric, Step, StepStatus
from ssdlab.bundle.quantities import (
    AFTER_CACHE,
    BANDWIDTH_MEAN,
    BANDWIDTH_P1,
    CACHE_BANDWIDTH,
    CACHE_BYTES,
    DIRECT_BANDWIDTH,
    DURATION,
    FOLDING_BANDWIDTH,
    LATENCY_MEAN_OVER_IOS,
    LATENCY_MEAN_OVER_TIME,
    Quantity,
)
from ssdlab.bundle.totals import StepTotals
from ssdlab.engine.result import Direction, LatencyKind, Series
from ssdlab.job import DriveState, StepKind
from ssdlab.message import Message, duration, message, number, size_decimal
from ssdlab.point import Point
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

_WHOLE = 0.9
"""A fill of less of the drive may end before the last phase begins."""


@dataclass(frozen=True, slots=True, eq=False)
class RecordedPass:
    """One finished pass and its phases, whoever recorded it."""

    point: Point
    state: DriveState
    """Of the drive before it."""
    capacity_bytes: int
    written_bytes: int
    runtime_ns: int
    series: Series
    phases: PassPhases


def fill_metrics(
    group: str,
    plan: Sequence[Step],
    finished: Sequence[StepEvidence],
    reclaim_bytes_per_s: Interval | None = None,
    others: StepTotals | None = None,
) -> Iterator[Metric]:
    """Metrics of each finished pass of a fill, of all passes together, and the class of the drive.

    Args:
        group: Name of the suite's step.
        plan: All its planned steps; what all passes say together is Unknown until every planned pass is finished.
        finished: Those that did their I/O, in order.
        reclaim_bytes_per_s: How fast silence gives the SLC cache back, where the run has measured it.
        others: Passes of which no more is kept than what they come to.
    """
    written = [one for one in finished if Direction.WRITE in one.result.directions]
    if not written:
        return
    passes = [_recorded(one) for one in written]
    policy = policy_of_pass(passes[0], reclaim_bytes_per_s)
    for index, one in enumerate(passes):
        yield from pass_metrics(one, _class_of_pass(one, policy, index))
    fills = [step for step in plan if step.kind is StepKind.FILL]
    # What is finished and has no job is among the others.
    apart = 0 if others is None else sum(step.job is None and step.status is StepStatus.FINISHED for step in fills)
    yield from _whole_fill(group, written, len(fills) - apart, others)
    yield class_metric(Naming(Point(group), passes[0].state), policy)


def class_metric(naming: Naming, policy: Policy | Unknown) -> Metric:
    """The class of the drive."""
    if isinstance(policy, Unknown):
        return naming.metric(AFTER_CACHE, policy)
    note = message("metric-class", meaning=MEANING[policy.after], finding=policy.finding)
    # Never the bare letter: beside numbers with units a `B` reads as bytes.
    return naming.metric(AFTER_CACHE, f"class {policy.after.value}", note=note)


def _recorded(evidence: StepEvidence) -> RecordedPass:
    sensors = None if isinstance(evidence.sensors, Unknown) else evidence.sensors
    series, capacity_bytes = evidence.series[Direction.WRITE], evidence.run.drive.capacity_bytes
    totals = evidence.result.directions[Direction.WRITE]
    return RecordedPass(
        evidence.step.point,
        evidence.step.state,
        capacity_bytes,
        totals.io_bytes,
        totals.runtime_ns,
        series,
        phases_of(series, capacity_bytes, sensors),
    )


def policy_of_pass(first: RecordedPass, reclaim_bytes_per_s: Interval | None = None) -> Policy | Unknown:
    """The class shows in a pass over the whole drive, fresh out of the box."""
    if first.state is not DriveState.FOB:
        return Unknown(message("unknown-pass-not-fresh"))
    share = first.written_bytes / first.capacity_bytes
    if share < _WHOLE:
        return Unknown(message("unknown-later-not-shown", share=number(share, ".0%")))
    return policy_of(first.series, first.phases, first.capacity_bytes, reclaim_bytes_per_s)


def _class_of_pass(one: RecordedPass, policy: Policy | Unknown, index: int) -> AfterCache | None:
    """By which class the phases of a pass get their names: that of the drive, if a later pass can show it too."""
    if isinstance(policy, Unknown) or isinstance(one.phases.cache, Unknown):
        return None
    if index and policy.after is AfterCache.WHOLE_DRIVE:
        return None
    if policy.after is AfterCache.SAWTOOTH and not one.phases.teeth:
        return None
    return policy.after


def pass_metrics(one: RecordedPass, after: AfterCache | None) -> tuple[Metric, ...]:
    """Metrics of one finished pass; what the pass does not show is Unknown with the reason."""
    series = one.series
    naming, phases = Naming(one.point, one.state), named_by(after, series, one.phases)

    def level(
        quantity: Quantity, plateau: Plateau | Unknown, note: Message | None = None, stalls: Sequence[slice] = ()
    ) -> Metric:
        if isinstance(plateau, Unknown):
            return naming.metric(quantity, plateau)
        parts = parts_between(inside(plateau.start, plateau.end), stalls)
        speeds = np.concatenate([np.array([]), *(even_speeds(series, part.start, part.stop) for part in parts)])
        interval = level_interval(speeds, plateau.bandwidth_bytes_per_s, phases.noise)
        return naming.metric(quantity, plateau.bandwidth_bytes_per_s, interval, note)

    slowest, slowest_note = bandwidth_p1(series)
    return (
        naming.metric(DURATION, one.runtime_ns / NS_PER_S),
        naming.metric(CACHE_BYTES, *_cache_bytes(phases.cache)),
        level(CACHE_BANDWIDTH, *_cache_level(series, phases.cache)),
        level(FOLDING_BANDWIDTH, phases.folding, phases.note),
        level(DIRECT_BANDWIDTH, phases.direct, _direct_note(phases)),
        naming.metric(
            BANDWIDTH_MEAN, _bytes_per_s(one.written_bytes, one.runtime_ns), note=message("metric-all-bytes")
        ),
        naming.metric(BANDWIDTH_P1, slowest, note=slowest_note),
    )


def _whole_fill(fill: str, passes: Sequence[StepEvidence], planned: int, others: StepTotals | None) -> list[Metric]:
    totals = [one.result.directions[Direction.WRITE] for one in passes]
    over_time = _latency_mean_over_time([one.series[Direction.WRITE] for one in passes])
    # One, or two where an older version began the fill and another went on.
    kinds = {one.result.timed for one in passes}
    timed = passes[0].result.timed
    over_ios = _latency_mean_over_ios(totals, timed)
    if len(kinds) > 1:
        over_time = over_ios = Unknown(message("unknown-several-latency-kinds"))
    missing = Unknown(message("unknown-passes-finished", done=len(passes), planned=planned))
    complete = len(passes) == planned
    if others is not None:
        over_time = over_ios = Unknown(message("unknown-latency-not-kept", passes=others.count))
        planned += others.count
    values: dict[Quantity, tuple[float | Unknown, Message]] = {
        BANDWIDTH_MEAN: (_bandwidth_mean(totals, others), message("metric-all-bytes-without-rests")),
        LATENCY_MEAN_OVER_TIME: (over_time, _of_kind(timed, message("metric-mean-of-windows"))),
        LATENCY_MEAN_OVER_IOS: (over_ios, _of_kind(timed, message("metric-mean-of-ios"))),
    }
    naming = Naming(Point(fill), passes[0].step.state)
    return [
        naming.metric(quantity, value if complete else missing, note=_of_passes(note, planned))
        for quantity, (value, note) in values.items()
    ]


def _of_kind(timed: LatencyKind, note: Message) -> Message:
    return message("metric-of-latency-kind", kind=timed.value, note=note)


def _of_passes(note: Message, passes: int) -> Message:
    return message("metric-of-passes", note=note, passes=passes) if passes > 1 else note


def bandwidth_p1(series: Series) -> tuple[float | Unknown, Message]:
    """Slowest 1 % of the windows: nearest rank of their bandwidths in ascending order, and a note on which one that is.

    The last window is as long as what was left to do. It counts only if it lasts at least half of a nominal one: the rate of
    a sliver says more of the moment the job ended than of the drive.
    """
    rates = series.bandwidth_bytes_per_s
    if len(rates) and series.duration_ns[-1] * 2 < series.window_ns:
        rates = rates[:-1]
    rank = max(1, -(-len(rates) // 100))
    window_ms = number(series.window_ns / 1e6, "g")
    return nearest_rank(rates, "1"), message("metric-rank", rank=rank, windows=len(rates), window_ms=window_ms)


def _cache_level(series: Series, cache: Cache | Unknown) -> tuple[Plateau | Unknown, Message | None, tuple[slice, ...]]:
    if isinstance(cache, Unknown):
        return cache, None, ()
    stalled_first = bool(cache.plateau.start and not cache.rise.done_bytes)
    if not cache.stalls:
        return cache.plateau, message("metric-without-stall-first") if stalled_first else None, ()
    if not parts_between(inside(cache.plateau.start, cache.plateau.end), cache.stalls):
        return Unknown(message("unknown-cache-stalled")), None, ()
    stalls = [slice(0, cache.plateau.start), *cache.stalls] if stalled_first else cache.stalls
    lasted_ns = sum(int(series.duration_ns[stall].sum()) for stall in stalls)
    return cache.plateau, message("metric-without-stalls", count=len(stalls), lasted=duration(lasted_ns)), cache.stalls


def _cache_bytes(cache: Cache | Unknown) -> tuple[float | Unknown, Interval | None, Message | None]:
    if isinstance(cache, Unknown):
        return cache, None, None
    note = message("metric-at-cache-speed")
    if cache.rise.done_bytes:
        note = message("metric-at-cache-speed-after", slower=size_decimal(cache.rise.done_bytes))
    elif cache.rise.high_bytes:
        note = message("metric-at-cache-speed-stalled", stalled=size_decimal(cache.rise.high_bytes))
    return cache.size_bytes, cache.interval, note


def _direct_note(phases: PassPhases) -> Message | None:
    if isinstance(phases.cache, Unknown):
        return message("metric-whole-pass")
    if isinstance(phases.folding, Unknown):
        return message("metric-only-phase")
    return phases.note


def _bandwidth_mean(totals: Sequence[DirectionTotals], others: StepTotals | None = None) -> float | Unknown:
    runtime_ns = sum(one.runtime_ns for one in totals) + (0 if others is None else others.duration_ns)
    io_bytes = sum(one.io_bytes for one in totals) + (0 if others is None else others.moved_bytes)
    return _bytes_per_s(io_bytes, runtime_ns)


def _bytes_per_s(moved_bytes: int, lasted_ns: int) -> float | Unknown:
    if lasted_ns == 0:
        return Unknown(message("unknown-no-run-time"))
    return moved_bytes / lasted_ns * NS_PER_S


def _latency_mean_over_time(passes: Sequence[Series]) -> float | Unknown:
    """Mean over the windows, each with the weight of its length; windows in which nothing completed have no latency."""
    latency_ns = np.concatenate([one.latency_ns_mean for one in passes])
    return mean_over_time(latency_ns, np.concatenate([one.duration_ns for one in passes]))


def _latency_mean_over_ios(totals: Sequence[DirectionTotals], timed: LatencyKind) -> float | Unknown:
    counted = [(one.io_count, one.latency[timed].mean_ns) for one in totals if timed in one.latency]
    count = sum(one for one, _ in counted)
    if count == 0 or len(counted) < len(totals):
        return Unknown(message("unknown-no-latency-kind", kind=timed.value))
    return sum(one * mean_ns for one, mean_ns in counted) / count
