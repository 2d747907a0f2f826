"""Where the mapping cache stops covering the drive: two levels of read speed against the active range (METHODS C3).

Inside the reach every mapping is at hand. Beyond it, with independent draws over `g` bytes and a cache that covers `R` of them,
the share `1 - R / g` of the reads has to fetch its mapping first, so a read takes `c (1 + b (1 - R / g))` instead of `c`.
The law is fitted to the logarithm of the time a read takes, and must do better than an even slope.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.message import message, number
from ssdlab.unknown import Unknown

Floats = NDArray[np.float64]

DROP_MIN = 0.10
"""A smaller fall over all ranges is none."""
_POINTS_MIN = 4
"""Fewer ranges cannot hold two levels and tell them from a slope."""
_ERROR_FLOOR = 0.02
"""Two measurements of one range never agree better: layout and neighbours differ."""
_LAW_ERROR = 0.08
"""The law leaves out that reads and fetches of mappings wait for each other; on model drives its knee is off by up to this."""
_LIKELY = 3.84
"""Rise of the sum of squares at the ends of a 95 % interval, in variances: the chi-squared quantile."""
_BETTER = 4.0
"""How many times better than a steady slope two levels must fit."""
_ONE_QUEUE = 0.4
"""Spread of latency below which all reads wait equally long. On model drives one queue gives up to 0.21, many dies 0.65 and more."""
_KNEES_A_DOUBLING = 40
_COSTS = np.geomspace(0.02, 30.0, 150)
"""Times a fetched mapping adds to a read, of the time of a read without."""


@dataclass(frozen=True, slots=True)
class RangePoint:
    """Random reads inside the first bytes of the drive.

    Attributes:
        latency_spread: Standard deviation of their latency over its mean.
    """

    range_bytes: int
    iops: float
    latency_spread: float | Unknown


class Limit(Enum):
    """What limits the reads inside the reach."""

    FLASH = "flash"
    """Many dies, each with a queue of its own, so waits differ."""
    COMMON = "link or controller"
    """All reads wait in one queue, and equally long: the first misses cost nothing, and the knee appears beyond the reach."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class MappingCacheReach:
    """What the ranges say.

    Attributes:
        bytes: Largest range without a fall.
        interval: Its 95 % interval; down to `hidden_bytes` where the limit is a common one.
        hidden_bytes: The least the reach may be if a common limit hides the first misses: a read without one takes some time.
        limit: What the reads inside the reach are limited by.
        drop: Share of the speed lost over the whole drive.
    """

    bytes: float
    interval: Interval
    hidden_bytes: float
    limit: Limit
    drop: float


def reach_of(points: Sequence[RangePoint]) -> MappingCacheReach | Unknown:
    """Fit the law to ranges in any order; Unknown with the reason where nothing falls, or nothing falls like it."""
    ordered = sorted(points, key=lambda one: one.range_bytes)
    if len(ordered) < _POINTS_MIN or min(one.iops for one in ordered) <= 0:
        return Unknown(message("unknown-few-ranges", ranges=len(ordered), needed=_POINTS_MIN))
    ranges = np.array([one.range_bytes for one in ordered], dtype=np.float64)
    log_time = -np.log([one.iops for one in ordered])
    knees = np.geomspace(ranges[0], ranges[-1], 1 + round(_KNEES_A_DOUBLING * np.log2(ranges[-1] / ranges[0])))[:-1]
    squares, costs = _fit(ranges, log_time, knees)
    best = int(np.argmin(squares))
    drop = 1 - 1 / (1 + costs[best] * (1 - knees[best] / ranges[-1]))
    if drop < DROP_MIN:
        return Unknown(message("unknown-no-drop", least=number(DROP_MIN, ".0%")))
    floor = len(ranges) * _ERROR_FLOOR**2
    if _slope_squares(ranges, log_time) + floor < _BETTER * (squares[best] + floor):
        return Unknown(message("unknown-no-knee"))
    variance = max(_ERROR_FLOOR**2, float(squares[best]) / (len(ranges) - 3))
    likely = knees[squares <= squares[best] + _LIKELY * variance]
    step = (1 + _LAW_ERROR) * 2 ** (1 / _KNEES_A_DOUBLING)
    hidden_bytes, limit = float(knees[best] * costs[best] / (1 + costs[best])), _limit(ordered, knees[best])
    low_bytes = min(float(likely[0]), hidden_bytes if limit is Limit.COMMON else np.inf)
    return MappingCacheReach(
        bytes=float(knees[best]),
        interval=Interval(low_bytes / step, float(likely[-1]) * step),
        hidden_bytes=hidden_bytes,
        limit=limit,
        drop=float(drop),
    )


def _limit(points: Sequence[RangePoint], knee_bytes: float) -> Limit:
    """Whether the reads inside the reach wait in one queue or in many."""
    inside = [one.latency_spread for one in points if one.range_bytes <= knee_bytes]
    spreads = [spread for spread in inside if not isinstance(spread, Unknown)]
    if not spreads:
        return Limit.UNKNOWN
    return Limit.COMMON if float(np.median(spreads)) < _ONE_QUEUE else Limit.FLASH


def _fit(ranges: Floats, log_time: Floats, knees: Floats) -> tuple[Floats, Floats]:
    """For each knee the least sum of squares and the cost of a miss that gives it; the time of a hit follows."""
    missed = np.maximum(0.0, 1 - knees[:, None] / ranges[None, :])
    shape = np.log1p(_COSTS[None, :, None] * missed[:, None, :])
    rest = log_time[None, None, :] - shape
    squares = ((rest - rest.mean(axis=2, keepdims=True)) ** 2).sum(axis=2)
    chosen = squares.argmin(axis=1)
    return squares[np.arange(len(knees)), chosen], _COSTS[chosen]


def _slope_squares(ranges: Floats, log_time: Floats) -> float:
    """What an even slope against the logarithm of the range leaves unexplained."""
    line = np.polyfit(np.log(ranges), log_time, 1)
    return float(((log_time - np.polyval(line, np.log(ranges))) ** 2).sum())
