"""Metrics of power: what each point drew, for how many bytes and I/Os, and how high it went."""

from collections.abc import Iterator, Mapping, Sequence

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.statistics.interval import Interval
from ssdlab.bundle.model import Metric, Step, StepStatus
from ssdlab.bundle.power import PowerRecord, StepPower
from ssdlab.bundle.quantities import (
    ENERGY,
    ENERGY_PER_GIB,
    IOPS_PER_WATT,
    POWER_MAX_1S,
    POWER_MAX_100US,
    POWER_MEAN,
    Quantity,
)
from ssdlab.job import StepKind
from ssdlab.message import Message, message
from ssdlab.point import Point
from ssdlab.units import GIB, NS_PER_S
from ssdlab.unknown import Unknown

_LOADED = {StepKind.FILL, StepKind.MEASURE, StepKind.PRECONDITION, StepKind.TRIM}


def power_metrics(
    record: PowerRecord | Unknown, steps: Sequence[Step], finished: Sequence[StepEvidence]
) -> tuple[Metric, ...]:
    """Metrics of every point that a meter saw; none where no log was added."""
    if isinstance(record, Unknown):
        return ()
    known = {one.step: one for one in record.steps}
    evidence = {one.step.name: one for one in finished}
    points: dict[Point, list[Step]] = {}
    for step in steps:
        if step.status is StepStatus.FINISHED and step.name in known and step.kind in {*_LOADED, StepKind.REST}:
            points.setdefault(step.point, []).append(step)
    return tuple(metric for point, runs in points.items() for metric in _of_point(point, runs, known, evidence))


def _of_point(
    point: Point, runs: Sequence[Step], known: Mapping[str, StepPower], evidence: Mapping[str, StepEvidence]
) -> Iterator[Metric]:
    """Of all runs of it together."""
    powers = [known[run.name] for run in runs]
    naming = Naming(point, runs[0].state)
    if runs[0].kind is StepKind.REST:
        yield naming.metric(POWER_MEAN, _mean_w(powers), _mean_interval(powers), message("metric-power-idle"))
        return
    note = None if len(runs) == 1 else message("metric-power-runs", runs=len(runs))
    energy_j = _total_j(powers)
    yield naming.metric(ENERGY, energy_j, _total_interval(powers, 1.0), note)
    yield naming.metric(POWER_MEAN, _mean_w(powers), _mean_interval(powers), note)
    done = [evidence[run.name] for run in runs if run.name in evidence]
    counted = [one for run in done for one in run.result.directions.values()]
    if len(done) == len(runs):
        yield _per(naming, ENERGY_PER_GIB, energy_j, powers, sum(one.io_bytes for one in counted) / GIB, note)
        yield _ios_per_joule(naming, energy_j, powers, sum(one.io_count for one in counted), note)
    yield naming.metric(POWER_MAX_1S, _highest([one.max_1s_w for one in powers]), note=note)
    yield naming.metric(POWER_MAX_100US, _highest([one.max_100us_w for one in powers]), note=note)


def _per(
    naming: Naming,
    quantity: Quantity,
    energy_j: float | Unknown,
    powers: Sequence[StepPower],
    amount: float,
    note: Message | None,
) -> Metric:
    if isinstance(energy_j, Unknown):
        return naming.metric(quantity, energy_j, note=note)
    if not amount:
        return naming.metric(quantity, Unknown(message("unknown-power-nothing-moved")), note=note)
    return naming.metric(quantity, energy_j / amount, _total_interval(powers, amount), note)


def _ios_per_joule(
    naming: Naming, energy_j: float | Unknown, powers: Sequence[StepPower], ios: int, note: Message | None
) -> Metric:
    """I/Os a second for a watt are I/Os for a joule."""
    if isinstance(energy_j, Unknown):
        return naming.metric(IOPS_PER_WATT, energy_j, note=note)
    if not ios or energy_j <= 0:
        return naming.metric(IOPS_PER_WATT, Unknown(message("unknown-power-nothing-moved")), note=note)
    ends = _total_interval(powers, 1.0)
    interval = None if ends is None or ends.low <= 0 else Interval(ios / ends.high, ios / ends.low)
    return naming.metric(IOPS_PER_WATT, ios / energy_j, interval, note)


def _total_j(powers: Sequence[StepPower]) -> float | Unknown:
    total_j = 0.0
    for one in powers:
        if isinstance(one.energy_j, Unknown):
            return one.energy_j
        total_j += one.energy_j
    return total_j


def _total_interval(powers: Sequence[StepPower], amount: float) -> Interval | None:
    """What is in doubt of each run may be so of all of them in the same sense."""
    if isinstance(_total_j(powers), Unknown):
        return None
    return Interval(sum(one.energy_low_j for one in powers) / amount, sum(one.energy_high_j for one in powers) / amount)


def _seconds(powers: Sequence[StepPower]) -> float:
    return sum(one.end_ns - one.begin_ns for one in powers) / NS_PER_S


def _mean_w(powers: Sequence[StepPower]) -> float | Unknown:
    total_j = _total_j(powers)
    return total_j if isinstance(total_j, Unknown) else total_j / _seconds(powers)


def _mean_interval(powers: Sequence[StepPower]) -> Interval | None:
    return _total_interval(powers, _seconds(powers))


def _highest(values: Sequence[float | Unknown]) -> float | Unknown:
    unknown = next((one for one in values if isinstance(one, Unknown)), None)
    return unknown or max(one for one in values if not isinstance(one, Unknown))
