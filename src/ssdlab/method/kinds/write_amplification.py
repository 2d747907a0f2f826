"""The step `write_amplification`: what a drive writes for each byte it is given, by where the writes go (METHODS A).

The patterns are those of Haas, Lee, Bonnet and Leis, "SSD-iq: Uncovering the Hidden Side of SSD Performance", PVLDB 18(11), 2025, with
exact draws; a pattern ends when the drive is steady instead of after a fixed number of passes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal, final

from pydantic import Field

from ssdlab.job import Access, Draw, Job, Pattern, Region, Resume, StepKind, Zipf, Zones, ZoneShares
from ssdlab.message import Message, message
from ssdlab.method.draft import CtrlC, PlannedStep, SteadyRule, StepContext
from ssdlab.method.kinds.base import KeyPath, SuiteStep
from ssdlab.method.tables import DRIVE_REGION, Depth, StepName, SuiteProfile, SuiteTable
from ssdlab.method.values import BlockSize, Multiple, RunTime
from ssdlab.method.writing import block_faults
from ssdlab.point import Point, job_point

_SEQUENTIAL = "sequential"
_UNIFORM = "uniform"

Percents = Annotated[tuple[Annotated[int, Field(ge=1, le=99)], ...], Field(strict=False)]
"""Whole numbers of per cent."""
Exponents = Annotated[tuple[Annotated[float, Field(gt=0, le=2)], ...], Field(strict=False)]
"""Of zipf's law."""


class AmplifiedJob(SuiteTable):
    """How all patterns write."""

    block_bytes: BlockSize = Field(alias="bs")
    """Block size; `IU` is the drive's indirection unit."""
    queue_depth: Depth = Field(alias="qd")
    """Queue depth: I/Os in flight."""


@dataclass(frozen=True, slots=True)
class WritePattern:
    """Where writes go."""

    label: str
    """In names: `zones80_20`."""
    access: Access | None
    """None: everywhere alike."""


@final
class WriteAmplificationStep(SuiteStep):
    """How much does the drive write for each byte it is given, and does it keep hot and cold data apart? Only by the engine `load`."""

    kind: Literal["write_amplification"]
    name: StepName = "write_amplification"
    job: AmplifiedJob
    """How all patterns write."""
    cold: Percents = ()
    """Shares of the blocks that are not written at all, a pattern each, in per cent."""
    hot: Percents = ()
    """Two zones, a pattern each: so many per cent of the writes go to the rest of the blocks, such as 90 to a tenth of them."""
    zipf: Exponents = ()
    """Exponents of zipf's law, a pattern each."""
    at_least: Multiple
    """Of the user capacity: no pattern ends before so much is written."""
    at_most: Multiple
    """Of the user capacity: a pattern ends here in any case."""
    measured_ns: RunTime = Field(alias="measured")
    """Stretches as long as that must be alike when a pattern ends."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why it cannot be done on this drive."""
        yield from block_faults(self.name, self.job.block_bytes, ground)

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """One sequential pass, against whose speed the others are held, then a job for each pattern."""
        point = sequential_point(self)
        job = _job(self, point.name, None, ground)
        whole_bytes = job.region.length_bytes
        once = replace(job, pattern=Pattern.SEQUENTIAL, amount_bytes=whole_bytes)
        yield replace(self.draft(point.name, StepKind.FILL, once), point=point, resume=Resume.FROM_PURGE)
        rule = amplification_rule(self, ground.scale, ground.drive.capacity_bytes)
        for pattern in patterns_of(self):
            point = pattern_point(self, pattern)
            written = self.draft(point.name, StepKind.PRECONDITION, _job(self, point.name, pattern.access, ground))
            yield replace(written, point=point, until=rule, resume=Resume.FROM_PURGE)

    @property
    def waits_for_rest(self) -> bool:
        """A drive that has just worked may still be tidying up."""
        return True

    @property
    def opens_loads(self) -> bool:
        """It is nothing for fio, whose zipf leaves blocks out."""
        return True

    def contradictions(self, before: Sequence[SuiteStep]) -> Iterator[tuple[KeyPath, Message]]:
        """Patterns that are named twice, and bounds that cross."""
        del before
        named: tuple[tuple[str, tuple[float, ...]], ...] = (("cold", self.cold), ("hot", self.hot), ("zipf", self.zipf))
        for key, values in named:
            if len(set(values)) < len(values):
                yield (key,), message("unit-list-repeats")
        if self.at_most <= self.at_least:
            yield ("at_most",), message("suite-at-most-low", most=self.at_most, least=self.at_least)


def patterns_of(step: WriteAmplificationStep) -> tuple[WritePattern, ...]:
    """Uniform first: it tells the spare space by which the others are judged."""
    cold = [WritePattern(f"cold{one}", Zones((ZoneShares(one, 0), ZoneShares(100 - one, 100)))) for one in step.cold]
    zones = [
        WritePattern(f"zones{one}_{100 - one}", Zones((ZoneShares(100 - one, one), ZoneShares(one, 100 - one))))
        for one in step.hot
    ]
    zipf = [WritePattern(f"zipf{one:g}".replace(".", "_"), Zipf(one)) for one in step.zipf]
    return (WritePattern(_UNIFORM, None), *cold, *zones, *zipf)


def pattern_point(step: WriteAmplificationStep, pattern: WritePattern) -> Point:
    """Where it is measured: `write_amplification.zipf0_8`."""
    return job_point(step.name, pattern.label)


def sequential_point(step: WriteAmplificationStep) -> Point:
    """Where the sequential pass is measured."""
    return job_point(step.name, _SEQUENTIAL)


def amplification_rule(step: WriteAmplificationStep, scale: SuiteProfile, capacity_bytes: int) -> SteadyRule:
    """When a pattern may end."""
    at_least = step.at_least if scale.at_least is None else min(step.at_least, scale.at_least)
    return SteadyRule(at_least * capacity_bytes, scale.time.of(step.measured_ns), scale.time, CtrlC.RUN)


def _job(step: WriteAmplificationStep, name: str, access: Access | None, ground: StepContext) -> Job:
    block_bytes, drive = step.job.block_bytes, ground.region(DRIVE_REGION)
    at_most = step.at_most if ground.scale.at_most is None else min(step.at_most, ground.scale.at_most)
    return Job(
        name=name,
        pattern=Pattern.RANDOM,
        draw=Draw.INDEPENDENT,
        read_percent=0,
        block_bytes=block_bytes,
        queue_depth=step.job.queue_depth,
        region=Region(0, drive.length_bytes // block_bytes * block_bytes),
        amount_bytes=at_most * drive.length_bytes // block_bytes * block_bytes,
        duration_ns=None,
        seed=0,
        access=access,
    )
