"""Acts done again on a drive of a draft, in virtual time, as shortly as what is compared allows."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ssdlab.drive.kinds.model import ModelDrive
from ssdlab.drive.target import SpecChoice
from ssdlab.engine.base import Progress
from ssdlab.engine.model import ModelEngine
from ssdlab.engine.result import Direction, LatencyKind, RawResult
from ssdlab.job import Action, Draw, IoLog, Job, Pattern
from ssdlab.twin.acts import Act, Deed, writes_plainly
from ssdlab.twin.dips import dipped
from ssdlab.twin.draft import Draft
from ssdlab.twin.drift import clock_of, in_own_time
from ssdlab.twin.own_time import seen_by_host
from ssdlab.twin.seen import PointSeen, seen_of, written_at
from ssdlab.units import KIB, MIB

IOS_MAX = 24_000
"""Of a point: the 99.9th percentile then has two dozen I/Os above it."""
LARGE_IOS_MAX = 4_000
READ_BYTES_MAX = 1 << 30
"""Of larger blocks fewer are enough: every one of them is many I/Os of the flash."""
WRITTEN_IOS_MAX = 250_000
"""Of random writes whose speed counts: what comes after them is written in larger blocks."""
POINTS_IOS_MAX = 8_000_000
"""Of all points together that write: as much as they wrote, where that is less, since buffer, cache and spare flash fill up on the way."""
LEFT_BYTES_MAX = 2 << 30
"""Of a run that writes and is not compared: more of it changes little of what it leaves."""
SCATTERED_IOS_MAX = 3_000_000
"""Of what is written at random before a point and not compared."""
_COARSE_BYTES = 1 * MIB
_COARSE_RANDOM_BYTES = 64 * KIB
_COARSE_MIN = 512
"""Of a superblock at least so many are written: with fewer, some are soon empty, and collecting costs less than it does."""
_FINE_BYTES = 512 * KIB


def rehearse(draft: Draft, acts: Sequence[Act], wanted: Collection[int], scratch: Path) -> dict[int, PointSeen]:
    """What a drive of a draft does.

    A rehearsal is shorter than what it repeats, so a draft that drifts or dips is rehearsed without, on the drive's own clock: what is seen
    is told as it would be at the time at which each act was done, with as much of that in dips.

    Args:
        draft: Of the drive.
        acts: In order; each run begins on a drive that was never used.
        wanted: Places of the acts that are compared; of the others, only those that change the drive are done, coarsely.
        scratch: A directory for the engine.

    Returns:
        What was seen of each act that was wanted.

    Raises:
        DriveError: The draft is no possible drive.
    """
    seen: dict[int, PointSeen] = {}
    stages: dict[int, _Stage] = {}
    ios_max = ios_of_each([acts[place] for place in wanted])
    for place in needed_for(acts, wanted):
        act = acts[place]
        if act.run not in stages:
            stages = {act.run: _Stage(draft)}
        if place in wanted:
            seen[place] = seen_by_host(act, _compared(stages[act.run], act, ios_max, scratch), stages[act.run].clock)
        else:
            _passed_over(stages[act.run], act, scratch)
    return seen


def needed_for(acts: Sequence[Act], wanted: Collection[int]) -> list[int]:
    """Places of the acts that are wanted and of those that made the drive what it was then: what came before the last purge did not."""
    needed: list[int] = []
    since: list[int] = []
    for place, act in enumerate(acts):
        if act.deed is Deed.PURGE or (place and acts[place - 1].run != act.run):
            since = []
        since.append(place)
        if place in wanted:
            needed += since
            since = []
    return needed


def ios_of_each(acts: Sequence[Act]) -> int:
    """How many I/Os a point that writes may take, so that all together take no more than is set for them; where one takes fewer, others may take more."""
    ios = sorted(
        (act.work.amount_bytes or 0) // act.work.block_bytes
        for act in acts
        if act.deed is Deed.MEASURE and writes_plainly(act.work)
    )
    left = POINTS_IOS_MAX
    for place, one in enumerate(ios):
        each = left // (len(ios) - place)
        if one > each:
            return max(each, WRITTEN_IOS_MAX)
        left -= one
    return POINTS_IOS_MAX


class _Stage:
    """A drive and what does I/O to it."""

    def __init__(self, draft: Draft) -> None:
        self.clock = clock_of(draft)
        self.drive = ModelDrive("model:twin", SpecChoice(draft.name, in_own_time(draft).text, None, None))
        self.engine = ModelEngine(self.drive)
        units = max(1, int(draft.number("geometry", "superblock")) // _COARSE_MIN)
        self.random_bytes = min(_COARSE_RANDOM_BYTES, 1 << units.bit_length() - 1)


def _unwatched(_: Progress) -> None:
    """Nobody waits for a rehearsal to be told how far it is."""


def _compared(stage: _Stage, act: Act, ios_max: int, scratch: Path) -> PointSeen:
    job = act.work
    if act.deed is Deed.PREPARE:
        return _passes(stage, job, scratch)
    looked_at = job if act.deed is Deed.OVERWRITE else _short(job, ios_max)
    result = _run(stage, looked_at, scratch)
    if writes_plainly(job):
        _left_written(stage, job, (job.amount_bytes or 0) - (looked_at.amount_bytes or 0), scratch)
    moved, slow = result.directions, stage.clock.dip_speed
    return seen_of(
        {one: part.io_count for one, part in moved.items()},
        {one: part.runtime_ns for one, part in moved.items()},
        {one: dipped(part.latency[LatencyKind.CLAT], act.dipped, slow) for one, part in moved.items()},
    )


def _passes(stage: _Stage, job: Job, scratch: Path) -> PointSeen:
    amount_bytes = job.amount_bytes or 0
    if job.pattern is Pattern.SEQUENTIAL:
        job = _in_blocks(job, _FINE_BYTES)
    result = _run(stage, replace(job, amount_bytes=min(amount_bytes, WRITTEN_IOS_MAX * job.block_bytes)), scratch)
    when = written_at(result.directions[Direction.WRITE].series, amount_bytes)
    rest = amount_bytes - WRITTEN_IOS_MAX * job.block_bytes
    if rest > 0:
        _run(stage, replace(_in_blocks(job, _COARSE_RANDOM_BYTES), amount_bytes=rest), scratch)
    return PointSeen({}, {}, when)


def _passed_over(stage: _Stage, act: Act, scratch: Path) -> None:
    match act.deed:
        case Deed.PURGE:
            stage.drive.purge()
        case Deed.REST:
            stage.engine.rest(_own_rest_ns(stage, act), _unwatched)
        case Deed.PREPARE if act.job is not None:
            _run(stage, act.job if _scatters(act.job) else _coarse(stage, act.job), scratch)
        case Deed.MEASURE if act.job is not None and writes_plainly(act.job):
            _left_written(stage, act.job, act.job.amount_bytes or 0, scratch)
        case Deed.OVERWRITE:
            # Larger blocks would go to other places.
            _run(stage, act.work, scratch)
        case Deed.PREPARE | Deed.MEASURE:
            pass


def _left_written(stage: _Stage, job: Job, moved_bytes: int, scratch: Path) -> None:
    """What a job writes while it moves so much, in larger blocks."""
    written_bytes = min(moved_bytes * (100 - job.read_percent) // 100, LEFT_BYTES_MAX)
    if written_bytes >= job.block_bytes:
        writes = replace(job, read_percent=0, amount_bytes=written_bytes, duration_ns=None)
        _run(stage, _coarse(stage, writes), scratch)


def _scatters(job: Job) -> bool:
    """Whether it writes at random, and so little that it can be done as it was: in larger blocks, less has to be collected afterwards."""
    is_small = 0 < (job.amount_bytes or 0) <= SCATTERED_IOS_MAX * job.block_bytes
    return job.pattern is Pattern.RANDOM and is_small


def _coarse(stage: _Stage, job: Job) -> Job:
    return _in_blocks(job, _COARSE_BYTES if job.pattern is Pattern.SEQUENTIAL else stage.random_bytes)


def _own_rest_ns(stage: _Stage, act: Act) -> int:
    return round(float(stage.clock.own_since(act.begin_ns, np.array([float(act.rest_ns)]))[0]))


def _in_blocks(job: Job, block_bytes: int) -> Job:
    """As many bytes in flight, in larger blocks: what is written where is the same, and the fill of a drive takes a fraction of the time."""
    if job.action is Action.TRIM or job.block_bytes >= block_bytes or job.region.length_bytes < block_bytes:
        return job
    in_flight = max(4, job.queue_depth * job.block_bytes // block_bytes)
    amount = job.amount_bytes
    return replace(
        job,
        block_bytes=block_bytes,
        queue_depth=in_flight,
        amount_bytes=None if amount is None else max(block_bytes, amount // block_bytes * block_bytes),
        draw=Draw.INDEPENDENT if job.pattern is Pattern.RANDOM else job.draw,
    )


def _short(job: Job, ios_max: int) -> Job:
    """As many I/Os as the comparison takes; a longer queue needs more until it is full, and writes as many as fill what they fill."""
    ios = min(IOS_MAX, max(LARGE_IOS_MAX, READ_BYTES_MAX // job.block_bytes)) + 100 * job.in_flight
    if job.writes:
        ios = ios_max
    amount_bytes = ios * job.block_bytes
    planned = job.amount_bytes
    return replace(
        job, amount_bytes=amount_bytes if planned is None else min(planned, amount_bytes), io_log=IoLog.WINDOWS
    )


def _run(stage: _Stage, job: Job, scratch: Path) -> RawResult:
    return stage.engine.run(replace(job, io_log=IoLog.WINDOWS), scratch, _unwatched)
