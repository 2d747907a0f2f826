"""Falls under noise that remembers for long: one wave of it hides a fall, and the next one looks like one."""

from dataclasses import dataclass

import numpy as np

from ssdlab.analysis.infer.interruption import Steady
from ssdlab.analysis.infer.plateau import SAME, Plateau
from ssdlab.analysis.statistics.changepoint import Segment, likely_moments

_SIGMAS = 3.0
"""By how much two parts of one level differ for a fall to be possible between them; more is asked of a fall that is claimed."""
_SIGMAS_OF_WAVES = 2.2
"""Likewise under noise that remembers for long, of which a part of a level is a wave or two, and the scatter of its median not well known."""
_PLACES = 40
_PART_MIN = 0.05
"""Share of a level that either part has at least, and three windows."""
_WINDOWS_MIN = 3
_LONG_MEMORY = 0.88
"""Correlation of neighbouring windows from which a wave takes seconds, as the fall of a drive may."""
_FIRST_WINDOWS = 2
"""Windows of a cache that is written before noise has moved; fewer are a buffer that fills."""
_SUDDEN = 4.0
"""By how many standard deviations of what noise does in so short a time a sudden fall exceeds it."""
_ACROSS = 3
"""Windows from one level to the next: the one in which it changes, and its neighbours."""


@dataclass(frozen=True, slots=True)
class HiddenFall:
    """Why the first fall that stands out may not be the first one, or none.

    Attributes:
        earlier_bytes: Where the speed may have fallen already; None where what stands out may be a wave of the noise.
    """

    earlier_bytes: float | None


def hidden_fall(steady: Steady, before: Plateau, after: Plateau) -> HiddenFall | None:
    """Whether noise may hide an earlier fall or be the fall itself; None where it is sudden, and the level before it is one.

    Noise of which one window is like the next moves from level to level by itself, but little at a time: an autoregression changes within
    `n` windows by `variance 2 (1 - correlation^n)`.

    Args:
        steady: The series.
        before: Its level before the fall.
        after: And the one after.
    """
    if steady.noise.correlation >= _LONG_MEMORY and not _is_sudden(steady, before, after):
        return HiddenFall(None)
    place = _possible_fall(steady, before)
    return None if place is None else HiddenFall(steady.bytes_until(place))


def _is_sudden(steady: Steady, before: Plateau, after: Plateau) -> bool:
    values, noise = steady.log_values, steady.noise
    borders = Segment(before.start, before.end), Segment(before.end, after.end)
    first, last = (moment.index for moment in likely_moments(values, *borders, noise))
    padded = np.pad(values, (_ACROSS, _ACROSS), mode="edge")
    # Of windows `first - 1` to `last + 1` the one before last against the next one.
    middles = np.arange(first - 1, last + 2) + _ACROSS
    drop = float((padded[middles - 2] - padded[middles + 1]).max())
    return drop >= _SUDDEN * float(np.sqrt(2 * noise.variance * (1 - noise.correlation**_ACROSS)))


def _first_fall(steady: Steady, level: Plateau) -> tuple[float, int | None]:
    """How far the first windows of a level stand out from the rest of it, and where that begins; where noise remembers for long."""
    values, noise = steady.log_values[level.start : level.end], steady.noise
    if noise.correlation < _LONG_MEMORY or len(values) < 2 * _FIRST_WINDOWS:
        return 0.0, None
    fall = float(values[:_FIRST_WINDOWS].min() - np.median(values[_FIRST_WINDOWS:]))
    scatter = float(np.sqrt(noise.variance + noise.variance_of_median(len(values) - _FIRST_WINDOWS)))
    return (fall / scatter, level.start + _FIRST_WINDOWS) if fall >= max(SAME, _SUDDEN * scatter) else (0.0, None)


def _possible_fall(steady: Steady, level: Plateau) -> int | None:
    """The window before which a level may have fallen."""
    values, noise = steady.log_values[level.start : level.end], steady.noise
    least = max(_WINDOWS_MIN, int(_PART_MIN * len(values)))
    sigmas = _SIGMAS_OF_WAVES if noise.correlation >= _LONG_MEMORY else _SIGMAS
    best, place = _first_fall(steady, level)
    for at in np.unique(np.linspace(least, len(values) - least, _PLACES).astype(np.int64)).tolist():
        if min(at, len(values) - at) < _WINDOWS_MIN:
            continue
        fall = float(np.median(values[:at]) - np.median(values[at:]))
        scatter = float(np.sqrt(noise.variance_of_median(at) + noise.variance_of_median(len(values) - at)))
        if fall >= max(SAME, sigmas * scatter) and fall / scatter > best:
            best, place = fall / scatter, level.start + at
    return place
