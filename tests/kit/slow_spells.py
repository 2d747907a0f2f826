"""Latencies of points whose slow I/Os come alone or together. All in memory, and what comes later is known."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.engine.result import LatencyWindows
from ssdlab.units import NS_PER_MS, NS_PER_S

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LATER = 10
"""So many times as long as a point what comes after it is, whose percentile is the truth."""
_CELL_NS = 10 * NS_PER_MS
_MEAN_NS = NS_PER_MS
_SIGMA = 0.3
_FINEST = 6
"""fio has 64 bins a power of two."""


class Spells(Enum):
    """What makes I/Os slow besides chance."""

    NONE = "independent"
    BURSTS = "by chance every 2 s for 0.2 s"
    COLLECTION = "every 3 s or so for 0.3 s"
    TWO_SPEEDS = "by chance every other half second"
    SELDOM = "by chance every 30 s for 0.2 s"


@dataclass(frozen=True, slots=True, eq=False)
class SlowPoint:
    """A point and what comes after it.

    Attributes:
        time_ns: When its I/Os completed.
        latency_ns: Of each of them.
        later_ns: Latencies of the same load in the time after it, ten times as long.
    """

    time_ns: Integers
    latency_ns: Integers
    later_ns: Integers


def slow_points(spells: Spells, family: int, points: int, length_s: int) -> Iterator[SlowPoint]:
    """So many points that follow each other; one I/O in flight, of a millisecond where nothing slows it."""
    random = np.random.default_rng([family, *spells.value.encode()])
    a_point = length_s * NS_PER_S // _CELL_NS
    slower = _slower(spells, random, a_point * (points + LATER))
    ios = np.maximum(1, np.round(_CELL_NS / (_MEAN_NS * slower))).astype(np.int64)
    cell = np.repeat(np.arange(len(slower)), ios)
    latency_ns = (_MEAN_NS * slower[cell] * np.exp(_SIGMA * random.normal(size=len(cell)))).astype(np.int64)
    edges = np.searchsorted(cell, a_point * np.arange(points + LATER + 1))
    for number, (begin, end) in enumerate(pairwise(edges[: points + 1])):
        time_ns = (cell[begin:end] - number * a_point) * _CELL_NS + 1
        yield SlowPoint(time_ns, latency_ns[begin:end], latency_ns[end : edges[number + 1 + LATER]])


def _slower(spells: Spells, random: np.random.Generator, cells: int) -> Floats:
    """How many times as long I/Os of each cell take."""
    seconds, end_s = np.arange(cells) * _CELL_NS / NS_PER_S, cells * _CELL_NS / NS_PER_S
    match spells:
        case Spells.NONE:
            return np.ones(cells)
        case Spells.BURSTS | Spells.SELDOM:
            between_s = 2.0 if spells is Spells.BURSTS else 30.0
            begins = np.cumsum(random.exponential(between_s, int(3 * end_s / between_s) + 20))
            return np.where(_lasts(seconds, begins, random.exponential(0.2, len(begins))), 5.0, 1.0)
        case Spells.COLLECTION:
            begins = np.cumsum(3 * random.uniform(0.8, 1.2, int(end_s / 2) + 20))
            return np.where(_lasts(seconds, begins, np.full(len(begins), 0.3)), 4.0, 1.0)
        case Spells.TWO_SPEEDS:
            changes = np.cumsum(random.exponential(0.5, int(3 * end_s / 0.5) + 20))
            return np.where(np.searchsorted(changes, seconds) % 2, 1.6, 1.0)


def _lasts(seconds: Floats, begins: Floats, lengths: Floats) -> NDArray[np.bool_]:
    since = np.searchsorted(begins, seconds, side="right") - 1
    first = np.maximum(since, 0)
    return np.asarray((since >= 0) & (seconds - begins[first] < lengths[first]))


def latency_windows(
    time_ns: Integers, latency_ns: Integers, most: int, window_ns: int = 100 * NS_PER_MS
) -> LatencyWindows:
    """As an engine counts them: windows of that length, doubled until there are so many at most."""
    while int(time_ns.max()) > window_ns * most:
        window_ns *= 2
    window = (time_ns - 1) // window_ns
    first = bins_of(latency_ns) // _core.BINS_MERGED_OVER_TIME * _core.BINS_MERGED_OVER_TIME
    keys, count = np.unique(window * _core.BIN_COUNT + first, return_counts=True)
    return LatencyWindows(window_ns, (keys // _core.BIN_COUNT + 1) * window_ns, keys % _core.BIN_COUNT, count)


def bins_of(latency_ns: Integers) -> Integers:
    """fio's bins of many latencies at once; `_core.bin_index` of each."""
    shift = np.maximum(np.floor(np.log2(np.maximum(latency_ns, 1))).astype(np.int64) - _FINEST, 0)
    fine = np.int64(1) << _FINEST
    own = np.where(latency_ns < fine, latency_ns, (shift << _FINEST) + (latency_ns >> shift))
    return np.minimum(own, _core.BIN_COUNT - 1)
