"""A suite in words: each of its steps as a sentence with its numbers, taken from the TOML that ran."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit.subject import block_words
from ssdlab.figure.kit.suite_steps import suite_steps
from ssdlab.job import Pattern, ReplayPace, Spacing, Sync
from ssdlab.message import Listed, Message, Separator, Value, commas, listed, message, number, semicolons, verbatim
from ssdlab.method.draft import Route, SteadyBy
from ssdlab.method.faults import SuiteError
from ssdlab.method.kinds.cross_stimulus import CrossStimulusStep, StimulusJob
from ssdlab.method.kinds.demand import DemandStep, most_of
from ssdlab.method.kinds.fill import FillStep
from ssdlab.method.kinds.idle_recovery import IdleRecoveryStep
from ssdlab.method.kinds.load_latency import WHOLE_LOAD, LoadLatencyStep
from ssdlab.method.kinds.measure import MeasureJob, MeasureStep, RankOver, Sweep, Take
from ssdlab.method.kinds.mixes import MixesStep, mix_name
from ssdlab.method.kinds.purge import PurgeStep
from ssdlab.method.kinds.reclaim import ReclaimStep
from ssdlab.method.kinds.replay import ReplayStep, trace_title
from ssdlab.method.kinds.rest import RestStep
from ssdlab.method.kinds.rounds import RoundsStep, TrackedQuantity
from ssdlab.method.kinds.search import SearchStep
from ssdlab.method.kinds.steady_state import SteadyStateStep
from ssdlab.method.kinds.trim import TrimStep
from ssdlab.method.kinds.used_state import RandomPart, UsedStateStep
from ssdlab.method.kinds.write_amplification import WriteAmplificationStep
from ssdlab.method.schema import AnyStep
from ssdlab.method.short_way import ASSUMED_SPARE, LIMIT_SHARE, PARTS, SPARE_MAX, STRETCH_SHARE
from ssdlab.method.suite import parse_suite
from ssdlab.method.tables import DRIVE_REGION, FillJob, MeasuredAgain, PointOrder, SuiteProfile
from ssdlab.method.values import INDIRECTION_UNIT, Doubling
from ssdlab.units import KIB, NS_PER_S, Share, format_bytes_decimal

_PATTERNS = {Pattern.SEQUENTIAL: message("method-sequential"), Pattern.RANDOM: message("method-random")}
_PATTERNS_FIRST = {
    Pattern.SEQUENTIAL: message("method-sequential-first"),
    Pattern.RANDOM: message("method-random-first"),
}
"""At the beginning of a sentence."""
_ARRIVALS = {
    Spacing.POISSON: message("method-arrivals-poisson"),
    Spacing.CONSTANT: message("method-arrivals-constant"),
    Spacing.BURSTS: message("method-arrivals-bursts"),
}
_MIX_WORDS = {100: message("method-mix-read"), 0: message("method-mix-write")}
_TAKEN = {
    Take.MEDIAN: message("method-median-counts"),
    Take.TRIMMED_MEAN: message("method-trimmed-mean-counts"),
    Take.BEST: message("method-best-counts"),
}


@dataclass(frozen=True, slots=True)
class StepWords:
    """A step of a suite, told."""

    name: str
    text: Message


def method_words(bundle: Bundle) -> tuple[StepWords, ...]:
    """The steps in their order; none where this version cannot read the suite any more."""
    return tuple(StepWords(step.name, _words(step)) for step in suite_steps(bundle))


def scaling_words(bundle: Bundle) -> Message | None:
    """How the profile that ran departs from the suite as published; None where it does not."""
    run = bundle.run
    try:
        profile = parse_suite(run.suite.text, "the suite of the bundle").profile(run.profile)
    except SuiteError:
        return None
    said = [*_freed(run.profile, profile)]
    if not profile.comparable:
        said.insert(0, message("method-scaled", profile=run.profile, scaled=commas(*_scaled(profile))))
    return listed(Listed(tuple(said), Separator.SPACE)) if said else None


def _freed(name: str, profile: SuiteProfile) -> Iterator[Message]:
    """What a profile says of points that end by themselves, as sentences."""
    if profile.until_percent is None:
        return
    yield message("method-until", profile=name, within=number(profile.until_percent, "g"))
    if profile.tail is not None and profile.budget_ns is not None:
        percent = 100 * profile.tail.numerator / profile.tail.denominator
        yield message("method-tail", percent=number(percent, "g"), budget=method_duration(profile.budget_ns))
    if profile.order is PointOrder.READS_FIRST:
        yield message("method-reads-first")
    if profile.again is MeasuredAgain.FIRST:
        yield message("method-first-again")


def _scaled(profile: SuiteProfile) -> Iterator[Message]:
    if (time := profile.time).numerator != time.denominator:
        yield message("method-scaled-times", numerator=str(time.numerator), denominator=str(time.denominator))
    if (rest := profile.settling).numerator != rest.denominator:
        yield message("method-scaled-rests", numerator=str(rest.numerator), denominator=str(rest.denominator))
    if (size := profile.size).numerator != size.denominator:
        yield message("method-scaled-amounts", numerator=str(size.numerator), denominator=str(size.denominator))
    if profile.runs is not None:
        yield message("method-scaled-runs", times=_times(profile.runs))
    if profile.at_least is not None:
        yield message("method-scaled-least", times=profile.at_least)
    if profile.at_most is not None:
        yield message("method-scaled-most", times=profile.at_most)


def _words(step: AnyStep) -> Message:
    match step:
        case PurgeStep() | RestStep() | FillStep() | UsedStateStep() | SteadyStateStep() | TrimStep():
            return _prepared(step)
        case MeasureStep():
            return message("method-sentences", sentences=Listed(tuple(_measure(step)), Separator.SENTENCE))
        case ReclaimStep():
            return _reclaim(step)
        case SearchStep():
            return _search(step)
        case LoadLatencyStep() | RoundsStep() | WriteAmplificationStep() | MixesStep() | ReplayStep():
            return _many_points(step)
        case IdleRecoveryStep() | CrossStimulusStep() | DemandStep():
            return _after_snia(step)


def _many_points(step: LoadLatencyStep | RoundsStep | WriteAmplificationStep | MixesStep | ReplayStep) -> Message:
    """What ssdlab's own engine alone does, or measures many points, and has words of its own for all of it."""
    match step:
        case LoadLatencyStep():
            return _load_latency(step)
        case RoundsStep():
            return _rounds(step)
        case WriteAmplificationStep():
            return _write_amplification(step)
        case MixesStep():
            return _mixes(step)
        case ReplayStep():
            return _replay(step)


