"""The step `search`: the whole drive is written, then measurements are asked for one by one (METHODS E5)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Literal, Self, final

from pydantic import Field

from ssdlab.job import Caching, Draw, Interface, Job, Pattern, Region, Resume, StepKind, Stream, StreamKind
from ssdlab.message import Message, message, size
from ssdlab.method.asking import AskingRule
from ssdlab.method.draft import PlannedStep, StepContext, draft, step_seed
from ssdlab.method.kinds.base import SuiteStep
from ssdlab.method.tables import DRIVE_REGION, Count, Depth, StepName, SuiteTable
from ssdlab.method.values import Rate, RunTime, Size
from ssdlab.method.writing import block_faults
from ssdlab.point import CoordinateAxis, Point
from ssdlab.units import NS_PER_S


class Stage(Enum):
    """What a candidate is asked for."""

    DOUBLE = "double"
    BISECT = "bisect"
    CONFIRM = "confirm"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A number of jobs to be tried."""

    stage: Stage
    jobs: int
    run: int = 1
    """Which of its confirmations, from 1."""

    @property
    def word(self) -> str:
        """`double.n8`, `confirm.n8.run2`: unique in a search, which never tries the same twice."""
        return self.point("").words

    def point(self, step: str) -> Point:
        """Where a search of that name measures it."""
        point = Point(step).at(CoordinateAxis.STAGE, self.stage.value).at(CoordinateAxis.JOBS, self.jobs)
        return point.at(CoordinateAxis.RUN, self.run) if self.stage is Stage.CONFIRM else point


class SearchFill(SuiteTable):
    """How the whole drive is written before a search: in random order."""

    block_bytes: Size = Field(alias="bs")
    """Block size."""
    queue_depth: Depth = Field(alias="qd")
    """Queue depth: I/Os in flight."""
    passes: Count = 1
    """How often the drive's size is written."""
    draw: Annotated[Draw, Field(strict=False)] = Draw.PERMUTATION
    """`permutation`: every block once a pass. `independent`: each drawn anew, which leaves 37 % of them out of one pass and 14 % out of two."""


class SearchReads(SuiteTable):
    """The reads of a search: so many jobs at once, each with one I/O in flight."""

    block_bytes: Size = Field(alias="bs")
    """Block size."""
    jobs_min: Depth = Field(alias="first")
    """Jobs it begins with; a drive that misses a limit with these fails."""
    jobs_max: Depth = Field(alias="last")
    """More than these are not tried."""


class SearchStream(SuiteTable):
    """What goes on beside the reads of a search, at a steady pace."""

    block_bytes: Size = Field(alias="bs")
    """Block size."""
    rate_bytes_per_s: Rate = Field(alias="rate")
    """The pace; what is late is caught up."""
    floor_bytes_per_s: Rate = Field(alias="floor")
    """A limit: it must never be slower than this over `floor_over`."""


class SearchWrites(SearchStream):
    """Likewise, writes."""

    flush_every: Annotated[int, Field(ge=1, le=2**31 - 1)] = Field(alias="fsync")
    """The drive is flushed after so many of them."""
    caching: Annotated[Caching, Field(strict=False)] = Caching.DIRECT
    """`buffered`: they wait in the host's memory until they are flushed, and then go to the drive together."""


class SearchTimes(SuiteTable):
    """How long a search runs each candidate."""

    double_ns: RunTime = Field(alias="double")
    """While the number of jobs doubles."""
    bisect_ns: RunTime = Field(alias="bisect")
    """Between the most jobs that passed and the fewest that did not."""
    confirm_ns: RunTime = Field(alias="confirm")
    """What is found, and one job fewer each time it is not confirmed."""
    confirm_runs: Count = 1
    """How often; all of them must pass, and the slowest counts."""


class SearchLimits(SuiteTable):
    """What a candidate must keep within; the rate at the end is judged only of what is found."""

    clat_p99_ns: RunTime = Field(alias="clat_p99")
    """99 % of the reads take at most this long from submission to completion."""
    clat_p99_9_ns: RunTime = Field(alias="clat_p99_9")
    """99.9 % of them."""
    clat_max_ns: RunTime = Field(alias="clat_max")
    """All of them."""
    iops: Annotated[int, Field(ge=1, le=2**31 - 1)]
    """Reads a second that pass."""


class Procedure(Enum):
    """How a search goes about it."""

    PUBLISHED = "published"
    """What is found is confirmed only where the last bisection failed, and a floor missed with fewer than 8 jobs ends the search."""
    MENDED = "mended"
    """What is found is always confirmed."""


