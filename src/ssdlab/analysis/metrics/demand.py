"""Metrics of a step `demand` (SNIA PTS, DIRTH and CBW): what each demand came to in the last five rounds, and the operating points."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.infer.demand import DemandAnswer, DemandsShown, first_iops, is_flat, window_of_demand
from ssdlab.analysis.infer.snia import SniaWindow, snia_window
from ssdlab.analysis.infer.steady import SNIA_ROUNDS, Criterion
from ssdlab.analysis.metrics.latency import latency_metrics
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.metrics.preconditioning import NOT_STEADY
from ssdlab.analysis.statistics.interval import interval_of_runs
from ssdlab.analysis.statistics.percentile import merged
from ssdlab.analysis.statistics.rate import Counted, total_bandwidth, total_iops
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import (
    BANDWIDTH,
    CLAT_MAX,
    CRITERION,
    IOPS,
    LAT_MEAN,
    ROUNDS,
    WINDOW_EXCURSION,
    WINDOW_RANGE,
)
from ssdlab.engine.result import Direction, Histogram, LatencyKind
from ssdlab.job import WINDOW_NS, DriveState, StepKind
from ssdlab.message import message
from ssdlab.method.kinds.demand import (
    Demand,
    DemandStep,
    Operating,
    demands_of,
    most_of,
    operating_point,
    saturation_point,
)
from ssdlab.method.suite import parse_suite
from ssdlab.point import CoordinateAxis, Point
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True, eq=False)
class _Measured:
    """What is finished, in order."""

    step: DemandStep
    saturation: tuple[StepEvidence, ...]
    rounds: tuple[Mapping[Demand, StepEvidence], ...]
    """Those that are whole."""
    operating: Mapping[Operating, StepEvidence]
    sample_ns: int

    @property
    def shown(self) -> DemandsShown:
        """As the running step saw it."""
        first = tuple(first_iops(tuple(one.series.values()), self.sample_ns) for one in self.saturation)
        return DemandsShown(first, tuple({at: _answer(one) for at, one in cells.items()} for cells in self.rounds))


def answer_of(
    directions: Mapping[Direction, Counted], latency: Mapping[Direction, Mapping[LatencyKind, Histogram]]
) -> DemandAnswer:
    """Rate and mean response time of all directions; what cannot be told is nothing, and keeps no limit."""
    iops = total_iops(tuple(directions.values()))
    found = [kinds[LatencyKind.LAT] for kinds in latency.values() if LatencyKind.LAT in kinds]
    response_ns = merged(found).mean_ns if any(one.total for one in found) else 0.0
    return DemandAnswer(0.0 if isinstance(iops, Unknown) else iops, response_ns)


def demand_metrics(step: DemandStep, finished: Sequence[StepEvidence]) -> Iterator[Metric]:
    """Metrics of a step `demand`.

    Args:
        step: As the suite says it.
        finished: Its measurements, in order.
    """
    measured = _measured(step, finished)
    if measured is None:
        return
    shown = measured.shown
    yield from _saturation_metrics(measured, shown)
    if measured.rounds:
        yield from _round_metrics(measured, shown)
    for operating, one in measured.operating.items():
        yield from _operating_metrics(Naming(operating_point(step.name, operating), _state(measured, shown)), one)


def _measured(step: DemandStep, finished: Sequence[StepEvidence]) -> _Measured | None:
    own = [one for one in finished if one.step.kind is StepKind.MEASURE]
    if not own:
        return None
    saturated = saturation_point(step.name)
    rounds: dict[int, dict[Demand, StepEvidence]] = {}
    for one in own:
        place = one.step.point.value(CoordinateAxis.ROUND)
        if isinstance(place, int) and not saturated.holds(one.step.point):
            rounds.setdefault(place, {})[Demand(one.job.jobs, one.job.queue_depth)] = one
    points = {operating: operating_point(step.name, operating) for operating in Operating}
    run = own[0].run
    time = parse_suite(run.suite.text, run.suite.name).profile(run.profile).time
    return _Measured(
        step,
        tuple(one for one in own if saturated.holds(one.step.point)),
        tuple(cells for _, cells in sorted(rounds.items()) if len(cells) == len(demands_of(step))),
        {operating: one for operating, at in points.items() for one in own if one.step.point == at},
        max(WINDOW_NS, time.of(step.times.cell_ns)),
    )


def _answer(one: StepEvidence) -> DemandAnswer:
    return answer_of(one.result.directions, one.latency)


def _state(measured: _Measured, shown: DemandsShown) -> DriveState:
    steady = is_flat(shown.saturation) and is_flat(shown.tracked(most_of(measured.step)))
    return DriveState.STEADY if steady else DriveState.NOT_STEADY


def _saturation_metrics(measured: _Measured, shown: DemandsShown) -> Iterator[Metric]:
    """Of the writes before: how many rounds, and whether they were flat."""
    state = DriveState.STEADY if is_flat(shown.saturation) else DriveState.NOT_STEADY
    naming = Naming(saturation_point(measured.step.name), state, step=measured.step.name)
    yield from _window_metrics(naming, snia_window(shown.saturation), len(shown.saturation))
    for one, iops in zip(measured.saturation, shown.saturation, strict=True):
        yield Naming(one.step.point, one.step.state).metric(IOPS, iops, note=message("metric-begin-of-round"))


def _round_metrics(measured: _Measured, shown: DemandsShown) -> Iterator[Metric]:
    step, state, most = measured.step, _state(measured, shown), most_of(measured.step)
    of_step = Naming(Point(step.name), state)
    window = window_of_demand(shown, most)
    yield from _window_metrics(of_step, window, len(shown.rounds))
    for one in measured.rounds:
        tracked = one[most]
        yield Naming(tracked.step.point, tracked.step.state).metric(IOPS, _answer(tracked).iops)
    last = measured.rounds[-SNIA_ROUNDS:]
    for demand in last[0]:
        naming = Naming(demand.point(Point(step.name)), state, step=step.name)
        yield from _demand_metrics(naming, [cells[demand] for cells in last])


def _window_metrics(naming: Naming, window: SniaWindow | None, rounds: int) -> Iterator[Metric]:
    yield naming.metric(ROUNDS, rounds)
    if window is None or not window.mean:
        return
    yield naming.metric(CRITERION, Criterion.SNIA.value if window.is_flat else NOT_STEADY)
    note = message("metric-window-of-rounds", first=rounds - SNIA_ROUNDS + 1, last=rounds)
    yield naming.metric(WINDOW_RANGE, 100 * window.spread / window.mean, note=note)
    yield naming.metric(WINDOW_EXCURSION, 100 * window.excursion / window.mean, note=note)


def _demand_metrics(naming: Naming, runs: Sequence[StepEvidence]) -> Iterator[Metric]:
    """Means of the last five rounds, each of which counts alike."""
    note = message("metric-mean-of-rounds", rounds=len(runs))
    answers = [_answer(one) for one in runs]
    for quantity, values in (
        (IOPS, [one.iops for one in answers]),
        (LAT_MEAN, [one.response_ns for one in answers]),
    ):
        mean = sum(values) / len(values)
        if mean:
            yield naming.metric(quantity, mean, interval_of_runs(values, [None] * len(values), mean), note)


def _operating_metrics(naming: Naming, one: StepEvidence) -> Iterator[Metric]:
    directions = one.result.directions.values()
    yield naming.metric(IOPS, total_iops(directions))
    yield naming.metric(BANDWIDTH, total_bandwidth(directions))
    yield from latency_metrics(naming, [one])
    longest = [kinds[LatencyKind.CLAT].max_ns for kinds in one.latency.values() if LatencyKind.CLAT in kinds]
    if longest:
        yield naming.metric(CLAT_MAX, max(longest))
