"""A suite in words: each of its steps as a sentence with its numbers, taken from the TOML that ran."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ssdlab.bundle.read import Bundle
from ssdlab.figure.subject import block_words
from ssdlab.figure.suite_steps import suite_steps
from ssdlab.job import Pattern, Sync
from ssdlab.method.faults import SuiteError
from ssdlab.method.schema import (
    AnyStep,
    FillJob,
    FillStep,
    MeasureJob,
    MeasureStep,
    PreconditionStep,
    Profile,
    PurgeStep,
    RandomPart,
    RankOver,
    ReclaimStep,
    RestStep,
    SearchStep,
    SteadyStep,
    Sweep,
    Take,
)
from ssdlab.method.suite import parse_suite
from ssdlab.method.values import INDIRECTION_UNIT, Doubling
from ssdlab.units import NS_PER_S, Share

_PATTERNS = {Pattern.SEQUENTIAL: "sequential", Pattern.RANDOM: "random"}
_TAKEN = {
    Take.MEDIAN: "the median of the runs counts",
    Take.TRIMMED_MEAN: "the mean of the runs without the largest and the smallest counts",
    Take.BEST: "the best run counts",
}


@dataclass(frozen=True, slots=True)
class StepWords:
    """A step of a suite, told."""

    name: str
    text: str


def method_words(bundle: Bundle) -> tuple[StepWords, ...]:
    """The steps in their order; none where this version cannot read the suite any more."""
    return tuple(StepWords(step.name, _words(step)) for step in suite_steps(bundle))


def scaling_words(bundle: Bundle) -> str:
    """How the profile that ran departs from the suite as published; empty where it does not."""
    run = bundle.run
    try:
        profile = parse_suite(run.suite.text, "the suite of the bundle").profile(run.profile)
    except SuiteError:
        return ""
    return (
        ""
        if profile.comparable
        else f"The profile {run.profile} ran the steps scaled down: {', '.join(_scaled(profile))}."
    )


def _scaled(profile: Profile) -> Iterator[str]:
    for name, share in (("times", profile.time), ("rests", profile.settling), ("absolute amounts", profile.size)):
        if share.numerator != share.denominator:
            yield f"{name} to {share.numerator}/{share.denominator}"
    if profile.runs is not None:
        yield f"at most {_runs(profile.runs)} a point"
    if profile.at_least is not None:
        yield f"conditioning of at least {_runs(profile.at_least)} the capacity"
    if profile.at_most is not None:
        yield f"conditioning of at most {_runs(profile.at_most)} the capacity"


def _words(step: AnyStep) -> str:
    match step:
        case PurgeStep():
            text = (
                f"Purge to fresh out of the box{f', then rest {duration_words(step.rest_ns)}' if step.rest_ns else ''}."
            )
        case RestStep():
            text = f"Rest {duration_words(step.duration_ns)}: no host I/O at all."
        case FillStep():
            text = _fill(step)
        case PreconditionStep():
            text = _precondition(step)
        case SteadyStep():
            text = (
                f"Keep up {_writes(step.job)} over the whole drive until its speed is steady: "
                f"at least {step.at_least} and at most {step.at_most} times the user capacity."
            )
        case MeasureStep():
            text = _measure(step)
        case ReclaimStep():
            text = _reclaim(step)
        case SearchStep():
            text = _search(step)
    return text


def _precondition(step: PreconditionStep) -> str:
    return (
        f"Write the first {_amount(step.random.amount)} with {_writes(step.random)}, and trim the last "
        f"{_share(step.trim)} of the drive. From here on random tests touch only that part, and sequential tests only the "
        "rest of what is in use."
    )


def _reclaim(step: ReclaimStep) -> str:
    rests = ", ".join(duration_words(one) for one in step.rests_ns)
    return (
        f"For each rest of {rests}: purge, rest {duration_words(step.purge_rest_ns)}, fill {_share(step.fill)} of the drive "
        f"with {_writes(step.job)}, rest that long, then write in the same way for {duration_words(step.write_ns)}."
    )


def _fill(step: FillStep) -> str:
    rest = f", resting {duration_words(step.rest_ns)} in between" if step.passes > 1 and step.rest_ns else ""
    return f"Write {_part(step.amount)} {_runs(step.passes)} with {_writes(step.job)}{rest}."


def _measure(step: MeasureStep) -> str:
    parts = ["; ".join(_job(job) for job in step.jobs.values()), *_sweep(step.sweep)]
    if step.repeat.runs_max > 1:
        more = step.repeat.at_most
        until = (
            f", at most {more} until the last three differ by no more than {step.repeat.until_rse_percent:g} % (RSE)"
            if more is not None and step.repeat.until_rse_percent is not None
            else ""
        )
        parts.append(f"each point {_runs(step.repeat.times)}{until}; {_TAKEN[step.take]}")
    if step.rest_ns:
        parts.append(f"rest of {duration_words(step.rest_ns)} between runs")
    if step.weighted is not None:
        weights = ", ".join(f"{_share(share)} QD{depth}" for depth, share in step.weighted.share_of_depth.items())
        over = "mixed points only" if step.weighted.rank_over is RankOver.MIXED else "all points"
        parts.append(f"weighted curve of {weights}; its mean over {over} ranks the drives")
    if step.every_io is not None:
        parts.append("the latency of every single I/O is kept where the suite asks for it")
    return ". ".join(f"{part[:1].upper()}{part[1:]}" for part in parts) + "."


def _job(job: MeasureJob) -> str:
    size = "" if job.block_bytes is None else f" {_block(job.block_bytes)}"
    depth = "" if job.queue_depth is None else f" QD{job.queue_depth}"
    if job.jobs > 1:
        depth += f", {job.jobs} jobs"
    sync = "" if job.sync is Sync.NONE else ", each write durable before it counts"
    ends = [_amount(job.amount_bytes)] if job.amount_bytes is not None else []
    if job.limit_ns is not None:
        ends.append(duration_words(job.limit_ns))
    end = f", {' or '.join(ends)} a point{', whichever is first' if len(ends) > 1 else ''}" if ends else ""
    ramp = f" after a ramp of {duration_words(job.ramp_ns)}" if job.ramp_ns else ""
    region = "" if job.region == "drive" else f" in the {job.region} region"
    return f"{_PATTERNS[job.pattern]}{size} {_direction(job)}{depth}{region}{sync}{end}{ramp}"


def _direction(job: MeasureJob) -> str:
    if job.read_percent is None:
        return "reads and writes"
    if job.read_percent in {0, 100}:
        return "reads" if job.read_percent else "writes"
    return f"{job.read_percent} % reads and {100 - job.read_percent} % writes"


def _sweep(sweep: Sweep) -> Iterator[str]:
    parts = []
    if sweep.mix is not None:
        parts.append(_list([one.word for one in sweep.mix]))
    if sweep.block_bytes is not None:
        parts.append(f"block sizes {_list([block_words(one) for one in sweep.block_bytes])}")
    if sweep.queue_depth is not None:
        parts.append(f"QD {_numbers(sweep.queue_depth)}")
    if sweep.read_percent is not None:
        parts.append(f"read shares of {_numbers(sweep.read_percent)} %")
    if parts:
        yield f"measured at every combination of {'; '.join(parts)}" if len(parts) > 1 else f"measured at {parts[0]}"
    if isinstance(sweep.active_range, Doubling):
        last = _part(sweep.active_range.last)
        yield f"only the first {_amount(sweep.active_range.first)} is touched, then twice as much each time up to {last}"
    elif sweep.active_range is not None:
        yield f"only the first {_list([_amount(one) for one in sweep.active_range])} is touched"


_TOLD_SINGLY = 4


def _numbers(values: Sequence[int]) -> str:
    """All of them, or their rule: `1, 2, 4`, `0 to 100 in steps of 10`, `1 to 256, doubling`."""
    if len(values) > _TOLD_SINGLY:
        steps = {after - before for before, after in pairwise(values)}
        if len(steps) == 1:
            return f"{values[0]} to {values[-1]} in steps of {steps.pop()}"
        if all(after == 2 * before for before, after in pairwise(values)):
            return f"{values[0]} to {values[-1]}, doubling"
    return _list([str(one) for one in values])


def _list(items: Sequence[str]) -> str:
    return ", ".join(items)


def _search(step: SearchStep) -> str:
    limits, times = step.limits, step.times
    return (
        f"Write the whole drive {_runs(step.fill.passes)} with random {_block(step.fill.block_bytes)} writes at QD{step.fill.queue_depth}. "
        f"Then find the most readers ({step.reads.jobs_min} to {step.reads.jobs_max} jobs of random {_block(step.reads.block_bytes)} reads, one in flight each) "
        f"beside writes of {_rate(step.writes.rate_bytes_per_s)} and trims of {_rate(step.trims.rate_bytes_per_s)} with which "
        f"99 % of the reads take at most {duration_words(limits.clat_p99_ns)}, 99.9 % at most {duration_words(limits.clat_p99_9_ns)} and all at most "
        f"{duration_words(limits.clat_max_ns)}: doubling for {duration_words(times.double_ns)} each, bisecting for {duration_words(times.bisect_ns)} each, "
        f"confirmed {_runs(times.confirm_runs)} for {duration_words(times.confirm_ns)}; {limits.iops:,} reads a second pass."
    )


def _writes(job: FillJob | RandomPart) -> str:
    return f"{_PATTERNS[job.pattern]} {_block(job.block_bytes)} writes at QD{job.queue_depth}"


def _block(size_bytes: int) -> str:
    return "blocks of the indirection unit" if size_bytes == INDIRECTION_UNIT else block_words(size_bytes)


def _amount(amount: int | Share) -> str:
    return _share(amount) if isinstance(amount, Share) else block_words(amount)


def _part(amount: int | Share) -> str:
    if not isinstance(amount, Share):
        return f"the first {_amount(amount)}"
    return "the whole drive" if amount.numerator == amount.denominator else f"{_share(amount)} of the drive"


def _share(share: Share) -> str:
    return f"{100 * share.numerator / share.denominator:g} %"


def _rate(bytes_per_s: int) -> str:
    return f"{block_words(bytes_per_s)}/s"


def _runs(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def duration_words(duration_ns: int) -> str:
    """A duration of a method without needless digits: `15 min`, `90 s`, `10 ms`."""
    for unit_ns, unit in (
        (3600 * NS_PER_S, "h"),
        (60 * NS_PER_S, "min"),
        (NS_PER_S, "s"),
        (10**6, "ms"),
        (10**3, "µs"),
    ):
        if duration_ns >= unit_ns and duration_ns % unit_ns == 0:
            return f"{duration_ns // unit_ns:,} {unit}"
    return f"{duration_ns:,} ns"
