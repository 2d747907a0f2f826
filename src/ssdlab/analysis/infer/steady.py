"""Is the drive steady? Four criteria, judged while the windows come and again on the recorded series (METHODS S)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.infer.written_past import SMOOTHED_STEPS, STEPS_A_CAPACITY, SteadyOutlook, WrittenPast
from ssdlab.analysis.statistics.written_curve import Floats, WrittenCurve
from ssdlab.engine.result import EarlyStop
from ssdlab.units import NS_PER_S, Share

Flags = NDArray[np.bool_]

_LOOKS_AT_ONCE = 4096

SHORT_NS = 30 * NS_PER_S
"""Shortest window (METHODS S)."""
SHORT_SHARE = 0.01
"""The window also lasts at least as long as writing this share of the drive took (METHODS S)."""
SHORT_EXCURSION_MAX = 0.10
SHORT_SPREAD_MAX = 0.20
LONG_EXCURSION_MAX = 0.02
"""Over the last capacity written. What is left of a decay by one e-fold a capacity, as uniform random writes show it, is then 1.2 %."""
LONG_SPREAD_MAX = 0.04
"""In the same proportion to the excursion as over the short window."""
REPEAT_SPREAD_MAX = 0.20
"""Of stretches as long as a measurement: a measurement that begins anywhere is then within about half of it."""
PARTS = 5
HELD_SHARE = 0.5
"""Of the capacity: `held` asks for the flatness of the last capacity at every moment while so much more is written."""
_HELD_LOOKS = 5
_BORDERS_A_CAPACITY = 50
"""`held` looks where so many parts of a capacity end: what it asks takes longer to look up, and changes no faster."""

SNIA_ROUND_NS = 1800 * NS_PER_S
"""A round on a continuous stream, and the sample at its end: SNIA PTS, HIR preconditioning and WSAT's alternative."""
SNIA_SAMPLE_NS = 60 * NS_PER_S
SNIA_ROUNDS = 5
SNIA_SPREAD_MAX = 0.20
SNIA_EXCURSION_MAX = 0.10

FIO_SAMPLES = 30
FIO_SLOPE_PERCENT_MAX = 10.0
"""`steadystate=iops_slope:10%` with `ss_dur=30s`."""


UNSCALED = Share(1, 1)


class Criterion(Enum):
    """What calls a drive steady."""

    HELD = "held"
    WINDOW = "window"
    SNIA = "snia"
    FIO = "fio"


@dataclass(frozen=True, slots=True)
class SteadyContext:
    """What steadiness is judged against."""

    capacity_bytes: int
    block_bytes: int
    minimum_bytes: int
    """No stop before so much is written."""
    measured_ns: int
    """How long each measurement that follows will last."""
    time: Share = UNSCALED
    """Scales the seconds of all criteria, as a profile scales a suite's; `measured_ns` is scaled already."""


@dataclass(frozen=True, slots=True)
class Firing:
    """When a criterion was fulfilled."""

    at_bytes: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """What one criterion says of a stream; None where it was never fulfilled."""

    criterion: Criterion
    first: Firing | None = None
    """However little was written."""
    after_minimum: Firing | None = None
    """The first one that could end a step."""


class _Rule(Protocol):
    def holds(self, curve: WrittenCurve, looks: NDArray[np.int64]) -> Flags:
        """Whether the criterion is fulfilled at each look; looks are numbered from 1, one a second of scaled time."""


