"""The step `steady`: sequential or random writes until the drive's speed no longer changes (METHODS E1, E3, S)."""

from collections.abc import Iterator

from ssdlab.job import Draw, Job, Pattern, Region, Resume, StepKind
from ssdlab.method.draft import Ground, PlannedStep, SteadyRule, draft
from ssdlab.method.fill import written_faults
from ssdlab.method.schema import DRIVE_REGION, Profile, SteadyStep
from ssdlab.units import Share

_WORDS = {Pattern.SEQUENTIAL: "seq", Pattern.RANDOM: "rnd"}
_WHOLE = Share(1, 1)


def steady_name(pattern: Pattern) -> str:
    """`precondition.seq` or `precondition.rnd`: the name of the planned step, and the prefix of its metrics (METHODS M)."""
    return f"precondition.{_WORDS[pattern]}"


def steady_drafts(step: SteadyStep, ground: Ground) -> Iterator[PlannedStep]:
    """One job, which is one stream: random offsets are independent draws from first to last (METHODS 0)."""
    name = steady_name(step.job.pattern)
    job = _job(name, step, ground)
    rule = steady_rule(step, ground.scale, ground.drive.capacity_bytes)
    yield draft(name, StepKind.PRECONDITION, group=step.name, job=job, until=rule, resume=Resume.FROM_PURGE)


def steady_rule(step: SteadyStep, scale: Profile, capacity_bytes: int) -> SteadyRule:
    """When the job may end."""
    at_least = _at_most(step.at_least, scale.at_least)
    return SteadyRule(at_least * capacity_bytes, scale.time.of(step.measured_ns), scale.time, step.ctrl_c)


def steady_faults(step: SteadyStep, ground: Ground) -> Iterator[str]:
    """Why it cannot be done on this drive."""
    yield from written_faults(step.name, step.job, _WHOLE, ground)


def _at_most(of_step: int, of_profile: int | None) -> int:
    """Times the capacity: a profile may say less than the step."""
    return of_step if of_profile is None else min(of_step, of_profile)


def _job(name: str, step: SteadyStep, ground: Ground) -> Job:
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
        amount_bytes=_at_most(step.at_most, ground.scale.at_most) * drive.length_bytes // block_bytes * block_bytes,
        duration_ns=None,
        seed=0,
    )
