"""Latency distributions over time, as both engines count them."""

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.engine.result import Histogram, LatencyWindows

_COLUMNS = _core.BIN_COUNT // _core.BINS_MERGED_OVER_TIME


def latency_windows(counted: "_core.LatencyOverTime", window_ns: int, runtime_ns: int) -> LatencyWindows:
    """What was counted, with times instead of numbers of windows; the last window ends with the job.

    Args:
        counted: By windows of `window_ns` each.
        window_ns: Length of the windows as they came in.
        runtime_ns: Length of the job.
    """
    return _rows(
        window_ns * counted.windows_joined,
        runtime_ns,
        np.frombuffer(counted.window, dtype=np.int64),
        np.frombuffer(counted.first_bin, dtype=np.int64),
        np.frombuffer(counted.count, dtype=np.int64),
    )


def completed_from(
    total: Histogram, logged: "_core.LatencyOverTime", window_ns: int, runtime_ns: int
) -> LatencyWindows:
    """The same for a log that ends before the job does: what the whole distribution has beyond it completed in the last window.

    Args:
        total: The `clat` of the whole job, exact.
        logged: What the logs count, by windows of `window_ns` each.
        window_ns: Length of the windows as they came in.
        runtime_ns: Length of the job.
    """
    window, first_bin, count = (
        np.frombuffer(column, dtype=np.int64) for column in (logged.window, logged.first_bin, logged.count)
    )
    length_ns = window_ns * logged.windows_joined
    missing = _by_column(total.bin_index, total.count) - _by_column(first_bin, count)
    columns = np.flatnonzero(missing > 0)
    last = max((runtime_ns - 1) // length_ns, int(window.max(initial=0)))
    return _rows(
        length_ns,
        runtime_ns,
        np.append(window, np.full(len(columns), last)),
        np.append(first_bin, columns * _core.BINS_MERGED_OVER_TIME),
        np.append(count, missing[columns]),
    )


def _by_column(bin_index: NDArray[np.int64], count: NDArray[np.int64]) -> NDArray[np.int64]:
    totals = np.zeros(_COLUMNS, dtype=np.int64)
    np.add.at(totals, bin_index // _core.BINS_MERGED_OVER_TIME, count)
    return totals


def _rows(
    length_ns: int,
    runtime_ns: int,
    window: NDArray[np.int64],
    first_bin: NDArray[np.int64],
    count: NDArray[np.int64],
) -> LatencyWindows:
    """Rows in order, each window and bin once; fio's last window may end a moment after the job as fio counts it."""
    last = max(0, (runtime_ns - 1) // length_ns)
    keys, row = np.unique(np.minimum(window, last) * _core.BIN_COUNT + first_bin, return_inverse=True)
    counts = np.zeros(len(keys), dtype=np.int64)
    np.add.at(counts, row, count)
    return LatencyWindows(
        window_ns=length_ns,
        time_ns=np.minimum((keys // _core.BIN_COUNT + 1) * length_ns, runtime_ns),
        bin_index=keys % _core.BIN_COUNT,
        count=counts,
    )
