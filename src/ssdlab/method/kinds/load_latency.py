"""The step `load_latency`: how long I/Os take that come at a rate of their own, from idle to saturation (METHODS W).

What such a load waits for is never seen by a closed loop, which submits nothing while the drive stalls. So the rates are offered as
arrivals of their own, at random (a Poisson process) where the suite says nothing else, and latency counts from when each I/O was due.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal, Self, final

from pydantic import Field

from ssdlab.job import Draw, Job, Pattern, Region, Resume, Spacing, StepKind
from ssdlab.message import Message, message, number, size
from ssdlab.method.asking import AskingRule
from ssdlab.method.draft import PlannedStep, StepContext, draft, step_seed
from ssdlab.method.kinds.base import KeyPath, SuiteStep, unknown_region
from ssdlab.method.tables import DRIVE_REGION, Depth, StepName, SuiteTable
from ssdlab.method.values import (
    BlockSize,
    Depths,
    Duration,
    Durations,
    NamedReadPercent,
    NamedReadPercents,
    OfferedLoads,
    RunTime,
)
from ssdlab.method.writing import block_faults
from ssdlab.point import CoordinateAxis, Point
from ssdlab.units import NS_PER_S

WHOLE_LOAD = 10_000
"""Saturation, in hundredths of a per cent of it: all offered loads are whole numbers of these."""


_HALF_DEPTH = 4
"""A queue that keeps most drives about half busy: what all loads come to in the mean."""


class OfferedJob(SuiteTable):
    """What arrives."""

    region: StepName = DRIVE_REGION
    """Part of the drive it may touch: `drive`, or one that an earlier step has made."""
    pattern: Annotated[Pattern, Field(strict=False)]
    """Order of offsets. Random offsets are independent draws."""
    block_bytes: BlockSize = Field(alias="bs")
    """Block size; `IU` is the drive's indirection unit."""
    room: Depth = 1024
    """The drive is given at most so many at once; what is due beyond waits in the host, and its response latency counts it."""


class DepthLadder(SuiteTable):
    """Closed loops that show what the drive can do at most; ends before the last where two doublings in turn gain less than 2 %."""

    queue_depth: Depths = Field(alias="qd")
    """Queue depths, ascending."""
    ramp_ns: Duration = Field(alias="ramp", default=0)
    """The same load just before, as a step of its own that does not count."""
    limit_ns: RunTime = Field(alias="limit")
    """How long each lasts."""


class Offered(SuiteTable):
    """Rates at which I/Os come, whatever the drive does."""

    loads: OfferedLoads
    """Shares of the saturation, in an order that the seed draws; between those where a limit is lost, and beyond the last one if none is, more are asked for."""
    ramp_ns: Duration = Field(alias="ramp", default=0)
    """The same load just before, as a step of its own that does not count."""
    ios: Annotated[int, Field(ge=1, le=10**10)]
    """A rate lasts until so many I/Os have come in the mean; a profile scales it like a time."""
    at_least_ns: RunTime = Field(alias="at_least")
    """But not shorter than this."""
    at_most_ns: RunTime = Field(alias="at_most")
    """Nor longer."""


class ResponseLimits(SuiteTable):
    """What a service may ask of the drive."""

    response_p99_9_ns: Durations = Field(alias="p99_9")
    """99.9 % of the I/Os take at most this long from when they were due to their completion; the rate is sought at which they just do."""


@final
class LoadLatencyStep(SuiteStep):
    """How long do I/Os take at each rate that the drive is offered, and up to which rate does it keep a limit? Only by the engine `load`."""

    kind: Literal["load_latency"]
    name: StepName = "load_latency"
    job: OfferedJob
    """What arrives."""
    named_read_percent: NamedReadPercents = Field(alias="mix")
    """Shares of reads in words, one after the other: `read`, `r70w30`, `write`."""
    arrivals: Annotated[Spacing, Field(strict=False)] = Spacing.POISSON
    """How I/Os follow each other. `poisson`: each at a random time of its own; `constant`: at equal distances, as from a timer; `bursts`: at random times that come two and a half times as often in bursts of 2 ms and half as often in the 6 ms between, both in the mean."""
    ladder: DepthLadder
    """How saturation is found."""
    offered: Offered
    """What is offered then."""
    limits: ResponseLimits = Field(alias="limit")
    """For which the rates are sought."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why it cannot be done on this drive."""
        yield from block_faults(self.name, self.job.block_bytes, ground)
        block_bytes, room_bytes = self.job.block_bytes, ground.region(self.job.region).length_bytes
        if room_bytes < block_bytes:
            room, block = size(room_bytes), size(block_bytes)
            yield message("suite-too-little-room", step=self.name, room=room, jobs=number(1, "d"), block=block)

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """One step for each mix, such as `load_latency.read.search`, which asks for the measurements."""
        for mix in self.named_read_percent:
            point = mix_point(self, mix)
            asks = self.draft(f"{point.name}.search", StepKind.SEARCH)
            rule = _rule(self, mix, ground)
            # A mix begins with its ladder again, to which its loads belong. Reads find the drive as it was left; after writes it has rested.
            resume = Resume.FROM_PURGE if rule.template.writes else Resume.REDO
            yield replace(asks, point=point, search=rule, resume=resume)

    @property
    def waits_for_rest(self) -> bool:
        """A drive that has just worked may still be tidying up."""
        return True

    def contradictions(self, before: Sequence[SuiteStep]) -> Iterator[tuple[KeyPath, Message]]:
        """A region that no step before it makes, and rates that would last no time."""
        for fault in unknown_region(self.job.region, before):
            yield ("job", "region"), fault
        if self.offered.at_most_ns < self.offered.at_least_ns:
            yield ("offered", "at_most"), message("suite-at-most-below-least")

    @property
    def opens_loads(self) -> bool:
        """It is nothing for fio, whose rates stand still whenever the drive does."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedLoadRule(AskingRule):
    """How one mix is offered; the template has the room as its queue depth, and no rate."""

    said: LoadLatencyStep
    """The suite's own words for it."""
    ladder_ns: int
    ladder_ramp_ns: int
    least_ns: int
    most_ns: int
    ramp_ns: int
    """How long they last, as the profile scales it."""
    ios: int

    @property
    def usual_jobs(self) -> tuple[Job, ...]:
        """The whole ladder, all loads and as many again between them, at few I/Os in flight; slow drives take longer for them."""
        depths = [replace(self.template, queue_depth=depth) for depth in self.said.ladder.queue_depth]
        ladder = [replace(one, duration_ns=self.ladder_ns + self.ladder_ramp_ns) for one in depths]
        half = replace(self.template, queue_depth=_HALF_DEPTH, duration_ns=self.least_ns + self.ramp_ns)
        return (*ladder, *[half] * (2 * len(self.said.offered.loads)))

    def seeded(self, seed: int) -> Self:
        """The same with another seed."""
        return replace(self, template=replace(self.template, seed=seed))

    def duration_ns(self, rate_iops: int) -> int:
        """How long a rate is offered."""
        return min(self.most_ns, max(self.least_ns, round(self.ios / rate_iops * NS_PER_S)))


