"""Is a drive steady after the pass of the short way? Judged on the stretch of random writes that follows, as `window` judges a capacity."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.written_curve import Floats, WrittenCurve
from ssdlab.method.short_way import AGAIN_SHARE, LIMIT_SHARE, STRETCH_SHARE, spare_at
from ssdlab.units import NS_PER_S

EXCURSION_MAX = 0.03
"""Of the mean, over the stretch. `window` asks for 0.02 over a capacity, in which noise and the rhythm of collection average out better;
the stretch of a drive that is still on its way rises or falls by more."""
SPREAD_MAX = 0.06
"""Of the means of the parts of the stretch, as a share of the mean of all."""
FALLEN_TO = 0.85
"""Of the speed at which the pass overwrote the drive before there was anything to collect: as long as a drive is faster than this, it has
spare space left that is fresh, and an even speed means nothing."""
_SPARE_SHARE = 1.2
"""Of the spare space that so small a fall would tell of: caches are collected before there is anything else to collect, and the speed is even
meanwhile. It is slower than without them, so less spare space is told of than there is."""
PARTS = 5
_LOOKS_A_CAPACITY = 100


@dataclass(frozen=True, slots=True)
class PassSeen:
    """What the pass has shown."""

    written_bytes: int
    """By the host."""
    used_bytes: float
    """Of flash, before anything is collected: a block smaller than the drive's unit takes as much as one of it."""
    fresh_bytes_per_s: float
    """At which it overwrote the drive before there was anything to collect; nothing where that was not seen, as no speed is slower."""


class ShortWayJudge:
    """Looks whenever another hundredth of the capacity is written at the stretch just written, and at the one a little before."""

    def __init__(self, capacity_bytes: int, seen: PassSeen, unit_share: float) -> None:
        """After a pass; see `ssdlab.method.short_way.unit_share` of the job that follows it."""
        self._capacity_bytes = capacity_bytes
        self._seen = seen
        self._unit_share = unit_share
        self._curve = WrittenCurve()
        self._looked = 0

    def feed(self, time_ns: NDArray[np.int64], done_bytes: Floats) -> tuple[int, int] | None:
        """Take the windows that follow; where the stretch was even first, as bytes and ns since the job began.

        Args:
            time_ns: End of each since the job began, ascending.
            done_bytes: Bytes done in each.
        """
        self._curve.append(time_ns, done_bytes)
        step_bytes = self._capacity_bytes / _LOOKS_A_CAPACITY
        last = int(min(self._curve.end_bytes, LIMIT_SHARE * self._capacity_bytes) / step_bytes)
        for look in range(self._looked + 1, last + 1):
            end_bytes = look * step_bytes
            if self._is_even(end_bytes) and self._is_even(end_bytes - AGAIN_SHARE * self._capacity_bytes):
                return round(end_bytes), round(float(self._curve.time_at(np.array([end_bytes]))[0]) * NS_PER_S)
        self._looked = max(last, self._looked)
        return None

    def _is_even(self, end_bytes: float) -> bool:
        begin_bytes = end_bytes - STRETCH_SHARE * self._capacity_bytes
        if begin_bytes < 0:
            return False
        begin_s, end_s = (self._curve.time_at(np.array([at])) for at in (begin_bytes, end_bytes))
        if self._may_be_fresh(begin_bytes, STRETCH_SHARE * self._capacity_bytes / float(end_s[0] - begin_s[0])):
            return False
        excursion, spread = self._curve.excursion(begin_s, end_s), self._curve.spread(begin_s, end_s, PARTS)
        return bool((excursion <= EXCURSION_MAX)[0] and (spread <= SPREAD_MAX)[0])

    def _may_be_fresh(self, begin_bytes: float, bytes_per_s: float) -> bool:
        """Whether spare space that was never written may be left at such a speed, with so much written after the pass."""
        fresh_bytes_per_s = self._seen.fresh_bytes_per_s
        if bytes_per_s >= FALLEN_TO * fresh_bytes_per_s:
            return True
        used_bytes = self._seen.used_bytes + begin_bytes / self._unit_share
        return used_bytes < (1 + _SPARE_SHARE * spare_at(fresh_bytes_per_s / bytes_per_s)) * self._capacity_bytes
