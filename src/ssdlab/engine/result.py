"""RawResult: what an engine hands over, the same whether fio or the model did the I/O."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ssdlab.drive.lateness import Late
from ssdlab.drive.sense.reading import SensorReading
from ssdlab.engine.punctuality import Punctuality
from ssdlab.engine.standstill import NOT_WATCHED, Standstill
from ssdlab.job import Job, StreamKind
from ssdlab.message import message
from ssdlab.message_json import MessageField
from ssdlab.unknown import Unknown


class Direction(Enum):
    """Kind of I/O."""

    READ = "read"
    WRITE = "write"
    TRIM = "trim"

    # Of a member there is one; that of Enum is a function of Python, and an import of many jobs asks for millions.
    __hash__ = object.__hash__


class Totalled(Protocol):
    """What is known of one direction, wherever it is kept."""

    @property
    def io_bytes(self) -> int:
        """All of its I/Os together."""


def moved_bytes(directions: Mapping[Direction, Totalled]) -> int:
    """What was read and written. A trace discards besides, perhaps the whole drive at once: that counts only where nothing else was done."""
    moved = [one.io_bytes for direction, one in directions.items() if direction is not Direction.TRIM]
    return sum(moved or (one.io_bytes for one in directions.values()))


_DIRECTION_OF = {StreamKind.WRITE: Direction.WRITE, StreamKind.TRIM: Direction.TRIM}


def job_of(job: Job, direction: Direction) -> Job:
    """Who does what goes in that direction: a stream beside the job, else the job itself."""
    streams = [stream for stream in job.beside if _DIRECTION_OF[stream.kind] is direction]
    return job.of_stream(streams[0]) if streams else job


class LatencyKind(Enum):
    """Which part of an I/O's life a latency covers; fio's words."""

    CLAT = "clat"
    """Completion latency: from submission to completion."""
    LAT = "lat"
    """Submission plus completion."""

    # Of a member there is one; that of Enum is a function of Python, and an import of many jobs asks for millions.
    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """What one direction did over time, one row a window; all arrays have the same length.

    Attributes:
        window_ns: Nominal length of a window.
        time_ns: int64, end of each window since the job began.
        bandwidth_bytes_per_s: float64.
        iops: float64, 1/s.
        latency_ns_mean: float64, mean latency of the I/Os completed in the window; NaN where there was none.
        latency_ns_max: float64, likewise the largest; NaN throughout where the engine cannot tell.
    """

    window_ns: int
    time_ns: NDArray[np.int64]
    bandwidth_bytes_per_s: NDArray[np.float64]
    iops: NDArray[np.float64]
    latency_ns_mean: NDArray[np.float64]
    latency_ns_max: NDArray[np.float64]

    @property
    def duration_ns(self) -> NDArray[np.int64]:
        """int64, how long each window really was: fio's windows end late under load, and the last one is short."""
        return np.diff(self.time_ns, prepend=np.int64(0))

    @property
    def bytes_done(self) -> NDArray[np.float64]:
        """float64, bytes moved by the end of each window."""
        return np.cumsum(self.bandwidth_bytes_per_s * self.duration_ns / 1e9)


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Latency distribution in fio's bins (64 a power of two, so a value is known to 0.8 %).

    Attributes:
        bin_index: int64, ascending indices of fio's bins that are not empty.
        count: int64, I/Os in each of them.
        mean_ns, min_ns, max_ns, stddev_ns: exact, not from the bins.
    """

    bin_index: NDArray[np.int64]
    count: NDArray[np.int64]
    mean_ns: float
    min_ns: int
    max_ns: int
    stddev_ns: float

    @property
    def total(self) -> int:
        """Number of I/Os."""
        return int(self.count.sum())


@dataclass(frozen=True, slots=True, eq=False)
class LatencyWindows:
    """Distribution of the completion latency (`clat`) in each window, one row a bin that is not empty; arrays of one length.

    Attributes:
        window_ns: Length of a window: that of the series, doubled until there are at most 4096 of them.
        time_ns: int64, end of the row's window since the job began; ascending, the last one is the end of the job.
        bin_index: int64, first of the four neighbouring bins of fio's that are counted as one (16 a power of two).
        count: int64, I/Os that completed in the window with such a latency.
    """

    window_ns: int
    time_ns: NDArray[np.int64]
    bin_index: NDArray[np.int64]
    count: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class EveryIo:
    """Every single I/O of a job, in order of completion; arrays of one length.

    Attributes:
        time_ns: int64, completion since the job began.
        latency_ns: int64.
        offset_bytes: int64.
    """

    time_ns: NDArray[np.int64]
    latency_ns: NDArray[np.int64]
    offset_bytes: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DirectionResult:
    """All that is known of one direction of a job."""

    io_count: int
    io_bytes: int
    short_ios: int
    runtime_ns: int
    """Time this direction was busy, as the engine reports it."""
    logged_bytes: int
    """Bytes the engine's logs account for; what was in flight when fio stopped logging is missing from it, not from the series."""
    latency: Mapping[LatencyKind, Histogram]
    series: Series
    every_io: EveryIo | None = None
    latency_windows: LatencyWindows | None = None
    """Where the job asks for it (`IoLog.DISTRIBUTION_OVER_TIME`)."""


