"""Metrics of a step `cross_stimulus` (SNIA PTS, cross stimulus recovery): the three parts, and when the drive was back at its speed."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.metrics.latency import latency_metrics
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.statistics.consistency import speed_samples
from ssdlab.analysis.statistics.interval import mean_interval
from ssdlab.analysis.statistics.rate import total_bandwidth, total_iops
from ssdlab.analysis.statistics.written_curve import WrittenCurve
from ssdlab.bundle.model import Metric, RunInfo
from ssdlab.bundle.quantities import BANDWIDTH, CLAT_MAX, IOPS, RECOVERY
from ssdlab.engine.result import Direction, LatencyKind, Series
from ssdlab.job import WINDOW_NS
from ssdlab.message import duration, message, number
from ssdlab.method.kinds.cross_stimulus import CrossStimulusStep, Stimulus, part_point
from ssdlab.method.suite import parse_suite
from ssdlab.point import Point
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

RECOVERED_SHARE = 0.95
"""Of the mean speed before. The published text asks for all of it, which a fast beginning on the fresh drive can put out of reach for good."""
SAMPLE_NS = 60 * NS_PER_S
"""The published text looks at one-minute means."""
_SHARE = number(RECOVERED_SHARE, ".0%")


def cross_stimulus_metrics(step: CrossStimulusStep, finished: Sequence[StepEvidence]) -> Iterator[Metric]:
    """Metrics of a step `cross_stimulus`.

    Args:
        step: As the suite says it.
        finished: Its parts, in order.
    """
    parts = {part: one for part in Stimulus for one in finished if one.step.point == part_point(step, part)}
    for one in parts.values():
        yield from _part(one)
    if Stimulus.BEFORE in parts and Stimulus.AFTER in parts:
        after = parts[Stimulus.AFTER]
        yield _recovery(step, parts[Stimulus.BEFORE], after)


def _part(one: StepEvidence) -> Iterator[Metric]:
    naming, directions = Naming(one.step.point, one.step.state), one.result.directions.values()
    bandwidth = total_bandwidth(directions)
    samples = speed_samples(*one.series.values())
    interval = None if isinstance(bandwidth, Unknown) else mean_interval(samples, bandwidth)
    yield naming.metric(BANDWIDTH, bandwidth, interval)
    yield naming.metric(IOPS, total_iops(directions))
    yield from latency_metrics(naming, [one])
    longest = [kinds[LatencyKind.CLAT].max_ns for kinds in one.latency.values() if LatencyKind.CLAT in kinds]
    if longest:
        yield naming.metric(CLAT_MAX, max(longest))


def _recovery(step: CrossStimulusStep, before: StepEvidence, after: StepEvidence) -> Metric:
    """End of the first minute that is nearly as fast as all the writes before on average."""
    naming = Naming(Point(step.name), after.step.state)
    wanted = total_bandwidth(before.result.directions.values())
    if isinstance(wanted, Unknown) or Direction.WRITE not in after.series:
        return naming.metric(RECOVERY, Unknown(message("unknown-no-run-time")))
    sample_ns = sample_of(after.run)
    means = minutes_of(after.series[Direction.WRITE], sample_ns)
    reached = np.flatnonzero(means >= RECOVERED_SHARE * wanted)
    if not len(reached):
        lasted = duration(int(after.series[Direction.WRITE].time_ns[-1]))
        return naming.metric(RECOVERY, Unknown(message("unknown-not-recovered", lasted=lasted, share=_SHARE)))
    note = message("metric-first-stretch", time=duration(sample_ns), share=_SHARE)
    return naming.metric(RECOVERY, (int(reached[0]) + 1) * sample_ns / NS_PER_S, note=note)


def sample_of(run: RunInfo) -> int:
    """A minute as the profile of the run scales it, in ns."""
    time = parse_suite(run.suite.text, run.suite.name).profile(run.profile).time
    return max(WINDOW_NS, time.of(SAMPLE_NS))


def minutes_of(series: Series, sample_ns: int) -> NDArray[np.float64]:
    """float64, B/s: means of stretches of that length, the first one first; what is left at the end and fills none is left out."""
    curve = WrittenCurve()
    curve.append(series.time_ns, series.bandwidth_bytes_per_s * series.duration_ns / NS_PER_S)
    # The last window may end a little early.
    count = int(series.time_ns[-1] + sample_ns // 100) // sample_ns
    ends_s = np.arange(count + 1, dtype=np.float64) * (sample_ns / NS_PER_S)
    return np.asarray(np.diff(curve.bytes_at(ends_s)) * NS_PER_S / sample_ns, dtype=np.float64)
