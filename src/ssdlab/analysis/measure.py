"""Metrics of measured points (METHODS C3, C5-C7, C9, M): one run or several, single, swept, weighted."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ssdlab.analysis.active_range import active_range_metrics
from ssdlab.analysis.consistency import consistency_percent, speed_samples
from ssdlab.analysis.evidence import Evidence
from ssdlab.analysis.interval import Interval, mean_interval
from ssdlab.analysis.latency import latency_metrics
from ssdlab.analysis.naming import Naming
from ssdlab.analysis.rate import Counted, total_bandwidth, total_iops
from ssdlab.analysis.repeat import RSE_RUNS, median, relative_standard_error_percent, trimmed_mean
from ssdlab.analysis.weighted import weighted_metrics
from ssdlab.bundle.model import Metric, Step, StepStatus
from ssdlab.engine.result import Direction, Series
from ssdlab.job import IoLog, StepKind
from ssdlab.method.schema import MeasureStep, Take
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True)
class _Quantity:
    """What is taken of each run."""

    name: str
    unit: str
    of: Callable[[Sequence[Counted]], float | Unknown]

    def values(self, runs: Sequence[Evidence]) -> list[float | Unknown]:
        """One a run, all directions together."""
        return [self.of(tuple(run.result.directions.values())) for run in runs]


_IOPS = _Quantity("iops", "1/s", total_iops)
_BANDWIDTH = _Quantity("bandwidth", "B/s", total_bandwidth)
_WORDS: Mapping[Take, str] = {
    Take.MEDIAN: f"median of the last {RSE_RUNS}",
    Take.TRIMMED_MEAN: "mean without the largest and the smallest",
    Take.BEST: "best",
}
_DONE = {StepStatus.FINISHED, StepStatus.SKIPPED}


@dataclass(frozen=True, slots=True)
class _Point:
    """All runs of one point, and how many of the planned ones are neither done nor left out by rule."""

    name: str
    runs: tuple[Evidence, ...]
    missing: int


def measure_metrics(step: MeasureStep, plan: Sequence[Step], finished: Sequence[Evidence]) -> tuple[Metric, ...]:
    """Metrics of a step `measure`.

    Args:
        step: As the suite says it.
        plan: All planned steps of the group, done or not.
        finished: Those that did their I/O, in order.
    """
    plan = [one for one in plan if one.kind is not StepKind.RAMP]
    finished = [one for one in finished if one.step.kind is not StepKind.RAMP]
    points = _points(plan, finished)
    metrics = [metric for point in points for metric in _point_metrics(step, point)]
    if step.sweep.active_range is not None:
        metrics += active_range_metrics(step.name, plan, finished)
    if step.weighted is not None and finished:
        rates = {point.name: (point.runs[0].job, _taken(step.take, _IOPS, point)) for point in points}
        metrics += weighted_metrics(step, step.weighted, rates, finished[0].step.state)
    return tuple(metrics)


def _points(plan: Sequence[Step], finished: Sequence[Evidence]) -> list[_Point]:
    names = dict.fromkeys(one.step.point for one in finished)
    return [
        _Point(
            name,
            tuple(one for one in finished if one.step.point == name),
            sum(step.point == name and step.job is not None and step.status not in _DONE for step in plan),
        )
        for name in names
    ]


def _point_metrics(step: MeasureStep, point: _Point) -> Iterator[Metric]:
    naming = Naming(point.name, point.runs[0].step.state)
    if step.repeat.runs_max == 1:
        yield from _single(step, naming, point.runs[0])
        return
    note = f"{_WORDS[step.take]} of {len(point.runs)} runs" if len(point.runs) > 1 else "one run"
    for quantity in (_IOPS, _BANDWIDTH):
        yield naming.metric(quantity.name, _taken(step.take, quantity, point), quantity.unit, note=note)
    yield naming.metric("rse", _rse(point), "%", note=_settled(step, point))
    if any(run.job.io_log is IoLog.EVERY_IO for run in point.runs):
        yield from latency_metrics(naming, point.runs)


def _single(step: MeasureStep, naming: Naming, run: Evidence) -> Iterator[Metric]:
    bandwidth = _BANDWIDTH.values([run])[0]
    interval = _about(bandwidth, *run.series.values())
    yield naming.metric("iops", _IOPS.values([run])[0], "1/s", _ios(interval, run))
    if step.sweep.active_range is None:
        yield naming.metric("bandwidth", bandwidth, "B/s", interval)
        yield naming.metric("consistency", consistency_percent(*run.series.values()), "%", note=_windows(run))
        yield from latency_metrics(naming, [run])
        if len(run.result.directions) > 1:
            for direction in run.result.directions:
                yield from _apart(replace(naming, part=direction.value), run, direction)


def _apart(naming: Naming, run: Evidence, direction: Direction) -> Iterator[Metric]:
    """What one direction of a mixed point did, in the time of both, so that the rates of the two add up to the total."""
    own, alone = run.result.directions[direction], run.only(direction)
    longest_ns = max(one.runtime_ns for one in run.result.directions.values())
    counted = (replace(own, runtime_ns=longest_ns),)
    bandwidth = total_bandwidth(counted)
    interval = _about(bandwidth, *alone.series.values())
    yield naming.metric("iops", total_iops(counted), "1/s", _ios(interval, run))
    yield naming.metric("bandwidth", bandwidth, "B/s", interval)
    yield from latency_metrics(naming, [alone])


def _about(bandwidth_bytes_per_s: float | Unknown, *series: Series) -> Interval | None:
    if isinstance(bandwidth_bytes_per_s, Unknown):
        return None
    return mean_interval(speed_samples(*series), bandwidth_bytes_per_s)


def _ios(interval: Interval | None, run: Evidence) -> Interval | None:
    block_bytes = run.job.block_bytes
    return None if interval is None else Interval(interval.low / block_bytes, interval.high / block_bytes)


def _windows(run: Evidence) -> str:
    count = len(speed_samples(*run.series.values()))
    return f"slowest 0.1 % of {count} windows of 100 ms over their mean"


def _taken(take: Take, quantity: _Quantity, point: _Point) -> float | Unknown:
    """The value that stands for the runs."""
    values = quantity.values(point.runs)
    unknown = next((value for value in values if isinstance(value, Unknown)), None)
    if unknown is not None:
        return unknown
    if point.missing:
        return Unknown(f"{len(values)} of {len(values) + point.missing} runs finished")
    known = [value for value in values if not isinstance(value, Unknown)]
    match take:
        case Take.MEDIAN:
            # Of the runs whose scatter is judged (METHODS C6).
            return median(known[-RSE_RUNS:])
        case Take.TRIMMED_MEAN:
            return trimmed_mean(known)
        case Take.BEST:
            return max(known)


def _rse(point: _Point) -> float | Unknown:
    values = _IOPS.values(point.runs)[-RSE_RUNS:]
    return relative_standard_error_percent([value for value in values if not isinstance(value, Unknown)])


def _settled(step: MeasureStep, point: _Point) -> str:
    """Whether the runs agree as well as the suite asks."""
    of = f"relative standard error of the last {min(RSE_RUNS, len(point.runs))} of {len(point.runs)} runs"
    rse, limit = _rse(point), step.repeat.until_rse_percent
    if limit is None or isinstance(rse, Unknown):
        return of
    return f"{of}, {'below' if rse < limit else 'not below'} {limit:g} %"
