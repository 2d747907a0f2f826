"""The step `steady`: preconditioning to steady state, by writes until the drive's speed no longer changes (METHODS E1, E3, S)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Literal, final

from pydantic import Field

from ssdlab.drive.identity import Freshness
from ssdlab.job import Draw, Job, Pattern, Region, Resume, StepKind
from ssdlab.message import Message, message
from ssdlab.method.draft import CtrlC, PassNeed, PlannedStep, Route, ShortWay, SteadyBy, SteadyRule, StepContext, draft
from ssdlab.method.kinds.base import KeyPath, SuiteStep
from ssdlab.method.kinds.purge import PurgeStep
from ssdlab.method.kinds.rest import RestStep
from ssdlab.method.short_way import short_pass, stretch_bytes
from ssdlab.method.tables import DRIVE_REGION, Count, FillJob, StepName, SuiteProfile
from ssdlab.method.values import WHOLE, BlockSize, Multiple, RunTime
from ssdlab.method.writing import written_faults
from ssdlab.point import Point, job_point

_WORDS = {Pattern.SEQUENTIAL: "seq", Pattern.RANDOM: "rnd"}


def steady_point(pattern: Pattern) -> Point:
    """`precondition.seq` or `precondition.rnd`, which is also the name of the planned step (METHODS M)."""
    return job_point("precondition", _WORDS[pattern])


class SteadyJob(FillJob):
    """How it is written, everywhere at once."""

    pattern: Annotated[Pattern, Field(strict=False)]
    """Order of offsets. Random offsets are independent draws."""
    block_bytes: BlockSize = Field(alias="bs")
    """Block size; `IU` is the drive's indirection unit."""
    jobs: Count = 1
    """So many at once, each with `qd` I/Os in flight; random ones only, which all draw from the whole drive."""


@final
class SteadyStateStep(SuiteStep):
    """Preconditioning: write all over the drive until it is in steady state; called `precondition.seq` or `precondition.rnd`."""

    kind: Literal["steady"]
    name: StepName
    """Unique in the suite."""
    job: SteadyJob
    """How it writes."""
    at_least: Multiple
    """Of the user capacity: no end before so much is written."""
    at_most: Multiple | None = None
    """Of the user capacity: ends here in any case, and all that follows is marked `not steady`. May be left out where there is a `limit`."""
    limit_ns: RunTime | None = Field(alias="limit", default=None)
    """Ends after so long likewise."""
    by: Annotated[SteadyBy, Field(strict=False)] = SteadyBy.HELD
    """What calls it steady: `held`; `window`, which is done earlier, of sequential writes only; `snia` where a published text asks for that."""
    measured_ns: RunTime = Field(alias="measured")
    """How long each measurement after it lasts; stretches as long as that must be alike."""
    ctrl_c: Annotated[CtrlC, Field(strict=False)] = CtrlC.RUN
    """What Ctrl-C ends while it writes."""
    route: Annotated[Route, Field(strict=False)] = Route.LONG
    """How it gets there; `short` only right after a purge, and by random writes."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why it cannot be done on this drive."""
        yield from written_faults(self.name, self.job, WHOLE, ground)

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """One job, which is one stream: random offsets are independent draws from first to last (METHODS 0)."""
        point = steady_point(self.job.pattern)
        rule = steady_rule(self, ground.scale, ground.drive.capacity_bytes)
        if self.route is Route.SHORT:
            yield from self._pass(point, ground)
            rule = replace(rule, short=_short_way(self, ground))
        written = self.draft(point.name, StepKind.PRECONDITION, _job(point.name, self, ground))
        yield replace(written, point=point, until=rule, resume=Resume.FROM_PURGE)

    def _pass(self, point: Point, ground: StepContext) -> Iterator[PlannedStep]:
        """Steps of a group of their own: nothing is measured in them.

        They mean nothing on a drive that is not fresh, and overwrites end once it collects.
        """
        unproven = ground.drive.purge_leaves is not Freshness.FRESH
        for kind, job in short_pass(_job(point.name, self, ground), ground.drive.indirection_unit_bytes):
            step = draft(job.name, kind, pass_group(self), job)
            skip = SHORT_WAY_UNPROVEN if unproven else None
            needs = PassNeed.FRESH_SPACE if kind is StepKind.RAMP else PassNeed.FRESH_DRIVE
            yield replace(step, point=point, needs=needs, skip=skip, resume=Resume.FROM_PURGE)

    @property
    def waits_for_rest(self) -> bool:
        """A drive that has just worked may still be tidying up."""
        return True

    def contradictions(self, before: Sequence[SuiteStep]) -> Iterator[tuple[KeyPath, Message]]:
        """Two of one pattern, and bounds that cross."""
        if any(isinstance(step, SteadyStateStep) and step.job.pattern is self.job.pattern for step in before):
            yield ("job", "pattern"), message("suite-same-pattern")
        if self.at_most is None and self.limit_ns is None:
            yield ("at_most",), message("suite-steady-without-end")
        if self.at_most is not None and self.at_most <= self.at_least:
            yield ("at_most",), message("suite-at-most-low", most=self.at_most, least=self.at_least)
        if self.job.jobs > 1 and self.job.pattern is Pattern.SEQUENTIAL:
            yield ("job", "jobs"), message("suite-jobs-in-order")
        if self.by is SteadyBy.WINDOW and self.job.pattern is Pattern.RANDOM:
            yield ("by",), message("suite-window-at-random")
        if self.route is Route.SHORT:
            yield from self._detours(before)

    def _detours(self, before: Sequence[SuiteStep]) -> Iterator[tuple[KeyPath, Message]]:
        """Why the short way does not lead there."""
        last = next((step for step in reversed(before) if not isinstance(step, RestStep)), None)
        if not isinstance(last, PurgeStep):
            yield ("route",), message("suite-short-way-unpurged")
        if self.job.pattern is Pattern.SEQUENTIAL:
            yield ("route",), message("suite-short-way-in-order")
        if self.by is not SteadyBy.HELD:
            yield ("route",), message("suite-short-way-by", by=self.by.value)


