"""What idle time gives back to a steady drive (SNIA PTS, host idle recovery): bursts with waits between, then writes without a rest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.rate import total_iops
from ssdlab.analysis.statistics.written_curve import WrittenCurve
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Step
from ssdlab.bundle.quantities import IDLE_GAIN, IOPS
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.figure.kit.axis import axis_title
from ssdlab.figure.kit.drives import subtitle_of
from ssdlab.figure.kit.idle_wait import waited_s
from ssdlab.figure.kit.model import AxisScale, Cell, Figure, FigureTable
from ssdlab.figure.kit.over_time import OverTimeLine, OverTimePlot, OverTimeWords, over_time_figure
from ssdlab.figure.kit.readings import readings
from ssdlab.figure.kit.say import column, say
from ssdlab.figure.kit.subject import pattern_of_blocks_title
from ssdlab.figure.kit.suite_steps import suite_steps
from ssdlab.job import DriveState, Job, StepKind
from ssdlab.message import Message, duration, message, number
from ssdlab.method.kinds.idle_recovery import IdleRecoveryStep, baseline_point, wait_point
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

_STRETCHES = 360
"""Of the writes without a rest: as many as the published text has bursts, so that both are as fine."""


@dataclass(frozen=True, slots=True, eq=False)
class _Wait:
    """All that was written with one wait.

    Attributes:
        wait_ns: As the suite says it.
        waited_s: As the profile scaled it, or as it was measured.
        written_ns: float64, ns of writing by the middle of each sample: the bursts, then the windows of the writes without a rest.
        clock_ns: float64, likewise with the waits.
        iops: float64, 1/s, of each sample.
        last_ns: ns with the waits, at the end of it.
    """

    wait_ns: int
    waited_s: float
    written_ns: NDArray[np.float64]
    clock_ns: NDArray[np.float64]
    iops: NDArray[np.float64]
    last_ns: float


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    bundle: Bundle
    step: IdleRecoveryStep
    job: Job
    cycles: int
    waits: tuple[_Wait, ...]


def idle_recovery(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Of the device under test, two figures a step: all waits over the time of writing, and one after the other as they were done."""
    bundle = bundles[0]
    for step in suite_steps(bundle):
        if isinstance(step, IdleRecoveryStep) and (shown := _shown(bundle, step)) is not None:
            yield _figure(shown)
            yield _on_the_clock(shown)


def _shown(bundle: Bundle, step: IdleRecoveryStep) -> _Shown | None:
    waits = [found for wait_ns in step.waits_ns if (found := _wait(bundle, step, wait_ns)) is not None]
    jobs = [one.job for one in bundle.finished() if one.group == step.name and one.job is not None]
    runs = [one.run or 0 for one in bundle.steps if one.group == step.name]
    return _Shown(bundle, step, jobs[0], max(runs), tuple(waits)) if waits else None


def _wait(bundle: Bundle, step: IdleRecoveryStep, wait_ns: int) -> _Wait | None:
    """None where not even a burst is over."""
    point, after = wait_point(step, wait_ns), baseline_point(step, wait_ns)
    own = [one for one in bundle.finished() if one.group == step.name and point.holds(one.point)]
    written_ns = 0.0
    parts: list[NDArray[np.float64]] = []
    for one in own:
        if one.kind is StepKind.REST:
            continue
        found = _stretches(bundle, one, written_ns) if one.point == after else _burst(bundle, one, written_ns)
        parts.append(found)
        written_ns = float(found[0, -1] + found[3, -1] / 2) if found.size else written_ns
    if not parts:
        return None
    written, clock, rates, _ = np.concatenate(parts, axis=1)
    return _Wait(wait_ns, waited_s(bundle, step, wait_ns), written, clock, rates, float(own[-1].ended_ns or clock[-1]))


def _burst(bundle: Bundle, one: Step, written_ns: float) -> NDArray[np.float64]:
    """float64, 4 x 1: ns of writing and of the run's clock in its middle, I/Os a second, how long it lasted in ns."""
    directions = bundle.result(one).directions.values()
    lasted_ns, iops = max((direction.runtime_ns for direction in directions), default=0), total_iops(directions)
    if isinstance(iops, Unknown):
        return np.empty((4, 0))
    middle_ns = lasted_ns / 2
    return np.asarray([[written_ns + middle_ns], [(one.started_ns or 0) + middle_ns], [iops], [lasted_ns]])


