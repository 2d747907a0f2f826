"""How long random writes for good wait, as a shape: what their speed does not tell.

A buffer takes most of them at once. The others wait until a row of flash is programmed and what had to be collected for it is copied. How the
times of these are spread, in mean times, depends on how long a row is, from when on the drive collects, and how long an erase takes; nothing else
that is measured of a drive tells these three.
"""

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.engine.result import Histogram

Floats = NDArray[np.float64]
_SHARES = (0.1, 0.3, 0.5, 0.7, 0.9, 0.99)
"""Of all the time that writes take: up to what time of a single one they take so much of it together. Of writes they would jump wherever
those that wait little become those that do not wait."""
_WAITING_MIN = 1_000
"""Of the writes that take longer than the mean; fewer have few above the last share."""
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(9)
"""Of Gauss-Hermite quadrature (Abramowitz & Stegun 1964, 25.4.46)."""


def waits_of(histogram: Histogram, sigma: float = 0.0) -> tuple[float, ...]:
    """Logarithms of how long writes take, in mean times, by `_SHARES` of the time of all.

    Args:
        histogram: Completion latencies.
        sigma: Standard deviation of the logarithm of the speed of the drive, beyond what is in the histogram.

    Returns:
        Nothing where too few wait.
    """
    low_ns, high_ns, counts = _blurred(histogram, sigma)
    taken_ns = counts * (low_ns + high_ns) / 2
    mean_ns = float(taken_ns.sum() / counts.sum()) if len(counts) else 0.0
    if counts[low_ns > mean_ns].sum() < _WAITING_MIN:
        return ()
    up_to = np.cumsum(taken_ns)
    # Within a bin they are spread evenly; between two that are apart there is nothing.
    shares = np.column_stack([up_to - taken_ns, up_to]).ravel() / up_to[-1]
    ends = np.column_stack([low_ns, high_ns]).ravel()
    found: list[float] = np.interp(_SHARES, shares, np.log(ends / mean_ns)).tolist()
    return tuple(found)


def _blurred(histogram: Histogram, sigma: float) -> tuple[Floats, Floats, Floats]:
    """Ends of bins and what they hold, in order, at all speeds of the drive."""
    low, high = (
        np.array(
            [max(1, _core.bin_low(min(int(place) + one, _core.BIN_COUNT - 1))) for place in histogram.bin_index],
            dtype=np.float64,
        )
        for one in (0, 1)
    )
    counts = histogram.count.astype(np.float64)
    if sigma:
        slower = np.exp(sigma * _NODES)
        low, high = np.outer(slower, low).ravel(), np.outer(slower, high).ravel()
        counts = np.outer(_WEIGHTS / _WEIGHTS.sum(), counts).ravel()
    order = np.argsort(low, kind="stable")
    return low[order], high[order], counts[order]