class SteadyJudge:
    """Sees windows as they come and says when the drive is steady.

    It looks once a second (scaled), as fio does, so a window costs a fixed amount of work however long the stream is.
    """

    def __init__(self, ground: SteadyContext, stops: Criterion = Criterion.HELD) -> None:
        """Judge by all criteria and stop by one of them."""
        self._ground = ground
        self._stops = stops
        self._interval_s = ground.time.of(NS_PER_S) / NS_PER_S
        self._curve = WrittenCurve()
        self._looked = 0
        self._rules: Mapping[Criterion, _Rule] = {
            Criterion.HELD: _Held(ground, self._interval_s),
            Criterion.WINDOW: _Window(ground, self._interval_s),
            Criterion.SNIA: _Snia(self._interval_s),
            Criterion.FIO: _Fio(ground, self._interval_s),
        }
        self._findings = {criterion: CriterionResult(criterion) for criterion in Criterion}

    def feed(self, time_ns: NDArray[np.int64], done_bytes: Floats) -> EarlyStop | None:
        """Take the windows that follow, and say whether the stream may end.

        Args:
            time_ns: End of each since the job began, ascending.
            done_bytes: Bytes done in each.
        """
        self._curve.append(time_ns, done_bytes)
        last = int(self._curve.end_s / self._interval_s)
        for begin in range(self._looked + 1, last + 1, _LOOKS_AT_ONCE):
            looks = np.arange(begin, min(begin + _LOOKS_AT_ONCE, last + 1))
            for criterion in Criterion:
                self._look(criterion, looks)
        self._looked = max(last, self._looked)
        fired = self._findings[self._stops].after_minimum
        return None if fired is None else EarlyStop(self._stops.value, fired.at_bytes, fired.at_ns)

    def _look(self, criterion: Criterion, looks: NDArray[np.int64]) -> None:
        found = self._findings[criterion]
        if found.after_minimum is not None:
            return
        enough = self._curve.bytes_at(_seconds(looks, self._interval_s)) >= self._ground.minimum_bytes
        if found.first is not None:
            # Between the first time and the minimum nothing is left to find. A slow drive has millions of looks there.
            looks, enough = looks[enough], enough[enough]
        if not len(looks):
            return
        held = self._rules[criterion].holds(self._curve, looks)
        first = found.first or self._firing(looks[held])
        self._findings[criterion] = CriterionResult(criterion, first, self._firing(looks[held & enough]))

    def _firing(self, looks: NDArray[np.int64]) -> Firing | None:
        if not len(looks):
            return None
        at_s = _seconds(looks[:1], self._interval_s)
        return Firing(int(self._curve.bytes_at(at_s)[0]), round(float(at_s[0]) * NS_PER_S))

    @property
    def findings(self) -> tuple[CriterionResult, ...]:
        """What each says so far."""
        return tuple(self._findings[criterion] for criterion in Criterion)

    def outlook(self, at_ns: int) -> SteadyOutlook | None:
        """What was known at that moment of how the stream goes on; None before half a capacity was written, of which no mean is known."""
        end_s, capacity_bytes = at_ns / NS_PER_S, self._ground.capacity_bytes
        written_bytes = float(self._curve.bytes_at(np.array([end_s]))[0])
        if int(written_bytes / (capacity_bytes / STEPS_A_CAPACITY)) < SMOOTHED_STEPS:
            return None
        past = WrittenPast(self._curve, end_s, capacity_bytes)
        return past.outlook(self._ground.measured_ns / NS_PER_S)


class _Window:
    """Flat over a short window, flat over the last capacity written, and alike in stretches as long as a measurement.

    The short window alone is blind to what changes from one capacity to the next: over 1 % of a drive even a fall by a third a
    capacity is less than 1 %.
    """

    def __init__(self, ground: SteadyContext, interval_s: float) -> None:
        self._capacity_bytes = ground.capacity_bytes
        self._short_s = SHORT_NS / NS_PER_S * interval_s
        self._measured_s = ground.measured_ns / NS_PER_S
        self._interval_s = interval_s

    def holds(self, curve: WrittenCurve, looks: NDArray[np.int64]) -> Flags:
        end_s = _seconds(looks, self._interval_s)
        held: Flags = curve.bytes_at(end_s) >= self._capacity_bytes
        for condition in (self._short_is_flat, self._long_is_flat, self._repeats):
            chosen = np.flatnonzero(held)
            held[chosen] = condition(curve, end_s[chosen])
        return held

    def _short_is_flat(self, curve: WrittenCurve, end_s: Floats) -> Flags:
        begin_s = np.minimum(end_s - self._short_s, self._before(curve, end_s, SHORT_SHARE))
        flat = _is_flat(curve, begin_s.clip(min=0), end_s, SHORT_EXCURSION_MAX, SHORT_SPREAD_MAX)
        return flat & (begin_s >= 0)

    def _long_is_flat(self, curve: WrittenCurve, end_s: Floats) -> Flags:
        return _is_flat(curve, self._before(curve, end_s, 1), end_s, LONG_EXCURSION_MAX, LONG_SPREAD_MAX)

    def was_flat(self, curve: WrittenCurve, end_s: Floats, share: float) -> Flags:
        """Whether the capacity before that share of one was flat."""
        return self._long_is_flat(curve, self._before(curve, end_s, share))

    def _repeats(self, curve: WrittenCurve, end_s: Floats) -> Flags:
        """Whether whole stretches as long as a measurement, counted back from the end, are alike; fewer than two tell nothing."""
        counts = ((end_s - self._before(curve, end_s, 1)) / self._measured_s).astype(np.int64)
        alike = np.ones(len(end_s), dtype=np.bool_)
        for look in np.flatnonzero(counts >= 2):
            end, count = end_s[[look]], int(counts[look])
            alike[look] = curve.spread(end - count * self._measured_s, end, count)[0] <= REPEAT_SPREAD_MAX
        return alike

    def _before(self, curve: WrittenCurve, end_s: Floats, share: float) -> Floats:
        """When that share of the capacity was still to be written."""
        return curve.time_at(curve.bytes_at(end_s) - share * self._capacity_bytes)


