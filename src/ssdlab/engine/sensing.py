"""Reading a drive's sensors while a job runs, beside it and on its time axis."""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import NamedTuple, Self

import numpy as np

from ssdlab.drive.lateness import Lateness, between, late_of
from ssdlab.drive.sense.reading import Sensor, SensorReading
from ssdlab.engine.result import SENSOR_COLUMNS, JobSensors, SensorSeries
from ssdlab.message import message
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

Heed = Callable[[int, SensorReading], None]
"""Called with the time since the job began and what the sensors say, on the thread of the job; an exception ends the job."""


class Sample(NamedTuple):
    """One reading and its time since the job began."""

    time_ns: int
    reading: SensorReading


def series_of(samples: Sequence[Sample], offset_ns: int = 0) -> SensorSeries:
    """Samples in order of time as columns.

    Args:
        samples: At least one.
        offset_ns: How much later than theirs the time of the columns begins.
    """
    columns = {
        name: np.array([_number(getattr(one.reading, name)) for one in samples], dtype=np.float64)
        for name in SENSOR_COLUMNS
    }
    return SensorSeries(np.array([one.time_ns - offset_ns for one in samples], dtype=np.int64), **columns)


def _number(value: float | Unknown) -> float:
    return np.nan if isinstance(value, Unknown) else float(value)


LET_GO_S = 2.0
"""A drive that has gone can hold whoever asks it for a minute; the run does not wait for that."""


class Sampling:
    """Asks a sensor before and after a job, and while it runs on a thread of its own as often as it may be asked.

    What that thread hears is kept, and heeded, only by `tell`: on the thread of the job.
    """

    def __init__(self, sensor: Sensor, heed: Heed | None) -> None:
        self._sensor = sensor
        self._heed = heed
        self._samples: list[Sample] = []
        self._said: queue.SimpleQueue[Sample] = queue.SimpleQueue()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._sample, name="sensors", daemon=True)
        self._began_ns = 0
        self._lateness: Lateness | Unknown = Unknown(message("unknown-job-not-begun"))

    def __enter__(self) -> Self:
        self._keep(Sample(0, self._sensor.read()))
        self._lateness = self._sensor.lateness()
        self._began_ns = time.monotonic_ns()
        cadence = self._sensor.cadence
        if cadence.glance_ns is not None or cadence.read_ns is not None:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(LET_GO_S)

    @property
    def began_ns(self) -> int:
        """When it began, on the monotonic clock."""
        return self._began_ns

    def tell(self) -> None:
        """Heed what came since this was last called.

        Raises:
            Whatever `heed` raises, to end the job.
        """
        while not self._said.empty():
            self._keep(self._said.get())

    def sensed(self, runtime_ns: int, offset_ns: int) -> JobSensors:
        """All of it, once the job is over.

        Args:
            runtime_ns: Where its windows end.
            offset_ns: How long after the beginning its windows begin.
        """
        after = Sample(offset_ns + runtime_ns, self._sensor.read())
        before = self._samples[0].reading
        during = [one for one in self._samples[1:] if offset_ns < one.time_ns < after.time_ns]
        samples = [Sample(offset_ns, before), *during, after]
        late = late_of(between(self._lateness, self._sensor.lateness()))
        return JobSensors(before, after.reading, series_of(samples, offset_ns), self._sensor.messages(), late)

    def _keep(self, sample: Sample) -> None:
        self._samples.append(sample)
        if self._heed is not None:
            self._heed(*sample)

    def _sample(self) -> None:
        """Looks stay on a grid of times, so that a slow answer does not shift those after it."""
        cadence = self._sensor.cadence
        period_ns = min(one for one in (cadence.glance_ns, cadence.read_ns) if one is not None)
        looks = 0
        while True:
            looks = max(looks, self._now_ns() // period_ns) + 1
            if self._over.wait(max(0, looks * period_ns - self._now_ns()) / NS_PER_S):
                return
            is_whole = cadence.read_ns is not None and looks % (cadence.read_ns // period_ns) == 0
            at_ns = self._now_ns()
            self._said.put(Sample(at_ns, self._sensor.read() if is_whole else self._sensor.glance()))

    def _now_ns(self) -> int:
        return time.monotonic_ns() - self._began_ns