def _after_snia(step: IdleRecoveryStep | CrossStimulusStep | DemandStep) -> Message:
    """What SNIA PTS asks for beyond rounds of cells."""
    match step:
        case DemandStep():
            return _demand(step)
        case IdleRecoveryStep(job=job):
            return message(
                "method-idle-recovery",
                pattern=_PATTERNS_FIRST[job.pattern],
                block=_block(job.block_bytes),
                jobs=job.jobs,
                depth=str(job.queue_depth),
                waits=commas(*map(method_duration, step.waits_ns)),
                cycles=number(step.cycles),
                time=method_duration(job.limit_ns),
                baseline=method_duration(step.baseline_ns),
            )
        case CrossStimulusStep():
            before, across = _stimulus(_PATTERNS_FIRST, step.job), _stimulus(_PATTERNS, step.across)
            return message("method-cross-stimulus", before=before, across=across)


def _demand(step: DemandStep) -> Message:
    job, times, most = step.job, step.times, most_of(step)
    if job.mix is not None or job.block_bytes is None or job.pattern is None or job.read_percent is None:
        work = message("method-demand-mix", mix=mix_name(job.mix or ""))
    else:
        reads, block = job.read_percent, _block(job.block_bytes)
        work = message(
            "method-demand-work", pattern=_PATTERNS[job.pattern], block=block, reads=reads, writes=100 - reads
        )
    return message(
        "method-demand",
        most=number(most.jobs * most.queue_depth),
        saturate=method_duration(times.saturate_ns),
        prewrite=method_duration(times.prewrite_ns),
        work=work,
        jobs=_numbers(step.jobs),
        depths=_numbers(step.queue_depths),
        cell=method_duration(times.cell_ns),
        rounds=step.at_most,
        before=method_duration(times.before_point_ns),
        point=method_duration(times.point_ns),
        limit=method_duration(step.response_ns),
    )


