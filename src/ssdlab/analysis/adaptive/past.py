"""What is known of a drive before a point begins: its own earlier writes."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.adaptive.rhythm import longest_rhythm
from ssdlab.analysis.statistics.interval import student_t
from ssdlab.units import NS_PER_S

FLAT_CAPACITIES = 1.5
"""`held` asks for a flat capacity at every moment while half a capacity more is written."""
_STRETCHES_MIN = 3
"""Of a past, that tell how stretches as long differ."""


def last_written(rates: NDArray[np.float64], amount: float) -> NDArray[np.float64]:
    """The last rates of equal windows whose sum is that amount; all of them where it is less."""
    back = np.cumsum(rates[::-1])
    return rates[len(rates) - 1 - int(np.searchsorted(back, amount)) :] if len(rates) and back[-1] > amount else rates


@dataclass(frozen=True, eq=False)
class DrivePast:
    """A series of writes to the same drive in the same state: of preconditioning only its end, where it was flat.

    Attributes:
        bytes_per_s: Of its windows, in order.
        window_ns: How long each of them was.
    """

    bytes_per_s: NDArray[np.float64]
    window_ns: int

    def tells_of(self, length_ns: int) -> bool:
        """Whether it is long enough to tell how points so long differ: a shorter one may be a single speed of several."""
        return len(self.bytes_per_s) * self.window_ns >= _STRETCHES_MIN * length_ns

    @cached_property
    def _rhythm(self) -> int | None:
        # Against its mean: correlations do not ask for the unit, but what does not vary is told by the size of what does.
        mean = float(self.bytes_per_s.mean()) if len(self.bytes_per_s) else 0.0
        return longest_rhythm(self.bytes_per_s / mean) if mean > 0 else None

    def rhythm_ns(self, written_bytes_per_s: float) -> int | None:
        """Longest rhythm, as it is for a load that writes at that speed.

        A rhythm follows the clock or the bytes written, and nothing here tells which; a slower load sees the longer of both.
        """
        if self._rhythm is None:
            return None
        slower = float(self.bytes_per_s.mean()) / written_bytes_per_s if written_bytes_per_s > 0 else 1.0
        return round(self._rhythm * self.window_ns * max(1.0, slower))

    def reach(self, length_ns: int, own_share: float) -> float:
        """Half of the 95 % interval, as a share of the mean, by which stretches so long differ beyond what they show of themselves.

        Args:
            length_ns: How long the point is.
            own_share: Standard deviation of its mean as a share of it, as the point itself says.

        Returns:
            Where fewer than three stretches as long are known, that of the longest of which three are: a point that grows forgets nothing.
            0 where nothing is known.
        """
        known = len(self.bytes_per_s)
        mean = float(self.bytes_per_s.mean()) if known else 0.0
        if known < _STRETCHES_MIN or mean <= 0:
            return 0.0
        each = min(max(1, round(length_ns / self.window_ns)), known // _STRETCHES_MIN)
        count = known // each
        stretches = self.bytes_per_s[: count * each].reshape(count, each).mean(axis=1) / mean
        between = float(np.sqrt(max(0.0, float(np.var(stretches, ddof=1)) - own_share**2)))
        return student_t(count - 1) * between


NO_PAST = DrivePast(np.array([]), NS_PER_S)
"""Of a load that writes nothing, or where nothing was written before."""
