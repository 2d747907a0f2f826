"""Metrics of a sustained write (METHODS U, M): how steady each pass was, and what of it came back."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.bundle.model import Metric, Step
from ssdlab.bundle.quantities import (
    BAD_BYTES,
    BANDWIDTH_MEAN,
    BANDWIDTH_MEDIAN,
    BANDWIDTH_MIN,
    FLAT,
    NEED_MET,
    SPEED_RETAINED,
    TIME_BELOW,
)
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.totals import StepTotals
from ssdlab.engine.result import Direction, Series
from ssdlab.job import DriveState, StepKind
from ssdlab.message import Message, message, number, size_decimal
from ssdlab.method.sustain import NAME, Work
from ssdlab.point import Aggregate, CoordinateAxis, Point
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

WRITING = f"{NAME}.pass"
READING = f"{NAME}.verify"
"""Names of steps, before their number."""
ALL_READINGS = Point(NAME).at(CoordinateAxis.AGGREGATE, Aggregate.READINGS)
NOT_ALL_READ = message("metric-last-reading-stopped")
SHARES = (50, 80, 95)
"""Per cent of the median that the share of time below is given for."""
FLAT_WITHIN = 0.05
FLAT_FOR = 0.99
"""A pass is flat if 99 % of its seconds are within 5 % of their median, and its line of best fit moves by no more than 5 % of
the mean from one end to the other."""
_SECONDS_MIN = 5


@dataclass(frozen=True, slots=True, eq=False)
class Seconds:
    """Mean bandwidth of each second of a pass, in bytes a second; the rest of a second at the end is left out.

    Attributes:
        bandwidth: float64.
    """

    bandwidth: NDArray[np.float64]

    @property
    def median(self) -> float:
        """Of all seconds."""
        return float(np.median(self.bandwidth))

    def share_below(self, bytes_per_s: float) -> float:
        """Share of the seconds that were slower."""
        return float(np.mean(self.bandwidth < bytes_per_s))

    @property
    def excursion(self) -> float:
        """How far the line of best fit moves from end to end, as a share of the mean."""
        count = len(self.bandwidth)
        slope = np.polyfit(np.arange(count), self.bandwidth, 1)[0]
        return abs(float(slope)) * (count - 1) / float(self.bandwidth.mean())

    @property
    def within(self) -> float:
        """Share of the seconds near the median."""
        return float(np.mean(np.abs(self.bandwidth - self.median) <= FLAT_WITHIN * self.median))

    @property
    def is_flat(self) -> bool:
        """Steady and without a trend."""
        return self.within >= FLAT_FOR and self.excursion <= FLAT_WITHIN

    def percent_of_time_at(self, bytes_per_s: float) -> float:
        """Per cent of the seconds that were as fast."""
        return 100 * (1 - self.share_below(bytes_per_s))


def seconds_of(series: Series) -> Seconds | Unknown:
    """The seconds of a pass; Unknown where there are too few to say anything."""
    end_ns = int(series.time_ns[-1]) if len(series.time_ns) else 0
    count = end_ns // NS_PER_S
    if count < _SECONDS_MIN:
        return Unknown(message("unknown-short-pass", least_s=_SECONDS_MIN))
    edges = np.arange(count + 1) * NS_PER_S
    done = np.interp(edges, np.concatenate(([0], series.time_ns)), np.concatenate(([0.0], series.bytes_done)))
    return Seconds(np.diff(done))


def settings_of(text: str) -> dict[str, Any]:
    """What was asked, from the settings a bundle keeps."""
    said: dict[str, Any] = tomllib.loads(text)["sustain"]
    return said


@dataclass(frozen=True, slots=True)
class ReadBack:
    """A finished step that read back what was written, and how much of it is something else."""

    step: Step
    bad_bytes: int | Unknown


def readings_of(bundle: Bundle) -> tuple[ReadBack, ...]:
    """Those of a sustained write; nothing else in it measures."""
    return tuple(
        ReadBack(step, bundle.bad_bytes[step.index]) for step in bundle.finished() if step.kind is StepKind.MEASURE
    )


def sustain_metrics(
    text: str, readings: Sequence[ReadBack], finished: Sequence[StepEvidence], thinned: Sequence[StepTotals] = ()
) -> Iterator[Metric]:
    """Metrics beyond those of a fill, which every pass of writing is too.

    Args:
        text: Settings of the run, as the bundle keeps them.
        readings: Finished steps that read back what was written, as far as they are kept one by one.
        finished: Steps that are kept whole and did I/O.
        thinned: Steps that are not kept one by one.
    """
    settings = settings_of(text)
    need = settings.get("need_bytes_per_s")
    for one in finished:
        if one.step.kind is StepKind.FILL and Direction.WRITE in one.series:
            yield from _pass_metrics(one, need if isinstance(need, int) else None)
        elif Direction.READ in one.series:
            part = one.result.directions[Direction.READ]
            naming = Naming(one.step.point, one.step.state)
            speed = part.io_bytes * NS_PER_S / max(part.runtime_ns, 1)
            yield naming.metric(BANDWIDTH_MEAN, speed, note=message("metric-all-bytes"))
            if settings["work"] == Work.READ_AGAIN.value:
                yield _retained(naming, speed, tomllib.loads(text).get("day_of_writing"))
    yield from _verify_metrics(readings, thinned, _what_was_read(finished, thinned))


def _pass_metrics(one: StepEvidence, need: int | None) -> Iterator[Metric]:
    naming = Naming(one.step.point, one.step.state)
    seconds = seconds_of(one.series[Direction.WRITE])
    if isinstance(seconds, Unknown):
        for quantity in (BANDWIDTH_MIN, FLAT):
            yield naming.metric(quantity, seconds)
        return
    yield naming.metric(BANDWIDTH_MIN, float(seconds.bandwidth.min()), note=message("metric-slowest-second"))
    yield naming.metric(BANDWIDTH_MEDIAN, seconds.median, note=message("metric-of-seconds"))
    for percent in SHARES:
        share = 100 * seconds.share_below(percent / 100 * seconds.median)
        note = message("metric-time-below", percent=percent)
        yield naming.metric(TIME_BELOW, share, note=note, percent=str(percent))
    yield _flat(naming, seconds)
    if need is not None:
        share = seconds.percent_of_time_at(need)
        yield naming.metric(NEED_MET, share, note=message("metric-time-at-least", need=size_decimal(need)))


def _retained(naming: Naming, speed: float, once: dict[str, Any] | None) -> Metric:
    """Speed against that of the reading on the day of writing: cells that lost charge take longer to be read."""
    if once is None:
        unknown = Unknown(message("unknown-no-written-tag"))
        return naming.metric(SPEED_RETAINED, unknown)
    share = 100 * speed / once["bandwidth_bytes_per_s"]
    return naming.metric(SPEED_RETAINED, share, note=message("metric-day-of-writing", date=str(once["date"][:10])))


def _flat(naming: Naming, seconds: Seconds) -> Metric:
    note = message(
        "metric-flatness",
        within=number(100 * seconds.within, ".1f"),
        allowed=number(100 * FLAT_WITHIN, ".0f"),
        needed=number(100 * FLAT_FOR, ".0f"),
        excursion=number(100 * seconds.excursion, ".1f"),
    )
    return naming.metric(FLAT, seconds.is_flat, note=note)


def _what_was_read(finished: Sequence[StepEvidence], thinned: Sequence[StepTotals]) -> Message:
    whole = any(one.result.stopped is not None for one in finished if one.step.name.startswith(READING))
    others = any(one.cut_short for one in thinned if one.name == READING)
    return NOT_ALL_READ if whole or others else message("metric-all-readings")


def _verify_metrics(readings: Sequence[ReadBack], thinned: Sequence[StepTotals], which: Message) -> Iterator[Metric]:
    """Bad bytes of each reading, and of all together."""
    others = [one.bad_bytes for one in thinned if one.name == READING]
    if not readings and not others:
        return
    for reading in readings:
        yield Naming(reading.step.point, reading.step.state).metric(BAD_BYTES, reading.bad_bytes)
    counts = [reading.bad_bytes for reading in readings] + others
    unknown = next((count for count in counts if isinstance(count, Unknown)), None)
    total = unknown if unknown is not None else float(sum(count for count in counts if not isinstance(count, Unknown)))
    state = readings[-1].step.state if readings else DriveState.UNKNOWN
    yield Naming(ALL_READINGS, state).metric(BAD_BYTES, total, note=which)
