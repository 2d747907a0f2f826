"""95 % intervals of means over correlated samples."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SAMPLES_MIN = 6
"""Fewer samples give no interval worth printing."""
_T_975 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""Student's t, 97.5 %, for 1 to 10 degrees of freedom."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Ends of a 95 % interval."""

    low: float
    high: float


def mean_interval(samples: NDArray[np.float64], estimate: float) -> Interval | None:
    """Interval of a mean by non-overlapping batch means.

    Batches as long as the root of the number of samples are nearly independent of each other even where neighbouring samples
    are not (Alexopoulos & Seila 1996).

    Args:
        samples: What the mean scatters by.
        estimate: The mean itself, over everything; samples of one length leave out what fills none, and a slow rest would put
            the mean outside an interval around theirs.

    Returns:
        None for fewer than six samples.
    """
    if len(samples) < _SAMPLES_MIN:
        return None
    length = int(np.sqrt(len(samples))) if len(samples) >= 4 * _SAMPLES_MIN else 1
    count = len(samples) // length
    batches = samples[: count * length].reshape(count, length).mean(axis=1)
    reach = student_t(count - 1) * float(batches.std(ddof=1)) / np.sqrt(count)
    return Interval(estimate - reach, estimate + reach)


def student_t(degrees: int) -> float:
    """Two-sided 95 % quantile of Student's t; beyond ten degrees by the Cornish-Fisher expansion, exact to 0.2 %."""
    if degrees <= len(_T_975):
        return _T_975[degrees - 1]
    normal = 1.959964
    return (
        normal
        + (normal**3 + normal) / (4 * degrees)
        + (5 * normal**5 + 16 * normal**3 + 3 * normal) / (96 * degrees**2)
    )