STOPPED_BY_OPERATOR = "stopped by the operator"
"""In place of a criterion: none was fulfilled."""


@dataclass(frozen=True, slots=True)
class EarlyStop:
    """A job that was ended before its amount or time was up, because whoever watched it had seen enough."""

    criterion: str
    """Name of what was fulfilled, or `stopped by the operator`."""
    at_bytes: int
    """Bytes done when it was; what was in flight came after."""
    at_ns: int
    """Time since the job began, likewise."""

    @property
    def is_verdict(self) -> bool:
        """Whether a criterion was fulfilled."""
        return self.criterion != STOPPED_BY_OPERATOR


class PointEnding(Enum):
    """Why a point ended that was to be measured until its mean rate is known."""

    ENOUGH = "enough"
    """The interval was as narrow as asked, and nothing spoke against it: twice in a row where the point alone says how narrow it is."""
    NOT_REACHED = "not reached"
    """Its longest time was over before."""
    NO_NARROWER = "no narrower"
    """The interval was wider than asked, and would have been hardly narrower at the end of its longest time: the drive's past varied more
    slowly than that."""
    WHOLE = "whole"
    """It writes, and of how this drive writes was known before less than three times its longest time, or nothing: the drive may have
    rhythms that no short look sees, so the point went on to the end of that time however narrow the interval was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointEnd:
    """How a point ended that was to be measured until its mean rate is known.

    Attributes:
        because: Why.
        within: Half of the 95 % interval that was asked for, as a share of the mean.
        seen_ns: What was looked at, from the beginning.
        ramp_ns: The part of it at the beginning that is not like the rest, and does not count.
        bytes_per_s: Mean rate of what counts.
        low: Lower end of its 95 % interval, bytes per second; None where it drifts, or the drive did before: no interval of minutes holds
            a mean that moves.
        high: Upper end, likewise.
        rhythm_ns: Longest rhythm that was seen, in the drive's writes before or in the point; None where there was none.
        drift: Change over what counts, as a share of its mean, where it is more than chance and more than `within`.
        past_drift: Likewise over what is known of the drive's writes before, where it is more than half of `within`.
    """

    because: PointEnding
    within: float
    seen_ns: int
    ramp_ns: int
    bytes_per_s: float
    low: float | None
    high: float | None
    rhythm_ns: int | None
    drift: float | None
    past_drift: float | None = None

    @property
    def reach(self) -> float | None:
        """Half of the interval, as a share of the mean; None where there is none."""
        return None if self.high is None or self.drifts else (self.high - self.bytes_per_s) / self.bytes_per_s

    @property
    def drifts(self) -> bool:
        """Whether the speed goes one way, in the point or before it."""
        return self.drift is not None or self.past_drift is not None

    @property
    def is_shorter_than_rhythm(self) -> bool:
        """Whether what counts lasted less than two periods of the longest rhythm: then its mean depends on when it began."""
        return self.rhythm_ns is not None and self.seen_ns - self.ramp_ns < 2 * self.rhythm_ns


@dataclass(frozen=True, slots=True)
class Dropped:
    """An option the method asks for that this job could not use: recorded, never silent (METHODS 0)."""

    option: str
    reason: MessageField


@dataclass(frozen=True, slots=True)
class CpuUse:
    """Share of one core the engine's process spent, percent."""

    user_percent: float
    system_percent: float


class Forcing(Enum):
    """What the kernel sends a device so that a write is durable (`queue/write_cache` and `queue/fua`)."""

    NOTHING = "nothing"
    """The device says that it holds no write back."""
    FORCED_WRITES = "forced writes"
    """Writes with force unit access, which the kernel does not count apart."""
    FLUSHES = "flushes"


_FLUSHES_UNRECORDED = Unknown(message("unknown-flushes-unrecorded"))

