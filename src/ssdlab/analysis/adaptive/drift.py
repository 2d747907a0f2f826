"""Does a series go one way?"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.interval import standard_error, student_t

_REACH = 3.0
"""Standard deviations that a line must move to be no chance: a point has many looks, and a run many points."""


@dataclass(frozen=True, slots=True)
class SpeedDrift:
    """The best line through a series.

    Attributes:
        change: From end to end.
        by_chance: Standard deviation of that, where there is no drift.
    """

    change: float
    by_chance: float

    @property
    def told(self) -> float:
        """Where it is more than chance; 0 elsewhere."""
        return self.change if self.exceeds(0.0) else 0.0

    def exceeds(self, least: float) -> bool:
        """Whether it is more than chance, and more than that."""
        return abs(self.change) > max(least, _REACH * self.by_chance)


def drift_of(means: NDArray[np.float64]) -> SpeedDrift:
    """Of batches of a series; of fewer than six nothing is more than chance."""
    count = len(means)
    if count < 2:
        return SpeedDrift(0.0, 0.0)
    at = np.arange(count) - (count - 1) / 2
    slope = float(at @ means) / float(at @ at)
    error = standard_error(means - means.mean() - slope * at)
    # The mean of a line scatters by sqrt(12) times as much over its length as that of its values.
    by_chance = abs(slope * count) if error is None else sqrt(12) * error.value * student_t(error.degrees) / 1.96
    return SpeedDrift(slope * count, by_chance)
