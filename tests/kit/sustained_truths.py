"""The numbers of a sustained pass, worked out from its windows by sums alone, without the code of the analysis."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.engine.result import Series
from ssdlab.units import NS_PER_S

_NEAR = 0.05
"""METHODS U: of the median, and how far the line may move."""
_FOR = 0.99


@dataclass(frozen=True, slots=True, eq=False)
class PassTruth:
    """What a pass was.

    Attributes:
        mean: Bytes a second of all of it.
        seconds: Bytes of each whole second.
    """

    mean: float
    seconds: NDArray[np.float64]

    @property
    def is_flat(self) -> bool:
        """99 % of the seconds are near the median, and the line through them hardly moves."""
        near, moved = flatness(self.seconds)
        return near >= _FOR and moved <= _NEAR

    @property
    def margin(self) -> float:
        """How far it is from being called otherwise, as a share of the seconds or of the mean."""
        near, moved = flatness(self.seconds)
        return min(abs(near - _FOR), abs(moved - _NEAR))

    def percent_below(self, bytes_per_s: float) -> float:
        """Of the seconds, those that were slower."""
        return 100.0 * float(np.count_nonzero(self.seconds < bytes_per_s)) / len(self.seconds)


def pass_truth(series: Series) -> PassTruth:
    """That of recorded windows: each gives its bytes evenly to the seconds that it lies in."""
    seconds = [0.0] * (int(series.time_ns[-1]) // NS_PER_S + 1)
    begin_ns, before = 0, 0
    for end_ns, done in zip(series.time_ns.tolist(), series.bytes_done.tolist(), strict=True):
        for second in range(begin_ns // NS_PER_S, end_ns // NS_PER_S + 1):
            shared_ns = min(end_ns, (second + 1) * NS_PER_S) - max(begin_ns, second * NS_PER_S)
            seconds[second] += (done - before) * max(0, shared_ns) / max(1, end_ns - begin_ns)
        begin_ns, before = end_ns, done
    return PassTruth(before * NS_PER_S / begin_ns, np.array(seconds[:-1]))


def flatness(seconds: NDArray[np.float64]) -> tuple[float, float]:
    """Share of seconds within 5 % of the median; how far the line through them moves, of the mean: by sums, without a fit."""
    place = np.arange(len(seconds)) - (len(seconds) - 1) / 2
    slope = float(np.sum(place * seconds) / np.sum(place * place))
    middle = median(seconds)
    near = float(np.mean(np.abs(seconds - middle) <= _NEAR * middle))
    return near, abs(slope) * (len(seconds) - 1) / float(seconds.mean())


def median(values: NDArray[np.float64]) -> float:
    """By order alone."""
    return float(np.sort(values)[[(len(values) - 1) // 2, len(values) // 2]].mean())
