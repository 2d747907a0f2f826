"""Single I/Os of a job, made into what results have of them: windows and histograms."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.engine.result import DirectionResult, Histogram, LatencyKind, Series
from ssdlab.job import WINDOW_NS, Job
from ssdlab.units import NS_PER_S

_BITS = 6
"""fio counts latencies in 64 bins for each power of two, and what is longer than all of them in the last."""
_LAST = 29 * 64 - 1


@dataclass(frozen=True, slots=True, eq=False)
class Ios:
    """In order of completion; columns of one length.

    Attributes:
        time_ns: int64, completion since the job began.
        latency_ns: int64.
        verb: uint8, 0 a read, 1 a write.
    """

    time_ns: NDArray[np.int64]
    latency_ns: NDArray[np.int64]
    verb: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.time_ns)

    def chosen(self, which: NDArray[np.bool_]) -> "Ios":
        """Some of them."""
        return Ios(self.time_ns[which], self.latency_ns[which], self.verb[which])


def direction_result(job: Job, ios: Ios, end_ns: int) -> DirectionResult:
    """All that results have of one direction, of which there is at least one I/O.

    Args:
        job: Whose I/Os they are; all are of its length.
        ios: Of that direction alone.
        end_ns: The last completion of the job, in whatever direction.
    """
    histogram = histogram_of(ios.latency_ns)
    return DirectionResult(
        io_count=len(ios),
        io_bytes=len(ios) * job.block_bytes,
        short_ios=0,
        runtime_ns=end_ns,
        logged_bytes=len(ios) * job.block_bytes,
        latency={LatencyKind.CLAT: histogram, LatencyKind.LAT: histogram},
        series=series_of_ios(ios, end_ns, job.block_bytes),
    )


def series_of_ios(ios: Ios, end_ns: int, block_bytes: int) -> Series:
    """Windows without gaps, the last one as long as there was something to do; an I/O counts where it completes."""
    windows = max(1, -(-end_ns // WINDOW_NS))
    ends_ns = np.minimum((1 + np.arange(windows, dtype=np.int64)) * WINDOW_NS, end_ns)
    window = (ios.time_ns - 1) // WINDOW_NS
    count = np.bincount(window, minlength=windows).astype(np.float64)
    total_ns = np.bincount(window, weights=ios.latency_ns, minlength=windows)
    latest_ns = np.zeros(windows)
    np.maximum.at(latest_ns, window, ios.latency_ns)
    iops = count / (np.diff(ends_ns, prepend=np.int64(0)) / NS_PER_S)
    return Series(
        window_ns=WINDOW_NS,
        time_ns=ends_ns,
        bandwidth_bytes_per_s=iops * block_bytes,
        iops=iops,
        latency_ns_mean=np.divide(total_ns, count, out=np.full(windows, np.nan), where=count > 0),
        latency_ns_max=np.where(count > 0, latest_ns, np.nan),
    )


def histogram_of(latency_ns: NDArray[np.int64]) -> Histogram:
    """The distribution in fio's bins."""
    index, count = np.unique(bins_of(latency_ns), return_counts=True)
    return Histogram(
        bin_index=index.astype(np.int64),
        count=count.astype(np.int64),
        mean_ns=float(latency_ns.mean()),
        min_ns=int(latency_ns.min()),
        max_ns=int(latency_ns.max()),
        stddev_ns=float(latency_ns.std(ddof=1)) if len(latency_ns) > 1 else 0.0,
    )


def bins_of(latency_ns: NDArray[np.int64]) -> NDArray[np.int64]:
    """The bin of each, as `ssdlab._core.bin_index` has it for one: exact below 128, then the 6 bits after the first."""
    # frexp is exact below 2^53 ns, which is 104 days.
    first_bit = np.frexp(np.maximum(latency_ns, 1).astype(np.float64))[1].astype(np.int64) - 1
    shift = np.maximum(first_bit - _BITS, 0)
    wide = ((shift + 1) << _BITS) + ((latency_ns >> shift) & ((1 << _BITS) - 1))
    return np.minimum(np.where(first_bit <= _BITS, latency_ns, wide), _LAST)
