"""Job: one invocation of fio (or of the model) as an immutable value; step: a job, a rest or a purge in its place; drive states."""

from dataclasses import dataclass, replace
from enum import Enum

from ssdlab.units import NS_PER_MS

WINDOW_NS = 100 * NS_PER_MS
"""Length of a window of the time series (METHODS 0)."""
SUSTAIN_SECTOR_BYTES = 4096
"""Ranges of a sustained write end on a whole one: no drive has larger sectors."""

HISTOGRAM_WINDOWS_MAX = 2**20
"""Windows of which a job of fio logs the latency distribution; a longer job has longer ones, and 100 ms of a day are fewer than this."""


class DriveState(Enum):
    """State of the drive when a number was taken (METHODS 0)."""

    FOB = "FOB"
    FILLED_ONCE = "filled once"
    FILLED_TWICE = "filled twice"
    PARTLY_FILLED = "partly filled"
    """A part written once from FOB, the rest still fresh."""
    RANDOM_WRITTEN = "filled twice, then its first part in random order"
    PRECONDITIONED = "preconditioned"
    """A used consumer drive (METHODS C4): what measuring writes in its regions belongs to it."""
    STEADY = "steady"
    NOT_STEADY = "not steady"
    """Written as often as the suite allows, and its speed still changed (METHODS S)."""
    THREE_QUARTERS_FULL = "75 % full"
    """In use up to three quarters (METHODS C9), of results of other programs."""
    AS_FOUND = "as found"
    """Nothing done to it before (probes)."""
    REGION_IN_ORDER = "its region written in order"
    """What is measured was written once in one sequential pass, by this run (probes); what lies beyond it is not known."""
    LEFT_BY_PROBES = "as earlier probes left it"
    UNKNOWN = "unknown"


class StepKind(Enum):
    """What a step does to the drive; few and closed."""

    PURGE = "purge"
    REST = "rest"
    FILL = "fill"
    RAMP = "ramp"
    """The load of the measurement after it, until the drive has got used to it: kept, and not counted."""
    MEASURE = "measure"
    TRIM = "trim"
    PRECONDITION = "precondition"
    """Writes until the drive is steady."""
    SEARCH = "search"
    """Asks for measurements while the run goes on, each by what those before have shown."""


class Resume(Enum):
    """What an interrupted step takes to be done again."""

    REDO = "redo"
    """The step alone: the drive is still in the state it needs."""
    FROM_PURGE = "from purge"
    """Everything since the last purge: it began in a state that is gone."""


class Pattern(Enum):
    """Order of offsets."""

    SEQUENTIAL = "sequential"
    RANDOM = "random"


class Draw(Enum):
    """How random offsets are drawn (METHODS 0)."""

    INDEPENDENT = "independent"
    """Each offset drawn anew: for measuring, and for preconditioning towards steady state."""
    PERMUTATION = "permutation"
    """Every block exactly once a pass: for what a step says is written."""


class Action(Enum):
    """What is done to the blocks."""

    READ_WRITE = "read_write"
    TRIM = "trim"


class Sync(Enum):
    """Durability asked of each write."""

    NONE = "none"
    SYNC = "sync"


class EngineName(Enum):
    """What does the I/O of a run in real time."""

    FIO = "fio"
    LOAD = "load"
    """ssdlab's own engine (`crates/load`)."""


class EngineRule(Enum):
    """What a method says of the engine."""

    FIO = "fio"
    LOAD = "load"
    ANY = "any"

    @property
    def engines(self) -> tuple[EngineName, ...]:
        """Those that may do the I/O, the one to be taken by itself first."""
        return tuple(EngineName) if self is EngineRule.ANY else (EngineName(self.value),)


class Interface(Enum):
    """How I/Os are handed to the kernel."""

    IO_URING = "io_uring"
    LIBAIO = "libaio"
    """BootBench and the consumer suite of 2025.07 are published so (METHODS 0)."""


class Caching(Enum):
    """Whether writes wait in the memory of the host."""

    DIRECT = "direct"
    BUFFERED = "buffered"
    """They do until they are flushed, and then go to the drive together."""


