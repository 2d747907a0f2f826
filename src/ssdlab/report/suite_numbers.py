"""The numbers that tell drives apart by a suite: what its steps are about, and whose metrics they are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from ssdlab.analysis.metrics.rounds import TRACKED
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import (
    BANDWIDTH,
    BANDWIDTH_MEAN,
    BANDWIDTH_P1,
    BYTES,
    CACHE_BANDWIDTH,
    CACHE_BYTES,
    CLAT_MEAN,
    CONSISTENCY,
    DIRECT_BANDWIDTH,
    DURATION,
    EFFECTIVE_SPARE,
    FOB_IOPS,
    FOLDING_BANDWIDTH,
    IDLE_GAIN,
    IOPS,
    IOPS_WITHIN,
    JOBS,
    LAT_MEAN,
    REACH_BYTES,
    RECOVERY,
    RESPONSE,
    STEADY_BANDWIDTH,
    STEADY_IOPS,
    TRANSITION_AT_BYTES,
    Better,
)
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit.idle_wait import waited_s
from ssdlab.figure.kit.latency_axis import limit_text
from ssdlab.figure.kit.passes import fill_group, is_sustained
from ssdlab.figure.kit.subject import block_words, mix_title
from ssdlab.figure.kit.suite_steps import points_of_any, points_of_job, suite_steps
from ssdlab.job import Job, Pattern, ReplayPace, StepKind, Sync
from ssdlab.message import Message, message, number
from ssdlab.method.kinds.cross_stimulus import CrossStimulusStep, Stimulus, part_point
from ssdlab.method.kinds.demand import DemandStep, Operating, operating_point
from ssdlab.method.kinds.fill import FillStep
from ssdlab.method.kinds.idle_recovery import IdleRecoveryStep, baseline_point, wait_point
from ssdlab.method.kinds.load_latency import WHOLE_LOAD, LoadLatencyStep, mix_point
from ssdlab.method.kinds.measure import MeasureStep, Take
from ssdlab.method.kinds.mixes import MixesStep, depth_point
from ssdlab.method.kinds.purge import PurgeStep
from ssdlab.method.kinds.reclaim import ReclaimStep
from ssdlab.method.kinds.replay import ReplayStep, trace_title
from ssdlab.method.kinds.rest import RestStep
from ssdlab.method.kinds.rounds import Cell, RoundsStep
from ssdlab.method.kinds.search import SearchStep
from ssdlab.method.kinds.steady_state import SteadyStateStep, steady_point
from ssdlab.method.kinds.trim import TrimStep
from ssdlab.method.kinds.used_state import UsedStateStep
from ssdlab.method.kinds.write_amplification import WriteAmplificationStep
from ssdlab.method.mix_file import title_of_mix
from ssdlab.point import Aggregate, CoordinateAxis, Point, job_point
from ssdlab.units import NS_PER_S


class NumberKind(Enum):
    """What a number says of a drive."""

    FILL_MEAN = "mean speed of the fill"
    FILL_SLOWEST = "slowest 1 % of the first pass"
    CACHE = "SLC cache of the first pass"
    CACHE_LATER = "SLC cache of a later pass"
    WITHIN_CACHE = "speed within the cache"
    FOLDING = "speed while folding"
    PAST_CACHE = "speed past the cache"
    STEADY_SEQUENTIAL = "steady sequential writes"
    STEADY_RANDOM = "steady random writes"
    FRESH = "random writes of the fresh drive"
    FRESH_LOST = "written when the fresh speed was lost"
    SPEED_AT_DEPTH = "speed with the deepest queue"
    LATENCY = "latency with the shortest queue"
    CONSISTENCY = "consistency"
    REACH = "reach of the mapping cache"
    SYNC_WRITE = "sync write"
    BEST_OF_RUNS = "profile of a desktop benchmark"
    WEIGHTED = "weighted mean of mixed reads and writes"
    AFTER_REST = "written after a rest"
    READS = "reads a second within latency limits"
    READERS = "readers within latency limits"
    WITHIN_LIMIT = "rate within a latency limit"
    HALF_LOAD = "latency at half of the saturation"
    SPARE = "effective spare space"
    MIX = "speed of a mix"
    REPLAY_TIME = "time of a replayed trace"
    REPLAY_RESPONSE = "mean response time of a trace replayed at its times"
    IDLE_GAIN = "change of speed by idle time"
    RECOVERY = "time to recovery after other writes"
    OPERATING_RATE = "rate at an operating point"
    OPERATING_RESPONSE = "mean response time at an operating point"
    STIMULUS = "speed before, in and after other writes"


@dataclass(frozen=True, slots=True)
class SuiteNumber:
    """A number all drives have that ran the suite."""

    kind: NumberKind
    label: Message
    metric: MetricKey
    job: Job | None = None
    """Whose pattern decides the unit, where it is one of I/Os a second."""
    better: Better = Better.HIGHER
    load: Job | None = None
    """What was done to the drive, where one job was."""
    mix: Message | None = None
    """Shares of reads and writes, where arrivals were offered."""
    past: MetricKey | None = None
    """The size of the cache that it is past: where that is unknown, it is the speed of the pass."""


def suite_numbers(bundles: Sequence[Bundle]) -> Iterator[SuiteNumber]:
    """What the suite's steps are about: its fill, then the others in their order."""
    yield from fill_numbers(bundles[0])
    for step in suite_steps(bundles[0]):
        match step:
            case MeasureStep():
                yield from _measured_numbers(bundles, step)
            case SteadyStateStep():
                yield from _steady_numbers(bundles[0], step)
            case RoundsStep():
                yield from _rounds_numbers(bundles, step)
            case ReclaimStep():
                yield from _reclaim_numbers(bundles[0], step)
            case SearchStep() | LoadLatencyStep() | WriteAmplificationStep() | MixesStep() | ReplayStep():
                yield from _planned_numbers(step)
            case DemandStep():
                yield from _demand_numbers(step)
            case IdleRecoveryStep() | CrossStimulusStep():
                yield from _recovery_numbers(bundles, step)
            case PurgeStep() | RestStep() | FillStep() | UsedStateStep() | TrimStep():
                # They prepare the drive for what is measured; a fill that measures is known from the plan.
                pass


