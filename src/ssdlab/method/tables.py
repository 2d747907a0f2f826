"""What tables of a suite have in common, and those that steps of several kinds have or stand on."""

from enum import Enum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from ssdlab.job import EngineName, Pattern
from ssdlab.method.values import DEPTH_MAX, WHOLE, Multiple, Percent, Percentile, ProperShare, RunTime, Size
from ssdlab.units import Share

NAME_LENGTH_MAX = 64
"""Names are parts of the names of files, of which several must have room in 255 bytes."""
STEP_NAME_LENGTH_MAX = 32
"""Of the several parts of a job's name, of which fio keeps 127 characters."""
StepName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=STEP_NAME_LENGTH_MAX)]
"""Prefix of the names of metrics and of fio's jobs; dots are put in by the plan."""
Count = Annotated[int, Field(ge=1, le=100)]
Depth = Annotated[int, Field(ge=1, le=DEPTH_MAX)]
ProfileNames = Annotated[tuple[str, ...] | None, Field(strict=False)]
"""Of the suite, or None."""

DRIVE_REGION = "drive"
"""The region that needs no step to make it: all of the drive."""


class SuiteTable(BaseModel):
    """Any table of a suite: unknown keys are faults, nothing is converted silently."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", arbitrary_types_allowed=True)


class PointOrder(Enum):
    """In which order the points of a step are measured."""

    SAID = "said"
    """As the suite says them."""
    READS_FIRST = "reads_first"
    """Those that only read first, as they leave the drive as it was; then those that write the largest share, as they are most like what
    a drive was conditioned by, and tell how it writes; alike ones as the suite says them."""


class MeasuredAgain(Enum):
    """What of a step is measured once more at its end, to see whether the drive has stayed what it was."""

    NOTHING = "nothing"
    FIRST = "first"
    """Its first point."""


class SuiteProfile(SuiteTable):
    """`[profile.NAME]`: the suite scaled down, or with points that end by themselves. The profile `standard` is the suite as it stands."""

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
    """Likewise, at most so many times, also of a step that only its time would end."""
    engine: Annotated[EngineName | None, Field(strict=False)] = None
    """What does the I/O instead of the suite's engine; what it cannot, such as a search, is done by fio all the same."""
    until_percent: Percent | None = Field(alias="until", default=None)
    """As `until` of every job of a step `measure` that its `limit` alone would end and that is not repeated; such a job has no `ramp`
    then, as that is found in the data. Of the engine `load` alone."""
    tail: Percentile | None = None
    """As `tail` of those of them whose points keep the latency of every I/O."""
    budget_ns: RunTime | None = Field(alias="budget", default=None)
    """As `budget` of the same."""
    order: Annotated[PointOrder, Field(strict=False)] = PointOrder.SAID
    """In which order the points of each step `measure` come: as the suite says them, or those that only read first, then by the share they write, the largest first."""
    again: Annotated[MeasuredAgain, Field(strict=False)] = MeasuredAgain.NOTHING
    """`first`: the first point of each step `measure` is measured once more at its end, as `POINT.run2`, if it is one that ends by itself.
    Where it is not what it was, the run says that the drive drifts."""

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


class FillJob(SuiteTable):
    """How a fill writes. Every block is written exactly once, also in random order (METHODS 0)."""

    pattern: Annotated[Pattern, Field(strict=False)]
    """Order of offsets. Random visits every block once too, in a shuffled order."""
    block_bytes: Size = Field(alias="bs")
    """Block size."""
    queue_depth: Depth = Field(alias="qd")
    """Queue depth: I/Os in flight."""
