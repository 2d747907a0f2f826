"""Quantiles of Student's t far out in its tail, where tables and expansions end."""

from collections.abc import Iterator
from math import exp, lgamma, log, log1p, sqrt

_TERMS_MAX = 500
_EXACT = 1e-14
_TINY = 1e-300
_HALVINGS = 200


def student_t_beyond(probability: float, degrees: int) -> float:
    """The value that Student's t exceeds with that probability.

    Args:
        probability: Of the upper tail alone, more than 0 and less than 0.5.
        degrees: Of freedom, at least 1.
    """
    # Over 0 to 1 the share x = degrees / (degrees + t²) falls as t grows, and its logarithm is what can be halved for any tail.
    low, high = -700.0, 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _two_tails(middle, degrees) < 2 * probability else (low, middle)
    share = exp((low + high) / 2)
    return sqrt(degrees * (1 - share) / share)


def _two_tails(log_share: float, degrees: int) -> float:
    """Probability of a value farther from 0 than t: the incomplete beta function I_x(degrees / 2, 1 / 2) (DLMF 8.17)."""
    share = exp(log_share)
    if share >= 1:
        return 1.0
    a, b = degrees / 2, 0.5
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log_share + b * log1p(-share))
    if share < (a + 1) / (a + b + 2):
        return front * _fraction(share, a, b) / a
    return 1 - front * _fraction(1 - share, b, a) / b


def _fraction(share: float, a: float, b: float) -> float:
    """The continued fraction of DLMF 8.17.22, from the front as Lentz (1976) evaluates it."""
    numerator, denominator = 1.0, 0.0
    value = 1.0
    for term in _terms(share, a, b):
        denominator = 1 / (1 + term * denominator or _TINY)
        numerator = 1 + term / numerator or _TINY
        step = numerator * denominator
        value *= step
        if abs(log(step)) < _EXACT:
            break
    return 1 / value


def _terms(share: float, a: float, b: float) -> Iterator[float]:
    for place in range(1, _TERMS_MAX):
        half = place // 2
        if place % 2:
            yield -(a + half) * (a + b + half) * share / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            yield half * (b - half) * share / ((a + 2 * half - 1) * (a + 2 * half))
