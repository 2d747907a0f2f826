"""Percentiles as METHODS 0 defines them: nearest rank, and only with ten samples above."""

from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.engine.result import Histogram
from ssdlab.unknown import Unknown

SAMPLES_ABOVE_MIN = 10


def nearest_rank(samples: NDArray[np.float64], percent: str) -> float | Unknown:
    """`sorted[ceil(p n) - 1]` for a percentile written in decimals (`"99.9"`), so that p n is exact."""
    rank = max(1, ceil(Fraction(percent) / 100 * len(samples)))
    above = len(samples) - rank
    if above < SAMPLES_ABOVE_MIN:
        return Unknown(f"{above} samples lie above it, a percentile needs {SAMPLES_ABOVE_MIN}")
    return float(np.partition(samples, rank - 1)[rank - 1])


def latency_percentile_ns(histogram: Histogram, percent: str) -> int | Unknown:
    """A percentile of a latency distribution, to the width of fio's bins (0.8 %)."""
    found = _core.histogram_percentiles(histogram.bin_index.tolist(), histogram.count.tolist(), [float(percent)])[0]
    if found is None:
        return Unknown(f"fewer than {SAMPLES_ABOVE_MIN} of {histogram.total} samples lie above it")
    return found


def highest_percentile(total: int) -> str | None:
    """The highest of 50, 90, 99, 99.9 ... that so many samples allow; None where not even the median is."""
    allowed = None
    for percent in ("50", "90", "99", "99.9", "99.99", "99.999", "99.9999"):
        if total - max(1, ceil(Fraction(percent) / 100 * total)) < SAMPLES_ABOVE_MIN:
            break
        allowed = percent
    return allowed
