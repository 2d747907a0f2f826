"""What analyses and probes say of the inside of a drive, taken out of its runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan

import numpy as np

from ssdlab import _core
from ssdlab.analysis.evidence import evidence_of
from ssdlab.analysis.infer.phases import PassPhases, phases_of
from ssdlab.analysis.infer.policy import AfterCache, policy_of
from ssdlab.analysis.metrics.active_range import active_range_metrics
from ssdlab.analysis.statistics.interval import Interval
from ssdlab.analysis.statistics.percentile import latency_percentile_ns, merged
from ssdlab.bundle.quantities import REACH_BYTES
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction, Histogram, LatencyKind, Series
from ssdlab.job import DriveState, Job, Pattern, StepKind
from ssdlab.message import Message
from ssdlab.probe.answer import Answer, Grade
from ssdlab.probe.store.reader import findings_of, is_probed
from ssdlab.twin.acts import Act, Deed, middle_ns
from ssdlab.twin.dips import NO_DIPS, Dips
from ssdlab.twin.drift import EVEN, Clock
from ssdlab.twin.own_time import act_in_own_time, histogram_in_own_time, series_in_own_time
from ssdlab.twin.regular import rewriting_of
from ssdlab.twin.rewriting import Rewriting
from ssdlab.twin.scatter import Scatter, scatter_of
from ssdlab.twin.wander import STEADY, Wander
from ssdlab.units import KIB
from ssdlab.unknown import Unknown

_FAR = 12
"""Times the median of the latency."""
_BEYOND_DIPS = 2.0
"""Times the latency in a dip."""
_OUTLIERS_MIN = 5
_TRUSTED = {Grade.A, Grade.B}
_MANY_IN_FLIGHT = 128
_PAGE_READ_BYTES = 4 * KIB
"""Less than a page of any flash of today, so that one read is of one unit."""


@dataclass(frozen=True, slots=True)
class Fastest:
    """The most that was seen of anything: no limit of the drive is lower.

    Attributes:
        read_bytes_per_s: Of reads; 0 where there were none.
        write_bytes_per_s: Of writes in points.
        iops: Of small I/Os.
    """

    read_bytes_per_s: float
    write_bytes_per_s: float
    iops: float


@dataclass(frozen=True, slots=True)
class OriginalDrive:
    """Of the inside of a drive.

    Attributes:
        numbers: Answers of probes, graded A or B, by their names, in their units.
        ends: 95 % intervals of some of them.
        words: Answers that are no numbers.
        first: Phases of a pass over the purged drive; None where there was no such pass.
        second: Phases of a pass over the full drive.
        after: What follows the SLC cache; None where there is no cache, or nothing is known of it.
        reach_bytes: Part of the drive whose mapping is held; NaN where that was not seen.
        outlier_share: Of reads with a queue of one, those that took many times as long as most.
        outlier_ns: How much longer these took in the median.
        fastest: Highest speeds of any point.
        at_once: Random reads of a page that were under way at once at most, by Little's law; 0 where that was not seen.
        scatter: Of commands and operations of the flash; None where nobody looked at both.
        dips: When all of it is slow.
        wander: Of its speed.
        rewriting: What it does for itself by the clock; None where nothing was seen.
    """

    numbers: Mapping[str, float]
    ends: Mapping[str, tuple[float, float]]
    words: Mapping[str, Message]
    first: PassPhases | None
    second: PassPhases | None
    after: AfterCache | None
    reach_bytes: float
    outlier_share: float
    outlier_ns: float
    fastest: Fastest
    at_once: float
    scatter: Scatter | None = None
    dips: Dips = NO_DIPS
    wander: Wander = STEADY
    rewriting: Rewriting | None = None

    def number(self, name: str, otherwise: float) -> float:
        """An answer, or what is taken where there is none."""
        return self.numbers.get(name, otherwise)


def known_of(
    bundles: Sequence[Bundle],
    acts: Sequence[Act],
    clock: Clock = EVEN,
    dips: Dips = NO_DIPS,
    wander: Wander = STEADY,
) -> OriginalDrive:
    """All of it; of two that answer the same, the later counts.

    Args:
        bundles: Of the drive.
        acts: What of them may be known: without those that are held out, else errors there would tell nothing.
        clock: Of the drive: what is known is what it is at its first speed.
        dips: Of the drive: what is known is what it is between them.
        wander: Of its speed: what was seen once may have been seen while it was fast.
    """
    answers = {answer.name: answer for answer in _answers(bundles, clock)}
    numbers = {name: float(one.value) for name, one in answers.items() if isinstance(one.value, int | float)}
    ends = {name: (one.interval.low, one.interval.high) for name, one in answers.items() if one.interval is not None}
    words = {name: one.value for name, one in answers.items() if isinstance(one.value, Message)}
    first, after = _first_pass(bundles, acts, clock)
    *_, reach_bytes = (numbers.get("reach.bytes", nan), *_reaches(bundles, acts))
    share, longer_ns = _outliers(bundles, acts, clock)
    second = next((phases for _, phases, _ in _passes(bundles, acts, DriveState.FILLED_ONCE, clock)), None)
    own = [act_in_own_time(act, clock) for act in acts]
    fastest, at_once = _fastest(own), reads_at_once(own)
    return OriginalDrive(
        numbers=numbers,
        ends=ends,
        words=words,
        first=first,
        second=second,
        after=after,
        reach_bytes=reach_bytes,
        outlier_share=share,
        outlier_ns=longer_ns,
        fastest=fastest,
        at_once=at_once,
        scatter=scatter_of(bundles),
        dips=dips,
        wander=wander,
        rewriting=rewriting_of(bundles, clock, dips),
    )


def _reaches(bundles: Sequence[Bundle], acts: Sequence[Act]) -> Iterator[float]:
    """Of the mapping cache, by suites; what the bundle has was concluded from all its ranges, held out or not."""
    for run, bundle in enumerate(bundles):
        for metric in bundle.metrics:
            if metric.key.quantity == REACH_BYTES and isinstance(metric.value, int | float):
                group = metric.key.point.step
                steps = [step for act in acts if (act.run, act.group) == (run, group) for step in act.steps]
                ranges = [found for step in steps if (found := evidence_of(bundle, step)) is not None]
                for again in active_range_metrics(group, steps, ranges):
                    if isinstance(again.value, int | float):
                        yield float(again.value)


def _fastest(acts: Sequence[Act]) -> Fastest:
    speeds = [
        (direction, rate, rate * act.work.block_bytes)
        for act in acts
        if act.deed is Deed.MEASURE and act.seen is not None
        for direction, rate in act.seen.iops.items()
    ]
    reads = [speed for direction, _, speed in speeds if direction is Direction.READ]
    writes = [speed for direction, _, speed in speeds if direction is Direction.WRITE]
    return Fastest(max(reads, default=0), max(writes, default=0), max((rate for _, rate, _ in speeds), default=0))


def reads_at_once(acts: Sequence[Act]) -> float:
    """Reads of a page a second when very many are asked for, times how long a lone one takes; 0 where either was not seen."""
    speeds: list[tuple[int, float]] = []
    lone_ns: list[float] = []
    for act in acts:
        if act.deed is not Deed.MEASURE or act.seen is None or not _reads_pages_at_random(act.work):
            continue
        speeds.append((act.work.in_flight, act.seen.iops.get(Direction.READ, 0.0)))
        if act.work.in_flight == 1 and (latency := act.seen.latency_ns.get(Direction.READ, {})):
            lone_ns.append(latency["mean"])
    most = max((speed for in_flight, speed in speeds if in_flight >= _MANY_IN_FLIGHT), default=0.0)
    return most * min(lone_ns, default=0.0) / 1e9


def _reads_pages_at_random(job: Job) -> bool:
    return job.pattern is Pattern.RANDOM and job.read_percent == 100 and job.block_bytes == _PAGE_READ_BYTES


def _outliers(bundles: Sequence[Bundle], acts: Sequence[Act], clock: Clock) -> tuple[float, float]:
    """What lies so far above the median that no spread of an operation brings it there, and comes more than by accident."""
    parts = list(_lone_reads(bundles, acts, clock))
    if not parts:
        return 0.0, 0.0
    together = merged(parts)
    middle = latency_percentile_ns(together, "50")
    if isinstance(middle, Unknown):
        return 0.0, 0.0
    above = together.bin_index >= _core.bin_index(round(max(_FAR, _BEYOND_DIPS / clock.dip_speed) * middle))
    count = together.count[above]
    if count.sum() < _OUTLIERS_MIN:
        return 0.0, 0.0
    place = int(np.searchsorted(np.cumsum(count), count.sum() / 2))
    return float(count.sum() / together.total), float(_core.bin_mid(int(together.bin_index[above][place])) - middle)


def _lone_reads(bundles: Sequence[Bundle], acts: Sequence[Act], clock: Clock) -> Iterator[Histogram]:
    for act in acts:
        if act.deed is not Deed.MEASURE or act.work.in_flight != 1 or act.work.read_percent != 100:
            continue
        for step in act.steps:
            kinds = bundles[act.run].histograms(step).get(Direction.READ, {})
            if LatencyKind.CLAT in kinds:
                yield histogram_in_own_time(kinds[LatencyKind.CLAT], middle_ns(step), clock)


def _answers(bundles: Sequence[Bundle], clock: Clock) -> Iterator[Answer]:
    for bundle in bundles:
        if is_probed(bundle):
            for found in findings_of(bundle):
                speed = clock.speed(middle_ns(bundle.step(found.probe.name)))
                yield from (_at_first(one, speed) for one in found.answers if one.grade in _TRUSTED)


_POWERS = {"ns": 1, "s": 1, "B/s": -1, "1/s": -1}
"""Of the speed: what a time or a rate of a drive at its first speed is times."""


def _at_first(answer: Answer, speed: float) -> Answer:
    """What it would be at the drive's first speed."""
    power = _POWERS.get(answer.unit, 0)
    if not power or speed == 1 or not isinstance(answer.value, int | float):
        return answer
    factor = speed**power
    ends = answer.interval
    interval = None if ends is None else Interval(ends.low * factor, ends.high * factor)
    return replace(answer, value=answer.value * factor, interval=interval)


def _first_pass(
    bundles: Sequence[Bundle], acts: Sequence[Act], clock: Clock
) -> tuple[PassPhases | None, AfterCache | None]:
    for bundle, step_phases, series in _passes(bundles, acts, DriveState.FOB, clock):
        policy = policy_of(series, step_phases, bundle.run.drive.capacity_bytes, None)
        return step_phases, None if isinstance(policy, Unknown) else policy.after
    return None, None


def _passes(
    bundles: Sequence[Bundle], acts: Sequence[Act], state: DriveState, clock: Clock
) -> Iterator[tuple[Bundle, PassPhases, Series]]:
    for act in acts:
        if act.deed is not Deed.PREPARE or act.seen is None or act.work.pattern is not Pattern.SEQUENTIAL:
            continue
        bundle = bundles[act.run]
        for step in act.steps:
            if step.kind is StepKind.FILL and step.state is state:
                series = series_in_own_time(bundle.series(step, Direction.WRITE), act.begin_ns, clock)
                yield bundle, phases_of(series, bundle.run.drive.capacity_bytes), series
