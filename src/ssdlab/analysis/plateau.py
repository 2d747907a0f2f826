"""Plateaus of a fill: from windows to a few levels, and where in bytes one ends and the next begins."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ssdlab.analysis.changepoint import Floats, Segment, likely_range, log_levels, noise_variance, segments_of
from ssdlab.engine.result import Series

SAME_LEVEL = 0.10
"""Levels that differ by less are one plateau."""
SAME = -float(np.log(1 - SAME_LEVEL))
"""The same as a difference of logarithms."""
_RAMP_NS = 3_000_000_000
"""A slower start of at most this is the drive or the host waking up, not a plateau."""
_SHORT_SHARE = 0.01
"""A level that lasts for less of the windows is a dip, a spike or a transition; only up to the first fall may one be shorter."""
_SHORT_WINDOWS = 5
"""Likewise half a second, however short the whole."""
_FALL_WINDOWS = 20
"""A fall from one speed to another takes at most two seconds; what lasts longer is a level."""
_EPISODE_SHARE = 0.1
_FEW_WINDOWS = 4
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
class Change:
    """Where one plateau ends and the next begins.

    Attributes:
        done_bytes: Bytes written when the level changed, found inside the window.
        low_bytes, high_bytes: Its 95 % interval; at least one window of the faster level to either side.
    """

    done_bytes: float
    low_bytes: float
    high_bytes: float


def plateaus_of(series: Series) -> tuple[Plateau, ...]:
    """The levels of a series in order; whatever is between them (a ramp, a transition) is left out.

    Change points of the logarithm, then neighbours that differ by less than 10 % or drift into each other made one.
    """
    count = len(series.time_ns)
    if count == 0:
        return ()
    log_values = log_levels(series.bandwidth_bytes_per_s)
    short = max(_SHORT_WINDOWS, _SHORT_SHARE * count)
    levels = [plateau_of(series, one.start, one.end) for one in segments_of(log_values)]
    plateaus = _merged(series, log_values, _without_steps_down(levels, short))
    plateaus = _merged(series, log_values, _teeth_joined(series, plateaus, short))
    while (index := _first_incidental(series, plateaus, short)) is not None:
        # What it interrupted becomes one plateau again, with it inside; what it led from and to does not.
        plateaus = _merged(series, log_values, plateaus[:index] + plateaus[index + 1 :])
    return tuple(plateaus)


def change_between(series: Series, left: Plateau, right: Plateau) -> Change:
    """Where the speed changes from the left plateau's to the right one's, to a fraction of a window.

    A window in which the level changed has a rate between the two: `rate = f left + (1 - f) right` gives the share f of its
    time before the change. The two windows at the boundary are looked at so, since either may be the one, and all between them.
    """
    seconds = series.duration_ns / 1e9
    rate = series.bandwidth_bytes_per_s
    done = np.concatenate([[0.0], series.bytes_done])
    old, new = left.bandwidth_bytes_per_s, right.bandwidth_bytes_per_s
    undecided = slice(max(left.start, left.end - 1), min(right.start + 1, right.end))
    share = np.clip((rate[undecided] - new) / (old - new), 0, 1)
    before = (rate[undecided] - (1 - share) * new) * seconds[undecided]
    position = float(done[undecided.start] + np.maximum(before, 0).sum())
    log_values = log_levels(rate)
    first, last = likely_range(
        log_values, Segment(left.start, left.end), Segment(left.end, right.end), noise_variance(log_values)
    )
    resolution = max(old, new) * series.window_ns / 1e9
    return Change(
        done_bytes=position,
        low_bytes=max(0.0, min(position, float(done[first])) - resolution),
        high_bytes=min(float(done[-1]), max(position, float(done[last])) + resolution),
    )


def inside(start: int, end: int) -> slice:
    """Windows that lie wholly inside a plateau."""
    return slice(start + 1, end - 1) if end - start > _FEW_WINDOWS else slice(start, end)


def plateau_of(series: Series, start: int, end: int) -> Plateau:
    """Windows `start` to `end` (exclusive) taken as one plateau."""
    windows = inside(start, end)
    rate, seconds = series.bandwidth_bytes_per_s[windows], series.duration_ns[windows] / 1e9
    if end - start <= _FEW_WINDOWS:
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


def _merged(series: Series, log_values: Floats, plateaus: list[Plateau]) -> list[Plateau]:
    """Neighbours made one, most alike first, until all differ by 10 % and change sharply."""
    plateaus = list(plateaus)
    while len(plateaus) > 1:
        unlikeness = [
            difference(left, right) if _is_sharp(log_values, left, right) else 0.0 for left, right in pairwise(plateaus)
        ]
        index = int(np.argmin(unlikeness))
        if unlikeness[index] >= SAME:
            break
        plateaus[index : index + 2] = [plateau_of(series, plateaus[index].start, plateaus[index + 1].end)]
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
    late = range(_first_peak(plateaus) + 1, len(plateaus))
    return next((index for index in late if plateaus[index].length < short or _is_episode(plateaus, index)), None)


def _is_episode(plateaus: list[Plateau], index: int) -> bool:
    """Whether a level only interrupts another for a while (throttling, housekeeping): the same before and after, far longer."""
    if index + 1 == len(plateaus):
        return False
    before, after = plateaus[index - 1], plateaus[index + 1]
    return difference(before, after) < SAME and plateaus[index].length < _EPISODE_SHARE * (before.length + after.length)


def _is_ramp(series: Series, first: Plateau, second: Plateau) -> bool:
    slower = first.bandwidth_bytes_per_s < second.bandwidth_bytes_per_s
    return slower and int(series.time_ns[first.end - 1]) <= _RAMP_NS
