"""The step `measure`: jobs times sweep times repetition."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Annotated, Literal, final

from pydantic import BeforeValidator, Field

from ssdlab._core import SAMPLES_ABOVE_MIN
from ssdlab.job import Draw, IoLog, Job, Pattern, Region, Resume, StepKind, Sync
from ssdlab.message import Message, commas, listed, message, number, size
from ssdlab.method.draft import STEPS_MAX, EnoughRule, PlannedStep, RseRule, StepContext, TailRule
from ssdlab.method.kinds.base import KeyPath, SuiteStep, unknown_region
from ssdlab.method.tables import (
    DRIVE_REGION,
    STEP_NAME_LENGTH_MAX,
    Count,
    Depth,
    MeasuredAgain,
    PointOrder,
    StepName,
    SuiteProfile,
    SuiteTable,
)
from ssdlab.method.values import (
    BlockSize,
    Depths,
    Doubling,
    Duration,
    NamedReadPercents,
    Percent,
    Percentile,
    ProperShare,
    Ranges,
    ReadPercent,
    ReadPercents,
    RunTime,
    Size,
    Sizes,
)
from ssdlab.method.writing import block_faults
from ssdlab.point import Coordinate, CoordinateAxis, Point, job_point, named_range_bytes
from ssdlab.units import MIB, Share

JobName = Annotated[str, Field(pattern=r"^(?:[a-z][a-z0-9_]*)?$", max_length=STEP_NAME_LENGTH_MAX)]
"""Part of the names of metrics; empty for the only job of a step."""


class MeasureJob(SuiteTable):
    """What is measured at one point; what the sweep varies is left out here. Ends at `amount` or `limit`, whichever is first."""

    region: StepName = DRIVE_REGION
    """Part of the drive it may touch: `drive`, or one that an earlier step has made."""
    pattern: Annotated[Pattern, Field(strict=False)]
    """Order of offsets. Random offsets are independent draws."""
    block_bytes: BlockSize | None = Field(alias="bs", default=None)
    """Block size; `IU` is the drive's indirection unit."""
    queue_depth: Depth | None = Field(alias="qd", default=None)
    """Queue depth: I/Os in flight."""
    read_percent: ReadPercent | None = Field(alias="read", default=None)
    """Share of reads."""
    jobs: Count = 1
    """So many at once, each with `qd` I/Os in flight; they share the amount."""
    sync: Annotated[Sync, Field(strict=False)] = Sync.NONE
    """Whether each write must be durable before it counts as done."""
    amount_bytes: Size | None = Field(alias="amount", default=None)
    """Ends it once so much is done, by all of `jobs` together."""
    ramp_ns: Duration = Field(alias="ramp", default=0)
    """The same load just before, as a step of its own that does not count; does not shorten `limit`."""
    limit_ns: RunTime | None = Field(alias="limit", default=None)
    """Ends it after so long; a profile never makes it shorter than 100 ms."""
    until_percent: Percent | None = Field(alias="until", default=None)
    """Ends it once half of the 95 % interval of its mean rate is no more than this share of the mean, and never later than `limit`; of
    the engine `load` alone."""
    tail: Percentile | None = None
    """A percentile of its latencies, such as `"99.9999%"`, that is to be told: with `until` it goes on, however well its mean is known,
    until ten I/Os of each direction lie above it, and never longer than `budget`."""
    budget_ns: RunTime | None = Field(alias="budget", default=None)
    """Ends it after so long where `tail` needs more than `limit`."""


class Sweep(SuiteTable):
    """What varies from point to point; every combination is measured, the last of these keys changing fastest."""

    named_read_percent: NamedReadPercents | None = Field(alias="mix", default=None)
    """Shares of reads in words: `read`, `write`, `r70w30`."""
    block_bytes: Sizes | None = Field(alias="bs", default=None)
    """Block sizes."""
    queue_depth: Depths | None = Field(alias="qd", default=None)
    """Queue depths."""
    read_percent: ReadPercents | None = Field(alias="read", default=None)
    """Shares of reads in numbers."""
    active_range: Ranges | None = Field(alias="range", default=None)
    """The first so many bytes of the region are all that is touched."""


