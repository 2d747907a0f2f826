"""What a suite can say: the models of its TOML, one class a table.

A new kind of step is a new class in `AnyStep` and an expansion in `plan.py`; nothing else knows the kinds.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from ssdlab.job import Caching, Draw, Pattern, Sync
from ssdlab.method.values import (
    DEPTH_MAX,
    WHOLE,
    Amount,
    BlockSize,
    Depths,
    Duration,
    Durations,
    Mixes,
    Multiple,
    Percent,
    ProperShare,
    Ranges,
    Rate,
    ReadPercent,
    ReadPercents,
    RunTime,
    Size,
    Sizes,
)
from ssdlab.units import Share

SuiteName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$")]
"""Part of the names of bundles."""
StepName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
"""Prefix of the names of metrics; dots are put in by the plan."""
JobName = Annotated[str, Field(pattern=r"^(?:[a-z][a-z0-9_]*)?$")]
"""Part of the names of metrics; empty for the only job of a step."""
Count = Annotated[int, Field(ge=1, le=100)]
Depth = Annotated[int, Field(ge=1, le=DEPTH_MAX)]

DRIVE_REGION = "drive"
"""The region that needs no step to make it: all of the drive."""
RANDOM_REGION = "random"
SEQUENTIAL_REGION = "sequential"


class Table(BaseModel):
    """Any table of a suite: unknown keys are faults, nothing is converted silently."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", arbitrary_types_allowed=True)


class Header(Table):
    """`[suite]`: what the suite is."""

    name: SuiteName
    version: Annotated[str, Field(min_length=1)]
    description: str = ""
    rest_ns: Duration = Field(alias="rest", default=0)
    """Before every step but the first and those after a purge, as a step of its own called `STEP.rest_before`."""


class Profile(Table):
    """`[profile.NAME]`: the suite scaled down. The profile `standard` is the suite as it stands."""

    time: ProperShare = WHOLE
    """Scales durations, and rests where `rest` is left out."""
    rest: ProperShare | None = None
    """Scales the rests in which the drive settles; those that are what a step measures go with `time`."""
    size: ProperShare = WHOLE
    """Scales absolute amounts; shares of the drive stay."""
    runs: Count | None = None
    """At most so many runs of a point that is repeated."""
    at_least: Multiple | None = None
    """Steps of kind `steady` need write no more than so many times the user capacity; `at_least` of the step where that is less."""
    at_most: Multiple | None = None
    """Likewise, at most so many times."""

    @property
    def comparable(self) -> bool:
        """Whether its numbers may stand beside those of the suite as published."""
        unbounded = self.runs is None and self.at_least is None and self.at_most is None
        return unbounded and all(_is_whole(share) for share in (self.time, self.size, self.settling))

    @property
    def settling(self) -> Share:
        """What rests are scaled by."""
        return self.time if self.rest is None else self.rest


def _is_whole(share: Share) -> bool:
    return share.numerator == share.denominator


STANDARD = "standard"


class FillJob(Table):
    """How a fill writes. Every block is written exactly once, also in random order (METHODS 0)."""

    pattern: Annotated[Pattern, Field(strict=False)]
    block_bytes: Size = Field(alias="bs")
    queue_depth: Depth = Field(alias="qd")


class RandomPart(Table):
    """The part of a drive that random tests use: written whole, in random order, from the first byte on."""

    amount: Amount
    block_bytes: Size = Field(alias="bs")
    queue_depth: Depth = Field(alias="qd")

    @property
    def pattern(self) -> Pattern:
        """As a fill has one."""
        return Pattern.RANDOM


class MeasureJob(Table):
    """What is measured at one point; what the sweep varies is left out here. Ends at `amount` or `limit`, whichever is first."""

    region: StepName = DRIVE_REGION
    """Part of the drive it may touch: `drive`, or one that an earlier step has made."""
    pattern: Annotated[Pattern, Field(strict=False)]
    block_bytes: BlockSize | None = Field(alias="bs", default=None)
    """`IU` is the drive's indirection unit."""
    queue_depth: Depth | None = Field(alias="qd", default=None)
    read_percent: ReadPercent | None = Field(alias="read", default=None)
    """Share of reads."""
    jobs: Count = 1
    """So many at once, each with `qd` I/Os in flight; they share the amount."""
    sync: Annotated[Sync, Field(strict=False)] = Sync.NONE
    """Whether each write must be durable before it counts as done."""
    amount_bytes: Size | None = Field(alias="amount", default=None)
    ramp_ns: Duration = Field(alias="ramp", default=0)
    """The same load just before, as a step of its own that does not count; does not shorten `limit`."""
    limit_ns: RunTime | None = Field(alias="limit", default=None)


