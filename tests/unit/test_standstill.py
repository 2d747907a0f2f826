"""Whether measuring stood still is told from clocks and processes, never from the I/O of the drive."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import accumulate, pairwise

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


def at(seconds: float, suspended: Suspended = AWAKE) -> Tick:
    return Tick(round(seconds * NS_PER_S), suspended, RUNS)


def looked(*ticks: Tick) -> Ticks:
    """From 0 on."""
    found = Ticks(at(0))
    for tick in ticks:
        found.take(tick)
    return found


def looks(begin_s: float, end_s: float, suspended: Suspended = AWAKE) -> list[Tick]:
    """Ten a second, from the first moment to the second."""
    return [at(begin_s + count / 10, suspended) for count in range(round((end_s - begin_s) * 10) + 1)]


def held_up(seconds: float) -> tuple[Standstill, ...]:
    return (Standstill(cause=Cause.HELD_UP, duration_ns=round(seconds * NS_PER_S) - TICK_NS),)


FIRST, SECOND, THIRD = (at(0.02), at(4.95)), (at(4.96), at(19.95)), (at(19.96), at(23.95))
"""Jobs that follow each other at once, as the engine's own thread tells."""


@pytest.mark.parametrize("asked_s", [20, 24], ids=["at once", "when the next one is over"])
def test_a_job_has_what_stood_still_in_it_whenever_it_is_asked(asked_s: float) -> None:
    assert looked(*looks(0.1, 10), *looks(18, asked_s)).between(*SECOND) == held_up(8)


def test_its_neighbours_have_nothing_of_it() -> None:
    found = looked(*looks(0.1, 10), *looks(18, 24))
    assert [found.between(*job) for job in (FIRST, THIRD)] == [(), ()]


def test_what_stands_still_up_to_its_end_is_its_own_although_no_look_came_before_the_next_began() -> None:
    found = looked(*looks(0.1, 11.9), *looks(19.97, 24))
    assert [found.between(*job) for job in (FIRST, SECOND, THIRD)] == [(), held_up(8.05), ()]


def test_what_stands_still_from_its_beginning_is_its_own_although_no_look_came_after_the_one_before() -> None:
    found = looked(*looks(0.1, 4.9), *looks(13, 24))
    assert [found.between(*job) for job in (FIRST, SECOND, THIRD)] == [(), held_up(8.04), ()]


def test_a_host_that_slept_in_one_job_did_not_in_the_next() -> None:
    asleep = slept(3600 * NS_PER_S)
    found = looked(*looks(0.1, 4.9), *looks(5, 10, asleep))
    assert found.between(at(0.02), at(4.95, asleep)) == (
        Standstill(cause=Cause.HOST_SUSPENDED, duration_ns=3600 * NS_PER_S),
    )
    assert found.between(at(4.96, asleep), at(9.95, asleep)) == ()


def test_what_was_lost_since_the_last_look_is_known_before_the_next_one() -> None:
    assert looked(*looks(0.1, 2)).between(at(0.02), at(10)) == held_up(8)


GAPS_NS = st.lists(st.integers(TICK_NS, 5 * HELD_UP_NS), min_size=1, max_size=20)
"""Between looks."""


def times(gaps_ns: list[int]) -> list[int]:
    return [0, *accumulate(gaps_ns)]


def looked_at(moments_ns: list[int]) -> Ticks:
    return looked(*(Tick(one, AWAKE, RUNS) for one in moments_ns[1:]))


def lost_ns(found: Ticks, begin_ns: int, end_ns: int) -> int:
    stood = found.between(Tick(begin_ns, AWAKE, RUNS), Tick(end_ns, AWAKE, RUNS))
    return sum(one.duration_ns for one in stood)


@given(GAPS_NS, st.lists(st.integers(0, 100 * HELD_UP_NS), min_size=2, max_size=10, unique=True))
def test_jobs_that_follow_each_other_share_what_stood_still_and_count_none_of_it_twice(
    gaps_ns: list[int], stamps_ns: list[int]
) -> None:
    moments_ns, found = times(gaps_ns), looked_at(times(gaps_ns))
    stamps_ns = [one % moments_ns[-1] for one in stamps_ns]
    jobs = list(pairwise(sorted({0, *stamps_ns, moments_ns[-1]})))
    whole_ns = lost_ns(found, 0, moments_ns[-1])
    # A part is not told if it is as short as a busy host's lateness, and each part may be late by a look.
    untold_ns = (len(jobs) - 1) * 2 * (HELD_UP_NS + TICK_NS)
    assert whole_ns - untold_ns <= sum(lost_ns(found, *job) for job in jobs) <= whole_ns


@given(GAPS_NS, st.data())
def test_a_job_has_nothing_of_what_ended_before_it_began_or_began_after_its_end(
    gaps_ns: list[int], data: st.DataObject
) -> None:
    moments_ns = times(gaps_ns)
    begin_ns = data.draw(st.integers(0, moments_ns[-1]))
    end_ns = data.draw(st.integers(begin_ns, moments_ns[-1]))
    within_ns = [
        max(0, min(after_ns, end_ns) - max(before_ns, begin_ns)) for before_ns, after_ns in pairwise(moments_ns)
    ]
    expected_ns = sum(one - TICK_NS for one in within_ns if one - TICK_NS > HELD_UP_NS)
    assert lost_ns(looked_at(moments_ns), begin_ns, end_ns) == expected_ns


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
