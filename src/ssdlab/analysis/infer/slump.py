"""Slumps: stretches in which a drive is far slower than right before and right after.

A stall in which something is written looks like a phase of a drive that folds its cache before it writes directly, or like the
first valley of a sawtooth. Nothing in one pass tells them apart, so what is said of the drive must hold with them and without.
"""

from collections.abc import Sequence

import numpy as np

from ssdlab.analysis.infer.interruption import STALL_NS, Steady
from ssdlab.analysis.infer.plateau import Plateau, stretches_of
from ssdlab.analysis.statistics.changepoint import running_median
from ssdlab.engine.result import Series

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


def without_slumps(steady: Steady) -> Steady | None:
    """The same series as if its slumps were interruptions; None where it has none."""
    slumps = _slumps(steady, stretches_of(steady)) if len(steady.origin) else []
    for slump in reversed(slumps):
        steady = steady.without(slump.start, slump.stop)
    return steady if slumps else None


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
    while first > 1 and is_far_below(earlier[first - 1], earlier[first - 2]):
        first -= 1
    while first < len(earlier) and earlier[first].length < _CROSSING:
        first += 1
    if first in {0, len(earlier)}:
        return first
    before = max(earlier[max(0, first - 2) : first], key=lambda level: level.bandwidth_bytes_per_s)
    return first if is_far_below(earlier[first], before) else len(earlier)


def stalls_in(series: Series, windows: slice, level_bytes_per_s: float) -> tuple[slice, ...]:
    """Stretches of more than two seconds in those windows in which a drive at that level hardly wrote; shorter ones are pauses."""
    rates = series.bandwidth_bytes_per_s[windows]
    if _SMOOTHED * series.window_ns < STALL_NS:
        # One window that noise lifts out of a stall does not end it.
        rates = running_median(rates)
    slow = rates < _FAR * level_bytes_per_s
    edges = np.flatnonzero(np.diff(np.concatenate([[False], slow, [False]]).astype(np.int8))) + windows.start
    runs: list[slice] = []
    for start, end in edges.reshape(-1, 2).tolist():
        goes_on = bool(runs) and start - runs[-1].stop <= _JOINED
        runs.append(slice(runs.pop().start if goes_on else start, end))
    return tuple(run for run in runs if int(series.duration_ns[run].sum()) > STALL_NS)


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
