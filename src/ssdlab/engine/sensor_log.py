"""Reading a drive's sensors while jobs follow each other: what they say belongs to the job in which they were asked, whenever it is heard.

No job waits for a sensor. A look that began before a job did, or was not answered when it was over, is none of that job.
"""

import queue
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Self

from ssdlab.drive.lateness import Lateness, between, late_of
from ssdlab.drive.sense.reading import NoSensor, Sensor, SensorReading, nothing_known
from ssdlab.engine.result import JobSensors
from ssdlab.engine.sensing import LET_GO_S, Heed, Sample, series_of
from ssdlab.message import message
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

_NO_LOOK = Unknown(message("unknown-no-look-within"))
_NOT_WHOLE = Unknown(message("unknown-not-asked-often"))


class _Order(Enum):
    """What the thread is told."""

    LOOK = "look"
    FIRST_LOOK = "first look"
    """In place of the one before a job."""
    END = "end"


class _Depth(Enum):
    """Of a look."""

    GLANCE = "glance"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorLook:
    """What sensors said, and when; times are of the monotonic clock."""

    asked_ns: int
    answered_ns: int
    depth: _Depth
    reading: SensorReading
    lateness: Lateness | Unknown
    order: _Order | None = None
    """By which it was asked for; None of one whose turn it was."""


@dataclass(frozen=True, slots=True)
class _Said:
    """Lines of the kernel's, and between which moments it said them."""

    since_ns: int
    until_ns: int
    lines: tuple[str, ...] | Unknown


