"""What several runs of the same measurement say together (METHODS 0): their median, and how far they scatter."""

import statistics
from collections.abc import Sequence
from math import sqrt

from ssdlab.message import message, number
from ssdlab.unknown import Unknown

RSE_RUNS = 3
"""The last this many runs are those whose scatter is judged."""


def median(values: Sequence[float]) -> float:
    """The middle one; of an even number the mean of the middle two.

    Raises:
        ValueError: There is none.
    """
    if not values:
        raise ValueError("no value has no median")
    return statistics.median(values)


def relative_standard_error_percent(values: Sequence[float]) -> float | Unknown:
    """`stdev(x, n-1) / (sqrt(n) * mean(x)) * 100` of all values given; METHODS 0 gives it the last `RSE_RUNS`."""
    if len(values) < 2:
        return Unknown(message("unknown-runs-for-error", runs=len(values)))
    mean = statistics.fmean(values)
    if mean <= 0:
        return Unknown(message("unknown-mean-no-share", mean=number(mean, "g")))
    return statistics.stdev(values) / (sqrt(len(values)) * mean) * 100


def trimmed_mean(values: Sequence[float]) -> float | Unknown:
    """Mean without the largest and the smallest (METHODS C6, variant 2025.07)."""
    if len(values) < 3:
        return Unknown(message("unknown-runs-for-trimmed-mean", runs=len(values)))
    return statistics.fmean(sorted(values)[1:-1])