def _planned_numbers(
    step: SearchStep | LoadLatencyStep | WriteAmplificationStep | MixesStep | ReplayStep,
) -> Iterator[SuiteNumber]:
    """Of steps whose own words tell what they measure."""
    match step:
        case SearchStep():
            whole = Point(step.name)
            yield SuiteNumber(NumberKind.READS, message("report-number-reads-within"), MetricKey(whole, IOPS))
            yield SuiteNumber(NumberKind.READERS, message("report-number-readers"), MetricKey(whole, JOBS))
        case LoadLatencyStep():
            yield from _load_numbers(step)
        case WriteAmplificationStep():
            spare = MetricKey(Point(step.name), EFFECTIVE_SPARE)
            yield SuiteNumber(NumberKind.SPARE, message("report-number-spare"), spare)
        case MixesStep():
            yield from _mix_numbers(step)
        case ReplayStep():
            yield _replay_number(step)


def fill_points(bundle: Bundle) -> tuple[Point, ...]:
    """The planned passes of the fill, in order; none where there is no fill, or where it is a sustained write."""
    group = None if is_sustained(bundle) else fill_group(bundle)
    return tuple(
        step.point
        for step in bundle.steps
        if step.group == group and step.kind is StepKind.FILL and step.point.name == step.name
    )


def fill_numbers(bundle: Bundle) -> Iterator[SuiteNumber]:
    """What the passes of a fill say of a drive; nothing where there are none."""
    points = fill_points(bundle)
    if not points:
        return
    first, *_ = points
    whole = Point(first.step)
    yield SuiteNumber(NumberKind.FILL_MEAN, message("report-number-fill-mean"), MetricKey(whole, BANDWIDTH_MEAN))
    yield SuiteNumber(NumberKind.FILL_SLOWEST, message("report-number-fill-slowest"), MetricKey(first, BANDWIDTH_P1))
    for pass_, point in enumerate(points, start=1):
        kind = NumberKind.CACHE if point == first else NumberKind.CACHE_LATER
        yield SuiteNumber(kind, message("report-number-cache", number=pass_), MetricKey(point, CACHE_BYTES))
    within, past = message("report-number-within-cache"), message("report-number-past-cache")
    yield SuiteNumber(NumberKind.WITHIN_CACHE, within, MetricKey(first, CACHE_BANDWIDTH))
    yield SuiteNumber(
        NumberKind.PAST_CACHE, past, MetricKey(first, DIRECT_BANDWIDTH), past=MetricKey(first, CACHE_BYTES)
    )


