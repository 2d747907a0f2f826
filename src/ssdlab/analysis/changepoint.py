"""Change points of a noisy, outlier-ridden series whose level jumps by factors: optimal partitioning on a scale-free grid.

The series is looked at in blocks that grow with the distance from its beginning, each half a per cent of it. A short cache at
the very start is so seen as sharply, in proportion, as a long one, and the cost does not depend on the length of the series:
about 200 (1 + ln(n / 200)) blocks, partitioned exactly by dynamic programming. The change points are then placed to the
sample. Optimal partitioning: Jackson et al. 2005; the penalty is of the form of the Bayesian information criterion (Yao 1988).
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_GRID = 200
"""Blocks a factor of e of length; also the number of single samples at the start."""
_SEGMENT_SAMPLES_MIN = 3
"""Shorter levels cannot be told from outliers: the running median of five removes pairs of them."""
_PENALTY = 4.0
"""Price of a change point in units of ln(blocks); 2 would be the information criterion's, the rest pays for heavy tails."""
_SIGMA_FLOOR = 0.01
"""A level is never known better than one per cent; keeps noiseless series from dividing by zero."""
_NOISE_SCALES = (1, 4, 8, 16, 32)
_NOISE_BLOCKS_MIN = 7
"""With fewer the median of their differences says little."""
_CHI_SQUARED_MEDIAN = 0.4549
"""Median of the chi-squared distribution with one degree of freedom."""
_LIKELY = 1.92
"""Loss of log-likelihood at the ends of a 95 % interval: half the chi-squared quantile."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Samples `start` to `end` (exclusive) at one level."""

    start: int
    end: int

    @property
    def length(self) -> int:
        """Number of samples."""
        return self.end - self.start


def noise_variance(log_values: Floats) -> float:
    """Long-run variance of the noise: what a median of many samples really scatters by, times their number.

    From successive differences, so that levels do not count, and by their median, so that outliers and the few changes do
    not. Correlated noise (a busy host, garbage collection) averages out slower than white noise; it shows in differences of
    longer and longer blocks, the longer the more. So the longest two lengths count, and the shortest; what is large only in
    between is a rhythm of the drive, and averages out.
    """
    found = []
    for length in _NOISE_SCALES:
        count = len(log_values) // length
        if count >= _NOISE_BLOCKS_MIN:
            medians = np.median(log_values[: count * length].reshape(count, length), axis=1)
            found.append(length * float(np.median(np.diff(medians) ** 2)) / (2 * _CHI_SQUARED_MEDIAN))
    return max([_SIGMA_FLOOR**2, *found[:1], *found[-2:]])


def log_levels(values: Floats) -> Floats:
    """Logarithms, with standstills (zeros) put at a thousandth of the median instead of minus infinity."""
    positive = values[values > 0]
    floor = float(np.median(positive)) * 1e-3 if len(positive) else 1.0
    return np.log(np.maximum(values, floor))


def running_median(values: Floats) -> Floats:
    """Median of five neighbours; at the ends of as many as there are, so that a short first level keeps its edge."""
    if len(values) < 5:
        return np.full_like(values, np.median(values)) if len(values) else values
    middle = np.median(np.lib.stride_tricks.sliding_window_view(values, 5), axis=1)
    first, last = np.median(values[:3]), np.median(values[-3:])
    return np.concatenate([[first, first], middle, [last, last]])


def segments_of(log_values: Floats) -> tuple[Segment, ...]:
    """Partition a series of logarithms into levels; at least one segment, none shorter than three samples.

    Cost: O(n + blocks^2), under 0.1 s for 100 000 samples.
    """
    if len(log_values) < 2 * _SEGMENT_SAMPLES_MIN:
        return (Segment(0, len(log_values)),)
    noise = noise_variance(log_values)
    smooth = running_median(log_values)
    edges = _grid(len(log_values))
    values, variances = _blocks(smooth, edges, noise)
    bounds = [int(edges[index]) for index in _partition(values, variances, edges)]
    segments = tuple(Segment(start, end) for start, end in pairwise(bounds))
    return _placed(log_values, segments)


def _grid(count: int) -> NDArray[np.int64]:
    """Edges of the blocks: each is as long as its distance from the start divided by `_GRID`, at least one sample."""
    edges = [0]
    while edges[-1] < count:
        edges.append(edges[-1] + max(1, edges[-1] // _GRID))
    edges[-1] = count
    return np.array(edges, dtype=np.int64)


def _blocks(smooth: Floats, edges: NDArray[np.int64], noise: float) -> tuple[Floats, Floats]:
    """Median of each block and its variance."""
    values = np.array([np.median(smooth[start:end]) for start, end in pairwise(edges)])
    return values, noise / np.diff(edges)


def _partition(values: Floats, variances: Floats, edges: NDArray[np.int64]) -> list[int]:
    """Indices into `edges` at which the cheapest partition begins and ends its segments."""
    weight = 1.0 / variances
    sums = np.concatenate([[0.0], np.cumsum(weight)])
    firsts = np.concatenate([[0.0], np.cumsum(weight * values)])
    seconds = np.concatenate([[0.0], np.cumsum(weight * values**2)])
    count = len(values)
    penalty = _PENALTY * np.log(count)
    best = np.full(count + 1, np.inf)
    best[0] = -penalty
    previous = np.zeros(count + 1, dtype=np.int64)
    for end in range(1, count + 1):
        starts = int(np.searchsorted(edges, edges[end] - _SEGMENT_SAMPLES_MIN, side="right"))
        if starts == 0:
            continue
        part = slice(0, starts)
        first = firsts[end] - firsts[part]
        cost = best[part] + seconds[end] - seconds[part] - first**2 / (sums[end] - sums[part]) + penalty
        previous[end] = int(np.argmin(cost))
        best[end] = cost[previous[end]]
    bounds = [count]
    while bounds[-1] > 0:
        bounds.append(int(previous[bounds[-1]]))
    return bounds[::-1]


def _placed(log_values: Floats, segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """The same segments with each change point moved to the sample that parts the two levels best."""
    levels = [float(np.median(log_values[one.start : one.end])) for one in segments]
    bounds = [0]
    for index, (left, right) in enumerate(pairwise(segments)):
        margin = max(_SEGMENT_SAMPLES_MIN, left.end // _GRID + 1)
        low = max(bounds[-1] + _SEGMENT_SAMPLES_MIN, left.end - margin)
        high = min(right.end - _SEGMENT_SAMPLES_MIN, left.end + margin)
        if low > high:
            bounds.append(left.end)
            continue
        parting = np.abs(log_values[low:high] - levels[index]) - np.abs(log_values[low:high] - levels[index + 1])
        bounds.append(low + int(np.argmin(np.concatenate([[0.0], np.cumsum(parting)]))))
    bounds.append(len(log_values))
    return tuple(Segment(start, end) for start, end in pairwise(bounds))


def likely_range(log_values: Floats, left: Segment, right: Segment, noise: float) -> tuple[int, int]:
    """First and last sample at which the change from one segment to the next may be, with 95 % confidence.

    Profile likelihood of the position, normal noise of that variance around the two medians; residuals beyond three sigma
    count as three.
    """
    levels = [float(np.median(log_values[one.start : one.end])) for one in (left, right)]
    loss = [np.minimum((log_values[left.start : right.end] - level) ** 2 / noise, 9.0) / 2 for level in levels]
    profile = np.concatenate([[0.0], np.cumsum(loss[0] - loss[1])])
    likely = np.flatnonzero(profile <= profile.min() + _LIKELY) + left.start
    return int(likely[0]), int(likely[-1])
