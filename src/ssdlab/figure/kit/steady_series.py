"""Speed and latency of a drive that is written to until it is steady, over multiples of its capacity (METHODS E1, E3, S)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.infer.steady import Criterion
from ssdlab.analysis.metrics.preconditioning import criteria_of
from ssdlab.bundle.metric_key import Aspect, MetricKey
from ssdlab.bundle.model import Step
from ssdlab.bundle.quantities import CRITERION, FIRST_AT_BYTES, STEADY_AFTER, STEADY_AT_BYTES, Quantity
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import STOPPED_BY_OPERATOR, Direction, Series
from ssdlab.figure.kit.axis import SHORT_NUMBERS, PlotAxis, axis_title, linear_axis
from ssdlab.figure.kit.decimate import Columns, into_columns
from ssdlab.figure.kit.drives import DrawnRun, drives_of
from ssdlab.figure.kit.readings import IOPS, SpeedUnit, readings, speed_unit
from ssdlab.figure.kit.say import first_upper, say
from ssdlab.figure.kit.subject import block_words, pattern_title
from ssdlab.figure.kit.suite_steps import suite_steps
from ssdlab.job import Job, StepKind
from ssdlab.message import Listed, Message, Separator, duration, message, number, semicolons
from ssdlab.method.kinds.steady_state import SteadyStateStep
from ssdlab.point import Point
from ssdlab.units import NS_PER_S

X_TITLE = message("figure-written-multiples")


@dataclass(frozen=True, slots=True)
class Fired:
    """When a criterion first allowed an end."""

    criterion: Criterion
    multiple: float
    """Of the capacity."""
    after_s: float


class WrittenRun(Protocol):
    """What can be drawn over multiples of the capacity, whoever recorded it."""

    @property
    def series(self) -> Series:
        """Its windows."""

    @property
    def written(self) -> NDArray[np.float64]:
        """Multiples of the capacity by the middle of each window."""

    @property
    def written_end(self) -> float:
        """Multiples of the capacity written in all."""

    @property
    def unit(self) -> SpeedUnit:
        """Of its speed."""

    @property
    def speed(self) -> NDArray[np.float64]:
        """Of each window, in that unit."""


@dataclass(frozen=True, slots=True, eq=False)
class SteadyRun:
    """One finished step that wrote on and on."""

    drive: DrawnRun
    said: SteadyStateStep
    step: Step
    job: Job
    series: Series
    """Without the last window, if that was cut short: then only I/Os still in flight came to their end."""
    ended_bytes: float
    ended_ns: int
    numbers: Mapping[MetricKey, float]
    """Metrics of the step that have a number, as of any point."""
    ended_by: str
    """Name of the criterion, `not steady`, or `stopped by the operator`."""
    criteria: tuple[Criterion, ...]
    """Those by which the bundle judges it."""

    @property
    def capacity_bytes(self) -> int:
        """One on the horizontal axis."""
        return self.drive.bundle.run.drive.capacity_bytes

    @property
    def written(self) -> NDArray[np.float64]:
        """Multiples of the capacity by the middle of each window."""
        done = self.series.bytes_done
        return np.asarray((done + np.concatenate(([0.0], done[:-1]))) / 2 / self.capacity_bytes, dtype=np.float64)

    @property
    def written_end(self) -> float:
        """Multiples of the capacity written in all."""
        return max(self.ended_bytes / self.capacity_bytes, 1e-6)

    @property
    def unit(self) -> SpeedUnit:
        """IOPS of random writes, MiB/s of sequential ones."""
        return speed_unit(self.job)

    @property
    def speed(self) -> NDArray[np.float64]:
        """Of each window, in that unit."""
        per_unit = self.job.block_bytes if self.unit is IOPS else self.unit.factor
        return self.series.bandwidth_bytes_per_s / per_unit

    @property
    def is_steady(self) -> bool:
        """Whether a criterion ended it, and not the limit of the suite."""
        return self.ended_by in {one.value for one in Criterion}

    def columns(self, limit: int) -> Columns:
        """Its speed in at most so many columns; nothing is lost but order within one."""
        return into_columns(self.written, self.speed, self.written_end, limit)

    def fired(self) -> tuple[Fired, ...]:
        """The criteria that would have ended it, in the order of their firing."""
        found = []
        for one in self.criteria:
            aspect = Aspect(one.value)
            at, after = self.number(STEADY_AT_BYTES, aspect), self.number(STEADY_AFTER, aspect)
            if at is not None and after is not None:
                found.append(Fired(one, at / self.capacity_bytes, after))
        return tuple(sorted(found, key=lambda one: one.multiple))

    def number(self, quantity: Quantity, aspect: Aspect | None = None) -> float | None:
        """A metric; None where it is unknown."""
        return self.numbers.get(MetricKey(Point(""), quantity, aspect=aspect))

    def multiple(self, quantity: Quantity, aspect: Aspect | None = None) -> float | None:
        """A metric in bytes as a multiple of the capacity; None where it is unknown."""
        value = self.number(quantity, aspect)
        return None if value is None else value / self.capacity_bytes


def steady_runs(bundles: Sequence[Bundle]) -> Iterator[tuple[SteadyRun, ...]]:
    """For each step of the kind of the device under test's suite, the runs of all drives that finished it."""
    drives = drives_of(bundles)
    for said in suite_steps(bundles[0]):
        if isinstance(said, SteadyStateStep):
            found = [run for drive in drives if (run := _run(drive, said)) is not None]
            if found and found[0].drive is drives[0]:
                yield tuple(found)


