"""A point that goes on after its mean is known, until a percentile of its latencies can be told."""

import numpy as np
from numpy.typing import NDArray

from ssdlab.engine.base import Judge
from ssdlab.engine.result import EarlyStop
from ssdlab.job import Job
from ssdlab.method.draft import TailRule

TOLD = "percentile"
"""Name of the criterion in the bundle."""


class TailJudge:
    """Holds back the end of a point until as many I/Os are done as its percentile needs; the job's own time ends it at the latest."""

    def __init__(self, mean: Judge, rule: TailRule, job: Job) -> None:
        """Until the mean is known, or no longer waited for, the point goes on as well."""
        self._mean, self._rule, self._block_bytes = mean, rule, job.block_bytes
        self._done_bytes = 0.0
        self._mean_is_known = False

    def feed(self, time_ns: NDArray[np.int64], done_bytes: NDArray[np.float64]) -> EarlyStop | None:
        """See `Judge`."""
        self._mean_is_known |= self._mean.feed(time_ns, done_bytes) is not None
        self._done_bytes += float(done_bytes.sum())
        end_ns = int(time_ns[-1])
        if self.is_told and (self._mean_is_known or end_ns >= self._rule.mean_limit_ns):
            return EarlyStop(TOLD, round(self._done_bytes), end_ns)
        return None

    @property
    def ios(self) -> int:
        """Done so far."""
        return int(self._done_bytes // self._block_bytes)

    @property
    def is_told(self) -> bool:
        """Whether enough I/Os lie above the percentile."""
        return self.ios >= self._rule.ios