def _stretches(bundle: Bundle, one: Step, written_ns: float) -> NDArray[np.float64]:
    """float64, 4 x n: likewise of the writes without a rest, cut into up to 360 stretches."""
    series = bundle.series(one, Direction.WRITE)
    end_ns = float(series.time_ns[-1])
    count = min(_STRETCHES, len(series.time_ns))
    borders = np.linspace(0, end_ns, count + 1)
    curve = WrittenCurve()
    curve.append(series.time_ns, series.iops * series.duration_ns / NS_PER_S)
    lasted_ns = np.diff(borders)
    iops = np.diff(curve.bytes_at(borders / NS_PER_S)) * NS_PER_S / lasted_ns
    middles_ns = borders[:-1] + lasted_ns / 2
    return np.stack([written_ns + middles_ns, (one.started_ns or 0) + middles_ns, iops, lasted_ns])


def _figure(shown: _Shown) -> Figure:
    """Over the time of writing, so that all waits lie on each other."""
    lines = [
        OverTimeLine(_label(wait), slot, wait.written_ns, wait.iops) for slot, wait in enumerate(shown.waits, start=1)
    ]
    words = OverTimeWords(
        name=f"idle-recovery-{shown.step.name}",
        title=say(message("figure-idle-title", work=_work(shown), depth=shown.job.in_flight)),
        subtitle=subtitle_of([shown.bundle], _states(shown)),
        caption=_caption(shown),
        time=message("figure-idle-time-of-writing"),
    )
    end_ns = max(float(wait.written_ns[-1]) for wait in shown.waits)
    figure = over_time_figure([_plot(lines)], words, end_ns)
    return replace(figure, table=_table(shown), curves=figure.table)


def _on_the_clock(shown: _Shown) -> Figure:
    """As it was done, one wait after the other."""
    begin_ns = min(float(wait.clock_ns[0]) for wait in shown.waits)
    lines = [
        OverTimeLine(_label(wait), slot, wait.clock_ns - begin_ns, wait.iops)
        for slot, wait in enumerate(shown.waits, start=1)
    ]
    words = OverTimeWords(
        name=f"idle-recovery-{shown.step.name}-clock",
        title=say(message("figure-idle-clock-title", work=_work(shown), depth=shown.job.in_flight)),
        subtitle=subtitle_of([shown.bundle], _states(shown)),
        caption=_caption(shown),
        time=message("figure-idle-clock"),
    )
    return over_time_figure([_plot(lines)], words, max(wait.last_ns for wait in shown.waits) - begin_ns)


def _plot(lines: Sequence[OverTimeLine]) -> OverTimePlot:
    rate = message("figure-rate")
    return OverTimePlot(rate, axis_title(rate, "IOPS"), AxisScale.LINEAR, tuple(lines))


def _label(wait: _Wait) -> str:
    return say(message("figure-idle-wait", seconds=number(wait.waited_s, ".3g")))


def _work(shown: _Shown) -> Message:
    return pattern_of_blocks_title(shown.job.pattern, shown.job.block_bytes)


def _states(shown: _Shown) -> list[DriveState]:
    return [one.state for one in shown.bundle.finished() if one.group == shown.step.name]


def _caption(shown: _Shown) -> str:
    bursts = message("figure-idle-caption", bursts=number(shown.cycles), time=duration(shown.job.duration_ns or 0))
    return say(bursts)


def _table(shown: _Shown) -> FigureTable:
    """A row a wait."""
    known, missing = readings(shown.bundle), say(message("figure-not-measured"))
    rows: list[tuple[Cell, ...]] = []
    for wait in shown.waits:
        point, after = wait_point(shown.step, wait.wait_ns), baseline_point(shown.step, wait.wait_ns)
        found = [
            known.get(key) for key in (MetricKey(point, IOPS), MetricKey(after, IOPS), MetricKey(point, IDLE_GAIN))
        ]
        texts = [
            missing if one is None else one.marked(f"{one.value:{form}}")
            for one, form in zip(found, (",.0f", ",.0f", "+,.1f"), strict=True)
        ]
        rows.append((_label(wait), *texts))
    columns = (
        column(message("figure-idle-column-wait")),
        column(message("figure-idle-column-bursts"), "IOPS"),
        column(message("figure-idle-column-baseline"), "IOPS"),
        column(message("figure-idle-column-gain"), "%"),
    )
    return FigureTable(say(message("figure-idle-table")), columns, tuple(rows))
