"""What was done to a drive and what came of it, as a list that can be done again to another one."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from statistics import median_low as median

from ssdlab.analysis.audit.run import failed
from ssdlab.analysis.statistics.percentile import merged
from ssdlab.bundle.model import Check, Step
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction, Histogram, LatencyKind, job_of
from ssdlab.job import Action, Job, Pattern, StepKind
from ssdlab.point import Point
from ssdlab.twin.seen import PointSeen, seen_of, written_at

_COMPARED = frozenset({StepKind.FILL, StepKind.PRECONDITION, StepKind.MEASURE})
_LONG_PASS = 16
"""Of the capacity."""
_NEAR = 0.25


class Deed(Enum):
    """What a step is for."""

    PURGE = "purge"
    REST = "rest"
    PREPARE = "prepare"
    """Writes or trims that leave the drive in another state, and whose speed over what is written counts."""
    MEASURE = "measure"
    """A point: its speed and latencies count."""
    OVERWRITE = "overwrite"
    """A point that writes so much that what follows finds another drive: it is done whole, and also where nothing of it is compared."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Act:
    """One step, and what was measured in it.

    Attributes:
        run: Which of the runs it is of, from 0: each began on its own.
        group: Name of the suite's step it belongs to.
        point: Where it measures.
        begin_ns: When it was done, since its run began: a pass or a rest when it began, a point in the middle of what was measured.
        job: None of rests and purges. Of one that writes, it ends after as many bytes as it moved on the drive, and not by the clock.
        steps: What it was measured in: those whose checks none failed.
        spans: Begin and end of those in which what is compared was seen, ns since the run began.
        seen: None where nothing of it is compared.
        dipped: Share of those spans in which the drive dipped.
    """

    run: int
    group: str
    point: Point
    deed: Deed
    begin_ns: float = 0.0
    job: Job | None = None
    rest_ns: int = 0
    steps: tuple[Step, ...] = ()
    spans: tuple[tuple[float, float], ...] = ()
    seen: PointSeen | None = None
    dipped: float = 0.0

    @property
    def work(self) -> Job:
        """The job of an act that has one.

        Raises:
            ValueError: It has none, which is a programming error.
        """
        if self.job is None:
            raise ValueError(f"{self.point.name} does no I/O")
        return self.job

    @property
    def measured(self) -> PointSeen:
        """What was measured in an act that is compared.

        Raises:
            ValueError: It is not, which is a programming error.
        """
        if self.seen is None:
            raise ValueError(f"nothing of {self.point.name} is compared")
        return self.seen


def acts_of(bundles: Sequence[Bundle]) -> tuple[Act, ...]:
    """All that was finished, in order; what is compared of the runs of one point is one act, at the place of that of median speed."""
    return tuple(act for number, bundle in enumerate(bundles) for act in _acts_of(number, bundle))


def distrusted(bundles: Sequence[Bundle]) -> tuple[Check, ...]:
    """Failed checks of fills and points: what they found fault with is no part of the drive that a twin could have."""
    return tuple(
        check
        for bundle in bundles
        for check in failed(bundle.audit)
        if any(step.name == check.step and step.kind in _COMPARED for step in bundle.finished())
    )


def _acts_of(run: int, bundle: Bundle) -> Iterator[Act]:
    steps = bundle.finished()
    faulty = {check.step for check in failed(bundle.audit)}
    # Its parts are one pass together, and none of them is one over the drive.
    short_ways = {step.group for step in steps if _overwrites(step)}
    points = _points(bundle, steps, faulty)
    for step in steps:
        made = Act(run=run, group=step.group, point=step.point, deed=Deed.REST, begin_ns=float(step.started_ns or 0))
        match step.kind:
            case StepKind.PURGE:
                yield replace(made, deed=Deed.PURGE)
            case StepKind.REST:
                yield replace(made, rest_ns=step.rest_ns)
            case StepKind.RAMP if _overwrites(step):
                yield replace(made, deed=Deed.PREPARE, job=step.job)
            case StepKind.FILL | StepKind.PRECONDITION | StepKind.TRIM:
                is_compared = step.name not in faulty and step.group not in short_ways
                prepared = _prepared(made, bundle, step)
                yield prepared if is_compared else replace(prepared, steps=(), spans=(), seen=None)
            case StepKind.MEASURE if step.job is not None:
                yield from _of_point(replace(made, job=step.job), bundle, step, points[step.point.name])
            case StepKind.MEASURE | StepKind.RAMP | StepKind.SEARCH:
                pass


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """Those of one point.

    Attributes:
        trusted: Whose checks none failed.
        middle: Of median speed: it stands for all, on what those before it left.
    """

    trusted: tuple[Step, ...]
    middle: Step


def _points(bundle: Bundle, steps: Sequence[Step], faulty: Collection[str]) -> dict[str, _Runs]:
    """By the names of points."""
    runs: dict[str, list[Step]] = {}
    for step in steps:
        if step.kind is StepKind.MEASURE and step.job is not None:
            runs.setdefault(step.point.name, []).append(step)
    found: dict[str, _Runs] = {}
    for name, all_runs in runs.items():
        trusted = tuple(one for one in all_runs if one.name not in faulty)
        found[name] = _Runs(trusted, _middle(bundle, trusted or all_runs))
    return found


