"""Work of a drive's own that comes again by the clock, as rewriting of old data does (`refresh.every`, `refresh.after`).

Reads with few in flight show it: nothing that they do themselves makes one of them wait in some windows, and in step with a clock. How much of it there is
they show by the speed that they lose meanwhile. That they are in step is tested by the periodogram (Scargle 1982, The Astrophysical Journal 263), whose power is
exponentially distributed where nothing is, at the first frequencies of a train of pulses; each run of a point has a phase of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log, pi, sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.bundle.read import Bundle
from ssdlab.drive.kinds.model import ModelDrive
from ssdlab.drive.target import SpecChoice
from ssdlab.engine.base import Progress
from ssdlab.engine.model import ModelEngine
from ssdlab.engine.result import Direction
from ssdlab.job import DriveState, IoLog, Job, Pattern, Region, StepKind
from ssdlab.scratch import Scratch
from ssdlab.twin.acts import reads_plainly
from ssdlab.twin.dips import NO_DIPS, SLOW, Dips
from ssdlab.twin.draft import Draft, as_time
from ssdlab.twin.drift import HOUR_NS, Clock
from ssdlab.units import MIB

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
_SHORTEST, _LONGEST = 2.2, 4.0
"""Windows from one to the next, below which two of them are one; and times it has to come in a run to be seen in it."""
_STEP = 0.1
"""Of a turn, from one period that is tried to the next, at the end of a run."""
_HARMONICS = 3
_IN_STEP = 0.5
"""Share of all that windows differ by in their longest waits, that comes by the clock."""
_AS_REGULAR = 0.85
"""Times the best: a part of a period has every other frequency of the whole."""
_CHANCE = -15.0
"""Logarithm of how likely any period is to be as regular by accident, at most."""
_LOST_RUNS_MIN, _SURELY, _LOST_MIN = 5, 1.0, 3e-4
"""Share of the speed."""
_TRIALS, _PERIODS = 4, 24
_FILL_IN_FLIGHT = 8
_AFTER_MAX_NS = 8_760 * HOUR_NS
"""A year: whatever takes longer to rewrite is none of it."""
_TURNED_MAX = 8.0
"""Times what it was, after one trial."""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What comes again by the clock.

    Attributes:
        every_ns: From one to the next, in the drive's own time.
        lost: Share of their speed that reads lose by it.
        reads: Those reads.
    """

    every_ns: float
    lost: float
    reads: Job


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
    def late(self) -> Floats:
        """Whether something waited in a window, from 0 to 1."""
        usual = float(np.quantile(self.longest_ns, _QUIET))
        return np.clip(np.log(self.longest_ns / usual / _LATE) / log(_AS_LATE / _LATE), 0.0, 1.0)


def rewriting_of(bundles: Sequence[Bundle], clock: Clock, dips: Dips = NO_DIPS) -> Rewriting | None:
    """What the points tell that read from a full drive, at moments that are in no dip; None where nothing comes again, or too little to tell."""
    runs = [run for bundle in bundles for run in _runs(bundle, clock)]
    return rewriting_of_runs(runs if dips == NO_DIPS else [between_dips(run) for run in runs])


def between_dips(run: ReadRun) -> ReadRun:
    """A run without windows in which it is slow, and those beside them."""
    is_slow = np.convolve(run.iops < SLOW * np.median(run.iops), np.ones(3), "same") > 0
    return replace(run, own_ns=run.own_ns[~is_slow], longest_ns=run.longest_ns[~is_slow], iops=run.iops[~is_slow])


def _runs(bundle: Bundle, clock: Clock) -> Iterator[ReadRun]:
    for step in bundle.finished():
        if step.kind is not StepKind.MEASURE or step.job is None or step.state not in _FULL:
            continue
        if not reads_plainly(step.job) or step.job.in_flight > _FEW_IN_FLIGHT:
            continue
        series = bundle.series(step, Direction.READ)
        if len(series.time_ns) > _WINDOWS_MIN:
            ends = (step.started_ns or 0) + series.time_ns[:-1].astype(np.float64)
            own_ns = clock.own_ns(ends - series.duration_ns[:-1] / 2)
            for place in range(0, len(ends), _PIECE):
                part = slice(place, place + _PIECE)
                yield ReadRun(own_ns[part], series.latency_ns_max[:-1][part], series.iops[:-1][part], step.job)


def rewriting_of_runs(runs: Sequence[ReadRun]) -> Rewriting | None:
    """The same of runs."""
    runs = [run for run in runs if len(run.own_ns) >= _WINDOWS_MIN and (run.longest_ns > 0).all()]
    told = [run for run in runs if run.late.any() and not run.late.all()]
    if len(told) < _RUNS_MIN:
        return None
    every_ns = _period_ns(told)
    if every_ns is None:
        return None
    fewest = min(run.job.in_flight for run in told)
    looked_at = [run for run in told if run.job.in_flight == fewest]
    lost = np.concatenate([_lost(run, every_ns) for run in looked_at])
    if len(lost) < _LOST_RUNS_MIN or lost.mean() < max(_SURELY * lost.std(ddof=1) / sqrt(len(lost)), _LOST_MIN):
        return None
    return Rewriting(every_ns, float(lost.mean()), looked_at[0].job)


