"""Slumps: stretches in which a drive is far slower than right before and right after, and short ones right behind a far faster cache.

A stall in which something is written looks like a phase of a drive that folds its cache before it writes directly, or like the
first valley of a sawtooth. Nothing in one pass tells them apart, so what is said of the drive must hold with them and without.
A cache far faster than the rest may be stalled at the speed of the rest, or above it, and end meanwhile: then nothing comes back after
the stall, and only that it is over so soon speaks against a phase.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.infer.interruption import STALL_NS, Steady
from ssdlab.analysis.infer.plateau import SAME, Plateau, difference, stretches_of
from ssdlab.analysis.statistics.changepoint import running_median
from ssdlab.analysis.statistics.interval import FEW_WINDOWS
from ssdlab.engine.result import Series
from ssdlab.units import NS_PER_S

Flags = NDArray[np.bool_]

_FAR = 0.3
"""Share of the speeds before and after below which a level is a slump; published drives fold at more than that."""
SLUMP_SHARE_MAX = 0.1
"""Share of the bytes from which a level is a phase, however slow."""
_TOGETHER_MAX = 0.15
"""Likewise of all slumps of a pass, which would be a rhythm."""
_WINDOWS_MIN = 20
"""Two seconds: what is shorter is a dip."""
_SMOOTHED = 5
"""Windows of which a running median is taken."""
_JOINED = 3
"""Windows that noise may lift out of a stall, one after another."""
_CROSSING = 5
"""Levels of fewer windows are on the way from one to another."""
_BEHIND_SECONDS_MAX = 60.0
"""What lasts longer right behind the cache, and is not far slower than what comes next, is a phase."""
_BEHIND_SHARE_MAX = 0.06
"""Share of the bytes from which it is one however short."""
_FOLDED_FIRST = 0.1, 2.0
"""What a drive lacks while it folds, in multiples of the cache: 0.8 to 1.0 on model drives that are purged, less where a part was folded."""
_FOLDED_LAST_MAX = 4.0
"""What it writes while it folds last, likewise: three for four bits a cell, and one more for five."""


@dataclass(frozen=True, slots=True)
class Slumps:
    """Steady windows in which a drive may have been stalled.

    Attributes:
        between: Of stretches far slower than before and after, in order.
        behind: Of a short one right behind the cache that is not far slower than what comes after; where there is one.
    """

    between: tuple[slice, ...]
    behind: slice | None

    def left_out(self, steady: Steady) -> Steady:
        """The same series as if its slumps were interruptions."""
        all_of_them = self.between if self.behind is None else (*self.between, self.behind)
        for slump in sorted(all_of_them, key=lambda one: one.start, reverse=True):
            steady = steady.without(slump.start, slump.stop)
        return steady


def slumps_of(steady: Steady) -> Slumps | None:
    """The slumps of a series; None where it has none."""
    if not len(steady.origin):
        return None
    levels = stretches_of(steady)
    between, behind = _slumps(steady, levels), _behind_cache(steady, levels)
    if behind is not None and any(slump.start < behind.stop and behind.start < slump.stop for slump in between):
        behind = None
    return Slumps(tuple(between), behind) if between or behind is not None else None


def _slumps(steady: Steady, levels: list[Plateau]) -> list[slice]:
    """Windows of each, in order."""
    everything, together = _bytes(levels), 0.0
    found: list[slice] = []
    for index, after in enumerate(levels):
        first = _first_of_slump(levels[:index], after)
        run = levels[first:index] if first else []
        if after.length < _CROSSING or not run or _lasted(steady, run) < _WINDOWS_MIN:
            continue
        if _bytes(run) >= SLUMP_SHARE_MAX * everything or (found and run[0].start < found[-1].stop):
            continue
        together += _bytes(run)
        found.append(slice(run[0].start, run[-1].end))
    return found if together < _TOGETHER_MAX * everything else []


def _behind_cache(steady: Steady, levels: list[Plateau]) -> slice | None:
    """Windows of the level right behind a cache far faster than it, if it is too short to be told from a stall.

    The next level is another one and lasts longer; where that is far faster the level is a slump or a valley, whatever its length.
    """
    begin = next((at for at in range(1, len(levels)) if _is_behind(steady, levels, at)), len(levels))
    end = begin + 1
    while end < len(levels) and (levels[end].length < _CROSSING or difference(levels[begin], levels[end]) < SAME):
        end += 1
    if end >= len(levels):
        return None
    run, after = levels[begin:end], levels[end]
    if (
        sum(one.length for one in run) >= after.length
        or _goes_on(run[0], run[1:], after)
        or is_far_below(run[0], after)
    ):
        return None
    windows = slice(run[0].start, run[-1].end)
    if _seconds(steady, windows) > _BEHIND_SECONDS_MAX or _lasted(steady, run) < _WINDOWS_MIN:
        return None
    is_little = _bytes(run) < _BEHIND_SHARE_MAX * _bytes(levels)
    return windows if is_little and not _is_of_the_cache(steady, levels[:begin], windows, after) else None


def _is_behind(steady: Steady, levels: list[Plateau], at: int) -> bool:
    """Whether that level is the first one far below another."""
    if levels[at].length < _CROSSING:
        return False
    cache = _fastest(levels[:at])
    if cache.length <= FEW_WINDOWS:
        # Each may have a part of a stall before it or behind it; the fastest has the least.
        fastest = float(steady.series.bandwidth_bytes_per_s[cache.start : cache.end].max())
        cache = replace(cache, bandwidth_bytes_per_s=fastest)
    return is_far_below(levels[at], cache)


def _is_of_the_cache(steady: Steady, earlier: list[Plateau], windows: slice, after: Plateau) -> bool:
    """Whether a phase of those windows would be what the cache before it makes a drive do.

    A drive that folds while it writes lacks, against its speed later on, about as many bytes as the cache held. One that writes directly
    first folds until its end what the cache holds at several times its size in cells: it does so for a few times these bytes at most.

    Args:
        steady: The series.
        earlier: Its levels before these windows, the cache among them.
        windows: Those of the phase.
        after: The level that follows.
    """
    cache_bytes = steady.bytes_until(windows.start)
    seconds = steady.series.duration_ns[windows] / NS_PER_S
    written = float((steady.series.bandwidth_bytes_per_s[windows] * seconds).sum())
    lacking = after.bandwidth_bytes_per_s * float(seconds.sum()) - written
    if lacking < 0:
        rest = float(steady.whole.bytes_done[-1]) - steady.bytes_from(after.start)
        return rest <= _FOLDED_LAST_MAX * cache_bytes
    least, most = _FOLDED_FIRST
    return _fastest(earlier).length > FEW_WINDOWS and least <= lacking / cache_bytes <= most


def _fastest(levels: list[Plateau]) -> Plateau:
    return max(levels, key=lambda level: level.bandwidth_bytes_per_s)


def _seconds(steady: Steady, windows: slice) -> float:
    return float(steady.series.duration_ns[windows].sum()) / NS_PER_S


def _lasted(steady: Steady, run: list[Plateau]) -> int:
    """Windows from the level before to the one after: a part of a stall may have been left out as an interruption already."""
    begin = int(steady.origin[run[0].start - 1]) + 1 if run[0].start else 0
    return steady.in_whole(run[-1].end) - begin


def _first_of_slump(earlier: list[Plateau], after: Plateau) -> int:
    """Index of the first of the levels of a slump that ends with that level; the number of them where none does.

    0 where the drive begins so: then it is a slow start.
    """
    first = len(earlier)
    while first and (is_far_below(earlier[first - 1], after) or earlier[first - 1].length < _CROSSING):
        first -= 1
    if first == len(earlier):
        return first
    # The end of a cache may lie in a stall: then its first part is slow for the cache alone.
    while (
        first > 1
        and is_far_below(earlier[first - 1], _before(earlier, first - 1))
        and not _goes_on(earlier[first - 1], earlier[first:], after)
    ):
        first -= 1
    while first < len(earlier) and earlier[first].length < _CROSSING:
        first += 1
    if first in {0, len(earlier)}:
        return first
    before = _fastest(earlier[max(0, first - 2) : first])
    return first if is_far_below(earlier[first], before) else len(earlier)


def _goes_on(level: Plateau, between: list[Plateau], after: Plateau) -> bool:
    """Whether what comes after is the same level, which a stall interrupts; a speed that was far higher in between speaks against it."""
    return difference(level, after) < SAME and not any(is_far_below(level, one) for one in between)


def _before(levels: list[Plateau], at: int) -> Plateau:
    """The level from which the drive came to that one."""
    return levels[at - 2] if at > 1 and levels[at - 1].length < _CROSSING else levels[at - 1]


def stalls_in(series: Series, windows: slice, level_bytes_per_s: float) -> tuple[slice, ...]:
    """Stretches of more than two seconds in those windows in which a drive at that level hardly wrote; shorter ones are pauses."""
    rates = series.bandwidth_bytes_per_s[windows]
    if _SMOOTHED * series.window_ns < STALL_NS:
        # One window that noise lifts out of a stall does not end it.
        rates = running_median(rates)
    slow = rates < _FAR * level_bytes_per_s
    runs: list[slice] = []
    for run in _runs(slow):
        start, end = run.start + windows.start, run.stop + windows.start
        goes_on = bool(runs) and start - runs[-1].stop <= _JOINED
        runs.append(slice(runs.pop().start if goes_on else start, end))
    return tuple(run for run in runs if int(series.duration_ns[run].sum()) > STALL_NS)


def slower_in(steady: Steady, start: int, level_bytes_per_s: float) -> Flags:
    """Which windows of the whole series, of those from `start` on, belong to a stretch of two seconds or more below that level."""
    slower = np.zeros(len(steady.whole.time_ns), dtype=np.bool_)
    for one in stretches_of(steady):
        if one.length >= _WINDOWS_MIN and one.bandwidth_bytes_per_s < level_bytes_per_s:
            slower[steady.origin[one.start : one.end]] = True
    left_out = np.ones(len(slower), dtype=np.bool_)
    left_out[steady.origin] = False
    for run in _runs(left_out):
        slower[run] = int(steady.whole.duration_ns[run].sum()) > STALL_NS
    slower[:start] = False
    return slower


def _runs(flags: Flags) -> list[slice]:
    """Stretches in which all are set, in order."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return [slice(start, end) for start, end in edges.reshape(-1, 2).tolist()]


def parts_between(windows: slice, stalls: Sequence[slice]) -> list[slice]:
    """The windows without those of the stalls, which are in order, and without those beside them, of which a part may be stalled."""
    left = [windows.start, *(min(stall.stop + 1, windows.stop) for stall in stalls)]
    right = [*(max(stall.start - 1, windows.start) for stall in stalls), windows.stop]
    return [slice(start, end) for start, end in zip(left, right, strict=True) if start < end]


def speed_of(series: Series, parts: Sequence[slice]) -> float:
    """Bytes over time of those windows, of which there are some."""
    kept = np.concatenate([np.arange(part.start, part.stop) for part in parts])
    return float(np.average(series.bandwidth_bytes_per_s[kept], weights=series.duration_ns[kept]))


def is_far_below(level: Plateau, other: Plateau) -> bool:
    """Whether a drive that comes to the other level from this one, or the other way round, may have been stalled in this one."""
    return level.bandwidth_bytes_per_s < _FAR * other.bandwidth_bytes_per_s


def _bytes(levels: list[Plateau]) -> float:
    """Written in them, times a constant."""
    return sum(level.length * level.bandwidth_bytes_per_s for level in levels)
