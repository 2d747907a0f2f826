"""Jobs of the load engine that follow each other on one connection, with what watches over all of them."""

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import takewhile

from ssdlab import _core
from ssdlab.engine.base import Following
from ssdlab.engine.result import JobSensors
from ssdlab.engine.sensing import Heed
from ssdlab.engine.sensor_log import SensorLog
from ssdlab.engine.standstill import Standstill, Suspended, Tick, Vigil
from ssdlab.engine.workload import workload_fields
from ssdlab.host.uninterrupted import uninterrupted
from ssdlab.job import Job

AHEAD_MAX = 2
"""So many jobs may begin before they are asked for: a ramp may be over before what was measured before it is on disk."""


def workload_text(job: Job) -> str:
    """What the engine is given, as it is kept."""
    return json.dumps(workload_fields(job), indent=2)


def alike(jobs: Sequence[Job]) -> Sequence[Job]:
    """Those from the first on that can go through the same descriptor."""
    return tuple(takewhile(lambda job: job.sync is jobs[0].sync, jobs))


class Alone:
    """Nothing follows; whoever asked for the job watches what it writes."""

    left_bytes: int | None = None

    def may_begin(self, place: int) -> bool:  # noqa: ARG002 - see `Following`
        """See `Following`."""
        return False

    def withdrawn(self, place: int, written_bytes: int) -> None:
        """See `Following`."""


@dataclass(frozen=True, slots=True)
class ChainPart:
    """Those of the announced jobs that a chain does.

    Attributes:
        jobs: They.
        place: Of the first of them among all.
        following: Decides on them.
    """

    jobs: Sequence[Job]
    place: int
    following: Following


class RunningChain:
    """What is left of the jobs."""

    def __init__(self, core: _core.LoadChain, part: ChainPart, sensors: SensorLog) -> None:
        """Take what does them; the sensors are its own from now on."""
        self._core = core
        self._part = part
        self._heard = self._let = 0
        self._sensors = sensors
        with ExitStack() as ends:
            ends.enter_context(sensors)
            self._vigil = ends.enter_context(Vigil())
            ends.callback(core.close)
            self._ends = ends.pop_all()

    @property
    def left(self) -> Sequence[Job]:
        """Those that nobody has waited for yet."""
        return self._part.jobs[self._heard :]

    @property
    def runs_ahead(self) -> bool:
        """Whether jobs may have begun that nobody has waited for yet."""
        return self._let > self._heard

    def begin(self, heed: Heed | None) -> None:
        """Let the next job begin, unless it was let before, and those after it that may follow it at once.

        Raises:
            Whatever heeds the sensors raises.
        """
        if not self.runs_ahead:
            self._sensors.look(heed)
            self._permit()
        while self._may_permit():
            # Whatever comes in between, what was announced is let and what was let is known.
            with uninterrupted():
                if not self._part.following.may_begin(self._part.place + self._let):
                    break
                self._permit()

    def _may_permit(self) -> bool:
        is_near = self._let <= min(self._heard + AHEAD_MAX, len(self._part.jobs) - 1)
        return is_near and self._sensors.lets_jobs_follow

    def _permit(self) -> None:
        self._let += 1
        self._core.permit()

    def next(self, told: Callable[[int, int, int], bool]) -> _core.LoadResult:
        """See `_core.LoadChain.next`."""
        done = self._core.next(told)
        self._heard += 1
        if self.runs_ahead:
            self._sensors.look_once_begun()
        return done

    def tell(self, heed: Heed | None) -> None:
        """See `SensorLog.tell`."""
        self._sensors.tell(heed)

    def hasten(self) -> None:
        """See `SensorLog.hasten`."""
        self._sensors.hasten()

    def standstills(self, done: _core.LoadResult) -> tuple[Standstill, ...]:
        """Those of a job, from its first moment to its last."""
        return self._vigil.between(_tick(done.before), _tick(done.after))

    def sensed(self, done: _core.LoadResult, runtime_ns: int) -> JobSensors:
        """What the sensors said of the job that is over."""
        if not self.runs_ahead:
            self._sensors.look()
        return self._sensors.sensed(done.before.at_ns, done.after.at_ns, runtime_ns)

    def close(self) -> None:
        """End what has begun, and what watches it, and say what that wrote that nobody has a result of."""
        unheard = range(self._heard, self._let)
        self._let = self._heard
        self._ends.close()
        written = self._core.written()
        for place in unheard:
            self._part.following.withdrawn(self._part.place + place, written[place] if place < len(written) else 0)


def _tick(stamp: _core.LoadStamp) -> Tick:
    """As the vigil looks; whoever makes a stamp is not stopped."""
    return Tick(stamp.at_ns, Suspended(stamp.suspended_ns_least, stamp.suspended_ns_most), is_stopped=False)