def _stimulus(patterns: Mapping[Pattern, Message], job: StimulusJob) -> Message:
    return message(
        "method-stimulus",
        pattern=patterns[job.pattern],
        block=_block(job.block_bytes),
        depth=str(job.queue_depth),
        time=method_duration(job.limit_ns),
    )


def _prepared(step: PurgeStep | RestStep | FillStep | UsedStateStep | SteadyStateStep | TrimStep) -> Message:
    """What brings the drive into a state."""
    match step:
        case PurgeStep():
            return _purge(step)
        case RestStep():
            return message("method-rest", time=method_duration(step.duration_ns))
        case FillStep():
            return _fill(step)
        case UsedStateStep():
            return _used_state(step)
        case SteadyStateStep():
            return _steady_state(step)
        case TrimStep():
            return _trim(step)


_STEADY_BY = {
    SteadyBy.HELD: message("method-steady-held"),
    SteadyBy.WINDOW: message("method-steady-window"),
    SteadyBy.SNIA: message("method-steady-snia"),
}


def _steady_state(step: SteadyStateStep) -> Message:
    long = _long_way(step)
    if step.route is Route.LONG:
        return long
    spare, most, share, limit = (number(one, ".0%") for one in (ASSUMED_SPARE, SPARE_MAX, STRETCH_SHARE, LIMIT_SHARE))
    return message("method-steady-short-way", parts=PARTS, spare=spare, most=most, share=share, limit=limit, long=long)


def _long_way(step: SteadyStateStep) -> Message:
    least, writes = str(step.at_least), _writes(step.job)
    if step.job.jobs > 1:
        writes = message("method-writes-by-jobs", writes=writes, jobs=step.job.jobs)
    if step.limit_ns is None and step.by is SteadyBy.HELD:
        return message("method-steady-state", writes=writes, least=least, most=str(step.at_most))
    ends: list[Value] = [] if step.at_most is None else [message("method-steady-times", times=str(step.at_most))]
    if step.limit_ns is not None:
        ends.append(method_duration(step.limit_ns))
    told, account = Listed(tuple(ends), Separator.OR), _STEADY_BY[step.by]
    if len(ends) > 1:
        return message("method-steady-ends-first", writes=writes, account=account, least=least, ends=told)
    return message("method-steady-ends", writes=writes, account=account, least=least, ends=told)


def _purge(step: PurgeStep) -> Message:
    if not step.rest_ns:
        return message("method-purge")
    return message("method-purge-and-rest", rest=method_duration(step.rest_ns))


def _used_state(step: UsedStateStep) -> Message:
    amount, writes, share = _amount(step.random.amount), _writes(step.random), _share(step.trim)
    if not step.rest_ns:
        return message("method-used-state", amount=amount, writes=writes, share=share)
    rest = method_duration(step.rest_ns)
    return message("method-used-state-with-rest", amount=amount, writes=writes, share=share, rest=rest)


def _trim(step: TrimStep) -> Message:
    amount = _amount(step.amount)
    if step.region == DRIVE_REGION:
        return message("method-trim", amount=amount)
    return message("method-trim-region", amount=amount, region=step.region)


def _reclaim(step: ReclaimStep) -> Message:
    return message(
        "method-reclaim",
        rests=commas(*(method_duration(rest_ns) for rest_ns in step.rests_ns)),
        purge_rest=method_duration(step.purge_rest_ns),
        share=_share(step.fill),
        writes=_writes(step.job),
        time=method_duration(step.write_ns),
    )


def _fill(step: FillStep) -> Message:
    part, times, writes = _part(step.amount), _times(step.passes), _writes(step.job)
    if step.passes > 1 and step.rest_ns:
        rest = method_duration(step.rest_ns)
        return message("method-fill-with-rests", part=part, times=times, writes=writes, rest=rest)
    return message("method-fill", part=part, times=times, writes=writes)


