"""Metrics of a step `rounds` (SNIA PTS): what each cell did in the window of five rounds, and how flat that window is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.infer.rounds import Round, is_steady, of_directions, window_of
from ssdlab.analysis.infer.steady import SNIA_ROUNDS, Criterion
from ssdlab.analysis.metrics.latency import latency_metrics
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.metrics.preconditioning import NOT_STEADY
from ssdlab.analysis.statistics.interval import interval_of_runs
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
    Quantity,
)
from ssdlab.engine.result import LatencyKind
from ssdlab.job import DriveState, StepKind
from ssdlab.message import Message, message
from ssdlab.method.kinds.rounds import Cell, RoundsStep, TrackedQuantity, cells_of, tracked_cells
from ssdlab.point import CoordinateAxis, Point
from ssdlab.unknown import Unknown

TRACKED = {TrackedQuantity.IOPS: IOPS, TrackedQuantity.BANDWIDTH: BANDWIDTH, TrackedQuantity.LATENCY: LAT_MEAN}
"""As what each is told."""


@dataclass(frozen=True, eq=False)
class _Shown:
    """All rounds that are whole, the first one first, and what was measured after them."""

    step: RoundsStep
    tracked: tuple[Cell, ...]
    rounds: tuple[dict[Cell, StepEvidence], ...]
    unfinished: dict[Cell, StepEvidence]

    @cached_property
    def values(self) -> tuple[Round, ...]:
        """What was tracked; what is not known is nothing, and no window with it is flat."""
        return tuple({cell: _known(self.step.tracked, one) for cell, one in cells.items()} for cells in self.rounds)

    @property
    def state(self) -> DriveState:
        """In the last window."""
        return DriveState.STEADY if is_steady(self.tracked, self.values) else DriveState.NOT_STEADY

    @property
    def window(self) -> tuple[dict[Cell, StepEvidence], ...]:
        """The last five rounds; none before there are so many."""
        return self.rounds[-SNIA_ROUNDS:] if len(self.rounds) >= SNIA_ROUNDS else ()


def rounds_metrics(step: RoundsStep, logical_block_bytes: int, finished: Sequence[StepEvidence]) -> Iterator[Metric]:
    """Metrics of a step `rounds`.

    Args:
        step: As the suite says it.
        logical_block_bytes: Of the drive: smaller blocks are no cells of its rounds.
        finished: Its measurements, in order.
    """
    shown = _shown(step, logical_block_bytes, finished)
    if shown is None:
        return
    of_step = Naming(Point(step.name), shown.state)
    yield of_step.metric(ROUNDS, len(shown.rounds))
    if shown.window:
        by = Criterion.SNIA.value if shown.state is DriveState.STEADY else NOT_STEADY
        yield of_step.metric(CRITERION, by)
        for cell in shown.tracked:
            yield from _flatness(shown, cell)
        for cell in shown.window[0]:
            yield from _cell_metrics(shown, cell)
    for cells in (*shown.rounds, shown.unfinished):
        for one in cells.values():
            yield _of_round(step, one)


def _shown(step: RoundsStep, logical_block_bytes: int, finished: Sequence[StepEvidence]) -> _Shown | None:
    rounds: dict[int, dict[Cell, StepEvidence]] = {}
    for one in finished:
        number = one.step.point.value(CoordinateAxis.ROUND)
        if one.step.kind is StepKind.MEASURE and isinstance(number, int):
            rounds.setdefault(number, {})[Cell(one.job.read_percent, one.job.block_bytes)] = one
    if not rounds:
        return None
    cells = len(cells_of(step, logical_block_bytes))
    whole = tuple(one for _, one in sorted(rounds.items()) if len(one) == cells)
    left = rounds[max(rounds)]
    return _Shown(step, tracked_cells(step, logical_block_bytes), whole, left if len(left) < cells else {})


def _known(quantity: TrackedQuantity, one: StepEvidence) -> float:
    value = of_directions(quantity, one.result.directions, one.latency)
    return 0.0 if isinstance(value, Unknown) else value


def _flatness(shown: _Shown, cell: Cell) -> Iterator[Metric]:
    window = window_of(cell, shown.values)
    if window is None or not window.mean:
        return
    naming = _naming(shown, cell)
    note = message("metric-window-of-rounds", first=len(shown.rounds) - SNIA_ROUNDS + 1, last=len(shown.rounds))
    yield naming.metric(WINDOW_RANGE, 100 * window.spread / window.mean, note=note)
    yield naming.metric(WINDOW_EXCURSION, 100 * window.excursion / window.mean, note=note)


def _naming(shown: _Shown, cell: Cell) -> Naming:
    return Naming(cell.point(Point(shown.step.name)), shown.state, step=shown.step.name)


def _cell_metrics(shown: _Shown, cell: Cell) -> Iterator[Metric]:
    """Means of five rounds, each of which counts alike; percentiles of all their I/Os, and the largest latency of any."""
    naming, runs = _naming(shown, cell), [cells[cell] for cells in shown.window]
    note = message("metric-mean-of-rounds", rounds=SNIA_ROUNDS)
    for tracked, quantity in TRACKED.items():
        values = [of_directions(tracked, one.result.directions, one.latency) for one in runs]
        yield _mean(naming, quantity, values, note)
    yield from (one for one in latency_metrics(naming, runs) if one.key.quantity != LAT_MEAN)
    done = [kinds[LatencyKind.CLAT] for run in runs for kinds in run.latency.values() if LatencyKind.CLAT in kinds]
    if done:
        largest = max(one.max_ns for one in done)
        yield naming.metric(CLAT_MAX, largest, note=message("metric-largest-of-rounds", rounds=SNIA_ROUNDS))


def _mean(naming: Naming, quantity: Quantity, values: Sequence[float | Unknown], note: Message) -> Metric:
    known = [one for one in values if not isinstance(one, Unknown)]
    unknown = next((one for one in values if isinstance(one, Unknown)), None)
    if unknown is not None:
        return naming.metric(quantity, unknown)
    mean = sum(known) / len(known)
    return naming.metric(quantity, mean, interval_of_runs(known, [None] * len(known), mean), note)


def _of_round(step: RoundsStep, one: StepEvidence) -> Metric:
    naming = Naming(one.step.point, one.step.state)
    value = of_directions(step.tracked, one.result.directions, one.latency)
    return replace(naming, step=one.step.name).metric(TRACKED[step.tracked], value)
