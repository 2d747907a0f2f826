"""The step `demand`: how do rate and response time depend on how much is asked of a steady drive (SNIA PTS, DIRTH and CBW)?

Writes until the drive is saturated; then rounds of all numbers of jobs by all queue depths until those are flat, too; then the response
times of three operating points, each long enough for a distribution.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Literal, Self, final

from pydantic import Field

from ssdlab.job import Draw, DriveState, Job, MixAction, Pattern, Region, Resume, StepKind
from ssdlab.message import Message, message, number, size
from ssdlab.method.asking import AskingRule
from ssdlab.method.draft import STEPS_MAX, PlannedStep, StepContext, draft, step_seed
from ssdlab.method.kinds.base import KeyPath, SuiteStep
from ssdlab.method.kinds.mixes import is_path
from ssdlab.method.kinds.rounds import WINDOW_ROUNDS
from ssdlab.method.tables import DRIVE_REGION, Count, Depth, StepName, SuiteTable
from ssdlab.method.values import WHOLE, ProperShare, ReadPercent, RunTime, Size
from ssdlab.method.writing import block_faults
from ssdlab.point import CoordinateAxis, Point

_USUAL_ROUNDS = 2 * WINDOW_ROUNDS
"""Most drives are steady within two windows, if they are at all."""


class Operating(Enum):
    """The points whose response times are told; the values are in names."""

    MAX = "max"
    """The highest rate whose mean response time keeps the limit."""
    MID = "mid"
    """Of those that keep it the nearest to the middle of the two others."""
    MIN = "min"
    """The least that is asked: the fewest jobs at the lowest queue depth."""


class DemandJob(SuiteTable):
    """What is done: I/Os of one size, or a mix of several kinds."""

    mix: str | None = None
    """Name of a mix that comes with ssdlab, or the path of a file; only by the engine `load`. Writes before it are those of the mix."""
    pattern: Annotated[Pattern | None, Field(strict=False)] = None
    """Order of offsets. Random offsets are independent draws."""
    block_bytes: Size | None = Field(alias="bs", default=None)
    """Block size."""
    read_percent: ReadPercent | None = Field(alias="read", default=None)
    """Share of reads."""
    active_range: ProperShare = Field(alias="range", default=WHOLE)
    """Share of the user capacity that is touched, from the first byte on."""


class DemandTimes(SuiteTable):
    """How long each part lasts."""

    saturate_ns: RunTime = Field(alias="saturate")
    """A round of writes with the most in flight, before anything is measured; of it the first part counts, as long as a `cell`."""
    prewrite_ns: RunTime = Field(alias="prewrite")
    """The same writes before each round."""
    cell_ns: RunTime = Field(alias="cell")
    """Each pair of a number of jobs and a queue depth."""
    before_point_ns: RunTime = Field(alias="before_point")
    """Writes before an operating point, with as many in flight as it has."""
    point_ns: RunTime = Field(alias="point")
    """An operating point."""


@dataclass(frozen=True, slots=True)
class Demand:
    """So much is asked at once."""

    jobs: int
    queue_depth: int

    def point(self, of: Point) -> Point:
        """Where it is measured: `dirth.n4.q32`."""
        return of.at(CoordinateAxis.JOBS, self.jobs).at(CoordinateAxis.QUEUE_DEPTH, self.queue_depth)


@dataclass(frozen=True, slots=True)
class Saturation:
    """A round of writes before anything is measured, from 1."""

    round: int


@dataclass(frozen=True, slots=True)
class DemandOfRound:
    """A pair in a round, from 1."""

    round: int
    demand: Demand


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """One of the three, and what is asked there."""

    operating: Operating
    demand: Demand


Asked = Saturation | DemandOfRound | OperatingPoint


@final
class DemandStep(SuiteStep):
    """How do rate and response time depend on how much is asked? All numbers of jobs by all queue depths, in rounds until steady."""

    kind: Literal["demand"]
    name: StepName = "demand"
    job: DemandJob
    """What is done."""
    jobs: tuple[Count, ...] = Field(strict=False, min_length=1)
    """Numbers of jobs, the largest first: each has `qd` I/Os in flight."""
    queue_depths: tuple[Depth, ...] = Field(alias="qd", strict=False, min_length=1)
    """Queue depths, the deepest first."""
    times: DemandTimes
    """How long each part lasts."""
    response_ns: RunTime = Field(alias="response")
    """Mean response time that the highest operating point keeps."""
    at_most: Annotated[int, Field(ge=WINDOW_ROUNDS, le=1000)] = 25
    """Rounds of writes, and then of measurements; not steady by then is a result, and the last five are its numbers."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why it cannot be done on this drive."""
        if (count := len(demands_of(self)) * self.at_most) > STEPS_MAX:
            yield message("suite-too-many-runs", step=self.name, count=number(count), most=number(STEPS_MAX))
            return
        if self.job.mix is not None:
            from ssdlab.method.mix_file import load_mix, mix_faults  # its errors know all kinds of steps

            found = tuple(mix_faults(self.job.mix, _region(self, ground)))
            yield from found
            if not found:
                yield from block_faults(self.name, load_mix(self.job.mix).shortest_bytes, ground)
            return
        block_bytes = self.job.block_bytes or 0
        yield from block_faults(self.name, block_bytes, ground)
        room_bytes = _region(self, ground).length_bytes
        if room_bytes < block_bytes * max(self.jobs):
            room, block, jobs = size(room_bytes), size(block_bytes), number(max(self.jobs), "d")
            yield message("suite-too-little-room", step=self.name, room=room, jobs=jobs, block=block)

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """One step, which asks for the measurements; interrupted, a drive has rested, so all is done again."""
        asks = self.draft(f"{self.name}.search", StepKind.SEARCH)
        yield replace(asks, point=Point(self.name), search=_rule(self, ground), resume=Resume.FROM_PURGE)

    @property
    def waits_for_rest(self) -> bool:
        """It begins on what was done before it."""
        return False

    @property
    def opens_loads(self) -> bool:
        """A mix is nothing for fio, which does not tell what it issued by kind."""
        return self.job.mix is not None

    @property
    def files_read(self) -> tuple[str, ...]:
        """A mix of one's own."""
        return () if self.job.mix is None or not is_path(self.job.mix) else (self.job.mix,)

    def contradictions(self, before: Sequence[SuiteStep]) -> Iterator[tuple[KeyPath, Message]]:
        """A mix beside what it says itself, or neither; a number twice."""
        del before
        told = [self.job.pattern, self.job.block_bytes, self.job.read_percent]
        if any(one is not None for one in told) if self.job.mix is not None else None in told:
            yield ("job",), message("suite-mix-or-block")
        for key, values in (("jobs", self.jobs), ("qd", self.queue_depths)):
            if len(set(values)) < len(values):
                yield (key,), message("unit-list-repeats")


