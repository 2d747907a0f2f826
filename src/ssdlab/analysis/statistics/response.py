"""Percentiles of the response latency of an open loop, in which I/Os that were never submitted have their place, too."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, inf, sqrt

import numpy as np

from ssdlab import _core
from ssdlab.analysis.statistics.interval import Interval, standard_error
from ssdlab.analysis.statistics.percentile import SAMPLES_ABOVE_MIN, merged, rank_of
from ssdlab.engine.result import Histogram, Series
from ssdlab.message import message
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

_Z_975 = 1.959964
_WINDOWS_MIN = 6
"""Fewer do not tell how long the queue remembers."""


@dataclass(frozen=True, slots=True, eq=False)
class Responses:
    """All I/Os of an open loop.

    Attributes:
        done: From when each was due to its completion.
        unsubmitted: Those that were due and never submitted: their latency is not known, but longer than that of the others.
        per_sample: How many neighbouring I/Os tell as much as one independent; I/Os that wait for the same queue are alike.
    """

    done: Histogram
    unsubmitted: int
    per_sample: float | Unknown

    @property
    def total(self) -> int:
        """All that were due."""
        return self.done.total + self.unsubmitted

    def rank_ns(self, rank: int) -> float:
        """The latency of that rank, to the width of fio's bins (0.8 %); infinite where it is one that was never submitted."""
        if rank > self.done.total:
            return inf
        place = int(np.searchsorted(np.cumsum(self.done.count), max(1, rank)))
        return float(min(_core.bin_mid(int(self.done.bin_index[place])), self.done.max_ns))

    def tail_ns(self, percent: str) -> float:
        """A percentile by nearest rank, however few samples lie above: enough to decide which load comes next."""
        return self.rank_ns(rank_of(percent, self.total))

    def percentile_ns(self, percent: str) -> float | Unknown:
        """The same as a number to be quoted, with at least ten samples above."""
        above = self.total - rank_of(percent, self.total)
        if above < SAMPLES_ABOVE_MIN:
            few = message("unknown-few-of-samples-above", least=SAMPLES_ABOVE_MIN, samples=self.total)
            return Unknown(few)
        found = self.tail_ns(percent)
        return Unknown(message("unknown-never-submitted", count=self.unsubmitted)) if found == inf else found

    def interval_ns(self, percent: str) -> Interval | None:
        """95 % interval of a percentile by order statistics, as wide as for so many independent samples as there really are.

        Its upper end is infinite where it is an I/O that was never submitted, and where it lies above all I/Os: the largest of them bounds
        nothing. None where nothing tells how many are independent.
        """
        if isinstance(self.per_sample, Unknown):
            return None
        share = float(Fraction(percent) / 100)
        middle = share * self.total
        reach = _Z_975 * sqrt(middle * (1 - share) * self.per_sample)
        low, high = floor(middle - reach), ceil(middle + reach)
        return Interval(self.rank_ns(max(1, low)), self.rank_ns(high) if high <= self.total else inf)


def responses_of(done: Sequence[Histogram], series: Iterable[Series], unsubmitted: int) -> Responses | None:
    """Of all directions together; None where nothing completed."""
    if not any(one.total for one in done):
        return None
    whole = merged(done)
    return Responses(whole, unsubmitted, _per_sample(whole, tuple(series)))


def _per_sample(done: Histogram, series: Sequence[Series]) -> float | Unknown:
    """By how much the mean of the windows scatters more than that of independent I/Os would ("design effect", Kish 1965)."""
    sums = [(one.iops * one.duration_ns / NS_PER_S, one.latency_ns_mean) for one in series]
    windows = min((len(ios) for ios, _ in sums), default=0)
    if windows < _WINDOWS_MIN:
        return Unknown(message("unknown-few-windows"))
    ios = np.sum([count[:windows] for count, _ in sums], axis=0)
    waited_ns = np.sum([count[:windows] * np.nan_to_num(mean_ns[:windows]) for count, mean_ns in sums], axis=0)
    means_ns = waited_ns[ios > 0] / ios[ios > 0]
    error = standard_error(means_ns)
    if error is None:
        return Unknown(message("unknown-few-windows"))
    if not done.stddev_ns:
        return 1.0
    return max(1.0, done.total * (error.value / done.stddev_ns) ** 2)
