"""Is a drive steady after the pass of the short way? Judged on the stretch of random writes that follows, as `window` judges a capacity."""

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.written_curve import Floats, WrittenCurve
from ssdlab.method.short_way import LIMIT_SHARE
from ssdlab.units import NS_PER_S

EXCURSION_MAX = 0.03
"""Of the mean, over the stretch: what is left of the way to the balance. `window` asks for 0.02 over a capacity, in which noise and
the rhythm of collection average out better."""
SPREAD_MAX = 0.06
"""Of the means of the parts of the stretch, in the same proportion to the excursion as `window` has."""
PARTS = 5
_LOOKS_A_CAPACITY = 100


class ShortWayJudge:
    """Looks whenever another hundredth of the capacity is written, at the stretch just written."""

    def __init__(self, capacity_bytes: int, stretch_bytes: int) -> None:
        self._capacity_bytes = capacity_bytes
        self._stretch_bytes = stretch_bytes
        self._curve = WrittenCurve()
        self._looked = 0

    def feed(self, time_ns: NDArray[np.int64], done_bytes: Floats) -> tuple[int, int] | None:
        """Take the windows that follow; where the stretch was flat first, as bytes and ns since the job began.

        Args:
            time_ns: End of each since the job began, ascending.
            done_bytes: Bytes done in each.
        """
        self._curve.append(time_ns, done_bytes)
        step_bytes = self._capacity_bytes / _LOOKS_A_CAPACITY
        last = int(min(self._curve.end_bytes, LIMIT_SHARE * self._capacity_bytes) / step_bytes)
        looks = np.arange(self._looked + 1, last + 1) * step_bytes
        self._looked = max(last, self._looked)
        for end_bytes in looks[looks >= self._stretch_bytes]:
            if self._is_flat(float(end_bytes)):
                return round(end_bytes), round(float(self._curve.time_at(np.array([end_bytes]))[0]) * NS_PER_S)
        return None

    def _is_flat(self, end_bytes: float) -> bool:
        begin_s, end_s = (self._curve.time_at(np.array([at])) for at in (end_bytes - self._stretch_bytes, end_bytes))
        excursion, spread = self._curve.excursion(begin_s, end_s), self._curve.spread(begin_s, end_s, PARTS)
        return bool((excursion <= EXCURSION_MAX)[0] and (spread <= SPREAD_MAX)[0])
