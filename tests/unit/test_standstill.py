"""Whether measuring stood still is told from clocks and processes, never from the I/O of the drive."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssdlab.engine.standstill import HELD_UP_NS, SUSPENDED_NS, TICK_NS, Cause, Standstill, Suspended, Tick, Ticks, Vigil
from ssdlab.units import NS_PER_S

RUNS, STOPPED = False, True
AWAKE = Suspended(0, 0)


def slept(exactly_ns: int) -> Suspended:
    return Suspended(exactly_ns, exactly_ns)


def seen(*ticks: Tick) -> dict[Cause, int]:
    found = Ticks(Tick(0, AWAKE, RUNS))
    for tick in ticks:
        found.take(tick)
    return {one.cause: one.duration_ns for one in found.standstills}


@given(st.lists(st.integers(TICK_NS, TICK_NS + HELD_UP_NS), max_size=20))
def test_a_host_that_is_merely_busy_let_it_go_on(gaps_ns: list[int]) -> None:
    at_ns = [sum(gaps_ns[: count + 1]) for count in range(len(gaps_ns))]
    assert seen(*(Tick(one, slept(SUSPENDED_NS), RUNS) for one in at_ns)) == {}


def test_a_thread_that_is_a_second_late_was_not_run() -> None:
    assert seen(Tick(TICK_NS, AWAKE, RUNS), Tick(20 * NS_PER_S, AWAKE, RUNS)) == {
        Cause.HELD_UP: 20 * NS_PER_S - 2 * TICK_NS
    }


def test_time_that_only_the_clock_of_the_boot_counts_was_slept() -> None:
    asleep_ns = 3600 * NS_PER_S
    assert seen(Tick(TICK_NS, slept(5), RUNS), Tick(2 * TICK_NS, slept(asleep_ns), RUNS)) == {
        Cause.HOST_SUSPENDED: asleep_ns - 5
    }


def test_who_is_interrupted_between_two_clocks_has_not_slept() -> None:
    late = Suspended(0, 50 * SUSPENDED_NS)
    early = Suspended(-50 * SUSPENDED_NS, 0)
    assert (
        seen(*(Tick(count * TICK_NS, how, RUNS) for count, how in enumerate((AWAKE, late, early, AWAKE, late), 1)))
        == {}
    )


def test_a_process_that_is_stopped_at_a_look_was_so_since_the_one_before() -> None:
    ticks = [Tick(count * TICK_NS, AWAKE, STOPPED if 3 <= count < 8 else RUNS) for count in range(1, 12)]
    assert seen(*ticks) == {Cause.ENGINE_STOPPED: 5 * TICK_NS}


def test_the_causes_are_kept_apart_and_added_up() -> None:
    found = Ticks(Tick(0, AWAKE, RUNS))
    for tick in (Tick(2 * NS_PER_S, AWAKE, STOPPED), Tick(4 * NS_PER_S, slept(NS_PER_S), RUNS)):
        found.take(tick)
    assert found.standstills == (
        Standstill(cause=Cause.ENGINE_STOPPED, duration_ns=2 * NS_PER_S),
        Standstill(cause=Cause.HOST_SUSPENDED, duration_ns=NS_PER_S),
        Standstill(cause=Cause.HELD_UP, duration_ns=4 * NS_PER_S - 2 * TICK_NS),
    )


@pytest.fixture
def sleeper() -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as process:
        yield process
        process.kill()


def causes(vigil: Vigil) -> set[Cause]:
    # A host that is very busy may hold us up besides.
    return {one.cause for one in vigil.standstills} - {Cause.HELD_UP}


def test_a_process_that_waits_is_not_stopped(sleeper: "subprocess.Popen[bytes]") -> None:
    with Vigil() as vigil:
        vigil.watch_over(sleeper.pid)
        time.sleep(0.5)
    assert causes(vigil) == set()


def test_a_process_that_was_told_to_stop_is_seen_to_be(sleeper: "subprocess.Popen[bytes]") -> None:
    os.kill(sleeper.pid, signal.SIGSTOP)
    os.waitid(os.P_PID, sleeper.pid, os.WSTOPPED | os.WNOWAIT)
    with Vigil() as vigil:
        vigil.watch_over(sleeper.pid)
    assert causes(vigil) == {Cause.ENGINE_STOPPED}


def test_a_process_that_has_ended_is_not_stopped() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    with Vigil() as vigil:
        vigil.watch_over(process.pid)
    assert causes(vigil) == set()


def test_what_was_told_once_is_not_told_again() -> None:
    looks = iter([0, 0, 20 * NS_PER_S, 21 * NS_PER_S])
    vigil = Vigil(lambda _: Tick(next(looks), AWAKE, RUNS))
    vigil.lately()
    assert vigil.lately() == (Standstill(cause=Cause.HELD_UP, duration_ns=20 * NS_PER_S - TICK_NS),)
    assert vigil.lately() == ()
