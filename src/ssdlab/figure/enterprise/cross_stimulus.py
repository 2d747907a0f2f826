"""Writes of one kind, of another and of the first again (SNIA PTS, cross stimulus recovery): bandwidth and latency over time."""

from collections.abc import Iterator, Mapping, Sequence
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
from ssdlab.figure.kit.drives import DrawnRun, drives_of, subtitle_of
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


def cross_stimulus_compared(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """For each step one figure: the bandwidth of all three parts, a line a drive."""
    drives = drives_of(bundles)
    for step in suite_steps(bundles[0]):
        if isinstance(step, CrossStimulusStep):
            parts = {drive.slot: found for drive in drives if (found := _parts(drive.bundle, step))}
            if parts:
                yield _beside(step, drives, parts)


def _beside(step: CrossStimulusStep, drives: Sequence[DrawnRun], parts: Mapping[int, Sequence[_Part]]) -> Figure:
    shown = [drive for drive in drives if drive.slot in parts]
    lines = [
        OverTimeLine(
            drive.label,
            drive.slot,
            np.concatenate([_middle_ns(one) for one in parts[drive.slot]]),
            np.concatenate([one.series.bandwidth_bytes_per_s / MIB for one in parts[drive.slot]]),
        )
        for drive in shown
    ]
    said = [(drive.label, _said(drive.bundle, step)) for drive in shown]
    told = [say(message("figure-stimulus-beside-said", drive=label, said=text)) for label, text in said if text]
    words = OverTimeWords(
        name=f"cross-stimulus-{step.name}",
        title=say(message("figure-stimulus-title")),
        subtitle=subtitle_of(
            [drive.bundle for drive in drives], [one.step.state for own in parts.values() for one in own]
        ),
        caption=sentences(*told),
        time=message("figure-time-since-begin"),
    )
    bandwidth = message("figure-bandwidth")
    plot = OverTimePlot(bandwidth, axis_title(bandwidth, "MiB/s"), AxisScale.LINEAR, tuple(lines))
    return over_time_figure([plot], words, max(_end_ns(own[-1]) for own in parts.values()))


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
    return over_time_figure(plots, words, _end_ns(parts[-1]))


def _end_ns(part: _Part) -> float:
    return part.begun_ns + float(part.series.time_ns[-1])


def _middle_ns(part: _Part) -> NDArray[np.float64]:
    """Of its windows, since the first part began."""
    return np.asarray(part.begun_ns + part.series.time_ns - part.series.duration_ns / 2, dtype=np.float64)


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
    # A logarithmic axis has no place for the 0 of a window in which nothing completed.
    above = None if largest is None else np.where(largest > 0, largest, np.nan)
    known = None if above is None or not np.isfinite(above).any() else above
    return OverTimeLine(one.label, slot, _middle_ns(one), values, known)


def _said(bundle: Bundle, step: CrossStimulusStep) -> str:
    """When the drive was as fast as before."""
    key = MetricKey(Point(step.name), RECOVERY)
    found: Metric | None = next((metric for metric in bundle.metrics if metric.key == key), None)
    if found is None:
        return ""
    if isinstance(found.value, Unknown):
        return say(message("figure-stimulus-not-recovered", why=found.value.reason))
    return say(message("figure-stimulus-recovered", after=duration(float(found.value) * NS_PER_S)))
