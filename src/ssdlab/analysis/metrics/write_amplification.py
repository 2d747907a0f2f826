"""Metrics of a step `write_amplification` (METHODS A): what was written for each byte, beside theory, and what that says of the drive."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import median

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.infer.amplification import (
    WriteShares,
    mixed_amplification,
    separated_amplification,
    shares_of,
    spare_of,
)
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.statistics.interval import Interval, mean_interval
from ssdlab.analysis.statistics.written_curve import WrittenCurve
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import (
    EFFECTIVE_SPARE,
    GRADE,
    SEPARATES,
    SEPARATION,
    WAF_COUNTED,
    WAF_IMPLIED,
    WAF_MIXED,
    WAF_SEPARATED,
)
from ssdlab.engine.result import Direction
from ssdlab.job import DriveState, Zones
from ssdlab.message import message, number
from ssdlab.method.kinds.write_amplification import (
    WriteAmplificationStep,
    WritePattern,
    pattern_point,
    patterns_of,
    sequential_point,
)
from ssdlab.point import Point
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

MEASURED_CAPACITIES = 1.0
"""What was written last, over which a pattern is measured: as much as `window` looks at."""
_PARTS = 20
"""Of that stretch, by which a mean scatters."""
_TOLD_FROM = 0.5
"""An interval that reaches below this share of the value tells the order of the value at best, and no verdict may rest on it."""
_COUNTED_SHARE_MIN = 0.5
"""Counters that are seldom brought up to date must span at least so much of the stretch."""
_SEQUENTIAL_SHARE = 0.5
"""The last part of the sequential pass: the first may have gone to a cache."""
_APART_MIN = 0.15
"""Theory must differ by so much of its larger value between mixed and separated data, or a pattern says nothing of the drive."""
_SEPARATES_FROM = 0.5
_MIXES_BELOW = 0.25
"""Where the drive lies between mixed (0) and separated (1): between these two nothing is said."""


class Separates(Enum):
    """Whether a drive keeps hot and cold data apart."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


class VerdictGrade(Enum):
    """How much a verdict is worth."""

    COUNTED = "A"
    """By the drive's own counters, and it was steady in every pattern that counts."""
    IMPLIED = "B"
    """By its speed, and it was steady."""
    UNSTEADY = "C"
    """In one of the patterns it was not steady."""


@dataclass(frozen=True, slots=True)
class _Amplification:
    """With its 95 % interval where there is one."""

    value: float
    interval: Interval | None


@dataclass(frozen=True, slots=True, eq=False)
class _Measured:
    """What one pattern has shown."""

    pattern: WritePattern
    point: Point
    state: DriveState
    shares: WriteShares
    counted: _Amplification | Unknown
    implied: _Amplification | Unknown

    @property
    def best(self) -> _Amplification | Unknown:
        """By counters, else by speed."""
        return self.implied if isinstance(self.counted, Unknown) else self.counted


def write_amplification_metrics(step: WriteAmplificationStep, finished: Sequence[StepEvidence]) -> Iterator[Metric]:
    """Each pattern with what theory expects of it, then what all of them say of the drive.

    Args:
        step: As the suite says it.
        finished: What was recorded of it.
    """
    by_point = {one.step.point: one for one in finished if Direction.WRITE in one.series}
    sequential = by_point.get(sequential_point(step))
    rate = None if sequential is None else _sequential_rate(sequential)
    measured = [
        _measured(pattern, evidence, rate)
        for pattern in patterns_of(step)
        if (evidence := by_point.get(pattern_point(step, pattern))) is not None
    ]
    uniform = next((one for one in measured if one.pattern.access is None), None)
    spare = Unknown(message("unknown-no-uniform")) if uniform is None else _spare(uniform)
    for one in measured:
        yield from _pattern_metrics(one, spare)
    if uniform is not None:
        yield from _drive_metrics(step, uniform, measured, spare)


