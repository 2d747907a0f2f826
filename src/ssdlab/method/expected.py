"""What a plan is likely to take where its steps end by themselves; what they take at the longest is in the plan."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ssdlab.job import DriveState, Job, Pattern
from ssdlab.method.cost import FAST, Cost
from ssdlab.method.draft import PassNeed, PlannedStep, SteadyRule, TailRule
from ssdlab.units import NS_PER_S

FROM_FRESH_CAPACITIES = 6.2
"""Written until `held` from a purge: the median of the 128 drives of `docs/short-way.md`, the long way."""
FROM_FILLED_CAPACITIES = 2.2
"""Likewise where the drive was written in order before: the median of the 30 filled drives of `docs/concepts/is-it-steady.md`."""
PASS_CAPACITIES, AFTER_PASS_CAPACITIES = 1.38, 0.25
"""Written by the pass of the short way, and after it: the medians of the drives of `docs/short-way.md`."""
_FRESH = {DriveState.FOB, DriveState.PARTLY_FILLED}
KNOWN_READS_NS = 20 * NS_PER_S
"""Of a point of reads alone that ends once its mean is known: it lasts 10 s at least, and reads of a drive that rests otherwise are even."""


def expected_cost(group: str, steps: Iterable[PlannedStep]) -> Cost:
    """The steps as they are likely to end; points that write are taken to last as long as they may, as most of `docs/time-to-truth.md` do."""
    return Cost(group=group, steps=tuple(map(_likely, _until_collected(tuple(steps)))))


def ends_by_itself(step: PlannedStep) -> bool:
    """Whether how long it takes is decided while it runs."""
    return step.until is not None or step.enough is not None


def _until_collected(steps: Sequence[PlannedStep]) -> Iterator[PlannedStep]:
    """Without those overwrites of a pass that are done only where a drive has more spare space than most."""
    filled_bytes = sum(_amount_bytes(step) for step in steps if step.needs is PassNeed.FRESH_DRIVE)
    passed_bytes = 0
    for step in steps:
        passed_bytes += 0 if step.needs is None else _amount_bytes(step)
        if step.needs is not PassNeed.FRESH_SPACE or passed_bytes <= PASS_CAPACITIES * filled_bytes:
            yield step


def _amount_bytes(step: PlannedStep) -> int:
    return 0 if step.job is None else step.job.amount_bytes or 0


def _likely(step: PlannedStep) -> PlannedStep:
    job = step.job
    if job is None:
        return step
    if step.until is not None:
        return replace(step, job=_until_steady(job, step.until, step.state))
    if step.enough is not None and job.duration_ns is not None:
        return replace(step, job=_until_known(job, job.duration_ns, step.enough.tail))
    return step


def _until_known(job: Job, longest_ns: int, tail: TailRule | None) -> Job:
    """Until the mean is known, or until a percentile can be told, whichever is later."""
    mean_ns = longest_ns if tail is None else tail.mean_limit_ns
    known = replace(job, duration_ns=mean_ns if job.writes else min(mean_ns, KNOWN_READS_NS))
    if tail is None:
        return known
    return max(known, replace(job, amount_bytes=tail.ios * job.block_bytes), key=FAST.duration_ns)


def _until_steady(job: Job, rule: SteadyRule, before: DriveState) -> Job:
    """As much as drives mostly take, within what the step allows; what is written in order is even from the first."""
    long_way = FROM_FRESH_CAPACITIES if before in _FRESH else FROM_FILLED_CAPACITIES
    capacities = long_way if rule.short is None else AFTER_PASS_CAPACITIES
    likely_bytes = rule.least_bytes
    if job.pattern is Pattern.RANDOM:
        likely_bytes = max(likely_bytes, round(capacities * job.region.length_bytes))
    return replace(job, amount_bytes=min(likely_bytes, job.amount_bytes or likely_bytes))
