"""Work of a drive's own that comes again by the clock is told from reads that wait for it, and nothing else is taken for it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from ssdlab.job import Job, Pattern, Region
from ssdlab.twin.dips import Dips
from ssdlab.twin.drift import Clock
from ssdlab.twin.regular import ReadRun, Sign, between_dips, rewriting_of_runs
from ssdlab.twin.rewriting import Rewriting

Floats = NDArray[np.float64]
S = 1e9
WINDOW_NS = 0.1 * S
READS = Job(
    name="reads",
    pattern=Pattern.RANDOM,
    read_percent=100,
    block_bytes=4096,
    queue_depth=1,
    region=Region(0, 1 << 30),
    amount_bytes=None,
    duration_ns=10_000_000_000,
    seed=1,
)


def busy_ns(until_ns: Floats, every_ns: float, length_ns: float) -> Floats:
    """Time so far in which the drive worked for itself."""
    periods, rest = np.divmod(until_ns - 0.3 * every_ns, every_ns)
    found: Floats = periods * length_ns + np.minimum(rest, length_ns)
    return found


def run(
    begin_ns: float,
    every_ns: float,
    length_ns: float,
    random: np.random.Generator,
    *,
    noise: float = 0.002,
    job: Job = READS,
    windows: int = 100,
) -> ReadRun:
    """Ten seconds of reads that take twice as long while the drive works for itself."""
    borders: Floats = begin_ns + WINDOW_NS * np.arange(windows + 1, dtype=np.float64)
    share = np.diff(busy_ns(borders, every_ns, length_ns)) / WINDOW_NS
    pace = np.exp(noise * random.normal(size=windows))
    longest = 100e3 * np.exp(0.03 * random.gumbel(size=windows)) * np.where(share > 0, 1.9, 1.0) / pace
    return ReadRun(borders[:-1] + WINDOW_NS / 2, longest, 12_000 * (1 - share / 2) * pace, job)


def runs(every_ns: float, length_ns: float, seed: int, noise: float = 0.002) -> list[ReadRun]:
    """Some, with anything between them; of longer queues beside those of one."""
    random = np.random.default_rng(seed)
    begins = np.cumsum(random.uniform(60 * S, 100 * S, size=9)).tolist()
    jobs = [replace(READS, queue_depth=1 << place // 5) for place in range(9)]
    return [
        run(begin, every_ns, length_ns, random, noise=noise, job=job) for begin, job in zip(begins, jobs, strict=True)
    ]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("every_s", "length_s"), [(0.45, 0.004), (0.72, 0.02), (1.4, 0.014), (1.4, 0.2), (2.3, 0.05)])
def test_what_comes_again_by_the_clock_is_told(every_s: float, length_s: float, seed: int) -> None:
    found = rewriting_of_runs(runs(every_s * S, length_s * S, seed))
    assert found is not None
    assert found.every_ns == pytest.approx(every_s * S, rel=0.03)
    assert found.lost == pytest.approx(length_s / every_s / 2, rel=0.25)
    assert found.reads.queue_depth == 1


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("every_s", "length_s"), [(3.2, 0.06), (3.8, 0.12), (4.4, 0.05), (5.5, 0.2)])
def test_what_comes_too_seldom_to_be_seen_is_not_taken_for_what_comes_twice_as_often(
    every_s: float, length_s: float, seed: int
) -> None:
    found = rewriting_of_runs(runs(every_s * S, length_s * S, seed))
    assert found is None or found.every_ns == pytest.approx(every_s * S, rel=0.03)


@pytest.mark.parametrize("seed", range(3))
def test_it_is_told_of_a_drive_whose_speed_wanders(seed: int) -> None:
    found = rewriting_of_runs(runs(1.4 * S, 0.05 * S, seed, noise=0.08))
    assert found is not None
    assert found.every_ns == pytest.approx(1.4 * S, rel=0.03)
    assert found.lost == pytest.approx(0.05 / 1.4 / 2, rel=0.5)


@pytest.mark.parametrize("noise", [0.0, 0.002, 0.1])
@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_told_of_a_drive_that_does_nothing_by_itself(noise: float, seed: int) -> None:
    assert rewriting_of_runs(runs(1e6 * S, 0.0, seed, noise)) is None


def with_late_windows(one: ReadRun, places: Sequence[int]) -> ReadRun:
    longest, iops = one.longest_ns.copy(), one.iops.copy()
    longest[list(places)] *= 5
    iops[list(places)] *= 0.9
    return replace(one, longest_ns=longest, iops=iops)


@pytest.mark.parametrize("seed", range(10))
def test_reads_that_wait_at_any_time_are_none_of_the_clock(seed: int) -> None:
    random = np.random.default_rng(seed)
    quiet = runs(1e6 * S, 0.0, seed)
    late = [with_late_windows(one, np.flatnonzero(random.random(100) < 0.15).tolist()) for one in quiet]
    assert rewriting_of_runs(late) is None


@pytest.mark.parametrize("seed", range(10))
def test_a_bad_stretch_in_each_run_is_none_of_the_clock(seed: int) -> None:
    random = np.random.default_rng(seed)
    quiet = runs(1e6 * S, 0.0, seed)
    begins = random.integers(0, 80, size=len(quiet)).tolist()
    late = [with_late_windows(one, range(begin, begin + 20)) for one, begin in zip(quiet, begins, strict=True)]
    assert rewriting_of_runs(late) is None


def test_one_run_that_waits_regularly_is_no_drive_that_does() -> None:
    quiet = runs(1e6 * S, 0.0, 1)
    assert rewriting_of_runs([with_late_windows(quiet[0], range(3, 100, 12)), *quiet[1:]]) is None


def test_a_drive_that_gets_faster_works_by_its_own_clock() -> None:
    clock, random = Clock(-0.9), np.random.default_rng(1)
    found = []
    for hours in np.linspace(0.1, 2, 9).tolist():
        begin_ns = hours * 3600 * S
        host = run(begin_ns, 1e6 * S, 0.0, random)
        own_ns = clock.own_ns(host.own_ns)
        waits = np.diff(busy_ns(np.append(own_ns, own_ns[-1] + WINDOW_NS), 1.4 * S, 0.02 * S)) > 0
        found.append(with_late_windows(replace(host, own_ns=own_ns), np.flatnonzero(waits).tolist()))
    told = rewriting_of_runs(found)
    assert told is not None
    assert told.every_ns == pytest.approx(1.4 * S, rel=0.03)


def test_what_a_dip_makes_late_is_none_of_it() -> None:
    dips = Dips(3.1 * S, 0.2 * S, 0.3)
    slow = runs(dips.every_ns, dips.length_ns, 2)
    dipping = [replace(one, iops=one.iops * np.where(one.marked(Sign.LATE) > 0, 0.5, 1.0)) for one in slow]
    assert rewriting_of_runs([between_dips(one) for one in dipping]) is None


def test_an_engine_that_tells_no_longest_wait_tells_nothing() -> None:
    blind = [replace(one, longest_ns=np.full(100, np.nan)) for one in runs(1.4 * S, 0.02 * S, 1)]
    assert rewriting_of_runs(blind) is None


@pytest.mark.parametrize("seed", range(3))
def test_it_is_told_beside_reads_that_wait_for_something_else_and_windows_that_are_slow_for_something_else(
    seed: int,
) -> None:
    random = np.random.default_rng(seed)
    told = []
    for one in runs(1.4 * S, 0.014 * S, seed):
        iops = one.iops * np.where(random.random(100) < 0.1, 0.93, 1.0)
        longest = one.longest_ns * np.where(random.random(100) < 0.1, 2.0, 1.0)
        stalled = random.random(100) < 0.05
        told.append(replace(one, iops=iops * np.where(stalled, 0.8, 1.0), longest_ns=np.where(stalled, 2e7, longest)))
    found = rewriting_of_runs(told)
    assert found is not None
    assert found.every_ns == pytest.approx(1.4 * S, rel=0.01)
    assert found.lost == pytest.approx(0.014 / 1.4 / 2, rel=0.5)


def test_few_or_short_runs_tell_nothing() -> None:
    told = runs(1.4 * S, 0.02 * S, 1)
    assert rewriting_of_runs([]) is None
    assert rewriting_of_runs(told[:2]) is None
    assert isinstance(rewriting_of_runs(told[:5]), Rewriting)


def test_runs_without_any_io_tell_nothing() -> None:
    nothing = [replace(one, iops=np.zeros(100), longest_ns=np.zeros(100)) for one in runs(1.4 * S, 0.02 * S, 1)]
    assert rewriting_of_runs(nothing) is None
