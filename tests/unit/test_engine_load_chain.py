"""What the load engine lets begin, and when: never before it was announced, never because a sensor has answered."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import cast

import pytest
from tests.kit.processes import wait_until
from tests.kit.sample_fio import RANDOM

from ssdlab import _core
from ssdlab.drive.lateness import Lateness
from ssdlab.drive.sense.reading import Cadence, NoSensor, Sensor, SensorReading, nothing_known
from ssdlab.engine.load_chain import AHEAD_MAX, ChainPart, RunningChain
from ssdlab.engine.sensor_log import SensorLog
from ssdlab.message import verbatim
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

NOT_TOLD = Unknown(verbatim("not told"))
JOBS = tuple(replace(RANDOM, name=f"job{number}") for number in range(5))
FIRST_PLACE = 10


@dataclass
class Happened:
    """In order."""

    what: list[str] = field(default_factory=list)
    writes: list[int] = field(default_factory=list)
    """Of each job that has begun, in bytes."""
    let: int = 0
    """By whoever decides, beyond the one that is asked for."""
    left_bytes: int | None = None

    def permit(self) -> None:
        self.what.append("permit")

    def written(self) -> list[int]:
        return self.writes

    def next(self, told: Callable[[int, int, int], bool]) -> object:
        told(1, 0, 0)
        now_ns = time.monotonic_ns()
        stamp = SimpleNamespace(at_ns=now_ns, suspended_ns_least=0, suspended_ns_most=0)
        return SimpleNamespace(before=stamp, after=stamp)

    def close(self) -> None:
        self.what.append("close")

    def may_begin(self, place: int) -> bool:
        if not self.let:
            return False
        self.let -= 1
        self.what.append(f"announce {place}")
        return True

    def withdrawn(self, place: int, written_bytes: int) -> None:
        self.what.append(f"withdrawn {place} {written_bytes}")


@dataclass
class MuteSensor:
    """Does not answer before it is let."""

    happened: Happened
    cadence: Cadence
    answers: threading.Event = field(default_factory=threading.Event)

    def read(self) -> SensorReading:
        self.happened.what.append("look")
        assert self.answers.wait(240)
        return nothing_known(NOT_TOLD)

    def glance(self) -> SensorReading:
        return nothing_known(NOT_TOLD)

    def messages(self) -> tuple[str, ...] | Unknown:
        return NOT_TOLD

    def lateness(self) -> Lateness | Unknown:
        return NOT_TOLD


@contextmanager
def chain_of(happened: Happened, sensor: Sensor, jobs: Sequence[object] = JOBS) -> Iterator[RunningChain]:
    part = ChainPart(JOBS[: len(jobs)], FIRST_PLACE, happened)
    chain = RunningChain(cast("_core.LoadChain", happened), part, SensorLog(sensor))
    try:
        yield chain
    finally:
        chain.close()


@pytest.fixture
def happened() -> Happened:
    return Happened(let=100)


NONE = NoSensor(verbatim("there is none"))


def one(chain: RunningChain) -> None:
    chain.begin(None)
    done = chain.next(lambda *_: False)
    chain.sensed(done, 1)


def test_each_that_begins_before_it_is_asked_for_is_announced_first(happened: Happened) -> None:
    with chain_of(happened, NONE) as chain:
        chain.begin(None)
    assert happened.what[:5] == ["permit", "announce 11", "permit", "announce 12", "permit"]


def test_no_more_begin_than_a_ramp_and_what_it_is_the_ramp_of(happened: Happened) -> None:
    with chain_of(happened, NONE) as chain:
        chain.begin(None)
        assert happened.what.count("permit") == 1 + AHEAD_MAX
        chain.next(lambda *_: False)
        chain.begin(None)
        assert happened.what.count("permit") == 2 + AHEAD_MAX


def test_one_that_may_not_begin_waits_until_it_is_asked_for(happened: Happened) -> None:
    happened.let = 0
    with chain_of(happened, NONE) as chain:
        one(chain)
        assert (happened.what, chain.runs_ahead) == (["permit"], False)
        one(chain)
        assert happened.what == ["permit", "permit"]


def test_a_job_that_follows_does_not_wait_for_a_slow_sensor(happened: Happened) -> None:
    sensor = MuteSensor(happened, Cadence(None, 3600 * NS_PER_S))
    sensor.answers.set()
    with chain_of(happened, sensor) as chain:
        chain.begin(None)
        sensor.answers.clear()
        for _ in range(len(JOBS) - 1):
            # Neither the look in the next job nor one near the end of this one is ever answered.
            chain.hasten()
            chain.sensed(chain.next(lambda *_: False), 1)
            chain.begin(None)
        assert happened.what.count("permit") == len(JOBS)
        sensor.answers.set()


def test_the_first_and_what_was_not_let_follow_begin_after_their_sensors_were_asked(happened: Happened) -> None:
    sensor = MuteSensor(happened, Cadence(None, None))
    sensor.answers.set()
    with chain_of(happened, sensor, JOBS[:2]) as chain:
        one(chain)
        one(chain)
    assert happened.what == ["look", "permit", "look", "look", "permit", "look", "close"]


def test_the_first_look_at_a_job_that_did_not_wait_for_it_is_heeded_like_one_before_a_job(happened: Happened) -> None:
    """A temperature that is not told any more ends a run that limits it before a job, and no other time."""
    sensor = MuteSensor(happened, Cadence(None, 3600 * NS_PER_S))
    sensor.answers.set()
    heeded: list[int] = []

    def heed(time_ns: int, _: SensorReading) -> None:
        heeded.append(time_ns)

    with chain_of(happened, sensor, JOBS[:2]) as chain:
        chain.begin(heed)
        assert heeded == [0]
        chain.sensed(chain.next(lambda *_: False), 1)
        wait_until(lambda: happened.what.count("look") == 2, "the sensor is asked beside the second job")

        def is_heard() -> bool:
            chain.tell(heed)
            return len(heeded) > 1

        wait_until(is_heard, "what it said is heard")
    assert heeded == [0, 0]


def test_what_nobody_waited_for_is_withdrawn_with_what_it_wrote(happened: Happened) -> None:
    with chain_of(happened, NONE) as chain:
        one(chain)
        happened.writes = [1000, 200]
    # The third was let, and had not begun.
    assert happened.what[-3:] == ["close", "withdrawn 11 200", "withdrawn 12 0"]


def test_all_that_were_waited_for_leave_nothing_to_withdraw(happened: Happened) -> None:
    with chain_of(happened, NONE, JOBS[:3]) as chain:
        for _ in range(3):
            one(chain)
        happened.writes = [1, 2, 3]
    assert happened.what[-1] == "close"


def test_one_that_was_broken_off_is_withdrawn_with_those_that_follow_it(happened: Happened) -> None:
    def stop(*_: int) -> bool:
        raise KeyboardInterrupt

    with chain_of(happened, NONE) as chain:
        chain.begin(None)
        happened.writes = [700]
        with pytest.raises(KeyboardInterrupt):
            chain.next(stop)
    assert happened.what[-3:] == ["withdrawn 10 700", "withdrawn 11 0", "withdrawn 12 0"]
