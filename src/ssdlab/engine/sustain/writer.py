"""Writing and reading back a whole range (METHODS U): on real targets by ssdlab's own writer, on a model in virtual time.

fio cannot do it: its data says where a block belongs but not of which pass it is, and it does not tell apart what it finds
wrong; and its records would either not be durable before the next or leave the drive alone in between. The writer makes and
checks data on a thread of its own, so that the drive is what is measured.
"""

from collections import deque
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core, version
from ssdlab.drive.sense.reading import Sensor, SensorReading
from ssdlab.engine.base import EngineError
from ssdlab.engine.model import ModelEngine
from ssdlab.engine.result import (
    STOPPED_BY_OPERATOR,
    Direction,
    DirectionResult,
    EarlyStop,
    LatencyKind,
    RawResult,
)
from ssdlab.engine.sensing import Sample, Sampling
from ssdlab.engine.standstill import Vigil
from ssdlab.engine.sustain.bad_data import BAD_RANGES_MAX, BadKind, BadRange, Verified
from ssdlab.engine.sustain.chunks import Chunks
from ssdlab.job import SUSTAIN_SECTOR_BYTES as SECTOR_BYTES
from ssdlab.job import Job
from ssdlab.message import message
from ssdlab.units import MIB
from ssdlab.unknown import Unknown

_IO_BYTES = MIB
"""What the kernel makes of a large write: the model is given as many of these at once as fit into a chunk."""
_DEPTH_MAX = 64


class Decision(Enum):
    """What whoever listens to a pass wants."""

    GO_ON = "go on"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Done:
    """Where a pass is: bytes and nanoseconds since it began."""

    bytes: int
    time_ns: int


class PassListener(Protocol):
    """Whoever listens to a pass."""

    def done(self, done: Done) -> Decision:
        """A chunk is done."""

    def felt(self, time_ns: int, reading: SensorReading) -> None:
        """What the drive's sensors said so long after the pass began."""


EARLIER_RUN = "of an earlier run"


@dataclass(frozen=True, slots=True)
class Content:
    """Which data passes are written with: generations of a seed, in a row.

    Attributes:
        seed: Of the data.
        before: The generation before that of the first pass.
    """

    seed: int
    before: int

    def generation(self, number: int) -> int:
        """Of that pass, from 1."""
        return (self.before + number) % _GENERATIONS

    def number(self, generation: int, last: int) -> int | None:
        """Which of the passes up to the last one has that generation; None if it is of another run."""
        number = (generation - self.before) % _GENERATIONS
        return number if 1 <= number <= last else None


_GENERATIONS = 1 << 32


class Passes(Protocol):
    """Goes over a range."""

    @property
    def name(self) -> str:
        """Engine and version."""

    def shape(self, job: Job) -> Job:
        """The job as it is really done, which is what the bundle keeps."""

    def write(self, job: Job, number: int, directory: Path, listener: PassListener) -> RawResult:
        """Write the range of a job in the pass of that number; raises EngineError where the drive refuses."""

    def read(
        self, job: Job, number: int, directory: Path, listener: PassListener
    ) -> tuple[RawResult, Verified | Unknown]:
        """Read it back and compare it with what that pass wrote; raises EngineError where the drive is gone."""


def real_name() -> str:
    """Of ssdlab's own writer, such as `sustain-0.1.0`."""
    return f"sustain-{version()}"


