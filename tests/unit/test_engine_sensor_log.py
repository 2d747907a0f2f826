"""Sensors beside jobs that follow each other at once: however late they answer, what they say is booked on no neighbour."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import pytest
from tests.kit.processes import wait_until

from ssdlab.drive.lateness import Lateness
from ssdlab.drive.sense.reading import Cadence, NoSensor, SensorReading, nothing_known
from ssdlab.engine.sensor_log import SensorLog
from ssdlab.message import message, verbatim
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

NOTHING = nothing_known(Unknown(verbatim("not told")))
SELDOM = Unknown(message("unknown-no-look-within"))
UNASKED = 3600 * NS_PER_S
"""A cadence that no test lives to see."""
BESIDE, BETWEEN = Cadence(None, UNASKED), Cadence(None, None)


@dataclass
class Slow:
    """Tells what the drive has written when it is asked, but answers only when it is let."""

    cadence: Cadence = BESIDE
    written_bytes: int = 0
    asked: int = 0
    lets_go: threading.Event = field(default_factory=threading.Event)
    kernel: list[str] = field(default_factory=list)

    def read(self) -> SensorReading:
        reading = replace(NOTHING, host_written_bytes=self.written_bytes)
        self.asked += 1
        assert self.lets_go.wait(240)
        return reading

    def glance(self) -> SensorReading:
        return NOTHING

    def messages(self) -> tuple[str, ...] | Unknown:
        said, self.kernel = tuple(self.kernel), []
        return said

    def lateness(self) -> Lateness | Unknown:
        return Lateness(count=self.written_bytes, total_ns=self.written_bytes, bins={})


@pytest.fixture
def sensor() -> Slow:
    slow = Slow()
    slow.lets_go.set()
    return slow


@pytest.fixture
def log(sensor: Slow) -> Iterator[SensorLog]:
    with SensorLog(sensor) as log:
        yield log
        sensor.lets_go.set()


def answered(log: SensorLog, sensor: Slow) -> None:
    """A look beside the job that runs."""
    before, heard = sensor.asked, list[int]()

    def heed(_: int, reading: SensorReading) -> None:
        assert not isinstance(reading.host_written_bytes, Unknown)
        heard.append(reading.host_written_bytes)

    log.hasten()
    wait_until(lambda: sensor.asked > before, "it was asked")

    def is_heard() -> bool:
        log.tell(heed)
        return bool(heard)

    wait_until(is_heard, "it was heard")


def written(one: SensorReading) -> int | Unknown:
    return one.host_written_bytes


def test_a_job_alone_is_asked_before_and_after(log: SensorLog, sensor: Slow) -> None:
    log.look()
    began_ns = time.monotonic_ns()
    sensor.written_bytes = 100
    ended_ns = time.monotonic_ns()
    log.look()
    sensed = log.sensed(began_ns, ended_ns, 50)
    assert (written(sensed.before), written(sensed.after)) == (0, 100)
    assert sensed.series.time_ns.tolist() == [0, 50]


def test_a_look_that_is_answered_in_the_next_job_is_none_of_either(log: SensorLog, sensor: Slow) -> None:
    log.look()
    first_ns = time.monotonic_ns()
    sensor.written_bytes = 100
    sensor.lets_go.clear()
    before = sensor.asked
    log.hasten()
    wait_until(lambda: sensor.asked > before, "it was asked in the first job")
    second_ns = time.monotonic_ns()
    sensor.written_bytes = 300
    sensor.lets_go.set()
    answered(log, sensor)
    first = log.sensed(first_ns, second_ns, 50)
    assert (written(first.before), written(first.after)) == (0, SELDOM)
    ended_ns = time.monotonic_ns()
    log.look()
    second = log.sensed(second_ns, ended_ns, 50)
    assert (written(second.before), written(second.after)) == (300, 300)


def test_nothing_that_the_next_job_wrote_is_in_the_one_before(log: SensorLog, sensor: Slow) -> None:
    log.look()
    first_ns = time.monotonic_ns()
    sensor.written_bytes = 60
    answered(log, sensor)
    second_ns = time.monotonic_ns()
    sensor.written_bytes = 500
    answered(log, sensor)
    first = log.sensed(first_ns, second_ns, 50)
    assert (written(first.before), written(first.after)) == (0, 60)
    sensor.written_bytes = 900
    ended_ns = time.monotonic_ns()
    log.look()
    second = log.sensed(second_ns, ended_ns, 50)
    assert (written(second.before), written(second.after)) == (500, 900)
    assert second.series.time_ns.min() > 0


def test_a_job_is_told_of_before_a_slow_sensor_answers(log: SensorLog, sensor: Slow) -> None:
    log.look()
    began_ns = time.monotonic_ns()
    sensor.lets_go.clear()
    log.hasten()
    wait_until(lambda: sensor.asked == 2, "it was asked")
    assert written(log.sensed(began_ns, time.monotonic_ns(), 50).after) == SELDOM


def test_how_much_a_counter_grew_is_not_told_from_one_look(log: SensorLog, sensor: Slow) -> None:
    log.look()
    first_ns = time.monotonic_ns()
    second_ns = time.monotonic_ns()
    answered(log, sensor)
    third_ns = time.monotonic_ns()
    log.sensed(first_ns, second_ns, 50)
    second = log.sensed(second_ns, third_ns, 50)
    assert (written(second.before), written(second.after)) == (0, SELDOM)
    assert isinstance(second.late, Unknown)


def test_what_belongs_to_the_job_before_is_not_heeded(log: SensorLog, sensor: Slow) -> None:
    log.look()
    began_ns = time.monotonic_ns()
    log.hasten()
    wait_until(lambda: sensor.asked == 2, "it was asked")
    ended_ns = time.monotonic_ns()
    log.sensed(began_ns, ended_ns, 50)
    heeded: list[int] = []
    log.hasten()
    wait_until(lambda: sensor.asked == 3, "it was asked in the next job")
    late = ended_ns

    def heed(time_ns: int, _: SensorReading) -> None:
        assert late + time_ns >= ended_ns
        heeded.append(time_ns)

    def is_heeded() -> bool:
        log.tell(heed)
        return bool(heeded)

    wait_until(is_heeded, "the look in the next job is heeded")
    assert len(heeded) == 1


def test_what_the_kernel_said_in_either_of_two_jobs_both_have(log: SensorLog, sensor: Slow) -> None:
    jobs_ns = [time.monotonic_ns() for _ in range(4)]
    sensor.kernel.append("reset")
    told = [log.sensed(begin, end, 50).messages for begin, end in pairwise(jobs_ns)][:2]
    assert told == [("reset",), ("reset",)]
    later_ns = time.monotonic_ns()
    assert log.sensed(later_ns, time.monotonic_ns(), 50).messages == ()


def test_jobs_follow_each_other_at_once_where_the_sensor_may_be_asked_beside_them_or_there_is_none() -> None:
    assert SensorLog(Slow(cadence=BESIDE)).lets_jobs_follow
    assert SensorLog(NoSensor(verbatim("there is none"))).lets_jobs_follow


def test_no_job_follows_at_once_where_a_question_would_drain_the_queue() -> None:
    assert not SensorLog(Slow(cadence=BETWEEN)).lets_jobs_follow
