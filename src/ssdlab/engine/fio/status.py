"""What fio says of a job while it runs: its status lines, four a second.

They are all there is to judge a running job by: fio keeps its window logs in memory and writes them when it ends, and full reports
(`--status-interval`) go between the parts of its JSON. A line has the mean rate since the line before it, to three or four digits.
The first one comes after two seconds; what was done before it is not known.
"""

import re
import time

import numpy as np

from ssdlab.engine.base import Judge, Progress, Watch
from ssdlab.engine.result import EarlyStop
from ssdlab.units import NS_PER_S

STATUS_OPTIONS = ("--eta=always", "--eta-interval=250ms", "--eta-newline=250ms")
"""fio refuses to speak more often."""

_STATUS = re.compile(rb"\[(?P<percent>\d+(?:\.\d+)?)%\]")
_RATE = re.compile(rb"\[(?:[rwt]=[^,\]]+,?)+\]")
_ONE_RATE = re.compile(rb"([rwt])=(\d+(?:\.\d+)?)([KMGT]?)i?B/s")
_PREFIX = {b"": 1, b"K": 2**10, b"M": 2**20, b"G": 2**30, b"T": 2**40}


def _least(printed: bytes) -> float:
    """Smallest number that is printed like that: a judge must never believe that more was written than was."""
    decimals = len(printed.partition(b".")[2])
    return max(0.0, float(printed) - 0.5 * 10.0**-decimals)


class StatusLines:
    """Reads fio's status lines as they come, and puts them before a judge."""

    def __init__(self, watch: Watch, judge: Judge | None) -> None:
        """Begin with the job; time counts from here."""
        self._watch = watch
        self._judge = judge
        self._last = b""
        self._began_ns = time.monotonic_ns()
        self._told_ns = 0
        self._counted_ns = self._began_ns
        self._written_bytes = 0.0
        self.moved_at_ns = self._began_ns
        """When a line last said that bytes moved, on the monotonic clock."""
        self.stopped: EarlyStop | None = None
        """The judge's verdict, once there is one."""

    def read(self, content: bytes) -> None:
        """Take what fio wrote next, in pieces of any length."""
        lines = re.split(rb"[\r\n]", self._last + content)
        self._last = lines.pop()
        for line in lines:
            self._read_line(line)

    def _read_line(self, line: bytes) -> None:
        rates = _RATE.search(line)
        if rates is None:
            # Before the first rates they are not known yet; later fio leaves them out when nothing moved.
            if line.startswith(b"Jobs:") and self._counted_ns > self._began_ns:
                self._count_writes(0.0)
            if line.startswith(b"Jobs:") and self._told_ns:
                self._put_before_judge(0.0)
            return
        found = _ONE_RATE.findall(rates[0])
        bandwidth = sum(float(number) * _PREFIX[prefix] for _, number, prefix in found)
        at_least = sum(_least(number) * _PREFIX[prefix] for _, number, prefix in found)
        self._count_writes(sum(float(number) * _PREFIX[prefix] for kind, number, prefix in found if kind == b"w"))
        if bandwidth > 0:
            self.moved_at_ns = time.monotonic_ns()
        percent = _STATUS.search(line)
        share = float(percent["percent"]) / 100 if percent else None
        self._watch(Progress(share, bandwidth, round(self._written_bytes)))
        self._put_before_judge(at_least if self._told_ns else 0.0)

    def _count_writes(self, bandwidth_bytes_per_s: float) -> None:
        """Each line has the mean since the one before it, the first since the job began."""
        now_ns = time.monotonic_ns()
        self._written_bytes += bandwidth_bytes_per_s * (now_ns - self._counted_ns) / NS_PER_S
        self._counted_ns = now_ns

    def _put_before_judge(self, bandwidth_bytes_per_s: float) -> None:
        now_ns = time.monotonic_ns() - self._began_ns
        if self._judge is None or self.stopped is not None or now_ns <= self._told_ns:
            return
        done_bytes = bandwidth_bytes_per_s * (now_ns - self._told_ns) / NS_PER_S
        self._told_ns = now_ns
        self.stopped = self._judge.feed(np.array([now_ns]), np.array([done_bytes]))
