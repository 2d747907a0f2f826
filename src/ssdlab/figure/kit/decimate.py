"""Thinning long series to what a screen can show, without ever losing a single dip or spike."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """A series cut into columns of equal width; arrays of one length, empty columns left out.

    Attributes:
        x: float64, mean position of the samples in the column.
        low, high: float64, smallest and largest sample.
        mean: float64, mean of the samples.
        count: int64, how many samples.
    """

    x: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    mean: NDArray[np.float64]
    count: NDArray[np.int64]

    @property
    def merged(self) -> bool:
        """Whether any column stands for more than one sample."""
        return bool((self.count > 1).any())


def into_columns(x: NDArray[np.float64], y: NDArray[np.float64], width: float, limit: int) -> Columns:
    """Cut a series into at most `limit` columns over `0..width` of the axis.

    Args:
        x: Ascending positions.
        y: Samples; those that are no number are left out.
        width: Length of the axis in the unit of `x`.
        limit: Columns the whole axis has.
    """
    known = np.isfinite(y)
    x, y = x[known], y[known]
    if not len(x):
        return Columns(x, y, y, y, np.empty(0, dtype=np.int64))
    column = np.minimum((x / width * limit).astype(np.int64), limit - 1)
    starts = np.flatnonzero(np.diff(column, prepend=-1))
    count = np.diff(starts, append=len(x))
    return Columns(
        x=np.add.reduceat(x, starts) / count,
        low=np.minimum.reduceat(y, starts),
        high=np.maximum.reduceat(y, starts),
        mean=np.add.reduceat(y, starts) / count,
        count=count,
    )


def extremes(
    x: NDArray[np.float64], y: NDArray[np.float64], limit: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Thin a series to about `limit` samples: the smallest and the largest of each slice, in their order.

    A slice with samples that are no number keeps the first of these besides, so that a gap stays one. A series that is
    short enough comes back whole.
    """
    if len(x) <= limit:
        return x, y
    size, longer = divmod(len(x), limit // 2)
    border = longer * (size + 1)
    kept = np.unique(np.concatenate([_ends(y[:border], size + 1), border + _ends(y[border:], size)]))
    return x[kept], y[kept]


def _ends(y: NDArray[np.float64], size: int) -> NDArray[np.intp]:
    """Where the smallest and the largest of each slice of that size are, and the first that is no number."""
    slices = y.reshape(-1, size)
    missing = np.isnan(slices)
    begins = np.arange(len(slices)) * size
    lowest = begins + np.where(missing, np.inf, slices).argmin(axis=1)
    highest = begins + np.where(missing, -np.inf, slices).argmax(axis=1)
    gaps = (begins + missing.argmax(axis=1))[missing.any(axis=1)]
    return np.concatenate([lowest, highest, gaps])
