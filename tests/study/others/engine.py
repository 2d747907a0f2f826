"""Jobs of plans and commands of probes on a simulator of others, in its time; what comes of them has the form that every engine gives."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tests.study.others.drive import SimulatedDrive, SimulatedSensor
from tests.study.others.ios import Ios, direction_result
from tests.study.others.wire import FOREVER_NS, SECTOR_BYTES, Answered, Asked, SimulatorError, joined

from ssdlab.drive.kinds.virtual_sensor import NEVER_LATE
from ssdlab.engine.base import EngineError, Judge, Progress, Watch
from ssdlab.engine.commands import Commands, Forced, TimedCommands, Verb
from ssdlab.engine.result import Direction, EarlyStop, JobSensors, RawResult
from ssdlab.engine.sensing import Heed, Sample, series_of
from ssdlab.job import WINDOW_NS, Action, Draw, IoLog, Job, Pattern, Sync, Zipf, Zones
from ssdlab.message import as_written, message

_AT_ONCE = 2048
"""Commands that the simulator is given at a time: after as many a judge is asked and sensors are read."""
_READ, _WRITE = 0, 1
_VERBS = {Verb.READ: _READ, Verb.WRITE: _WRITE, Verb.WRITE_THROUGH: _WRITE}
_DIRECTIONS = {_READ: Direction.READ, _WRITE: Direction.WRITE}


@dataclass(frozen=True, slots=True)
class SimulatedEngine:
    """Closed loops of one block size, and commands one by one."""

    drive: SimulatedDrive

    @property
    def name(self) -> str:
        """See `Engine`."""
        return f"{self.drive.simulator.key}-{self.drive.identity.firmware}"

    def now_ns(self) -> int:
        """Simulated time since the drive was made."""
        return self.drive.clock_ns

    def rest(self, duration_ns: int, watch: Watch) -> None:
        """Let simulated time pass."""
        self.drive.wire.rest(duration_ns)
        watch(Progress(1.0, None))

    def replay(self, commands: Commands, directory: Path, watch: Watch) -> TimedCommands:  # noqa: ARG002 - fio needs a place for files
        """See `Replays.replay`. There are reads and writes; a write that must be safe is a write."""
        unknown = sorted(
            {Verb(one).name.lower() for one in np.unique(commands.verb)} - {one.name.lower() for one in _VERBS}
        )
        if unknown:
            raise EngineError(
                message("engine-command-refused", error=f"the simulator is not asked for {', '.join(unknown)}")
            )
        asked = Asked(
            (commands.verb != Verb.READ).astype(np.uint8),
            commands.issue,
            (commands.offset_bytes // SECTOR_BYTES).astype(np.uint64),
            (commands.length_bytes // SECTOR_BYTES).astype(np.uint32),
            commands.pause_ns.astype(np.uint64),
        )
        base, started_ns = self._ready()
        try:
            done = joined([self.drive.wire.commands(asked, commands.queue_depth), self.drive.wire.drain()])
        except SimulatorError as error:
            raise EngineError(as_written(str(error))) from error
        watch(Progress(1.0, None))
        order = np.argsort(done.number - base)
        forced = Forced.CANNOT if (commands.verb == Verb.WRITE_THROUGH).any() else Forced.YES
        return TimedCommands(
            commands, done.submitted_ns[order] - started_ns, done.completed_ns[order] - started_ns, forced
        )

    def run(
        self,
        job: Job,
        directory: Path,  # noqa: ARG002 - fio needs a place for files
        watch: Watch,
        judge: Judge | None = None,
        heed: Heed | None = None,
    ) -> RawResult:
        """See `Engine.run`. Windows that are over are put before the judge, and sensors are read, whenever so many commands were submitted."""
        _require(job)
        base, started_ns = self._ready()
        loop = _Loop(self.drive, job, watch, base, started_ns, judge, heed)
        try:
            ios = loop.run()
        except SimulatorError as error:
            raise EngineError(as_written(f"job {job.name}: {error}")) from error
        end_ns = int(ios.time_ns.max(initial=0))
        directions = {
            direction: direction_result(job, one, end_ns)
            for code, direction in _DIRECTIONS.items()
            if len(one := ios.chosen(ios.verb == code))
        }
        return RawResult(
            job=job,
            engine=self.name,
            elapsed_ns=end_ns,
            directions=directions,
            error_count=0,
            dropped=(),
            cpu=None,
            stopped=loop.stopped,
            sensed=loop.sensed(end_ns),
            began_ns=self.drive.began_ns + started_ns,
        )

    def _ready(self) -> tuple[int, int]:
        """How many commands the simulator was given so far, and its time; nothing is in flight."""
        idle = self.drive.wire.drain()
        return idle.submitted, idle.now_ns


def _require(job: Job) -> None:
    is_plain = (
        not isinstance(job.access, Zipf)
        and not job.mix
        and not job.beside
        and job.replay is None
        and job.io_log is not IoLog.EVERY_IO
    )
    is_closed = job.rate_iops is None and job.jobs == 1 and job.action is Action.READ_WRITE and job.sync is Sync.NONE
    if not (is_plain and is_closed):
        raise EngineError(
            as_written(f"job {job.name}: the engine of the study has closed loops of plain reads and writes")
        )


def _chunks(job: Job) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.int64]]]:
    """What is done and to which blocks of the region, in order and without end."""
    random = np.random.default_rng([job.seed, 2311])
    blocks = job.region.length_bytes // job.block_bytes
    places = _places(job, blocks, random)
    while True:
        reads = random.integers(0, 100, _AT_ONCE) < job.read_percent
        yield np.where(reads, _READ, _WRITE).astype(np.uint8), next(places)


def _places(job: Job, blocks: int, random: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    if job.pattern is Pattern.SEQUENTIAL:
        return _sequential(blocks)
    return _zoned(job.access, blocks, random) if isinstance(job.access, Zones) else _random(job.draw, blocks, random)


def _zoned(access: Zones, blocks: int, random: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Each zone gets its share, and its blocks lie anywhere: at the same places in every job, as the law of a drive's load does not move."""
    shuffled = np.random.default_rng(2311).permutation(blocks)
    edges = np.cumsum([0, *(one.blocks_percent for one in access.zones)]) * blocks // 100
    shares = np.array([one.ios_percent for one in access.zones]) / 100
    while True:
        zone = random.choice(len(shares), _AT_ONCE, p=shares)
        yield shuffled[random.integers(edges[zone], edges[zone + 1])]


