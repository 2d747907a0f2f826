"""The step `reclaim`: how much cache does a rest bring back (METHODS C8)?"""

from collections.abc import Iterator

from ssdlab.job import Job, Region, Resume, StepKind
from ssdlab.method.draft import Ground, PlannedStep, draft
from ssdlab.method.fill import fill_job, written_faults
from ssdlab.method.schema import ReclaimStep
from ssdlab.units import NS_PER_MS, NS_PER_S, format_bytes_decimal


def reclaim_drafts(step: ReclaimStep, ground: Ground) -> Iterator[PlannedStep]:
    """For each rest `reclaim.t5.purge`, `.purge.rest`, `.fill`, `.rest`, and the write itself, `reclaim.t5`."""
    skip = _reason_to_skip(step, ground)
    region = Region(0, ground.amount_bytes(step.fill, step.job.block_bytes))
    for rest_ns in step.rests_ns:
        point = f"{step.name}.{rest_token(rest_ns)}"

        def helper(
            suffix: str, kind: StepKind, resume: Resume, job: Job | None = None, rest_ns: int = 0
        ) -> PlannedStep:
            return draft(
                f"{point}.{suffix}",  # noqa: B023 - used up before the next turn
                kind,
                group=step.name,
                point=point,  # noqa: B023
                job=job,
                rest_ns=rest_ns,
                skip=skip,
                resume=resume,
            )

        yield helper("purge", StepKind.PURGE, Resume.REDO)
        if step.purge_rest_ns:
            yield helper("purge.rest", StepKind.REST, Resume.REDO, rest_ns=ground.rest_ns(step.purge_rest_ns))
        yield helper("fill", StepKind.FILL, Resume.FROM_PURGE, job=fill_job(f"{point}.fill", step.job, region))
        yield helper("rest", StepKind.REST, Resume.FROM_PURGE, rest_ns=ground.time_ns(rest_ns))
        job = _write_job(point, step, ground)
        yield draft(point, StepKind.MEASURE, group=step.name, job=job, skip=skip, resume=Resume.FROM_PURGE)


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
