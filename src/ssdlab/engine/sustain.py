"""Writing and reading back a whole range (METHODS U): on real targets by ssdlab's own writer, on a model in virtual time.

fio cannot do it: its data says where a block belongs but not of which pass it is, and it does not tell apart what it finds
wrong. The writer makes and checks data on a thread of its own, so that the drive is what is measured.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core, version
from ssdlab.drive.sense import Reading, Sensor
from ssdlab.engine.bad_data import BAD_RANGES_MAX, BadKind, BadRange, Verified
from ssdlab.engine.base import EngineError
from ssdlab.engine.model import ModelEngine
from ssdlab.engine.result import (
    STOPPED_BY_OPERATOR,
    Direction,
    DirectionResult,
    EarlyStop,
    Histogram,
    LatencyKind,
    RawResult,
    Series,
)
from ssdlab.engine.sensing import Sample, Sampling
from ssdlab.job import WINDOW_NS, Job
from ssdlab.method.sustain import SECTOR_BYTES
from ssdlab.units import MIB, NS_PER_S
from ssdlab.unknown import Unknown

_IO_BYTES = MIB
"""What the kernel makes of a large write: the model is given as many of these at once as fit into a chunk."""
_DEPTH_MAX = 64
_WINDOWS_MAX = 20_000
"""Of the series of a pass: a longer pass has longer windows, so that what is kept of it stays small."""


class Heard(Enum):
    """What whoever listens to a pass wants."""

    GO_ON = "go on"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Done:
    """Where a pass is: bytes and nanoseconds since it began."""

    bytes: int
    time_ns: int


class Listener(Protocol):
    """Whoever listens to a pass."""

    def done(self, done: Done) -> Heard:
        """A chunk is done."""

    def felt(self, time_ns: int, reading: Reading) -> None:
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

    def write(self, job: Job, number: int, directory: Path, listener: Listener) -> RawResult:
        """Write the range of a job in the pass of that number; raises EngineError where the drive refuses."""

    def read(self, job: Job, number: int, directory: Path, listener: Listener) -> tuple[RawResult, Verified | Unknown]:
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

    def write(self, job: Job, number: int, directory: Path, listener: Listener) -> RawResult:
        """See `Passes.write`; the files of a pass are the caller's."""
        del directory
        region, content = job.region, self.content
        with Sampling(self.sensor, listener.felt) as sampling:
            chunks = _Chunks(listener, sampling)
            try:
                self.medium.write(
                    region.offset_bytes,
                    region.length_bytes,
                    job.block_bytes,
                    self.flush_bytes,
                    content.seed,
                    content.generation(number),
                    chunks.take,
                )
            except OSError as error:
                raise EngineError(f"the drive refused to be written: {error.strerror or error}") from error
        return _result(self.name, job, Direction.WRITE, chunks, sampling)

    def read(self, job: Job, number: int, directory: Path, listener: Listener) -> tuple[RawResult, Verified | Unknown]:
        """See `Passes.read`."""
        del directory
        region, content = job.region, self.content
        with Sampling(self.sensor, listener.felt) as sampling:
            chunks = _Chunks(listener, sampling)
            try:
                found, bad_bytes = self.medium.check(
                    region.offset_bytes,
                    region.length_bytes,
                    job.block_bytes,
                    content.seed,
                    content.generation(number),
                    BAD_RANGES_MAX,
                    chunks.take,
                )
            except OSError as error:
                raise EngineError(f"the drive is gone: {error.strerror or error}") from error
        bad = tuple(_bad_range(one, content, number) for one in found)
        return _result(self.name, job, Direction.READ, chunks, sampling), Verified(bad_bytes, bad)

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
            raise EngineError(f"the drive is gone: {error.strerror or error}") from error
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

    def write(self, job: Job, number: int, directory: Path, listener: Listener) -> RawResult:
        """See `Passes.write`; whoever listens hears of it when it is over, for it takes no time."""
        del number
        return self._run(job, directory, listener)

    def read(self, job: Job, number: int, directory: Path, listener: Listener) -> tuple[RawResult, Verified | Unknown]:
        """See `Passes.read`."""
        del number
        return self._run(job, directory, listener), Unknown("a drive model holds no data to compare")

    def _run(self, job: Job, directory: Path, listener: Listener) -> RawResult:
        readings: list[Sample] = []
        result = self._engine.run(job, directory, lambda _: None, heed=lambda *sample: readings.append(Sample(*sample)))
        _retell(result, readings, listener)
        return result


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


