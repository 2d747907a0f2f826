"""Plateaus of a fill: from windows to a few levels, and where in bytes one ends and the next begins."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ssdlab.analysis.infer.interruption import Steady, steady_of
from ssdlab.analysis.statistics.changepoint import (
    ChangeMoment,
    Floats,
    Segment,
    likely_moments,
    noise_variance,
    segments_of,
    significant,
)
from ssdlab.analysis.statistics.interval import FEW_WINDOWS, Interval
from ssdlab.analysis.statistics.noise import MANY_WINDOWS
from ssdlab.engine.result import Series

SAME_LEVEL = 0.10
"""Levels that differ by less are one plateau."""
SAME = -float(np.log(1 - SAME_LEVEL))
"""The same as a difference of logarithms."""
RAMP_NS = 3_000_000_000
"""A slower start of at most this is the drive or the host waking up, not a plateau."""
_SHORT_SHARE = 0.01
"""A level that lasts for less of the windows is a dip, a spike or a transition; only up to the first fall may one be shorter."""
_SHORT_WINDOWS = 5
"""Likewise half a second, however short the whole."""
_FALL_WINDOWS = 20
"""A fall from one speed to another takes at most two seconds; what lasts longer is a level."""
_EPISODE_SHARE = 0.1
_STALL = 0.7
"""Share of every other speed below which a drive is stalled and not in a phase."""
_STALL_SHARE = 0.03
"""Share of the bytes from which even the slowest speed is a phase."""
_DEEP_STALL = 0.1
"""Share of every other speed, or of one and the same speed before and after, below which it hardly writes however long it takes;
a drive that begins so is none that falls."""
_DEEP_STALL_SHARE = 0.1
"""Share of the bytes from which even that is a phase."""
_LEAD_MIN = 0.1
"""Share of the windows before it from which a short first peak is a cache after a slow start, and no spike."""
_BESIDE = 3
"""Windows to either side of a change that must not be interrupted for it to be seen to a fraction of a window."""
_SIGMAS_OF_WINDOW = 3.0
"""By how much a window must be off a level to be none of it."""
SIGMAS = 4.5
"""By how much two levels must stand out from the noise; a fill has some hundred places where they might by chance."""
_SHARP = 0.5
"""Share of the difference between two levels that must show right at the change; a drift shows a quarter."""


@dataclass(frozen=True, slots=True)
class Plateau:
    """Windows `start` to `end` (exclusive) at one level.

    Attributes:
        bandwidth_bytes_per_s: Bytes over time of its windows but the first and the last, inside which the level may change;
            of four windows or fewer the median.
    """

    start: int
    end: int
    bandwidth_bytes_per_s: float

    @property
    def length(self) -> int:
        """Number of windows."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class PlateauChange:
    """Where one plateau ends and the next begins.

    Attributes:
        done_bytes: Bytes written when the level changed, found inside the window.
        low_bytes, high_bytes: Its 95 % interval; at least the bytes in flight to either side.
    """

    done_bytes: float
    low_bytes: float
    high_bytes: float


def plateaus_of(series: Series) -> tuple[Plateau, ...]:
    """The levels of a series in order; whatever is between them (a ramp, a transition) is left out."""
    steady, plateaus = levels_of(series)
    return tuple(in_whole(steady, one) for one in plateaus)


def levels_of(series: Series) -> tuple[Steady, list[Plateau]]:
    """The series without interruptions, and its levels, which count its windows.

    Change points of the logarithm that stand out from the noise, then neighbours that differ by less than 10 % or drift into each
    other made one.
    """
    return levels_of_steady(steady_of(series))


def levels_of_steady(steady: Steady) -> tuple[Steady, list[Plateau]]:
    """The same of a series of which interruptions are left out already; what else is a stall is left out as well."""
    if not len(steady.origin):
        return steady, []
    while (stall := _stall(levels := stretches_of(steady))) is not None:
        steady = steady.without(stall.start, stall.end)
    short = max(_SHORT_WINDOWS, _SHORT_SHARE * len(steady.log_values))
    plateaus = _merged(steady, _without_steps_down(levels, short))
    plateaus = _merged(steady, _teeth_joined(steady.series, plateaus, short))
    while (index := _first_incidental(steady.series, plateaus, short)) is not None:
        # What it interrupted becomes one plateau again, with it inside; what it led from and to does not.
        plateaus = _merged(steady, plateaus[:index] + plateaus[index + 1 :])
    return steady, plateaus