@final
class SearchStep(SuiteStep):
    """With how many readers does the drive still keep its limits, beside writes and trims? The whole drive is written first (METHODS E5)."""

    kind: Literal["search"]
    name: StepName = "bootbench"
    procedure: Annotated[Procedure, Field(strict=False)] = Procedure.MENDED
    """`published`: what is found is confirmed only where the last bisection failed, and a floor missed with fewer than 8 jobs ends the search. `mended`: it is always confirmed."""
    fill: SearchFill
    """How the whole drive is written first."""
    reads: SearchReads = Field(alias="read")
    """What is measured."""
    writes: SearchWrites = Field(alias="write")
    """Writes that go on beside it."""
    trims: SearchStream = Field(alias="trim")
    """Trims that go on beside it."""
    floor_over_ns: RunTime = Field(alias="floor_over")
    """Over how long floors are judged; profiles do not scale it, and a shorter run is judged as a whole."""
    times: SearchTimes = Field(alias="time")
    """How long each candidate runs."""
    limits: SearchLimits = Field(alias="limit")
    """What must be kept within."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why it cannot be done on this drive."""
        sizes = (self.fill.block_bytes, self.reads.block_bytes, self.writes.block_bytes, self.trims.block_bytes)
        for block_bytes in sorted(set(sizes)):
            yield from block_faults(self.name, block_bytes, ground)
        needed_bytes = self.reads.jobs_max * max(sizes)
        if ground.drive.capacity_bytes < needed_bytes:
            needed, capacity = size(needed_bytes), size(ground.drive.capacity_bytes)
            yield message("suite-drive-too-small", step=self.name, needed=needed, capacity=capacity)

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """`bootbench.fill1`, `bootbench.fill2` and `bootbench.search`; interrupted, a drive has rested, so all is done again."""
        for step in self._all(ground):
            yield replace(step, point=Point(self.name), skip=ground.drive.cannot_trim, resume=Resume.FROM_PURGE)

    @property
    def waits_for_rest(self) -> bool:
        """It writes the whole drive before it measures."""
        return False

    @property
    def is_by_fio(self) -> bool:
        """It is published with fio, and writes and trims at a pace of their own beside the reads."""
        return True

    def _all(self, ground: StepContext) -> Iterator[PlannedStep]:
        for number in range(1, self.fill.passes + 1):
            name = f"{self.name}.fill{number}"
            yield replace(self.draft(name, StepKind.FILL, _fill_job(name, self, ground)), run=number)
        yield replace(self.draft(f"{self.name}.search", StepKind.SEARCH), search=_rule(self, ground))


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRule(AskingRule):
    """A search for the most jobs; the template has the fewest."""

    said: SearchStep
    """The suite's own words for it."""
    double_ns: int
    bisect_ns: int
    confirm_ns: int
    """How long they last, as the profile scales it."""
    confirm_runs: int

    @property
    def usual_jobs(self) -> tuple[Job, ...]:
        """What a search comes to that goes up to the most jobs, bisects once through and is confirmed at once."""
        jobs_max = self.said.reads.jobs_max
        depth = max(1, (jobs_max // self.template.jobs).bit_length())
        lasts_ns = (*[self.double_ns] * depth, *[self.bisect_ns] * depth, *[self.confirm_ns] * self.confirm_runs)
        return tuple(replace(self.template, jobs=jobs_max, duration_ns=one) for one in lasts_ns)

    def seeded(self, seed: int) -> Self:
        """The same with another seed."""
        return replace(self, template=replace(self.template, seed=seed))


def candidate_step(search: PlannedStep, rule: SearchRule, candidate: Candidate, index: int) -> PlannedStep:
    """The measurement of a candidate; the drive is in the state the search found it in, to which its own load belongs."""
    point = candidate.point(search.group)
    name = point.name
    lasts_ns = {Stage.DOUBLE: rule.double_ns, Stage.BISECT: rule.bisect_ns, Stage.CONFIRM: rule.confirm_ns}
    job = replace(
        rule.template,
        name=name,
        jobs=candidate.jobs,
        duration_ns=lasts_ns[candidate.stage],
        seed=step_seed(rule.template.seed, name),
    )
    measured = draft(name, StepKind.MEASURE, search.group, job)
    return replace(measured, index=index, point=point, run=candidate.run, state=search.state, resume=Resume.FROM_PURGE)


def _fill_job(name: str, step: SearchStep, ground: StepContext) -> Job:
    region = _region(step.fill.block_bytes, ground)
    return Job(
        name=name,
        pattern=Pattern.RANDOM,
        draw=step.fill.draw,
        read_percent=0,
        block_bytes=step.fill.block_bytes,
        queue_depth=step.fill.queue_depth,
        region=region,
        amount_bytes=region.length_bytes,
        duration_ns=None,
        interface=Interface.LIBAIO,
        seed=0,
    )


def _rule(step: SearchStep, ground: StepContext) -> SearchRule:
    times, runs = step.times, step.times.confirm_runs
    return SearchRule(
        said=step,
        template=_reads(step, ground),
        double_ns=_time_ns(times.double_ns, ground),
        bisect_ns=_time_ns(times.bisect_ns, ground),
        confirm_ns=_time_ns(times.confirm_ns, ground),
        confirm_runs=runs if ground.scale.runs is None else min(runs, ground.scale.runs),
    )


_TIME_NS_MIN = NS_PER_S // 2
"""However far a profile scales it down: a shorter candidate has too few reads for any of its percentiles."""


def _time_ns(duration_ns: int, ground: StepContext) -> int:
    return max(min(duration_ns, _TIME_NS_MIN), ground.limit_ns(duration_ns))


def _reads(step: SearchStep, ground: StepContext) -> Job:
    writes, trims = step.writes, step.trims
    return Job(
        name=step.name,
        pattern=Pattern.RANDOM,
        draw=Draw.INDEPENDENT,
        read_percent=100,
        block_bytes=step.reads.block_bytes,
        queue_depth=1,
        jobs=step.reads.jobs_min,
        region=_region(step.reads.block_bytes, ground),
        amount_bytes=None,
        duration_ns=_time_ns(step.times.double_ns, ground),
        interface=Interface.LIBAIO,
        seed=0,
        beside=(
            Stream(
                kind=StreamKind.WRITE,
                block_bytes=writes.block_bytes,
                rate_bytes_per_s=writes.rate_bytes_per_s,
                flush_every=writes.flush_every,
                caching=writes.caching,
            ),
            Stream(kind=StreamKind.TRIM, block_bytes=trims.block_bytes, rate_bytes_per_s=trims.rate_bytes_per_s),
        ),
    )


def _region(block_bytes: int, ground: StepContext) -> Region:
    """The whole drive."""
    return Region(0, ground.region(DRIVE_REGION).length_bytes // block_bytes * block_bytes)
