"""The numbers of all drives of a ranking at once, and their places.

Each held against each takes an hour where there are a hundred thousand, and numbers of several runs one after the other a third of
what their ranking takes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.interval import student_t
from ssdlab.analysis.statistics.standing import ALIKE, Estimate, Places, places
from ssdlab.bundle.quantities import Better
from ssdlab.library.many_objects import without_collections

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """Numbers of many drives: arrays of one length.

    Attributes:
        low: Of the 95 % interval of each; NaN where it has none, as is `high` then.
    """

    value: Floats
    low: Floats
    high: Floats

    def at(self, indices: NDArray[np.intp]) -> "Estimates":
        """Some of them, in that order."""
        return Estimates(self.value[indices], self.low[indices], self.high[indices])

    def each(self) -> Iterator[Estimate]:
        """One after the other."""
        for value, low, high in zip(self.value.tolist(), self.low.tolist(), self.high.tolist(), strict=True):
            yield Estimate(value) if np.isnan(low) else Estimate(value, low, high)


def estimates_of(numbers: Sequence[tuple[float, float | None, float | None]]) -> Estimates:
    """Of numbers with the ends of their intervals, where both are known."""
    flat = np.array(list(chain.from_iterable(numbers)), dtype=np.float64).reshape(-1, 3)
    value, low, high = flat.T
    without = np.isnan(low) | np.isnan(high)
    return Estimates(value, np.where(without, np.nan, low), np.where(without, np.nan, high))


def all_over_runs(runs: Estimates, counts: Sequence[int]) -> Estimates:
    """What `over_runs` says of each drive; but for its rounding the same.

    Args:
        runs: Of the first drive, then of the second, and so on.
        counts: How many are of each; at least one.
    """
    many = np.array(counts, dtype=np.intp)
    begins = np.cumsum(many) - many
    found = runs.at(begins)
    for count in set(counts) - {1}:
        drives = np.flatnonzero(many == count)
        of_drives = _over_as_many(runs.at(begins[drives, None] + np.arange(count)))
        for whole, part in zip((found.value, found.low, found.high), of_drives, strict=True):
            whole[drives] = part
    return found


def _over_as_many(runs: Estimates) -> tuple[Floats, Floats, Floats]:
    """Of drives with the same number of runs, two or more: drives x runs."""
    value = runs.value
    count = value.shape[1]
    middle, centre = np.median(value, axis=1), np.mean(value, axis=1)
    reach = student_t(count - 1) * np.std(value, axis=1, ddof=1) / np.sqrt(count)
    # That runs agree to the last digit says nothing of how far they may scatter: the widest of their own intervals stays.
    widest = np.nan_to_num(runs.high - runs.low).argmax(axis=1)[:, None]
    own_low, own_high = (np.take_along_axis(ends, widest, axis=1)[:, 0] for ends in (runs.low, runs.high))
    alike = (value == value[:, :1]).all(axis=1)
    low = np.where(alike, own_low, np.minimum(middle, centre - reach))
    high = np.where(alike, own_high, np.maximum(middle, centre + reach))
    return middle, low, high


@without_collections()
def all_places(estimates: Estimates, better: Better) -> tuple[Places, ...]:
    """What `places` says of each among the others, by sorting the ends of their intervals."""
    value, low, high = _ends(estimates, better)
    if not ((low <= value) & (value <= high)).all():
        # Beside its own interval the value decides, and its ends do not tell where it stands.
        each = list(estimates.each())
        return tuple(places(own, [*each[:at], *each[at + 1 :]], better) for at, own in enumerate(each))
    count = len(value)
    below = np.searchsorted(np.sort(high), low, side="left")
    above = count - np.searchsorted(np.sort(low), high, side="right")
    ahead = above if better is Better.HIGHER else below
    last = count - (below if better is Better.HIGHER else above)
    return tuple(
        Places(first=first + 1, last=end, count=count) for first, end in zip(ahead.tolist(), last.tolist(), strict=True)
    )


def best_first(estimates: Estimates, better: Better) -> NDArray[np.intp]:
    """Where the best stands, then the second; equal ones as they stand."""
    key = {Better.HIGHER: -estimates.value, Better.LOWER: estimates.value, Better.NEAR_ZERO: np.abs(estimates.value)}
    return np.argsort(key[better], kind="stable")


def _ends(estimates: Estimates, better: Better) -> tuple[Floats, Floats, Floats]:
    """Values and the ends of their intervals, as `standing.order` compares them; of what has a sign, distances from zero."""
    value = estimates.value
    reach = np.abs(value) * ALIKE / 2
    without = np.isnan(estimates.low)
    low = np.where(without, value - reach, estimates.low)
    high = np.where(without, value + reach, estimates.high)
    if better is not Better.NEAR_ZERO:
        return value, low, high
    near, far = np.minimum(np.abs(low), np.abs(high)), np.maximum(np.abs(low), np.abs(high))
    return np.abs(value), np.where((low <= 0) & (high >= 0), 0.0, near), far
