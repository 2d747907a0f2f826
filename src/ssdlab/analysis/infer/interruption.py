"""A fill without what only interrupts it: pauses, dips and standstills, however often they come.

A drive that stands still for 300 ms every 3 s has not changed its speed, nor has one that stalls for a minute. Where speeds are
looked for, such windows say nothing and are left out; where bytes and time are counted, they count.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.changepoint import log_levels
from ssdlab.analysis.statistics.noise import CHI_SQUARED_MEDIAN, WindowNoise, window_noise
from ssdlab.engine.result import Series

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

_AROUND = 100
"""Windows before and windows after, that say what the speed is."""
_AROUND_SHARE = 0.1
"""Likewise, in a short series."""
_AROUND_MIN = 6
_LEVEL_PERCENT = 60
"""Of the windows around, in ascending order, the one taken as their speed: dips are a minority, and no wave of the noise its crest."""
_DEPTH = 0.15
"""Difference of the logarithm from which a window is no part of the level."""
_SIGMAS = 4.0
_APART = 8
"""Windows so far apart show most of the noise, and hardly ever two different levels."""
_INTERRUPTED_MAX = 0.4
"""Where more is interruption, it is what the drive does."""
STALL_NS = 2_000_000_000
"""An interruption that takes longer is a stall and no pause."""
_STANDSTILL = 0.1
"""Share of the slowest speed at which anything much is written."""
_LITTLE = 0.02
"""Share of the bytes that is not much."""


@dataclass(frozen=True, slots=True)
class Steady:
    """The windows of a series that are not interruptions, one after another as if nothing lay between.

    Attributes:
        whole: The series they are from.
        series: Them alone.
        origin: Which windows of the whole they are.
        log_values: Logarithms of their speeds.
        noise: Of these.
    """

    whole: Series
    series: Series
    origin: Indices
    log_values: Floats
    noise: WindowNoise

    def without(self, start: int, end: int) -> "Steady":
        """The same without steady windows `start` to `end` (exclusive), which interrupt it after all."""
        return _of_windows(self.whole, np.delete(self.origin, slice(start, end)))

    def in_whole(self, index: int) -> int:
        """The window of the whole series at which that one of the steady ones begins; interruptions belong to what they end."""
        if index == 0:
            return 0
        return int(self.origin[index]) if index < len(self.origin) else len(self.whole.time_ns)

    def span_in_whole(self, start: int, end: int) -> tuple[int, int]:
        """Windows of the whole series from steady window `start` to `end` (exclusive), with what interrupts them.

        A stall at either end is none of theirs: it may as well belong to what comes before or after.
        """
        ended_ns = self.whole.time_ns
        first, last = self.in_whole(start), self.in_whole(end)
        begin, over = int(self.origin[start]), int(self.origin[end - 1])
        if begin and int(ended_ns[begin - 1]) > STALL_NS:
            first = begin
        if int(ended_ns[last - 1]) - int(ended_ns[over]) > STALL_NS:
            last = over + 1
        return first, last

    @property
    def bytes_stalled_first(self) -> float:
        """Bytes of the interruption with which the whole series begins; 0 where it does not."""
        return float(self.whole.bytes_done[self.origin[0] - 1]) if self.origin[0] else 0.0

    def bytes_until(self, index: int) -> float:
        """Bytes of the whole series when the steady windows before that one had ended."""
        return float(self.whole.bytes_done[self.origin[index - 1]]) if index else 0.0

    def bytes_from(self, index: int) -> float:
        """Bytes of the whole series when that steady window began; more, if interruptions lay between."""
        begin = self.in_whole(index)
        return float(self.whole.bytes_done[begin - 1]) if begin else 0.0


def steady_of(series: Series) -> Steady:
    """The series without its interruptions."""
    return _of_windows(series, np.flatnonzero(~_interruptions(series)))


def _of_windows(series: Series, origin: Indices) -> Steady:
    steady = series
    if len(origin) < len(series.time_ns):
        steady = Series(
            window_ns=series.window_ns,
            time_ns=np.cumsum(series.duration_ns[origin]),
            bandwidth_bytes_per_s=series.bandwidth_bytes_per_s[origin],
            iops=series.iops[origin],
            latency_ns_mean=series.latency_ns_mean[origin],
            latency_ns_max=series.latency_ns_max[origin],
        )
    log_values = log_levels(steady.bandwidth_bytes_per_s)
    return Steady(series, steady, origin, log_values, window_noise(log_values))


def _interruptions(series: Series) -> NDArray[np.bool_]:
    """Which windows are."""
    rates = series.bandwidth_bytes_per_s
    still = _standstills(series)
    others = np.flatnonzero(~still)
    dips = _dips(log_levels(rates[others]))
    if dips.sum() <= _INTERRUPTED_MAX * len(dips):
        still[others[dips]] = True
    return still


def _standstills(series: Series) -> NDArray[np.bool_]:
    """Windows far slower than any speed at which a share of the bytes was written."""
    rates = series.bandwidth_bytes_per_s
    written = rates * series.duration_ns
    order = np.argsort(rates)
    done = np.cumsum(written[order])
    if not len(done) or done[-1] <= 0:
        return np.zeros(len(rates), dtype=np.bool_)
    slowest = rates[order[int(np.searchsorted(done, _LITTLE * done[-1]))]]
    still: NDArray[np.bool_] = rates < _STANDSTILL * slowest
    return still


def _dips(log_values: Floats) -> NDArray[np.bool_]:
    """Windows slower than those before and those after."""
    count = len(log_values)
    around = min(_AROUND, int(_AROUND_SHARE * count))
    if around < _AROUND_MIN:
        return np.zeros(count, dtype=np.bool_)
    sigma = float(np.sqrt(np.median((log_values[_APART:] - log_values[:-_APART]) ** 2) / (2 * CHI_SQUARED_MEDIAN)))
    before = _level_before(log_values, around)
    after = _level_before(log_values[::-1], around)[::-1]
    dips: NDArray[np.bool_] = log_values < np.minimum(before, after) - max(_DEPTH, _SIGMAS * sigma)
    return dips


def _level_before(log_values: Floats, around: int) -> Floats:
    """Speed of the windows before each; of the first few there is none, and they are no dips."""
    rank = around * _LEVEL_PERCENT // 100
    windows = np.lib.stride_tricks.sliding_window_view(log_values[:-1], around)
    levels = np.partition(windows, rank, axis=1)[:, rank]
    first = [
        float(np.sort(log_values[:index])[index * _LEVEL_PERCENT // 100]) if index >= _AROUND_MIN else -np.inf
        for index in range(around)
    ]
    return np.concatenate([first, levels])
