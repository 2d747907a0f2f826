"""Drift: whether single reads become slower or faster as time goes by, though nothing else is asked of the drive.

One page at a time is read at random places, at even intervals, for a minute. The trend is Theil and Sen's, of the median of each
window, with Sen's interval (1968); its effect is Kendall's statistic in standard deviations. Speed that wavers slowly is higher or lower
for many windows on end and looks like a trend: the deviation counts as many windows as tell something new, by how the windows beside
the trend follow each other (first-order autoregression, as Hamed and Rao 1998 do for ranks). Probes that compare an earlier state of the
drive with a later one take such a trend for what they look for.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Verb
from ssdlab.message import message, number
from ssdlab.probe.answer import STRONG, VISIBLE, Answer, Grade, Reason, Replicated, not_identifiable
from ssdlab.probe.probes.statistics import Floats
from ssdlab.probe.script import (
    READ_REGION_BYTES,
    Ask,
    Design,
    Estimator,
    KnownDrive,
    Medium,
    Need,
    Probe,
    ProbeEvidence,
    working_region,
)
from ssdlab.units import KIB, NS_PER_MS, NS_PER_S

KIND = "drift.kind"
CHANGE = "drift.change_per_minute"

_PAGE_BYTES = 4 * KIB
_READS = 60_000
_PAUSE_NS = NS_PER_MS
_WINDOWS = 30
_SMALL_PERCENT = 1.0
"""Change in a minute that no answer of another probe is moved by."""
_NORMAL_95 = 1.96
_CORRELATION_MAX = 0.95
"""Of one window with the next; more cannot be told from a trend in so few."""
_S_PER_MINUTE = 60


class Drift(Enum):
    """Whether response times change by themselves."""

    STEADY = message("probe-drift-steady")
    SLOWER = message("probe-drift-slower")
    FASTER = message("probe-drift-faster")


@dataclass(frozen=True, slots=True, eq=False)
class TimedReads:
    """Reads in the order in which they were asked for."""

    submitted_ns: Floats
    latency_ns: Floats


def _design(drive: KnownDrive) -> Design:
    region = working_region(drive, READ_REGION_BYTES)
    places = np.random.default_rng(drive.seed).integers(0, region.length_bytes // _PAGE_BYTES, _READS)
    acts = (Ask("reads", Commands.one_by_one(Verb.READ, places * _PAGE_BYTES, _PAGE_BYTES, _PAUSE_NS)),)

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        samples = evidence.asked["reads"]
        return drift(TimedReads(samples.submitted_ns.astype(np.float64), samples.latency_ns))

    return Design(need=Need.SEQUENTIAL, region=region, acts=acts, estimate=estimate)


@dataclass(frozen=True, slots=True)
class _Trend:
    """Change of the logarithm in a minute.

    Attributes:
        separation: Kendall's statistic in its standard deviations.
    """

    slope: float
    low: float
    high: float
    separation: float


def drift(reads: TimedReads) -> tuple[Answer, ...]:
    """How much longer reads take after a minute, and whether that is a drift."""
    minutes, logs = (
        np.median(values.reshape(_WINDOWS, -1), axis=1)
        for values in (reads.submitted_ns / NS_PER_S / _S_PER_MINUTE, np.log(reads.latency_ns))
    )
    trend = _trend(minutes, logs)
    trend = _trend(minutes, logs, correlation := _correlation(logs - trend.slope * minutes))
    low, value, high = (float(100 * np.expm1(one)) for one in (trend.low, trend.slope, trend.high))
    sides = {_kind_of(_trend(minutes[start::2], logs[start::2], correlation**2)) for start in (0, 1)}
    kind = _kind_of(trend)
    replicated = Replicated.YES if sides == {kind} else Replicated.NO
    change = Answer(
        name=CHANGE,
        value=value,
        unit="%",
        interval=Interval(low, high),
        separation=trend.separation,
        replicated=replicated,
        grade=Grade.C if kind is None or replicated is Replicated.NO else Grade.B,
        note=message("probe-drift-change-note"),
    )
    if kind is None:
        why = message("probe-drift-undecided", low=number(low, "+.1f"), high=number(high, "+.1f"))
        return (not_identifiable(KIND, Reason.NOISY, why), change)
    strong = replicated is Replicated.YES and (kind is Drift.STEADY or trend.separation >= STRONG)
    return (
        Answer(
            name=KIND,
            value=kind.value,
            separation=None if kind is Drift.STEADY else trend.separation,
            replicated=replicated,
            grade=Grade.A if strong else Grade.B if replicated is Replicated.YES else Grade.C,
            note=message("probe-drift-kind-note", percent=number(_SMALL_PERCENT, "g")),
        ),
        change,
    )


def _kind_of(trend: _Trend) -> Drift | None:
    """Steady where the interval lies within what does not matter; a drift where it does not hold zero."""
    small = np.log1p(_SMALL_PERCENT / 100)
    if max(abs(trend.low), abs(trend.high)) <= small:
        return Drift.STEADY
    if trend.separation < VISIBLE or abs(trend.slope) <= small:
        return None
    return Drift.SLOWER if trend.slope > 0 else Drift.FASTER


def _correlation(beside_trend: Floats) -> float:
    """Of each window with the next, corrected for what the line has taken from it (Marriott and Pope 1954); none within its standard error."""
    if not beside_trend.std():
        return 0.0
    count = len(beside_trend)
    seen = float(np.corrcoef(beside_trend[1:], beside_trend[:-1])[0, 1])
    corrected = (count * seen + 2) / (count - 4)
    return min(corrected, _CORRELATION_MAX) if corrected > 1 / np.sqrt(count) else 0.0


def _trend(time: Floats, values: Floats, correlation: float = 0.0) -> _Trend:
    """Median of the slopes of all pairs; its interval by the ranks between which Kendall's statistic leaves them."""
    first, second = np.triu_indices(len(time), 1)
    slopes = np.sort((values[second] - values[first]) / (time[second] - time[first]))
    count = len(time)
    deviation = float(np.sqrt(count * (count - 1) * (2 * count + 5) / 18 * (1 + correlation) / (1 - correlation)))
    below = max(0, int((len(slopes) - _NORMAL_95 * deviation) / 2))
    separation = abs(float(np.sign(slopes).sum())) / deviation
    return _Trend(float(np.median(slopes)), float(slopes[below]), float(slopes[-1 - below]), separation)


DRIFT = Probe(
    name="drift",
    question=message("probe-drift-question"),
    limits=message("probe-drift-limits"),
    design=_design,
    medium=Medium.FILE,
)
