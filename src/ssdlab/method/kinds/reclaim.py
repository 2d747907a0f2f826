"""The step `reclaim`: how much cache does a rest bring back (METHODS C8)?"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, final

from pydantic import Field

from ssdlab.job import Job, Region, Resume, StepKind
from ssdlab.message import Message, message, size_decimal
from ssdlab.method.draft import PlannedStep, StepContext
from ssdlab.method.kinds.base import SuiteStep
from ssdlab.method.tables import FillJob, StepName
from ssdlab.method.values import Duration, Durations, ProperShare, RunTime, Size
from ssdlab.method.writing import fill_job, written_faults
from ssdlab.point import CoordinateAxis, Point


@final
class ReclaimStep(SuiteStep):
    """How much cache does a rest bring back? For each rest: purge, fill a part, rest, write for a while."""

    kind: Literal["reclaim"]
    name: StepName = "reclaim"
    job: FillJob
    """How it writes, before the rest and after it."""
    purge_rest_ns: Duration = Field(alias="purge_rest", default=0)
    """After each purge."""
    fill: ProperShare
    """Of the user capacity, from the first byte on."""
    rests_ns: Durations = Field(alias="rests")
    """How long it rests; the steps are called `reclaim.t5` after the seconds."""
    write_ns: RunTime = Field(alias="write")
    """How long it writes after the rest, from the first byte of the drive on."""
    skip_above_bytes: Size | None = Field(alias="skip_above", default=None)
    """Drives larger than this skip the step, and the run says so."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why it cannot be done on this drive."""
        if _reason_to_skip(self, ground) is None:
            yield from written_faults(self.name, self.job, self.fill, ground)

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """For each rest `reclaim.t5.purge`, `.purge.rest`, `.fill`, `.rest`, and the write itself, `reclaim.t5`."""
        skip = _reason_to_skip(self, ground)
        for rest_ns in self.rests_ns:
            # The rest is that of the suite: the profile does not change what it is called by.
            point = Point(self.name).at(CoordinateAxis.REST, rest_ns)
            for step in self._cycle(point.name, rest_ns, ground):
                yield replace(step, point=point, skip=skip)

    @property
    def waits_for_rest(self) -> bool:
        """It begins with a purge."""
        return False

    def _cycle(self, point: str, rest_ns: int, ground: StepContext) -> Iterator[PlannedStep]:
        region = Region(0, ground.amount_bytes(self.fill, self.job.block_bytes))
        yield self.draft(f"{point}.purge", StepKind.PURGE)
        if self.purge_rest_ns:
            rest_after_ns = ground.rest_ns(self.purge_rest_ns)
            yield self.draft(f"{point}.purge.rest", StepKind.REST, rest_ns=rest_after_ns)
        filled = fill_job(f"{point}.fill", self.job, region)
        for step in (
            self.draft(f"{point}.fill", StepKind.FILL, filled),
            self.draft(f"{point}.rest", StepKind.REST, rest_ns=ground.time_ns(rest_ns)),
            self.draft(point, StepKind.MEASURE, _write_job(point, self, ground)),
        ):
            yield replace(step, resume=Resume.FROM_PURGE)


def _reason_to_skip(step: ReclaimStep, ground: StepContext) -> Message | None:
    limit_bytes, capacity_bytes = step.skip_above_bytes, ground.drive.capacity_bytes
    if limit_bytes is None or capacity_bytes <= limit_bytes:
        return None
    return message("suite-skip-large-drive", capacity=size_decimal(capacity_bytes), limit=size_decimal(limit_bytes))


def _write_job(name: str, step: ReclaimStep, ground: StepContext) -> Job:
    job, capacity_bytes = step.job, ground.drive.capacity_bytes
    return Job(
        name=name,
        pattern=job.pattern,
        read_percent=0,
        block_bytes=job.block_bytes,
        queue_depth=job.queue_depth,
        region=Region(0, capacity_bytes // job.block_bytes * job.block_bytes),
        amount_bytes=None,
        duration_ns=ground.limit_ns(step.write_ns),
        seed=0,
    )
