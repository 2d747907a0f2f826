"""The longest rhythm of a series: a cache that fills and drains, collection that comes and goes, heat."""

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.adaptive.batches import batch_means

_SAMPLES_MIN = 48
_PERIODS_MIN = 3
"""What was seen less often may be chance."""
_ALIKE_MIN = 0.5
"""Correlation with itself a period later; two periods later half of that."""
_LAG_MIN = 4
"""Batches of a period: of fewer a multiple may fit better than the period itself."""
_MULTIPLE, _MULTIPLES_MAX = 0.1, 12
"""Of a shorter rhythm: so near a small multiple of it is the same one seen through longer batches."""
_POWER_MIN = 0.2
"""Of the variance of a shorter rhythm: batches longer than that one show less of it, and it then seems to be slow."""
_FIRST_PEAK = 0.9
"""Of the highest correlation: multiples of a period correlate as well as the period itself."""


def longest_rhythm(samples: NDArray[np.float64]) -> int | None:
    """Windows of the longest period that comes again at least three times and carries half of what the series varies by at its scale.

    The series is looked at in ever longer batches, so that noise from window to window hides no slow rhythm, each time without its
    line: a drift is none.
    """
    found: int | None = None
    power, size = 0.0, 1
    while len(samples) // size >= _SAMPLES_MIN:
        apart = without_line(batch_means(samples, size))
        varies, period = float(np.mean(apart**2)), _period(apart)
        of_its_own = found is None or not _is_multiple((period or 0) * size, found)
        if period is not None and of_its_own and varies >= _POWER_MIN * power:
            found, power = max(found or 0, period * size), varies
        size *= 2
    return found


def _is_multiple(period: int, shorter: int) -> bool:
    times = period / shorter
    return times < _MULTIPLES_MAX and abs(times - round(times)) <= _MULTIPLE


def without_line(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is left of values, two at least, beside the best line through them."""
    at = np.arange(len(values)) - (len(values) - 1) / 2
    apart = values - values.mean()
    left: NDArray[np.float64] = apart - at * float(at @ apart) / float(at @ at)
    return left


def _period(apart: NDArray[np.float64]) -> int | None:
    count = len(apart)
    correlation = _autocorrelation(apart)
    if correlation is None:
        return None
    below = np.flatnonzero(correlation[: count // _PERIODS_MIN] < 0)
    if not len(below):
        return None
    begin = int(below[0])
    candidates = correlation[begin : count // _PERIODS_MIN]
    high = float(candidates.max())
    if high < _ALIKE_MIN:
        return None
    first = begin + int(np.flatnonzero(candidates >= _FIRST_PEAK * high)[0])
    # From where it first comes near, to the top of that peak.
    first += int(np.argmax(correlation[first : min(first + first // 4 + 1, count // _PERIODS_MIN)]))
    around = correlation[2 * first - first // 4 : 2 * first + first // 4 + 1]
    comes_again = len(around) and float(around.max()) >= _ALIKE_MIN / 2
    return first if comes_again and first >= _LAG_MIN else None


def _autocorrelation(apart: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """At every lag over the samples that have a partner; None of a series that does not vary."""
    count = len(apart)
    squares = float(apart @ apart)
    if squares <= 1e-18 * count:
        return None
    spectrum = np.fft.rfft(apart, 2 * count)
    products = np.fft.irfft(np.abs(spectrum) ** 2, 2 * count)[:count]
    correlation: NDArray[np.float64] = products / squares * count / (count - np.arange(count))
    return correlation
