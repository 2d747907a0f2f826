"""Metrics of a step `idle_recovery` (SNIA PTS, host idle recovery): how fast bursts with idle time between are, beside writes without a rest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.metrics.latency import latency_metrics
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.statistics.interval import Interval, interval_around, mean_interval
from ssdlab.analysis.statistics.rate import total_iops
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import IDLE_GAIN, IOPS, SILENCE
from ssdlab.engine.result import Direction, Series
from ssdlab.message import message
from ssdlab.method.kinds.idle_recovery import IdleRecoveryStep, baseline_point, wait_point
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

BASELINE_SHARE = 1 / 3
"""Of the writes without a rest: by their last third what the idle time gave is meant to be used up."""


@dataclass(frozen=True, slots=True)
class _Rate:
    """I/Os a second, with what is known of how far it may be off."""

    iops: float
    interval: Interval | None

    @property
    def reach(self) -> float | None:
        """Half of the interval."""
        return None if self.interval is None else self.interval.high - self.iops


def idle_recovery_metrics(step: IdleRecoveryStep, finished: Sequence[StepEvidence]) -> Iterator[Metric]:
    """Metrics of a step `idle_recovery`; of a wait whose writes without a rest are missing the bursts alone, and nothing of one burst.

    Args:
        step: As the suite says it.
        finished: Its bursts and its writes without a rest, in order.
    """
    for wait_ns in step.waits_ns:
        point, after = wait_point(step, wait_ns), baseline_point(step, wait_ns)
        own = [one for one in finished if point.holds(one.step.point)]
        # No wait comes before the first one.
        every = [one for one in own if one.step.point != after]
        bursts = every[1:]
        if not bursts:
            continue
        naming = Naming(point, bursts[0].step.state, step=step.name)
        rate = _of_bursts(bursts)
        yield _metric(naming, rate)
        yield from latency_metrics(naming, bursts)
        yield from _left_alone(naming, every)
        for one in own:
            if one.step.point == after:
                baseline = _of_baseline(one)
                yield _metric(Naming(after, one.step.state), baseline)
                yield _gain(naming, rate, baseline)


def _metric(naming: Naming, rate: _Rate | Unknown) -> Metric:
    if isinstance(rate, Unknown):
        return naming.metric(IOPS, rate)
    return naming.metric(IOPS, rate.iops, rate.interval)


def _left_alone(naming: Naming, bursts: Sequence[StepEvidence]) -> Iterator[Metric]:
    """How long the waits really were: from one beginning to the next without the I/O, so that the start of a job counts."""
    waits_ns = [
        after.step.started_ns
        - before.step.started_ns
        - max(one.runtime_ns for one in before.result.directions.values())
        for before, after in pairwise(bursts)
        if before.step.started_ns is not None and after.step.started_ns is not None
    ]
    if waits_ns:
        note = message("metric-silence-gaps", gaps=len(waits_ns))
        yield naming.metric(SILENCE, sum(waits_ns) / len(waits_ns) / NS_PER_S, note=note)


def _of_bursts(bursts: Sequence[StepEvidence]) -> _Rate | Unknown:
    """All they wrote in the time they took."""
    rates = [total_iops(one.result.directions.values()) for one in bursts]
    known = np.asarray([one for one in rates if not isinstance(one, Unknown)], dtype=np.float64)
    if len(known) < len(rates):
        return next(one for one in rates if isinstance(one, Unknown))
    written = [direction for one in bursts for direction in one.result.directions.values()]
    mean = NS_PER_S * sum(one.io_count for one in written) / sum(one.runtime_ns for one in written)
    return _Rate(mean, mean_interval(known, mean))


def _of_baseline(one: StepEvidence) -> _Rate | Unknown:
    """Over the last third of the writes without a rest."""
    if Direction.WRITE not in one.series:
        return Unknown(message("unknown-no-run-time"))
    samples = baseline_iops(one.series[Direction.WRITE])
    mean = float(samples.mean())
    return _Rate(mean, mean_interval(samples, mean))


def baseline_iops(series: Series) -> NDArray[np.float64]:
    """float64, 1/s, a value a window: those of the last third."""
    first = int(np.searchsorted(series.time_ns, (1 - BASELINE_SHARE) * float(series.time_ns[-1])))
    return np.asarray(series.iops[first:], dtype=np.float64)


def _gain(naming: Naming, bursts: _Rate | Unknown, baseline: _Rate | Unknown) -> Metric:
    """In per cent of the speed without a rest; the two intervals add up as those of independent values."""
    for one in (bursts, baseline):
        if isinstance(one, Unknown):
            return naming.metric(IDLE_GAIN, one)
    if isinstance(bursts, Unknown) or isinstance(baseline, Unknown) or not baseline.iops:
        return naming.metric(IDLE_GAIN, Unknown(message("unknown-no-run-time")))
    ratio = bursts.iops / baseline.iops
    interval = None
    if bursts.reach is not None and baseline.reach is not None:
        off = 100 * ratio * float(np.hypot(bursts.reach / bursts.iops, baseline.reach / baseline.iops))
        around = interval_around(100 * ratio, off)
        interval = Interval(around.low - 100, around.high - 100)
    return naming.metric(IDLE_GAIN, 100 * (ratio - 1), interval)
