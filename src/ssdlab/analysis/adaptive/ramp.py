"""Where a series leaves its beginning behind."""

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.adaptive.batches import batch_means

_BATCH = 5
"""Windows of a batch of MSER-5."""
_SHARE_MAX = 0.5
"""Of the series that may be its beginning; where the end of that seems best, the series has not settled."""


def ramp_windows(samples: NDArray[np.float64]) -> int:
    """Windows at the beginning that are not like the rest, in whole batches of five; 0 where all are alike.

    MSER-5 (White 1997, "An effective truncation heuristic for bias reduction in simulation output"): the cut after which the squared
    standard error of the mean of what is left, taken as if independent, is smallest. It is asked about the first half alone.
    """
    means = batch_means(samples, _BATCH)
    count = len(means)
    if count < 2 * _BATCH:
        return 0
    left = np.arange(count, 0, -1)
    sums = np.cumsum(means[::-1])[::-1]
    squares = np.cumsum((means**2)[::-1])[::-1]
    error = (squares - sums**2 / left) / left**2
    # What rounding leaves of equal samples is no difference.
    floor = 1e-12 * float(squares[0])
    best = int(np.argmin(np.maximum(error, floor)[: int(_SHARE_MAX * count) + 1]))
    return best * _BATCH