class Repeat(SuiteTable):
    """How often a point is measured."""

    times: Count = 1
    """At least."""
    at_most: Count | None = None
    """Further runs as long as the last three differ too much."""
    until_rse_percent: Percent | None = Field(alias="until_rse", default=None)
    """Their relative standard error that is small enough (METHODS 0)."""

    @property
    def runs_max(self) -> int:
        """Runs of a point if it never settles."""
        return self.at_most or self.times


class Take(Enum):
    """Which value stands for several runs of a point."""

    MEDIAN = "median"
    """METHODS 0."""
    TRIMMED_MEAN = "trimmed_mean"
    """Mean without the largest and the smallest."""
    BEST = "best"


class RankOver(Enum):
    """Which shares of reads the ranking value is the mean of."""

    MIXED = "mixed"
    """All but pure reads and pure writes."""
    ALL = "all"


def _whole_number_keys(value: object) -> object:
    """TOML has no keys but text."""
    if not isinstance(value, dict):
        return value
    return {int(key) if isinstance(key, str) and key.isdecimal() else key: one for key, one in value.items()}


class Weighted(SuiteTable):
    """One curve from those of several queue depths, and the value that ranks drives."""

    share_of_depth: Annotated[Mapping[int, ProperShare], BeforeValidator(_whole_number_keys)] = Field(alias="qd")
    """Weight of each queue depth."""
    rank_over: Annotated[RankOver, Field(strict=False)]
    """Shares of reads the ranking value is the mean of: without the pure ones, or all."""


class EveryIoPoints(SuiteTable):
    """Points that keep the latency of every single I/O; a key left out excludes none."""

    queue_depth: Depths | None = Field(alias="qd", default=None)
    """At these queue depths."""
    read_percent: ReadPercents | None = Field(alias="read", default=None)
    """At these shares of reads."""


def _named(value: object) -> object:
    """A step's only job needs no name."""
    if isinstance(value, dict) and not any(isinstance(one, dict) for one in value.values()):
        return {"": value}
    return value


