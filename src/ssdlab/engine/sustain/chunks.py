"""Chunks of a pass, added up as they come: what is kept of them does not grow with their number."""

from collections import Counter
from math import sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.engine.result import Histogram, Series
from ssdlab.job import WINDOW_NS
from ssdlab.units import NS_PER_S

T = TypeVar("T", int, float)
WINDOWS_MAX = 20_000
"""Of the series of a pass: where there are more, each two become one, so that what is kept of a long pass stays small."""


class Chunks:
    """Chunks one after the other, each with when it began and ended, in nanoseconds since the pass began."""

    def __init__(self) -> None:
        self.count = 0
        self.bytes = 0
        self.ended_ns = 0
        self._took: Counter[int] = Counter()
        """Chunks in each bin of latency."""
        self._took_sum_ns = 0
        self._took_squares_ns2 = 0
        self._took_min_ns = 0
        self._took_max_ns = 0
        self._window_ns = WINDOW_NS
        self._bytes: list[float] = []
        """One value a window, as in the three that follow."""
        self._ends: list[int] = []
        """Chunks that ended in it."""
        self._took_ns: list[int] = []
        """Of these together."""
        self._longest_ns: list[int] = []

    def add(self, length_bytes: int, begun_ns: int, ended_ns: int) -> None:
        """One more."""
        took_ns = ended_ns - begun_ns
        self._took_min_ns = min(self._took_min_ns, took_ns) if self.count else took_ns
        self._took_max_ns = max(self._took_max_ns, took_ns)
        self._took_sum_ns += took_ns
        self._took_squares_ns2 += took_ns * took_ns
        self._took[_core.bin_index(took_ns)] += 1
        self.count, self.bytes, self.ended_ns = self.count + 1, self.bytes + length_bytes, ended_ns
        last = self._window_at(ended_ns)
        self._spread(length_bytes, begun_ns, ended_ns)
        self._ends[last] += 1
        self._took_ns[last] += took_ns
        self._longest_ns[last] = max(self._longest_ns[last], took_ns)

    def _window_at(self, ended_ns: int) -> int:
        """Where a moment is, once there is room for it; the end of a window belongs to it."""
        while (last := max(0, ended_ns - 1) // self._window_ns) >= WINDOWS_MAX:
            self._widen()
        for column in (self._bytes, self._ends, self._took_ns, self._longest_ns):
            column.extend([0] * (last + 1 - len(column)))
        return last

    def _widen(self) -> None:
        """Each two windows become one."""
        self._window_ns *= 2
        self._bytes = _pairs_added(self._bytes)
        self._ends = _pairs_added(self._ends)
        self._took_ns = _pairs_added(self._took_ns)
        self._longest_ns = [max(self._longest_ns[at : at + 2]) for at in range(0, len(self._longest_ns), 2)]

    def _spread(self, length_bytes: int, begun_ns: int, ended_ns: int) -> None:
        """The bytes of a chunk, evenly over the time it took."""
        window_ns, took_ns = self._window_ns, ended_ns - begun_ns
        last = max(0, ended_ns - 1) // window_ns
        if not took_ns:
            self._bytes[last] += length_bytes
            return
        for at in range(begun_ns // window_ns, last + 1):
            inside_ns = min(ended_ns, (at + 1) * window_ns) - max(begun_ns, at * window_ns)
            self._bytes[at] += length_bytes * inside_ns / took_ns

    def histogram(self) -> Histogram:
        """How long they took."""
        bins = sorted(self._took)
        variance_ns2 = (self.count * self._took_squares_ns2 - self._took_sum_ns**2) / self.count**2
        return Histogram(
            bin_index=np.array(bins, dtype=np.int64),
            count=np.array([self._took[one] for one in bins], dtype=np.int64),
            mean_ns=self._took_sum_ns / self.count,
            min_ns=self._took_min_ns,
            max_ns=self._took_max_ns,
            stddev_ns=sqrt(variance_ns2),
        )

    def series(self, block_bytes: int) -> Series:
        """Windows of 100 ms, or of 200, 400 and so on where the pass was long; the last one ends with it."""
        ends = np.arange(1, len(self._bytes) + 1, dtype=np.int64) * self._window_ns
        ends[-1] = self.ended_ns
        bandwidth = np.array(self._bytes) * NS_PER_S / np.diff(ends, prepend=0)
        count = np.array(self._ends)
        return Series(
            window_ns=self._window_ns,
            time_ns=ends,
            bandwidth_bytes_per_s=bandwidth,
            iops=bandwidth / block_bytes,
            latency_ns_mean=_where_any(np.array(self._took_ns) / np.maximum(count, 1), count),
            latency_ns_max=_where_any(np.array(self._longest_ns, dtype=np.float64), count),
        )


def _pairs_added(values: list[T]) -> list[T]:
    return [sum(values[at : at + 2]) for at in range(0, len(values), 2)]


def _where_any(values: NDArray[np.float64], count: NDArray[np.int64]) -> NDArray[np.float64]:
    """NaN where no chunk ended."""
    return np.where(count > 0, values, np.nan)
