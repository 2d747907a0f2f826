"""What a drive does once its SLC cache is full, named by order and pattern of the speeds: classes A to F.

The classes are those of METHODS C2 (`docs/concepts/methods.md`); each is told from the others by something that can be seen:

- C: the speed of the cache comes back again and again.
- A, B: two phases follow the cache; the slower one is the last (A) or the first (B).
- E: one phase follows a cache so large that its data could not stay beside the drive's own in the flash there is.
- F: one phase follows, slower than the cache is emptied in silence: writing goes through the cache even then.
- D: one phase follows a small cache, as fast as the native cells take data.
"""

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from ssdlab.analysis.infer.phases import PHASE_SHARE_MIN, PassPhases
from ssdlab.analysis.infer.plateau import Plateau, plateau_of
from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.result import Series
from ssdlab.message import Message, bandwidth, message, number
from ssdlab.unknown import Unknown

SPARE_SHARE_MAX = 0.12
"""Flash of a consumer drive beyond its capacity. A cached byte takes at least one byte more than a native one, so a larger cache
cannot be kept while the rest is written directly."""
_HIDDEN_MAX = 0.3
"""Two phases of which the slower is slower by less are taken for one, or not, by the noise; more would be a class of its own."""
_HIDDEN_IN_TWO_MAX = 0.35
"""Likewise where two phases are told apart, and the noise might hide a third."""
_VALLEY = 20
"""Windows after which a speed that comes back once is the drive's doing; two seconds may be a dip in its cache."""
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
    AfterCache.DIRECT_THEN_FOLD: message("metric-class-direct-then-fold"),
    AfterCache.FOLD_THEN_DIRECT: message("metric-class-fold-then-direct"),
    AfterCache.SAWTOOTH: message("metric-class-sawtooth"),
    AfterCache.DIRECT: message("metric-class-direct"),
    AfterCache.WHOLE_DRIVE: message("metric-class-whole-drive"),
    AfterCache.CACHE_ONLY: message("metric-class-cache-only"),
}


@dataclass(frozen=True, slots=True)
class Policy:
    """The class, and what of the data says so."""

    after: AfterCache
    finding: Message


def policy_of(
    series: Series, phases: PassPhases, capacity_bytes: int, reclaim_bytes_per_s: Interval | None
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
    if phases.teeth:
        again = Policy(AfterCache.SAWTOOTH, message("metric-class-teeth", teeth=phases.teeth))
        return Unknown(message("unknown-one-tooth")) if phases.teeth == 1 and phases.valley < _VALLEY else again
    if isinstance(phases.direct, Unknown):
        return phases.direct
    share = cache.size_bytes / capacity_bytes
    two = _two_phases(series, phases, phases.folding, phases.direct, capacity_bytes)
    return _one_phase(phases, phases.direct, share, reclaim_bytes_per_s) if two is None else two


def _two_phases(
    series: Series, phases: PassPhases, folding: Plateau | Unknown, direct: Plateau, capacity_bytes: int
) -> Policy | Unknown | None:
    """What the order of two phases says, if the noise would not hide a third one; None where there is one only."""
    if isinstance(folding, Unknown):
        return None
    folds_first = folding.start < direct.start
    if not folds_first and _written_bytes(series, direct) <= PHASE_SHARE_MIN * capacity_bytes:
        return None
    if phases.hidden > _HIDDEN_IN_TWO_MAX:
        return _hidden_by_noise(phases)
    if folds_first:
        return Policy(AfterCache.FOLD_THEN_DIRECT, message("metric-class-slower-first"))
    return Policy(AfterCache.DIRECT_THEN_FOLD, message("metric-class-slower-last"))


def _one_phase(
    phases: PassPhases, only: Plateau, share: float, reclaim_bytes_per_s: Interval | None
) -> Policy | Unknown:
    """One phase after a cache of that share of the drive, if the noise would not hide a second one."""
    if phases.hidden > _HIDDEN_MAX:
        return _hidden_by_noise(phases)
    if share > SPARE_SHARE_MAX:
        return Policy(AfterCache.WHOLE_DRIVE, message("metric-class-large-cache", share=number(share, ".0%")))
    return _small(only, reclaim_bytes_per_s)


def _hidden_by_noise(phases: PassPhases) -> Unknown:
    return Unknown(message("unknown-phases-hidden", share=number(phases.hidden, ".0%")))


def _written_bytes(series: Series, plateau: Plateau) -> float:
    done = np.concatenate([[0.0], series.bytes_done])
    return float(done[plateau.end] - done[plateau.start])


def _small(only: Plateau, reclaim_bytes_per_s: Interval | None) -> Policy:
    """A small cache and one phase: written directly, or through the cache."""
    if reclaim_bytes_per_s is None:
        return Policy(AfterCache.DIRECT, message("metric-class-small-cache"))
    pace = bandwidth(reclaim_bytes_per_s.low)
    if reclaim_bytes_per_s.low > _THROUGH_CACHE * only.bandwidth_bytes_per_s:
        return Policy(AfterCache.CACHE_ONLY, message("metric-class-comes-back-faster", pace=pace))
    return Policy(AfterCache.DIRECT, message("metric-class-comes-back-slower", pace=pace))


_NOTHING_DIRECT = {
    AfterCache.SAWTOOTH: message("unknown-beside-folding"),
    AfterCache.WHOLE_DRIVE: message("unknown-as-fast-as-folding"),
    AfterCache.CACHE_ONLY: message("unknown-only-through-cache"),
}


def named_by(after: AfterCache | None, series: Series, phases: PassPhases) -> PassPhases:
    """The phases of a pass with the names they have in drives of that class; as they are, where it is not known.

    Where nothing is written directly all that follows the cache is one phase, and folding.
    """
    following = [one for one in (phases.folding, phases.direct) if isinstance(one, Plateau)]
    if after not in _NOTHING_DIRECT or isinstance(phases.cache, Unknown) or not following:
        return phases
    whole = plateau_of(series, min(one.start for one in following), max(one.end for one in following))
    note = message("metric-named-by-class", letter=after.value, meaning=MEANING[after])
    return replace(phases, folding=whole, direct=Unknown(_NOTHING_DIRECT[after]), note=note)
