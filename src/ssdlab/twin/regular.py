"""What comes again by the clock in points that read: work of the drive's own, such as rewriting of old data.

Reads with few in flight show it: nothing that they do themselves makes one of them wait in some windows, or fewer of them be done, in step with a clock. How much of
it there is they show by the speed that they lose meanwhile. That they are in step is tested by the periodogram (Scargle 1982, The Astrophysical Journal 263), whose power is
exponentially distributed where nothing is, at the first frequencies of a train of pulses; each run of a point has a phase of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import log, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.job import DriveState, Job, StepKind
from ssdlab.probe.probes.statistics import spread
from ssdlab.twin.acts import reads_plainly
from ssdlab.twin.dips import NO_DIPS, SLOW, Dips
from ssdlab.twin.drift import Clock
from ssdlab.twin.rewriting import Rewriting

Floats = NDArray[np.float64]
_FULL = frozenset({
    DriveState.FILLED_ONCE,
    DriveState.FILLED_TWICE,
    DriveState.RANDOM_WRITTEN,
    DriveState.PRECONDITIONED,
    DriveState.STEADY,
    DriveState.NOT_STEADY,
})  # fmt: skip
"""All of the drive holds data, of which a share is rewritten each time."""
_FEW_IN_FLIGHT = 4
_WINDOWS_MIN = 15
_PIECE = 600
"""Windows of a long run that are looked at together: no clock of a drive need be even for longer."""
_RUNS_MIN = 3
_QUIET = 0.25
"""Quantile of the longest waits of windows, which is of a window without: there are such windows in between."""
_LATE, _AS_LATE = 1.2, 2.0
"""Times that: where a window begins to count, and where it counts in full."""
_SHORT, _AS_SHORT = 3.0, 6.0
"""The same of a speed, in standard deviations below the usual one."""
_SCATTER_MIN = 2e-3
"""Share of the speed by which windows may always differ."""
_FAR = 12.0
"""Times the longest wait of most windows: what a read waits that the drive repeats, or that stalls."""
_SHORTEST = 2.2
"""Windows from one to the next, below which two of them are one."""
_TURNS, _TURNS_MIN = 4.0, 2.0
"""Times it has to come in a run to be seen in it; and to tell it from what comes several times as often."""
_STEP = 0.1
"""Of a turn, from one period that is tried to the next, at the end of a run."""
_NEAR = np.linspace(0.985, 1.015, 61)
"""Times a period that fits: what is tried beside it, as runs have many periods."""
_HARMONICS = 3
_IN_STEP = 0.4
"""Share of all that is marked, that comes by the clock."""
_AS_REGULAR = 0.85
"""Times the best: a part of a period has every other frequency of the whole."""
_CHANCE = -15.0
"""Logarithm of how likely any period is to be as regular by accident, at most."""
_SEEN = 0.6
"""Share of the periods in which something is marked when it should be: two marks of a run are in step with any part of the time between them."""
_PERIODS_MIN, _SURELY, _LOST_MIN = 5, 1.0, 3e-4
"""Of what a share of the speed is told from; standard errors of it, as there is something in any case; and the least of it."""


class Sign(Enum):
    """What marks a window in which the drive worked for itself."""

    LATE = "late"
    """A read waited for it: seen also where the speed wanders."""
    SHORT = "short"
    """Fewer reads were done: seen also where single reads scatter."""
    BOTH = "both"
    """Seen also where either of them comes of something else, too."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadRun:
    """Windows of a run that reads, in order.

    Attributes:
        own_ns: Middle of each, in the drive's own time.
        longest_ns: The longest wait in each.
        iops: In each.
        job: What was done.
    """

    own_ns: Floats
    longest_ns: Floats
    iops: Floats
    job: Job

    @property
    def window_ns(self) -> float:
        """How long they usually are."""
        return float(np.median(np.diff(self.own_ns)))

    def where(self, kept: NDArray[np.bool_] | slice) -> "ReadRun":
        """Some of its windows."""
        return replace(self, own_ns=self.own_ns[kept], longest_ns=self.longest_ns[kept], iops=self.iops[kept])

    def marked(self, sign: Sign) -> Floats:
        """Whether the drive worked for itself in a window, from 0 to 1."""
        match sign:
            case Sign.LATE:
                usual = float(np.quantile(self.longest_ns, _QUIET))
                found = np.log(self.longest_ns / usual / _LATE) / log(_AS_LATE / _LATE)
            case Sign.SHORT:
                scatter = max(spread(self.iops) / float(np.median(self.iops)), _SCATTER_MIN)
                found = ((1 - self.iops / np.median(self.iops)) / scatter - _SHORT) / (_AS_SHORT - _SHORT)
            case Sign.BOTH:
                found = np.sqrt(self.marked(Sign.LATE) * self.marked(Sign.SHORT))
        return np.asarray(np.clip(found, 0.0, 1.0), dtype=np.float64)

    def tells(self, sign: Sign) -> bool:
        """Whether it marks some windows and not others."""
        marks = self.marked(sign)
        return bool(marks.any()) and not marks.all()


