"""Whether counts are those of given shares: Pearson's test."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import erfc, exp, inf, lgamma, log, sqrt
from typing import TypeVar

_EXPECTED_MIN = 5.0
"""Classes of fewer are counted together, as the law holds only for larger ones."""

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class ShareFit:
    """How far counts lie from their shares."""

    chi_squared: float
    degrees: int
    """Of freedom; 0 where there is but one class."""

    @property
    def p(self) -> float:
        """How often chance alone takes counts as far away."""
        return chi_squared_tail(self.chi_squared, self.degrees)


def fit(counts: Mapping[_Key, int], shares: Mapping[_Key, float]) -> ShareFit:
    """Counts against the shares of their classes.

    Args:
        counts: How many fell into each class; of a class that has no share, any is too many.
        shares: Share of each; all come to 1.
    """
    if any(count and not shares.get(key) for key, count in counts.items()):
        return ShareFit(inf, 1)
    total = sum(counts.values())
    pools, expected, found = [], 0.0, 0
    for key in sorted((one for one in shares if shares[one]), key=lambda one: shares[one]):
        expected, found = expected + total * shares[key], found + counts.get(key, 0)
        if expected >= _EXPECTED_MIN:
            pools.append((expected, found))
            expected, found = 0.0, 0
    # The largest class comes last, so that something is left over only where all I/Os together are too few.
    return ShareFit(sum((found - expected) ** 2 / expected for expected, found in pools), max(0, len(pools) - 1))


def chi_squared_tail(chi_squared: float, degrees: int) -> float:
    """Probability that chi-square with so many degrees of freedom is at least as large.

    Source: M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 26.4.4 and 26.4.5.
    """
    half = chi_squared / 2
    if degrees < 1 or half <= 0:
        return 1.0
    if half == inf:
        return 0.0
    begin = 0.5 if degrees % 2 else 0.0
    terms = (exp((begin + i) * log(half) - half - lgamma(begin + i + 1)) for i in range(degrees // 2))
    return (erfc(sqrt(half)) if degrees % 2 else 0.0) + sum(terms)
