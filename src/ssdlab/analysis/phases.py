"""What the plateaus of a sequential fill mean: SLC cache, folding, direct."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ssdlab.analysis.interval import Interval
from ssdlab.analysis.plateau import SAME, SAME_LEVEL, Change, Plateau, change_between, plateau_of, plateaus_of
from ssdlab.engine.result import Series
from ssdlab.unknown import Unknown

_COMES_BACK = 0.9
"""A level that returns for this share of its first length is a rhythm of the drive and not a cache."""
_EXPLAINED = 0.5
"""Share of the differences between plateaus that two phases must explain; a sawtooth's halves explain little."""


@dataclass(frozen=True, slots=True)
class Cache:
    """The phase that ends with the first lasting fall of the speed.

    Attributes:
        rise: Where it begins, if the drive started slower; else the first byte.
        cliff: Where it ends.
    """

    plateau: Plateau
    rise: Change
    cliff: Change

    @property
    def size_bytes(self) -> float:
        """Bytes written at its speed."""
        return self.cliff.done_bytes - self.rise.done_bytes

    @property
    def interval(self) -> Interval:
        """95 % interval of the size."""
        low_bytes = max(0.0, self.cliff.low_bytes - self.rise.high_bytes)
        return Interval(low_bytes, self.cliff.high_bytes - self.rise.low_bytes)


@dataclass(frozen=True, slots=True)
class Phases:
    """Phases of one pass.

    Attributes:
        cache: Absent where the speed never falls.
        folding: The slower of two phases after the cache: the drive copies cached data into its native cells besides
            writing. Mostly the first of the two; a drive that writes directly until its free blocks run out folds last.
        direct: The other one, or the only one: writing straight into native cells (or only as fast as folding frees cache;
            a single level cannot tell which).
        note: What a reader must know of the order of phases.
    """

    cache: Cache | Unknown
    folding: Plateau | Unknown
    direct: Plateau | Unknown
    note: str = ""


def phases_of(series: Series) -> Phases:
    """Tell the phases of a pass apart.

    The cache is the level before the first fall, without the slower ones that may lead up to it. What follows is one phase or
    two: the split of its plateaus that explains their levels best, if it explains more than half of their differences.
    """
    plateaus = plateaus_of(series)
    falls = [index for index, (one, following) in enumerate(pairwise(plateaus)) if _falls(one, following)]
    if not falls:
        return _without_cache(series, plateaus, _no_fall(series))
    cache, rest = plateaus[falls[0]], plateaus[falls[0] + 1 :]
    if _comes_back(cache, rest):
        return _without_cache(series, plateaus, "the speed of the beginning comes back as long: a rhythm, not a cache")
    found = Cache(cache, _rise(series, cache), change_between(series, cache, rest[0]))
    split = _split(rest)
    if split is None:
        nothing_slower = Unknown("no slower phase after the cache: one speed up to the end")
        return Phases(found, nothing_slower, plateau_of(series, rest[0].start, rest[-1].end))
    first, second = (plateau_of(series, part[0].start, part[-1].end) for part in (rest[:split], rest[split:]))
    if first.bandwidth_bytes_per_s < second.bandwidth_bytes_per_s:
        return Phases(found, first, second)
    return Phases(found, second, first, "direct came first, folding last")


def _rise(series: Series, cache: Plateau) -> Change:
    """Where the speed of the cache is reached: after the last window that is nearer to the slow start's speed than to it."""
    slow = float(np.median(series.bandwidth_bytes_per_s[: cache.start])) if cache.start else 0.0
    nearer_to_slow = series.bandwidth_bytes_per_s[: cache.start] < np.sqrt(slow * cache.bandwidth_bytes_per_s)
    if not nearer_to_slow.any():
        return Change(0.0, 0.0, 0.0)
    start = int(np.flatnonzero(nearer_to_slow)[-1]) + 1
    return change_between(series, Plateau(0, start, slow), Plateau(start, cache.end, cache.bandwidth_bytes_per_s))


def _falls(one: Plateau, following: Plateau) -> bool:
    return following.bandwidth_bytes_per_s < one.bandwidth_bytes_per_s


def _comes_back(cache: Plateau, rest: Sequence[Plateau]) -> bool:
    """Whether the first speed returns for as long as it lasted, or is what the drive does most of the time."""
    level = cache.bandwidth_bytes_per_s * (1 - SAME_LEVEL)
    as_fast = [one.length for one in rest if one.bandwidth_bytes_per_s >= level]
    everything = sum(one.length for one in rest)
    return max(as_fast, default=0) >= _COMES_BACK * cache.length or 2 * sum(as_fast) > everything


def _without_cache(series: Series, plateaus: Sequence[Plateau], reason: str) -> Phases:
    if not plateaus:
        nothing = Unknown("the pass has no windows")
        return Phases(nothing, nothing, nothing)
    unknown = Unknown(reason)
    return Phases(unknown, unknown, plateau_of(series, plateaus[0].start, plateaus[-1].end))


def _no_fall(series: Series) -> str:
    shortest_s = 3 * series.window_ns / 1e9
    return f"the speed never falls by {SAME_LEVEL:.0%} for good; a cache of less than {shortest_s:g} s would not show"


def _split(rest: Sequence[Plateau]) -> int | None:
    """Where two phases part, best explained; None where there is only one."""
    # A stretch in which nothing moved is as slow as can be, and has no logarithm.
    levels = np.log([max(one.bandwidth_bytes_per_s, 1.0) for one in rest])
    weights = np.array([one.length for one in rest], dtype=np.float64)

    def scatter(part: slice) -> float:
        mean = np.average(levels[part], weights=weights[part])
        return float((weights[part] * (levels[part] - mean) ** 2).sum())

    whole = scatter(slice(None))
    if len(rest) < 2 or whole == 0:
        return None
    within = [scatter(slice(None, at)) + scatter(slice(at, None)) for at in range(1, len(rest))]
    best = int(np.argmin(within)) + 1
    if 1 - within[best - 1] / whole < _EXPLAINED:
        return None
    first, second = (np.average(levels[part], weights=weights[part]) for part in (slice(None, best), slice(best, None)))
    return best if abs(first - second) >= SAME else None