def _measure(step: MeasureStep) -> Iterator[Message]:
    """Sentences without their full stops."""
    first, *others = step.jobs.values()
    yield listed(semicolons(_job(first, _PATTERNS_FIRST[first.pattern]), *(_job(job) for job in others)))
    yield from _sweep(step.sweep)
    if step.repeat.runs_max > 1:
        yield _repeated(step)
    if step.rest_ns:
        yield message("method-rest-between", rest=method_duration(step.rest_ns))
    if step.weighted is not None:
        weights = commas(*(f"{_share(share)} QD{depth}" for depth, share in step.weighted.share_of_depth.items()))
        if step.weighted.rank_over is RankOver.MIXED:
            yield message("method-weighted-mixed", weights=weights)
        else:
            yield message("method-weighted", weights=weights)
    if step.every_io is not None:
        yield message("method-every-io")


def _repeated(step: MeasureStep) -> Message:
    repeat, taken = step.repeat, _TAKEN[step.take]
    if repeat.at_most is None or repeat.until_rse_percent is None:
        return message("method-each-point", times=_times(repeat.times), taken=taken)
    return message(
        "method-each-point-until",
        times=_times(repeat.times),
        most=str(repeat.at_most),
        percent=number(repeat.until_rse_percent, "g"),
        taken=taken,
    )


def _job(job: MeasureJob, pattern: Message | None = None) -> Message:
    load = _load(job, pattern or _PATTERNS[job.pattern])
    if job.jobs > 1:
        load = message("method-load-jobs", load=load, jobs=str(job.jobs))
    if job.region != DRIVE_REGION:
        load = message("method-load-region", load=load, region=job.region)
    if job.sync is not Sync.NONE:
        load = message("method-load-sync", load=load)
    return _ended(job, load)


def _load(job: MeasureJob, pattern: Message) -> Message:
    direction = _direction(job)
    depth = "" if job.queue_depth is None else str(job.queue_depth)
    if job.block_bytes is None:
        if not depth:
            return message("method-load", pattern=pattern, direction=direction)
        return message("method-load-at-depth", pattern=pattern, direction=direction, depth=depth)
    size = _block(job.block_bytes)
    if not depth:
        return message("method-load-of-size", pattern=pattern, size=size, direction=direction)
    return message("method-load-of-size-at-depth", pattern=pattern, size=size, direction=direction, depth=depth)


def _ended(job: MeasureJob, load: Message) -> Message:
    """With when it ends, and the ramp before it counts."""
    ends: list[Value] = [] if job.amount_bytes is None else [_amount(job.amount_bytes)]
    if job.limit_ns is not None:
        ends.append(method_duration(job.limit_ns))
    end, several = Listed(tuple(ends), Separator.OR), len(ends) > 1
    if not job.ramp_ns:
        if several:
            return message("method-load-first-end", load=load, end=end)
        return message("method-load-end", load=load, end=end) if ends else load
    ramp = method_duration(job.ramp_ns)
    if several:
        return message("method-load-first-end-ramp", load=load, end=end, ramp=ramp)
    if ends:
        return message("method-load-end-ramp", load=load, end=end, ramp=ramp)
    return message("method-load-ramp", load=load, ramp=ramp)


def _direction(job: MeasureJob) -> Message:
    if job.read_percent is None:
        return message("method-reads-and-writes")
    if job.read_percent in {0, 100}:
        return message("method-reads") if job.read_percent else message("method-writes")
    return message("method-mixture", reads=str(job.read_percent), writes=str(100 - job.read_percent))


def _sweep(sweep: Sweep) -> Iterator[Message]:
    axes = tuple(_axes(sweep))
    if len(axes) > 1:
        yield message("method-measured-at-combinations", axes=semicolons(*axes))
    elif axes:
        yield message("method-measured-at", axis=axes[0])
    if isinstance(sweep.active_range, Doubling):
        last = _part(sweep.active_range.last)
        yield message("method-range-doubling", first=_amount(sweep.active_range.first), last=last)
    elif sweep.active_range is not None:
        yield message("method-range", ranges=commas(*(_amount(one) for one in sweep.active_range)))