@final
class MeasureStep(SuiteStep):
    """Measure one job or several, at every point of a sweep, as often as it takes."""

    kind: Literal["measure"]
    name: StepName = "measure"
    jobs: Annotated[Mapping[JobName, MeasureJob], BeforeValidator(_named)] = Field(alias="job")
    """One table, or tables with names: `job.rnd = {...}`, `job.seq = {...}`."""
    sweep: Sweep = Sweep()
    """What varies from point to point."""
    repeat: Repeat = Repeat()
    """How often each point is measured."""
    take: Annotated[Take, Field(strict=False)] = Take.MEDIAN
    """Which value stands for several runs."""
    rest_ns: Duration = Field(alias="rest", default=0)
    """Between the runs, of one point and of different ones."""
    weighted: Weighted | None = None
    """A curve from those of all queue depths, and what ranks drives."""
    every_io: EveryIoPoints | None = None
    """Points that keep the latency of every I/O."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why it cannot be done on this drive."""
        count = _runs_of_all(self, ground)
        if count > STEPS_MAX:
            yield message("suite-too-many-runs", step=self.name, count=number(count), most=number(STEPS_MAX))
            return
        points = points_of(self, ground)
        for block_bytes in sorted({point.block_bytes for point in points if _skip(point, ground) is None}):
            yield from block_faults(self.name, block_bytes, ground)
        for point in points:
            if point.region.length_bytes < point.block_bytes * point.job.jobs:
                room, block, jobs = (
                    size(point.region.length_bytes),
                    size(point.block_bytes),
                    number(point.job.jobs, "d"),
                )
                yield message("suite-too-little-room", step=point.name, room=room, jobs=jobs, block=block)

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """Every run of every point; between them rests that bear the name of the run they precede, such as `seq.q1.run2.rest`."""
        rest_ns = ground.rest_ns(self.rest_ns)
        first = True
        points = points_of(self, ground)
        for point in points:
            for run in range(1, _runs(self, ground) + 1):
                name = f"{point.name}.run{run}" if self.repeat.runs_max > 1 else point.name
                steps = [*self._run(name, point, ground)]
                if rest_ns and not first:
                    steps.insert(0, self.draft(f"{name}.rest", StepKind.REST, rest_ns=rest_ns))
                first = False
                for step in steps:
                    yield replace(step, point=point.point, run=run, only_while=_rule(self, point, run))
        if ground.scale.again is MeasuredAgain.FIRST:
            yield from self._again(points, ground)

    def _again(self, points: Sequence["MeasuredPoint"], ground: StepContext) -> Iterator[PlannedStep]:
        """The first point that the drive can do, as a point of its own, so that the first time stays what is reported."""
        first = next((point for point in points if _skip(point, ground) is None), None)
        if first is None or _enough(self, first, ground) is None or len(points) == 1:
            return
        point = first.point.at(CoordinateAxis.RUN, 2)
        for step in self._run(point.name, first, ground):
            again_of = first.name if step.kind is StepKind.MEASURE else None
            yield replace(step, point=point, again_of=again_of)

    @property
    def needs_live_windows(self) -> bool:
        """What is to be known is judged while it is measured."""
        return any(job.until_percent is not None for job in self.jobs.values())

    @property
    def waits_for_rest(self) -> bool:
        """A drive that has just worked may still be tidying up."""
        return True

    def contradictions(self, before: Sequence[SuiteStep]) -> Iterator[tuple[KeyPath, Message]]:
        """Regions that no step before it makes, and what is said twice or nowhere."""
        for label, job in self.jobs.items():
            table: KeyPath = ("job", label) if label else ("job",)
            for fault in unknown_region(job.region, before):
                yield (*table, "region"), fault
            yield from _of_job(self, job, table)
        yield from _of_repeat(self)
        yield from _of_weights(self)

    def _run(self, name: str, point: "MeasuredPoint", ground: StepContext) -> Iterator[PlannedStep]:
        """The ramp, a job of its own because fio throws away what it does in a `ramp_time`, and the measurement straight after it."""
        skip = _skip(point, ground)
        job = _job(name, self, point, ground) if skip is None else None
        measured = replace(
            self.draft(name, StepKind.MEASURE, job),
            skip=skip,
            resume=_resume(point),
            enough=_enough(self, point, ground),
        )
        if job is not None and point.job.ramp_ns and not _made_adaptive(self, point.job, ground.scale):
            yield _ramp_draft(measured, job, ground.time_ns(point.job.ramp_ns))
        yield measured


