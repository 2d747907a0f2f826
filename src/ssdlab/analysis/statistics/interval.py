"""95 % intervals of means over correlated samples."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.noise import WindowNoise

_SAMPLES_MIN = 6
"""Fewer samples give no interval worth printing."""
_VARIANCE_OF_MIDDLE = 1.35
"""Variance of the median of three over that of their mean, where the scatter is normal; of a trimmed mean it is less."""
_WAVES = 0.4
"""Slow waves looked at in so many samples: this times their number to the power of 2/3 (Lazarus and others 2018)."""
_WAVES_MIN = 3
_SHORT = 100
"""Samples from which the slowest waves show how they remember; a rhythm of many periods would pass for memory in longer series."""
_CORRELATION_MAX = 0.9
"""Of neighbours in a short series: what remembers for longer cannot be told from a level that moves."""
_INFLATED_MAX = 0.95
"""Share of all samples that correlation may take away."""
FEW_WINDOWS = 4
"""Of so many windows or fewer a level has no inside: the level may change in the first and in the last."""
_T_975 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""Student's t, 97.5 %, for 1 to 10 degrees of freedom."""
_T_NOISE = 2.2
"""Quantile of Student's t for the ten or so times that a series forgets its noise, where that lasts."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Ends of a 95 % interval."""

    low: float
    high: float


def interval_around(estimate: float, reach: float) -> Interval:
    """Interval of a rate, which cannot be negative: its lower end is 0 where half of the interval is more than the rate."""
    return Interval(max(0.0, estimate - reach), estimate + reach)


@dataclass(frozen=True, slots=True)
class StandardError:
    """By how much a mean scatters, and how well that is known.

    Attributes:
        value: Standard deviation of the mean.
        degrees: Degrees of freedom from which it was estimated.
    """

    value: float
    degrees: int

    @property
    def reach(self) -> float:
        """Half of the 95 % interval."""
        return student_t(self.degrees) * self.value

    def around(self, estimate: float) -> Interval:
        """95 % interval of a mean."""
        return interval_around(estimate, self.reach)

    def per(self, size: float) -> "StandardError":
        """Of the mean divided by that."""
        return StandardError(self.value / size, self.degrees)


def standard_error(samples: NDArray[np.float64]) -> StandardError | None:
    """Of the mean of samples that may be correlated: from their slowest waves, of a short series at least that of an autoregression.

    A short series that remembers for long shows too little of its scatter in its waves. With both the interval holds the mean in 98 %
    of series of independent samples; where neighbours correlate by 0.5, in 91 % of those of 6 samples, 93 % of 10 and 96 % of 20 to 100;
    by 0.9, in 82 % of 6, 83 % of 10, 87 % of 20, 89 % of 50 and 93 % of 100.

    Returns:
        None for fewer than six samples.
    """
    if len(samples) < _SAMPLES_MIN:
        return None
    by_waves = error_by_waves(samples)
    if len(samples) > _SHORT:
        return by_waves
    return max(by_waves, _autoregressive(samples), key=lambda error: error.reach)


def error_by_waves(samples: NDArray[np.float64]) -> StandardError:
    """Of the mean of six samples or more, from their slowest waves.

    What the mean of a series scatters by is its spectrum at frequency zero. The projections on the first few cosines over its length
    are nearly independent and scatter alike, where neighbours forget each other in a small part of that length; a rhythm of more periods
    than half of these waves averages out and does not count. Equal-weighted cosines: Lazarus, Lewis, Stock & Watson 2018, "HAR inference:
    recommendations for practice".
    """
    count = len(samples)
    waves = np.arange(1, max(_WAVES_MIN, int(_WAVES * count ** (2 / 3))) + 1)
    powers = 2 / count * _on_cosines(samples - samples.mean())[waves] ** 2
    return StandardError(float(np.sqrt(powers.mean() / count)), len(waves))


def _autoregressive(samples: NDArray[np.float64]) -> StandardError:
    """Of the mean of an autoregression of first order, with as many degrees of freedom as there would be independent samples.

    In a short series neighbours seem to correlate less than they do, and samples to scatter less; both are put right to first order
    (Marriott & Pope 1954, "Bias in the estimation of autocorrelations").
    """
    count, apart = len(samples), samples - samples.mean()
    squares = float(apart @ apart)
    if not squares:
        return StandardError(0.0, count - 1)
    seen = float(apart[1:] @ apart[:-1]) / squares
    rho = min(max(0.0, (seen + 1 / count) / (1 - 3 / count)), _CORRELATION_MAX)
    inflation = (1 + rho) / (1 - rho) - 2 * rho * (1 - rho**count) / (count * (1 - rho) ** 2)
    inflation = min(inflation, _INFLATED_MAX * count)
    variance = squares / count / (1 - inflation / count)
    return StandardError(float(np.sqrt(variance * inflation / count)), max(1, round(count / inflation) - 1))


