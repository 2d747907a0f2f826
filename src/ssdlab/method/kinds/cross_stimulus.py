"""The step `cross_stimulus`: how soon is a drive back at its speed after writes of another kind (SNIA PTS, cross stimulus recovery)?"""

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from typing import Annotated, Literal, final

from pydantic import Field

from ssdlab.job import Draw, Job, Pattern, Region, Resume, StepKind
from ssdlab.message import Message
from ssdlab.method.draft import PlannedStep, StepContext
from ssdlab.method.kinds.base import SuiteStep
from ssdlab.method.tables import DRIVE_REGION, Depth, StepName, SuiteTable
from ssdlab.method.values import RunTime, Size
from ssdlab.method.writing import block_faults
from ssdlab.point import CoordinateAxis, Point


class Stimulus(Enum):
    """The three parts, in their order; the values are in names."""

    BEFORE = "before"
    ACROSS = "across"
    AFTER = "after"


class StimulusJob(SuiteTable):
    """Writes all over the drive, without a rest before or after."""

    pattern: Annotated[Pattern, Field(strict=False)]
    """Order of offsets. Random offsets are independent draws."""
    block_bytes: Size = Field(alias="bs")
    """Block size."""
    queue_depth: Depth = Field(alias="qd")
    """Queue depth: I/Os in flight."""
    limit_ns: RunTime = Field(alias="limit")
    """How long."""


@final
class CrossStimulusStep(SuiteStep):
    """How soon is the drive back at its speed after writes of another kind? Writes of one kind, of another, and of the first again."""

    kind: Literal["cross_stimulus"]
    name: StepName = "cross_stimulus"
    job: StimulusJob
    """What is written first and last: `cross_stimulus.before` and `.after`."""
    across: StimulusJob
    """What is written in between: `cross_stimulus.across`."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why it cannot be done on this drive."""
        for block_bytes in sorted({self.job.block_bytes, self.across.block_bytes}):
            yield from block_faults(self.name, block_bytes, ground)

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """Three measurements straight after each other; stopped halfway, all is done again since the purge."""
        for part in Stimulus:
            point = part_point(self, part)
            said = self.across if part is Stimulus.ACROSS else self.job
            step = self.draft(point.name, StepKind.MEASURE, _job(point.name, said, ground))
            yield replace(step, point=point, resume=Resume.FROM_PURGE)

    @property
    def waits_for_rest(self) -> bool:
        """It begins on what was done before it."""
        return False


def part_point(step: CrossStimulusStep, part: Stimulus) -> Point:
    """Where a part is measured: `cross_stimulus.after`."""
    return Point(step.name).at(CoordinateAxis.STAGE, part.value)


def _job(name: str, said: StimulusJob, ground: StepContext) -> Job:
    block_bytes, drive = said.block_bytes, ground.region(DRIVE_REGION)
    return Job(
        name=name,
        pattern=said.pattern,
        draw=Draw.INDEPENDENT,
        read_percent=0,
        block_bytes=block_bytes,
        queue_depth=said.queue_depth,
        region=Region(0, drive.length_bytes // block_bytes * block_bytes),
        amount_bytes=None,
        duration_ns=ground.limit_ns(said.limit_ns),
        seed=0,
    )