class Sweep(Table):
    """What varies from point to point; every combination is measured, the last of these keys changing fastest."""

    mix: Mixes | None = None
    """Shares of reads in words: `read`, `write`, `r70w30`."""
    block_bytes: Sizes | None = Field(alias="bs", default=None)
    queue_depth: Depths | None = Field(alias="qd", default=None)
    read_percent: ReadPercents | None = Field(alias="read", default=None)
    """Shares of reads in numbers."""
    active_range: Ranges | None = Field(alias="range", default=None)
    """The first so many bytes of the region are all that is touched."""


class Repeat(Table):
    """How often a point is measured."""

    times: Count = 1
    """At least."""
    at_most: Count | None = None
    """Further runs as long as the last three differ too much."""
    until_rse_percent: Percent | None = Field(alias="until_rse", default=None)
    """Their relative standard error that is small enough (METHODS 0)."""

    @property
    def runs_max(self) -> int:
        """Runs of a point if it never settles."""
        return self.at_most or self.times


class Take(Enum):
    """Which value stands for several runs of a point."""

    MEDIAN = "median"
    """METHODS 0."""
    TRIMMED_MEAN = "trimmed_mean"
    """Mean without the largest and the smallest."""
    BEST = "best"


class RankOver(Enum):
    """Which shares of reads the ranking value is the mean of."""

    MIXED = "mixed"
    """All but pure reads and pure writes."""
    ALL = "all"


def _whole_number_keys(value: object) -> object:
    """TOML has no keys but text."""
    if not isinstance(value, dict):
        return value
    return {int(key) if isinstance(key, str) and key.isdecimal() else key: one for key, one in value.items()}


class Weighted(Table):
    """One curve from those of several queue depths, and the value that ranks drives."""

    share_of_depth: Annotated[Mapping[int, ProperShare], BeforeValidator(_whole_number_keys)] = Field(alias="qd")
    """Weight of each queue depth."""
    rank_over: Annotated[RankOver, Field(strict=False)]


class EveryIo(Table):
    """Points that keep the latency of every single I/O; a key left out excludes none."""

    queue_depth: Depths | None = Field(alias="qd", default=None)
    read_percent: ReadPercents | None = Field(alias="read", default=None)


class PurgeStep(Table):
    """Back to fresh out of the box, then rest."""

    kind: Literal["purge"]
    name: StepName = "purge"
    rest_ns: Duration = Field(alias="rest", default=0)


class RestStep(Table):
    """No host I/O at all for that long."""

    kind: Literal["rest"]
    name: StepName = "rest"
    duration_ns: Duration = Field(alias="duration")


class FillStep(Table):
    """Write a part of the drive, or all of it, from its first byte on; several passes rest in between."""

    kind: Literal["fill"]
    name: StepName = "fill"
    job: FillJob
    amount: Amount = WHOLE
    """Share of the user capacity, or bytes. What was written is a region of the step's name for later steps."""
    passes: Count = 1
    rest_ns: Duration = Field(alias="rest", default=0)
    """Between the passes."""


class PreconditionStep(Table):
    """From a drive filled twice to one in use: the regions `random` and `sequential` for all that follows, the rest free."""

    kind: Literal["precondition"]
    name: StepName = "precondition"
    random: RandomPart
    trim: ProperShare
    """Of the user capacity, at the end of the drive."""


class SteadyJob(FillJob):
    """How it is written, everywhere at once."""

    block_bytes: BlockSize = Field(alias="bs")
    """`IU` is the drive's indirection unit."""


class CtrlC(Enum):
    """What Ctrl-C ends."""

    RUN = "run"
    STEP = "step"
    """What it has written until then is its result, and the run goes on; Ctrl-C once more ends the run."""


class SteadyStep(Table):
    """Write all over the drive, on and on, until its speed no longer changes; called `precondition.seq` or `precondition.rnd`."""

    kind: Literal["steady"]
    name: StepName
    job: SteadyJob
    at_least: Multiple
    """Of the user capacity: no end before so much is written."""
    at_most: Multiple
    """Of the user capacity: ends here in any case, and all that follows is marked `not steady`."""
    measured_ns: RunTime = Field(alias="measured")
    """How long each measurement after it lasts; stretches as long as that must be alike."""
    ctrl_c: Annotated[CtrlC, Field(strict=False)] = CtrlC.RUN
    """What Ctrl-C ends while it writes."""


def _named(value: object) -> object:
    """A step's only job needs no name."""
    if isinstance(value, dict) and not any(isinstance(one, dict) for one in value.values()):
        return {"": value}
    return value


class MeasureStep(Table):
    """Measure one job or several, at every point of a sweep, as often as it takes."""

    kind: Literal["measure"]
    name: StepName = "measure"
    jobs: Annotated[Mapping[JobName, MeasureJob], BeforeValidator(_named)] = Field(alias="job")
    sweep: Sweep = Sweep()
    repeat: Repeat = Repeat()
    take: Annotated[Take, Field(strict=False)] = Take.MEDIAN
    rest_ns: Duration = Field(alias="rest", default=0)
    """Between the runs, of one point and of different ones."""
    weighted: Weighted | None = None
    every_io: EveryIo | None = None


