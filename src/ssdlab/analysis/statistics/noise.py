"""Noise of the windows of a series: how much it scatters, and for how long one window is like the next.

Neighbouring windows of a fill are hardly ever independent: a busy host or collecting garbage slows many in a row. A mean of so many
windows is known less well than their number says, and a level that only seems to change is one long wave of the noise. Both follow from
the variogram, the mean squared difference of windows that are so far apart. That of neighbours that forget each other exponentially is
`variance (1 - correlation^distance)`. Differences do not see levels, and the lower third of them neither changes of level nor outliers.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_SIGMA_FLOOR = 0.01
"""A level is never known better than one per cent; keeps noiseless series from dividing by zero."""
_DISTANCES = (1, 2, 4, 8, 16, 32, 64)
_PAIRS_MIN = 24
"""Fewer pairs say little."""
CHI_SQUARED_MEDIAN = 0.4549
"""Median of the chi-squared distribution with one degree of freedom."""
_RANK = 1 / 3
"""Of the squared differences, in ascending order, the one taken: where levels change often, up to half of the pairs straddle a change."""
_CHI_SQUARED_RANK = 0.1854
"""The same rank of the chi-squared distribution with one degree of freedom."""
_RHYTHM = 3.0
"""Twice as far apart, windows differ at most twice as much, squared; far more is a rhythm of the drive, which averages out."""
MANY_WINDOWS = 200
"""Of fewer it is not known well for how long the noise remembers."""
_OUTLIER = 3.0
_FEW_ALIKE_MAX = 0.95
_MEDIAN = 1.57
"""Variance of a median over that of a mean, where noise is normal and windows forget at once: pi / 2."""
_CORRELATIONS = np.array([0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99])


@dataclass(frozen=True, slots=True)
class WindowNoise:
    """Noise of the logarithms.

    Attributes:
        variance: Of one window.
        correlation: Of one window with the next; with the one after that its square, and so on.
    """

    variance: float
    correlation: float

    def variance_of_mean(self, windows: int) -> float:
        """Variance of the mean of so many windows in a row."""
        forgets = 1 - self.correlation
        memory = 2 * self.correlation * (1 - self.correlation**windows) / (windows * forgets**2)
        return self.variance / windows * ((1 + self.correlation) / forgets - memory)

    def variance_of_median(self, windows: int) -> float:
        """Likewise of their median."""
        return _MEDIAN * self.variance_of_mean(windows)

    @property
    def long_run_variance(self) -> float:
        """What the variance of a mean of many windows comes to, times their number."""
        return self.variance * (1 + self.correlation) / (1 - self.correlation)


def noise_of_few(apart: Floats, noise: WindowNoise) -> WindowNoise:
    """Noise of a short series, at least what its windows scatter by around their levels.

    Differences between windows of a short series do not reach as far as its noise remembers, and show too little of it. Scatter and
    correlation of neighbours come out too small, too, by what the mean of the windows takes (Marriott & Pope 1954), which is given back.

    Args:
        apart: Logarithms of the windows less those of their levels; more than three typical deviations count as three.
        noise: What the differences show; stands alone where windows are many.
    """
    if not _PAIRS_MIN <= len(apart) < MANY_WINDOWS:
        return noise
    most = _OUTLIER * float(np.median(np.abs(apart))) / np.sqrt(CHI_SQUARED_MEDIAN)
    kept = np.clip(apart, -most, most)
    square = float((kept**2).sum())
    if not square:
        return noise
    alike = float((kept[1:] * kept[:-1]).sum()) / square
    alike = min(max(alike + (1 + 3 * alike) / len(kept), 0.0), _FEW_ALIKE_MAX)
    lost = WindowNoise(1.0, alike).variance_of_mean(len(kept))
    found = WindowNoise(square / len(kept) / (1 - lost), alike)
    return found if found.variance > noise.variance else noise


def window_noise(log_values: Floats) -> WindowNoise:
    """Noise of a series of logarithms, whatever its levels."""
    found: list[float] = []
    for distance in _DISTANCES:
        if len(log_values) < max(_PAIRS_MIN, 4 * distance):
            break
        squares = (log_values[distance:] - log_values[:-distance]) ** 2
        half = max(float(np.quantile(squares, _RANK)) / (2 * _CHI_SQUARED_RANK), _SIGMA_FLOOR**2)
        if found and half > _RHYTHM * found[-1]:
            # Of the distance before, some pairs already straddle a change.
            found = found[:-1] or found
            break
        found.append(half)
    if not found:
        return WindowNoise(_SIGMA_FLOOR**2, 0.0)
    # Windows a whole period of a rhythm apart are alike; noise is never more alike for being further apart.
    halves = np.log(np.minimum.accumulate(found[::-1])[::-1])
    shapes = np.log(1 - _CORRELATIONS[:, None] ** np.array(_DISTANCES[: len(found)]))
    scales = (halves - shapes).mean(axis=1)
    misfit = ((halves - shapes - scales[:, None]) ** 2).sum(axis=1)
    best = int(misfit.argmin())
    return WindowNoise(float(np.exp(scales[best])), float(_CORRELATIONS[best]))
