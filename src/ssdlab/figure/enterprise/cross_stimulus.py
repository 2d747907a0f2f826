"""Writes of one kind, of another and of the first again (SNIA PTS, cross stimulus recovery): bandwidth and latency over time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.metrics.cross_stimulus import sample_of
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Metric, Step
from ssdlab.bundle.quantities import RECOVERY
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction, Series
from ssdlab.figure.kit.axis import axis_title, log_title
from ssdlab.figure.kit.drives import subtitle_of
from ssdlab.figure.kit.model import AxisScale, Figure
from ssdlab.figure.kit.over_time import OverTimeLine, OverTimePlot, OverTimeWords, over_time_figure
from ssdlab.figure.kit.readings import readings
from ssdlab.figure.kit.say import say, sentences
from ssdlab.figure.kit.subject import pattern_of_blocks_title
from ssdlab.figure.kit.suite_steps import suite_steps
from ssdlab.figure.kit.timed import latency_title
from ssdlab.job import Job
from ssdlab.message import duration, message
from ssdlab.method.kinds.cross_stimulus import CrossStimulusStep, Stimulus, part_point
from ssdlab.point import Point
from ssdlab.units import MIB, NS_PER_S
from ssdlab.unknown import Unknown

_BEGINNING = 10
"""Minutes that are drawn of both parts, or twice the time to recovery."""


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """One of the three, and when it began in ns since the first."""

    part: Stimulus
    step: Step
    job: Job
    series: Series
    begun_ns: float

    @property
    def label(self) -> str:
        """`Sequential 1 MiB, first`."""
        work = pattern_of_blocks_title(self.job.pattern, self.job.block_bytes)
        match self.part:
            case Stimulus.BEFORE:
                return say(message("figure-stimulus-before", work=work))
            case Stimulus.ACROSS:
                return say(work)
            case Stimulus.AFTER:
                return say(message("figure-stimulus-after", work=work))


def cross_stimulus(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Of the device under test, a figure a step."""
    bundle = bundles[0]
    for step in suite_steps(bundle):
        if isinstance(step, CrossStimulusStep) and (parts := _parts(bundle, step)):
            yield _figure(bundle, step, parts)
            yield from _beginnings(bundle, step, parts)


def _parts(bundle: Bundle, step: CrossStimulusStep) -> list[_Part]:
    done = {one.point: one for one in bundle.finished() if one.group == step.name}
    found = [(part, done[point]) for part in Stimulus if (point := part_point(step, part)) in done]
    first_ns = found[0][1].started_ns or 0 if found else 0
    return [
        _Part(part, one, one.job, bundle.series(one, Direction.WRITE), float((one.started_ns or 0) - first_ns))
        for part, one in found
        if one.job is not None
    ]


def _figure(bundle: Bundle, step: CrossStimulusStep, parts: Sequence[_Part]) -> Figure:
    bandwidth = message("figure-bandwidth")
    latency = latency_title([bundle.result(one.step).timed for one in parts])
    plots = [
        OverTimePlot(
            bandwidth,
            axis_title(bandwidth, "MiB/s"),
            AxisScale.LINEAR,
            tuple(_line(slot, one, one.series.bandwidth_bytes_per_s / MIB) for slot, one in enumerate(parts, start=1)),
        ),
        OverTimePlot(
            latency,
            log_title(latency),
            AxisScale.LOG,
            tuple(
                _line(slot, one, one.series.latency_ns_mean, one.series.latency_ns_max)
                for slot, one in enumerate(parts, start=1)
            ),
        ),
    ]
    words = OverTimeWords(
        name=f"cross-stimulus-{step.name}",
        title=say(message("figure-stimulus-title")),
        subtitle=subtitle_of([bundle], [one.step.state for one in parts]),
        caption=sentences(_said(bundle, step), say(message("figure-thin-slowest"))),
        time=message("figure-time-since-begin"),
    )
    last = parts[-1]
    return over_time_figure(plots, words, last.begun_ns + float(last.series.time_ns[-1]))


def _beginnings(bundle: Bundle, step: CrossStimulusStep, parts: Sequence[_Part]) -> Iterator[Figure]:
    """The first and the last part over the time since each began: one figure, once both are done."""
    alike = [replace(one, begun_ns=0.0) for one in parts if one.part is not Stimulus.ACROSS]
    if len(alike) < len(Stimulus) - 1:
        return
    bandwidth, sample_ns = message("figure-bandwidth"), sample_of(bundle.run)
    found = readings(bundle).get(MetricKey(Point(step.name), RECOVERY))
    shown_ns = max(_BEGINNING * sample_ns, 0.0 if found is None else 2 * found.value * NS_PER_S)
    end_ns = min(shown_ns, *(float(one.series.time_ns[-1]) for one in alike))
    lines = [
        _cut(_line(slot, one, one.series.bandwidth_bytes_per_s / MIB), end_ns)
        for slot, one in ((1, alike[0]), (3, alike[1]))
    ]
    words = OverTimeWords(
        name=f"cross-stimulus-{step.name}-beginning",
        title=say(message("figure-stimulus-beginning")),
        subtitle=subtitle_of([bundle], [one.step.state for one in alike]),
        caption=_said(bundle, step),
        time=message("figure-time-since-begin"),
    )
    plot = OverTimePlot(bandwidth, axis_title(bandwidth, "MiB/s"), AxisScale.LINEAR, tuple(lines))
    yield over_time_figure([plot], words, end_ns)


def _cut(line: OverTimeLine, end_ns: float) -> OverTimeLine:
    inside = line.time_ns <= end_ns
    return replace(line, time_ns=line.time_ns[inside], value=line.value[inside])


def _line(
    slot: int, one: _Part, values: NDArray[np.float64], largest: NDArray[np.float64] | None = None
) -> OverTimeLine:
    middle_ns = one.series.time_ns - one.series.duration_ns / 2
    # A logarithmic axis has no place for the 0 of a window in which nothing completed.
    above = None if largest is None else np.where(largest > 0, largest, np.nan)
    known = None if above is None or not np.isfinite(above).any() else above
    return OverTimeLine(one.label, slot, one.begun_ns + middle_ns, values, known)


def _said(bundle: Bundle, step: CrossStimulusStep) -> str:
    """When the drive was as fast as before."""
    key = MetricKey(Point(step.name), RECOVERY)
    found: Metric | None = next((metric for metric in bundle.metrics if metric.key == key), None)
    if found is None:
        return ""
    if isinstance(found.value, Unknown):
        return say(message("figure-stimulus-not-recovered", why=found.value.reason))
    return say(message("figure-stimulus-recovered", after=duration(float(found.value) * NS_PER_S)))
