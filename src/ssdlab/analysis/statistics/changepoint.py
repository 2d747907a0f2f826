"""Change points of a noisy, outlier-ridden series whose level jumps by factors: optimal partitioning on a scale-free grid.

The series is looked at in blocks that grow with the distance from its beginning, each half a per cent of it. A short cache at
the very start is so seen as sharply, in proportion, as a long one, and the cost does not depend on the length of the series:
about 200 (1 + ln(n / 200)) blocks, partitioned exactly by dynamic programming. The change points are then placed to the
sample. Optimal partitioning: Jackson et al. 2005; the penalty is of the form of the Bayesian information criterion (Yao 1988).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.noise import WindowNoise

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
_LIKELY_ELSEWHERE = 3.68
"""Likewise in other samples than the best: both walks stay below `x` with probability `(1 - exp(-x))^2`."""
_SHARES = 21
"""Moments looked at in each sample."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Samples `start` to `end` (exclusive) at one level."""

    start: int
    end: int

    @property
    def length(self) -> int:
        """Number of samples."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class ChangeMoment:
    """A moment inside a sample: after that share of its time."""

    index: int
    share: float


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


def segments_of(log_values: Floats, noise: float | None = None) -> tuple[Segment, ...]:
    """Partition a series of logarithms into levels; at least one segment, none shorter than three samples.

    Cost: O(n + blocks^2), under 0.1 s for 100 000 samples.

    Args:
        log_values: The series.
        noise: Variance of a sample, neighbours taken as independent; without, the long-run variance.
    """
    if len(log_values) < 2 * _SEGMENT_SAMPLES_MIN:
        return (Segment(0, len(log_values)),)
    noise = noise_variance(log_values) if noise is None else noise
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
    lengths = np.diff(edges)
    values = np.empty(len(lengths))
    for length in np.unique(lengths).tolist():
        alike = np.flatnonzero(lengths == length)
        values[alike] = np.median(smooth[edges[alike, None] + np.arange(length)], axis=1)
    return values, noise / lengths


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


def significant(
    log_values: Floats, segments: Sequence[Segment], noise: WindowNoise, sigmas: float
) -> tuple[Segment, ...]:
    """The segments whose levels differ by more than waves of the noise do; the others made one, most alike first."""
    found = list(segments)
    levels = [float(np.median(log_values[one.start : one.end])) for one in found]

    def unlikeness(left: int) -> float:
        lengths = (found[left].length, found[left + 1].length)
        return float(
            (levels[left] - levels[left + 1]) ** 2 / sum(noise.variance_of_median(length) for length in lengths)
        )

    between = [unlikeness(index) for index in range(len(found) - 1)]
    while between and min(between) < sigmas**2:
        index = between.index(min(between))
        found[index : index + 2] = [Segment(found[index].start, found[index + 1].end)]
        levels[index : index + 2] = [float(np.median(log_values[found[index].start : found[index].end]))]
        del between[index]
        for neighbour in (index - 1, index):
            if 0 <= neighbour < len(between):
                between[neighbour] = unlikeness(neighbour)
    return tuple(found)


def likely_moments(
    log_values: Floats, left: Segment, right: Segment, noise: WindowNoise
) -> tuple[ChangeMoment, ChangeMoment]:
    """First and last moment at which the level may change from one segment's to the next one's, with 95 % confidence.

    Profile likelihood of the moment, normal noise around the two medians; residuals beyond three sigma count as three. Of noise that
    remembers, only what is new in each sample counts. A sample in which the level changes has a part of both, so the moment is known to
    a fraction of it. Within one sample it is a parameter like others, and the loss of likelihood follows chi-squared; from sample to
    sample the loss is the highest point of a random walk to either side, and larger (Siegmund 1988, "Confidence sets in change-point
    problems").
    """
    values = log_values[left.start : right.end]
    # The sample on either side of the border may be the one that has a part of both.
    last, first = max(left.start + 1, left.end - 1), min(right.start + 1, right.end - 1)
    levels = [float(np.median(part)) for part in (log_values[left.start : last], log_values[first : right.end])]
    unsure = [noise.variance_of_median(max(1, count)) for count in (last - left.start, right.end - first)]
    fresh = noise.variance * (1 - noise.correlation**2)
    before, after = (values - level for level in levels)

    def loss(residual: Floats, remembered: Floats, more: Floats | float = 0.0) -> Floats:
        return np.minimum((residual - noise.correlation * remembered) ** 2 / (fresh + more), 9.0) / 2

    old = np.concatenate([[0.0], np.cumsum(loss(before, _shifted(before)))])[:-1]
    new = np.concatenate([np.cumsum(loss(after, _shifted(after))[::-1])[::-1], [0.0, 0.0]])[2:]
    share = np.linspace(0, 1, _SHARES)
    speeds = np.exp(np.asarray(levels) - np.max(levels))
    part = share * speeds[0] / (share * speeds[0] + (1 - share) * speeds[1])
    mixed = values[:, None] - np.log(share * speeds[0] + (1 - share) * speeds[1]) - np.max(levels)
    changing = loss(mixed, _shifted(before)[:, None], part**2 * unsure[0] + (1 - part) ** 2 * unsure[1])
    following = loss(np.append(after[1:], 0.0)[:, None], mixed)
    following[-1] = 0.0
    profile = old[:, None] + changing + following + new[:, None]
    best = int(profile.min(axis=1).argmin())
    allowed = np.full(len(values), _LIKELY_ELSEWHERE)
    allowed[best] = _LIKELY
    likely = np.argwhere(profile <= profile.min() + allowed[:, None])
    (begin, begin_share), (end, end_share) = likely[0], likely[-1]
    return (
        ChangeMoment(left.start + int(begin), float(share[begin_share])),
        ChangeMoment(left.start + int(end), float(share[end_share])),
    )


def _shifted(values: Floats) -> Floats:
    """Of each sample the one before."""
    return np.concatenate([[0.0], values[:-1]])