def _retell(result: RawResult, readings: Sequence[Sample], listener: Listener) -> None:
    """What happened, in its order: windows, and what sensors said at their ends; it is too late to stop it."""
    left = deque(readings)
    (part,) = result.directions.values()
    for done_bytes, time_ns in zip(part.series.bytes_done, part.series.time_ns, strict=True):
        while left and left[0].time_ns <= time_ns:
            listener.felt(*left.popleft())
        listener.done(Done(round(float(done_bytes)), int(time_ns)))


class _Chunks:
    """What is noted of each chunk: 24 bytes."""

    def __init__(self, listener: Listener, sampling: Sampling) -> None:
        self._listener = listener
        self._sampling = sampling
        self.ended_ns: list[int] = []
        self.took_ns: list[int] = []
        self.done_bytes: list[int] = []
        self.stopped = False

    def take(self, _offset_bytes: int, length_bytes: int, begun_ns: int, ended_ns: int) -> bool:
        done = length_bytes + (self.done_bytes[-1] if self.done_bytes else 0)
        self.ended_ns.append(ended_ns)
        self.took_ns.append(ended_ns - begun_ns)
        self.done_bytes.append(done)
        self._sampling.tell()
        self.stopped = self._listener.done(Done(done, ended_ns)) is Heard.STOP
        return not self.stopped


def _result(engine: str, job: Job, direction: Direction, chunks: _Chunks, sampling: Sampling) -> RawResult:
    if not chunks.ended_ns:
        raise EngineError(f"nothing of `{job.name}` was done")
    ended_ns, took_ns, done_bytes = (
        np.array(column, dtype=np.int64) for column in (chunks.ended_ns, chunks.took_ns, chunks.done_bytes)
    )
    total_bytes, runtime_ns = int(done_bytes[-1]), int(ended_ns[-1])
    histogram = _histogram(took_ns)
    part = DirectionResult(
        io_count=len(ended_ns),
        io_bytes=total_bytes,
        short_ios=0,
        runtime_ns=runtime_ns,
        logged_bytes=total_bytes,
        latency={LatencyKind.CLAT: histogram, LatencyKind.LAT: histogram},
        series=_series(job, ended_ns, took_ns, done_bytes),
    )
    return RawResult(
        job=job,
        engine=engine,
        elapsed_ns=runtime_ns,
        directions={direction: part},
        error_count=0,
        dropped=(),
        cpu=None,
        stopped=EarlyStop(STOPPED_BY_OPERATOR, total_bytes, runtime_ns) if chunks.stopped else None,
        sensed=sampling.sensed(runtime_ns, 0),
    )


def _histogram(took_ns: NDArray[np.int64]) -> Histogram:
    values, counts = np.unique(took_ns, return_counts=True)
    bins = np.array([_core.bin_index(int(value)) for value in values], dtype=np.int64)
    indices, places = np.unique(bins, return_inverse=True)
    return Histogram(
        bin_index=indices,
        count=np.bincount(places, weights=counts).astype(np.int64),
        mean_ns=float(took_ns.mean()),
        min_ns=int(took_ns.min()),
        max_ns=int(took_ns.max()),
        stddev_ns=float(took_ns.std()),
    )


def _series(job: Job, ended_ns: NDArray[np.int64], took_ns: NDArray[np.int64], done_bytes: NDArray[np.int64]) -> Series:
    """Windows of 100 ms, or of more of a long pass; the bytes of a chunk spread evenly over the time it took."""
    runtime_ns = int(ended_ns[-1])
    window_ns = WINDOW_NS * max(1, -(-runtime_ns // (WINDOW_NS * _WINDOWS_MAX)))
    edges = np.append(np.arange(window_ns, runtime_ns, window_ns), runtime_ns)
    begun_ns = ended_ns - took_ns
    times = np.column_stack((begun_ns, ended_ns)).ravel()
    before = np.concatenate(([0], done_bytes[:-1]))
    levels = np.column_stack((before, done_bytes)).ravel()
    done = np.interp(edges, times, levels)
    seconds = np.diff(edges, prepend=0) / NS_PER_S
    bandwidth = np.diff(done, prepend=0) / seconds
    place = np.searchsorted(edges, ended_ns)
    count = np.bincount(place, minlength=len(edges))
    with np.errstate(invalid="ignore"):
        mean = np.bincount(place, weights=took_ns, minlength=len(edges)) / count
    longest = np.full(len(edges), np.nan)
    np.fmax.at(longest, place, took_ns)
    return Series(
        window_ns=window_ns,
        time_ns=edges.astype(np.int64),
        bandwidth_bytes_per_s=bandwidth,
        iops=bandwidth / job.block_bytes,
        latency_ns_mean=mean,
        latency_ns_max=longest,
    )
