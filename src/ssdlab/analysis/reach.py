"""Where the mapping cache stops covering the drive: two levels of read speed against the active range (METHODS C3).

Inside the reach every mapping is at hand. Beyond it, with independent draws over `g` bytes and a cache that covers `R` of them,
the share `1 - R / g` of the reads has to fetch its mapping first, so a read takes `c (1 + b (1 - R / g))` instead of `c`.
The law is fitted to the logarithm of the time a read takes, and must do better than an even slope.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.interval import Interval
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
_KNEES_A_DOUBLING = 40
_COSTS = np.geomspace(0.02, 30.0, 150)
"""Times a fetched mapping adds to a read, of the time of a read without."""


@dataclass(frozen=True, slots=True)
class RangePoint:
    """Random reads inside the first bytes of the drive."""

    range_bytes: int
    iops: float


@dataclass(frozen=True, slots=True)
class Reach:
    """What the ranges say.

    Attributes:
        bytes: Largest range without a fall.
        interval: Its 95 % interval.
        hidden_bytes: The reach may be as small as that if a limit elsewhere (link, controller) hides the first misses.
        drop: Share of the speed lost over the whole drive.
    """

    bytes: float
    interval: Interval
    hidden_bytes: float
    drop: float


def reach_of(points: Sequence[RangePoint]) -> Reach | Unknown:
    """Fit the law to ranges in any order; Unknown with the reason where nothing falls, or nothing falls like it."""
    ordered = sorted(points, key=lambda one: one.range_bytes)
    if len(ordered) < _POINTS_MIN or min(one.iops for one in ordered) <= 0:
        return Unknown(f"{len(ordered)} ranges, the two levels need at least {_POINTS_MIN} with reads in each")
    ranges = np.array([one.range_bytes for one in ordered], dtype=np.float64)
    log_time = -np.log([one.iops for one in ordered])
    knees = np.geomspace(ranges[0], ranges[-1], 1 + round(_KNEES_A_DOUBLING * np.log2(ranges[-1] / ranges[0])))[:-1]
    squares, costs = _fit(ranges, log_time, knees)
    best = int(np.argmin(squares))
    drop = 1 - 1 / (1 + costs[best] * (1 - knees[best] / ranges[-1]))
    if drop < DROP_MIN:
        return Unknown(f"no drop within the drive: the speed falls by less than {DROP_MIN:.0%}")
    floor = len(ranges) * _ERROR_FLOOR**2
    if _slope_squares(ranges, log_time) + floor < _BETTER * (squares[best] + floor):
        return Unknown("no knee: the speed falls evenly with the range, or not like that of a mapping cache")
    variance = max(_ERROR_FLOOR**2, float(squares[best]) / (len(ranges) - 3))
    likely = knees[squares <= squares[best] + _LIKELY * variance]
    step = (1 + _LAW_ERROR) * 2 ** (1 / _KNEES_A_DOUBLING)
    return Reach(
        bytes=float(knees[best]),
        interval=Interval(float(likely[0]) / step, float(likely[-1]) * step),
        hidden_bytes=float(knees[best] * costs[best] / (1 + costs[best])),
        drop=float(drop),
    )


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