def rewriting_of(bundles: Sequence[Bundle], clock: Clock, dips: Dips = NO_DIPS) -> Rewriting | None:
    """What the points tell that read from a full drive, at moments that are in no dip; None where nothing comes again, or too little to tell."""
    runs = [run for place, bundle in enumerate(bundles) for run in _runs(place, bundle, clock, dips)]
    return rewriting_of_runs(runs if dips == NO_DIPS else [between_dips(run) for run in runs])


def between_dips(run: ReadRun) -> ReadRun:
    """A run without windows in which it is slow, and those beside them."""
    return run.where(np.convolve(run.iops < SLOW * np.median(run.iops), np.ones(3), "same") == 0)


def _runs(place: int, bundle: Bundle, clock: Clock, dips: Dips) -> Iterator[ReadRun]:
    for step in bundle.finished():
        if step.kind is not StepKind.MEASURE or step.job is None or step.state not in _FULL:
            continue
        if not reads_plainly(step.job) or step.job.in_flight > _FEW_IN_FLIGHT:
            continue
        series, begin_ns = bundle.series(step, Direction.READ), float(step.started_ns or 0)
        middles = begin_ns + series.time_ns[:-1] - series.duration_ns[:-1] / 2
        if len(middles) >= _WINDOWS_MIN:
            passed_ns = middles - begin_ns if dips == NO_DIPS else dips.passed_ns(place, begin_ns, middles)
            run = ReadRun(clock.own_since(begin_ns, passed_ns), series.latency_ns_max[:-1], series.iops[:-1], step.job)
            yield from (run.where(slice(at, at + _PIECE)) for at in range(0, len(middles) - _WINDOWS_MIN + 1, _PIECE))


def rewriting_of_runs(runs: Sequence[ReadRun]) -> Rewriting | None:
    """The same of runs."""
    runs = [_without_outliers(run) for run in runs if (run.longest_ns > 0).all()]
    runs = [run for run in runs if len(run.own_ns) >= _WINDOWS_MIN]
    found = [
        one for one in (_clock([run for run in runs if run.tells(sign)], sign) for sign in Sign) if one is not None
    ]
    return _amount(min(found, key=lambda one: one.chance)) if found else None


def _without_outliers(run: ReadRun) -> ReadRun:
    """Where a read waited so long, it was for something else."""
    return run.where(run.longest_ns <= _FAR * np.median(run.longest_ns))


@dataclass(frozen=True, slots=True, eq=False)
class _Clock:
    """What is in step, by one sign.

    Attributes:
        chance: Logarithm of how likely anything is to be as regular by accident.
        runs: Those that tell.
    """

    every_ns: float
    chance: float
    sign: Sign
    runs: Sequence[ReadRun]


def _amount(clock: _Clock) -> Rewriting | None:
    """By those with the fewest in flight; None where they lose too little to tell how much it is, or where nothing is marked most of the times it should be."""
    fewest = min(run.job.in_flight for run in clock.runs)
    looked_at = [run for run in clock.runs if run.job.in_flight == fewest]
    periods = [_Periods.of(run, clock) for run in looked_at]
    lost = np.concatenate([one.lost for one in periods])
    seen = np.concatenate([one.marks > 0 for one in periods])
    if len(lost) < _PERIODS_MIN or seen.mean() < _SEEN:
        return None
    share, error = float(lost.mean()), float(lost.std(ddof=1)) / sqrt(len(lost))
    return Rewriting(clock.every_ns, share, looked_at[0].job) if share >= max(_SURELY * error, _LOST_MIN) else None


