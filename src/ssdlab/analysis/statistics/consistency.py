"""How steady a speed is over time (METHODS E.fig), and means in which every moment counts the same."""

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.percentile import nearest_rank
from ssdlab.engine.result import Series
from ssdlab.message import message
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown


def consistency_percent(samples: NDArray[np.float64]) -> float | Unknown:
    """Speed that is reached 99.9 % of the time, in percent of the mean speed (METHODS E.fig).

    The 0.1th percentile of the samples by nearest rank over their mean, x 100.

    Args:
        samples: Speeds of windows of one length; see `speed_samples`.
    """
    slowest = nearest_rank(samples, "0.1")
    if isinstance(slowest, Unknown):
        return slowest
    mean = float(samples.mean())
    return slowest / mean * 100 if mean > 0 else Unknown(message("unknown-nothing-moved"))


def speed_samples(*directions: Series) -> NDArray[np.float64]:
    """Speed of all directions together in whole windows of one length from the start, in bytes per second.

    Windows of fio end with an I/O, so they are cut anew: of a drive that stood still for two seconds fio has one window, here
    it is twenty. What is left at the end and fills no window is left out.
    """
    window_ns = max((one.window_ns for one in directions), default=0)
    ended_ns = max((int(one.time_ns[-1]) for one in directions if len(one.time_ns)), default=0)
    if not ended_ns:
        return np.array([])
    ends_ns = np.arange(0, ended_ns + 1, window_ns, dtype=np.int64)
    done = np.zeros(len(ends_ns))
    for one in directions:
        done += np.interp(ends_ns, np.append(np.int64(0), one.time_ns), np.append(0.0, one.bytes_done))
    return np.diff(done) / (window_ns / 1e9)


def even_speeds(series: Series, start: int, end: int) -> NDArray[np.float64]:
    """Speed of windows `start` to `end` (exclusive) cut anew into windows of one length, in bytes per second.

    Each moment counts the same, and nothing is left over: their mean is all bytes over all time.
    """
    if start >= end:
        return np.array([])
    begin_ns, end_ns = int(series.time_ns[start - 1]) if start else 0, int(series.time_ns[end - 1])
    count = max(1, round((end_ns - begin_ns) / series.window_ns))
    ends_ns = np.linspace(begin_ns, end_ns, count + 1)
    done = np.interp(ends_ns, np.append(np.int64(0), series.time_ns), np.append(0.0, series.bytes_done))
    speeds: NDArray[np.float64] = np.diff(done) / np.diff(ends_ns) * NS_PER_S
    return speeds


def mean_over_time(values: NDArray[np.float64], duration_ns: NDArray[np.int64]) -> float | Unknown:
    """Mean of window values, each with the weight of its length; NaN is a window that has no value."""
    known = np.isfinite(values)
    if not known.any():
        return Unknown(message("unknown-no-window-value"))
    return float(np.average(values[known], weights=duration_ns[known] / 1e9))