def _of_point(made: Act, bundle: Bundle, step: Step, runs: _Runs) -> Iterator[Act]:
    """Of all runs of a point one act is compared; the others are there for what they leave written."""
    job = _as_far(bundle, step, made.work)
    if step is runs.middle:
        yield replace(_measured(replace(made, steps=runs.trusted), bundle), job=job)
    elif writes_plainly(job):
        yield replace(made, deed=Deed.MEASURE, job=job)


def writes_plainly(job: Job) -> bool:
    """Whether it writes, and all of its I/Os are as the job says."""
    return _is_plain(job) and job.writes


def reads_plainly(job: Job) -> bool:
    """Whether it reads alone, and all of its I/Os are as the job says."""
    return _is_plain(job) and job.read_percent == 100


def _is_plain(job: Job) -> bool:
    return job.action is Action.READ_WRITE and not (job.mix or job.replay or job.rate_iops or job.beside)


def _as_far(bundle: Bundle, step: Step, job: Job) -> Job:
    """The job of a run that writes, as far as it went: how much it leaves written does not depend on how fast a trial is."""
    if not writes_plainly(job):
        return job
    moved_bytes = sum(one.io_bytes for one in bundle.result(step).directions.values())
    return replace(job, amount_bytes=moved_bytes, duration_ns=None) if moved_bytes else job


def _overwrites(step: Step) -> bool:
    """Whether it belongs to the short way to a steady drive: what it writes there decides the state that follows, other ramps write for a moment."""
    return step.kind is StepKind.RAMP and step.job is not None and step.job.writes and step.job.amount_bytes is not None


def _prepared(made: Act, bundle: Bundle, step: Step) -> Act:
    """A pass that ended when the drive was steady is done again as far as it went."""
    job = step.job
    if job is None or job.action is Action.TRIM:
        return replace(made, deed=Deed.PREPARE, job=job)
    totals = bundle.result(step).directions
    if Direction.WRITE not in totals:
        return replace(made, deed=Deed.PREPARE, job=job)
    amount_bytes = totals[Direction.WRITE].io_bytes
    job = replace(job, amount_bytes=amount_bytes, duration_ns=None)
    when = written_at(bundle.series(step, Direction.WRITE), amount_bytes)
    seen = PointSeen({}, {}, when)
    return replace(made, deed=Deed.PREPARE, job=job, steps=(step,), spans=(_span_ns(step),), seen=seen)


def _measured(made: Act, bundle: Bundle) -> Act:
    job, steps = made.work, made.steps
    compared = _is_plain(job) and steps and not _is_long_pass(bundle, steps[0], job)
    if not compared:
        return replace(made, deed=Deed.MEASURE, job=job)
    usual = _usual(bundle, steps)
    begin_ns = sum(map(middle_ns, usual)) / len(usual)
    spans = tuple(map(_span_ns, usual))
    return replace(made, deed=Deed.MEASURE, begin_ns=begin_ns, job=job, spans=spans, seen=_seen(bundle, usual, job))


def middle_ns(step: Step) -> float:
    """Of a step that was done, since its run began."""
    return sum(_span_ns(step)) / 2


def _span_ns(step: Step) -> tuple[float, float]:
    begin_ns = float(step.started_ns or 0)
    return begin_ns, begin_ns if step.ended_ns is None else float(step.ended_ns)


def _is_long_pass(bundle: Bundle, step: Step, job: Job) -> bool:
    """Whether it writes so much in order that its speed changes on the way: a short look says nothing of its mean."""
    if job.pattern is Pattern.RANDOM or job.read_percent == 100:
        return False
    totals = bundle.result(step).directions.get(Direction.WRITE)
    return totals is not None and totals.io_bytes > bundle.run.drive.capacity_bytes / _LONG_PASS


def _usual(bundle: Bundle, steps: Sequence[Step]) -> list[Step]:
    """The runs near the median of all: a stall in one of five is none of the point."""
    speeds = _speeds(bundle, steps)
    middle = median(speeds)
    return [step for step, speed in zip(steps, speeds, strict=True) if abs(speed - middle) <= _NEAR * middle]


def _middle(bundle: Bundle, steps: Sequence[Step]) -> Step:
    """The run of median speed."""
    speeds = _speeds(bundle, steps)
    return steps[speeds.index(median(speeds))]


def _speeds(bundle: Bundle, steps: Sequence[Step]) -> list[float]:
    """I/Os a second of each run."""
    return [
        sum(one.io_count * 1e9 / max(1, one.runtime_ns) for one in bundle.result(step).directions.values())
        for step in steps
    ]


def _seen(bundle: Bundle, steps: Sequence[Step], job: Job) -> PointSeen:
    ios: dict[Direction, int] = {}
    runtime_ns: dict[Direction, int] = {}
    latency: dict[Direction, list[Histogram]] = {}
    for step in steps:
        histograms = bundle.histograms(step)
        for direction, totals in bundle.result(step).directions.items():
            if job_of(job, direction) is not job:
                continue
            ios[direction] = ios.get(direction, 0) + totals.io_count
            runtime_ns[direction] = runtime_ns.get(direction, 0) + totals.runtime_ns
            if (found := histograms.get(direction, {}).get(LatencyKind.CLAT)) is not None:
                latency.setdefault(direction, []).append(found)
    return seen_of(ios, runtime_ns, {one: merged(parts) for one, parts in latency.items()})
