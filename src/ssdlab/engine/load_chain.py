"""Jobs of the load engine that follow each other on one connection, with what watches over all of them."""

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import takewhile

from ssdlab import _core
from ssdlab.engine.standstill import Standstill, Vigil
from ssdlab.engine.workload import workload_fields
from ssdlab.job import Job


def workload_text(job: Job) -> str:
    """What the engine is given, as it is kept."""
    return json.dumps(workload_fields(job), indent=2)


def alike(jobs: Sequence[Job]) -> Sequence[Job]:
    """Those from the first on that can go through the same descriptor."""
    return tuple(takewhile(lambda job: job.sync is jobs[0].sync, jobs))


class RunningChain:
    """What is left of the jobs."""

    def __init__(self, core: _core.LoadChain, jobs: Sequence[Job], made_ns: int) -> None:
        """Take what does them.

        Args:
            core: It.
            jobs: All of them.
            made_ns: When it was made, on the monotonic clock.
        """
        self._core = core
        self._left = tuple(jobs)
        self.made_ns = made_ns
        with ExitStack() as ends:
            self._vigil = ends.enter_context(Vigil())
            ends.callback(core.close)
            self._ends = ends.pop_all()

    @property
    def left(self) -> Sequence[Job]:
        """Those that nobody has waited for yet."""
        return self._left

    def next(self, told: Callable[[int, int, int], bool]) -> _core.LoadResult:
        """See `_core.LoadChain.next`."""
        done = self._core.next(told)
        self._left = self._left[1:]
        return done

    def standstills(self) -> tuple[Standstill, ...]:
        """Those since this was last asked."""
        return self._vigil.lately()

    def close(self) -> None:
        """End what has begun, and what watches it."""
        self._ends.close()