def demands_of(step: DemandStep) -> tuple[Demand, ...]:
    """The pairs of a round in the order of measuring."""
    return tuple(Demand(jobs, depth) for jobs, depth in itertools.product(step.jobs, step.queue_depths))


def most_of(step: DemandStep) -> Demand:
    """What saturates the drive, and is tracked."""
    return Demand(max(step.jobs), max(step.queue_depths))


def least_of(step: DemandStep) -> Demand:
    """The lowest operating point."""
    return Demand(min(step.jobs), min(step.queue_depths))


def operating_point(step: str, operating: Operating) -> Point:
    """Where it is measured: `dirth.max`."""
    return Point(step).at(CoordinateAxis.STAGE, operating.value)


def saturation_point(step: str) -> Point:
    """What the rounds of writes have in common: `dirth.saturate`."""
    return Point(step).at(CoordinateAxis.STAGE, "saturate")


def point_of(step: str, what: Asked) -> Point:
    """Where it is measured."""
    match what:
        case Saturation(round=place):
            return saturation_point(step).at(CoordinateAxis.ROUND, place)
        case DemandOfRound(round=place, demand=demand):
            return demand.point(Point(step).at(CoordinateAxis.ROUND, place))
        case OperatingPoint(operating=operating):
            return operating_point(step, operating)


@dataclass(frozen=True, slots=True, kw_only=True)
class DemandRule(AskingRule):
    """What is measured on one drive; the template is the job measured, with the most in flight."""

    said: DemandStep
    """The suite's own words for it."""
    writes: Job
    """What is written before it, likewise."""
    demands: tuple[Demand, ...]
    rounds_max: int
    saturate_ns: int
    sample_ns: int
    """What counts of a round of writes, from its beginning on: as long as a cell."""
    prewrite_ns: int
    cell_ns: int
    before_point_ns: int
    point_ns: int

    @property
    def usual_jobs(self) -> tuple[Job, ...]:
        """Two windows of writes and of rounds, and the three points."""
        rounds = min(self.rounds_max, _USUAL_ROUNDS)
        saturated = replace(self.writes, duration_ns=self.saturate_ns)
        before = replace(self.writes, duration_ns=self.prewrite_ns)
        cells = [self.asked_of(self.template, demand, self.cell_ns) for demand in self.demands]
        low = least_of(self.said)
        point = (
            self.asked_of(self.writes, low, self.before_point_ns),
            self.asked_of(self.template, low, self.point_ns),
        )
        return (*[saturated] * rounds, *(before, *cells) * rounds, *point * len(Operating))

    def seeded(self, seed: int) -> Self:
        """The same with another seed."""
        return replace(self, template=replace(self.template, seed=seed), writes=replace(self.writes, seed=seed))

    def state_after(self, before: DriveState) -> DriveState:
        """It goes on until the drive is steady."""
        del before
        return DriveState.STEADY

    def asked_of(self, job: Job, demand: Demand, lasts_ns: int) -> Job:
        """A job with so many in flight, for so long."""
        return replace(job, jobs=demand.jobs, queue_depth=demand.queue_depth, duration_ns=lasts_ns)


