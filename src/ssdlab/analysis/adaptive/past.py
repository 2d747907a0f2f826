"""What is known of a drive before a point begins: its own earlier writes."""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.adaptive.batches import batch_means
from ssdlab.analysis.adaptive.drift import SpeedDrift, drift_of
from ssdlab.analysis.adaptive.rhythm import longest_rhythm, without_line
from ssdlab.analysis.statistics.interval import StandardError, standard_error
from ssdlab.units import NS_PER_S

FLAT_CAPACITIES = 1.0
"""`held` asks for a flat capacity at every moment while half a capacity more is written; in the first half what a fill left behind may
still come and go, and fades."""
_STRETCHES_MIN = 3
"""Of a past, that tell how stretches as long differ."""
_STRETCHES_GOOD = 6
"""That tell it well."""
_OVERLAP = 1.5
_STRETCHES_LOOKED_AT = 16
"""Of all of them, for what they show of themselves."""
_DRIFT_BATCHES = 128


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
        return self.length_ns >= _STRETCHES_MIN * length_ns

    @property
    def length_ns(self) -> int:
        """For how long it is known."""
        return len(self.bytes_per_s) * self.window_ns

    def with_point(self, bytes_per_s: NDArray[np.float64]) -> "DrivePast":
        """Longer by the windows, as long, of a point that did not end early; its level, which is that of its load, is not told."""
        own = float(bytes_per_s.mean()) if len(bytes_per_s) else 0.0
        if own <= 0 or not self._mean:
            return self
        return DrivePast(np.concatenate([self.bytes_per_s, bytes_per_s * (self._mean / own)]), self.window_ns)

    @cached_property
    def _rhythm(self) -> int | None:
        # Against its mean: correlations do not ask for the unit, but what does not vary is told by the size of what does.
        return longest_rhythm(self.bytes_per_s / self._mean) if self._mean else None

    def rhythm_ns(self, written_bytes_per_s: float) -> int | None:
        """Longest rhythm, as it is for a load that writes at that speed.

        A rhythm follows the clock or the bytes written, and nothing here tells which; a slower load sees the longer of both.
        """
        if self._rhythm is None:
            return None
        slower = self._mean / written_bytes_per_s if written_bytes_per_s > 0 else 1.0
        return round(self._rhythm * self.window_ns * max(1.0, slower))

    @cached_property
    def drift(self) -> SpeedDrift:
        """Change from its beginning to its end, as a share of its mean."""
        return drift_of(batch_means(self._shares, max(1, len(self._shares) // _DRIFT_BATCHES)))

    def spread(self, length_ns: int, written_bytes_per_s: float) -> StandardError | None:
        """By how much the means of stretches so long scatter, as a share of the mean, beside a line through all of them.

        The stretches overlap: they tell as much as half as many again that do not (Meketon & Schmeiser 1984, "Overlapping batch means:
        something for nothing?"). Of fewer than six so long nothing good can be told; then it is by how much shorter ones scatter, which
        is more.

        Args:
            length_ns: Of a load.
            written_bytes_per_s: By that load; one that writes more slowly sees as much of the drive's rhythms as this did in less time.

        Returns:
            None where nothing is known.
        """
        each = self._stretch(length_ns, written_bytes_per_s)
        if not each:
            return None
        count = len(self._shares) / each
        means = (self._apart_sums[each:] - self._apart_sums[:-each]) / each
        variance = float(np.mean(means**2)) / (1 - 1 / count)
        return StandardError(sqrt(variance), int(_OVERLAP * (count - 1)) - 1)

    def shown_by_itself(self, length_ns: int, written_bytes_per_s: float, batches: int) -> float:
        """What stretches so long say themselves that their means scatter by, as `spread`: root of the mean square."""
        each = self._stretch(length_ns, written_bytes_per_s)
        if not each:
            return 0.0
        count = len(self._shares) // each
        size = max(1, each // batches)
        begins = np.unique(np.linspace(0, count - 1, min(count, _STRETCHES_LOOKED_AT)).astype(np.int64)) * each
        found = [standard_error(batch_means(self._shares[begin : begin + each], size)) for begin in begins]
        squares = [error.value**2 for error in found if error is not None]
        return sqrt(sum(squares) / len(squares)) if squares else 0.0

    def _stretch(self, length_ns: int, written_bytes_per_s: float) -> int:
        """Windows of a stretch; 0 where there are too few."""
        if not self._mean:
            return 0
        slower = min(1.0, written_bytes_per_s / self._mean)
        return min(max(1, round(length_ns * slower / self.window_ns)), len(self.bytes_per_s) // _STRETCHES_GOOD)

    @cached_property
    def _mean(self) -> float:
        return float(self.bytes_per_s.mean()) if len(self.bytes_per_s) else 0.0

    @cached_property
    def _shares(self) -> NDArray[np.float64]:
        return self.bytes_per_s / self._mean if self._mean else self.bytes_per_s

    @cached_property
    def _apart_sums(self) -> NDArray[np.float64]:
        return np.concatenate([[0.0], np.cumsum(without_line(self._shares))])


NO_PAST = DrivePast(np.array([]), NS_PER_S)
"""Of a load that writes nothing, or where nothing was written before."""