@dataclass(frozen=True, slots=True)
class LadderDepth:
    """A closed loop to be measured."""

    queue_depth: int

    def point(self, of: Point) -> Point:
        """Where it is measured: `load_latency.read.q32`."""
        return of.at(CoordinateAxis.QUEUE_DEPTH, self.queue_depth)


@dataclass(frozen=True, slots=True)
class OfferedLoad:
    """A rate to be offered."""

    load: int
    """In hundredths of a per cent of the saturation."""
    saturation_iops: float

    def point(self, of: Point) -> Point:
        """Where it is measured: `load_latency.read.load87_5`."""
        return of.at(CoordinateAxis.OFFERED, self.load)

    @property
    def rate_iops(self) -> int:
        """The rate; at least one I/O a second."""
        return max(1, round(self.saturation_iops * self.load / WHOLE_LOAD))


def mix_point(step: LoadLatencyStep, mix: NamedReadPercent) -> Point:
    """What all points of a mix have in common: `load_latency.r70w30`."""
    return Point(step.name).at(CoordinateAxis.NAMED_READ_PERCENT, mix.read_percent)


def asked_steps(
    asks: PlannedStep, rule: OfferedLoadRule, what: LadderDepth | OfferedLoad, index: int
) -> list[PlannedStep]:
    """The measurement, after its ramp if it has one; they have the numbers from `index` on."""
    point = what.point(asks.point)
    match what:
        case LadderDepth():
            ramp_ns = rule.ladder_ramp_ns
            job = replace(rule.template, queue_depth=what.queue_depth, duration_ns=rule.ladder_ns)
        case OfferedLoad():
            ramp_ns = rule.ramp_ns
            rate_iops = what.rate_iops
            arrivals, lasts_ns = rule.said.arrivals, rule.duration_ns(rate_iops)
            job = replace(rule.template, rate_iops=rate_iops, arrivals=arrivals, duration_ns=lasts_ns)
    kinds = [(StepKind.RAMP, f"{point.name}.ramp", ramp_ns)] if ramp_ns else []
    kinds.append((StepKind.MEASURE, point.name, job.duration_ns or 0))
    return [
        replace(
            draft(
                name, kind, asks.group, replace(job, name=name, duration_ns=lasts_ns, seed=step_seed(job.seed, name))
            ),
            index=index + place,
            point=point,
            state=asks.state,
        )
        for place, (kind, name, lasts_ns) in enumerate(kinds)
    ]


def _rule(step: LoadLatencyStep, mix: NamedReadPercent, ground: StepContext) -> OfferedLoadRule:
    job, offered, region = step.job, step.offered, ground.region(step.job.region)
    length_bytes = region.length_bytes // job.block_bytes * job.block_bytes
    least_ns = ground.limit_ns(offered.at_least_ns)
    return OfferedLoadRule(
        said=step,
        template=Job(
            name=step.name,
            pattern=job.pattern,
            draw=Draw.INDEPENDENT,
            read_percent=mix.read_percent,
            block_bytes=job.block_bytes,
            queue_depth=job.room,
            region=Region(region.offset_bytes, length_bytes),
            amount_bytes=None,
            duration_ns=least_ns,
            seed=0,
        ),
        ladder_ns=ground.limit_ns(step.ladder.limit_ns),
        ladder_ramp_ns=ground.time_ns(step.ladder.ramp_ns),
        least_ns=least_ns,
        most_ns=ground.limit_ns(offered.at_most_ns),
        ramp_ns=ground.time_ns(offered.ramp_ns),
        ios=max(1, ground.scale.time.of(offered.ios)),
    )
