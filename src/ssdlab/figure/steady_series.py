"""Speed and latency of a drive that is written to until it is steady, over multiples of its capacity (METHODS E1, E3, S)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.steady import Criterion
from ssdlab.bundle.model import Step
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import STOPPED_BY_OPERATOR, Direction, Series
from ssdlab.figure.axis import SHORT_NUMBERS, Axis, linear_axis
from ssdlab.figure.decimate import Columns, into_columns
from ssdlab.figure.drives import Drive, drives_of
from ssdlab.figure.readings import IOPS, SpeedUnit, readings, speed_unit
from ssdlab.figure.subject import block_words
from ssdlab.figure.suite_steps import suite_steps
from ssdlab.job import Job, StepKind
from ssdlab.method.schema import SteadyStep
from ssdlab.units import NS_PER_S, format_duration

X_TITLE = "written (multiples of the capacity)"


@dataclass(frozen=True, slots=True)
class Fired:
    """When a criterion first allowed an end."""

    criterion: Criterion
    multiple: float
    """Of the capacity."""
    after_s: float

    @property
    def words(self) -> str:
        """`window after 2.01 x`."""
        return f"{self.criterion.value} after {multiple_text(self.multiple)}"


@dataclass(frozen=True, slots=True, eq=False)
class SteadyRun:
    """One finished step that wrote on and on."""

    drive: Drive
    said: SteadyStep
    step: Step
    job: Job
    series: Series
    """Without the last window, if that was cut short: then only I/Os still in flight came to their end."""
    ended_bytes: float
    ended_ns: int
    numbers: Mapping[str, float]
    """Metrics of the step that have a number, by the last parts of their names."""
    ended_by: str
    """Name of the criterion, `not steady`, or `stopped by the operator`."""

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
        for one in Criterion:
            at, after = self.numbers.get(f"steady_at_bytes.{one.value}"), self.numbers.get(f"steady_after.{one.value}")
            if at is not None and after is not None:
                found.append(Fired(one, at / self.capacity_bytes, after))
        return tuple(sorted(found, key=lambda one: one.multiple))

    def multiple(self, name: str) -> float | None:
        """A metric in bytes as a multiple of the capacity; None where it is unknown."""
        value = self.numbers.get(name)
        return None if value is None else value / self.capacity_bytes


def steady_runs(bundles: Sequence[Bundle]) -> Iterator[tuple[SteadyRun, ...]]:
    """For each step of the kind of the device under test's suite, the runs of all drives that finished it."""
    drives = drives_of(bundles)
    for said in suite_steps(bundles[0]):
        if isinstance(said, SteadyStep):
            found = [run for drive in drives if (run := _run(drive, said)) is not None]
            if found and found[0].drive is drives[0]:
                yield tuple(found)


def multiple_text(multiple: float) -> str:
    """`2.01 x`."""
    return f"{multiple:.2f} x"


def workload(job: Job) -> str:
    """`Random 4 KiB writes at QD256`."""
    return f"{job.pattern.value.capitalize()} {block_words(job.block_bytes)} writes at QD{job.queue_depth * job.jobs}"


def multiple_axis(runs: Sequence[SteadyRun], length_px: int, ticks: int) -> Axis:
    """From nothing to the most any of them wrote."""
    return linear_axis(X_TITLE, max(run.written_end for run in runs), length_px, ticks, round_up=False)


def speed_axis_of(run: SteadyRun, length_px: int, ticks: int) -> Axis:
    """From 0 to the fastest window."""
    axis = linear_axis(speed_title(run), max(float(run.speed.max()), 1e-9), length_px, ticks, round_up=True)
    return replace(axis, label_expression=SHORT_NUMBERS) if run.unit is IOPS else axis


def speed_title(run: SteadyRun) -> str:
    """Title of the vertical axis."""
    return "random writes (IOPS)" if run.unit is IOPS else "write bandwidth (MiB/s)"


def ending(run: SteadyRun) -> str:
    """What ended it, in the words of a subtitle."""
    if run.ended_by == STOPPED_BY_OPERATOR:
        return f"{run.ended_by} after {multiple_text(run.written_end)} the capacity, before it was steady"
    if not run.is_steady:
        return f"not steady after {multiple_text(run.written_end)} the capacity, where the suite ends"
    took = format_duration(run.ended_ns)
    return f"ended by the criterion {run.ended_by} after {multiple_text(run.written_end)} the capacity, {took}"


def never_held(run: SteadyRun) -> str:
    """`; by then not snia`: the criteria that would not yet have ended it, in the words of a subtitle."""
    fired = {one.criterion for one in run.fired()}
    others = [one.value for one in Criterion if one not in fired]
    return f"; by then not {' nor '.join(others)}" if others and run.is_steady else ""


def verdicts(run: SteadyRun) -> str:
    """What each of the three criteria said, in the words of a caption."""
    fired = {one.criterion: one for one in run.fired()}
    parts = []
    for one in Criterion:
        first = run.multiple(f"first_at_bytes.{one.value}")
        said = f"{one.value} "
        if one in fired:
            said += f"after {multiple_text(fired[one].multiple)}, {format_duration(int(fired[one].after_s * NS_PER_S))}"
        else:
            said += "never" if first is None else f"not after the {_least(run)} that must be written"
        if first is not None and (one not in fired or first < fired[one].multiple - 0.005):
            said += f" (first held at {multiple_text(first)})"
        parts.append(said)
    return f"When each criterion called the drive steady: {'; '.join(parts)}."


def _least(run: SteadyRun) -> str:
    return f"{run.said.at_least} x"


def _run(drive: Drive, said: SteadyStep) -> SteadyRun | None:
    bundle = drive.bundle
    steps = [one for one in bundle.finished() if one.group == said.name and one.kind is StepKind.PRECONDITION]
    if not steps or steps[-1].job is None:
        return None
    step, job = steps[-1], steps[-1].job
    series = bundle.series(step, Direction.WRITE)
    if not len(series.time_ns):
        return None
    known = readings(bundle)
    beginnings = (f"{step.point}.", f"{said.name}.")
    numbers = {
        name.removeprefix(begin): one.value
        for begin in beginnings
        for name, one in known.items()
        if name.startswith(begin)
    }
    words = [metric.value for metric in bundle.metrics if metric.name == f"{step.point}.criterion"]
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