def folding_number(bundle: Bundle) -> Iterator[SuiteNumber]:
    """The speed while folding, which drives of some classes have in place of one past the cache."""
    for first in fill_points(bundle)[:1]:
        yield SuiteNumber(NumberKind.FOLDING, message("verdict-folding-speed"), MetricKey(first, FOLDING_BANDWIDTH))


def _steady_numbers(bundle: Bundle, step: SteadyStateStep) -> Iterator[SuiteNumber]:
    point = steady_point(step.job.pattern)
    job = next((one.job for one in bundle.steps if one.group == step.name and one.job is not None), None)
    if job is None:
        return
    load = load_at_depth_words(job)
    label = message("report-number-steady", load=load)
    if step.job.pattern is Pattern.SEQUENTIAL:
        yield SuiteNumber(NumberKind.STEADY_SEQUENTIAL, label, MetricKey(point, STEADY_BANDWIDTH), load=job)
        return
    # A step that shows write saturation has a steady speed of its own, which its figure draws.
    saturated = MetricKey(Point(step.name), STEADY_IOPS)
    shown = any(metric.key == saturated for metric in bundle.metrics)
    steady = saturated if shown else MetricKey(point, STEADY_IOPS)
    yield SuiteNumber(NumberKind.STEADY_RANDOM, label, steady, load=job)
    # Only random writes that begin on a fresh drive have these two.
    fresh, lost = MetricKey(Point(step.name), FOB_IOPS), MetricKey(Point(step.name), TRANSITION_AT_BYTES)
    yield SuiteNumber(NumberKind.FRESH, message("verdict-fresh-speed", load=load), fresh, load=job)
    yield SuiteNumber(NumberKind.FRESH_LOST, message("verdict-fresh-lost", load=load), lost)


def _depth_numbers(points: dict[Point, Job], step: MeasureStep) -> Iterator[SuiteNumber]:
    """Of each workload; a sweep over mixes of reads and writes has several by the name of one job."""
    for label in step.jobs:
        own = points_of_job(points, job_point(step.name, label))
        for read_percent in dict.fromkeys(job.read_percent for job in own.values()):
            yield from _numbers_of_load({point: job for point, job in own.items() if job.read_percent == read_percent})


def _numbers_of_load(points: Mapping[Point, Job]) -> Iterator[SuiteNumber]:
    """The speed with the deepest queue; of a pure load how even that is, and random latency with one in flight."""
    by_depth = sorted(points, key=lambda point: points[point].in_flight)
    first, last = by_depth[0], by_depth[-1]
    job = points[last]
    random = job.pattern is Pattern.RANDOM
    words = load_words(job)
    first_depth, last_depth = str(points[first].in_flight), str(job.in_flight)
    speed = message("report-number-at-depth", load=words, depth=last_depth)
    yield SuiteNumber(NumberKind.SPEED_AT_DEPTH, speed, MetricKey(last, IOPS if random else BANDWIDTH), load=job)
    if job.read_percent in {0, 100}:
        if random:
            latency = message("report-number-latency", load=words, depth=first_depth)
            yield SuiteNumber(
                NumberKind.LATENCY, latency, MetricKey(first, CLAT_MEAN), better=Better.LOWER, load=points[first]
            )
        consistency = message("report-number-consistency", load=words, depth=last_depth)
        yield SuiteNumber(NumberKind.CONSISTENCY, consistency, MetricKey(last, CONSISTENCY), load=job)


def load_words(job: Job) -> Message:
    """`RND 4 KiB read`."""
    return _with_directions(job, _pattern_and_block(job))


def load_at_depth_words(job: Job) -> Message:
    """`RND 4 KiB QD256 write`: of all its jobs together."""
    return _with_directions(job, f"{_pattern_and_block(job)} QD{job.in_flight}")


def _load_of_each_job(job: Job) -> Message:
    return _with_directions(job, f"{_pattern_and_block(job)} QD{job.queue_depth}")


def _with_directions(job: Job, load: str) -> Message:
    match job.read_percent:
        case 100:
            return message("report-load-read", load=load)
        case 0:
            return message("report-load-write", load=load)
        case reads:
            return message("report-load-mixed", load=load, reads=str(reads), writes=str(100 - reads))


