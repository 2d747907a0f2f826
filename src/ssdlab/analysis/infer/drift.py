"""What a speed still changes, apart from what is left of its settling, and as uncertain as noise with a memory makes it."""

from collections.abc import Sequence

import numpy as np

from ssdlab.analysis.statistics.interval import Interval, student_t
from ssdlab.analysis.statistics.written_curve import Floats

SETTLING: tuple[float, ...] = tuple(np.geomspace(0.15, 1.25, 20).tolist())
"""Capacities to an e-fold: collection settles by about one a capacity, and what is much slower is a drift."""
_UNLIKELY = 3.0
"""Logarithm of how many times less likely than the best a settling may be and still count."""
_MEMORY_MAX = 0.995
_NOTHING = 1e-18
"""Mean square of what rounding leaves."""


def drift_of(speed: Floats, parts_a_capacity: int, settling: Sequence[float] = ()) -> Interval:
    """95 % interval of the straight part of the change, a capacity, as a share of the speed.

    The noise is taken for a first-order autoregression, whose correlation is estimated from what is left over and mended for what the
    fit hides of it. So an interval is wide where a rhythm or a wave of noise is as long as what was seen.

    Args:
        speed: Of equal parts of what was written, the last one last, relative to the speed of now.
        parts_a_capacity: How many of them.
        settling: E-folds, in capacities, of the decays that may be added to the line; none of them for a line alone.
    """
    at = (np.arange(len(speed)) - (len(speed) - 1)) / parts_a_capacity
    line = [np.ones_like(at), at]
    terms = [[*line, np.exp(-(at - at[0]) / length)] for length in settling] or [line]
    fits = [_fitted(speed, np.stack(one, axis=1)) for one in terms]
    likeliest = int(np.argmax([likelihood for likelihood, _ in fits]))
    # The settling may lie between the likeliest and either neighbour.
    least = min(fits[likeliest][0] - _UNLIKELY, *(one for one, _ in fits[max(0, likeliest - 1) : likeliest + 2]))
    kept = [found for likelihood, found in fits if likelihood >= least]
    return Interval(min(one.low for one in kept), max(one.high for one in kept))


def _fitted(speed: Floats, terms: Floats) -> tuple[float, Interval]:
    """Logarithm of the likelihood of a least-squares fit, and the interval of its second coefficient."""
    count, unknowns = terms.shape
    inverse = np.linalg.pinv(terms)
    found = inverse @ speed
    left = speed - terms @ found
    alike = _memory(left, unknowns)
    steps = np.arange(count)
    correlation = alike ** np.abs(np.subtract.outer(steps, steps))
    # Of noise so correlated this is left over by the fit: its trace is the expected sum of squares in times of the variance.
    base = np.linalg.qr(terms)[0]
    rest = correlation - base @ (base.T @ correlation)
    rest -= (rest @ base) @ base.T
    squares = float(np.trace(rest))
    degrees = max(1, int(squares**2 / (rest**2).sum()))
    variance = float((left**2).sum()) / squares * float(inverse[1] @ correlation @ inverse[1])
    reach = student_t(degrees) * float(np.sqrt(variance))
    fresh = left[1:] - alike * left[:-1]
    likelihood = -count / 2 * float(np.log((fresh**2).mean() + _NOTHING))
    return likelihood, Interval(float(found[1]) - reach, float(found[1]) + reach)


def _memory(left: Floats, unknowns: int) -> float:
    """Correlation of neighbours; a fit hides some of it, the more the more it may bend (Kendall; Marriott and Pope)."""
    count = len(left)
    seen = float((left[1:] * left[:-1]).sum() / max(float((left**2).sum()), _NOTHING))
    return min(max((seen + unknowns / count) / (1 - (unknowns + 2) / count), 0.0), _MEMORY_MAX)
