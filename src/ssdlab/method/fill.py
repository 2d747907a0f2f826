"""Purges, rests and fills as planned steps."""

from collections.abc import Iterator
from dataclasses import replace

from ssdlab.job import Draw, IoLog, Job, Region, Resume, StepKind
from ssdlab.method.draft import FILL_BYTES_MIN, Ground, PlannedStep, draft
from ssdlab.method.schema import FillJob, FillStep, PurgeStep, RandomPart, RestStep
from ssdlab.units import Share, format_bytes


def purge_drafts(step: PurgeStep, ground: Ground) -> Iterator[PlannedStep]:
    """`purge` and `purge.rest`."""
    yield draft(step.name, StepKind.PURGE, group=step.name)
    if step.rest_ns:
        yield draft(f"{step.name}.rest", StepKind.REST, group=step.name, rest_ns=ground.rest_ns(step.rest_ns))


def rest_drafts(step: RestStep, ground: Ground) -> Iterator[PlannedStep]:
    """One rest."""
    yield draft(step.name, StepKind.REST, group=step.name, rest_ns=ground.rest_ns(step.duration_ns))


def fill_drafts(step: FillStep, ground: Ground) -> Iterator[PlannedStep]:
    """`fill.pass1`, `fill.rest`, `fill.pass2`; with more passes the later rests are `fill.rest2` and on."""
    region = fill_region(step, ground)
    for number in range(1, step.passes + 1):
        if number > 1 and step.rest_ns:
            suffix = "" if number == 2 else str(number - 1)
            rest_ns = ground.rest_ns(step.rest_ns)
            yield draft(f"{step.name}.rest{suffix}", StepKind.REST, group=step.name, rest_ns=rest_ns)
        name = f"{step.name}.pass{number}"
        job = replace(fill_job(name, step.job, region), io_log=IoLog.DISTRIBUTION_OVER_TIME)
        yield draft(name, StepKind.FILL, group=step.name, job=job, resume=Resume.FROM_PURGE)


def fill_region(step: FillStep, ground: Ground) -> Region:
    """What a fill writes."""
    return Region(0, ground.amount_bytes(step.amount, step.job.block_bytes))


def fill_faults(step: FillStep, ground: Ground) -> Iterator[str]:
    """Why a fill cannot be done on this drive."""
    yield from written_faults(step.name, step.job, step.amount, ground)


def written_faults(name: str, job: FillJob | RandomPart, amount: int | Share, ground: Ground) -> Iterator[str]:
    """Why a part of this drive cannot be written whole."""
    fill_bytes, capacity_bytes = ground.amount_bytes(amount, job.block_bytes), ground.drive.capacity_bytes
    needed_bytes = max(FILL_BYTES_MIN, job.queue_depth * job.block_bytes)
    yield from block_faults(name, job.block_bytes, ground)
    if fill_bytes > capacity_bytes:
        yield f"step `{name}` writes {format_bytes(fill_bytes)}, the drive has {format_bytes(capacity_bytes)}"
    if fill_bytes < needed_bytes:
        yield (
            f"step `{name}` needs at least {format_bytes(needed_bytes)} to write, "
            f"it would get {format_bytes(fill_bytes)} of the drive's {format_bytes(capacity_bytes)}"
        )


def block_faults(name: str, block_bytes: int, ground: Ground) -> Iterator[str]:
    """Why this drive cannot do I/O of that size."""
    if block_bytes % ground.drive.logical_block_bytes:
        yield (
            f"step `{name}` uses blocks of {block_bytes} bytes, "
            f"which are no whole blocks of the drive ({ground.drive.logical_block_bytes} bytes)"
        )


def fill_job(name: str, job: FillJob | RandomPart, region: Region) -> Job:
    """Every block of the region once."""
    return Job(
        name=name,
        pattern=job.pattern,
        draw=Draw.PERMUTATION,
        read_percent=0,
        block_bytes=job.block_bytes,
        queue_depth=job.queue_depth,
        region=region,
        amount_bytes=region.length_bytes,
        duration_ns=None,
        seed=0,
    )
