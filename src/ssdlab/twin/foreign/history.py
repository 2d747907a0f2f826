"""What another program did to a drive, as acts that a small drive can do again.

A drive of terabytes takes hours to fill, in virtual time as well. A twin therefore is a part of it: so many times smaller, and everything
that grows with a drive is that much smaller, too: what is written, the files, the cache of one bit a cell, the blocks. Speeds and latencies
are those of the drive, and times of passes over it are a part of those there.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import nan

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.infer.phases import Cache, PassPhases
from ssdlab.analysis.infer.plateau import Plateau, PlateauChange
from ssdlab.engine.result import Direction
from ssdlab.errors import SsdlabError
from ssdlab.job import Job, Pattern, Region
from ssdlab.message import message, number, size
from ssdlab.point import labelled
from ssdlab.twin.acts import Act, Deed
from ssdlab.twin.foreign.load import Draws, ForeignLoad
from ssdlab.twin.foreign.steps import ForeignStep
from ssdlab.twin.held_out import Division, groups_of, thinned
from ssdlab.twin.known import Fastest, OriginalDrive, reads_at_once
from ssdlab.units import KIB, MIB
from ssdlab.unknown import Unknown

PART_BYTES_MAX = 8 * 10**9
"""Of a twin: all that a drive went through is done again some hundred times."""
_CAPACITY_MIN = 64 * MIB
_CAPACITY_MAX = 2**60
_IOS_MAX = 30_000_000
"""That a trial can do within some seconds."""
_BUSY = 8
"""In flight; with fewer it is often the host that says how fast writes come."""
_BLOCKS_MIN = 64
"""Of a step: fewer say no speed."""
_HELD_EVERY = 3
_POINTS_MAX = 40
_STEPS_MIN = 4
_SMALL_BYTES = 16 * KIB
_ROOM = 4
"""Times what small reads moved, that a link may move at first: seldom are they what fills it."""
_UNITS_USUAL = 32
"""Fewer reads at once tell of no fewer units: a link or the host may be what ended it."""
_FALL = 0.1
"""Of the logarithm of a speed: the least that is the end of a cache."""


@dataclass(frozen=True, slots=True)
class TwinPart:
    """How much of a drive its twin is.

    Attributes:
        of: The drive is so many times as large.
        capacity_bytes: Of the twin.
    """

    of: int
    capacity_bytes: int


def part_of(capacity_bytes: int, most_bytes: int = PART_BYTES_MAX) -> TwinPart:
    """The largest part by a power of two that is no larger than `most_bytes`.

    Raises:
        SsdlabError: There are no drives of that size.
    """
    if not _CAPACITY_MIN <= capacity_bytes <= _CAPACITY_MAX:
        raise SsdlabError(message("twin-foreign-size", size=size(capacity_bytes)))
    of = 1
    while capacity_bytes // of > most_bytes:
        of *= 2
    return TwinPart(of, capacity_bytes // of // MIB * MIB)


def acts_of_steps(runs: Sequence[Sequence[ForeignStep]], part: TwinPart) -> tuple[Act, ...]:
    """All that was done, in order; each run begins on a drive of its own.

    Nothing says what a drive went through before. Where more is read than was written until then it counts as filled once in order, else as
    purged: what was never written is read without flash.

    Raises:
        SsdlabError: So much was written that a trial would take minutes.
    """
    acts = tuple(act for run, steps in enumerate(runs) for act in _acts(run, steps, part))
    ios = sum((act.work.amount_bytes or 0) / act.work.block_bytes for act in acts if act.deed is Deed.OVERWRITE)
    if ios > _IOS_MAX:
        raise SsdlabError(
            message("twin-foreign-much", ios=number(ios, ",.0f"), most=number(_IOS_MAX, ",d")),
            message("twin-hint-foreign-much"),
        )
    return acts


def _acts(run: int, steps: Sequence[ForeignStep], part: TwinPart) -> Iterator[Act]:
    if _begins_full(steps, part):
        fill = ForeignLoad(Pattern.SEQUENTIAL, 0, MIB, 4, 1, None, Draws.OWN)
        job = _job("fill", fill, part, part.of * part.capacity_bytes)
        yield Act(run=run, group="fill", point=labelled("fill"), deed=Deed.PREPARE, job=job)
    touched = Footprint()
    for place, step in enumerate(steps):
        load = step.load
        if step.written_bytes and load.pattern is Pattern.RANDOM and load.draws is Draws.SAME:
            load = replace(load, span=min(touched.after(step), _span(load, part)))
        yield _act(run, replace(step, load=load), part, place)


class Footprint:
    """What random writes touch that go to the same places whenever they begin anew.

    Each of the jobs side by side has its own places, the first of few the same as the first of many, and none twice in a run. So far as each
    job ever got is what is touched: often a small part of a drive that was written over several times.
    """

    def __init__(self) -> None:
        self._longest: dict[tuple[int, int], int] = {}

    def after(self, step: ForeignStep) -> int:
        """Bytes, with those of a step more."""
        jobs, block = step.load.jobs, step.load.block_bytes
        each = step.written_bytes * 100 // max(1, 100 - step.load.read_percent) // jobs
        self._longest[block, jobs] = max(each, self._longest.get((block, jobs), 0))
        return max(block * jobs, sum(self._of_block(one) for one in {size for size, _ in self._longest}))

    def _of_block(self, block: int) -> int:
        found, longest, above = 0, 0, 0
        for (size_bytes, jobs), each in sorted(self._longest.items(), reverse=True):
            if size_bytes == block:
                found += (above - jobs) * longest if above else 0
                longest, above = max(longest, each), jobs
        return found + above * longest


def _act(run: int, step: ForeignStep, part: TwinPart, place: int) -> Act:
    deed = Deed.OVERWRITE if step.written_bytes else Deed.MEASURE
    moved = (step.written_bytes + step.read_bytes) if step.written_bytes else 2**62
    load = step.load
    job = replace(_job(step.name, load, part, moved), seed=place + 1)
    point = labelled(load.name, f"q{load.queue_depth}", f"j{load.jobs}")
    return Act(run=run, group=load.name, point=point, deed=deed, job=job, seen=step.seen)


def _begins_full(steps: Sequence[ForeignStep], part: TwinPart) -> bool:
    written = 0
    for step in steps:
        if step.read_bytes:
            return written < _span(step.load, part)
        written += step.written_bytes
    return False


def _span(load: ForeignLoad, part: TwinPart) -> int:
    whole = part.of * part.capacity_bytes
    return whole if load.span is None else min(load.span, whole)


def _job(name: str, load: ForeignLoad, part: TwinPart, moved_bytes: int) -> Job:
    block = load.block_bytes
    span = max(block, _span(load, part) // part.of // block * block)
    amount = max(moved_bytes // part.of, _BLOCKS_MIN * block) // block * block
    return Job(
        name=name,
        pattern=load.pattern,
        read_percent=load.read_percent,
        block_bytes=block,
        queue_depth=load.queue_depth,
        jobs=load.jobs,
        region=Region(0, span),
        amount_bytes=amount,
        duration_ns=None,
        seed=1,
    )


def divided_acts(acts: Sequence[Act], unseen: Collection[int] = ()) -> Division:
    """Every third of a kind of load is held out. Writes in a busy queue are passes: they tell of the flash; all are points.

    Args:
        acts: All that was done.
        unseen: Places of acts that are held out besides.
    """
    held: list[int] = []
    fitted: list[int] = []
    for group in groups_of(acts, {Deed.OVERWRITE, Deed.MEASURE}):
        for place, one in enumerate(group):
            (held if place % _HELD_EVERY == 1 or one in unseen else fitted).append(one)
    writes = [one for one in sorted(fitted) if acts[one].deed is Deed.OVERWRITE and acts[one].work.read_percent == 0]
    busy = [one for one in writes if acts[one].work.in_flight >= _BUSY]
    return Division(tuple(busy or writes), tuple(thinned(sorted(fitted), _POINTS_MAX)), tuple(sorted(held)))


def known_of_acts(acts: Sequence[Act], division: Division) -> OriginalDrive:
    """What may be known of the inside: speeds of what is fitted to, and the phases of the writes if they are the first that the drive saw."""
    fitted = [act for place, act in enumerate(acts) if act.seen is not None and place not in division.held]
    first = _first_pass(acts, frozenset(division.held))
    busy = reads_at_once(fitted)
    at_once = busy if busy > _UNITS_USUAL else 0.0
    return OriginalDrive({}, {}, {}, first, None, None, nan, 0.0, 0.0, _fastest(fitted), at_once)


def _fastest(acts: Sequence[Act]) -> Fastest:
    rates = [(way, rate, act.work.block_bytes) for act in acts for way, rate in act.measured.iops.items()]
    reads = [rate * max(block, min(_ROOM * block, _SMALL_BYTES)) for way, rate, block in rates if way is Direction.READ]
    writes = [rate * block for way, rate, block in rates if way is Direction.WRITE]
    return Fastest(max(reads, default=0.0), max(writes, default=0.0), max((rate for _, rate, _ in rates), default=0.0))


def _first_pass(acts: Sequence[Act], held: frozenset[int]) -> PassPhases | None:
    """Of the writes to a drive that began empty, by what was written until then; None where their speed does not fall once.

    Each step has one speed, its mean, so that where it falls is known to a step.
    """
    written = 0.0
    ends: list[float] = []
    speeds: list[float] = []
    for place, act in enumerate(acts):
        if act.run or act.deed is not Deed.OVERWRITE or act.work.read_percent:
            break
        written += act.work.amount_bytes or 0
        if place not in held and act.work.in_flight >= _BUSY:
            ends.append(written)
            speeds.append(act.measured.iops.get(Direction.WRITE, nan) * act.work.block_bytes)
    logs = np.log(np.asarray(speeds))
    if len(logs) < _STEPS_MIN or not np.isfinite(logs).all():
        return None
    splits = range(1, len(logs))
    split = min(splits, key=lambda at: _unlike(logs[:at]) + _unlike(logs[at:]))
    fast, slow = float(np.median(logs[:split])), float(np.median(logs[split:]))
    if fast - slow < _FALL:
        return None
    cache = Plateau(0, split, float(np.exp(fast)))
    end = PlateauChange(ends[split - 1], ends[split - 1], ends[split])
    direct = Plateau(split, len(logs), float(np.exp(slow)))
    return PassPhases(Cache(cache, PlateauChange(0.0, 0.0, 0.0), end), Unknown(message("unknown-no-windows")), direct)


def _unlike(logs: NDArray[np.float64]) -> float:
    """How far speeds are from one level, a stall no more than other steps."""
    return float(np.abs(logs - np.median(logs)).sum())
