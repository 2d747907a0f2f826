"""What the analyses of the lab say of a foreign series, and what nobody can know from it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from ssdlab.analysis.foreign.series import ForeignSeries
from ssdlab.analysis.infer.phases import PassPhases, phases_of
from ssdlab.analysis.infer.plateau import levels_of
from ssdlab.analysis.infer.reclaim import ReclaimAfterRest, reclaim_of
from ssdlab.analysis.infer.steady import (
    PARTS,
    SHORT_NS,
    SHORT_SHARE,
    SNIA_ROUND_NS,
    SNIA_ROUNDS,
    SNIA_SAMPLE_NS,
    Criterion,
    CriterionResult,
    Firing,
    SteadyContext,
    SteadyJudge,
)
from ssdlab.analysis.log.file import LogError
from ssdlab.analysis.metrics.fill import RecordedPass, class_metric, pass_metrics, policy_of_pass
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.metrics.preconditioning import (
    criterion_metrics,
    outlook_metrics,
    series_until,
    steady_bytes_per_s,
)
from ssdlab.bundle.metric_key import Aspect
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import (
    BYTES,
    CACHE_BANDWIDTH,
    CACHE_BYTES,
    DELAY,
    DIRECT_BANDWIDTH,
    FIRST_AT_BYTES,
    FOLDING_BANDWIDTH,
    RATE,
    STEADY_AFTER,
    STEADY_AT_BYTES,
    STEADY_BANDWIDTH,
)
from ssdlab.engine.result import Series
from ssdlab.job import DriveState
from ssdlab.message import Message, duration, message, number, size_decimal
from ssdlab.point import Coordinate, CoordinateAxis, Point
from ssdlab.units import KIB, NS_PER_S
from ssdlab.unknown import Unknown

_FILL_WINDOW_NS_MAX = 10 * NS_PER_S
_FILL_WINDOWS_MIN = 100
"""Levels that last for less than five windows or 1 % of them are no phases."""
_PASS_SHARE_MAX = 1.02
"""A log that writes more than the drive holds has more than one pass in it."""
_PASS_SHARE_MIN = 0.95
"""A log that writes less may end before the cache does."""
MINIMUM_CAPACITIES = 2
MEASURED_NS = 300 * NS_PER_S
"""What a suite writes at least, and how long its measurements last (METHODS E1, E2)."""
_LEFT = 0.10
"""A mean as long as a measurement that is so far off the steady speed later on says that the drive was not steady."""
RECLAIM_NS = 60 * NS_PER_S
"""How long METHODS C8 writes after each rest."""
_RECLAIM_WINDOW_NS_MAX = NS_PER_S
_FIO_SAMPLE_NS = NS_PER_S
_HELD_SHARE = 0.2
"""Of the capacity, in fifths: `held` judges the shape of whole capacities, which wide windows show as well."""


class StatedPurge(Enum):
    """Whether anybody says that the drive was purged before."""

    STATED = "stated"
    UNSTATED = "unstated"


@dataclass(frozen=True, slots=True, eq=False)
class FillAnswer:
    """A fill, by the lab's own analysis."""

    recorded: RecordedPass
    metrics: tuple[Metric, ...]
    notes: tuple[Message, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SteadyAnswer:
    """Steadiness, by all criteria.

    Attributes:
        findings: Of the criteria that the series can carry.
        left: When the speed left the steady one after all; None where no criterion held or it did not.
    """

    series: Series
    capacity_bytes: int
    findings: tuple[CriterionResult, ...]
    left: Firing | None
    metrics: tuple[Metric, ...]
    notes: tuple[Message, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ReclaimAnswer:
    """How the cache came back, by the lab's own analysis."""

    rungs: tuple[ReclaimAfterRest, ...]
    metrics: tuple[Metric, ...]
    notes: tuple[Message, ...]


def fill_answer(foreign: ForeignSeries, capacity_bytes: int, purged: StatedPurge) -> FillAnswer:
    """Cache, class and phases of one pass over a drive.

    Raises:
        LogError: The windows are too wide to tell phases, or too few.
    """
    series, notes = foreign.series, list(foreign.notes)
    if foreign.written_bytes > _PASS_SHARE_MAX * capacity_bytes:
        end = int(np.searchsorted(series.bytes_done, capacity_bytes))
        series = series_until(series, int(series.time_ns[end]))
        multiple = number(foreign.written_bytes / capacity_bytes, ".2f")
        notes.append(message("analyse-first-pass-only", multiple=multiple))
    _require_fine(series, _FILL_WINDOW_NS_MAX)
    if len(series.time_ns) < _FILL_WINDOWS_MIN:
        raise LogError(
            message("analyse-too-coarse", count=len(series.time_ns), least=_FILL_WINDOWS_MIN),
            message("analyse-finer-windows"),
        )
    state = DriveState.FOB if purged is StatedPurge.STATED else DriveState.UNKNOWN
    phases = phases_of(series, capacity_bytes)
    recorded = RecordedPass(
        Point("fill", (Coordinate(CoordinateAxis.PASS, 1),)),
        state,
        capacity_bytes,
        round(float(series.bytes_done[-1])),
        int(series.time_ns[-1]),
        series,
        phases,
    )
    unstated = Unknown(message("analyse-unknown-purged"))
    policy = policy_of_pass(recorded) if purged is StatedPurge.STATED else unstated
    metrics = list(pass_metrics(recorded, None if isinstance(policy, Unknown) else policy.after))
    if purged is StatedPurge.UNSTATED:
        metrics = [_only_if_purged(metric, phases) for metric in metrics]
    share = recorded.written_bytes / capacity_bytes
    if share < _PASS_SHARE_MIN:
        part = message("analyse-part-of-pass", share=number(share, ".0%"))
        notes.append(part)
        metrics = [_only_of_part(metric, phases, part) for metric in metrics]
    metrics.append(class_metric(Naming(Point("fill"), state), policy))
    notes += _interruptions(series)
    return FillAnswer(recorded, tuple(metrics), tuple(notes))


def _require_fine(series: Series, window_ns_max: int) -> None:
    if series.window_ns > window_ns_max:
        raise LogError(
            message("analyse-windows-wide", window=duration(series.window_ns), most=duration(window_ns_max)),
            message("analyse-finer-windows"),
        )


def _only_if_purged(metric: Metric, phases: PassPhases) -> Metric:
    """A fall is the end of a cache only on a drive that was empty: on a used one it may be garbage collection that sets in."""
    if isinstance(phases.cache, Unknown):
        return metric
    if metric.key.quantity == CACHE_BYTES:
        candidate = message("analyse-fall-if-purged", candidate=size_decimal(phases.cache.cliff.done_bytes))
        return replace(metric, value=Unknown(candidate), low=None, high=None, note=None)
    if metric.key.quantity == FOLDING_BANDWIDTH and isinstance(metric.value, Unknown):
        return replace(metric, value=Unknown(message("analyse-unknown-purged")))
    if metric.key.quantity in {CACHE_BANDWIDTH, FOLDING_BANDWIDTH, DIRECT_BANDWIDTH}:
        if metric.note is not None:
            return replace(metric, note=message("analyse-noted-phase-if-purged", note=metric.note))
        return replace(metric, note=message("analyse-phase-if-purged"))
    return metric


def _only_of_part(metric: Metric, phases: PassPhases, part: Message) -> Metric:
    """Where part of a pass shows no cache, the rest of it may: the whole log may be of the cache."""
    of_phases = metric.key.quantity in {CACHE_BYTES, CACHE_BANDWIDTH, FOLDING_BANDWIDTH, DIRECT_BANDWIDTH}
    if not of_phases or not isinstance(phases.cache, Unknown):
        return metric
    return replace(metric, value=Unknown(part), low=None, high=None, note=None)


def _interruptions(series: Series) -> Iterator[Message]:
    """Pauses and dips, which are no phases."""
    steady, _ = levels_of(series)
    others = np.setdiff1d(np.arange(len(series.time_ns)), steady.origin)
    if not len(others):
        return
    stretches = np.split(others, np.flatnonzero(np.diff(others) > 1) + 1)
    lasted = [int(series.duration_ns[part].sum()) for part in stretches]
    longest = int(np.argmax(lasted))
    begin = stretches[longest][0]
    at = float(series.bytes_done[begin - 1]) if begin else 0.0
    yield message(
        "analyse-interruptions",
        count=len(stretches),
        longest=duration(lasted[longest]),
        at=size_decimal(at),
        speed=size_decimal(float(series.bandwidth_bytes_per_s[stretches[longest]].mean())),
    )


def steady_answer(foreign: ForeignSeries, capacity_bytes: int) -> SteadyAnswer:
    """Where each criterion is fulfilled, and whether what follows agrees.

    Raises:
        LogError: Less is written than the drive holds.
    """
    series = foreign.series
    multiple = foreign.written_bytes / capacity_bytes
    if multiple < 1:
        raise LogError(
            message("analyse-too-short", multiple=number(multiple, ".2f"), written=size_decimal(foreign.written_bytes)),
            message("analyse-longer", minimum=number(MINIMUM_CAPACITIES)),
        )
    # Of bandwidths fio compares kibibytes a second.
    context = SteadyContext(
        capacity_bytes, foreign.block_bytes or KIB, MINIMUM_CAPACITIES * capacity_bytes, MEASURED_NS
    )
    judge = SteadyJudge(context)
    judge.feed(series.time_ns, series.bandwidth_bytes_per_s * series.duration_ns / NS_PER_S)
    naming = Naming(Point("steady"), DriveState.UNKNOWN)
    metrics: list[Metric] = []
    able: list[CriterionResult] = []
    no_speed = Unknown(message("unknown-not-steady"))
    for finding in judge.findings:
        unable = _cannot_carry(finding.criterion, series, capacity_bytes)
        if unable is None:
            able.append(finding)
            metrics += criterion_metrics(
                naming, finding, Unknown(message("analyse-never", multiple=number(multiple, ".2f")))
            )
        else:
            if finding.criterion is Criterion.HELD:
                no_speed = unable
            by = Aspect(finding.criterion.value)
            metrics += [
                naming.metric(one, unable, aspect=by) for one in (STEADY_AT_BYTES, STEADY_AFTER, FIRST_AT_BYTES)
            ]
    held = next((one for one in able if one.criterion is Criterion.HELD), None)
    fired = None if held is None else held.after_minimum
    left = None
    if fired is None:
        metrics.append(naming.metric(STEADY_BANDWIDTH, no_speed))
    else:
        outlook = judge.outlook(fired.at_ns)
        rate, note = steady_bytes_per_s(series_until(series, fired.at_ns), MEASURED_NS, capacity_bytes, outlook)
        left = _left(series, fired, rate)
        if left is None:
            metrics.append(naming.metric(STEADY_BANDWIDTH, rate, note=note))
            metrics += [] if outlook is None else outlook_metrics(naming, outlook, capacity_bytes)
        else:
            later = _mean_after(series, left.at_ns)
            gone = message(
                "analyse-left",
                at=number(fired.at_bytes / capacity_bytes, ".2f"),
                share=number(later / rate, ".0%"),
                later=number(left.at_bytes / capacity_bytes, ".2f"),
            )
            metrics.append(naming.metric(STEADY_BANDWIDTH, Unknown(gone)))
    notes = foreign.notes
    if held is not None and _held_is_coarse(series, capacity_bytes):
        notes = (*notes, message("analyse-held-coarse", window=duration(series.window_ns)))
    return SteadyAnswer(series, capacity_bytes, tuple(able), left, tuple(metrics), notes)


def _cannot_carry(criterion: Criterion, series: Series, capacity_bytes: int) -> Unknown | None:
    """Why the windows are too wide for a criterion, or the log too short; None where it can be judged."""
    match criterion:
        case Criterion.FIO:
            most_ns = _FIO_SAMPLE_NS
        case Criterion.SNIA:
            most_ns = SNIA_SAMPLE_NS
        case Criterion.WINDOW:
            most_ns = _short_ns(series, capacity_bytes) // PARTS
        case Criterion.HELD:
            # What it asks for beyond `window` goes by shares of the capacity; a note says what is not seen.
            most_ns = max(_short_ns(series, capacity_bytes), _share_ns(series, capacity_bytes, _HELD_SHARE)) // PARTS
    # Windows of a second end some milliseconds late.
    if series.window_ns > most_ns * 1.01:
        return Unknown(message("analyse-criterion-windows", window=duration(series.window_ns), most=duration(most_ns)))
    if criterion is Criterion.SNIA and series.time_ns[-1] < SNIA_ROUNDS * SNIA_ROUND_NS:
        lasted, least = duration(int(series.time_ns[-1])), duration(SNIA_ROUNDS * SNIA_ROUND_NS)
        return Unknown(message("analyse-criterion-short", lasted=lasted, least=least))
    return None


def _share_ns(series: Series, capacity_bytes: int, share: float) -> int:
    """How long that share of the capacity took to write, on average."""
    return round(share * capacity_bytes / float(series.bytes_done[-1]) * int(series.time_ns[-1]))


def _short_ns(series: Series, capacity_bytes: int) -> int:
    """The short window of `window`."""
    return max(SHORT_NS, _share_ns(series, capacity_bytes, SHORT_SHARE))


def _held_is_coarse(series: Series, capacity_bytes: int) -> bool:
    """Whether the windows are too wide for the short window that `held` has from `window`."""
    return series.window_ns > _short_ns(series, capacity_bytes) // PARTS * 1.01


def _left(series: Series, fired: Firing, rate: float) -> Firing | None:
    """When a mean as long as a measurement first was another one, after the verdict."""
    edges_s = np.append(0.0, series.time_ns / NS_PER_S)
    done = np.append(0.0, series.bytes_done)
    measured_s = MEASURED_NS / NS_PER_S
    ends_s = np.arange(fired.at_ns / NS_PER_S + measured_s, edges_s[-1], measured_s / 4)
    means = (np.interp(ends_s, edges_s, done) - np.interp(ends_s - measured_s, edges_s, done)) / measured_s
    away = np.flatnonzero(np.abs(means / rate - 1) > _LEFT)
    if not len(away):
        return None
    at_s = float(ends_s[away[0]])
    return Firing(int(np.interp(at_s, edges_s, done)), round(at_s * NS_PER_S))


def _mean_after(series: Series, at_ns: int) -> float:
    """Bytes a second from then to the end, over as long as a measurement at least."""
    edges, done = np.append(0, series.time_ns), np.append(0.0, series.bytes_done)
    begin_ns = min(at_ns, int(edges[-1]) - MEASURED_NS)
    return float(done[-1] - np.interp(begin_ns, edges, done)) / (int(edges[-1]) - begin_ns) * NS_PER_S


def reclaim_answer(after_rests: Sequence[tuple[int, ForeignSeries]]) -> ReclaimAnswer:
    """The cache after each rest, and how fast it comes back (METHODS C8).

    Args:
        after_rests: For each rest, ns, what was written after it.

    Raises:
        LogError: The windows are too wide.
    """
    ordered = sorted(after_rests, key=lambda pair: pair[0])
    shortest_ns = min(RECLAIM_NS, *(one.lasted_ns for _, one in ordered))
    # A last window may end a little early.
    tolerance_ns = max(one.series.window_ns for _, one in ordered) // 2
    notes = [note for _, one in ordered for note in one.notes]
    if shortest_ns + tolerance_ns < RECLAIM_NS:
        notes.append(message("analyse-reclaim-shorter", lasted=duration(shortest_ns)))
    rungs = []
    for rest_ns, one in ordered:
        _require_fine(one.series, _RECLAIM_WINDOW_NS_MAX)
        rungs.append(ReclaimAfterRest(rest_ns, series_until(one.series, shortest_ns + one.series.window_ns // 2)))
    found = reclaim_of(rungs)
    metrics = []
    for rung, cache in zip(rungs, found.cache_bytes, strict=True):
        naming = Naming(Point("reclaim", (Coordinate(CoordinateAxis.REST, rung.rest_ns),)), DriveState.UNKNOWN)
        metrics.append(naming.metric(BYTES, rung.written_bytes, note=message("analyse-rest-as-stated")))
        metrics.append(naming.metric(CACHE_BYTES, cache, note=message("metric-of-them-at-cache-speed")))
    naming = Naming(Point("reclaim"), DriveState.UNKNOWN)
    metrics.append(naming.metric(DELAY, found.delay_s, found.delay, message("metric-silence")))
    metrics.append(naming.metric(RATE, found.rate_bytes_per_s, found.rate, message("metric-cache-a-second")))
    return ReclaimAnswer(tuple(rungs), tuple(metrics), tuple(dict.fromkeys(notes)))


def unknowable_of_fill(foreign: ForeignSeries, purged: StatedPurge) -> Iterator[Message]:
    """What a log of rates does not tell, and what depends on it."""
    if purged is StatedPurge.UNSTATED:
        yield message("analyse-unknown-purged")
    yield message("analyse-unknown-fill-load")
    yield from _unknowable(foreign)


def unknowable_of_steady(foreign: ForeignSeries) -> Iterator[Message]:
    """Likewise for steadiness."""
    yield message("analyse-unknown-preconditioning")
    yield message("analyse-unknown-zones")
    if foreign.block_bytes is None:
        yield message("analyse-unknown-block")
    yield from _unknowable(foreign)


def unknowable_of_reclaim(foreign: ForeignSeries) -> Iterator[Message]:
    """Likewise for the ladder of rests."""
    yield message("analyse-unknown-rests")
    yield from _unknowable(foreign)


def _unknowable(foreign: ForeignSeries) -> Iterator[Message]:
    yield message("analyse-unknown-windows", window=duration(foreign.series.window_ns))
    yield message("analyse-unknown-drive")
