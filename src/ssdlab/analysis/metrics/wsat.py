"""Write saturation: fresh, transition and steady, found on the curve of random writes that begin on a fresh drive (METHODS E, M)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.infer.steady import SNIA_ROUNDS, Criterion, Flags
from ssdlab.analysis.metrics.half_hours import half_hours_of
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.metrics.preconditioning import judged_part, unsteady
from ssdlab.analysis.statistics.changepoint import Floats, log_levels, running_median, segments_of
from ssdlab.analysis.statistics.consistency import even_speeds
from ssdlab.analysis.statistics.interval import Interval, interval_of_runs, mean_interval
from ssdlab.analysis.statistics.written_curve import WrittenCurve
from ssdlab.bundle.model import Metric, Step
from ssdlab.bundle.quantities import FOB_IOPS, STEADY_FROM_BYTES, STEADY_IOPS, TRANSITION_AT_BYTES, Quantity
from ssdlab.engine.result import Direction, Series
from ssdlab.job import DriveState, Pattern, StepKind
from ssdlab.message import Message, message, number
from ssdlab.method.draft import SteadyBy
from ssdlab.method.kinds.steady_state import SteadyStateStep
from ssdlab.point import Point
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

SAME_SHARE = 0.10
"""Speeds that differ by less are one phase."""
_AWAKE_NS = 3 * NS_PER_S
"""A slower start of at most this is the drive or the host waking up."""
_DIP_SHARE = 0.01
"""Of the capacity: what is written while the speed is away for less is a dip, and the phase goes on."""
_STRETCH_SHARE = 0.20
"""Of the capacity: over so much the rhythm of garbage collection averages out, and the criterion has judged it (METHODS S)."""
_STEP_SHARE = 0.02
_NO_TRANSITION = Unknown(message("unknown-never-fell", share=number(SAME_SHARE, ".0%")))


@dataclass(frozen=True, slots=True)
class Rate:
    """Mean over a stretch, 1/s, with its 95 % interval where there are samples enough."""

    iops: float
    interval: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WsatPhases:
    """What was written in which phase; the transition lies between `transition_at_bytes` and `steady_from_bytes`."""

    fob: Rate
    transition_at_bytes: float | Unknown
    """Where the speed of the fresh drive ends."""
    steady_from_bytes: float | Unknown
    """From here on the speed stays within 10 % of the steady one."""
    steady: Rate | Unknown


def begins_fresh(step: SteadyStateStep, before: Sequence[Step]) -> bool:
    """Whether a step shows write saturation: random writes with nothing but rests between them and a purge."""
    kinds = [one.kind for one in before if one.kind is not StepKind.REST]
    return step.job.pattern is Pattern.RANDOM and kinds[-1:] == [StepKind.PURGE]


def wsat_metrics(step: SteadyStateStep, finished: Sequence[StepEvidence]) -> Iterator[Metric]:
    """`<step>.fob_iops`, `.transition_at_bytes`, `.steady_from_bytes`, `.steady_iops`; nothing where it was not finished."""
    for evidence in finished:
        if Direction.WRITE in evidence.series:
            yield from _metrics(step, evidence)


def _metrics(step: SteadyStateStep, evidence: StepEvidence) -> Iterator[Metric]:
    phases = phases_of(evidence)
    fresh = evidence.step.state is DriveState.FOB
    unproven = None if fresh else Unknown(message("unknown-drive-not-fresh"))
    fob, transition = unproven or phases.fob, unproven or phases.transition_at_bytes
    yield _rate(step, evidence, FOB_IOPS, fob)
    naming = _naming(step, evidence)
    yield naming.metric(TRANSITION_AT_BYTES, transition, note=message("metric-fresh-speed-ends"))
    note = message("metric-steady-from", share=number(SAME_SHARE, ".0%"))
    yield naming.metric(STEADY_FROM_BYTES, phases.steady_from_bytes, note=note)
    by_minutes = message("metric-mean-of-minutes", rounds=SNIA_ROUNDS)
    mean = by_minutes if step.by is SteadyBy.SNIA else message("metric-mean-over-last-capacity")
    yield _rate(step, evidence, STEADY_IOPS, phases.steady, mean)


def phases_of(evidence: StepEvidence) -> WsatPhases:
    """The phases of a finished step, whatever the state it began in."""
    series, capacity_bytes = judged_part(evidence), evidence.run.drive.capacity_bytes
    block_bytes = evidence.job.block_bytes
    begin, end = _fresh(series, capacity_bytes)
    fallen = end < len(series.time_ns)
    transition_at_bytes = float(series.bytes_done[end - 1]) if fallen else _NO_TRANSITION
    unknown = unsteady(evidence.result.stopped)
    steady: Rate | Unknown
    steady_from_bytes: float | Unknown
    if unknown is not None:
        steady = steady_from_bytes = unknown
    else:
        steady = _steady_rate(evidence, series)
        least_bytes = float(series.bytes_done[end - 1]) if fallen else 0.0
        steady_from_bytes = _steady_from(series, capacity_bytes, steady.iops * block_bytes, least_bytes)
    return WsatPhases(
        fob=_mean(series, begin, end, block_bytes),
        transition_at_bytes=transition_at_bytes,
        steady_from_bytes=steady_from_bytes,
        steady=steady,
    )


def _steady_rate(evidence: StepEvidence, series: Series) -> Rate:
    """By the account that called it steady: of five minutes, or of the last capacity written, which has to be flat (METHODS S)."""
    block_bytes, stopped = evidence.job.block_bytes, evidence.result.stopped
    if stopped is not None and stopped.criterion == Criterion.SNIA.value:
        found = half_hours_of(evidence.run, evidence.series[Direction.WRITE], stopped)
        rates = [one / block_bytes for one in found.bytes_per_s[-SNIA_ROUNDS:]]
        mean = sum(rates) / len(rates)
        return Rate(mean, interval_of_runs(rates, [None] * len(rates), mean))
    begin_bytes = series.bytes_done[-1] - evidence.run.drive.capacity_bytes
    last = int(np.searchsorted(series.bytes_done, begin_bytes, side="right"))
    return _mean(series, last, len(series.time_ns), block_bytes)


def _fresh(series: Series, capacity_bytes: int) -> tuple[int, int]:
    """First window of the fresh phase and the one after its last."""
    rate = series.bandwidth_bytes_per_s
    segments = segments_of(log_levels(rate))
    levels = [float(np.median(rate[one.start : one.end])) for one in segments]
    awake = len(segments) > 1 and series.time_ns[segments[0].end - 1] <= _AWAKE_NS and _is_slower(levels[0], levels[1])
    first = segments[int(awake)].start
    slow = np.append(_is_slower(running_median(rate), levels[int(awake)]), False)
    done = np.append(0.0, series.bytes_done)
    borders = (np.flatnonzero(np.diff(slow[first:].astype(np.int8), prepend=0)) + first).tolist()
    for begin, end in zip(borders[::2], borders[1::2], strict=True):
        for_good = end == len(rate) or done[end] - done[begin] > _DIP_SHARE * capacity_bytes
        if for_good and begin > first:
            return first, begin
    return first, len(rate)


def _is_slower(rate: Floats | float, level: float) -> Flags:
    slower: Flags = np.asarray(rate) < (1 - SAME_SHARE) * level
    return slower


def _mean(series: Series, begin: int, end: int, block_bytes: int) -> Rate:
    lengths_s = series.duration_ns[begin:end] / NS_PER_S
    rates: Floats = series.bandwidth_bytes_per_s[begin:end]
    iops = float((rates * lengths_s).sum() / lengths_s.sum()) / block_bytes
    return Rate(iops, mean_interval(even_speeds(series, begin, end) / block_bytes, iops))


def _steady_from(series: Series, capacity_bytes: int, steady_bytes_per_s: float, least_bytes: float) -> float | Unknown:
    """Byte from which on every stretch of a fifth of a capacity is within 10 % of the steady speed, on average."""
    curve = WrittenCurve()
    curve.append(series.time_ns, series.bandwidth_bytes_per_s * series.duration_ns / NS_PER_S)
    left_bytes = curve.end_bytes - least_bytes
    stretch_bytes = min(_STRETCH_SHARE * capacity_bytes, left_bytes)
    begins = np.linspace(
        least_bytes, curve.end_bytes - stretch_bytes, 1 + int(left_bytes / (_STEP_SHARE * capacity_bytes))
    )
    rates = stretch_bytes / (curve.time_at(begins + stretch_bytes) - curve.time_at(begins))
    away = np.flatnonzero(np.abs(rates - steady_bytes_per_s) > SAME_SHARE * steady_bytes_per_s)
    first = int(away[-1]) + 1 if len(away) else 0
    if first == len(begins):
        return Unknown(message("unknown-end-not-steady", share=number(SAME_SHARE, ".0%")))
    return float(begins[first])


def _rate(
    step: SteadyStateStep, evidence: StepEvidence, quantity: Quantity, rate: Rate | Unknown, note: Message | None = None
) -> Metric:
    naming = _naming(step, evidence)
    if isinstance(rate, Unknown):
        return naming.metric(quantity, rate)
    return naming.metric(quantity, rate.iops, rate.interval, note)


def _naming(step: SteadyStateStep, evidence: StepEvidence) -> Naming:
    return Naming(Point(step.name), evidence.step.state, step=evidence.step.name)
