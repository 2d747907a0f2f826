"""What a bundle holds, as values: the run, its steps, its metrics, its audit."""

from dataclasses import dataclass
from enum import Enum

from ssdlab.drive.identity import DriveIdentity
from ssdlab.drive.lateness import Late
from ssdlab.drive.restore import Restoration
from ssdlab.drive.sense import Reading
from ssdlab.drive.tune import Tuning
from ssdlab.engine.result import DeviceTraffic, Direction, Dropped, EarlyStop, LatencyKind
from ssdlab.job import DriveState, Job, StepKind
from ssdlab.unknown import Unknown

SCHEMA_VERSION = 3
INDEX_DIGITS = 3
"""An enterprise run has hundreds of steps, and their directories are to sort as they ran."""


class StepStatus(Enum):
    """How far a step came."""

    PLANNED = "planned"
    STARTED = "started"
    """Begun and never ended: power loss, kill, crash."""
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    SKIPPED = "skipped"


class RunStatus(Enum):
    """How the run ended, as far as the bundle can tell."""

    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    STOPPED = "stopped"
    """It came to a limit it was given."""
    UNFINISHED = "unfinished"
    """No word of an end: still running, or killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFacts:
    """The machine the run was made on."""

    hostname: str
    kernel: str
    os: str
    cpu: str
    cpu_count: int
    memory_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteText:
    """The suite exactly as it ran."""

    name: str
    version: str
    text: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Where the run stops itself; null where it does not."""

    temperature_c_max: float | None = None
    write_bytes_max: int | None = None
    """Of all it writes to the drive, also what is done again after a stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """`run.json`: everything that was fixed before the first step."""

    schema: int
    started_at: str
    """UTC, ISO 8601."""
    drive: DriveIdentity
    host: HostFacts
    suite: SuiteText
    profile: str
    comparable: bool
    """False for profiles that scale the method down: such numbers are not to be compared."""
    seed: int
    engine: str
    ssdlab_version: str
    spec_text: str | None = None
    """Specification of a virtual drive, complete."""
    limits: Limits = Limits()
    """As it was begun; a resumed run may be given others."""
    index_digits: int = INDEX_DIGITS
    """Least digits of the numbers that directories of steps begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyStats:
    """Exact statistics of a latency distribution; its bins are in `histogram.parquet`."""

    mean_ns: float
    min_ns: int
    max_ns: int
    stddev_ns: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectionTotals:
    """Scalars of one direction of a finished job (`result.json`)."""

    io_count: int
    io_bytes: int
    short_ios: int
    runtime_ns: int
    logged_bytes: int
    """Bytes the engine's own logs account for (see `DirectionResult`)."""
    latency: dict[LatencyKind, LatencyStats]


NOT_RECORDED = Unknown("it was not recorded")


@dataclass(frozen=True, slots=True, kw_only=True)
class SensedStep:
    """What sensors said at both ends of a job, and the kernel meanwhile; what they said in between is in `sensors.parquet`."""

    before: Reading
    after: Reading
    messages: tuple[str, ...] | Unknown
    """Lines of the kernel's log that name the drive."""
    late: Late | Unknown = NOT_RECORDED
    """How late the host let a virtual drive reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """`result.json` of a step that did I/O; series and histograms stand beside it as Parquet."""

    engine: str
    elapsed_ns: int
    error_count: int
    directions: dict[Direction, DirectionTotals]
    dropped: tuple[Dropped, ...]
    notes: tuple[str, ...]
    cpu_user_percent: float | None
    cpu_system_percent: float | None
    device: DeviceTraffic | Unknown = NOT_RECORDED
    """The kernel's count of what the job did to the device."""
    sensed: SensedStep | Unknown = NOT_RECORDED
    stopped: EarlyStop | None = None
    """What ended it before its amount or time was up; absent where it ran to its own end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the plan and what became of it."""

    index: int
    """Position in the plan, from 1; steps that were asked for while the run went on are counted after all others."""
    name: str
    """Dotted and unique in the run, such as `fill.pass1`."""
    group: str
    """Name of the suite's step it comes from, such as `fill`."""
    point: str
    """Prefix of the metrics it contributes to; its own name where nothing is repeated."""
    run: int = 1
    """Which repetition of the point, from 1."""
    kind: StepKind
    status: StepStatus
    state: DriveState
    """State of the drive when the step began."""
    job: Job | None
    """Absent for steps that do no fio I/O."""
    rest_ns: int
    """Planned rest, for rest steps; 0 otherwise."""
    started_ns: int | None
    """Since the start of the run, on the run's clock (virtual for the model engine)."""
    ended_ns: int | None
    reason: str | None
    """Why it failed, was interrupted or skipped."""
    note: str = ""
    """What was done, where the plan leaves it open: how the drive was purged."""
    bytes_done: int | None = None
    """How far its job was when last heard of, for a step that did not finish."""
    asked_by: int | None = None
    """Position of the search that asked for it while the run went on; absent where the plan had it from the start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumption:
    """A stopped run went on."""

    at: str
    """UTC, ISO 8601."""
    reason: str
    """Which steps had to be redone, and why."""
    redone: tuple[str, ...]
    """Steps begun before, which were done again; what they had left is kept under `attempts/`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One measured number with all that is needed to trust it (METHODS M)."""

    name: str
    value: float | int | bool | str | Unknown
    """A word where the result is one of a few classes."""
    unit: str
    state: DriveState
    step: str
    low: float | None = None
    """Lower end of the 95 % interval, where the data gives one."""
    high: float | None = None
    note: str = ""
    """What a reader must know beside the name, e.g. which kind of mean."""
    failed_checks: tuple[str, ...] = ()
    """Names of the audit checks that failed for the step it came from: the number is marked, never dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRecord:
    """The host from one moment of the run on: its beginning, or its going on after a stop."""

    since_ns: int
    """Since the start of the run, on the run's clock."""
    tuning: Tuning
    restoration: Restoration | Unknown
    """What was put back; unknown where the run was killed first, or nothing had been set."""


class Outcome(Enum):
    """Outcome of an audit check."""

    PASS = "pass"  # noqa: S105 - no password
    WARN = "warn"
    FAIL = "fail"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One thing a check looked at."""

    name: str
    value: float | int | str
    unit: str = ""
    """Empty for counts, shares and words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One named audit check of one step."""

    name: str
    """Stable and dotted, such as `latency.clat_within_lat`."""
    step: str
    outcome: Outcome
    finding: str
    """What was seen, with numbers and units."""
    meaning: str
    """What it means for the numbers of the step; empty where the check does not apply."""
    mend: str = ""
    """What to do about it; empty where there is nothing to do."""
    numbers: tuple[Compared, ...] = ()
    """What was compared, for programs."""