def _lost(run: ReadRun, every_ns: float) -> Floats:
    """Share of the speed that each period is short of, by windows in which something may have waited, beside those near them."""
    window_ns = float(np.median(np.diff(run.own_ns)))
    wave = np.exp(2j * pi * run.own_ns / every_ns)
    turns = np.angle(wave / (run.late * wave).sum()) / (2 * pi)
    reach_ns = max(window_ns, (run.late.mean() * every_ns + window_ns) / 2)
    is_near = np.abs(turns) * every_ns <= reach_ns
    places = np.arange(len(turns))
    if is_near.all() or not is_near.any():
        return np.array([])
    usual = np.interp(places, places[~is_near], run.iops[~is_near])
    short = np.where(is_near, 1 - run.iops / usual, 0.0) * window_ns
    period = np.round((run.own_ns / every_ns) - turns).astype(np.int64)
    # What a run begins or ends with is not whole.
    _, which = np.unique(period, return_inverse=True)
    found: Floats = np.bincount(which, weights=short)[1:-1] / every_ns
    return found


def _period_ns(runs: Sequence[ReadRun]) -> float | None:
    """With which what is late is in step; None where no period is regular enough."""
    windows = [float(np.median(np.diff(run.own_ns))) for run in runs]
    shortest = _SHORTEST * min(windows)
    longest = max(float(np.ptp(run.own_ns)) for run in runs) / _LONGEST
    if longest <= shortest:
        return None
    tried = np.exp(np.arange(log(shortest), log(longest), _STEP / (2 * _LONGEST)))
    power, told, most = np.zeros(len(tried)), np.zeros(len(tried)), np.zeros(len(tried))
    for run, window_ns in zip(runs, windows, strict=True):
        late = run.late - run.late.mean()
        is_told = tried <= float(np.ptp(run.own_ns)) / _LONGEST
        for harmonic in range(1, _HARMONICS + 1):
            is_there = is_told & (tried / harmonic >= _SHORTEST * window_ns)
            if is_there.any():
                power[is_there] += _power(late, run.own_ns, harmonic / tried[is_there])
                told[is_there] += 1
                most[is_there] += _of_pulses(run.late)
    chance = _log_chance(told, power) + log(len(tried))
    share = np.divide(power, most, out=np.zeros(len(tried)), where=(most > 0) & (chance < _CHANCE))
    best = float(share.max())
    if best < _IN_STEP:
        return None
    likeliest = float(tried[share.argmax()])
    multiples = likeliest * np.arange(1, int(longest / likeliest) + 1, dtype=np.float64)
    return float(multiples[np.interp(multiples, tried, share) >= _AS_REGULAR * best][-1])


def _log_chance(count: Floats, power: Floats) -> Floats:
    """Logarithm of how likely so many powers of white noise are to add up to so much (Chernoff's bound of a gamma distribution)."""
    over = np.maximum(np.divide(power, count, out=np.ones(len(count)), where=count > 0), 1.0)
    found: Floats = -count * (over - 1 - np.log(over))
    return found


def _power(late: Floats, when_ns: Floats, frequencies: Floats) -> Floats:
    """Of a periodogram, over the variance: 1 in the mean of white noise."""
    waves = np.exp(-2j * pi * np.outer(frequencies, when_ns - when_ns[0]))
    found: Floats = np.abs(waves @ late) ** 2 / float((late**2).sum())
    return found


def _of_pulses(late: Floats) -> float:
    """What the power is where all that is late comes by the clock."""
    share = float(late.mean())
    return len(late) * share / (1 - share)


def with_rewriting(draft: Draft, seen: Rewriting | None) -> Draft:
    """A draft that rewrites as much each time as takes its reads the same share of their speed; as it is where nothing comes again."""
    if seen is None:
        return draft
    scratch = Scratch()
    try:
        return _turned(draft, seen, scratch.path)
    finally:
        scratch.close()


def _turned(draft: Draft, seen: Rewriting, scratch: Path) -> Draft:
    usual = _iops(draft, seen, scratch)
    found = _rewriting(draft, seen.every_ns, HOUR_NS)
    for _ in range(_TRIALS):
        lost = 1 - _iops(found, seen, scratch) / usual
        factor = min(max(lost / seen.lost, 1 / _TURNED_MAX), _TURNED_MAX)
        found = _rewriting(draft, seen.every_ns, factor * found.number("refresh", "after"))
    return found


def _rewriting(draft: Draft, every_ns: float, after_ns: float) -> Draft:
    """A draft that rewrites all its data in that time, or in the shortest that a drive can have, to a factor of two."""
    after_ns = max(after_ns, every_ns)
    while after_ns < _AFTER_MAX_NS:
        found = draft.having("refresh", after=as_time(after_ns), every=as_time(every_ns))
        if not _core.spec_check(found.text):
            return found
        after_ns *= 2
    return draft


def _iops(draft: Draft, seen: Rewriting, scratch: Path) -> float:
    """Of those reads on a full drive, over some periods."""
    drive = ModelDrive("model:twin", SpecChoice(draft.name, draft.without("pace").text, None, None))
    engine = ModelEngine(drive)
    whole = Region(0, drive.identity.capacity_bytes)
    fill = replace(
        seen.reads,
        pattern=Pattern.SEQUENTIAL,
        read_percent=0,
        block_bytes=MIB,
        queue_depth=_FILL_IN_FLIGHT,
        region=whole,
        amount_bytes=whole.length_bytes // MIB * MIB,
        duration_ns=None,
    )
    engine.run(fill, scratch, _unwatched)
    reads = replace(seen.reads, amount_bytes=None, duration_ns=round(_PERIODS * seen.every_ns), io_log=IoLog.WINDOWS)
    done = engine.run(reads, scratch, _unwatched).directions[Direction.READ]
    return done.io_count * 1e9 / max(1, done.runtime_ns)


def _unwatched(_: Progress) -> None:
    """Nobody waits for a trial to be told how far it is."""