def _sequential(blocks: int) -> Iterator[NDArray[np.int64]]:
    at = 0
    while True:
        yield (at + np.arange(_AT_ONCE, dtype=np.int64)) % blocks
        at = (at + _AT_ONCE) % blocks


def _random(draw: Draw, blocks: int, random: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    left = np.zeros(0, dtype=np.int64)
    while True:
        if draw is Draw.INDEPENDENT:
            yield random.integers(0, blocks, _AT_ONCE)
            continue
        while len(left) < _AT_ONCE:
            left = np.concatenate([left, random.permutation(blocks)])
        yield left[:_AT_ONCE]
        left = left[_AT_ONCE:]


@dataclass(slots=True)
class _Loop:
    """A job while it runs."""

    drive: SimulatedDrive
    job: Job
    watch: Watch
    base: int
    started_ns: int
    judge: Judge | None
    heed: Heed | None
    stopped: EarlyStop | None = None
    _answers: list[Answered] = field(default_factory=list)
    _verbs: list[NDArray[np.uint8]] = field(default_factory=list)
    _samples: list[Sample] = field(default_factory=list)
    _judged: int = 0
    """Windows that the judge has seen."""
    _unjudged: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Completions since the beginning, of windows that are not over."""

    def run(self) -> Ios:
        """All of it."""
        job, wire = self.job, self.drive.wire
        most = None if job.amount_bytes is None else job.amount_bytes // job.block_bytes
        until_ns = FOREVER_NS if job.duration_ns is None else self.started_ns + job.duration_ns
        self._sense(0)
        submitted = 0
        for verb, block in _chunks(job):
            count = len(verb) if most is None else min(len(verb), most - submitted)
            answer = wire.commands(self._asked(verb[:count], block[:count]), job.queue_depth, until_ns)
            self._keep(answer)
            done, submitted = answer.submitted - self.base - submitted, answer.submitted - self.base
            self._verbs.append(verb[:done])
            if done < count or submitted == most or self.stopped is not None:
                break
        self._keep(wire.drain())
        return self._ios()

    def _asked(self, verb: NDArray[np.uint8], block: NDArray[np.int64]) -> Asked:
        sectors = self.job.block_bytes // SECTOR_BYTES
        return Asked(
            verb,
            np.zeros(len(verb), dtype=np.uint8),
            (self.job.region.offset_bytes // SECTOR_BYTES + block * sectors).astype(np.uint64),
            np.full(len(verb), sectors, dtype=np.uint32),
            np.zeros(len(verb), dtype=np.uint64),
        )

    def _keep(self, answer: Answered) -> None:
        self._answers.append(answer)
        now_ns = answer.now_ns - self.started_ns
        self._sense(now_ns)
        self.watch(Progress(self._share_done(answer), None))
        if self.judge is not None and self.stopped is None:
            self._put_before(self.judge, answer, now_ns)

    def _share_done(self, answer: Answered) -> float:
        amount, duration_ns = self.job.amount_bytes, self.job.duration_ns
        by_amount = 0.0 if amount is None else (answer.submitted - self.base) * self.job.block_bytes / amount
        by_time = 0.0 if duration_ns is None else (answer.now_ns - self.started_ns) / duration_ns
        return min(1.0, max(by_amount, by_time))

    def _put_before(self, judge: Judge, answer: Answered, now_ns: int) -> None:
        times = np.concatenate([self._unjudged, answer.completed_ns - self.started_ns])
        # What completes at the very end of a window belongs to it.
        over = (now_ns - 1) // WINDOW_NS
        window = (times - 1) // WINDOW_NS
        self._unjudged = times[window >= over]
        if over <= self._judged:
            return
        ios = np.bincount(window[window < over] - self._judged, minlength=over - self._judged)
        ends_ns = (self._judged + 1 + np.arange(len(ios))) * WINDOW_NS
        self._judged = over
        self.stopped = judge.feed(ends_ns, ios.astype(np.float64) * self.job.block_bytes)

    def _sense(self, time_ns: int) -> None:
        reading = SimulatedSensor(self.drive).read()
        self._samples.append(Sample(time_ns, reading))
        if self.heed is not None:
            self.heed(time_ns, reading)

    def sensed(self, end_ns: int) -> JobSensors:
        """What the counters said, with the job's end."""
        sensor = SimulatedSensor(self.drive)
        after = Sample(end_ns, sensor.read())
        samples = [*(one for one in self._samples if one.time_ns < end_ns), after]
        return JobSensors(self._samples[0].reading, after.reading, series_of(samples), sensor.messages(), NEVER_LATE)

    def _ios(self) -> Ios:
        done = joined(self._answers)
        verbs = np.concatenate(self._verbs)
        return Ios(
            done.completed_ns - self.started_ns, done.completed_ns - done.submitted_ns, verbs[done.number - self.base]
        )
