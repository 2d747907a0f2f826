"""What a bundle holds, as values: the run, its steps, its metrics, its audit."""

from dataclasses import dataclass, fields
from enum import Enum
from typing import Annotated

from pydantic import Field, PlainSerializer

from ssdlab.bundle.metric_key import MetricKey, key_as_json
from ssdlab.bundle.publication import Publication
from ssdlab.drive.identity import DriveIdentity
from ssdlab.drive.lateness import Late
from ssdlab.drive.sense.reading import SensorReading
from ssdlab.engine.punctuality import Punctuality
from ssdlab.engine.result import (
    DeviceTraffic,
    Direction,
    Dropped,
    EarlyStop,
    IssuedCell,
    LatencyKind,
    PointEnd,
    Replayed,
)
from ssdlab.engine.standstill import Standstill
from ssdlab.host.restore import Restoration
from ssdlab.host.tune import Tuning
from ssdlab.job import DriveState
from ssdlab.message import message
from ssdlab.message_json import MessageField, Remark, RemarkOrNull
from ssdlab.step_spec import StepSpec
from ssdlab.unknown import Unknown

SCHEMA_VERSION = 6
SEALED_SINCE = 4
"""Schema from which on every file has its SHA-256 and every line of the journal its digest."""
INDEX_DIGITS = 3
"""An enterprise run has hundreds of steps, and their directories are to sort as they ran."""
_INDEX_DIGITS_MAX = 9
"""So many steps no run has, and a number of a million digits is none."""


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
    index_digits: Annotated[int, Field(ge=1, le=_INDEX_DIGITS_MAX)] = INDEX_DIGITS
    """Least digits of the numbers that directories of steps begin with."""
    published: Publication | None = None
    """Absent from what a run wrote itself."""


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


NOT_RECORDED = Unknown(message("unknown-not-recorded"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SensedStep:
    """What sensors said at both ends of a job, and the kernel meanwhile; what they said in between is in `sensors.parquet`."""

    before: SensorReading
    after: SensorReading
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
    point_end: PointEnd | None = None
    """How it ended if it was to be measured until its mean rate is known."""
    standstills: tuple[Standstill, ...] | Unknown = NOT_RECORDED
    """Times in which measuring stood still, and not because of the drive."""
    began_ns: int | Unknown = NOT_RECORDED
    """When its I/O began, on the run's clock; a step begins earlier, by what its engine takes to start."""
    timed: LatencyKind = LatencyKind.LAT
    """The latency that the series and the single I/Os tell: submission and completion in bundles that do not say."""
    punctuality: Punctuality | Unknown = NOT_RECORDED
    """How late the load was generated, where the engine tells."""
    gap_ns: int | Unknown = NOT_RECORDED
    """From the last completion of the job before to its own first submission, where the engine tells."""
    issued: tuple[IssuedCell, ...] = ()
    """Of a mix, what was done by kind: part, length, class of places, how many."""
    replayed: Replayed | None = None
    """Of a replay alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(StepSpec):
    """One step of the plan and what became of it."""

    status: StepStatus
    started_ns: int | None
    """Since the start of the run, on the run's clock (virtual for the model engine)."""
    ended_ns: int | None
    reason: RemarkOrNull
    """Why it failed, was interrupted or skipped."""
    note: Remark = None
    """What was done, where the plan leaves it open: how the drive was purged."""
    bytes_done: int | None = None
    """How far its job was when last heard of, for a step that did not finish."""
    asked_by: int | None = None
    """Position of the search that asked for it while the run went on; absent where the plan had it from the start."""


def as_step(step: StepSpec, asked_by: int | None = None) -> Step:
    """A step before anything was done.

    Args:
        step: As planned.
        asked_by: Index of the search that asks for it.
    """
    said = {field.name: getattr(step, field.name) for field in fields(StepSpec)}
    return Step(**said, status=StepStatus.PLANNED, started_ns=None, ended_ns=None, reason=None, asked_by=asked_by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumption:
    """A stopped run went on."""

    at: str
    """UTC, ISO 8601."""
    reason: MessageField
    """Which steps had to be redone, and why."""
    redone: tuple[str, ...]
    """Steps begun before, which were done again; what they had left is kept under `attempts/`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One measured number with all that is needed to trust it (METHODS M)."""

    key: Annotated[MetricKey, PlainSerializer(key_as_json)]
    """What it is of."""
    value: float | int | bool | str | Unknown
    """A word where the result is one of a few classes."""
    unit: str
    state: DriveState
    step: str
    low: float | None = None
    """Lower end of the 95 % interval, where the data gives one."""
    high: float | None = None
    note: Remark = None
    """What a reader must know beside the name, e.g. which kind of mean."""
    failed_checks: tuple[str, ...] = ()
    """Names of the audit checks that failed for the step it came from: the number is marked, never dropped."""

    @property
    def name(self) -> str:
        """Stable and dotted."""
        return self.key.name


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

    # Of a member there is one; that of Enum is a function of Python, and an import of many jobs asks for millions.
    __hash__ = object.__hash__


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
    finding: MessageField
    """What was seen, with numbers and units."""
    meaning: MessageField | None
    """What it means for the numbers of the step; None where the check does not apply."""
    remedy: MessageField | None = None
    """What to do about it; None where there is nothing to do."""
    numbers: tuple[Compared, ...] = ()
    """What was compared, for programs."""