NO_DEVICE = Unknown(message("unknown-no-block-device-involved"))


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceTraffic:
    """What the kernel counted for a block device from the start of a job to its end."""

    device: str
    """Name in `/sys/block`, or of the partition."""
    io_count: dict[Direction, int]
    """I/Os as they were asked of the block layer, before it merged any."""
    moved_bytes: dict[Direction, int] | Unknown
    flushes: int | Unknown = _FLUSHES_UNRECORDED
    """Flushes the device was sent; the kernel makes one of several that are asked for at once."""
    forcing: Forcing | Unknown = _FLUSHES_UNRECORDED


@dataclass(frozen=True, slots=True, eq=False)
class SensorSeries:
    """What sensors said during a job, one row a look at them; arrays of one length, NaN where it was not asked or not told.

    Attributes:
        time_ns: int64, since the job began, on the time axis of its windows.
        temperature_c: float64.
        throttle_level: float64, 0 not throttled.
        throttled_s: float64, total since the drive was new, like the counters that follow.
        host_read_bytes: float64.
        host_written_bytes: float64.
        media_written_bytes: float64.
    """

    time_ns: NDArray[np.int64]
    temperature_c: NDArray[np.float64]
    throttle_level: NDArray[np.float64]
    throttled_s: NDArray[np.float64]
    host_read_bytes: NDArray[np.float64]
    host_written_bytes: NDArray[np.float64]
    media_written_bytes: NDArray[np.float64]

    @property
    def says_anything(self) -> bool:
        """Whether any sensor answered."""
        return any(bool(np.isfinite(getattr(self, name)).any()) for name in SENSOR_COLUMNS)


SENSOR_COLUMNS = (
    "temperature_c",
    "throttle_level",
    "throttled_s",
    "host_read_bytes",
    "host_written_bytes",
    "media_written_bytes",
)
"""Those of its columns that a `SensorReading` has under the same names."""


@dataclass(frozen=True, slots=True)
class IssuedCell:
    """How many I/Os of a part of a mix had a length and went to a class of places, as the engine saw them go."""

    part: int
    """Position in the mix of the job, from 0."""
    block_bytes: int
    cell: int
    """Which tenth of the blocks of that length they went to, from 0; of a zipf law the class of the rank: `k` holds ranks above 2^(k-1) to 2^k,
    9 all others."""
    ios: int


@dataclass(frozen=True, slots=True, eq=False)
class JobSensors:
    """What sensors said of one job."""

    before: SensorReading
    after: SensorReading
    series: SensorSeries
    messages: tuple[str, ...] | Unknown
    """What the kernel said of the drive meanwhile."""
    late: Late | Unknown
    """How late the host let a virtual drive reply."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What of a replay no other job has.

    Attributes:
        flushes: Flushes that were done; they are among no direction's I/Os.
        moved_share: Share of the bytes that lay beyond the end of the drive in the trace, and were done elsewhere on it.
    """

    flushes: int
    moved_share: float


NO_BEGINNING = Unknown(message("unknown-not-recorded"))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RawResult:
    """One job, done."""

    job: Job
    engine: str
    """Engine and version, such as `fio-3.41` or `model-0.1.0`."""
    elapsed_ns: int
    """From the first submission to the last completion."""
    directions: Mapping[Direction, DirectionResult]
    error_count: int
    dropped: tuple[Dropped, ...]
    cpu: CpuUse | None
    """None where there is no process to account for (virtual time)."""
    stopped: EarlyStop | None = None
    """None where the job ran to its own end."""
    point_end: PointEnd | None = None
    """Of a point that was to be measured until its mean rate is known; nobody can tell of one of less than six windows."""
    notes: tuple[str, ...] = ()
    """What the engine said on stderr while it succeeded, line by line."""
    device: DeviceTraffic | Unknown = NO_DEVICE
    """The kernel's own count, to hold the engine's against."""
    sensed: JobSensors | None = None
    """None where nobody asked the sensors."""
    standstills: tuple[Standstill, ...] | Unknown = NOT_WATCHED
    """Times in which measuring stood still, and not because of the drive."""
    began_ns: int | Unknown = NO_BEGINNING
    """When its I/O began, on the clock of the engine."""
    timed: LatencyKind = LatencyKind.CLAT
    """The latency that the series and the single I/Os tell."""
    punctuality: Punctuality | Unknown = Unknown(message("unknown-punctuality"))  # noqa: RUF009 - a frozen value
    gap_ns: int | Unknown = Unknown(message("unknown-gap"))  # noqa: RUF009 - a frozen value
    """From the last completion of the engine's job before to its own first submission, on the engine's clock."""
    issued: tuple[IssuedCell, ...] = ()
    """Of a mix, what was done by kind."""
    replayed: Replayed | None = None
    """Of a replay alone."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Files to be kept as they are: fio's job file and its JSON."""