def _axes(sweep: Sweep) -> Iterator[Message]:
    if sweep.named_read_percent is not None:
        yield listed(commas(*(_MIX_WORDS.get(mix.read_percent, mix.word) for mix in sweep.named_read_percent)))
    if sweep.block_bytes is not None:
        yield message("method-block-sizes", sizes=commas(*map(block_words, sweep.block_bytes)))
    if sweep.queue_depth is not None:
        yield message("method-depths", depths=_numbers(sweep.queue_depth))
    if sweep.read_percent is not None:
        yield message("method-read-shares", shares=_numbers(sweep.read_percent))


_TOLD_SINGLY = 4


def _numbers(values: Sequence[int]) -> Message:
    """All of them, or their rule: `1, 2, 4`, `0 to 100 in steps of 10`, `1 to 256, doubling`."""
    if len(values) > _TOLD_SINGLY:
        first, last = str(values[0]), str(values[-1])
        steps = {after - before for before, after in pairwise(values)}
        if len(steps) == 1:
            return message("method-steps", first=first, last=last, step=str(steps.pop()))
        if all(after == 2 * before for before, after in pairwise(values)):
            return message("method-doubling", first=first, last=last)
    return listed(commas(*map(str, values)))


def _search(step: SearchStep) -> Message:
    fill, reads, limits, times = step.fill, step.reads, step.limits, step.times
    random = _PATTERNS[Pattern.RANDOM]
    return message(
        "method-search",
        times=_times(fill.passes),
        fill=message("method-writes-at", pattern=random, block=_block(fill.block_bytes), depth=str(fill.queue_depth)),
        least=str(reads.jobs_min),
        most=str(reads.jobs_max),
        reads=message("method-search-reads", block=_block(reads.block_bytes)),
        write_rate=_rate(step.writes.rate_bytes_per_s),
        trim_rate=_rate(step.trims.rate_bytes_per_s),
        p99=method_duration(limits.clat_p99_ns),
        p99_9=method_duration(limits.clat_p99_9_ns),
        longest=method_duration(limits.clat_max_ns),
        double=method_duration(times.double_ns),
        bisect=method_duration(times.bisect_ns),
        confirmed=_times(times.confirm_runs),
        confirm=method_duration(times.confirm_ns),
        iops=number(limits.iops),
    )


_TRACKED = {
    TrackedQuantity.IOPS: message("method-tracked-iops"),
    TrackedQuantity.BANDWIDTH: message("method-tracked-bandwidth"),
    TrackedQuantity.LATENCY: message("method-tracked-latency"),
}


def _rounds(step: RoundsStep) -> Message:
    job = step.job
    cells = [
        message(
            "method-tracked-cell", block=_block(one.block_bytes), reads=one.read_percent, writes=100 - one.read_percent
        )
        for one in step.track
    ]
    return message(
        "method-rounds",
        pattern=_PATTERNS[job.pattern],
        jobs=job.jobs,
        depth=str(job.queue_depth),
        shares=message("method-read-shares", shares=_numbers(step.sweep.read_percent)),
        sizes=message("method-block-sizes", sizes=commas(*map(_block, step.sweep.block_bytes))),
        time=method_duration(job.limit_ns),
        quantity=_TRACKED[step.tracked],
        cells=semicolons(*cells),
        most=step.at_most,
    )


def _load_latency(step: LoadLatencyStep) -> Message:
    job, offered = step.job, step.offered
    return message(
        "method-load-latency",
        work=message("method-load-work", pattern=_PATTERNS[job.pattern], block=_block(job.block_bytes)),
        depths=message("method-depths", depths=_numbers(step.ladder.queue_depth)),
        ladder=method_duration(step.ladder.limit_ns),
        mixes=commas(*(_MIX_WORDS.get(mix.read_percent, mix.word) for mix in step.named_read_percent)),
        arrivals=_ARRIVALS[step.arrivals],
        loads=len(offered.loads),
        least=_load_share(min(offered.loads)),
        most=_load_share(max(offered.loads)),
        ios=number(offered.ios),
        shortest=method_duration(offered.at_least_ns),
        longest=method_duration(offered.at_most_ns),
        limits=commas(*(method_duration(limit_ns) for limit_ns in step.limits.response_p99_9_ns)),
    )


