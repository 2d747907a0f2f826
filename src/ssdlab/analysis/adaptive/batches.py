"""Means of neighbouring windows: fewer, and less like their neighbours."""

import numpy as np
from numpy.typing import NDArray


def batch_means(samples: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Means of so many neighbours each, from the first on; what fills no batch at the end is left out."""
    count = len(samples) // size
    means: NDArray[np.float64] = samples[: count * size].reshape(count, size).mean(axis=1)
    return means
