"""Percentiles as METHODS 0 defines them: nearest rank, and only with ten samples above.

Percentiles of several runs or jobs are those of all their I/Os together: distributions are merged, percentiles never averaged.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.engine.result import Histogram
from ssdlab.message import message
from ssdlab.unknown import Unknown

if TYPE_CHECKING:
    from ssdlab.bundle.tables import LatencyCounts

PERCENTS = ("50", "90", "99", "99.9", "99.99", "99.999", "99.9999")
"""Those of latencies that are printed."""

SAMPLES_ABOVE_MIN = _core.SAMPLES_ABOVE_MIN


def rank_of(percent: str, count: int) -> int:
    """`ceil(p n)`, at least 1, for a percentile written in decimals (`"99.9"`) of so many samples."""
    return _core.nearest_ranks([float(percent)], count)[0]


def nearest_rank(samples: NDArray[np.float64], percent: str) -> float | Unknown:
    """`sorted[ceil(p n) - 1]` for a percentile written in decimals (`"99.9"`)."""
    rank = _known_rank(percent, len(samples))
    return rank if isinstance(rank, Unknown) else float(np.partition(samples, rank - 1)[rank - 1])


def exact_percentile_ns(counts: "LatencyCounts", percent: str) -> int | Unknown:
    """Nearest rank of single latencies, to the nanosecond."""
    up_to = np.cumsum(counts.count)
    rank = _known_rank(percent, _last(up_to))
    return rank if isinstance(rank, Unknown) else int(counts.latency_ns[np.searchsorted(up_to, rank)])


def exact_percentiles_ns(counts: "LatencyCounts", percents: Sequence[float]) -> NDArray[np.float64]:
    """The same at many percentages, for a curve; NaN where fewer than ten I/Os lie above."""
    up_to = np.cumsum(counts.count)
    total = _last(up_to)
    ranks = np.array(_core.nearest_ranks(percents, total), dtype=np.int64)
    known = total - ranks >= SAMPLES_ABOVE_MIN
    latency_ns = np.full(len(ranks), np.nan)
    latency_ns[known] = counts.latency_ns[np.searchsorted(up_to, ranks[known])]
    return latency_ns


def _last(up_to: NDArray[np.int64]) -> int:
    return int(up_to[-1]) if len(up_to) else 0


def _known_rank(percent: str, count: int) -> int | Unknown:
    rank = rank_of(percent, count)
    above = max(0, count - rank)
    return _too_few(above) if above < SAMPLES_ABOVE_MIN else rank


def _too_few(above: int) -> Unknown:
    return Unknown(message("unknown-few-samples-above", above=above, needed=SAMPLES_ABOVE_MIN))


def latency_percentile_ns(histogram: Histogram, percent: str) -> int | Unknown:
    """A percentile of a latency distribution, to the width of fio's bins (0.8 %)."""
    (found,) = bin_percentiles_ns(histogram.bin_index, histogram.count, [percent])
    return found


def bin_percentiles_ns(
    bin_index: NDArray[np.int64], count: NDArray[np.int64], percents: Sequence[str] = PERCENTS
) -> tuple[int | Unknown, ...]:
    """The same of fio's bins, of as many percentiles as are asked for."""
    found = _core.histogram_percentiles(bin_index.tolist(), count.tolist(), [float(percent) for percent in percents])
    few = Unknown(message("unknown-few-of-samples-above", least=SAMPLES_ABOVE_MIN, samples=int(count.sum())))
    return tuple(few if value is None else value for value in found)


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


@lru_cache(maxsize=8)  # all latencies of a job are of as many I/Os
def highest_percentile(total: int) -> str | None:
    """The highest of `PERCENTS` that so many samples allow; None where not even the median is."""
    ranks = _core.nearest_ranks([float(percent) for percent in PERCENTS], total)
    allowed = (percent for percent, rank in zip(PERCENTS, ranks, strict=True) if total - rank >= SAMPLES_ABOVE_MIN)
    return max(allowed, key=float, default=None)
