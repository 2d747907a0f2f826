"""The step `idle_recovery`: how fast is a steady drive again after it was left alone (SNIA PTS, host idle recovery)?

For each wait the same burst of writes over and over with the drive left alone after each, then writes without a rest until what the
idle time gave is used up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Literal, final

from pydantic import Field

from ssdlab.job import Draw, Job, Pattern, Region, Resume, StepKind
from ssdlab.message import Message, message, number, size
from ssdlab.method.draft import STEPS_MAX, PlannedStep, StepContext
from ssdlab.method.kinds.base import KeyPath, SuiteStep
from ssdlab.method.tables import DRIVE_REGION, Count, Depth, StepName, SuiteTable
from ssdlab.method.values import WHOLE, Durations, ProperShare, RunTime, Size
from ssdlab.method.writing import block_faults
from ssdlab.point import CoordinateAxis, Point

CYCLES_MAX = 1000


class RecoveryJob(SuiteTable):
    """The writes, before and after each wait and without one."""

    pattern: Annotated[Pattern, Field(strict=False)]
    """Order of offsets. Random offsets are independent draws."""
    block_bytes: Size = Field(alias="bs")
    """Block size."""
    jobs: Count = 1
    """So many at once, each with `qd` I/Os in flight."""
    queue_depth: Depth = Field(alias="qd")
    """Queue depth: I/Os in flight."""
    active_range: ProperShare = Field(alias="range", default=WHOLE)
    """Share of the user capacity that is touched, from the first byte on."""
    limit_ns: RunTime = Field(alias="limit")
    """How long each burst lasts."""


@final
class IdleRecoveryStep(SuiteStep):
    """What does idle time give back? For each wait: so many bursts of writes with the drive left alone after each, then writes without a rest."""

    kind: Literal["idle_recovery"]
    name: StepName = "idle_recovery"
    job: RecoveryJob
    """What is written."""
    waits_ns: Durations = Field(alias="waits")
    """How long the drive is left alone after each burst; the points are called `idle_recovery.t5` after the seconds."""
    cycles: Annotated[int, Field(ge=1, le=CYCLES_MAX)]
    """Bursts of each wait; a profile that says `runs` does so many."""
    baseline_ns: RunTime = Field(alias="baseline")
    """How long is written without a rest after the bursts of a wait."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why it cannot be done on this drive."""
        if (count := 2 * len(self.waits_ns) * self.cycles) > STEPS_MAX:
            yield message("suite-too-many-runs", step=self.name, count=number(count), most=number(STEPS_MAX))
            return
        yield from block_faults(self.name, self.job.block_bytes, ground)
        room_bytes = _room_bytes(self, ground)
        if room_bytes < self.job.block_bytes * self.job.jobs:
            yield message(
                "suite-too-little-room",
                step=self.name,
                room=size(room_bytes),
                jobs=number(self.job.jobs, "d"),
                block=size(self.job.block_bytes),
            )

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """For each wait `idle_recovery.t5.run1` and `.run1.rest` and so on, then `idle_recovery.t5.baseline`."""
        runs = ground.scale.runs
        cycles = self.cycles if runs is None else min(runs, self.cycles)
        for wait_ns in self.waits_ns:
            point = wait_point(self, wait_ns)
            for run in range(1, cycles + 1):
                burst = point.at(CoordinateAxis.RUN, run)
                job = _job(burst.name, self, ground, self.job.limit_ns)
                yield replace(_of(self.draft(burst.name, StepKind.MEASURE, job), burst), run=run)
                rest = self.draft(f"{burst.name}.rest", StepKind.REST, rest_ns=ground.time_ns(wait_ns))
                yield _of(rest, burst)
            after = baseline_point(self, wait_ns)
            job = _job(after.name, self, ground, self.baseline_ns)
            yield _of(self.draft(after.name, StepKind.MEASURE, job), after)

    @property
    def waits_for_rest(self) -> bool:
        """It goes straight on from what was written before it."""
        return False

    def contradictions(self, before: Sequence[SuiteStep]) -> Iterator[tuple[KeyPath, Message]]:
        """Waits that would be called the same."""
        del before
        if len({wait_point(self, one).name for one in self.waits_ns}) < len(self.waits_ns):
            yield ("waits",), message("unit-list-repeats")


def wait_point(step: IdleRecoveryStep, wait_ns: int) -> Point:
    """What all of a wait have in common: `idle_recovery.t5`, whatever the profile makes of the wait."""
    return Point(step.name).at(CoordinateAxis.REST, wait_ns)


def baseline_point(step: IdleRecoveryStep, wait_ns: int) -> Point:
    """Of the writes without a rest: `idle_recovery.t5.baseline`."""
    return wait_point(step, wait_ns).at(CoordinateAxis.STAGE, "baseline")


def _of(step: PlannedStep, point: Point) -> PlannedStep:
    """Stopped halfway, a drive has rested for who knows how long: all is done again since its purge."""
    return replace(step, point=point, resume=Resume.FROM_PURGE)


def _room_bytes(step: IdleRecoveryStep, ground: StepContext) -> int:
    return step.job.active_range.of(ground.region(DRIVE_REGION).length_bytes)


def _job(name: str, step: IdleRecoveryStep, ground: StepContext, limit_ns: int) -> Job:
    block_bytes = step.job.block_bytes
    return Job(
        name=name,
        pattern=step.job.pattern,
        draw=Draw.INDEPENDENT,
        read_percent=0,
        block_bytes=block_bytes,
        queue_depth=step.job.queue_depth,
        jobs=step.job.jobs,
        region=Region(0, _room_bytes(step, ground) // block_bytes * block_bytes),
        amount_bytes=None,
        duration_ns=ground.limit_ns(limit_ns),
        seed=0,
    )
