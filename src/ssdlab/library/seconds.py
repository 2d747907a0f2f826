"""A series second by second, whatever its windows were."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ssdlab.units import NS_PER_S


def by_second(windows: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Windows of one direction, those that end within one second of the job taken together; longer ones stay as they are.

    Bytes and I/Os of a second are those of its windows, so that rates times lengths add up to the same; latencies are the mean
    over the I/Os and the largest.

    Args:
        windows: The columns of `Series` but its `window_ns`, ascending by `time_ns`.
    """
    time_ns = windows["time_ns"]
    if not len(time_ns):
        return {name: windows[name] for name in _COLUMNS}
    begins = np.flatnonzero(np.diff((time_ns - 1) // NS_PER_S, prepend=-1))
    length_ns = np.diff(time_ns, prepend=np.int64(0)).astype(np.float64)
    whole_ns = np.maximum(np.add.reduceat(length_ns, begins), 1.0)
    ios = windows["iops"] * length_ns
    mean_ns = windows["latency_ns_mean"]
    timed = np.where(np.isfinite(mean_ns), ios, 0.0)
    timed_ios = np.add.reduceat(timed, begins)
    latency_ns = np.add.reduceat(timed * np.nan_to_num(mean_ns), begins)
    ends = np.append(begins[1:], len(time_ns)) - 1
    return {
        "time_ns": time_ns[ends],
        "bandwidth_bytes_per_s": np.add.reduceat(windows["bandwidth_bytes_per_s"] * length_ns, begins) / whole_ns,
        "iops": np.add.reduceat(ios, begins) / whole_ns,
        "latency_ns_mean": np.where(timed_ios > 0, latency_ns / np.where(timed_ios > 0, timed_ios, 1.0), np.nan),
        "latency_ns_max": np.fmax.reduceat(windows["latency_ns_max"].astype(np.float64), begins),
    }


_COLUMNS = ("time_ns", "bandwidth_bytes_per_s", "iops", "latency_ns_mean", "latency_ns_max")
