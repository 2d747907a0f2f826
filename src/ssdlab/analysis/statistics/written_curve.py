"""Bytes written over time, as a curve that grows while a job runs and answers about any stretch of it at once."""

import numpy as np
from numpy.typing import NDArray

from ssdlab.units import NS_PER_S

Floats = NDArray[np.float64]


class WrittenCurve:
    """The rate of every window taken as constant inside it, so that any moment and any byte can be asked for, not only borders.

    Two running sums, of the bytes and of their first moment in time, give mean rate and least-squares line of any stretch
    without another look at its windows.
    """

    def __init__(self) -> None:
        self._length = 1
        self._time_s = np.zeros(1024)
        self._bytes = np.zeros(1024)
        self._moment = np.zeros(1024)

    def append(self, time_ns: NDArray[np.int64], done_bytes: Floats) -> None:
        """Windows that follow the last one.

        Args:
            time_ns: End of each since the job began, ascending.
            done_bytes: Bytes done in each.
        """
        self._reserve(len(time_ns))
        begin, end = self._length, self._length + len(time_ns)
        self._time_s[begin:end] = time_ns / NS_PER_S
        middles_s = (self._time_s[begin:end] + self._time_s[begin - 1 : end - 1]) / 2
        self._bytes[begin:end] = self._bytes[begin - 1] + np.cumsum(done_bytes)
        self._moment[begin:end] = self._moment[begin - 1] + np.cumsum(done_bytes * middles_s)
        self._length = end

    def _reserve(self, more: int) -> None:
        needed = self._length + more
        if needed <= len(self._time_s):
            return
        room = max(needed, 2 * len(self._time_s))
        self._time_s, self._bytes, self._moment = (
            np.concatenate([one, np.zeros(room - len(one))]) for one in (self._time_s, self._bytes, self._moment)
        )

    @property
    def end_s(self) -> float:
        """Time it reaches."""
        return float(self._time_s[self._length - 1])

    @property
    def end_bytes(self) -> float:
        """Bytes it reaches."""
        return float(self._bytes[self._length - 1])

    def bytes_at(self, time_s: Floats) -> Floats:
        """Bytes done by each moment; any shape."""
        return np.interp(time_s, self._time_s[: self._length], self._bytes[: self._length])

    def time_at(self, done_bytes: Floats) -> Floats:
        """Moment at which each number of bytes was done, s; the last one where nothing moved for a while."""
        ends = np.searchsorted(self._bytes[: self._length], done_bytes, side="right").clip(1, self._length - 1)
        before, after = self._bytes[ends - 1], self._bytes[ends]
        step = after - before
        inside = np.divide(done_bytes - before, step, out=np.ones_like(step), where=step > 0)
        at_s: Floats = self._time_s[ends - 1] + inside.clip(0, 1) * (self._time_s[ends] - self._time_s[ends - 1])
        return at_s

    def _moment_at(self, time_s: Floats) -> Floats:
        ends = np.searchsorted(self._time_s[: self._length], time_s).clip(1, self._length - 1)
        before_s = self._time_s[ends - 1]
        rate = (self._bytes[ends] - self._bytes[ends - 1]) / (self._time_s[ends] - before_s)
        moment: Floats = self._moment[ends - 1] + rate * (time_s**2 - before_s**2) / 2
        return moment

    def excursion(self, begin_s: Floats, end_s: Floats) -> Floats:
        """How far the least-squares line of the rate rises or falls over each stretch, as a share of the mean rate; never negative.

        The line of a function v over a length L has the slope 12 / L^3 times the integral of (t - middle) v; with the bytes'
        centre of gravity that is 12 (centre - middle) / L of the mean. Infinite where nothing was written.
        """
        written = self.bytes_at(end_s) - self.bytes_at(begin_s)
        moment = self._moment_at(end_s) - self._moment_at(begin_s)
        centre_s = np.divide(moment, written, out=np.full_like(written, np.inf), where=written > 0)
        return 12 * np.abs(centre_s - (begin_s + end_s) / 2) / (end_s - begin_s)

    def spread(self, begin_s: Floats, end_s: Floats, parts: int) -> Floats:
        """Largest minus smallest mean rate of equal parts of each stretch, as a share of the stretch's mean rate."""
        fraction = np.arange(parts + 1) / parts
        edges_s = begin_s[..., np.newaxis] + (end_s - begin_s)[..., np.newaxis] * fraction
        each = np.diff(self.bytes_at(edges_s), axis=-1)
        mean = each.mean(axis=-1)
        difference = each.max(axis=-1) - each.min(axis=-1)
        share_of_mean: Floats = np.divide(difference, mean, out=np.full_like(mean, np.inf), where=mean > 0)
        return share_of_mean