class _Held:
    """What `window` asks for, held while half a capacity more is written, and for longer than what was otherwise before.

    Near an extremum a rhythm of several capacities is as flat as a balance, and between its bursts, too.
    """

    def __init__(self, ground: SteadyContext, interval_s: float) -> None:
        self._capacity_bytes = ground.capacity_bytes
        self._interval_s = interval_s
        self._window = _Window(ground, interval_s)

    def holds(self, curve: WrittenCurve, looks: NDArray[np.int64]) -> Flags:
        end_s = _seconds(looks, self._interval_s)
        parts, before = (
            np.floor(curve.bytes_at(_seconds(at, self._interval_s)) * (_BORDERS_A_CAPACITY / self._capacity_bytes))
            for at in (looks, looks - 1)
        )
        held: Flags = (parts > before) & (parts >= (1 + HELD_SHARE) * _BORDERS_A_CAPACITY)
        held[held] = self._window.holds(curve, looks[held])
        for number in range(1, _HELD_LOOKS + 1):
            chosen = np.flatnonzero(held)
            held[chosen] = self._window.was_flat(curve, end_s[chosen], HELD_SHARE * number / _HELD_LOOKS)
        for look in np.flatnonzero(held):
            held[look] = WrittenPast(curve, float(end_s[look]), self._capacity_bytes).is_behind
        return held


def _is_flat(curve: WrittenCurve, begin_s: Floats, end_s: Floats, excursion_max: float, spread_max: float) -> Flags:
    flat: Flags = (curve.excursion(begin_s, end_s) <= excursion_max) & (
        curve.spread(begin_s, end_s, PARTS) <= spread_max
    )
    return flat


class _Snia:
    """SNIA PTS 2.0.2, 2.1.24, on five rounds: range within 20 % of their mean, their best line within 10 % of it."""

    def __init__(self, interval_s: float) -> None:
        self._interval_s = interval_s

    def holds(self, curve: WrittenCurve, looks: NDArray[np.int64]) -> Flags:
        per_round = SNIA_ROUND_NS // NS_PER_S
        held: Flags = (looks % per_round == 0) & (looks >= SNIA_ROUNDS * per_round)
        ends = looks[held, np.newaxis] - per_round * np.arange(SNIA_ROUNDS)[::-1]
        begins = ends - SNIA_SAMPLE_NS // NS_PER_S
        samples = curve.bytes_at(_seconds(ends, self._interval_s)) - curve.bytes_at(_seconds(begins, self._interval_s))
        mean = samples.mean(axis=1)
        spread = samples.max(axis=1) - samples.min(axis=1)
        excursion = np.abs(_slope(samples)) * (SNIA_ROUNDS - 1)
        held[held] = (mean > 0) & (spread <= SNIA_SPREAD_MAX * mean) & (excursion <= SNIA_EXCURSION_MAX * mean)
        return held


class _Fio:
    """What fio's option would have said: the slope from one sample to the next against the mean, so 30 samples may drift by 300 %.

    Samples are whole numbers of I/Os a second, and the mean is a whole number, as in fio's steadystate.c.
    """

    def __init__(self, ground: SteadyContext, interval_s: float) -> None:
        self._block_bytes = ground.block_bytes
        self._interval_s = interval_s

    def holds(self, curve: WrittenCurve, looks: NDArray[np.int64]) -> Flags:
        held: Flags = looks >= FIO_SAMPLES
        edges = looks[held, np.newaxis] + np.arange(-FIO_SAMPLES, 1)
        done_bytes = np.diff(curve.bytes_at(_seconds(edges, self._interval_s)), axis=1)
        samples = np.floor(done_bytes / self._block_bytes / self._interval_s)
        held[held] = fio_slope_percent(samples) < FIO_SLOPE_PERCENT_MAX
        return held


def fio_slope_percent(samples: Floats) -> Floats:
    """fio's criterion of `iops_slope`, percent of the mean a sample, without its sign; one row of samples each.

    Infinite where nothing was done, as fio's is not a number then and never below a limit.
    """
    mean = np.floor(samples.mean(axis=-1))
    percent: Floats = np.divide(100 * np.abs(_slope(samples)), mean, out=np.full_like(mean, np.inf), where=mean > 0)
    return percent


def _seconds(looks: NDArray[np.int64], interval_s: float) -> Floats:
    return looks.astype(np.float64) * interval_s


def _slope(samples: Floats) -> Floats:
    """Least-squares slope of each row, a step."""
    steps = np.arange(samples.shape[-1]) - (samples.shape[-1] - 1) / 2
    slope: Floats = (samples * steps).sum(axis=-1) / (steps**2).sum()
    return slope
