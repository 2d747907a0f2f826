"""Falls that take their time: a speed that goes down little by little has no byte at which a cache ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ssdlab.analysis.infer.interruption import Floats, Indices, Steady
from ssdlab.analysis.infer.plateau import SAME, Plateau

_PARTS = 5
_BLOCKS = 40
_WINDOWS_MIN = 20
"""What falls within two seconds falls at once."""
_SIGMAS = 3.0
"""What makes one doubt a level may be less certain than what makes one claim it."""
_STEPS_MIN = 4
"""Falls in a row, none of which is half of all, are one that takes its time; a drive has at most three phases."""
_STEP_SHARE_MAX = 0.5
_SLOPES_MIN = 2
_SLOPED = 0.35
"""Fewer falls are one, too, if the levels between them fall so far as a share of it all; levels of a drive are level."""
_RAMPS = 24
"""Beginnings looked at, and ends."""
_RAMP_FREEDOM = 4
"""Two speeds, beginning and end; a staircase has its levels and the changes between them."""
_LOSS_MAX = 9.0
_BEGUN, _ENDED = 0.1, 0.9
"""Shares of a fall at which it has begun and is over."""


@dataclass(frozen=True, slots=True)
class GradualFall:
    """From where to where a speed goes down; the end of a cache, if there is one, may be anywhere between.

    Attributes:
        low_bytes, high_bytes: Bytes written when it begins and when it is over.
        fast_bytes_per_s, slow_bytes_per_s: Speeds before and after.
    """

    low_bytes: float
    high_bytes: float
    fast_bytes_per_s: float
    slow_bytes_per_s: float


def fall_in_steps(steady: Steady, plateaus: Sequence[Plateau]) -> GradualFall | None:
    """The fall that was cut into many levels, or of which the middle belongs to no level; None where the first step is a cliff.

    Args:
        steady: The series.
        plateaus: Its steady plateaus from the one that ends with the first fall on.
    """
    speeds = np.log([max(one.bandwidth_bytes_per_s, 1.0) for one in plateaus])
    rises = np.flatnonzero(np.diff(speeds) > 0)
    last = int(rises[0]) if len(rises) else len(plateaus) - 1
    steps = -np.diff(speeds[: last + 1])
    many = len(steps) >= _STEPS_MIN and steps.max() <= _STEP_SHARE_MAX * steps.sum()
    slopes = sum(max(0.0, _slope(steady, one)) for one in plateaus[: last + 1])
    if not many and (len(steps) < _SLOPES_MIN or slopes < _SLOPED * steps.sum()):
        last = 1
        between = plateaus[1].start - plateaus[0].end
        if between < max(_WINDOWS_MIN, _BEGUN * plateaus[0].length):
            return None
    return GradualFall(
        steady.bytes_until(plateaus[0].end),
        steady.bytes_from(plateaus[last].start),
        plateaus[0].bandwidth_bytes_per_s,
        plateaus[last].bandwidth_bytes_per_s,
    )


def fall_as_a_ramp(steady: Steady, plateaus: Sequence[Plateau]) -> GradualFall | None:
    """The ramp that explains the windows as well as the levels do into which noise cut it; None where levels explain them better.

    A speed that falls by as much with every byte is a line in the logarithm over time. Levels and ramp are compared by the squares of what is
    new in each window, at most nine variances each, and by the information criterion of Schwarz (1978) for what else levels can be fitted by.

    Args:
        steady: The series.
        plateaus: Its steady plateaus from the one that ends with the first fall on.
    """
    levels = _falling(plateaus)
    if len(levels) <= _SLOPES_MIN:
        return None
    first, last = levels[0], levels[-1]
    reach = 2 * (last.start - first.end)
    begin, end = max(first.start, first.end - reach), min(last.end, last.start + reach)
    high, low = (float(np.median(steady.log_values[one.start : one.end])) for one in (first, last))
    at = np.arange(begin, end)
    begins = np.linspace(begin, levels[1].end, _RAMPS).astype(np.int64)
    ends = np.linspace(levels[-2].start, end, _RAMPS).astype(np.int64)
    ramps = [(start, stop) for start in begins.tolist() for stop in ends.tolist() if stop - start >= _WINDOWS_MIN]
    losses = [_loss(steady, at, np.interp(at, ramp, [high, low])) for ramp in ramps]
    freedom = 2 * len(levels) - 1 - _RAMP_FREEDOM
    if not ramps or min(losses) > _loss(steady, at, _staircase(steady, levels, at)) + freedom * float(np.log(len(at))):
        return None
    start, stop = ramps[int(np.argmin(losses))]
    return GradualFall(
        steady.bytes_until(start),
        steady.bytes_from(min(stop, len(steady.origin) - 1)),
        first.bandwidth_bytes_per_s,
        last.bandwidth_bytes_per_s,
    )


def _falling(plateaus: Sequence[Plateau]) -> Sequence[Plateau]:
    """The first ones, each slower than the one before."""
    rises = (at for at, (one, following) in enumerate(pairwise(plateaus), 1) if not _is_slower(following, one))
    return plateaus[: next(rises, len(plateaus))]


def _is_slower(one: Plateau, other: Plateau) -> bool:
    return one.bandwidth_bytes_per_s < other.bandwidth_bytes_per_s


def _staircase(steady: Steady, levels: Sequence[Plateau], at: Indices) -> Floats:
    """Levels at those windows; windows between two belong to the later one."""
    medians = np.array([np.median(steady.log_values[one.start : one.end]) for one in levels])
    stairs: Floats = medians[np.searchsorted([one.end for one in levels[:-1]], at, side="right")]
    return stairs


def _loss(steady: Steady, at: Indices, expected: Floats) -> float:
    """Squares of what is new in each window, in variances."""
    apart, noise = steady.log_values[at] - expected, steady.noise
    new = apart[1:] - noise.correlation * apart[:-1]
    return float(np.minimum(new**2 / (noise.variance * (1 - noise.correlation**2)), _LOSS_MAX).sum())


def gradual_fall(steady: Steady, plateau: Plateau, least: float = SAME) -> GradualFall | None:
    """The fall inside what was taken for one level; None where it is level.

    Args:
        steady: The series.
        plateau: One of its steady plateaus.
        least: Difference of the logarithms of its first and last fifth from which it falls.
    """
    if plateau.length < _WINDOWS_MIN:
        return None
    values = steady.log_values[plateau.start : plateau.end]
    scatter = np.sqrt(2 * steady.noise.variance_of_median(len(values) // _PARTS))
    if _slope(steady, plateau) < max(least, _SIGMAS * scatter):
        return None
    edges = np.linspace(0, len(values), min(_BLOCKS, len(values) // 3) + 1).astype(np.int64)
    blocks = np.array([np.median(values[start:end]) for start, end in pairwise(edges)])
    fast, slow = float(blocks[:2].mean()), float(blocks[-2:].mean())
    begun = int(np.argmax(blocks < fast - _BEGUN * (fast - slow)))
    ended = int(len(blocks) - np.argmax(blocks[::-1] > fast - _ENDED * (fast - slow)))
    low, high = (steady.bytes_from(plateau.start + int(edges[min(block, len(edges) - 1)])) for block in (begun, ended))
    return GradualFall(low, high, float(np.exp(fast)), float(np.exp(slow)))


def _slope(steady: Steady, plateau: Plateau) -> float:
    """By how much a level falls from its first fifth to its last, as a difference of logarithms."""
    if plateau.length < _WINDOWS_MIN:
        return 0.0
    values = steady.log_values[plateau.start : plateau.end]
    fifth = len(values) // _PARTS
    return float(np.median(values[:fifth]) - np.median(values[-fifth:]))