class ReclaimStep(Table):
    """How much cache does a rest bring back? For each rest: purge, fill a part, rest, write for a while."""

    kind: Literal["reclaim"]
    name: StepName = "reclaim"
    job: FillJob
    purge_rest_ns: Duration = Field(alias="purge_rest", default=0)
    """After each purge."""
    fill: ProperShare
    """Of the user capacity, from the first byte on."""
    rests_ns: Durations = Field(alias="rests")
    write_ns: RunTime = Field(alias="write")
    """How long it writes after the rest, from the first byte of the drive on."""
    skip_above_bytes: Size | None = Field(alias="skip_above", default=None)
    """Drives larger than this skip the step, and the run says so."""


class SearchFill(Table):
    """How the whole drive is written before a search: in random order."""

    block_bytes: Size = Field(alias="bs")
    queue_depth: Depth = Field(alias="qd")
    passes: Count = 1
    """How often the drive's size is written."""
    draw: Annotated[Draw, Field(strict=False)] = Draw.PERMUTATION
    """Every block once a pass, or each drawn anew, which leaves 37 % of them out of one pass and 14 % out of two."""


class SearchReads(Table):
    """The reads of a search: so many jobs at once, each with one I/O in flight."""

    block_bytes: Size = Field(alias="bs")
    jobs_min: Depth = Field(alias="first")
    """Jobs it begins with; a drive that misses a limit with these fails."""
    jobs_max: Depth = Field(alias="last")
    """More than these are not tried."""


class SearchStream(Table):
    """What goes on beside the reads of a search, at a steady pace."""

    block_bytes: Size = Field(alias="bs")
    rate_bytes_per_s: Rate = Field(alias="rate")
    floor_bytes_per_s: Rate = Field(alias="floor")
    """A limit: it must never be slower than this over `floor_over`."""


class SearchWrites(SearchStream):
    """Likewise, writes."""

    flush_every: Annotated[int, Field(ge=1)] = Field(alias="fsync")
    """The drive is flushed after so many of them."""
    caching: Annotated[Caching, Field(strict=False)] = Caching.DIRECT
    """Whether they wait in the memory of the host until then."""


class SearchTimes(Table):
    """How long a search runs each candidate."""

    double_ns: RunTime = Field(alias="double")
    """While the number of jobs doubles."""
    bisect_ns: RunTime = Field(alias="bisect")
    """Between the most jobs that passed and the fewest that did not."""
    confirm_ns: RunTime = Field(alias="confirm")
    """What is found, and one job fewer each time it is not confirmed."""
    confirm_runs: Count = 1
    """So often; all of them must pass, and the slowest counts."""


class SearchLimits(Table):
    """What a candidate must keep within; the rate at the end is judged only of what is found."""

    clat_p99_ns: RunTime = Field(alias="clat_p99")
    """99 % of the reads take at most this long from submission to completion."""
    clat_p99_9_ns: RunTime = Field(alias="clat_p99_9")
    """99.9 % of them."""
    clat_max_ns: RunTime = Field(alias="clat_max")
    """All of them."""
    iops: Annotated[int, Field(ge=1)]
    """Reads a second that pass."""


class Procedure(Enum):
    """How a search goes about it."""

    PUBLISHED = "published"
    """What is found is confirmed only where the last bisection failed, and a floor missed with fewer than 8 jobs ends the search."""
    MENDED = "mended"
    """What is found is always confirmed."""


class SearchStep(Table):
    """With how many readers does the drive still keep its limits, beside writes and trims? The whole drive is written first (METHODS E5)."""

    kind: Literal["search"]
    name: StepName = "bootbench"
    procedure: Annotated[Procedure, Field(strict=False)] = Procedure.MENDED
    fill: SearchFill
    reads: SearchReads = Field(alias="read")
    writes: SearchWrites = Field(alias="write")
    trims: SearchStream = Field(alias="trim")
    floor_over_ns: RunTime = Field(alias="floor_over")
    """Over how long floors are judged; profiles do not scale it, and a shorter run is judged as a whole."""
    times: SearchTimes = Field(alias="time")
    limits: SearchLimits = Field(alias="limit")


AnyStep = Annotated[
    PurgeStep | RestStep | FillStep | PreconditionStep | SteadyStep | MeasureStep | ReclaimStep | SearchStep,
    Field(discriminator="kind"),
]


def _at_least_one(steps: tuple[AnyStep, ...]) -> tuple[AnyStep, ...]:
    if not steps:
        raise PydanticCustomError("no_step", "there is no step")
    return steps


class SuiteTables(Table):
    """The whole file."""

    header: Header = Field(alias="suite")
    profiles: dict[SuiteName, Profile] = Field(alias="profile", default_factory=dict)
    steps: Annotated[tuple[AnyStep, ...], Field(alias="step", strict=False), AfterValidator(_at_least_one)]