def _measured(pattern: WritePattern, evidence: StepEvidence, sequential: float | None) -> _Measured:
    stopped, job = evidence.result.stopped, evidence.job
    is_steady = stopped is not None and stopped.is_verdict
    return _Measured(
        pattern,
        evidence.step.point,
        DriveState.STEADY if is_steady else DriveState.NOT_STEADY,
        shares_of(pattern.access, job.region.length_bytes // job.block_bytes),
        _counted(evidence),
        _implied(evidence, sequential),
    )


# Of one pattern


def _curve(evidence: StepEvidence) -> WrittenCurve:
    series = evidence.series[Direction.WRITE]
    curve = WrittenCurve()
    curve.append(series.time_ns, series.bandwidth_bytes_per_s * series.duration_ns / NS_PER_S)
    return curve


def _measured_bytes(evidence: StepEvidence) -> float:
    return MEASURED_CAPACITIES * evidence.run.drive.capacity_bytes


def _sequential_rate(evidence: StepEvidence) -> float | None:
    """Bytes a second in the last part of the pass, whose amplification is taken as 1; None where nothing was written."""
    curve = _curve(evidence)
    begin_s = float(curve.time_at(np.array([(1 - _SEQUENTIAL_SHARE) * curve.end_bytes]))[0])
    if curve.end_s <= begin_s:
        return None
    return _SEQUENTIAL_SHARE * curve.end_bytes / (curve.end_s - begin_s)


def _implied(evidence: StepEvidence, sequential: float | None) -> _Amplification | Unknown:
    """By how much slower it writes than in the sequential pass, with blocks and queue alike: flash is kept busy either way."""
    curve = _curve(evidence)
    stretch = _measured_bytes(evidence)
    if sequential is None or curve.end_bytes < stretch:
        return Unknown(message("unknown-too-little-written"))
    edges = curve.end_bytes - stretch * np.arange(_PARTS, -1, -1) / _PARTS
    times_s = curve.time_at(edges)
    slower = sequential * np.diff(times_s) / np.diff(edges)
    return _of_parts(slower, float(sequential * (times_s[-1] - times_s[0]) / stretch))


def _counted(evidence: StepEvidence) -> _Amplification | Unknown:
    """By the drive's own counters, over what was written last."""
    sensors = evidence.sensors
    if isinstance(sensors, Unknown):
        return sensors
    known = np.isfinite(sensors.host_written_bytes) & np.isfinite(sensors.media_written_bytes)
    host, media = sensors.host_written_bytes[known], sensors.media_written_bytes[known]
    if not len(host):
        return Unknown(message("unknown-no-counters"))
    stretch = _measured_bytes(evidence)
    last = host >= host[-1] - stretch
    host, media = host[last], media[last]
    # What a counter shows late is not told apart from what was not written.
    moved = np.flatnonzero(np.diff(host, prepend=host[0] - 1) > 0)
    host, media = host[moved], media[moved]
    if host[-1] - host[0] < _COUNTED_SHARE_MIN * stretch:
        return Unknown(message("unknown-counters-late"))
    edges = np.linspace(host[0], host[-1], min(_PARTS, len(host) - 1) + 1)
    written = np.interp(edges, host, media)
    return _of_parts(np.diff(written) / np.diff(edges), float((media[-1] - media[0]) / (host[-1] - host[0])))


def _of_parts(parts: NDArray[np.float64], value: float) -> _Amplification | Unknown:
    interval = mean_interval(parts, value)
    if interval is not None and interval.low < _TOLD_FROM * value:
        low, high = number(interval.low, ".1f"), number(interval.high, ".1f")
        return Unknown(message("unknown-amplification-scatters", low=low, high=high))
    return _Amplification(value, interval)


def _pattern_metrics(one: _Measured, spare: float | Unknown) -> Iterator[Metric]:
    naming = Naming(one.point, one.state)
    counted, implied = one.counted, one.implied
    by_counters, by_speed = message("metric-own-counters"), message("metric-by-sequential-speed")
    for quantity, found, note in ((WAF_COUNTED, counted, by_counters), (WAF_IMPLIED, implied, by_speed)):
        if isinstance(found, Unknown):
            yield naming.metric(quantity, found)
        else:
            yield naming.metric(quantity, found.value, found.interval, note)
    mixed, separated = (
        spare if isinstance(spare, Unknown) else theory(one.shares, spare)
        for theory in (mixed_amplification, separated_amplification)
    )
    note = message("metric-by-theory")
    yield naming.metric(WAF_MIXED, mixed, note=note)
    yield naming.metric(WAF_SEPARATED, separated, note=note)


# Of the drive


def _spare(uniform: _Measured) -> float | Unknown:
    best = uniform.best
    if isinstance(best, Unknown):
        return best
    if best.value <= 1:
        return Unknown(message("unknown-not-amplified"))
    if best.interval is not None and best.interval.low <= 1:
        return Unknown(message("unknown-perhaps-not-amplified"))
    return spare_of(best.value)


def _drive_metrics(
    step: WriteAmplificationStep, uniform: _Measured, measured: Sequence[_Measured], spare: float | Unknown
) -> Iterator[Metric]:
    naming = Naming(Point(step.name), uniform.state, step=uniform.point.name)
    yield naming.metric(
        EFFECTIVE_SPARE,
        spare if isinstance(spare, Unknown) else 100 * spare,
        _spare_interval(uniform),
        message("metric-spare-of-uniform"),
    )
    places = [] if isinstance(spare, Unknown) else [(one, _place(one, spare)) for one in measured]
    telling = [(one, place) for one, place in places if place is not None]
    if not telling:
        none = Unknown(message("unknown-no-telling-pattern"))
        for quantity in (SEPARATES, SEPARATION, GRADE):
            yield naming.metric(quantity, none)
        return
    middle = median(place for _, place in telling)
    note = message("metric-median-of-patterns", count=number(len(telling), "d"))
    yield naming.metric(SEPARATES, _verdict(middle).value, note=note)
    yield naming.metric(SEPARATION, 100 * middle, note=note)
    yield naming.metric(GRADE, _grade([uniform, *(one for one, _ in telling)]).value)


def _spare_interval(uniform: _Measured) -> Interval | None:
    """More spare space is less amplification."""
    best = uniform.best
    if isinstance(best, Unknown) or best.interval is None or best.interval.low <= 1:
        return None
    return Interval(100 * spare_of(best.interval.high), 100 * spare_of(best.interval.low))


def _place(one: _Measured, spare: float) -> float | None:
    """Where the drive lies between hot and cold mixed (0) and apart (1); None where the pattern does not tell.

    Only of two zones that are both written: blocks that are never written end up apart in any drive, and what zipf's law leaves to be
    gained by the finest groups no drive can have.
    """
    best, access = one.best, one.pattern.access
    if isinstance(best, Unknown) or not isinstance(access, Zones) or not all(part.ios_percent for part in access.zones):
        return None
    mixed, separated = mixed_amplification(one.shares, spare), separated_amplification(one.shares, spare)
    if mixed - separated < _APART_MIN * mixed:
        return None
    return (mixed - best.value) / (mixed - separated)


def _verdict(place: float) -> Separates:
    if place >= _SEPARATES_FROM:
        return Separates.YES
    return Separates.NO if place < _MIXES_BELOW else Separates.UNCLEAR


def _grade(used: Sequence[_Measured]) -> VerdictGrade:
    if any(one.state is not DriveState.STEADY for one in used):
        return VerdictGrade.UNSTEADY
    return VerdictGrade.IMPLIED if any(isinstance(one.counted, Unknown) for one in used) else VerdictGrade.COUNTED
