"""How numbers of drives stand to each other: one definition of the number of several runs, of a tie, and of a place."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from math import sqrt
from statistics import mean, median, stdev

from ssdlab.bundle.quantities import Better

REPEATS_WITHIN = timedelta(days=7)
"""Runs of one drive that follow each other within a week are repetitions; what comes later shows how the drive ages."""
ALIKE = 0.03
"""Numbers without intervals that differ by no more than this share of their mean are tied; with intervals, less is no difference in practice."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, and the ends of its 95 % interval where it has one."""

    value: float
    low: float | None = None
    high: float | None = None


class RankOrder(Enum):
    """How one number stands to another."""

    AHEAD = "ahead"
    LEVEL = "level"
    BEHIND = "behind"


@dataclass(frozen=True, slots=True)
class Places:
    """The places that a number may have among others, from 1; more than one where it is tied."""

    first: int
    last: int
    count: int


def over_runs(runs: Sequence[Estimate]) -> Estimate:
    """A number that was measured several times: the median (METHODS 0), and the 95 % interval of the mean by Student's t.

    Args:
        runs: The numbers of the runs, at least one; where all are the same, the interval is the widest of their own.
    """
    if len({run.value for run in runs}) == 1:
        # That runs agree to the last digit says nothing of how far they may scatter.
        return max(runs, key=_width)
    from ssdlab.analysis.statistics.interval import student_t

    values = [run.value for run in runs]
    middle, centre = median(values), mean(values)
    reach = student_t(len(values) - 1) * stdev(values) / sqrt(len(values))
    return Estimate(middle, min(middle, centre - reach), max(middle, centre + reach))


def order(own: Estimate, other: Estimate, better: Better) -> RankOrder:
    """Level where the intervals overlap; without intervals where both differ by a few per cent only."""
    (own_low, own_high), (other_low, other_high) = _ends(own, better), _ends(other, better)
    if own_low <= other_high and other_low <= own_high:
        return RankOrder.LEVEL
    is_better = from_best(own.value, better) < from_best(other.value, better)
    return RankOrder.AHEAD if is_better else RankOrder.BEHIND


def differ_in_practice(own: float, other: float) -> bool:
    """Whether two numbers are so far apart that it matters, however well each is known."""
    return abs(own - other) > ALIKE * (abs(own) + abs(other)) / 2


def places(own: Estimate, others: Sequence[Estimate], better: Better) -> Places:
    """Which places a number may have among these."""
    orders = [order(own, other, better) for other in others]
    ahead, level = orders.count(RankOrder.BEHIND), orders.count(RankOrder.LEVEL)
    return Places(first=ahead + 1, last=ahead + level + 1, count=len(others) + 1)


def from_best(value: float, better: Better) -> float:
    """Ascending from the best; of what has a sign, from the nearest to zero."""
    match better:
        case Better.HIGHER:
            return -value
        case Better.LOWER:
            return value
        case Better.NEAR_ZERO:
            return abs(value)


def _width(estimate: Estimate) -> float:
    return 0.0 if estimate.low is None or estimate.high is None else estimate.high - estimate.low


def _ends(estimate: Estimate, better: Better) -> tuple[float, float]:
    """Between which values it lies; of what has a sign, between which distances from zero."""
    low, high = estimate.low, estimate.high
    if low is None or high is None:
        reach = abs(estimate.value) * ALIKE / 2
        low, high = estimate.value - reach, estimate.value + reach
    if better is not Better.NEAR_ZERO:
        return low, high
    near, far = sorted((abs(low), abs(high)))
    return (0.0 if low <= 0 <= high else near), far
