"""Which values of a batch are not like the others: the generalized extreme Studentized deviate test.

B. Rosner 1983, "Percentage points for a generalized ESD many-outlier procedure", Technometrics 25, 165-172: the value farthest from
the mean is taken away again and again, up to so many; as many are outliers as the last distance that is more than its limit. Several
outliers do not hide each other so. It takes the other values for normal, which those of one model are nearer to in logarithms where
they cannot be negative.

Of a skewed or a long-tailed scatter, which healthy drives may have too, that test calls the last values odd. So two things are asked
besides, and neither can add an outlier: distances count in the scatter of their own side where that is wider, and an outlier is half as
far again from the mean as the farthest of the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import fsum, log, sqrt
from statistics import median

from ssdlab import _core
from ssdlab.analysis.statistics.standing import ALIKE

DRIVES_MIN = 10
"""Of fewer drives nothing is said: the scatter of so few is too badly known for a level as strict as this."""
LEVEL = 0.001
"""Probability that a healthy batch has any odd drive by chance, over all its drives and numbers."""
_SHARE_MAX = 4
"""At most one in so many values is looked at: where more are odd, there is no batch that they differ from."""
_TIMES_FARTHER = 1.5
"""Than the farthest of the others: the last values of a long-tailed scatter follow each other more closely."""
_RESOLVED = 1e-6
"""Of a value: what differs by less is the same number, but for rounding. Values are told apart by whole steps of it."""


@dataclass(frozen=True, slots=True)
class Outlier:
    """A value that is not like the others."""

    place: int
    """Of the value among those that were given."""
    deviations: float
    """How many standard deviations of the values that are no outliers it lies from their mean; has a sign."""


def outliers(values: Sequence[float], level: float) -> tuple[Outlier, ...]:
    """The values that are not like the others, the farthest first; none of fewer than `DRIVES_MIN`.

    A value is an outlier if the test says so, and if besides it differs from the mean of the others by more than numbers must to differ in
    practice. Values that are known to a step only, as counts are, come closer to the mean by one step before they are judged: a difference of
    one step says nothing, and of values all alike but one it cannot be known what a step is.

    Args:
        values: All more than 0.
        level: Probability of any outlier among normal values.
    """
    if len(values) < DRIVES_MIN:
        return ()
    steps = [round(log(value) / _RESOLVED) for value in values]
    step = _step(steps)
    places = list(range(len(values)))
    taken: list[int] = []
    odd = 0
    for number in range(1, len(values) // _SHARE_MAX + 1):
        mean, _ = _spread([steps[place] for place in places])
        farthest = max(places, key=lambda place: abs(steps[place] - mean))
        places.remove(farthest)
        taken.append(farthest)
        if _stands_out(steps[farthest], [steps[place] for place in places], step, reach(len(places) + 1, level)):
            odd = number
    rest = [place for place in range(len(values)) if place not in taken[:odd]]
    mean, deviation = _spread([steps[place] for place in rest])
    floor = max(deviation, step)
    found = (Outlier(place, (steps[place] - mean) / floor) for place in taken[:odd])
    return tuple(one for one in found if abs(steps[one.place] - mean) * _RESOLVED > ALIKE)


@lru_cache(maxsize=4096)
def reach(count: int, level: float) -> float:
    """How many standard deviations of the others the farthest value lies from their mean with that probability.

    It is the limit of Rosner's test, which has the deviation of all values, in that of the others, which does not grow with the value.

    Args:
        count: Of the values that are left, with the farthest.
        level: Probability of any outlier.
    """
    return _core.student_t_beyond(level / (2 * count), count - 2) * sqrt(1 + 1 / (count - 1))


def _stands_out(own: int, others: Sequence[int], step: int, reach_deviations: float) -> bool:
    mean, deviation = _spread(others)
    if not deviation:
        # Others that are all alike say nothing of how far healthy ones scatter.
        return False
    if own < mean:
        own, others, mean = -own, [-one for one in others], -mean
    beyond = own - mean - step
    # Of a side the spread is that from the median: half of a symmetric scatter has the deviation of the whole.
    middle = median(others)
    side = sqrt(fsum((one - middle) ** 2 for one in others if one > middle) / max(1, len(others) / 2))
    farthest = max(abs(one - mean) for one in others)
    return beyond > reach_deviations * max(deviation, side) and beyond > _TIMES_FARTHER * farthest


def _step(steps: Sequence[int]) -> int:
    """The smallest distance between two that differ."""
    ordered = sorted(set(steps))
    return min((upper - lower for lower, upper in pairwise(ordered)), default=0)


def _spread(steps: Sequence[int]) -> tuple[float, float]:
    """Mean and standard deviation."""
    mean = fsum(steps) / len(steps)
    return mean, sqrt(fsum((one - mean) ** 2 for one in steps) / (len(steps) - 1))