def stretches_of(steady: Steady) -> list[Plateau]:
    """Stretches of one level that stand out from the noise."""
    variance = noise_variance(steady.log_values)
    if len(steady.origin) >= MANY_WINDOWS:
        # Rather too many levels than too few: those that do not stand out are made one.
        variance = min(variance, float(np.sqrt(steady.noise.variance * steady.noise.long_run_variance)))
    segments = significant(steady.log_values, segments_of(steady.log_values, variance), steady.noise, SIGMAS)
    return [plateau_of(steady.series, one.start, one.end) for one in segments]


def _stall(levels: list[Plateau]) -> Plateau | None:
    """The first stretch in which the drive is slower than ever else and hardly writes; what comes after it is faster.

    There may be several stalls, and one may be cut into several levels: how much is written is asked of all of them together.
    """
    everything = sum(one.length * one.bandwidth_bytes_per_s for one in levels)
    for slowest_phase in sorted({one.bandwidth_bytes_per_s for one in levels}, reverse=True)[:-1]:
        slow = [one for one in levels if one.bandwidth_bytes_per_s < slowest_phase]
        share = sum(one.length * one.bandwidth_bytes_per_s for one in slow) / everything
        fastest = max(one.bandwidth_bytes_per_s for one in slow)
        if fastest >= _STALL * slowest_phase or share >= _DEEP_STALL_SHARE:
            continue
        for before, stall, after in _slow_runs(levels, slowest_phase):
            comes_back = before is None or difference(before, after) < SAME
            deep = stall.bandwidth_bytes_per_s < _DEEP_STALL * (
                after.bandwidth_bytes_per_s if comes_back else slowest_phase
            )
            little = share < _STALL_SHARE and before is not None
            if (deep or little) and stall.length > _FALL_WINDOWS:
                return stall
    return None


def _slow_runs(levels: list[Plateau], slowest_phase: float) -> Iterator[tuple[Plateau | None, Plateau, Plateau]]:
    """Each run of levels slower than a phase, taken as one, with the level before it, if there is one, and the one after it."""
    phases = [index for index, one in enumerate(levels) if one.bandwidth_bytes_per_s >= slowest_phase]
    for before, after in pairwise([-1, *phases]):
        if after > before + 1:
            slow = levels[before + 1 : after]
            speed = max(one.bandwidth_bytes_per_s for one in slow)
            yield levels[before] if before >= 0 else None, Plateau(slow[0].start, slow[-1].end, speed), levels[after]


def in_whole(steady: Steady, plateau: Plateau) -> Plateau:
    """The same plateau with what interrupts it."""
    return plateau_of(steady.whole, *steady.span_in_whole(plateau.start, plateau.end))


def change_between(steady: Steady, left: Plateau, right: Plateau) -> PlateauChange:
    """Where the speed changes from the left plateau's to the right one's, to a fraction of a window.

    A window in which the level changed has a rate between the two: `rate = f left + (1 - f) right` gives the share f of its
    time before the change. The two windows at the boundary are looked at so, since either may be the one, and all between them.
    Where an interruption lies there, the level may have changed at any byte that was written in it.

    Args:
        steady: The series.
        left: One of its steady plateaus, or what takes its place.
        right: The next one.
    """
    series = steady.series
    seconds = series.duration_ns / 1e9
    rate = series.bandwidth_bytes_per_s
    old, new = left.bandwidth_bytes_per_s, right.bandwidth_bytes_per_s
    undecided = slice(max(left.start, left.end - 1), min(right.start + 1, right.end))
    share = np.clip((rate[undecided] - new) / (old - new), 0, 1)
    before = (rate[undecided] - (1 - share) * new) * seconds[undecided]
    position = float(steady.bytes_from(undecided.start) + np.maximum(before, 0).sum())
    borders = Segment(left.start, left.end), Segment(left.end, right.end)
    moments = likely_moments(steady.log_values, *borders, steady.noise)
    first, last = (_bytes_at(steady, moment, old, new) for moment in moments)
    begun, over = _falling(steady, left, right)
    resolution = _resolution_bytes(steady, left, right)
    low, high = min(position, first, begun), max(position, last, over)
    hidden = _interruption_at(steady, left, right, moments)
    if hidden is not None:
        low, high = min(low, hidden.low), max(high, hidden.high)
    return PlateauChange(
        done_bytes=position,
        low_bytes=max(0.0, low - resolution),
        high_bytes=min(float(steady.whole.bytes_done[-1]), high + resolution),
    )


