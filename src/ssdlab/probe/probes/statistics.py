"""Robust statistics the estimators share; all pure."""

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.interval import Interval

Floats = NDArray[np.float64]

MEDIAN_EFFICIENCY = 1.2533
"""Standard error of a median over that of a mean, of normal samples: sqrt(pi / 2)."""
PAIRS_EFFICIENCY = 1.0233
"""The same of the median of the means of all pairs: sqrt(pi / 3)."""
_MAD_TO_SIGMA = 1.4826
_RESAMPLES = 1000


def spread(values: Floats) -> float:
    """Standard deviation as the median absolute deviation has it, so that outliers do not count."""
    return float(_MAD_TO_SIGMA * np.median(np.abs(values - np.median(values)))) if len(values) else 0.0


def information_criterion(squares: float, count: int, parameters: int, floor: float) -> float:
    """Schwarz's criterion of a least-squares fit; `floor` is the error below which no fit counts as better.

    Args:
        squares: Sum of squared residuals.
        count: Samples.
        parameters: Fitted ones.
        floor: In the unit of the residuals.
    """
    return float(information_criteria(np.array(squares), count, parameters, floor))


def information_criteria(squares: Floats, count: int, parameters: int, floor: float) -> Floats:
    """The same of many fits with as many parameters."""
    return np.asarray(count * np.log(squares / count + floor**2) + parameters * np.log(count))


def hodges_lehmann(values: Floats) -> float:
    """Median of the means of all pairs (Hodges and Lehmann 1963)."""
    return float(centres(values))


def centres(values: Floats) -> Floats:
    """The same along the first axis."""
    first, second = np.triu_indices(len(values))
    return np.asarray(np.median((values[first] + values[second]) / 2, axis=0))


def median_interval(values: Floats, seed: int = 0) -> Interval:
    """95 % interval of a median by the percentile bootstrap."""
    drawn = np.random.default_rng(seed).integers(0, len(values), (_RESAMPLES, len(values)))
    low, high = np.percentile(np.median(values[drawn], axis=1), [2.5, 97.5])
    return Interval(float(low), float(high))


def sign_flip_share(values: Floats, seed: int = 0) -> float:
    """Share of random sign flips whose mean lies as far from zero as that of the values: the p of a permutation test."""
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], (_RESAMPLES, len(values)))
    flipped = np.abs((signs * values).mean(axis=1))
    return float((1 + (flipped >= abs(values.mean())).sum()) / (1 + _RESAMPLES))
