"""The step `fill`."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal, final

from pydantic import Field

from ssdlab.job import IoLog, Region, Resume, StepKind
from ssdlab.message import Message
from ssdlab.method.draft import PlannedStep, StepContext
from ssdlab.method.kinds.base import SuiteStep
from ssdlab.method.tables import Count, FillJob, StepName
from ssdlab.method.values import WHOLE, Amount, Duration
from ssdlab.method.writing import fill_job, written_faults
from ssdlab.point import CoordinateAxis, Point


@final
class FillStep(SuiteStep):
    """Write a part of the drive, or all of it, from its first byte on; several passes rest in between."""

    kind: Literal["fill"]
    name: StepName = "fill"
    job: FillJob
    """How it writes."""
    amount: Amount = WHOLE
    """Share of the user capacity, or bytes. What was written is a region of the step's name for later steps."""
    passes: Count = 1
    """How often; the steps are called `fill.pass1`, `fill.pass2` and so on."""
    rest_ns: Duration = Field(alias="rest", default=0)
    """Between the passes."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why a fill cannot be done on this drive."""
        yield from written_faults(self.name, self.job, self.amount, ground)

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """`fill.pass1`, `fill.rest`, `fill.pass2`; with more passes the later rests are `fill.rest2` and on."""
        region = self._region(ground)
        for number in range(1, self.passes + 1):
            if number > 1 and self.rest_ns:
                suffix = "" if number == 2 else str(number - 1)
                yield self.draft(f"{self.name}.rest{suffix}", StepKind.REST, rest_ns=ground.rest_ns(self.rest_ns))
            point = Point(self.name).at(CoordinateAxis.PASS, number)
            name = point.name
            job = replace(fill_job(name, self.job, region), io_log=IoLog.DISTRIBUTION_OVER_TIME)
            yield replace(self.draft(name, StepKind.FILL, job), point=point, resume=Resume.FROM_PURGE)

    @property
    def waits_for_rest(self) -> bool:
        """A drive that has just worked may still be tidying up."""
        return True

    @property
    def region_names(self) -> tuple[str, ...]:
        """What it has written."""
        return (self.name,)

    def regions(self, ground: StepContext) -> Mapping[str, Region]:
        """What it has written."""
        return {self.name: self._region(ground)}

    def _region(self, ground: StepContext) -> Region:
        return Region(0, ground.amount_bytes(self.amount, self.job.block_bytes))
