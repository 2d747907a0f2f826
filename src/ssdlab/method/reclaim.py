"""The step `reclaim`: how much cache does a rest bring back (METHODS C8)?"""

from collections.abc import Iterator
from dataclasses import replace

from ssdlab.job import Job, Region, Resume, StepKind
from ssdlab.method.draft import Ground, PlannedStep, draft
from ssdlab.method.fill import fill_job, written_faults
from ssdlab.method.schema import ReclaimStep
from ssdlab.units import NS_PER_MS, NS_PER_S, format_bytes_decimal


def reclaim_drafts(step: ReclaimStep, ground: Ground) -> Iterator[PlannedStep]:
    """For each rest `reclaim.t5.purge`, `.purge.rest`, `.fill`, `.rest`, and the write itself, `reclaim.t5`."""
    skip = _reason_to_skip(step, ground)
    for rest_ns in step.rests_ns:
        for one in _cycle(step, rest_ns, ground):
            yield replace(one, point=f"{step.name}.{rest_token(rest_ns)}", skip=skip)


def _cycle(step: ReclaimStep, rest_ns: int, ground: Ground) -> Iterator[PlannedStep]:
    point = f"{step.name}.{rest_token(rest_ns)}"
    region = Region(0, ground.amount_bytes(step.fill, step.job.block_bytes))
    filled = fill_job(f"{point}.fill", step.job, region)
    back = Resume.FROM_PURGE
    yield draft(f"{point}.purge", StepKind.PURGE, group=step.name)
    if step.purge_rest_ns:
        rest_after_ns = ground.rest_ns(step.purge_rest_ns)
        yield draft(f"{point}.purge.rest", StepKind.REST, group=step.name, rest_ns=rest_after_ns)
    yield draft(f"{point}.fill", StepKind.FILL, group=step.name, job=filled, resume=back)
    yield draft(f"{point}.rest", StepKind.REST, group=step.name, rest_ns=ground.time_ns(rest_ns), resume=back)
    yield draft(point, StepKind.MEASURE, group=step.name, job=_write_job(point, step, ground), resume=back)


def reclaim_faults(step: ReclaimStep, ground: Ground) -> Iterator[str]:
    """Why it cannot be done on this drive."""
    if _reason_to_skip(step, ground) is None:
        yield from written_faults(step.name, step.job, step.fill, ground)


def rest_token(rest_ns: int) -> str:
    """`t5` for five seconds, in names of metrics; the profile does not change it."""
    seconds, rest = divmod(rest_ns, NS_PER_S)
    return f"t{rest_ns // NS_PER_MS}ms" if rest else f"t{seconds}"


def _reason_to_skip(step: ReclaimStep, ground: Ground) -> str | None:
    limit_bytes, capacity_bytes = step.skip_above_bytes, ground.drive.capacity_bytes
    if limit_bytes is None or capacity_bytes <= limit_bytes:
        return None
    return (
        f"the drive has {format_bytes_decimal(capacity_bytes)}, "
        f"the suite does this only up to {format_bytes_decimal(limit_bytes)}"
    )


def _write_job(name: str, step: ReclaimStep, ground: Ground) -> Job:
    job, capacity_bytes = step.job, ground.drive.capacity_bytes
    return Job(
        name=name,
        pattern=job.pattern,
        read_percent=0,
        block_bytes=job.block_bytes,
        queue_depth=job.queue_depth,
        region=Region(0, capacity_bytes // job.block_bytes * job.block_bytes),
        amount_bytes=None,
        duration_ns=ground.limit_ns(step.write_ns),
        seed=0,
    )