def _interruption_at(
    steady: Steady, left: Plateau, right: Plateau, moments: tuple[ChangeMoment, ChangeMoment]
) -> Interval | None:
    """Bytes of the interruptions in which the level may have changed; None where it changed in plain sight.

    A window right beside an interruption may have a part of it, and look as if the level changed there.
    """
    earliest = min(left.end, moments[0].index)
    latest = max(right.start, moments[1].index + 1)
    steps = np.diff(steady.origin[max(0, earliest - 1) : latest + 1])
    hidden = np.flatnonzero(steps > 1) + max(1, earliest)
    if not len(hidden):
        return None
    return Interval(steady.bytes_until(int(hidden[0])), steady.bytes_from(int(hidden[-1])))


def _bytes_at(steady: Steady, moment: ChangeMoment, old: float, new: float) -> float:
    """Bytes written at a moment of a steady window, the speed before which was `old` and after which is `new`."""
    series = steady.series
    of_window = series.bandwidth_bytes_per_s[moment.index] * series.duration_ns[moment.index] / 1e9
    before, after = moment.share * old, (1 - moment.share) * new
    return float(steady.bytes_from(moment.index) + of_window * before / (before + after))


def _falling(steady: Steady, left: Plateau, right: Plateau) -> tuple[float, float]:
    """Bytes when a change that takes several windows begins and is over; of a sudden one, in the one window it takes, nothing is said."""
    between = _SIGMAS_OF_WINDOW * float(np.sqrt(steady.noise.variance))
    ends = sorted(np.log([max(one.bandwidth_bytes_per_s, 1.0) for one in (left, right)]))
    values = steady.log_values
    is_between = (values > ends[0] + between) & (values < ends[1] - between)
    start, end = left.end, right.start
    while start > left.start + 1 and is_between[start - 1]:
        start -= 1
    while end < right.end - 1 and is_between[end]:
        end += 1
    if end - start < 2:
        return float("inf"), 0.0
    return steady.bytes_until(start), steady.bytes_from(end)


def _resolution_bytes(steady: Steady, left: Plateau, right: Plateau) -> float:
    """How far apart what was written and what a window counted may be: the bytes under way at a time (Little's law).

    Those of a whole window where no latency is known, and where an interruption right beside the change may hide a part of it.
    """
    series, windows = steady.series, slice(left.start, right.end)
    under_way = series.bandwidth_bytes_per_s[windows] * series.latency_ns_mean[windows] / 1e9
    known = under_way[np.isfinite(under_way) & (under_way > 0)]
    of_window = max(left.bandwidth_bytes_per_s, right.bandwidth_bytes_per_s) * series.window_ns / 1e9
    beside = steady.origin[max(0, left.end - _BESIDE) : right.start + _BESIDE]
    if not len(known) or beside[-1] - beside[0] >= len(beside):
        return of_window
    return min(float(np.median(known)), of_window)


def inside(start: int, end: int) -> slice:
    """Windows that lie wholly inside a plateau."""
    return slice(start + 1, end - 1) if end - start > FEW_WINDOWS else slice(start, end)


def plateau_of(series: Series, start: int, end: int) -> Plateau:
    """Windows `start` to `end` (exclusive) taken as one plateau."""
    windows = inside(start, end)
    rate, seconds = series.bandwidth_bytes_per_s[windows], series.duration_ns[windows] / 1e9
    if end - start <= FEW_WINDOWS:
        return Plateau(start, end, float(np.median(rate)))
    return Plateau(start, end, float((rate * seconds).sum() / seconds.sum()))


def _without_steps_down(levels: list[Plateau], short: float) -> list[Plateau]:
    """The levels without short ones on the way from a longer level to a lower one: steps of one fall, not of a drift."""
    kept = levels[:1]
    for one, following in pairwise(levels[1:]):
        speeds = [level.bandwidth_bytes_per_s for level in (kept[-1], one, following)]
        if not (one.length < min(short, kept[-1].length, _FALL_WINDOWS) and speeds[0] > speeds[1] > speeds[2]):
            kept.append(one)
    return [*kept, *levels[1:][-1:]]


def _merged(steady: Steady, plateaus: list[Plateau]) -> list[Plateau]:
    """Neighbours made one, most alike first, until all differ by 10 %, stand out from the noise and change sharply."""
    plateaus = list(plateaus)
    while len(plateaus) > 1:
        unlikeness = [
            difference(left, right)
            if _stands_out(steady, left, right) and _is_sharp(steady.log_values, left, right)
            else 0.0
            for left, right in pairwise(plateaus)
        ]
        index = int(np.argmin(unlikeness))
        if unlikeness[index] >= SAME:
            break
        plateaus[index : index + 2] = [plateau_of(steady.series, plateaus[index].start, plateaus[index + 1].end)]
    return plateaus


