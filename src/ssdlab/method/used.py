"""The step `precondition`: from a drive filled twice to one in use (METHODS C4)."""

from collections.abc import Iterator, Mapping

from ssdlab.job import Action, Job, Pattern, Region, StepKind
from ssdlab.method.draft import Ground, PlannedStep, draft
from ssdlab.method.fill import fill_job, written_faults
from ssdlab.method.schema import RANDOM_REGION, SEQUENTIAL_REGION, PreconditionStep
from ssdlab.units import MIB, format_bytes

_TRIM_BYTES = 64 * MIB
"""Length of each trim command on a drive large enough: there are then few of them, and every kernel takes them."""
_TRIMS_MIN = 64
_ALIGNMENT_BYTES = MIB
"""Regions begin and end on whole MiB, so that no block of any size and no mapping unit lies across a border."""


def precondition_drafts(step: PreconditionStep, ground: Ground) -> Iterator[PlannedStep]:
    """`precondition.random`, which writes the first part, and `precondition.trim`, which frees the last."""
    random = f"{step.name}.random"
    job = fill_job(random, step.random, _random_region(step, ground))
    yield draft(random, StepKind.FILL, group=step.name, point=step.name, job=job)
    trim = f"{step.name}.trim"
    yield draft(
        trim,
        StepKind.TRIM,
        group=step.name,
        point=step.name,
        job=_trim_job(trim, step, ground),
        skip=ground.drive.cannot_trim,
    )


def precondition_regions(step: PreconditionStep, ground: Ground) -> Mapping[str, Region]:
    """`random` is its first part, `sequential` what of the drive stays in use after it."""
    random, trimmed = _random_region(step, ground), _trimmed_region(step, ground)
    begin_bytes = -(-random.end_bytes // _ALIGNMENT_BYTES) * _ALIGNMENT_BYTES
    used = Region(begin_bytes, max(0, trimmed.offset_bytes - begin_bytes))
    return {RANDOM_REGION: random, SEQUENTIAL_REGION: used}


def precondition_faults(step: PreconditionStep, ground: Ground) -> Iterator[str]:
    """Why it cannot be done on this drive."""
    yield from written_faults(step.name, step.random, step.random.amount, ground)
    capacity_bytes, trimmed = ground.drive.capacity_bytes, _trimmed_region(step, ground)
    if not trimmed.length_bytes:
        yield f"step `{step.name}` trims less than 1 MiB of the drive's {format_bytes(capacity_bytes)}"
    if not precondition_regions(step, ground)[SEQUENTIAL_REGION].length_bytes:
        yield (
            f"step `{step.name}` leaves no sequential region: of the drive's {format_bytes(capacity_bytes)} the first "
            f"{format_bytes(_random_region(step, ground).length_bytes)} are for random tests and the last "
            f"{format_bytes(trimmed.length_bytes)} free"
        )


def _random_region(step: PreconditionStep, ground: Ground) -> Region:
    return Region(0, ground.amount_bytes(step.random.amount, step.random.block_bytes))


def _trimmed_region(step: PreconditionStep, ground: Ground) -> Region:
    """The end of the drive, in whole trim commands; less than a MiB after the last whole one stays."""
    capacity_bytes = ground.drive.capacity_bytes
    wanted_bytes, block_bytes = step.trim.of(capacity_bytes), _trim_block_bytes(step, ground)
    end_bytes = capacity_bytes // _ALIGNMENT_BYTES * _ALIGNMENT_BYTES
    length_bytes = wanted_bytes // block_bytes * block_bytes
    return Region(end_bytes - length_bytes, length_bytes)


def _trim_block_bytes(step: PreconditionStep, ground: Ground) -> int:
    large = step.trim.of(ground.drive.capacity_bytes) >= _TRIMS_MIN * _TRIM_BYTES
    return _TRIM_BYTES if large else _ALIGNMENT_BYTES


def _trim_job(name: str, step: PreconditionStep, ground: Ground) -> Job:
    region = _trimmed_region(step, ground)
    return Job(
        name=name,
        pattern=Pattern.SEQUENTIAL,
        action=Action.TRIM,
        read_percent=0,
        block_bytes=_trim_block_bytes(step, ground),
        queue_depth=1,
        region=region,
        amount_bytes=region.length_bytes,
        duration_ns=None,
        seed=0,
    )
