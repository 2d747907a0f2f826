"""Percentiles as METHODS 0 defines them: nearest rank, and only with ten samples above.

Percentiles of several runs or jobs are those of all their I/Os together: distributions are merged, percentiles never averaged.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.engine.result import Histogram
from ssdlab.unknown import Unknown

if TYPE_CHECKING:
    from ssdlab.bundle.tables import LatencyCounts

SAMPLES_ABOVE_MIN = 10


def nearest_rank(samples: NDArray[np.float64], percent: str) -> float | Unknown:
    """`sorted[ceil(p n) - 1]` for a percentile written in decimals (`"99.9"`), so that p n is exact."""
    rank = max(1, ceil(Fraction(percent) / 100 * len(samples)))
    above = len(samples) - rank
    if above < SAMPLES_ABOVE_MIN:
        return Unknown(f"{above} samples lie above it, a percentile needs {SAMPLES_ABOVE_MIN}")
    return float(np.partition(samples, rank - 1)[rank - 1])


def exact_percentile_ns(counts: "LatencyCounts", percent: str) -> int | Unknown:
    """Nearest rank of single latencies, to the nanosecond."""
    up_to = np.cumsum(counts.count)
    total = int(up_to[-1]) if len(up_to) else 0
    rank = max(1, ceil(Fraction(percent) / 100 * total))
    above = max(0, total - rank)
    if above < SAMPLES_ABOVE_MIN:
        return Unknown(f"{above} samples lie above it, a percentile needs {SAMPLES_ABOVE_MIN}")
    return int(counts.latency_ns[np.searchsorted(up_to, rank)])


def latency_percentile_ns(histogram: Histogram, percent: str) -> int | Unknown:
    """A percentile of a latency distribution, to the width of fio's bins (0.8 %)."""
    found = _core.histogram_percentiles(histogram.bin_index.tolist(), histogram.count.tolist(), [float(percent)])[0]
    if found is None:
        return Unknown(f"fewer than {SAMPLES_ABOVE_MIN} of {histogram.total} samples lie above it")
    return found


def merged(histograms: Sequence[Histogram]) -> Histogram:
    """The distribution of all I/Os together: bins, mean, extremes and standard deviation as if it had been one run.

    Raises:
        ValueError: There is no histogram with an I/O in it.
    """
    parts = [one for one in histograms if one.total]
    if not parts:
        raise ValueError("there is no latency to be merged")
    bins, place = np.unique(np.concatenate([one.bin_index for one in parts]), return_inverse=True)
    count = np.zeros(len(bins), dtype=np.int64)
    np.add.at(count, place, np.concatenate([one.count for one in parts]))
    total = sum(one.total for one in parts)
    mean_ns = sum(one.total * one.mean_ns for one in parts) / total
    squares = sum((one.total - 1) * one.stddev_ns**2 + one.total * (one.mean_ns - mean_ns) ** 2 for one in parts)
    return Histogram(
        bin_index=bins,
        count=count,
        mean_ns=mean_ns,
        min_ns=min(one.min_ns for one in parts),
        max_ns=max(one.max_ns for one in parts),
        stddev_ns=sqrt(squares / (total - 1)) if total > 1 else 0.0,
    )


def highest_percentile(total: int) -> str | None:
    """The highest of 50, 90, 99, 99.9 ... that so many samples allow; None where not even the median is."""
    allowed = None
    for percent in ("50", "90", "99", "99.9", "99.99", "99.999", "99.9999"):
        if total - max(1, ceil(Fraction(percent) / 100 * total)) < SAMPLES_ABOVE_MIN:
            break
        allowed = percent
    return allowed