class SensorLog:
    """Asks a sensor between jobs, and beside them on a thread of its own as often as it may be asked and when it is hastened."""

    def __init__(self, sensor: Sensor) -> None:
        self._sensor = sensor
        self._asking = threading.Lock()
        self._idle: list[SensorLook] = []
        self._beside: list[SensorLook] = []
        self._untold: queue.SimpleQueue[SensorLook] = queue.SimpleQueue()
        self._orders: queue.SimpleQueue[_Order] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._look_beside, name="sensors", daemon=True)
        self._ended_ns = self._began_ns = self._asked_kernel_ns = time.monotonic_ns()
        self._said: list[_Said] = []

    def __enter__(self) -> Self:
        if self._has_cadence:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._orders.put(_Order.END)
        if self._thread.is_alive():
            self._thread.join(LET_GO_S)

    @property
    def lets_jobs_follow(self) -> bool:
        """Whether a job may begin before the sensor was asked; one that may be asked only between jobs would have nothing to say."""
        return self._has_cadence or isinstance(self._sensor, NoSensor)

    @property
    def _has_cadence(self) -> bool:
        cadence = self._sensor.cadence
        return cadence.glance_ns is not None or cadence.read_ns is not None

    def look(self, heed: Heed | None = None) -> None:
        """Ask now, while nothing is in flight, and wait for the answer.

        Raises:
            Whatever `heed` raises.
        """
        look = self._asked(_Depth.WHOLE)
        self._idle.append(look)
        if heed is not None:
            heed(0, look.reading)

    def hasten(self) -> None:
        """Have everything asked at once, beside the job that runs; nobody waits for it."""
        self._orders.put(_Order.LOOK)

    def look_once_begun(self) -> None:
        """The same in place of `look`, for a job that has begun: what is heeded before a job is heeded of that."""
        self._orders.put(_Order.FIRST_LOOK)

    def tell(self, heed: Heed | None) -> None:
        """Heed what came since this was last called, but what still belongs to the job before.

        Raises:
            Whatever `heed` raises, to end the job.
        """
        for look in self._heard():
            if heed is not None and look.asked_ns >= self._ended_ns:
                stands_before = look.order is _Order.FIRST_LOOK
                heed(0 if stands_before else max(1, look.asked_ns - self._ended_ns), look.reading)

    def _heard(self) -> Iterator[SensorLook]:
        while not self._untold.empty():
            look = self._untold.get()
            self._beside.append(look)
            yield look

    def sensed(self, began_ns: int, ended_ns: int, runtime_ns: int) -> JobSensors:
        """What belongs to a job that is over, on its time axis; jobs are to be asked for in their order.

        Args:
            began_ns: Just before its first I/O, on the monotonic clock.
            ended_ns: Just after its last.
            runtime_ns: Where its windows end.
        """
        list(self._heard())
        before = [one for one in self._idle if self._ended_ns <= one.asked_ns and one.answered_ns <= began_ns][-1:]
        during = [one for one in self._beside if began_ns <= one.asked_ns and one.answered_ns <= ended_ns]
        after = [one for one in self._idle if one.asked_ns >= ended_ns][:1]
        samples = [
            *(Sample(0, one.reading) for one in before),
            *(Sample(one.asked_ns - began_ns, one.reading) for one in during),
            *(Sample(runtime_ns, one.reading) for one in after),
        ]
        self._ended_ns = ended_ns
        self._idle = [one for one in self._idle if one.asked_ns >= ended_ns]
        self._beside = [one for one in self._beside if one.asked_ns >= ended_ns]
        first, last = _ends_of([*before, *during, *after])
        late = late_of(between(first.lateness, last.lateness))
        return JobSensors(first.reading, last.reading, series_of(samples), self._messages(began_ns, ended_ns), late)

    def _messages(self, began_ns: int, ended_ns: int) -> tuple[str, ...] | Unknown:
        """Where the kernel may have said a line in either of two jobs, both have it."""
        since_ns, lines = self._asked_kernel_ns, self._sensor.messages()
        self._asked_kernel_ns = time.monotonic_ns()
        self._said = [one for one in self._said if one.until_ns > began_ns]
        self._said.append(_Said(since_ns, self._asked_kernel_ns, lines))
        found: list[str] = []
        for one in self._said:
            if isinstance(one.lines, Unknown):
                return one.lines
            if one.since_ns < ended_ns:
                found += [line for line in one.lines if line not in found]
        return tuple(found)

    def _asked(self, depth: _Depth, order: _Order | None = None) -> SensorLook:
        with self._asking:
            asked_ns = time.monotonic_ns()
            is_whole = depth is _Depth.WHOLE
            reading = self._sensor.read() if is_whole else self._sensor.glance()
            lateness = self._sensor.lateness() if is_whole else _NOT_WHOLE
            return SensorLook(
                asked_ns=asked_ns,
                answered_ns=time.monotonic_ns(),
                depth=depth,
                reading=reading,
                lateness=lateness,
                order=order,
            )

    def _look_beside(self) -> None:
        """Looks stay on a grid of times, so that a slow answer does not shift those after it."""
        cadence = self._sensor.cadence
        period_ns = min(one for one in (cadence.glance_ns, cadence.read_ns) if one is not None)
        looks = 0
        while True:
            looks = max(looks, (time.monotonic_ns() - self._began_ns) // period_ns + 1)
            order = None
            try:
                left_ns = self._began_ns + looks * period_ns - time.monotonic_ns()
                order = self._orders.get(timeout=max(0, left_ns) / NS_PER_S)
            except queue.Empty:
                # A sensor without whole readings tells everything at a glance.
                is_whole = cadence.read_ns is None or looks % (cadence.read_ns // period_ns) == 0
                depth = _Depth.WHOLE if is_whole else _Depth.GLANCE
                looks += 1
            else:
                if order is _Order.END:
                    return
                depth = _Depth.WHOLE
            self._untold.put(self._asked(depth, order))


def _ends_of(looks: Sequence[SensorLook]) -> tuple[SensorLook, SensorLook]:
    """The first and the last that tell counters, if any do; how much these grew cannot be told from one alone."""
    found = [one for one in looks if one.depth is _Depth.WHOLE] or looks
    none = SensorLook(asked_ns=0, answered_ns=0, depth=_Depth.WHOLE, reading=nothing_known(_NO_LOOK), lateness=_NO_LOOK)
    return (found[0] if found else none, found[-1] if len(found) > 1 else none)
