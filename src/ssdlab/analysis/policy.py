"""What a drive does once its SLC cache is full, named by order and pattern of the speeds: classes A to F.

The classes are those of METHODS C2 (`docs/concepts/methods.md`); each is told from the others by something that can be seen:

- C: the speed of the cache comes back again and again.
- A, B: two phases follow the cache; the slower one is the last (A) or the first (B).
- E: one phase follows a cache so large that its data could not stay beside the drive's own in the flash there is.
- F: one phase follows, slower than the cache is emptied in silence: writing goes through the cache even then.
- D: one phase follows a small cache, as fast as the native cells take data.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from ssdlab.analysis.changepoint import running_median
from ssdlab.analysis.interval import Interval
from ssdlab.analysis.phases import Cache, Phases
from ssdlab.analysis.plateau import Plateau, plateau_of
from ssdlab.engine.result import Series
from ssdlab.units import format_bandwidth
from ssdlab.unknown import Unknown

SPARE_SHARE_MAX = 0.12
"""Flash of a consumer drive beyond its capacity. A cached byte takes at least one byte more than a native one, so a larger cache
cannot be kept while the rest is written directly."""
_PHASE_SHARE_MIN = 0.03
"""A phase in which less of the drive is written is the way from one to the next: folding begins before the last free block."""
_TOOTH = 0.8
"""Share of the cache's speed that a return to it reaches."""
_FALL_WINDOWS = 2
"""Windows in which the speed may still be falling."""
_THROUGH_CACHE = 1.08
"""Silence folds no faster than native cells are programmed, so a drive that writes directly is at least as fast as that."""


class AfterCache(Enum):
    """What follows the cache."""

    DIRECT_THEN_FOLD = "A"
    FOLD_THEN_DIRECT = "B"
    SAWTOOTH = "C"
    DIRECT = "D"
    WHOLE_DRIVE = "E"
    CACHE_ONLY = "F"


MEANING = {
    AfterCache.DIRECT_THEN_FOLD: "writes directly until free flash runs out, then as fast as it folds its cache",
    AfterCache.FOLD_THEN_DIRECT: "folds its cache beside writing first, then writes directly",
    AfterCache.SAWTOOTH: "goes back to its cache whenever a part of it is folded",
    AfterCache.DIRECT: "a small cache, then writes directly up to the end",
    AfterCache.WHOLE_DRIVE: "takes all free flash as cache, then writes as fast as it folds",
    AfterCache.CACHE_ONLY: "writes only through its cache, as fast as that is folded",
}


@dataclass(frozen=True, slots=True)
class Policy:
    """The class, and what of the data says so."""

    after: AfterCache
    finding: str


def policy_of(
    series: Series, phases: Phases, capacity_bytes: int, reclaim_bytes_per_s: Interval | None
) -> Policy | Unknown:
    """Class of a drive from its first pass, fresh out of the box.

    Args:
        series: Of the pass.
        phases: Of the same.
        capacity_bytes: User capacity.
        reclaim_bytes_per_s: How fast silence gives the cache back, where it was measured; without, F cannot be told from D.
    """
    cache = phases.cache
    if isinstance(cache, Unknown):
        return cache
    teeth = teeth_of(series, cache)
    if teeth:
        return Policy(AfterCache.SAWTOOTH, f"the speed of the cache comes back, {teeth} times in one pass")
    if isinstance(phases.folding, Plateau) and isinstance(phases.direct, Plateau):
        if phases.folding.start < phases.direct.start:
            return Policy(AfterCache.FOLD_THEN_DIRECT, "the slower of the two phases after the cache comes first")
        if _written_bytes(series, phases.direct) > _PHASE_SHARE_MIN * capacity_bytes:
            return Policy(AfterCache.DIRECT_THEN_FOLD, "the slower of the two phases after the cache comes last")
    share = cache.size_bytes / capacity_bytes
    if share > SPARE_SHARE_MAX:
        more = f"the cache holds {share:.0%} of the drive, more than can stay beside data written directly"
        return Policy(AfterCache.WHOLE_DRIVE, f"one phase follows, and {more}")
    return _small(phases.direct, reclaim_bytes_per_s)


def _written_bytes(series: Series, plateau: Plateau) -> float:
    done = np.concatenate([[0.0], series.bytes_done])
    return float(done[plateau.end] - done[plateau.start])


def _small(only: Plateau | Unknown, reclaim_bytes_per_s: Interval | None) -> Policy | Unknown:
    """A small cache and one phase: written directly, or through the cache."""
    if isinstance(only, Unknown):
        return only
    if reclaim_bytes_per_s is None:
        return Policy(
            AfterCache.DIRECT, "one phase follows a small cache (class F would look the same without a reclaim ladder)"
        )
    pace = f"{format_bandwidth(reclaim_bytes_per_s.low)} at least come back in silence"
    if reclaim_bytes_per_s.low > _THROUGH_CACHE * only.bandwidth_bytes_per_s:
        return Policy(AfterCache.CACHE_ONLY, f"{pace}, more than it writes after the cache")
    return Policy(AfterCache.DIRECT, f"{pace}, no more than it writes after the cache")


_NOTHING_DIRECT = {
    AfterCache.SAWTOOTH: "the drive goes back to its cache: what it writes in between is beside folding",
    AfterCache.WHOLE_DRIVE: "after a cache of all free flash the drive writes as fast as it folds",
    AfterCache.CACHE_ONLY: "the drive writes only through its cache, as fast as that is folded",
}


def named_by(after: AfterCache | None, series: Series, phases: Phases) -> Phases:
    """The phases of a pass with the names they have in drives of that class; as they are, where it is not known.

    Where nothing is written directly all that follows the cache is one phase, and folding.
    """
    following = [one for one in (phases.folding, phases.direct) if isinstance(one, Plateau)]
    if after not in _NOTHING_DIRECT or isinstance(phases.cache, Unknown) or not following:
        return phases
    whole = plateau_of(series, min(one.start for one in following), max(one.end for one in following))
    note = f"class {after.value}: {MEANING[after]}"
    return Phases(phases.cache, whole, Unknown(_NOTHING_DIRECT[after]), note)


def teeth_of(series: Series, cache: Cache) -> int:
    """How often the speed comes back, after the cache, to almost the cache's, for at least three windows in five."""
    after = running_median(series.bandwidth_bytes_per_s[cache.plateau.end + _FALL_WINDOWS :])
    if len(after) == 0:
        return 0
    speed = cache.plateau.bandwidth_bytes_per_s
    above = after > np.sqrt(max(float(np.median(after)), 1.0) * speed)
    begins = np.flatnonzero(above[1:] & ~above[:-1]) + 1
    ends = [int(np.argmin(above[begin:])) + begin if not above[begin:].all() else len(above) for begin in begins]
    return sum(float(after[begin:end].max()) >= _TOOTH * speed for begin, end in zip(begins, ends, strict=True))