@dataclass(frozen=True, slots=True, eq=False)
class _Periods:
    """Those of a run that are whole.

    Attributes:
        lost: Share of the speed that each is short of, by windows in which something may have waited, beside those near them.
        marks: How much is marked in these windows.
    """

    lost: Floats
    marks: Floats

    @classmethod
    def of(cls, run: ReadRun, clock: _Clock) -> "_Periods":
        marks, every_ns, window_ns = run.marked(clock.sign), clock.every_ns, run.window_ns
        wave = np.exp(2j * pi * run.own_ns / every_ns)
        turns = np.angle(wave / (marks * wave).sum()) / (2 * pi)
        reach_ns = max(window_ns, (marks.mean() * every_ns + window_ns) / 2)
        is_near = np.abs(turns) * every_ns <= reach_ns
        if is_near.all() or not is_near.any():
            return cls(np.array([]), np.array([]))
        usual = np.interp(run.own_ns, run.own_ns[~is_near], run.iops[~is_near])
        short = np.where(is_near, 1 - run.iops / usual, 0.0) * window_ns
        _, which = np.unique(np.round(run.own_ns / every_ns - turns), return_inverse=True)
        # What a run begins or ends with is not whole.
        lost, near = (
            np.bincount(which, weights=one)[1:-1].astype(np.float64) for one in (short / every_ns, marks * is_near)
        )
        return cls(lost, near)


def _clock(runs: Sequence[ReadRun], sign: Sign) -> _Clock | None:
    """With which what is marked is in step; None where no period is regular enough."""
    if len(runs) < _RUNS_MIN:
        return None
    shortest = _SHORTEST * min(run.window_ns for run in runs)
    lasts = max(float(np.ptp(run.own_ns)) for run in runs)
    if lasts / _TURNS <= shortest:
        return None
    tried = np.exp(np.arange(log(shortest), log(lasts / _TURNS), _STEP / (2 * _TURNS)))
    chance, share = _in_step(runs, sign, tried, _TURNS)
    # Of a part of a period fewer frequencies are told, which may by chance be those that stand out most.
    likeliest = int(np.where(share >= _IN_STEP, chance, 0.0).argmin())
    if share[likeliest] < _IN_STEP or chance[likeliest] >= _CHANCE:
        return None
    near = tried[likeliest] * _NEAR
    best = near[_in_step(runs, sign, near, _TURNS)[0].argmin()]
    multiples = best * np.arange(1, max(1, int(lasts / _TURNS_MIN / best)) + 1, dtype=np.float64)
    _, shares = _in_step(runs, sign, multiples, _TURNS_MIN)
    return _Clock(float(multiples[shares >= _AS_REGULAR * shares[0]][-1]), float(chance[likeliest]), sign, runs)


def _in_step(runs: Sequence[ReadRun], sign: Sign, tried: Floats, turns: float) -> tuple[Floats, Floats]:
    """By periods: logarithm of how likely any of them is to be as regular by accident, and share of what is marked that is in step."""
    powers = [_Powers.of(run, sign, tried, turns) for run in runs]
    power = np.sum([one.power for one in powers], axis=0)
    count = np.sum([one.count for one in powers], axis=0)
    most = np.sum([one.most for one in powers], axis=0)
    share = np.divide(power, most, out=np.zeros(len(tried)), where=most > 0)
    return _log_chance(count, power) + log(len(tried)), share


@dataclass(frozen=True, slots=True, eq=False)
class _Powers:
    """Of a run, by the periods that are tried.

    Attributes:
        power: Of a periodogram, over the variance, at the first frequencies of each that the run tells: 1 in the mean of white noise.
        count: How many frequencies these are.
        most: What it is where all that is marked comes by the clock.
    """

    power: Floats
    count: Floats
    most: Floats

    @classmethod
    def of(cls, run: ReadRun, sign: Sign, tried: Floats, turns: float) -> "_Powers":
        marks, power, count = run.marked(sign), np.zeros(len(tried)), np.zeros(len(tried))
        share = float(marks.mean())
        for harmonic in range(1, _HARMONICS + 1):
            is_told = (tried <= np.ptp(run.own_ns) / turns) & (tried / harmonic >= _SHORTEST * run.window_ns)
            waves = np.exp(-2j * pi * np.outer(harmonic / tried[is_told], run.own_ns - run.own_ns[0]))
            power[is_told] += np.abs(waves @ (marks - share)) ** 2 / float(((marks - share) ** 2).sum())
            count[is_told] += 1
        return cls(power, count, count * len(marks) * share / (1 - share))


def _log_chance(count: Floats, power: Floats) -> Floats:
    """Logarithm of how likely so many powers of white noise are to add up to so much (Chernoff's bound of a gamma distribution)."""
    over = np.maximum(np.divide(power, count, out=np.ones(len(count)), where=count > 0), 1.0)
    found: Floats = -count * (over - 1 - np.log(over))
    return found
