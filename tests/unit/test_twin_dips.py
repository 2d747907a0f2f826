"""Dips of a drive are told from points that read, if they are in step with a clock, and what is measured in them is compared as that."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from ssdlab.analysis.statistics.percentile import latency_percentile_ns
from ssdlab.engine.result import Direction, Histogram
from ssdlab.point import Point
from ssdlab.twin.acts import Act, Deed
from ssdlab.twin.dips import NO_DIPS, Dips, PointWindows, dipped, dipping, dips_in, dips_of_windows, with_dips
from ssdlab.twin.draft import Draft
from ssdlab.twin.drift import Clock, clock_of, in_own_time
from ssdlab.twin.own_time import act_in_own_time, seen_by_host
from ssdlab.twin.seen import PointSeen

Floats = NDArray[np.float64]
S = 1e9
WINDOW_NS = 0.1 * S


def in_dips_ns(until_ns: Floats, every_ns: float, length_ns: float, first_ns: float) -> Floats:
    """Time in dips so far; the first begins then."""
    periods, rest = np.divmod(until_ns - first_ns, every_ns)
    found: Floats = periods * length_ns + np.minimum(rest, length_ns)
    return found


def point(
    begin_ns: float, every_ns: float, length_ns: float, speed: float, random: np.random.Generator
) -> PointWindows:
    """Five seconds, in windows that begin anywhere, at any speed, with noise of a per cent."""
    borders: Floats = begin_ns + WINDOW_NS * np.arange(51, dtype=np.float64)
    share = np.diff(in_dips_ns(borders, every_ns, length_ns, 0.7 * S)) / WINDOW_NS
    usual = random.choice([300.0, 20_000.0, 400_000.0])
    found = usual * (1 - share * (1 - speed)) * np.exp(0.01 * random.normal(size=50))
    return PointWindows(borders[1:], np.full(50, WINDOW_NS), found)


def run(every_ns: float, length_ns: float, speed: float, seed: int) -> list[PointWindows]:
    """Sixty points with anything between them."""
    random = np.random.default_rng(seed)
    begins = np.cumsum(5 * S + random.uniform(0, 40 * S, size=60))
    return [point(begin, every_ns, length_ns, speed, random) for begin in begins.tolist()]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("every_s", "length_s", "speed"),
    [(2.0, 0.35, 0.1), (4.1, 0.28, 0.42), (7.83, 0.6, 0.4), (14.7, 0.46, 0.09), (6.1, 0.12, 0.3), (3.9, 0.15, 0.1)],
)
def test_dips_are_told_as_they_are(every_s: float, length_s: float, speed: float, seed: int) -> None:
    found = dips_of_windows(
        [run(every_s * S, length_s * S, speed, seed), run(every_s * S, length_s * S, speed, 10 + seed)]
    )
    assert found.every_ns == pytest.approx(every_s * S, rel=1e-3)
    assert found.length_ns == pytest.approx(length_s * S, rel=0.05)
    assert found.speed == pytest.approx(speed, abs=0.02)
    for begin_ns in found.begins_ns:
        assert np.cos(2 * np.pi * (begin_ns - 0.7 * S) / found.every_ns) > 0.95


def test_dips_are_told_among_slow_windows_of_another_kind() -> None:
    random = np.random.default_rng(5)
    points = run(6 * S, 0.3 * S, 0.2, 5)
    for one in points[::6]:
        one.speed[random.integers(2, 44)] *= 0.5
    assert dips_of_windows([points]).every_ns == pytest.approx(6 * S, rel=1e-3)


def test_stalls_at_any_time_are_no_dips() -> None:
    random = np.random.default_rng(1)
    stalling = [point(20 * S * place, 1e6 * S, 0.0, 1.0, random) for place in range(60)]
    stalled = []
    for one in stalling:
        speed = one.speed.copy()
        begin = random.integers(2, 44)
        speed[begin : begin + 4] *= 0.1
        stalled.append(replace(one, speed=speed))
    assert dips_of_windows([stalled]) == NO_DIPS


def test_a_stall_in_each_point_at_the_same_time_is_none_of_the_drives_clock() -> None:
    random = np.random.default_rng(2)
    begins = np.cumsum(random.uniform(5 * S, 45 * S, size=60))
    stalled = [point(begin, 1e6 * S, 0.0, 1.0, random) for begin in begins.tolist()]
    for one in stalled:
        one.speed[20:24] *= 0.1
    assert dips_of_windows([stalled]) == NO_DIPS


@pytest.mark.parametrize("seed", range(2))
def test_noise_is_none(seed: int) -> None:
    random = np.random.default_rng(seed)
    ends: Floats = np.arange(1, 51, dtype=np.float64) * WINDOW_NS
    noisy = [
        PointWindows(20 * S * place + ends, np.full(50, WINDOW_NS), 1e4 * np.exp(0.4 * random.normal(size=50)))
        for place in range(20)
    ]
    assert dips_of_windows([noisy]) == NO_DIPS


def test_few_dips_tell_nothing() -> None:
    assert dips_of_windows([run(14.7 * S, 0.46 * S, 0.1, 1)[:10]]) == NO_DIPS


def test_points_in_which_nothing_was_done_tell_nothing() -> None:
    nothing = PointWindows(np.arange(1, 31, dtype=np.float64) * WINDOW_NS, np.full(30, WINDOW_NS), np.zeros(30))
    assert dips_of_windows([[nothing] * 20]) == NO_DIPS


DIPS = Dips(10 * S, 1 * S, 0.5, (2 * S, float("nan")))


@pytest.mark.parametrize(
    ("begin_s", "end_s", "share"),
    [(0.0, 2.0, 0.0), (2.0, 3.0, 1.0), (2.5, 4.5, 0.25), (0.0, 20.0, 0.1), (12.0, 13.0, 1.0)],
)
def test_as_much_of_a_time_is_in_dips_as_they_last(begin_s: float, end_s: float, share: float) -> None:
    assert DIPS.share_of(0, [(begin_s * S, end_s * S)]) == pytest.approx(share)


def test_of_a_run_in_which_none_was_seen_the_usual_share_is() -> None:
    assert DIPS.share_of(1, [(0.0, 2 * S)]) == 0.1


def act(seen: PointSeen, spans: tuple[tuple[float, float], ...]) -> Act:
    return Act(run=0, group="one", point=Point("one"), deed=Deed.MEASURE, spans=spans, seen=seen)


def test_a_point_is_faster_without_its_dips_and_its_latencies_are_between_them() -> None:
    seen = PointSeen({Direction.READ: 75.0}, {Direction.READ: {"50": 1000.0}}, None)
    (slow,) = with_dips([act(seen, ((2 * S, 2.5 * S), (6 * S, 6.5 * S)))], DIPS)
    assert slow.dipped == pytest.approx(0.5)
    own = act_in_own_time(slow, Clock(0.0, 0.5)).measured
    assert own.iops == {Direction.READ: pytest.approx(100.0)}
    assert own.latency_ns == seen.latency_ns
    assert seen_by_host(slow, own, Clock(0.0, 0.5)).iops == {Direction.READ: pytest.approx(75.0)}


def test_a_pass_takes_longer_by_its_dips() -> None:
    (slow,) = with_dips([act(PointSeen({}, {}, np.array([1.0, 2.0])), ((0.0, 100 * S),))], DIPS)
    host = seen_by_host(slow, slow.measured, Clock(0.0, 0.5)).written_ns
    assert host is not None
    assert host == pytest.approx(np.array([1.0, 2.0]) / 0.95)


def histogram() -> Histogram:
    return Histogram(np.array([400, 500, 501]), np.array([100, 880, 20]), 1e4, 10, 10**5, 1e3)


def test_what_is_begun_in_a_dip_takes_longer_and_less_is() -> None:
    both = dipped(histogram(), 0.5, 0.25)
    assert both.total == 1000
    # In half of the time a quarter as fast: a fifth of all.
    assert both.mean_ns == pytest.approx(1e4 * (0.8 + 0.2 * 4))
    middle, tail = latency_percentile_ns(histogram(), "50"), latency_percentile_ns(both, "90")
    assert isinstance(middle, float | int)
    assert tail == pytest.approx(4 * middle, rel=0.02)


@pytest.mark.parametrize(("share", "speed"), [(0.0, 0.5), (0.3, 1.0)])
def test_no_dips_leave_latencies_as_they_are(share: float, speed: float) -> None:
    before, after = histogram(), dipped(histogram(), share, speed)
    assert (before.total, before.mean_ns, before.max_ns) == (after.total, after.mean_ns, after.max_ns)


def test_a_draft_has_the_dips_that_were_seen_and_its_own_time_has_none() -> None:
    plain = Draft("one", "", {"timing": {}})
    twin = dipping(plain, DIPS)
    assert dips_in(twin) == replace(DIPS, begins_ns=())
    assert clock_of(twin).pace(0.2) == pytest.approx(0.9)
    assert in_own_time(twin).sections == plain.sections
    assert (dipping(plain, NO_DIPS), dips_in(plain)) == (plain, NO_DIPS)


def test_a_run_of_a_day_is_told_by_its_beginning() -> None:
    random = np.random.default_rng(4)
    day = [point(begin, 2 * S, 0.35 * S, 0.1, random) for begin in np.arange(0, 86_400 * S, 300 * S).tolist()]
    assert dips_of_windows([day]).every_ns == pytest.approx(2 * S, rel=1e-5)


def test_periods_are_taken_whole() -> None:
    """Dips at every second of a period would be as regular as those at every one."""
    found = dips_of_windows([run(6 * S, 0.4 * S, 0.2, 3)])
    first, second = (found.share_of(0, [one]) for one in pairwise([0.0, 3 * S, 6 * S]))
    assert {round(first, 1), round(second, 1)} == {0.1, 0.0}


def test_the_drives_own_time_stands_nearly_still_in_dips() -> None:
    dips = Dips(10 * S, 2 * S, 0.25, (3 * S, float("nan")))
    seen, unseen = (dips.passed_ns(run, 1 * S, np.array([3.0, 4.0, 5.0, 11.0]) * S) for run in (0, 1))
    assert seen.tolist() == pytest.approx([2 * S, 2.25 * S, 2.5 * S, 8.5 * S])
    assert unseen.tolist() == pytest.approx([0.85 * 2 * S, 0.85 * 3 * S, 0.85 * 4 * S, 0.85 * 10 * S])
