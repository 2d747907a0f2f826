"""The step `search`: the whole drive is written, then measurements are asked for one by one (METHODS E5)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from ssdlab.job import Draw, Interface, Job, Pattern, Region, Resume, StepKind, Stream, StreamKind
from ssdlab.method.draft import Ground, PlannedStep, SearchRule, draft, step_seed
from ssdlab.method.fill import block_faults
from ssdlab.method.schema import DRIVE_REGION, SearchStep
from ssdlab.units import NS_PER_S, format_bytes


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
        word = f"{self.stage.value}.n{self.jobs}"
        return f"{word}.run{self.run}" if self.stage is Stage.CONFIRM else word


def search_drafts(step: SearchStep, ground: Ground) -> Iterator[PlannedStep]:
    """`bootbench.fill1`, `bootbench.fill2` and `bootbench.search`; interrupted, a drive has rested, so all is done again."""
    skip = ground.drive.cannot_trim
    for number in range(1, step.fill.passes + 1):
        name = f"{step.name}.fill{number}"
        job = _fill_job(name, step, ground)
        yield draft(
            name,
            StepKind.FILL,
            group=step.name,
            point=step.name,
            run=number,
            job=job,
            skip=skip,
            resume=Resume.FROM_PURGE,
        )
    yield draft(
        f"{step.name}.search",
        StepKind.SEARCH,
        group=step.name,
        point=step.name,
        search=_rule(step, ground),
        skip=skip,
        resume=Resume.FROM_PURGE,
    )


def search_faults(step: SearchStep, ground: Ground) -> Iterator[str]:
    """Why it cannot be done on this drive."""
    sizes = (step.fill.block_bytes, step.reads.block_bytes, step.writes.block_bytes, step.trims.block_bytes)
    for block_bytes in sorted(set(sizes)):
        yield from block_faults(step.name, block_bytes, ground)
    needed_bytes = step.reads.jobs_max * max(sizes)
    if ground.drive.capacity_bytes < needed_bytes:
        yield (
            f"step `{step.name}` needs at least {format_bytes(needed_bytes)}, "
            f"the drive has {format_bytes(ground.drive.capacity_bytes)}"
        )


def candidate_step(search: PlannedStep, candidate: Candidate, index: int) -> PlannedStep:
    """The measurement of a candidate; the drive is in the state the search found it in, to which its own load belongs.

    Raises:
        ValueError: The step is no search.
    """
    rule = search.search
    if rule is None:
        raise ValueError(f"step {search.name} is no search")
    name = f"{search.group}.{candidate.word}"
    lasts_ns = {Stage.DOUBLE: rule.double_ns, Stage.BISECT: rule.bisect_ns, Stage.CONFIRM: rule.confirm_ns}
    job = replace(
        rule.reads,
        name=name,
        jobs=candidate.jobs,
        duration_ns=lasts_ns[candidate.stage],
        seed=step_seed(rule.reads.seed, name),
    )
    measured = draft(name, StepKind.MEASURE, group=search.group, run=candidate.run, job=job, resume=Resume.FROM_PURGE)
    return replace(measured, index=index, state=search.state)


def usual_jobs(rule: SearchRule) -> tuple[Job, ...]:
    """What a search comes to that goes up to the most jobs, bisects once through and is confirmed at once."""
    jobs_max = rule.said.reads.jobs_max
    depth = max(1, (jobs_max // rule.reads.jobs).bit_length())
    lasts_ns = (*[rule.double_ns] * depth, *[rule.bisect_ns] * depth, *[rule.confirm_ns] * rule.confirm_runs)
    return tuple(replace(rule.reads, jobs=jobs_max, duration_ns=one) for one in lasts_ns)


def seeded(step: PlannedStep, seed: int) -> SearchRule | None:
    """What a search asks for, with a seed of its own; None of every other step."""
    rule = step.search
    return None if rule is None else replace(rule, reads=replace(rule.reads, seed=step_seed(seed, step.name)))


def _fill_job(name: str, step: SearchStep, ground: Ground) -> Job:
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


def _rule(step: SearchStep, ground: Ground) -> SearchRule:
    times, runs = step.times, step.times.confirm_runs
    return SearchRule(
        said=step,
        reads=_reads(step, ground),
        double_ns=_time_ns(times.double_ns, ground),
        bisect_ns=_time_ns(times.bisect_ns, ground),
        confirm_ns=_time_ns(times.confirm_ns, ground),
        confirm_runs=runs if ground.scale.runs is None else min(runs, ground.scale.runs),
    )


_TIME_NS_MIN = NS_PER_S // 2
"""However far a profile scales it down: a shorter candidate has too few reads for any of its percentiles."""


def _time_ns(duration_ns: int, ground: Ground) -> int:
    return max(min(duration_ns, _TIME_NS_MIN), ground.limit_ns(duration_ns))


def _reads(step: SearchStep, ground: Ground) -> Job:
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


def _region(block_bytes: int, ground: Ground) -> Region:
    """The whole drive."""
    return Region(0, ground.region(DRIVE_REGION).length_bytes // block_bytes * block_bytes)
