"""How an SLC cache comes back in silence: the bytes of one minute after rests of different length (METHODS C8)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.result import Series
from ssdlab.message import Message, message, number
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

Floats = NDArray[np.float64]

_RUNGS_MIN = 4
"""A delay, a rate and a largest size cannot be told from fewer."""
_STILL_CACHE = 0.8
"""A write that ends at this share of the cache's speed has not left it."""
_TOLERANCE = 0.015
"""Sizes are known to this share of the largest."""
_TIMES = 240
_WINDOWS_MIN = 1.5
"""A cache that fills less of a window of the series is not told from a write buffer."""
_LEFT_UNKNOWN = message("unknown-one-speed")
_VAGUE = 2.0
"""A rate is known if the ends of its interval differ by less than this factor."""


@dataclass(frozen=True, slots=True)
class ReclaimAfterRest:
    """The write after one rest."""

    rest_ns: int
    series: Series

    @property
    def written_bytes(self) -> float:
        """All of it."""
        return float(self.series.bytes_done[-1])


@dataclass(frozen=True, slots=True)
class Reclaim:
    """What the ladder of rests says.

    Attributes:
        cache_bytes: Cache there was after each rest, in the order of the rungs; Unknown where the write ended inside it.
        delay_s: Silence before the drive begins.
        rate_bytes_per_s: Cache that comes back a second, once it has begun.
    """

    cache_bytes: tuple[float | Unknown, ...]
    delay_s: float | Unknown
    delay: Interval | None
    rate_bytes_per_s: float | Unknown
    rate: Interval | None


def reclaim_of(rungs: Sequence[ReclaimAfterRest]) -> Reclaim:
    """Sizes of the cache after each rest, and the delay and the rate that explain them.

    A minute writes `S` bytes at the speed of the cache `C` and the rest of the time at the speed `P` that follows, so
    `bytes = P T + S (1 - P / C)`. The sizes are explained by `C0 + rate max(0, rest - delay)`, up to a largest size.
    """
    nothing = Unknown(message("unknown-no-rung"))
    if any(len(one.series.time_ns) < 2 for one in rungs) or not rungs:
        return Reclaim((nothing,) * len(rungs), nothing, None, nothing, None)
    sizes = _sizes(rungs)
    known = [(one.rest_ns / NS_PER_S, size) for one, size in zip(rungs, sizes, strict=True) if isinstance(size, float)]
    known.sort()
    window_bytes = max(_first_rate(one.series) * one.series.window_ns / NS_PER_S for one in rungs)
    return _explained(
        sizes, np.array([rest_s for rest_s, _ in known]), np.array([size for _, size in known]), window_bytes
    )


def _sizes(rungs: Sequence[ReclaimAfterRest]) -> tuple[float | Unknown, ...]:
    """Cache after each rest, in the order given."""
    fast = max(_first_rate(one.series) for one in rungs)
    last = [_last_rate(one.series) for one in rungs]
    slower = [rate for rate in last if rate < _STILL_CACHE * fast]
    if not slower:
        return (Unknown(_LEFT_UNKNOWN),) * len(rungs)
    slow = float(np.median(slower))
    return tuple(
        _size(one, fast, slow) if rate < _STILL_CACHE * fast else Unknown(message("unknown-inside-cache"))
        for one, rate in zip(rungs, last, strict=True)
    )


def _first_rate(series: Series) -> float:
    """Speed right at the start, without the window in which it falls."""
    return float(series.bandwidth_bytes_per_s[:3].max())


def _last_rate(series: Series) -> float:
    """Speed at the end: median of the last quarter, without the last window, which may be a sliver."""
    rates = series.bandwidth_bytes_per_s
    return float(np.median(rates[min(3 * len(rates) // 4, len(rates) - 2) : -1]))


def _size(rung: ReclaimAfterRest, fast: float, slow: float) -> float:
    seconds = float(rung.series.time_ns[-1]) / NS_PER_S
    return max(0.0, (rung.written_bytes - slow * seconds) / (1 - slow / fast))


def _explained(sizes: tuple[float | Unknown, ...], rest_s: Floats, size: Floats, window_bytes: float) -> Reclaim:
    """Delay and rate from the sizes that are known, by ascending rest; `window_bytes` are written in a window of the series."""

    def unknown(reason: Message) -> Reclaim:
        return Reclaim(sizes, Unknown(reason), None, Unknown(reason), None)

    if not len(size):
        return unknown(_LEFT_UNKNOWN)
    if len(size) < _RUNGS_MIN:
        return unknown(message("unknown-few-rests", rests=len(size), needed=_RUNGS_MIN))
    tolerance = _TOLERANCE * float(size.max())
    if float(size.max()) < _WINDOWS_MIN * window_bytes and len(size) == len(sizes):
        return unknown(message("unknown-no-cache-shows"))
    if float(size.max() - size.min()) <= 3 * tolerance:
        return unknown(_no_more(rest_s, len(sizes) - len(size)))
    delays, rates, worst = _ramps(rest_s, size)
    likely = worst <= max(1.5 * float(worst.min()), tolerance)
    best = int(worst.argmin())
    delay = Interval(float(delays[likely].min()), float(delays[likely].max()))
    rate = Interval(float(rates[likely].min()), float(rates[likely].max()))
    if rate.high > _VAGUE * rate.low:
        return unknown(message("unknown-rests-too-few-between"))
    return Reclaim(sizes, float(delays[best]), delay, float(rates[best]), rate)


def _no_more(rest_s: Floats, cut_off: int) -> Message:
    """Why as much cache after a long rest as after a short one says nothing; `cut_off` writes ended inside the cache."""
    longest_s, shortest_s = number(float(rest_s[-1]), ".3g"), number(float(rest_s[0]), ".3g")
    if cut_off:
        return message("unknown-longer-rests", longest_s=longest_s, shortest_s=shortest_s)
    return message("unknown-no-more-cache", longest_s=longest_s, shortest_s=shortest_s)


def _ramps(rest_s: Floats, size: Floats) -> tuple[Floats, Floats, Floats]:
    """Every ramp on a grid of beginnings and ends: its delay, its rate, and by how much it misses the worst-met size."""
    begins = np.concatenate([[0.0], np.geomspace(rest_s[0] / 10, rest_s[-2], _TIMES)])
    ends = np.geomspace(rest_s[0] / 5, 4 * rest_s[-1], _TIMES)
    begin, end = (grid.ravel() for grid in np.meshgrid(begins, ends, indexing="ij"))
    begin, end = begin[end > 1.02 * begin], end[end > 1.02 * begin]
    shape = np.clip((rest_s[None, :] - begin[:, None]) / (end - begin)[:, None], 0, 1)
    centred = shape - shape.mean(axis=1, keepdims=True)
    spread = (centred**2).sum(axis=1)
    usable = spread > 1e-9
    begin, end, shape, centred, spread = begin[usable], end[usable], shape[usable], centred[usable], spread[usable]
    rise = np.maximum(0.0, (centred * (size - size.mean())).sum(axis=1) / spread)
    floor = size.mean() - rise * shape.mean(axis=1)
    worst = np.abs(floor[:, None] + rise[:, None] * shape - size[None, :]).max(axis=1)
    return begin, rise / (end - begin), worst
