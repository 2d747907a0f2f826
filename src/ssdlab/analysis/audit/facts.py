"""What the checks of the audit look at, the same whether the lab made the run or somebody else's fio did."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.audit.setup import EngineSetup
from ssdlab.drive.lateness import Late
from ssdlab.engine.fio.binary import FioVersion
from ssdlab.engine.punctuality import Punctuality
from ssdlab.engine.result import (
    DeviceTraffic,
    Direction,
    Dropped,
    EarlyStop,
    Histogram,
    IssuedCell,
    LatencyKind,
    PointEnd,
    moved_bytes,
)
from ssdlab.engine.standstill import Standstill
from ssdlab.host.tune import Tuning
from ssdlab.job import Job, StepKind
from ssdlab.message import message
from ssdlab.unknown import Unknown


class Origin(Enum):
    """Whose result it is."""

    LAB = "lab"
    FOREIGN = "foreign"


class AmountScale(Enum):
    """Whether amounts and times are those of the method."""

    FULL = "full"
    SCALED_DOWN = "scaled down"


class RateAim(Enum):
    """What a rate is offered for."""

    KEPT = "kept"
    """The drive is to keep it."""
    SOUGHT = "sought"
    """What the drive makes of it is the question, also where that is less."""


@dataclass(frozen=True, slots=True)
class VirtualTime:
    """An engine without fio, host or clock."""

    name: str


@dataclass(frozen=True, slots=True)
class OwnWriter:
    """ssdlab's own writer of sustained writes: no fio, but a host and a clock."""

    name: str


@dataclass(frozen=True, slots=True)
class OwnLoad:
    """ssdlab's own load engine, likewise."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """What was done over time; arrays of one length.

    Attributes:
        window_ns: Nominal length.
        end_ns: int64, end of each.
        done_bytes: float64, bytes moved in each; Unknown of logs that do not count bytes.
    """

    window_ns: int
    end_ns: NDArray[np.int64]
    done_bytes: NDArray[np.float64] | Unknown

    @property
    def duration_ns(self) -> NDArray[np.int64]:
        """int64, how long each really was."""
        return np.diff(self.end_ns, prepend=np.int64(0))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LatencyFacts:
    """One latency of one direction."""

    count: int
    """I/Os it was measured of."""
    mean_ns: float
    min_ns: int
    max_ns: int
    histogram: Histogram | Unknown
    percentile_ns: Mapping[float, int]
    """As fio printed them, by percent; empty where it did not."""


@dataclass(frozen=True, slots=True)
class Rates:
    """As fio printed them."""

    bandwidth_bytes_per_s: float
    iops: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DirectionFacts:
    """What is known of one direction that did any I/O."""

    io_count: int
    io_bytes: int
    short_ios: int
    runtime_ns: int
    logged_bytes: int | Unknown
    """Bytes fio's logs account for."""
    latency: Mapping[LatencyKind, LatencyFacts]
    """Those that were measured."""
    submission: LatencyFacts | Unknown
    windows: Windows | Unknown
    rates: Rates | Unknown


@dataclass(frozen=True, slots=True)
class JobTimes:
    """How long jobs ran beside each other."""

    mean_ns: float
    longest_ns: float


class Attained(Enum):
    """Whether a steady state was reached."""

    YES = "attained"
    NO = "not attained"


ATTAINED = {Attained.YES: message("audit-attained"), Attained.NO: message("audit-not-attained")}
"""What a finding says of it."""


@dataclass(frozen=True, slots=True)
class SteadyClaim:
    """What fio's own steady state came to."""

    outcome: Attained
    window_samples: float | Unknown


@dataclass(frozen=True, slots=True)
class Span:
    """Smallest and largest of what a sensor said during a step."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSensors:
    """What sensors of drive and host said during a step."""

    temperature_celsius: Span | Unknown
    throttled_s: float | Unknown
    """Time the drive says it throttled itself."""
    link_before: str | Unknown
    """Such as `16 GT/s x4`."""
    link_after: str | Unknown
    errors_logged: float | Unknown
    """New entries of the drive's error log."""
    messages: tuple[str, ...] | Unknown
    """What the kernel said of the drive."""
    late: Late | Unknown
    """How late the host let a virtual drive reply."""
    forced: float | Unknown
    """Flushes and forced writes that the drive counted."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Facts:
    """One step of a run, or one job of a file."""

    subject: str
    origin: Origin
    engine: FioVersion | VirtualTime | OwnWriter | OwnLoad | Unknown
    setup: EngineSetup | Unknown
    asked: Job | Unknown
    """What the plan said; Unknown for somebody else's result."""
    purpose: StepKind | Unknown
    scale: AmountScale
    logical_block_bytes: int | Unknown
    directions: Mapping[Direction, DirectionFacts]
    error_count: int
    dropped: tuple[Dropped, ...] | Unknown
    busy_percent: float | Unknown
    """Processor time of fio, of one core and job."""
    cpu_count: int | Unknown
    elapsed_ns: int | Unknown
    """How long the job took on the engine's clock."""
    outside_ns: int | Unknown
    """How long it took on a second clock."""
    on_ns: int | Unknown
    """How long each job was on, on the mean, by the clock that fio holds against `runtime`; its I/O begins a little later."""
    job_times: JobTimes | Unknown
    device: DeviceTraffic | Unknown
    sensed: StepSensors | Unknown
    steady: SteadyClaim | None
    """None where fio was not asked to find a steady state."""
    stopped: EarlyStop | None = None
    """None where nobody ended the job before its amount or time was up."""
    point_end: PointEnd | None = None
    """None of a job whose length was fixed before."""
    before: StepKind | None = None
    """Kind of the step done before it; None where there was none, or nobody says."""
    fio_flushes: int | Unknown = Unknown(message("audit-no-json"))  # noqa: RUF009 - a frozen value
    """Flushes that fio sent by itself (`fsync`), by its own count."""
    beside: Mapping[Direction, DirectionFacts] = field(default_factory=dict)
    """Of streams beside the job, which it was not asked for itself."""
    standstills: tuple[Standstill, ...] | Unknown = Unknown(message("audit-standstills-unsaid"))  # noqa: RUF009
    """Times in which measuring stood still, and not because of the drive."""
    punctuality: Punctuality | Unknown = Unknown(message("unknown-not-recorded"))  # noqa: RUF009 - a frozen value
    """How late the load was generated, where the engine tells."""
    gap_ns: int | Unknown = Unknown(message("unknown-not-recorded"))  # noqa: RUF009 - a frozen value
    """From the last completion of the step before to its own first submission, where the engine tells."""
    host: Tuning | Unknown = Unknown(message("audit-host-unsaid"))  # noqa: RUF009 - a frozen value
    rate_aim: RateAim = RateAim.KEPT
    issued: tuple[IssuedCell, ...] = ()
    """Of a mix, what was done by kind."""

    @property
    def runtime_ns(self) -> int:
        """Of the direction that took longest."""
        return max((one.runtime_ns for one in self.directions.values()), default=0)

    @property
    def io_bytes(self) -> int:
        """Of all directions."""
        return sum(one.io_bytes for one in self.directions.values())

    @property
    def moved_bytes(self) -> int:
        """Of those that move data, where there are any."""
        return moved_bytes(self.directions)


def in_flight_at_ramp(facts: Facts) -> int:
    """I/Os by which fio's counts may differ: it sets them back to zero when the ramp ends, one after the other."""
    setup = facts.setup
    if isinstance(setup, Unknown) or setup.ramp_ns == 0 or isinstance(setup.jobs, Unknown):
        return 0
    return setup.queue_depth * setup.jobs
