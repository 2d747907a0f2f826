"""Metrics of measured points (METHODS C3, C5-C7, C9, M): one run or several, single, swept, weighted."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.adaptive.rule import BATCHES
from ssdlab.analysis.adaptive.words import end_words
from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.metrics.active_range import active_range_metrics
from ssdlab.analysis.metrics.latency import latency_metrics
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.metrics.silence import silence_metrics
from ssdlab.analysis.metrics.weighted import PointRate, weighted_metrics
from ssdlab.analysis.statistics.consistency import consistency_percent, speed_samples
from ssdlab.analysis.statistics.interval import (
    Interval,
    StandardError,
    interval_around,
    interval_of_runs,
    mean_interval,
    standard_error,
    student_t,
)
from ssdlab.analysis.statistics.rate import Counted, total_bandwidth, total_iops
from ssdlab.analysis.statistics.repeat import RSE_RUNS, median, relative_standard_error_percent, trimmed_mean
from ssdlab.bundle.model import Metric, Step, StepStatus
from ssdlab.bundle.quantities import BANDWIDTH, CONSISTENCY, IOPS, RSE, Quantity
from ssdlab.engine.result import Direction
from ssdlab.job import WINDOW_NS, IoLog, StepKind
from ssdlab.message import Message, message, number
from ssdlab.method.kinds.measure import MeasureStep, Take
from ssdlab.point import Point
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True)
class _Taken:
    """What is taken of each run."""

    quantity: Quantity
    of: Callable[[Sequence[Counted]], float | Unknown]

    def values(self, runs: Sequence[StepEvidence]) -> list[float | Unknown]:
        """One a run, all directions together."""
        return [_without_ramp(self.of(tuple(run.result.directions.values())), run) for run in runs]


_IOPS = _Taken(IOPS, total_iops)
_BANDWIDTH = _Taken(BANDWIDTH, total_bandwidth)


def _without_ramp(rate: float | Unknown, run: StepEvidence) -> float | Unknown:
    """Of a point that was measured until its rate is known: as much of that rate as it is of the rate from the first I/O to the last."""
    end, whole = run.result.point_end, total_bandwidth(run.result.directions.values())
    if end is None or isinstance(rate, Unknown) or isinstance(whole, Unknown) or not whole:
        return rate
    return rate / whole * end.bytes_per_s


_DONE = {StepStatus.FINISHED, StepStatus.SKIPPED}


@dataclass(frozen=True, slots=True)
class _Point:
    """All runs of one point, and how many of the planned ones are neither done nor left out by rule."""

    point: Point
    runs: tuple[StepEvidence, ...]
    missing: int


def measure_metrics(step: MeasureStep, plan: Sequence[Step], finished: Sequence[StepEvidence]) -> tuple[Metric, ...]:
    """Metrics of a step `measure`.

    Args:
        step: As the suite says it.
        plan: All planned steps of the group, done or not.
        finished: Those that did their I/O, in order.
    """
    silence = silence_metrics(step.name, finished)
    plan = [one for one in plan if one.kind is not StepKind.RAMP]
    finished = [one for one in finished if one.step.kind is not StepKind.RAMP]
    points = _points(plan, finished)
    metrics = [metric for point in points for metric in _point_metrics(step, point)]
    if step.sweep.active_range is not None:
        metrics += active_range_metrics(step.name, plan, finished)
    if step.weighted is not None and finished:
        rates = {point.point: _rate(step.take, point) for point in points}
        metrics += weighted_metrics(step, step.weighted, rates, finished[0].step.state)
    return (*metrics, *silence)


def mixes_metrics(finished: Sequence[StepEvidence]) -> tuple[Metric, ...]:
    """Metrics of a step `mixes`: of every mix at every depth what it did in all, and each direction apart.

    Args:
        finished: Those that did their I/O, in order.
    """
    measured = [one for one in finished if one.step.kind is StepKind.MEASURE]
    metrics = [metric for one in measured for metric in run_metrics(Naming(one.step.point, one.step.state), one)]
    return (*metrics, *(silence_metrics(finished[0].step.group, finished) if finished else ()))


def _points(plan: Sequence[Step], finished: Sequence[StepEvidence]) -> list[_Point]:
    found = dict.fromkeys(one.step.point for one in finished)
    return [
        _Point(
            point,
            tuple(one for one in finished if one.step.point == point),
            sum(step.point == point and step.job is not None and step.status not in _DONE for step in plan),
        )
        for point in found
    ]


def _rate(take: Take, point: _Point) -> PointRate:
    value = _taken(take, _IOPS, point)
    return PointRate(point.runs[0].job, value, _between(take, _IOPS, point, value))


def _point_metrics(step: MeasureStep, point: _Point) -> Iterator[Metric]:
    naming = Naming(point.point, point.runs[0].step.state)
    if step.repeat.runs_max == 1:
        yield from _single(step, naming, point.runs[0])
        return
    note = _taken_of(step.take, len(point.runs))
    for taken in (_IOPS, _BANDWIDTH):
        value = _taken(step.take, taken, point)
        yield naming.metric(taken.quantity, value, _between(step.take, taken, point, value), note)
    yield naming.metric(RSE, _rse(point), note=_settled(step, point))
    if any(run.job.io_log is IoLog.EVERY_IO for run in point.runs):
        yield from latency_metrics(naming, point.runs)


def _single(step: MeasureStep, naming: Naming, run: StepEvidence) -> Iterator[Metric]:
    if step.sweep.active_range is None:
        yield from run_metrics(naming, run)
        return
    interval = _about(_BANDWIDTH.values([run])[0], run)
    iops = _IOPS.values([run])[0]
    yield naming.metric(IOPS, iops, _ios(interval, *run.result.directions.values()), _ended(run))


def run_metrics(naming: Naming, run: StepEvidence) -> Iterator[Metric]:
    """All of one run, and of each of its directions where it has two."""
    bandwidth = _BANDWIDTH.values([run])[0]
    interval, ended = _about(bandwidth, run), _ended(run)
    yield naming.metric(IOPS, _IOPS.values([run])[0], _ios(interval, *run.result.directions.values()), ended)
    yield naming.metric(BANDWIDTH, bandwidth, interval, ended)
    yield naming.metric(CONSISTENCY, consistency_percent(_counted_samples(run)), note=_windows(run))
    yield from latency_metrics(naming, [run])
    if len(run.result.directions) > 1:
        for direction in run.result.directions:
            yield from _apart(replace(naming, direction=direction), run, direction)


def _apart(naming: Naming, run: StepEvidence, direction: Direction) -> Iterator[Metric]:
    """What one direction of a mixed point did, in the time of both, so that the rates of the two add up to the total."""
    own, alone = run.result.directions[direction], run.only(direction)
    longest_ns = max(one.runtime_ns for one in run.result.directions.values())
    counted = (replace(own, runtime_ns=longest_ns),)
    bandwidth = _without_ramp(total_bandwidth(counted), run)
    interval = _about_one_of_two(bandwidth, alone)
    yield naming.metric(IOPS, _without_ramp(total_iops(counted), run), _ios(interval, own))
    yield naming.metric(BANDWIDTH, bandwidth, interval)
    yield from latency_metrics(naming, [alone])


def _about(bandwidth_bytes_per_s: float | Unknown, run: StepEvidence) -> Interval | None:
    if isinstance(bandwidth_bytes_per_s, Unknown):
        return None
    end = run.result.point_end
    if end is None:
        return mean_interval(speed_samples(*run.series.values()), bandwidth_bytes_per_s)
    return None if end.reach is None else interval_around(bandwidth_bytes_per_s, end.reach * bandwidth_bytes_per_s)


def _about_one_of_two(bandwidth_bytes_per_s: float | Unknown, alone: StepEvidence) -> Interval | None:
    """How two directions share the I/Os is chance besides what the point scatters by."""
    whole, end = _about(bandwidth_bytes_per_s, alone), alone.result.point_end
    if whole is None or end is None or isinstance(bandwidth_bytes_per_s, Unknown):
        return whole
    own = mean_interval(_counted_samples(alone), bandwidth_bytes_per_s)
    return whole if own is None else max(whole, own, key=lambda one: one.high)


def _counted_samples(run: StepEvidence) -> NDArray[np.float64]:
    """Of a point that was measured until its rate is known, without its ramp."""
    end, samples = run.result.point_end, speed_samples(*run.series.values())
    return samples if end is None else samples[end.ramp_ns // WINDOW_NS :]


def _ended(run: StepEvidence) -> Message | None:
    end = run.result.point_end
    return None if end is None else end_words(end)


def _ios(interval: Interval | None, *directions: Counted) -> Interval | None:
    """The interval of a bandwidth as one of I/Os a second, by their mean length: a mix has none that all of them have."""
    io_count, io_bytes = sum(one.io_count for one in directions), sum(one.io_bytes for one in directions)
    if interval is None or not io_bytes:
        return None
    mean_bytes = io_bytes / io_count
    return Interval(interval.low / mean_bytes, interval.high / mean_bytes)


def _windows(run: StepEvidence) -> Message:
    count = len(_counted_samples(run))
    return message("metric-slowest-windows", windows=count)


def _taken_of(take: Take, runs: int) -> Message:
    """Which value of the runs it is."""
    if runs < 2:
        return message("metric-one-run")
    match take:
        case Take.MEDIAN:
            return message("metric-median-of-last", last=RSE_RUNS, runs=runs)
        case Take.TRIMMED_MEAN:
            return message("metric-trimmed-mean", runs=runs)
        case Take.BEST:
            return message("metric-best", runs=runs)


def _taken(take: Take, taken: _Taken, point: _Point) -> float | Unknown:
    """The value that stands for the runs."""
    values = taken.values(point.runs)
    unknown = next((value for value in values if isinstance(value, Unknown)), None)
    if unknown is not None:
        return unknown
    if point.missing:
        return Unknown(message("unknown-runs-finished", done=len(values), planned=len(values) + point.missing))
    known = [value for value in values if not isinstance(value, Unknown)]
    if len(known) == 1:
        # The profile asks for one, whatever would be taken of more.
        return known[0]
    match take:
        case Take.MEDIAN:
            # Of the runs whose scatter is judged (METHODS C6).
            return median(known[-RSE_RUNS:])
        case Take.TRIMMED_MEAN:
            return trimmed_mean(known)
        case Take.BEST:
            return max(known)


def _between(take: Take, taken: _Taken, point: _Point, value: float | Unknown) -> Interval | None:
    """Interval of the value that stands for the runs; the best of several is no middle, and has none."""
    if isinstance(value, Unknown) or (take is Take.BEST and len(point.runs) > 1):
        return None
    runs = point.runs[-RSE_RUNS:] if take is Take.MEDIAN else point.runs
    values = [one for one in taken.values(runs) if not isinstance(one, Unknown)]
    return interval_of_runs(values, [_own_error(taken, run) for run in runs], value)


def _own_error(taken: _Taken, run: StepEvidence) -> StandardError | None:
    end = run.result.point_end
    if end is None:
        error = standard_error(speed_samples(*run.series.values()))
    elif end.reach is None:
        return None
    else:
        error = StandardError(end.reach * end.bytes_per_s / student_t(BATCHES - 1), BATCHES - 1)
    return error if error is None or taken is _BANDWIDTH else error.per(run.job.block_bytes)


def _rse(point: _Point) -> float | Unknown:
    values = _IOPS.values(point.runs)[-RSE_RUNS:]
    return relative_standard_error_percent([value for value in values if not isinstance(value, Unknown)])


def _settled(step: MeasureStep, point: _Point) -> Message:
    """Whether the runs agree as well as the suite asks."""
    of = message("metric-rse", last=min(RSE_RUNS, len(point.runs)), runs=len(point.runs))
    rse, limit = _rse(point), step.repeat.until_rse_percent
    if limit is None or isinstance(rse, Unknown):
        return of
    limit_percent = number(limit, "g")
    if rse < limit:
        return message("metric-rse-below", of=of, limit_percent=limit_percent)
    return message("metric-rse-not-below", of=of, limit_percent=limit_percent)
