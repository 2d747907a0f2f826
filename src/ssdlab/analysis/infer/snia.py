"""SNIA PTS 2.0.2, 2.1.24, on rounds of measurements; on a continuous stream the same rule is a criterion of `steady`."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ssdlab.analysis.infer.steady import SNIA_EXCURSION_MAX, SNIA_ROUNDS, SNIA_SPREAD_MAX


@dataclass(frozen=True, slots=True)
class SniaWindow:
    """What five rounds come to, with the line of least squares through them; rounds count from 0."""

    mean: float
    spread: float
    """Largest less smallest."""
    slope: float
    """A round."""

    @property
    def excursion(self) -> float:
        """How far the line goes from the first round to the last."""
        return abs(self.slope) * (SNIA_ROUNDS - 1)

    @property
    def intercept(self) -> float:
        """Of the line at the first of the rounds."""
        return self.mean - self.slope * (SNIA_ROUNDS - 1) / 2

    @property
    def is_flat(self) -> bool:
        """Whether both are within their limits."""
        flat_range = self.spread <= SNIA_SPREAD_MAX * self.mean
        return self.mean > 0 and flat_range and self.excursion <= SNIA_EXCURSION_MAX * self.mean


def snia_window(values: Sequence[float]) -> SniaWindow | None:
    """The last five of them; None where there are not so many."""
    if len(values) < SNIA_ROUNDS:
        return None
    last = np.asarray(values[-SNIA_ROUNDS:], dtype=np.float64)
    slope, _ = np.polyfit(np.arange(SNIA_ROUNDS), last, 1)
    return SniaWindow(float(last.mean()), float(np.ptp(last)), float(slope))