@dataclass(frozen=True, slots=True)
class SweepSetting:
    """One value of one key of a sweep."""

    axis: CoordinateAxis
    value: int

    @property
    def coordinate(self) -> Coordinate:
        """What the point is called by."""
        return Coordinate(self.axis, named_range_bytes(self.value) if self.axis is CoordinateAxis.RANGE else self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPoint:
    """Where something is measured: the job, with all that the sweep has set."""

    point: Point
    job: MeasureJob
    read_percent: int
    block_bytes: int
    queue_depth: int
    region: Region

    @property
    def name(self) -> str:
        """What its steps and metrics begin with."""
        return self.point.name


def _skip(point: MeasuredPoint, ground: StepContext) -> Message | None:
    """Why this drive cannot do a point, although it can do others of the step."""
    drive = ground.drive
    if point.region.end_bytes > drive.capacity_bytes:
        return message("suite-skip-beyond-end", capacity=size(drive.capacity_bytes))
    if point.block_bytes < drive.logical_block_bytes:
        return message("suite-skip-small-blocks", block=size(drive.logical_block_bytes))
    return None


def _made_adaptive(step: MeasureStep, job: MeasureJob, scale: SuiteProfile) -> bool:
    """Whether the profile lets the points of a job end by themselves that the suite gives a fixed length."""
    is_timed = job.limit_ns is not None and job.amount_bytes is None and job.until_percent is None
    return scale.until_percent is not None and is_timed and step.repeat.runs_max == 1


def _enough(step: MeasureStep, point: MeasuredPoint, ground: StepContext) -> EnoughRule | None:
    job, scale = point.job, ground.scale
    within_percent = scale.until_percent if _made_adaptive(step, job, scale) else job.until_percent
    return None if within_percent is None else EnoughRule(within_percent, _tail(step, point, ground))


def _tail(step: MeasureStep, point: MeasuredPoint, ground: StepContext) -> TailRule | None:
    tail, limit_ns = _told_percentile(step, point, ground.scale), point.job.limit_ns
    if tail is None or limit_ns is None:
        return None
    return TailRule(tail, _ios_for(tail, point.read_percent), ground.limit_ns(limit_ns))


def _told_percentile(step: MeasureStep, point: MeasuredPoint, scale: SuiteProfile) -> Share | None:
    """Of the job; of the profile where that makes it adaptive and every I/O is kept."""
    if not _made_adaptive(step, point.job, scale):
        return point.job.tail
    return scale.tail if _io_log(step, point) is IoLog.EVERY_IO else None


def _ios_for(percentile: Share, read_percent: int) -> int:
    """I/Os until enough lie above it in the direction that has fewer.

    How many of them are of that direction is chance: four standard deviations are allowed for it.
    """
    above = 1 - Fraction(percentile.numerator, percentile.denominator)
    of_direction = math.ceil(SAMPLES_ABOVE_MIN / above)
    share = Fraction(min(read_percent, 100 - read_percent) or 100, 100)
    chance = 0 if share == 1 else 4 * math.sqrt(of_direction * (1 - share))
    return math.ceil((of_direction + chance) / share)


def _ramp_draft(measured: PlannedStep, job: Job, ramp_ns: int) -> PlannedStep:
    name = f"{measured.name}.ramp"
    return replace(
        measured,
        name=name,
        kind=StepKind.RAMP,
        enough=None,
        job=replace(job, name=name, amount_bytes=None, duration_ns=ramp_ns, io_log=IoLog.WINDOWS),
    )


def points_of(step: MeasureStep, ground: StepContext) -> Sequence[MeasuredPoint]:
    """All points in the order of measuring."""
    said = tuple(_said_points(step, ground))
    if ground.scale.order is PointOrder.SAID:
        return said
    return sorted(said, key=lambda point: (point.read_percent < 100, point.read_percent))


def _said_points(step: MeasureStep, ground: StepContext) -> Iterator[MeasuredPoint]:
    """As the suite says them; names say the mix, the job, then block size, QD, share of reads and range."""
    for named in _named_read_percents(step.sweep):
        for label, job in step.jobs.items():
            for settings in itertools.product(*_axes(step.sweep, ground.region(job.region), ground)):
                chosen = tuple(itertools.chain(*settings))
                of_job = job_point(step.name, label).coordinates
                coordinates = (*(one.coordinate for one in named), *of_job, *(one.coordinate for one in chosen))
                yield _measured(Point(step.name, coordinates), job, (*named, *chosen), ground)


def _runs_of_all(step: MeasureStep, ground: StepContext) -> int:
    """How many there will be, counted without making one."""
    points = sum(
        math.prod(len(axis) for axis in _axes(step.sweep, ground.region(job.region), ground))
        for job in step.jobs.values()
    )
    return len(_named_read_percents(step.sweep)) * points * _runs(step, ground)


_Choices = Sequence[tuple[SweepSetting, ...]]
"""What one key of a sweep can be; one choice, which sets nothing, where the sweep does not vary it."""


def _choices(axis: CoordinateAxis, values: Sequence[int] | None) -> _Choices:
    return [(SweepSetting(axis, value),) for value in values or ()] or [()]


def _named_read_percents(sweep: Sweep) -> _Choices:
    return _choices(CoordinateAxis.NAMED_READ_PERCENT, [one.read_percent for one in sweep.named_read_percent or ()])


def _axes(sweep: Sweep, region: Region, ground: StepContext) -> Iterator[_Choices]:
    yield _choices(CoordinateAxis.BLOCK, sweep.block_bytes)
    yield _choices(CoordinateAxis.QUEUE_DEPTH, sweep.queue_depth)
    yield _choices(CoordinateAxis.READ_PERCENT, sweep.read_percent)
    yield _choices(CoordinateAxis.RANGE, _ranges(sweep, region, ground))


def _ranges(sweep: Sweep, region: Region, ground: StepContext) -> Sequence[int]:
    """Sizes of the active ranges: scaled by the profile where they are absolute, whole MiB where the region itself is meant."""
    if sweep.active_range is None:
        return ()
    if not isinstance(sweep.active_range, Doubling):
        return [_range_bytes(one, region, ground) for one in sweep.active_range]
    size_bytes = _range_bytes(sweep.active_range.first, region, ground)
    last_bytes = min(_range_bytes(sweep.active_range.last, region, ground), region.length_bytes)
    sizes = []
    while 0 < size_bytes < last_bytes:
        sizes.append(size_bytes)
        size_bytes *= 2
    return [*sizes, last_bytes]


def _range_bytes(amount: int | Share, region: Region, ground: StepContext) -> int:
    size_bytes = amount.of(region.length_bytes) if isinstance(amount, Share) else ground.scale.size.of(amount)
    return size_bytes // MIB * MIB if size_bytes >= MIB else size_bytes


def _measured(point: Point, job: MeasureJob, settings: Sequence[SweepSetting], ground: StepContext) -> MeasuredPoint:
    """The job with what the settings say; a suite that says a key in both places or in none has been refused by then."""
    region = ground.region(job.region)
    set_to = {setting.axis: setting.value for setting in settings}
    return MeasuredPoint(
        point=point,
        job=job,
        read_percent=_first(
            set_to.get(CoordinateAxis.NAMED_READ_PERCENT), set_to.get(CoordinateAxis.READ_PERCENT), job.read_percent
        ),
        block_bytes=_first(set_to.get(CoordinateAxis.BLOCK), job.block_bytes),
        queue_depth=_first(set_to.get(CoordinateAxis.QUEUE_DEPTH), job.queue_depth),
        region=Region(region.offset_bytes, set_to.get(CoordinateAxis.RANGE, region.length_bytes)),
    )


def _first(*values: int | None) -> int:
    return next(value for value in values if value is not None)


def _runs(step: MeasureStep, ground: StepContext) -> int:
    runs_max = step.repeat.runs_max
    return runs_max if ground.scale.runs is None else min(runs_max, ground.scale.runs)


def _rule(step: MeasureStep, point: MeasuredPoint, run: int) -> RseRule | None:
    limit_percent = step.repeat.until_rse_percent
    if limit_percent is None or run <= step.repeat.times:
        return None
    return RseRule(point.name, limit_percent, step.repeat.times)


def _job(name: str, step: MeasureStep, point: MeasuredPoint, ground: StepContext) -> Job:
    job, region = point.job, point.region
    return Job(
        name=name,
        pattern=job.pattern,
        draw=Draw.INDEPENDENT,
        read_percent=point.read_percent,
        block_bytes=point.block_bytes,
        queue_depth=point.queue_depth,
        jobs=job.jobs,
        region=Region(region.offset_bytes, region.length_bytes // point.block_bytes * point.block_bytes),
        amount_bytes=_amount_bytes(point, ground),
        duration_ns=_longest_ns(step, point, ground),
        sync=job.sync,
        io_log=_io_log(step, point),
        seed=0,
    )


def _longest_ns(step: MeasureStep, point: MeasuredPoint, ground: StepContext) -> int | None:
    job, scale = point.job, ground.scale
    is_told = _told_percentile(step, point, scale) is not None
    budget_ns = scale.budget_ns if is_told and _made_adaptive(step, job, scale) else job.budget_ns
    limits_ns = [one for one in (job.limit_ns, budget_ns) if one is not None]
    return ground.limit_ns(max(limits_ns)) if limits_ns else None


def _amount_bytes(point: MeasuredPoint, ground: StepContext) -> int | None:
    """At least a block for each of the jobs, however far the profile scales it down."""
    if point.job.amount_bytes is None:
        return None
    unit_bytes = point.block_bytes * point.job.jobs
    return max(unit_bytes, ground.scale.size.of(point.job.amount_bytes) // unit_bytes * unit_bytes)


def _io_log(step: MeasureStep, point: MeasuredPoint) -> IoLog:
    wanted = step.every_io
    if wanted is None:
        return IoLog.WINDOWS
    depth = wanted.queue_depth is None or point.queue_depth in wanted.queue_depth
    reads = wanted.read_percent is None or point.read_percent in wanted.read_percent
    return IoLog.EVERY_IO if depth and reads else IoLog.WINDOWS


def _resume(point: MeasuredPoint) -> Resume:
    """What writes all over the drive changes the state in which it began."""
    keeps_state = point.read_percent == 100 or point.job.region != DRIVE_REGION
    return Resume.REDO if keeps_state else Resume.FROM_PURGE


_Contradictions = Iterator[tuple[KeyPath, Message]]


def _of_job(step: MeasureStep, job: MeasureJob, table: KeyPath) -> _Contradictions:
    sweep = step.sweep
    swept = {
        "read": [
            key for key, one in (("mix", sweep.named_read_percent), ("read", sweep.read_percent)) if one is not None
        ],
        "bs": ["bs"] if sweep.block_bytes is not None else [],
        "qd": ["qd"] if sweep.queue_depth is not None else [],
    }
    said = {"read": job.read_percent, "bs": job.block_bytes, "qd": job.queue_depth}
    for key, by in swept.items():
        if said[key] is None and not by:
            yield (*table, key), message("suite-say-or-sweep")
        if said[key] is not None and by:
            yield (*table, key), message("suite-swept-already", key=by[0])
        if len(by) > 1:
            yield ("sweep", "mix"), message("suite-reads-swept-already")
    if job.amount_bytes is None and job.limit_ns is None:
        yield (*table, "amount"), message("suite-job-without-end")
    if job.until_percent is not None:
        yield from _of_until(step, job, table)
    yield from _of_tail(job, table)


def _of_until(step: MeasureStep, job: MeasureJob, table: KeyPath) -> _Contradictions:
    if job.limit_ns is None:
        yield (*table, "limit"), message("suite-until-without-limit")
    if job.amount_bytes is not None:
        yield (*table, "amount"), message("suite-until-with-amount")
    if step.repeat.runs_max > 1:
        yield (*table, "until"), message("suite-until-repeated")


def _of_tail(job: MeasureJob, table: KeyPath) -> _Contradictions:
    if (job.tail is None) != (job.budget_ns is None):
        yield (*table, "tail" if job.tail is None else "budget"), message("suite-tail-and-budget")
    if job.tail is not None and job.until_percent is None:
        yield (*table, "until"), message("suite-tail-without-until")
    if job.budget_ns is not None and job.limit_ns is not None and job.budget_ns < job.limit_ns:
        yield (*table, "budget"), message("suite-budget-below-limit")


def _of_repeat(step: MeasureStep) -> _Contradictions:
    repeat = step.repeat
    if (repeat.at_most is None) != (repeat.until_rse_percent is None):
        missing = "at_most" if repeat.at_most is None else "until_rse"
        yield ("repeat", missing), message("suite-go-together")
    elif repeat.at_most is not None and repeat.at_most <= repeat.times:
        yield ("repeat", "at_most"), message("suite-at-most-times", most=repeat.at_most)
    elif repeat.at_most is not None and repeat.times < 3:
        yield ("repeat", "times"), message("suite-times-too-few", times=repeat.times)


def _of_weights(step: MeasureStep) -> _Contradictions:
    if step.weighted is None:
        return
    depths, weights = set(step.sweep.queue_depth or ()), step.weighted.share_of_depth
    if step.sweep.read_percent is None:
        yield ("weighted",), message("suite-weights-without-curve")
    if set(weights) != depths:
        yield ("weighted", "qd"), message("suite-weights-differ", weighed=_words(set(weights)), swept=_words(depths))
    total = sum(share.numerator / share.denominator for share in weights.values())
    if abs(total - 1) > 1e-9:
        yield ("weighted", "qd"), message("suite-weights-sum", total=number(total * 100, ".4f"))


def _words(depths: set[int]) -> Message:
    return listed(commas(*map(str, sorted(depths)))) if depths else message("suite-missing-depths")