class Spacing(Enum):
    """How the I/Os of an open loop follow each other; the rate is the same in the mean."""

    POISSON = "poisson"
    """At random times, each of which knows nothing of the others."""
    CONSTANT = "constant"
    """At equal distances, as from a timer."""
    BURSTS = "bursts"
    """At random times too, but two and a half times as often in bursts of 2 ms and half as often in the 6 ms between, both in the mean."""


class IoLog(Enum):
    """How much is kept of each I/O."""

    WINDOWS = "windows"
    """100 ms series and whole histograms."""
    DISTRIBUTION_OVER_TIME = "distribution_over_time"
    """Also the latency distribution of each window, coarsely: what a heat map is drawn from."""
    EVERY_IO = "every_io"
    """Also the latency of every single I/O (METHODS C7, E4)."""


@dataclass(frozen=True, slots=True)
class Region:
    """The part of the drive a job may touch."""

    offset_bytes: int
    length_bytes: int

    @property
    def end_bytes(self) -> int:
        """First byte after the region."""
        return self.offset_bytes + self.length_bytes


@dataclass(frozen=True, slots=True)
class Zipf:
    """Random offsets of which the block of rank `k` gets a share proportional to `k` to the minus `exponent`; ranks are shuffled over the region."""

    exponent: float


@dataclass(frozen=True, slots=True)
class ZoneShares:
    """A part of the blocks and what of the I/Os it gets; both in per cent."""

    blocks_percent: int
    ios_percent: int


@dataclass(frozen=True, slots=True)
class Zones:
    """Random offsets of which each zone gets a share, and all blocks of a zone the same; the blocks of a zone are shuffled over the region."""

    zones: tuple[ZoneShares, ...]


Access = Zipf | Zones


class MixAction(Enum):
    """What a part of a mix does."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class MixSize:
    """A length and its share of the I/Os of a part."""

    block_bytes: int
    weight: int


@dataclass(frozen=True, slots=True)
class MixPart:
    """One kind of I/O of a mix: it comes `weight` times in the sum of the weights of all parts."""

    weight: int
    action: MixAction
    region: Region
    order: Pattern | Zipf
    sizes: tuple[MixSize, ...]


class ReplayPace(Enum):
    """How the I/Os of a trace follow each other."""

    TIMED = "timed"
    """At their recorded times, whatever the drive does."""
    IDLE = "idle"
    """Likewise, with longer pauses cut."""
    AS_FAST = "as_fast"
    """In their order, as soon as fewer than the queue depth are in flight."""
    DEPENDENT = "dependent"
    """Each when those are over that it waited for when it was recorded, and then as long after them as then."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A trace that is done again."""

    path: str
    """Where it is."""
    sha256: str
    """Of its file: another one is another load."""
    pace: ReplayPace
    pause_ns_max: int | None
    """Longest pause between two arrivals, of the pace `idle` alone."""
    arrivals_ns: int | None
    """From its first arrival to its last, where it tells them."""
    write_bytes: int
    """What it writes."""
    discards: int
    """How often it gives back, by discards and by writes of zeros."""