def _on_cosines(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Projections on the cosines of up to half a period a sample, by one Fourier transform (Makhoul 1980), in memory as of the samples."""
    folded = np.concatenate([samples[::2], samples[1::2][::-1]])
    transform = np.fft.rfft(folded)
    turned: NDArray[np.complex128] = np.exp(-0.5j * np.pi * np.arange(len(transform)) / len(samples)) * transform
    return turned.real


def mean_interval(samples: NDArray[np.float64], estimate: float) -> Interval | None:
    """Interval of a mean rate over samples that may be correlated.

    Args:
        samples: What the mean scatters by.
        estimate: The mean itself, over everything; samples of one length leave out what fills none, and a slow rest would put
            the mean outside an interval around theirs.

    Returns:
        None for fewer than six samples.
    """
    error = standard_error(samples)
    return None if error is None else error.around(estimate)


def level_interval(samples: NDArray[np.float64], estimate: float, noise: WindowNoise | None) -> Interval | None:
    """Interval of the mean of one level of a series whose noise is known from all of it.

    A short level has no waves slow enough to show how the noise remembers, and one of a few windows none at all: then what the noise of
    the whole series says is more.

    Args:
        samples: Windows of the level; of a few of them one has a part of the next level and says nothing.
        estimate: Their mean.
        noise: Of the logarithms of the whole series.
    """
    own = mean_interval(samples, estimate)
    if noise is None or not len(samples):
        return own
    informative = len(samples) if len(samples) > FEW_WINDOWS else max(1, len(samples) - 1)
    reach = _T_NOISE * estimate * float(np.sqrt(noise.variance_of_mean(informative)))
    if own is not None:
        reach = max(reach, own.high - estimate)
    return interval_around(estimate, reach)


def interval_of_runs(values: Sequence[float], own: Sequence[StandardError | None], estimate: float) -> Interval | None:
    """Interval of the middle of a few runs of the same measurement.

    A run says by itself how far it may be off, but not what changes from run to run. So the variance of the runs beyond what their
    own errors explain, estimated by moments as in an analysis of variance with random effects, is added to these; no test has to
    decide between the two. All runs together say what that own error is.

    Args:
        values: Of the runs; of one its own interval is that of the middle.
        own: Their standard errors.
        estimate: The middle.

    Returns:
        None where nothing tells how far the middle may be off.
    """
    known = [one for one in own if one is not None]
    if len(values) < 2:
        return known[0].around(estimate) if known else None
    variance, pooled = float(np.var(values, ddof=1)), StandardError(0.0, 1)
    if len(known) == len(values):
        mean_square = float(np.mean([one.value**2 for one in known]))
        pooled = StandardError(float(np.sqrt(mean_square)), sum(one.degrees for one in known))
    elif not variance:
        # Equal numbers of so few runs do not make the middle exact.
        return None
    between = float(np.sqrt(max(0.0, variance - pooled.value**2)))
    reach = np.sqrt(_VARIANCE_OF_MIDDLE / len(values)) * np.hypot(pooled.reach, student_t(len(values) - 1) * between)
    return interval_around(estimate, float(reach))


def combined_reach(parts: Sequence[tuple[float, float | None]]) -> float | None:
    """Half of the interval of a weighted sum of independent values; None where one has no interval.

    Args:
        parts: Weight of each, and half of its interval as it was before it ended at zero.
    """
    squares = [None if reach is None else (weight * reach) ** 2 for weight, reach in parts]
    known = [square for square in squares if square is not None]
    return float(np.sqrt(sum(known))) if known and len(known) == len(squares) else None


def student_t(degrees: int) -> float:
    """Two-sided 95 % quantile of Student's t; beyond ten degrees by the Cornish-Fisher expansion, exact to 0.2 %."""
    if degrees <= len(_T_975):
        return _T_975[degrees - 1]
    normal = 1.959964
    return (
        normal
        + (normal**3 + normal) / (4 * degrees)
        + (5 * normal**5 + 16 * normal**3 + 3 * normal) / (96 * degrees**2)
    )
