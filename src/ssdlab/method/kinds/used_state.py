"""The step `precondition`: from a drive filled twice to a used one, the state consumer drives are in (METHODS C4).

It does not go on until the drive is steady, as preconditioning in the sense of SNIA's specifications does; that is the step `steady`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal, final

from pydantic import Field

from ssdlab.job import Pattern, Region, StepKind
from ssdlab.message import Message, message, size
from ssdlab.method.draft import PlannedStep, StepContext
from ssdlab.method.kinds.base import SuiteStep
from ssdlab.method.tables import DRIVE_REGION, Depth, StepName, SuiteTable
from ssdlab.method.trimming import ALIGNMENT_BYTES, end_of, trim_job
from ssdlab.method.values import Amount, Duration, ProperShare, Size
from ssdlab.method.writing import fill_job, written_faults
from ssdlab.point import Point

RANDOM_REGION = "random"
SEQUENTIAL_REGION = "sequential"


class RandomPart(SuiteTable):
    """The part of a drive that random tests use: written whole, in random order, from the first byte on."""

    amount: Amount
    """How much."""
    block_bytes: Size = Field(alias="bs")
    """Block size."""
    queue_depth: Depth = Field(alias="qd")
    """Queue depth: I/Os in flight."""

    @property
    def pattern(self) -> Pattern:
        """As a fill has one."""
        return Pattern.RANDOM


@final
class UsedStateStep(SuiteStep):
    """From a drive filled twice to a used one: the regions `random` and `sequential` for all that follows, the rest free."""

    kind: Literal["precondition"]
    name: StepName = "precondition"
    random: RandomPart
    """Its first part, the region `random`."""
    trim: ProperShare
    """Of the user capacity, at the end of the drive."""
    rest_ns: Duration = Field(alias="rest", default=0)
    """Between its two parts."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why it cannot be done on this drive."""
        yield from written_faults(self.name, self.random, self.random.amount, ground)
        capacity_bytes, trimmed = ground.drive.capacity_bytes, _trimmed_region(self, ground)
        if not trimmed.length_bytes:
            yield message("suite-trims-too-little-of-drive", step=self.name, capacity=size(capacity_bytes))
        if not self.regions(ground)[SEQUENTIAL_REGION].length_bytes:
            yield message(
                "suite-no-sequential-region",
                step=self.name,
                capacity=size(capacity_bytes),
                random=size(_random_region(self, ground).length_bytes),
                free=size(trimmed.length_bytes),
            )

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """`precondition.random`, which writes the first part, `precondition.rest`, and `precondition.trim`, which frees the last."""
        random, trim = f"{self.name}.random", f"{self.name}.trim"
        written = self.draft(random, StepKind.FILL, fill_job(random, self.random, _random_region(self, ground)))
        yield replace(written, point=Point(self.name))
        if self.rest_ns:
            yield self.draft(f"{self.name}.rest", StepKind.REST, rest_ns=ground.rest_ns(self.rest_ns))
        trimmed = self.draft(trim, StepKind.TRIM, trim_job(trim, _trimmed_region(self, ground)))
        yield replace(trimmed, point=Point(self.name), skip=ground.drive.cannot_trim)

    @property
    def waits_for_rest(self) -> bool:
        """A drive that has just worked may still be tidying up."""
        return True

    @property
    def region_names(self) -> tuple[str, ...]:
        """Its first part, and what stays in use after it."""
        return (RANDOM_REGION, SEQUENTIAL_REGION)

    def regions(self, ground: StepContext) -> Mapping[str, Region]:
        """`random` is its first part, `sequential` what of the drive stays in use after it."""
        random, trimmed = _random_region(self, ground), _trimmed_region(self, ground)
        begin_bytes = -(-random.end_bytes // ALIGNMENT_BYTES) * ALIGNMENT_BYTES
        used = Region(begin_bytes, max(0, trimmed.offset_bytes - begin_bytes))
        return {RANDOM_REGION: random, SEQUENTIAL_REGION: used}


def _random_region(step: UsedStateStep, ground: StepContext) -> Region:
    return Region(0, ground.amount_bytes(step.random.amount, step.random.block_bytes))


def _trimmed_region(step: UsedStateStep, ground: StepContext) -> Region:
    drive = ground.region(DRIVE_REGION)
    return end_of(drive, step.trim.of(drive.length_bytes))