def _write_amplification(step: WriteAmplificationStep) -> Message:
    return message(
        "method-write-amplification",
        block=_block(step.job.block_bytes),
        depth=str(step.job.queue_depth),
        least=str(step.at_least),
        most=str(step.at_most),
        hot=_percents(step.hot),
        cold=_percents(step.cold),
        zipf=commas(*(f"{one:g}" for one in step.zipf)),
    )


def _mixes(step: MixesStep) -> Message:
    measured = message(
        "method-mixes",
        mixes=commas(*map(mix_name, step.mixes)),
        depths=message("method-depths", depths=_numbers(step.queue_depth)),
        time=method_duration(step.job.limit_ns),
    )
    if not step.job.ramp_ns:
        return measured
    return message("method-mixes-ramp", measured=measured, ramp=method_duration(step.job.ramp_ns))


def _replay(step: ReplayStep) -> Message:
    return message("method-replay", trace=trace_title(step), pace=_replay_pace(step), depth=str(step.queue_depth))


def _replay_pace(step: ReplayStep) -> Message:
    match step.pace:
        case ReplayPace.TIMED:
            return message("method-replay-timed")
        case ReplayPace.IDLE:
            return message("method-replay-idle", pause=method_duration(step.pause_ns_max or 0))
        case ReplayPace.AS_FAST:
            return message("method-replay-as-fast")
        case ReplayPace.DEPENDENT:
            return message("method-replay-dependent")


def _percents(percents: Sequence[int]) -> Listed:
    return commas(*(f"{one} %" for one in percents))


def _load_share(load: int) -> str:
    return f"{100 * load / WHOLE_LOAD:g} %"


def _writes(job: FillJob | RandomPart) -> Message:
    return message(
        "method-writes-at",
        pattern=_PATTERNS[job.pattern],
        block=_block(job.block_bytes),
        depth=str(job.queue_depth),
    )


def _block(size_bytes: int) -> Message:
    return message("method-unit-blocks") if size_bytes == INDIRECTION_UNIT else verbatim(block_words(size_bytes))


def _amount(amount: int | Share) -> str:
    if isinstance(amount, Share):
        return _share(amount)
    # As its author wrote it: 1 GB is no whole number of KiB.
    return block_words(amount) if amount % KIB == 0 else format_bytes_decimal(amount)


def _part(amount: int | Share) -> Message:
    if not isinstance(amount, Share):
        return message("method-part-first", amount=_amount(amount))
    if amount.numerator == amount.denominator:
        return message("method-part-whole")
    return message("method-part-share", share=_share(amount))


def _share(share: Share) -> str:
    return f"{100 * share.numerator / share.denominator:g} %"


def _rate(bytes_per_s: int) -> str:
    return f"{block_words(bytes_per_s)}/s"


def _times(count: int) -> Message:
    return message("method-times", count=count)


def method_duration(duration_ns: int) -> Message:
    """A duration of a method without needless digits: `15 min`, `90 s`, `10 ms`."""
    if duration_ns and duration_ns % (3600 * NS_PER_S) == 0:
        return message("method-hours", count=number(duration_ns // (3600 * NS_PER_S)))
    if duration_ns and duration_ns % (60 * NS_PER_S) == 0:
        return message("method-minutes", count=number(duration_ns // (60 * NS_PER_S)))
    if duration_ns and duration_ns % NS_PER_S == 0:
        return message("method-seconds", count=number(duration_ns // NS_PER_S))
    for unit_ns, unit in ((10**6, "ms"), (10**3, "µs")):
        if duration_ns >= unit_ns and duration_ns % unit_ns == 0:
            return verbatim(f"{duration_ns // unit_ns:,} {unit}")
    return verbatim(f"{duration_ns:,} ns")