def multiple_text(multiple: float) -> str:
    """`2.01 x`."""
    return say(message("figure-times", count=number(multiple, ".2f")))


def writes_over_drive(job: Job) -> str:
    """`Random 4 KiB writes at QD256 over the whole drive.`."""
    pattern, depth = pattern_title(job.pattern), job.in_flight
    done = message("figure-fill", pattern=pattern, block=block_words(job.block_bytes), depth=depth)
    return say(message("figure-sentence", what=done))


def multiple_axis(runs: Sequence[WrittenRun], length_px: int, ticks: int) -> PlotAxis:
    """From nothing to the most any of them wrote."""
    return linear_axis(say(X_TITLE), max(run.written_end for run in runs), length_px, ticks, round_up=False)


def speed_axis_of(run: WrittenRun, length_px: int, ticks: int) -> PlotAxis:
    """From 0 to the fastest window."""
    axis = linear_axis(
        axis_title(speed_title(run), run.unit.label), float(run.speed.max()), length_px, ticks, round_up=True
    )
    return replace(axis, label_expression=SHORT_NUMBERS) if run.unit is IOPS else axis


def speed_title(run: WrittenRun) -> Message:
    """What the vertical axis shows."""
    return message("figure-random-writes") if run.unit is IOPS else message("figure-write-bandwidth")


def ending(run: SteadyRun) -> Message:
    """What ended it, in the words of a subtitle."""
    written = multiple_text(run.written_end)
    if run.ended_by == STOPPED_BY_OPERATOR:
        return message("figure-stopped-before-steady", written=written)
    if not run.is_steady:
        return message("figure-not-steady-after", written=written)
    return message("figure-ended-by", criterion=run.ended_by, written=written, took=duration(run.ended_ns))


def ending_title(run: SteadyRun) -> str:
    """What ended it, and the criteria that would not yet have: `Ended by ...; by then not snia`."""
    fired = {one.criterion for one in run.fired()}
    others = [one.value for one in run.criteria if one not in fired]
    if not others or not run.is_steady:
        return first_upper(say(ending(run)))
    none = Listed(tuple(others), Separator.OR)
    return first_upper(say(message("figure-by-then-not", ending=ending(run), criteria=none)))


def verdicts(run: SteadyRun) -> str:
    """What each of the criteria said, in the words of a caption."""
    fired = {one.criterion: one for one in run.fired()}
    parts = []
    for criterion in run.criteria:
        first = run.multiple(FIRST_AT_BYTES, Aspect(criterion.value))
        told = _verdict(run, criterion, fired.get(criterion), first)
        if first is not None and (criterion not in fired or first < fired[criterion].multiple - 0.005):
            told = message("figure-first-held", verdict=told, at=multiple_text(first))
        parts.append(told)
    return say(message("figure-verdicts", verdicts=semicolons(*parts)))


def _verdict(run: SteadyRun, criterion: Criterion, fired: Fired | None, first: float | None) -> Message:
    name = criterion.value
    if fired is not None:
        after = multiple_text(fired.multiple)
        return message("figure-fired-after", criterion=name, after=after, took=duration(int(fired.after_s * NS_PER_S)))
    if first is None:
        return message("figure-fired-never", criterion=name)
    return message(
        "figure-fired-too-early", criterion=name, least=message("figure-times", count=str(run.said.at_least))
    )


def _run(drive: DrawnRun, said: SteadyStateStep) -> SteadyRun | None:
    bundle = drive.bundle
    steps = [one for one in bundle.finished() if one.group == said.name and one.kind is StepKind.PRECONDITION]
    if not steps or steps[-1].job is None:
        return None
    step, job = steps[-1], steps[-1].job
    series = bundle.series(step, Direction.WRITE)
    if not len(series.time_ns):
        return None
    known = readings(bundle)
    numbers = {
        key.of_any_point: one.value
        for point in (step.point, Point(said.name))
        for key, one in known.items()
        if key.point == point
    }
    words = [metric.value for metric in bundle.metrics if metric.key == MetricKey(step.point, CRITERION)]
    return SteadyRun(
        drive=drive,
        said=said,
        step=step,
        job=job,
        series=_whole_windows(series),
        ended_bytes=float(series.bytes_done[-1]),
        ended_ns=int(series.time_ns[-1]),
        numbers=numbers,
        ended_by=str(words[0]) if words else "",
        criteria=criteria_of(bundle.metrics, step.point),
    )


def _whole_windows(series: Series) -> Series:
    if len(series.time_ns) == 1 or series.duration_ns[-1] >= series.window_ns:
        return series
    return replace(
        series,
        time_ns=series.time_ns[:-1],
        bandwidth_bytes_per_s=series.bandwidth_bytes_per_s[:-1],
        iops=series.iops[:-1],
        latency_ns_mean=series.latency_ns_mean[:-1],
        latency_ns_max=series.latency_ns_max[:-1],
    )