def _pattern_and_block(job: Job) -> str:
    return f"{'RND' if job.pattern is Pattern.RANDOM else 'SEQ'} {block_words(job.block_bytes)}"


def _load_numbers(step: LoadLatencyStep) -> Iterator[SuiteNumber]:
    """Of each mix the rates that keep the limits, and the latency of a drive that is half busy."""
    for named in step.named_read_percent:
        point, mix = mix_point(step, named), mix_title(named.read_percent)
        for limit_ns in sorted(step.limits.response_p99_9_ns):
            label = message("report-number-iops-within", mix=mix, limit=limit_text(limit_ns))
            within = MetricKey(point.at(CoordinateAxis.LIMIT, limit_ns), IOPS_WITHIN, "99.9")
            yield SuiteNumber(NumberKind.WITHIN_LIMIT, label, within, mix=mix)
        if WHOLE_LOAD // 2 in step.offered.loads:
            half = MetricKey(point.at(CoordinateAxis.OFFERED, WHOLE_LOAD // 2), RESPONSE, "99.9")
            label = message("report-number-half-load", mix=mix)
            yield SuiteNumber(NumberKind.HALF_LOAD, label, half, better=Better.LOWER)


def _rounds_numbers(bundles: Sequence[Bundle], step: RoundsStep) -> Iterator[SuiteNumber]:
    """Of the cells that were tracked: they are known to be flat."""
    points, quantity = points_of_any(bundles, step.name), TRACKED[step.tracked]
    for tracked in step.track:
        cell = Cell(tracked.read_percent, tracked.block_bytes)
        job = next((one for one in points.values() if Cell(one.read_percent, one.block_bytes) == cell), None)
        if job is None:
            continue
        label = message("report-number-round", load=_load_of_each_job(job), jobs=job.jobs)
        better = Better.LOWER if quantity is LAT_MEAN else Better.HIGHER
        kind = NumberKind.LATENCY if quantity is LAT_MEAN else NumberKind.SPEED_AT_DEPTH
        yield SuiteNumber(kind, label, MetricKey(cell.point(Point(step.name)), quantity), better=better, load=job)


def _recovery_numbers(bundles: Sequence[Bundle], step: IdleRecoveryStep | CrossStimulusStep) -> Iterator[SuiteNumber]:
    """What a drive does after it was left alone, or after writes of another kind."""
    points = points_of_any(bundles, step.name)
    match step:
        case IdleRecoveryStep():
            yield from _idle_numbers(bundles[0], points, step)
        case CrossStimulusStep():
            recovery = MetricKey(Point(step.name), RECOVERY)
            yield SuiteNumber(NumberKind.RECOVERY, message("report-number-recovery"), recovery, better=Better.LOWER)
            for part in Stimulus:
                if (job := points.get(point := part_point(step, part))) is not None:
                    load = load_at_depth_words(job)
                    label = message("report-number-stimulus", load=load, part=part.value)
                    yield SuiteNumber(NumberKind.STIMULUS, label, MetricKey(point, BANDWIDTH), load=job)


def _demand_numbers(step: DemandStep) -> Iterator[SuiteNumber]:
    """Rate and mean response time of each operating point."""
    for operating in Operating:
        point, name = operating_point(step.name, operating), operating.value.upper()
        rate, response = (
            message("report-number-operating-rate", name=name),
            message("report-number-response", name=name),
        )
        yield SuiteNumber(NumberKind.OPERATING_RATE, rate, MetricKey(point, IOPS))
        yield SuiteNumber(NumberKind.OPERATING_RESPONSE, response, MetricKey(point, LAT_MEAN), better=Better.LOWER)


def _idle_numbers(bundle: Bundle, points: Mapping[Point, Job], step: IdleRecoveryStep) -> Iterator[SuiteNumber]:
    """Of each wait, as long as it was, what it changes; the speed without a rest is that of the first of them."""
    for wait_ns in step.waits_ns:
        of_wait = wait_point(step, wait_ns)
        job = next((job for point, job in points.items() if of_wait.holds(point)), None)
        if job is not None:
            label = message("report-number-idle-gain", wait=number(waited_s(bundle, step, wait_ns), ".3g"))
            yield SuiteNumber(NumberKind.IDLE_GAIN, label, MetricKey(of_wait, IDLE_GAIN), load=job)
    for wait_ns in step.waits_ns[:1]:
        point = baseline_point(step, wait_ns)
        if (job := points.get(point)) is not None:
            label = message("report-number-without-rest", load=load_at_depth_words(job))
            yield SuiteNumber(NumberKind.SPEED_AT_DEPTH, label, MetricKey(point, IOPS), load=job)


def _mix_numbers(step: MixesStep) -> Iterator[SuiteNumber]:
    """Of each mix the rate with the deepest queue; it has no one length by which that would be a speed."""
    depth = max(step.queue_depth)
    for mix in step.mixes:
        title = title_of_mix(mix)
        label = message("report-number-mix", mix=title, depth=str(depth))
        yield SuiteNumber(NumberKind.MIX, label, MetricKey(depth_point(step, mix, depth), IOPS), mix=title)


def _replay_number(step: ReplayStep) -> SuiteNumber:
    """How long it took, or, where that is as long as it was recorded, how long its I/Os took."""
    point, title = Point(step.name), trace_title(step)
    if step.pace in {ReplayPace.TIMED, ReplayPace.IDLE}:
        label = message("report-number-replay-response", trace=title)
        return SuiteNumber(NumberKind.REPLAY_RESPONSE, label, MetricKey(point, LAT_MEAN), better=Better.LOWER)
    label = message("report-number-replay-time", trace=title)
    return SuiteNumber(NumberKind.REPLAY_TIME, label, MetricKey(point, DURATION), better=Better.LOWER)


def within_middle_limit(numbers: Sequence[SuiteNumber]) -> list[SuiteNumber]:
    """Of rates within latency limits those within the middle one."""
    limits = {number.metric: number.metric.point.value(CoordinateAxis.LIMIT) for number in numbers}
    in_order = sorted({limit for limit in limits.values() if isinstance(limit, int)})
    return [number for number in numbers if limits[number.metric] == in_order[len(in_order) // 2]]


def _reclaim_numbers(bundle: Bundle, step: ReclaimStep) -> Iterator[SuiteNumber]:
    """After the shortest and the longest rest, as the profile scaled them."""
    rests = {
        one.point: one.rest_ns
        for one in bundle.steps
        if one.group == step.name and one.name == f"{one.point.name}.rest"
    }
    ordered = sorted(rests, key=lambda point: rests[point])
    for point in dict.fromkeys((*ordered[:1], *ordered[-1:])):
        label = message("report-number-after-rest", rest=number(rests[point] / NS_PER_S, ".3g"))
        yield SuiteNumber(NumberKind.AFTER_REST, label, MetricKey(point, BYTES))


def _measured_numbers(bundles: Sequence[Bundle], step: MeasureStep) -> Iterator[SuiteNumber]:
    points = points_of_any(bundles, step.name)
    if step.sweep.active_range is not None:
        reach = MetricKey(Point(step.name), REACH_BYTES)
        yield SuiteNumber(NumberKind.REACH, reach.label, reach)
    if step.sweep.queue_depth is not None and step.sweep.read_percent is None and step.sweep.block_bytes is None:
        yield from _depth_numbers(points, step)
    for point, job in points.items():
        words = _pattern_and_block(job)
        if job.sync is not Sync.NONE:
            sync = message("report-number-sync-write", load=words)
            yield SuiteNumber(NumberKind.SYNC_WRITE, sync, MetricKey(point, IOPS), job, load=job)
        elif step.take is Take.BEST:
            load = f"{words} Q{job.queue_depth}T{job.jobs}"
            read, write = message("report-load-read", load=load), message("report-load-write", load=load)
            best = read if job.read_percent else write
            yield SuiteNumber(NumberKind.BEST_OF_RUNS, best, MetricKey(point, BANDWIDTH), load=job)
    for label in step.jobs if step.weighted is not None else ():
        ranked = MetricKey(job_point(step.name, label).at(CoordinateAxis.AGGREGATE, Aggregate.RANK), IOPS)
        job_of = next(iter(points_of_job(points, job_point(step.name, label)).values()), None)
        if job_of is not None:
            mixed = random_or_sequential(job_of)
            weighted = message("report-number-weighted", load=mixed)
            yield SuiteNumber(NumberKind.WEIGHTED, weighted, ranked, job_of)


def random_or_sequential(job: Job) -> Message:
    """`random 4 KiB`."""
    block = block_words(job.block_bytes)
    if job.pattern is Pattern.RANDOM:
        return message("report-load-random", block=block)
    return message("report-load-sequential", block=block)