def _teeth_joined(series: Series, plateaus: list[Plateau], short: float) -> list[Plateau]:
    """Short levels that follow each other directly are the teeth of one sawtooth, which is one plateau with their mean."""
    start = _first_peak(plateaus)
    if plateaus[start].length < short and _returns(plateaus[start], plateaus[start + 1 :]):
        start = -1
    joined: list[Plateau] = []
    teeth: list[Plateau] = []
    for index, one in enumerate(plateaus):
        if index > start and one.length < short:
            teeth.append(one)
        else:
            joined += [*_one_plateau(series, teeth), one]
            teeth = []
    return [*joined, *_one_plateau(series, teeth)]


def _first_peak(plateaus: list[Plateau]) -> int:
    """The plateau from which the speed first falls; it and what leads up to it may be short: a small cache, a slow start."""
    for index, (one, following) in enumerate(pairwise(plateaus)):
        if following.bandwidth_bytes_per_s < one.bandwidth_bytes_per_s:
            return index
    return len(plateaus) - 1


def _returns(first: Plateau, later: list[Plateau]) -> bool:
    """Whether a level comes back for about as long: then it is a tooth like the others, not a cache."""
    level, length = first.bandwidth_bytes_per_s * (1 - SAME_LEVEL), first.length / 2
    return any(one.bandwidth_bytes_per_s >= level and one.length >= length for one in later)


def _one_plateau(series: Series, teeth: list[Plateau]) -> list[Plateau]:
    return [plateau_of(series, teeth[0].start, teeth[-1].end)] if teeth else []


def difference(left: Plateau, right: Plateau) -> float:
    """How unlike two levels are: logarithm of their ratio, without sign."""
    tiny = 1e-9
    return abs(float(np.log((left.bandwidth_bytes_per_s + tiny) / (right.bandwidth_bytes_per_s + tiny))))


def _stands_out(steady: Steady, left: Plateau, right: Plateau) -> bool:
    """Whether what they mostly are differs by more than the noise does: dips that only one of them has make it slower, and no other level."""
    medians = [float(np.median(steady.log_values[one.start : one.end])) for one in (left, right)]
    variance = sum(steady.noise.variance_of_median(one.length) for one in (left, right))
    return (medians[0] - medians[1]) ** 2 >= SIGMAS**2 * variance


def _is_sharp(log_values: Floats, left: Plateau, right: Plateau) -> bool:
    """Whether the level jumps: a slow drift, cut into levels, hardly changes from one side of a cut to the other."""
    reach = max(3, min(left.length, right.length) // 4)
    before = np.median(log_values[max(left.start, left.end - reach) : left.end])
    after = np.median(log_values[right.start : min(right.end, right.start + reach)])
    whole = np.median(log_values[right.start : right.end]) - np.median(log_values[left.start : left.end])
    return bool((after - before) * whole >= _SHARP * whole**2)


def _first_incidental(series: Series, plateaus: list[Plateau], short: float) -> int | None:
    """The first plateau that is none: a waking drive, a dip, a spike, a transition, a remainder."""
    if len(plateaus) < 2:
        return None
    if _is_ramp(series, plateaus[0], plateaus[1]):
        return 0
    peak = _first_peak(plateaus)
    spike = plateaus[peak].length < min(short, _LEAD_MIN * plateaus[peak].start)
    late = range(peak if spike else peak + 1, len(plateaus))
    return next((index for index in late if plateaus[index].length < short or _is_episode(plateaus, index)), None)


def _is_episode(plateaus: list[Plateau], index: int) -> bool:
    """Whether a level only interrupts another for a while (throttling, housekeeping): the same before and after, far longer."""
    if index + 1 == len(plateaus):
        return False
    before, after = plateaus[index - 1], plateaus[index + 1]
    return difference(before, after) < SAME and plateaus[index].length < _EPISODE_SHARE * (before.length + after.length)


def _is_ramp(series: Series, first: Plateau, second: Plateau) -> bool:
    slower = first.bandwidth_bytes_per_s < second.bandwidth_bytes_per_s
    return slower and int(series.time_ns[first.end - 1]) <= RAMP_NS
