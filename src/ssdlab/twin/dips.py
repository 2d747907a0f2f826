"""Dips: moments in which all of a drive is slow, again and again after the same time (`pace.dip_every`, `pace.dip_length`, `pace.dip_speed`).

Points that read show them: nothing that such a point does itself makes some windows slow, at any queue, in step with a clock that goes on between
points. That they are in step is tested as Rayleigh did (Mardia and Jupp, Directional Statistics, 2000, section 6.3.1), for all periods that may be.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, log, pi

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.percentile import merged
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction, Histogram
from ssdlab.job import StepKind
from ssdlab.twin.acts import Act, reads_plainly
from ssdlab.twin.draft import Draft, as_time
from ssdlab.twin.own_time import longer

Floats = NDArray[np.float64]
_WINDOWS_MIN = 20
"""Of a point: in fewer, half of them may be slow."""
SLOW = 0.7
"""Times the usual speed of a point: a window below is slow."""
_SPEED_MIN = 0.01
_SPEED_TRIALS = 8
_DIPS_MIN = 12
_REGULAR = 0.8
"""Mean resultant length of the phases, 1 where all are the same: a slow window in ten may be something else."""
_CHANCE_MAX = exp(-7)
"""How likely any period at all may be to be as regular by accident."""
_NEAR = 2.0
"""Factor by which a period may differ from what the share of slow windows says."""
_AS_REGULAR = 0.85
"""Times the most regular period: half a period is as regular as the whole, but for slow windows that are none, so the longest of its multiples is meant that is nearly so regular."""
_TURNS = 0.02
"""By how much of a period the last dip moves from one period that is tried to the next."""
_AT_ONCE = 4096
_PERIODS_MAX, _OF_RUN_MAX = 5000, 1000
"""Of the shortest that is tried, after the first dip of a run, and dips in these: a run of days would have to be tried with millions."""
_LENGTH_MAX = 0.9
"""Of a period."""


@dataclass(frozen=True, slots=True)
class Dips:
    """When a drive is slow.

    Attributes:
        every_ns: From one dip to the next.
        length_ns: Of each.
        speed: Times the usual one, in a dip; 1 where there is none.
        begins_ns: Of each run, the beginning of a dip, since the run began; NaN where none was seen in it.
    """

    every_ns: float
    length_ns: float
    speed: float
    begins_ns: tuple[float, ...] = ()

    @property
    def share(self) -> float:
        """Of all time."""
        return self.length_ns / self.every_ns

    def share_of(self, run: int, spans: Sequence[tuple[float, float]]) -> float:
        """Of those times (begin and end, ns since the run began), in a run in which dips were seen; of all time in others."""
        begin_ns = self.begins_ns[run]
        whole_ns = sum(end - begin for begin, end in spans)
        if np.isnan(begin_ns) or whole_ns <= 0:
            return self.share
        return sum(self._until(end - begin_ns) - self._until(begin - begin_ns) for begin, end in spans) / whole_ns

    def passed_ns(self, run: int, begin_ns: float, until_ns: Floats) -> Floats:
        """How much of the drive's time passes from one moment of a run to others: in dips it goes slower."""
        shares = np.array([self.share_of(run, ((begin_ns, one),)) for one in until_ns.tolist()])
        found: Floats = (until_ns - begin_ns) * (1 - shares * (1 - self.speed))
        return found

    def _until(self, later_ns: float) -> float:
        """How much of the time since a dip began was in dips."""
        periods, rest_ns = divmod(later_ns, self.every_ns)
        return periods * self.length_ns + min(rest_ns, self.length_ns)


NO_DIPS = Dips(1.0, 0.0, 1.0)
"""Of a drive that has none, or too few to tell."""


@dataclass(frozen=True, slots=True, eq=False)
class PointWindows:
    """The windows of a point in order.

    Attributes:
        end_ns: When each ended, since the run began.
        length_ns: Of each.
        speed: Of each, in any unit.
    """

    end_ns: Floats
    length_ns: Floats
    speed: Floats


@dataclass(frozen=True, slots=True)
class _Dip:
    """One that lies within a point.

    Attributes:
        middle_ns: Of what was lost.
        lost_ns: Time in which the drive did nothing, had it done the rest at its usual speed.
        speed: Of the slowest window.
    """

    middle_ns: float
    lost_ns: float
    speed: float


def dips_of(bundles: Sequence[Bundle]) -> Dips:
    """What all points that read tell."""
    return dips_of_windows([list(_windows(bundle)) for bundle in bundles])


def _windows(bundle: Bundle) -> Iterator[PointWindows]:
    for step in bundle.finished():
        if step.kind is StepKind.MEASURE and step.job is not None and reads_plainly(step.job):
            series = bundle.series(step, Direction.READ)
            ends = (step.started_ns or 0) + series.time_ns[:-1].astype(np.float64)
            if len(ends) >= _WINDOWS_MIN:
                yield PointWindows(ends, series.duration_ns[:-1].astype(np.float64), series.iops[:-1])


