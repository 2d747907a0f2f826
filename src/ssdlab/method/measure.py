"""The step `measure`: jobs times sweep times repetition, as planned steps."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ssdlab.job import Draw, IoLog, Job, Region, Resume, StepKind
from ssdlab.method.draft import Ground, PlannedStep, RseRule, draft
from ssdlab.method.fill import block_faults
from ssdlab.method.schema import DRIVE_REGION, MeasureJob, MeasureStep, Sweep
from ssdlab.method.values import Doubling
from ssdlab.units import GIB, KIB, MIB, Share, format_bytes

_WHOLE_GIB_FROM = 64 * GIB
"""Ranges from here on are called by their whole GiB: a drive of 931.5 GiB gives `931GiB`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One value of one key of a sweep, and the word for it in names."""

    word: str
    read_percent: int | None = None
    block_bytes: int | None = None
    queue_depth: int | None = None
    range_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """Where something is measured: the job, with all that the sweep has set."""

    name: str
    job: MeasureJob
    read_percent: int
    block_bytes: int
    queue_depth: int
    region: Region


def measure_drafts(step: MeasureStep, ground: Ground) -> Iterator[PlannedStep]:
    """Every run of every point; between them rests that bear the name of the run they precede, such as `seq.q1.run2.rest`."""
    rest_ns = ground.rest_ns(step.rest_ns)
    runs = _runs(step, ground)
    first = True
    for point in points_of(step, ground):
        for run in range(1, runs + 1):
            name = f"{point.name}.run{run}" if step.repeat.runs_max > 1 else point.name
            rule = _rule(step, point, run)
            if rest_ns and not first:
                yield draft(
                    f"{name}.rest",
                    StepKind.REST,
                    group=step.name,
                    point=point.name,
                    run=run,
                    rest_ns=rest_ns,
                    only_while=rule,
                )
            first = False
            yield from _run_drafts(name, step, point, run, rule, ground)


def _run_drafts(
    name: str, step: MeasureStep, point: Point, run: int, rule: RseRule | None, ground: Ground
) -> Iterator[PlannedStep]:
    """The ramp, a job of its own because fio throws away what it does in a `ramp_time`, and the measurement straight after it."""
    skip = _skip(point, ground)
    measured = draft(
        name,
        StepKind.MEASURE,
        group=step.name,
        point=point.name,
        run=run,
        job=_job(name, step, point, ground) if skip is None else None,
        only_while=rule,
        skip=skip,
        resume=_resume(point),
    )
    if measured.job is not None and point.job.ramp_ns:
        yield _ramp_draft(measured, measured.job, ground.time_ns(point.job.ramp_ns))
    yield measured


def _skip(point: Point, ground: Ground) -> str | None:
    """Why this drive cannot do a point, although it can do others of the step."""
    drive = ground.drive
    if point.region.end_bytes > drive.capacity_bytes:
        return f"its range ends beyond the drive's {format_bytes(drive.capacity_bytes)}"
    if point.block_bytes < drive.logical_block_bytes:
        return f"its blocks are smaller than the drive's logical blocks of {format_bytes(drive.logical_block_bytes)}"
    return None


def _ramp_draft(measured: PlannedStep, job: Job, ramp_ns: int) -> PlannedStep:
    name = f"{measured.name}.ramp"
    return replace(
        measured,
        name=name,
        kind=StepKind.RAMP,
        job=replace(job, name=name, amount_bytes=None, duration_ns=ramp_ns, io_log=IoLog.WINDOWS),
    )


def measure_faults(step: MeasureStep, ground: Ground) -> Iterator[str]:
    """Why it cannot be done on this drive."""
    points = tuple(points_of(step, ground))
    for block_bytes in sorted({point.block_bytes for point in points if _skip(point, ground) is None}):
        yield from block_faults(step.name, block_bytes, ground)
    for point in points:
        if point.region.length_bytes < point.block_bytes * point.job.jobs:
            yield (
                f"step `{point.name}` has {format_bytes(point.region.length_bytes)} to work in, "
                f"too little for {point.job.jobs} blocks of {format_bytes(point.block_bytes)}"
            )


def points_of(step: MeasureStep, ground: Ground) -> Iterator[Point]:
    """All points in the order of measuring; names say the mix, the job, then block size, QD, share of reads and range."""
    for mix in _mixes(step.sweep):
        for label, job in step.jobs.items():
            for settings in itertools.product(*_axes(step.sweep, ground.region(job.region), ground)):
                words = (step.name, mix.word, label, *(one.word for one in settings))
                yield _point(".".join(word for word in words if word), job, (mix, *settings), ground)


_UNSET = (Setting(word=""),)


def _mixes(sweep: Sweep) -> Sequence[Setting]:
    return [Setting(word=mix.word, read_percent=mix.read_percent) for mix in sweep.mix or ()] or _UNSET


def _axes(sweep: Sweep, region: Region, ground: Ground) -> Iterator[Sequence[Setting]]:
    yield [Setting(word=f"b{size_token(size)}", block_bytes=size) for size in sweep.block_bytes or ()] or _UNSET
    yield [Setting(word=f"q{depth}", queue_depth=depth) for depth in sweep.queue_depth or ()] or _UNSET
    yield [Setting(word=f"r{share}", read_percent=share) for share in sweep.read_percent or ()] or _UNSET
    yield [Setting(word=range_token(size), range_bytes=size) for size in _ranges(sweep, region, ground)] or _UNSET


def _ranges(sweep: Sweep, region: Region, ground: Ground) -> Sequence[int]:
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


def _range_bytes(amount: int | Share, region: Region, ground: Ground) -> int:
    size_bytes = amount.of(region.length_bytes) if isinstance(amount, Share) else ground.scale.size.of(amount)
    return size_bytes // MIB * MIB if size_bytes >= MIB else size_bytes


def _point(name: str, job: MeasureJob, settings: Sequence[Setting], ground: Ground) -> Point:
    """The job with what the settings say; a suite that says a key in both places or in none has been refused by then."""
    region = ground.region(job.region)
    length_bytes = _set(settings, lambda one: one.range_bytes, region.length_bytes)
    return Point(
        name=name,
        job=job,
        read_percent=_set(settings, lambda one: one.read_percent, job.read_percent),
        block_bytes=_set(settings, lambda one: one.block_bytes, job.block_bytes),
        queue_depth=_set(settings, lambda one: one.queue_depth, job.queue_depth),
        region=Region(region.offset_bytes, length_bytes),
    )


def _set(settings: Sequence[Setting], value_of: Callable[[Setting], int | None], otherwise: int | None) -> int:
    return next(value for value in (*map(value_of, settings), otherwise) if value is not None)


def _runs(step: MeasureStep, ground: Ground) -> int:
    runs_max = step.repeat.runs_max
    return runs_max if ground.scale.runs is None else min(runs_max, ground.scale.runs)


def _rule(step: MeasureStep, point: Point, run: int) -> RseRule | None:
    limit_percent = step.repeat.until_rse_percent
    if limit_percent is None or run <= step.repeat.times:
        return None
    return RseRule(point.name, limit_percent, step.repeat.times)


def _job(name: str, step: MeasureStep, point: Point, ground: Ground) -> Job:
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
        duration_ns=None if job.limit_ns is None else ground.limit_ns(job.limit_ns),
        sync=job.sync,
        io_log=_io_log(step, point),
        seed=0,
    )


def _amount_bytes(point: Point, ground: Ground) -> int | None:
    """At least a block for each of the jobs, however far the profile scales it down."""
    if point.job.amount_bytes is None:
        return None
    unit_bytes = point.block_bytes * point.job.jobs
    return max(unit_bytes, ground.scale.size.of(point.job.amount_bytes) // unit_bytes * unit_bytes)


def _io_log(step: MeasureStep, point: Point) -> IoLog:
    wanted = step.every_io
    if wanted is None:
        return IoLog.WINDOWS
    depth = wanted.queue_depth is None or point.queue_depth in wanted.queue_depth
    share = wanted.read_percent is None or point.read_percent in wanted.read_percent
    return IoLog.EVERY_IO if depth and share else IoLog.WINDOWS


def _resume(point: Point) -> Resume:
    """What writes all over the drive changes the state in which it began."""
    keeps_state = point.read_percent == 100 or point.job.region != DRIVE_REGION
    return Resume.REDO if keeps_state else Resume.FROM_PURGE


def size_token(size_bytes: int) -> str:
    """A size in the largest unit that says it exactly, for names: `4KiB`, `512B`."""
    for unit, factor in (("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
        if size_bytes and size_bytes % factor == 0:
            return f"{size_bytes // factor}{unit}"
    return f"{size_bytes}B"


def range_token(size_bytes: int) -> str:
    """Likewise, but of large ranges only the whole GiB."""
    return size_token(size_bytes // GIB * GIB if size_bytes >= _WHOLE_GIB_FROM else size_bytes)
