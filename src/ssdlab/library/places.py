"""The numbers of all drives of a ranking at once, and their places.

Each held against each takes an hour where there are a hundred thousand, and numbers of several runs one after the other a third of
what their ranking takes.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.interval import student_t
from ssdlab.analysis.statistics.standing import ALIKE, Estimate, Places, over_runs, places
from ssdlab.bundle.quantities import Better
from ssdlab.library.many_objects import without_collections


@without_collections()
def all_places(estimates: Sequence[Estimate], better: Better) -> tuple[Places, ...]:
    """What `places` says of each among the others, by sorting the ends of their intervals."""
    value, low, high = _ends(estimates, better)
    if not ((low <= value) & (value <= high)).all():
        # Beside its own interval the value decides, and its ends do not tell where it stands.
        return tuple(places(own, [*estimates[:at], *estimates[at + 1 :]], better) for at, own in enumerate(estimates))
    count = len(estimates)
    below = np.searchsorted(np.sort(high), low, side="left")
    above = count - np.searchsorted(np.sort(low), high, side="right")
    ahead = above if better is Better.HIGHER else below
    last = count - (below if better is Better.HIGHER else above)
    return tuple(
        Places(first=first + 1, last=end, count=count) for first, end in zip(ahead.tolist(), last.tolist(), strict=True)
    )


def all_over_runs(drives: Sequence[Sequence[Estimate]]) -> list[Estimate]:
    """What `over_runs` says of the runs of each, at least one of each; but for its rounding the same."""
    found = [runs[0] for runs in drives]
    by_count: dict[int, list[int]] = {}
    for at, runs in enumerate(drives):
        if len(runs) > 1:
            by_count.setdefault(len(runs), []).append(at)
    for places_of_count in by_count.values():
        for at, estimate in zip(places_of_count, _over_as_many([drives[at] for at in places_of_count]), strict=True):
            found[at] = estimate
    return found


def _over_as_many(drives: Sequence[Sequence[Estimate]]) -> list[Estimate]:
    """Of drives with the same number of runs, two or more."""
    values = np.array([[run.value for run in runs] for runs in drives], dtype=np.float64)
    count = values.shape[1]
    middle, centre = np.median(values, axis=1), np.mean(values, axis=1)
    reach = student_t(count - 1) * np.std(values, axis=1, ddof=1) / np.sqrt(count)
    ends = np.stack([middle, np.minimum(middle, centre - reach), np.maximum(middle, centre + reach)], axis=1)
    alike = (values == values[:, :1]).all(axis=1)
    return [
        over_runs(runs) if is_alike else Estimate(*row)
        for runs, row, is_alike in zip(drives, ends.tolist(), alike.tolist(), strict=True)
    ]


def _ends(estimates: Sequence[Estimate], better: Better) -> tuple[NDArray[np.float64], ...]:
    """Values and the ends of their intervals, as `standing.order` compares them; of what has a sign, distances from zero."""
    value = np.array([one.value for one in estimates], dtype=np.float64)
    reach = np.abs(value) * ALIKE / 2
    without = np.array([one.low is None or one.high is None for one in estimates], dtype=np.bool_)
    low = np.where(without, value - reach, np.array([one.low for one in estimates], dtype=np.float64))
    high = np.where(without, value + reach, np.array([one.high for one in estimates], dtype=np.float64))
    if better is not Better.NEAR_ZERO:
        return value, low, high
    near, far = np.minimum(np.abs(low), np.abs(high)), np.maximum(np.abs(low), np.abs(high))
    return np.abs(value), np.where((low <= 0) & (high >= 0), 0.0, near), far
