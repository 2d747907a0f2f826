"""95 % intervals of percentiles by order statistics, as far apart as the slow I/Os of a point scatter over its time.

Slow I/Os come together: while a drive collects garbage, in a cache that is full, at one of two speeds. So many of them tell as much as
fewer independent ones, and how much fewer is seen by counting those slower than the percentile in each part of the point's time: what
these counts scatter by beyond independent I/Os widens the interval. Slow spells that come more seldom than the point lasts leave no
trace in it, and its interval does not know of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, sqrt

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.analysis.statistics.interval import Interval, standard_error, student_t
from ssdlab.engine.result import Histogram, LatencyWindows
from ssdlab.message import message
from ssdlab.unknown import Unknown

PARTS_MAX = 256
"""Of a point's time: longer ones join two."""
_Z_975 = 1.959964


@dataclass(frozen=True, slots=True, eq=False)
class LatencyParts:
    """Latencies of a point by when they completed.

    Attributes:
        count: int64, shape (parts, classes): I/Os of each part of its time, by classes of latency in ascending order.
    """

    count: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Ranks:
    """Of the I/Os between which a percentile lies, counted from 1 for the fastest."""

    low: int
    high: int


def parts_of(runs: Sequence[Sequence[LatencyWindows]]) -> LatencyParts:
    """One run after the other; in each its directions, one at least, together, in windows as long as the longest of theirs."""
    part, level, count = [], [], []
    begun = 0
    for run in runs:
        length_ns = max(one.window_ns for one in run)
        for one in run:
            part.append(begun + (np.maximum(one.time_ns, 1) - 1) // length_ns)
            level.append(one.bin_index)
            count.append(one.count)
        begun = 1 + max(int(of_run.max(initial=begun - 1)) for of_run in part[-len(run) :])
    levels, place = np.unique(np.concatenate(level), return_inverse=True)
    counted = np.zeros((begun, len(levels)), dtype=np.int64)
    np.add.at(counted, (np.concatenate(part), place), np.concatenate(count))
    return LatencyParts(counted)


def ranks_around(percent: str, total: int, parts: LatencyParts) -> Ranks | Unknown:
    """Ranks between which a percentile of all that the drive would do under the load lies, 95 %; never nearer than of independent I/Os.

    Args:
        percent: In decimals (`"99.9"`).
        total: I/Os of the whole distribution.
        parts: The same I/Os, by time.

    Returns:
        Unknown for fewer than six parts, and where an end lies beyond all I/Os, which then bound nothing.
    """
    share, of_parts = float(1 - Fraction(percent) / 100), int(parts.count.sum())
    middle = of_parts * (1 - share)
    above = _reach(parts, share, middle, unseen=1)
    # More I/Os are slower than the lower end, and scatter more where they come together.
    below = None if above is None else _reach(parts, share, middle - above, unseen=0)
    if above is None or below is None:
        return Unknown(message("unknown-few-windows"))
    low, high = floor((middle - below) * total / of_parts), ceil((middle + above) * total / of_parts)
    return Ranks(low, high) if low >= 1 and high <= total else Unknown(message("metric-interval-open-above"))


def _reach(parts: LatencyParts, share: float, rank: float, unseen: int) -> float | None:
    """By how many I/Os the number of those slower than the I/O of a rank may be off by chance, 95 %; None for fewer than six parts.

    Of the class that holds the rank as large a share counts as slower in each part; which I/Os these are is chance.

    Args:
        parts: All I/Os.
        share: Of them that is slower than the percentile: independent ones scatter as a binomial distribution of that.
        rank: From 0 to their number.
        unseen: Slow spells like the worst that another such time may have more: a few do not tell better than that what they scatter by.
    """
    of_class = parts.count.sum(axis=0)
    up_to = np.cumsum(of_class)
    total, place = int(up_to[-1]), int(np.searchsorted(up_to, max(1.0, rank)))
    split = min(1.0, (float(up_to[place]) - max(0.0, rank)) / float(of_class[place]))
    slower = parts.count[:, place + 1 :].sum(axis=1) + split * parts.count[:, place]
    of_part = parts.count.sum(axis=1)
    apart = slower - slower.sum() / total * of_part
    error = standard_error(apart)
    if error is None:
        return None
    worst = max(0.0, float(apart.max()))
    variance = (error.value * len(apart)) ** 2 + split * (1 - split) * float(of_class[place]) + unseen * worst**2
    independent = total * share * (1 - share)
    return sqrt(_Z_975**2 * independent + student_t(error.degrees) ** 2 * max(0.0, variance - independent))


def between_bins(histogram: Histogram, ranks: Ranks) -> Interval:
    """From the lower end of the one's bin to the upper end of the other's: fio's bins do not tell where in them an I/O is."""
    low, high = (int(histogram.bin_index[place]) for place in _places(histogram.count, ranks))
    return Interval(float(_core.bin_low(low)), float(_core.bin_high(high)))


def _places(count: NDArray[np.int64], ranks: Ranks) -> tuple[int, int]:
    up_to = np.cumsum(count)
    return int(np.searchsorted(up_to, ranks.low)), int(np.searchsorted(up_to, ranks.high))