def demand_steps(asks: PlannedStep, rule: DemandRule, what: Asked, index: int) -> list[PlannedStep]:
    """The measurement, after the writes before it if it has such; they have the numbers from `index` on."""
    point, most = point_of(asks.group, what), most_of(rule.said)
    match what:
        case Saturation():
            jobs = [(point, StepKind.MEASURE, rule.asked_of(rule.writes, most, rule.saturate_ns))]
        case DemandOfRound(round=place, demand=demand):
            jobs = [(point, StepKind.MEASURE, rule.asked_of(rule.template, demand, rule.cell_ns))]
            if demand == rule.demands[0]:
                before = Point(asks.group).at(CoordinateAxis.ROUND, place).at(CoordinateAxis.STAGE, "prewrite")
                jobs.insert(0, (before, StepKind.RAMP, rule.asked_of(rule.writes, most, rule.prewrite_ns)))
        case OperatingPoint(demand=demand):
            before = point.at(CoordinateAxis.STAGE, "prewrite")
            jobs = [
                (before, StepKind.RAMP, rule.asked_of(rule.writes, demand, rule.before_point_ns)),
                (point, StepKind.MEASURE, rule.asked_of(rule.template, demand, rule.point_ns)),
            ]
    return [
        replace(
            draft(at.name, kind, asks.group, replace(job, name=at.name, seed=step_seed(rule.template.seed, at.name))),
            index=index + place,
            point=at,
            resume=Resume.FROM_PURGE,
        )
        for place, (at, kind, job) in enumerate(jobs)
    ]


def _region(step: DemandStep, ground: StepContext) -> Region:
    return Region(0, step.job.active_range.of(ground.region(DRIVE_REGION).length_bytes))


def _rule(step: DemandStep, ground: StepContext) -> DemandRule:
    times, runs = step.times, ground.scale.runs
    measured = _mixed_job(step, step.job.mix, ground) if step.job.mix is not None else _plain_job(step, ground)
    return DemandRule(
        said=step,
        template=measured,
        writes=_only_writes(measured),
        demands=demands_of(step),
        rounds_max=step.at_most if runs is None else max(WINDOW_ROUNDS, min(step.at_most, runs)),
        saturate_ns=ground.limit_ns(times.saturate_ns),
        sample_ns=ground.limit_ns(times.cell_ns),
        prewrite_ns=ground.limit_ns(times.prewrite_ns),
        cell_ns=ground.limit_ns(times.cell_ns),
        before_point_ns=ground.limit_ns(times.before_point_ns),
        point_ns=ground.limit_ns(times.point_ns),
    )


def _plain_job(step: DemandStep, ground: StepContext) -> Job:
    block_bytes, most = step.job.block_bytes or 1, most_of(step)
    return Job(
        name=step.name,
        pattern=step.job.pattern or Pattern.RANDOM,
        draw=Draw.INDEPENDENT,
        read_percent=step.job.read_percent or 0,
        block_bytes=block_bytes,
        queue_depth=most.queue_depth,
        jobs=most.jobs,
        region=Region(0, _region(step, ground).length_bytes // block_bytes * block_bytes),
        amount_bytes=None,
        duration_ns=1,
        seed=0,
    )


def _mixed_job(step: DemandStep, mix: str, ground: StepContext) -> Job:
    """Its block size is the shortest length, which all places are multiples of."""
    from ssdlab.method.mix_file import load_mix

    loaded, region, most = load_mix(mix), _region(step, ground), most_of(step)
    return Job(
        name=step.name,
        pattern=Pattern.RANDOM if loaded.random_percent else Pattern.SEQUENTIAL,
        draw=Draw.INDEPENDENT,
        read_percent=loaded.read_percent,
        block_bytes=loaded.shortest_bytes,
        queue_depth=most.queue_depth,
        jobs=most.jobs,
        region=region,
        amount_bytes=None,
        duration_ns=1,
        seed=0,
        mix=loaded.parts(region),
    )


def _only_writes(job: Job) -> Job:
    """The same without its reads."""
    return replace(job, read_percent=0, mix=tuple(part for part in job.mix if part.action is MixAction.WRITE))