class StreamKind(Enum):
    """What a stream beside a job does to its blocks."""

    WRITE = "write"
    TRIM = "trim"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """Writes or trims beside the reads of a job: random blocks of its region, one at a time, at a steady pace, as long as it lasts."""

    kind: StreamKind
    block_bytes: int
    rate_bytes_per_s: int
    """What is late is caught up."""
    flush_every: int | None = None
    """The drive is flushed after so many writes; never when absent."""
    caching: Caching = Caching.DIRECT


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One fio invocation.

    A job ends when `amount_bytes` are moved or `duration_ns` has passed, whichever comes first; at least one must be given.
    """

    name: str
    pattern: Pattern
    read_percent: int
    """Share of reads, 0..100; ignored when `action` is TRIM."""
    block_bytes: int
    queue_depth: int
    region: Region
    amount_bytes: int | None
    """Of all `jobs` together, as is `rate_iops`."""
    duration_ns: int | None
    seed: int
    action: Action = Action.READ_WRITE
    draw: Draw = Draw.INDEPENDENT
    jobs: int = 1
    rate_iops: int | None = None
    """Open loop at this rate; closed loop at `queue_depth` when absent."""
    arrivals: Spacing = Spacing.POISSON
    """Of an open loop; a closed one has none."""
    sync: Sync = Sync.NONE
    io_log: IoLog = IoLog.WINDOWS
    interface: Interface = Interface.IO_URING
    access: Access | None = None
    """Where random I/Os go that do not go everywhere alike, in place of what `draw` says; fio has no such draws."""
    mix: tuple[MixPart, ...] = ()
    """What its I/Os are if not all alike: then `block_bytes` is the shortest of them, and `read_percent` their share of reads."""
    replay: Replay | None = None
    """Where its I/Os are from, if they are recorded: then `amount_bytes` is what the trace reads and writes, and `block_bytes` its mean length in whole
    sectors, neither with its discards; `read_percent` is the share of reads among all of its I/Os."""
    beside: tuple[Stream, ...] = ()
    """Each of another kind; only beside a closed loop of reads that ends by time, so that a direction tells whose I/O it is."""

    @property
    def in_flight(self) -> int:
        """I/Os that all `jobs` together keep in flight."""
        return self.queue_depth * self.jobs

    def __post_init__(self) -> None:
        """Check what no engine could run.

        Raises:
            ValueError: The values contradict each other; suites are checked earlier, so this is a programming error.
        """
        if self.amount_bytes is None and self.duration_ns is None:
            raise ValueError(f"job {self.name}: neither amount nor duration ends it")
        if not 0 <= self.read_percent <= 100:
            raise ValueError(f"job {self.name}: read_percent is {self.read_percent}, allowed is 0..100")
        if min(self.block_bytes, self.queue_depth, self.jobs) < 1:
            raise ValueError(f"job {self.name}: block size, queue depth and jobs must be at least 1")
        if self.region.length_bytes < self.block_bytes:
            raise ValueError(f"job {self.name}: the region of {self.region.length_bytes} bytes holds no whole block")
        if self.access is not None and (self.pattern is not Pattern.RANDOM or self.io_log is IoLog.EVERY_IO):
            raise ValueError(f"job {self.name}: only random offsets follow a law, and no engine tells where each went")
        if self.mix and (self.access is not None or self.amount_bytes is not None or self.io_log is IoLog.EVERY_IO):
            raise ValueError(f"job {self.name}: a mix has laws of its own, ends by time and is not logged I/O by I/O")
        if self.replay is not None and (
            self.mix or self.access is not None or self.rate_iops is not None or self.beside
        ):
            raise ValueError(f"job {self.name}: a trace says itself what is done, where and when")
        if self.beside:
            self._check_streams()

    def _check_streams(self) -> None:
        timed = self.amount_bytes is None and self.rate_iops is None
        if self.action is Action.TRIM or self.read_percent < 100 or not timed:
            raise ValueError(f"job {self.name}: streams go only beside a closed loop of reads that ends by time")
        if len({stream.kind for stream in self.beside}) < len(self.beside):
            raise ValueError(f"job {self.name}: two streams beside it are of one kind")
        if any(stream.block_bytes > self.region.length_bytes for stream in self.beside):
            raise ValueError(f"job {self.name}: the region holds no whole block of a stream beside it")

    @property
    def keeps_times(self) -> bool:
        """Whether its I/Os have times of their own, whatever the drive does."""
        return self.rate_iops is not None or (
            self.replay is not None and self.replay.pace in {ReplayPace.TIMED, ReplayPace.IDLE}
        )

    @property
    def is_of_many_lengths(self) -> bool:
        """Whether `block_bytes` is not the length of every I/O."""
        return bool(self.mix) or self.replay is not None

    @property
    def writes(self) -> bool:
        """Whether the job changes what is on the drive."""
        return self.action is Action.TRIM or self.read_percent < 100 or bool(self.beside)

    def of_stream(self, stream: Stream) -> "Job":
        """A stream beside the job as a job of its own; its seed is another for each kind."""
        return replace(
            self,
            name=f"{self.name}.{stream.kind.value}",
            action=Action.TRIM if stream.kind is StreamKind.TRIM else Action.READ_WRITE,
            read_percent=0,
            block_bytes=stream.block_bytes,
            queue_depth=1,
            jobs=1,
            seed=self.seed + 1 + list(StreamKind).index(stream.kind),
            beside=(),
        )