def pass_group(step: SteadyStateStep) -> str:
    """What the planned steps of the pass before it have as their group."""
    return f"{step.name}.pass"


SHORT_WAY_UNPROVEN = message("suite-short-way-unproven")
"""Why the pass of the short way is left out."""
SHORT_WAY_COLLECTS = message("suite-short-way-collects")
"""Why the rest of its overwrites is left out."""


def _short_way(step: SteadyStateStep, ground: StepContext) -> ShortWay | None:
    """None on a drive whose purge proves nothing: it is written the long way."""
    if ground.drive.purge_leaves is not Freshness.FRESH:
        return None
    job = _job(step.name, step, ground)
    return ShortWay(stretch_bytes(job.region.length_bytes, job.block_bytes))


def steady_rule(step: SteadyStateStep, scale: SuiteProfile, capacity_bytes: int) -> SteadyRule:
    """When the job may end."""
    at_least = _at_most(step.at_least, scale.at_least)
    return SteadyRule(at_least * capacity_bytes, scale.time.of(step.measured_ns), scale.time, step.ctrl_c, step.by)


def _at_most(of_step: int, of_profile: int | None) -> int:
    """Times the capacity: a profile may say less than the step."""
    return of_step if of_profile is None else min(of_step, of_profile)


def _amount_bytes(step: SteadyStateStep, ground: StepContext) -> int | None:
    """In whole blocks for each of the jobs; none where only time ends it."""
    at_most = ground.scale.at_most if step.at_most is None else _at_most(step.at_most, ground.scale.at_most)
    if at_most is None:
        return None
    unit_bytes = step.job.block_bytes * step.job.jobs
    drive_bytes = ground.region(DRIVE_REGION).length_bytes
    return at_most * drive_bytes // unit_bytes * unit_bytes


def _job(name: str, step: SteadyStateStep, ground: StepContext) -> Job:
    block_bytes, drive = step.job.block_bytes, ground.region(DRIVE_REGION)
    region = Region(0, drive.length_bytes // block_bytes * block_bytes)
    return Job(
        name=name,
        pattern=step.job.pattern,
        draw=Draw.INDEPENDENT,
        read_percent=0,
        block_bytes=block_bytes,
        queue_depth=step.job.queue_depth,
        region=region,
        jobs=step.job.jobs,
        amount_bytes=_amount_bytes(step, ground),
        duration_ns=None if step.limit_ns is None else ground.limit_ns(step.limit_ns),
        seed=0,
    )