@dataclass(frozen=True, slots=True)
class RealPasses:
    """On files, devices and NBD exports.

    Attributes:
        flush_bytes: After so many what was written is durable before it goes on.
        sensor: Of the drive; it is asked beside the I/O.
    """

    medium: _core.SustainMedium
    content: Content
    flush_bytes: int
    sensor: Sensor

    @property
    def name(self) -> str:
        """Such as `sustain-0.1.0`."""
        return real_name()

    def shape(self, job: Job) -> Job:
        """Chunk by chunk, as asked."""
        return job

    def write(self, job: Job, number: int, directory: Path, listener: PassListener) -> RawResult:
        """See `Passes.write`; the files of a pass are the caller's."""
        del directory
        region, content = job.region, self.content
        with Sampling(self.sensor, listener.felt) as sampling, Vigil() as vigil:
            heeding = _Heeding(listener, sampling)
            try:
                self.medium.write(
                    region.offset_bytes,
                    region.length_bytes,
                    job.block_bytes,
                    self.flush_bytes,
                    content.seed,
                    content.generation(number),
                    heeding.take,
                )
            except OSError as error:
                raise EngineError(message("engine-not-written", error=error.strerror or str(error))) from error
        return _result(self.name, job, Direction.WRITE, heeding, sampling, vigil)

    def read(
        self, job: Job, number: int, directory: Path, listener: PassListener
    ) -> tuple[RawResult, Verified | Unknown]:
        """See `Passes.read`."""
        del directory
        region, content = job.region, self.content
        with Sampling(self.sensor, listener.felt) as sampling, Vigil() as vigil:
            heeding = _Heeding(listener, sampling)
            try:
                found, bad_bytes = self.medium.check(
                    region.offset_bytes,
                    region.length_bytes,
                    job.block_bytes,
                    content.seed,
                    content.generation(number),
                    BAD_RANGES_MAX,
                    heeding.take,
                )
            except OSError as error:
                raise EngineError(message("engine-drive-gone", error=error.strerror or str(error))) from error
        bad = tuple(_bad_range(one, content, number) for one in found)
        return _result(self.name, job, Direction.READ, heeding, sampling, vigil), Verified(bad_bytes, bad)

    def holds_data(self, length_bytes: int) -> bool:
        """Whether data of this seed is at any of some places, evenly spread over the range; raises EngineError where the drive is gone."""
        step_bytes = max(SECTOR_BYTES, length_bytes // _LOOKED_AT // SECTOR_BYTES * SECTOR_BYTES)
        offsets = range(0, length_bytes - SECTOR_BYTES + 1, step_bytes)
        return any(self._holds_data_at(offset_bytes) for offset_bytes in offsets)

    def _holds_data_at(self, offset_bytes: int) -> bool:
        generation = self.content.generation(1)
        try:
            found, bad_bytes = self.medium.check(
                offset_bytes, SECTOR_BYTES, SECTOR_BYTES, self.content.seed, generation, BAD_RANGES_MAX, lambda *_: True
            )
        except OSError as error:
            raise EngineError(message("engine-drive-gone", error=error.strerror or str(error))) from error
        return bad_bytes < SECTOR_BYTES or any(BadKind(one.kind) in _OF_OWN_SEED for one in found)


_LOOKED_AT = 256
"""Places that are looked at for data of a seed."""
_OF_OWN_SEED = {BadKind.STALE, BadKind.ELSEWHERE, BadKind.CORRUPTED}


def _bad_range(found: _core.BadRange, content: Content, last: int) -> BadRange:
    generation = found.found_generation
    number = None if generation is None else content.number(generation, last)
    return BadRange(
        found.offset_bytes,
        found.length_bytes,
        BadKind(found.kind),
        found.found_offset_bytes,
        number,
        EARLIER_RUN if generation is not None and number is None else _detail(found),
    )


def _detail(found: _core.BadRange) -> str:
    if found.wrong_bits is not None:
        return f"{found.wrong_bits} wrong {'bit' if found.wrong_bits == 1 else 'bits'}"
    return found.error or ""


class ModelPasses:
    """On a drive model, which holds no data."""

    def __init__(self, engine: ModelEngine) -> None:
        self._engine = engine

    @property
    def name(self) -> str:
        """Of the model."""
        return self._engine.name

    def shape(self, job: Job) -> Job:
        """With the I/Os of a chunk at once."""
        return _model_job(job)

    def write(self, job: Job, number: int, directory: Path, listener: PassListener) -> RawResult:
        """See `Passes.write`."""
        del number
        return self._run(job, directory, listener)

    def read(
        self, job: Job, number: int, directory: Path, listener: PassListener
    ) -> tuple[RawResult, Verified | Unknown]:
        """See `Passes.read`."""
        del number
        return self._run(job, directory, listener), Unknown(message("unknown-model-no-data"))

    def _run(self, job: Job, directory: Path, listener: PassListener) -> RawResult:
        telling = _ModelTelling(listener)
        result = self._engine.run(job, directory, lambda _: None, telling, telling.heed)
        telling.finish(result)
        return result


class _ModelTelling:
    """Tells whoever listens what happens in virtual time, in its order: windows, and what sensors said at their ends."""

    def __init__(self, listener: PassListener) -> None:
        self._listener = listener
        self._said = deque[Sample]()
        self._windows = 0
        self._bytes = 0

    def heed(self, time_ns: int, reading: SensorReading) -> None:
        """See `ssdlab.engine.sensing.Heed`."""
        self._said.append(Sample(time_ns, reading))

    def feed(self, time_ns: NDArray[np.int64], done_bytes: NDArray[np.float64]) -> EarlyStop | None:
        """See `ssdlab.engine.base.Judge`."""
        decision = Decision.GO_ON
        for window_bytes, ended_ns in zip(done_bytes.tolist(), time_ns.tolist(), strict=True):
            while self._said and self._said[0].time_ns <= ended_ns:
                self._listener.felt(*self._said.popleft())
            self._windows += 1
            self._bytes += round(window_bytes)
            decision = self._listener.done(Done(self._bytes, ended_ns))
        stops = decision is Decision.STOP
        return EarlyStop(STOPPED_BY_OPERATOR, self._bytes, int(time_ns[-1])) if stops else None

    def finish(self, result: RawResult) -> None:
        """The pass is over: the windows that no judge was shown."""
        (part,) = result.directions.values()
        done_bytes = np.diff(part.series.bytes_done, prepend=0.0)
        self.feed(part.series.time_ns[self._windows :], done_bytes[self._windows :])


def _model_job(job: Job) -> Job:
    """The same as the kernel would hand it to a drive: the I/Os of a chunk at once."""
    block_bytes = min(_IO_BYTES, job.block_bytes)
    depth = max(1, min(_DEPTH_MAX, job.block_bytes // block_bytes))
    length_bytes = job.region.length_bytes // block_bytes * block_bytes
    return replace(
        job,
        block_bytes=block_bytes,
        queue_depth=depth,
        region=replace(job.region, length_bytes=length_bytes),
        amount_bytes=length_bytes,
    )


class _Heeding:
    """Adds up the chunks of a pass and tells whoever listens."""

    def __init__(self, listener: PassListener, sampling: Sampling) -> None:
        self._listener = listener
        self._sampling = sampling
        self.chunks = Chunks()
        self.stopped = False

    def take(self, _offset_bytes: int, length_bytes: int, begun_ns: int, ended_ns: int) -> bool:
        self.chunks.add(length_bytes, begun_ns, ended_ns)
        self._sampling.tell()
        self.stopped = self._listener.done(Done(self.chunks.bytes, ended_ns)) is Decision.STOP
        return not self.stopped


def _result(
    engine: str, job: Job, direction: Direction, heeding: _Heeding, sampling: Sampling, vigil: Vigil
) -> RawResult:
    chunks = heeding.chunks
    if not chunks.count:
        raise EngineError(message("engine-nothing-done", job=job.name))
    histogram = chunks.histogram()
    part = DirectionResult(
        io_count=chunks.count,
        io_bytes=chunks.bytes,
        short_ios=0,
        runtime_ns=chunks.ended_ns,
        logged_bytes=chunks.bytes,
        latency={LatencyKind.CLAT: histogram, LatencyKind.LAT: histogram},
        series=chunks.series(job.block_bytes),
    )
    return RawResult(
        job=job,
        engine=engine,
        elapsed_ns=chunks.ended_ns,
        directions={direction: part},
        error_count=0,
        dropped=(),
        cpu=None,
        stopped=EarlyStop(STOPPED_BY_OPERATOR, chunks.bytes, chunks.ended_ns) if heeding.stopped else None,
        sensed=sampling.sensed(chunks.ended_ns, 0),
        standstills=vigil.standstills,
        timed=LatencyKind.LAT,
    )