def dips_of_windows(runs: Sequence[Sequence[PointWindows]]) -> Dips:
    """The same of runs, each with its points that read; one that did nothing in half of its time tells nothing."""
    runs = [[point for point in points if np.median(point.speed) > 0] for points in runs]
    found = [[dip for point in points for dip in _dips(point)] for points in runs]
    together = [dip for dips in found for dip in dips]
    if len(together) < _DIPS_MIN:
        return NO_DIPS
    window_ns = float(np.median([np.median(point.length_ns) for points in runs for point in points]))
    typical_ns = float(np.median([one.lost_ns for one in together]))
    speed = max(_speed_in([one.speed for one in together], typical_ns, window_ns), _SPEED_MIN)
    length_ns = typical_ns / (1 - speed)
    lost_ns = sum(_lost_ns(point)[point.speed < SLOW * np.median(point.speed)].sum() for one in runs for point in one)
    whole_ns = sum(point.length_ns.sum() for points in runs for point in points)
    guess_ns = length_ns * (1 - speed) * whole_ns / lost_ns
    middles = [np.array([one.middle_ns for one in dips]) for dips in found]
    every_ns = _period_ns([one for one in middles if len(one)], guess_ns)
    if every_ns is None:
        return NO_DIPS
    begins = tuple(_mean_ns(one, every_ns) - length_ns / 2 for one in middles)
    return Dips(every_ns, min(length_ns, _LENGTH_MAX * every_ns), speed, begins)


def _speed_in(slowest: Sequence[float], lost_ns: float, window_ns: float) -> float:
    """In a dip: the middle of the slowest windows that lie within one, which where a dip is hardly longer than a window are few of them."""
    speed = float(np.median(slowest))
    for _ in range(_SPEED_TRIALS):
        whole = min(max(lost_ns / (1 - speed) / window_ns - 1, 0.0), 1.0)
        speed = float(np.quantile(slowest, whole / 2))
    return speed


def _lost_ns(point: PointWindows) -> Floats:
    """Of each window: see `_Dip`."""
    lost: Floats = point.length_ns * (1 - np.minimum(point.speed / np.median(point.speed), 1.0))
    return lost


def _dips(point: PointWindows) -> Iterator[_Dip]:
    """Slow windows beside each other, with those of which a dip has a part; what a point begins or ends with is not whole."""
    usual, lost_ns = float(np.median(point.speed)), _lost_ns(point)
    is_slow = np.concatenate([[False], point.speed < SLOW * usual, [False]])
    borders = np.flatnonzero(is_slow[:-1] != is_slow[1:])
    for begin, end in zip(borders[::2], borders[1::2], strict=True):
        if begin > 0 and end < len(lost_ns):
            part = slice(begin - 1, end + 1)
            weight = lost_ns[part]
            middles = point.end_ns[part] - point.length_ns[part] / 2
            middle_ns = float((weight * middles).sum() / weight.sum())
            yield _Dip(middle_ns, float(weight.sum()), float(point.speed[begin:end].min()) / usual)


def _period_ns(middles: Sequence[Floats], guess_ns: float) -> float | None:
    """With which the dips of each run are in step; None where no period is regular enough."""
    low, high = guess_ns / _NEAR, guess_ns * _NEAR
    middles = [one[one <= one[0] + _PERIODS_MAX * low][:_OF_RUN_MAX] for one in middles]
    count = sum(map(len, middles))
    span_ns = max(float(np.ptp(one)) for one in middles)
    step = _TURNS * low / max(span_ns, low)
    tried = np.exp(np.arange(log(low), log(high), step))
    regular = np.concatenate([_regular(middles, part) for part in np.array_split(tried, ceil(len(tried) / _AT_ONCE))])
    best = float(regular.max())
    independent = 1 + span_ns * (1 / low - 1 / high)
    is_chance = independent * exp(-count * best**2) > _CHANCE_MAX
    if best < _REGULAR or is_chance:
        return None
    likeliest = float(tried[regular.argmax()])
    multiples: Floats = likeliest * np.arange(1, int(high / likeliest) + 1, dtype=np.float64)
    return float(multiples[_regular(middles, multiples) >= _AS_REGULAR * best][-1])


def _regular(middles: Sequence[Floats], periods_ns: Floats) -> Floats:
    """Mean resultant length with each of those periods; each run has phases of its own."""
    lengths = [np.abs(np.exp(2j * pi * np.outer(1 / periods_ns, one)).sum(axis=1)) for one in middles]
    found: Floats = np.sum(lengths, axis=0) / sum(map(len, middles))
    return found


def _mean_ns(middles: Floats, every_ns: float) -> float:
    """The middle of a dip by all of them, modulo the period; NaN of none."""
    if not len(middles):
        return float("nan")
    return float(np.angle(np.exp(2j * pi * middles / every_ns).sum())) / (2 * pi) * every_ns


def with_dips(acts: Sequence[Act], dips: Dips) -> tuple[Act, ...]:
    """Acts with the share of their time that was in dips."""
    if dips == NO_DIPS:
        return tuple(acts)
    return tuple(replace(act, dipped=dips.share_of(act.run, act.spans)) if act.spans else act for act in acts)


def dipping(draft: Draft, dips: Dips) -> Draft:
    """A draft that dips."""
    if dips == NO_DIPS:
        return draft
    return draft.having(
        "pace", dip_every=as_time(dips.every_ns), dip_length=as_time(dips.length_ns), dip_speed=dips.speed
    )


def dips_in(draft: Draft) -> Dips:
    """Those that a draft has."""
    every_ns = draft.number("pace", "dip_every")
    if not every_ns:
        return NO_DIPS
    return Dips(every_ns, draft.number("pace", "dip_length"), draft.number("pace", "dip_speed"))


def dipped(histogram: Histogram, share: float, speed: float) -> Histogram:
    """Latencies of a drive that is so much slower for that share of the time: what is begun in a dip takes longer, and less is.

    Args:
        histogram: Without dips.
        share: Of the time in dips.
        speed: In a dip, times the usual one.
    """
    of_ios = share * speed / (share * speed + 1 - share)
    slow = np.diff(np.round(np.cumsum(of_ios * histogram.count)), prepend=0.0).astype(histogram.count.dtype)
    if not slow.any():
        return histogram
    usual = replace(histogram, count=histogram.count - slow)
    return merged([usual, longer(replace(histogram, count=slow), 1 / speed)])
