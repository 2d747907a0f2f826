"""A drift by the hour is found in points that were repeated, and what was measured at one hour is told for another."""

from dataclasses import replace

import numpy as np
import pytest

from ssdlab.analysis.statistics.percentile import latency_percentile_ns
from ssdlab.engine.result import Direction, Histogram, Series
from ssdlab.point import Point
from ssdlab.twin.acts import Act, Deed
from ssdlab.twin.draft import Draft
from ssdlab.twin.drift import EVEN, HOUR_NS, Clock, clock_of, drifting, in_own_time
from ssdlab.twin.knobs import Block, knobs_of
from ssdlab.twin.own_time import act_in_own_time, histogram_in_own_time, seen_by_host, series_in_own_time
from ssdlab.twin.repeats import HourlyDrift, drift_of_repeats
from ssdlab.twin.seen import PointSeen
from ssdlab.twin.steady import LastingWrites
from ssdlab.unknown import Unknown

_LOST = (0.68, 0.2, -0.3, -0.9)


@pytest.mark.parametrize("lost", _LOST)
def test_a_clock_runs_as_fast_as_the_drive(lost: float) -> None:
    clock = Clock(lost)
    times_ns = np.linspace(0, 40, 4001) * HOUR_NS
    speeds = np.array([clock.speed(one) for one in (times_ns[1:] + times_ns[:-1]) / 2])
    assert np.diff(clock.own_ns(times_ns)) == pytest.approx(speeds * np.diff(times_ns), rel=0.01)
    assert clock.host_ns(clock.own_ns(times_ns)) == pytest.approx(times_ns, abs=1e-6 * HOUR_NS)


def test_a_drift_goes_no_further_than_that_of_a_virtual_drive() -> None:
    assert Clock(0.68).speed(5 * HOUR_NS) == 0.1
    assert Clock(-1.0).speed(50 * HOUR_NS) == 10.0
    assert Clock(0.5).speed(HOUR_NS) == 0.5


def points(lost: float, noise: float, count: int = 40) -> list[tuple[np.ndarray, np.ndarray]]:
    """Five runs each, a minute apart, one point after the other."""
    random = np.random.default_rng(5)
    found = []
    for number in range(count):
        hours = 0.8 + number * 0.09 + np.arange(5) / 60
        speeds = np.array([Clock(lost).speed(one * HOUR_NS) for one in hours])
        found.append((hours, 1000 * (number + 1) * speeds * np.exp(noise * random.normal(size=5))))
    return found


@pytest.mark.parametrize("lost", [0.6, 0.3, -0.3])
def test_a_drift_is_found(lost: float) -> None:
    found = drift_of_repeats(points(lost, 0.002))
    assert isinstance(found, HourlyDrift)
    assert abs(found.lost - lost) < 4 * found.error
    assert found.lost == pytest.approx(lost, abs=0.15)
    assert found.hours == pytest.approx(0.8 + 39 * 0.09 + 4 / 60)


def test_no_drift_is_found_where_none_is() -> None:
    found = drift_of_repeats(points(0.0, 0.01))
    assert isinstance(found, HourlyDrift)
    assert found.lost == 0.0
    assert 0 < found.error < 0.1


def test_a_cache_that_fills_in_one_point_is_no_drift() -> None:
    some = points(0.0, 0.003)
    hours, speeds = some[7]
    some[7] = (hours, speeds * np.array([3.0, 2.5, 1.5, 1.0, 0.5]))
    found = drift_of_repeats(some)
    assert isinstance(found, HourlyDrift)
    assert found.lost == 0.0


def test_a_stall_in_one_run_of_most_points_does_not_hide_a_drift() -> None:
    even = points(-0.3, 0.002)
    stalled = [
        (hours, speeds * np.where(np.arange(5) == place % 5, 0.7, 1.0)) for place, (hours, speeds) in enumerate(even)
    ]
    before, found = drift_of_repeats(even), drift_of_repeats([*stalled[:25], *even[25:]])
    assert isinstance(before, HourlyDrift)
    assert isinstance(found, HourlyDrift)
    assert found.lost == pytest.approx(-0.3, abs=3 * found.error)
    assert found.error < 4 * before.error


def test_points_that_scatter_little_tell_more_than_those_that_scatter_much() -> None:
    noisy, quiet = points(-0.3, 0.03), points(-0.3, 0.001)
    alone, mixed = drift_of_repeats(quiet[:15]), drift_of_repeats([*quiet[:15], *noisy[15:]])
    assert isinstance(alone, HourlyDrift)
    assert isinstance(mixed, HourlyDrift)
    assert mixed.lost == pytest.approx(-0.3, abs=3 * mixed.error)
    assert mixed.error < 4 * alone.error


def test_a_slow_change_that_is_not_believed_is_part_of_what_is_not_known() -> None:
    found = drift_of_repeats([(hours, speeds * (1 - 0.01 * hours)) for hours, speeds in points(0.0, 0.0005)])
    assert isinstance(found, HourlyDrift)
    assert found.lost == 0.0
    assert found.error >= 0.004


def test_what_was_seldom_repeated_or_differs_much_tells_nothing() -> None:
    few, noisy = drift_of_repeats(points(0.5, 0.002, count=7)), drift_of_repeats(points(0.0, 0.2))
    assert isinstance(few, Unknown)
    assert isinstance(noisy, Unknown)
    assert "only 7 points" in str(few.reason)
    assert "would not show" in str(noisy.reason)


def test_an_error_of_a_drift_counts_for_what_it_comes_to_in_the_end() -> None:
    assert HourlyDrift(0.0, 0.02, 4.0).at_end == pytest.approx(0.08)
    assert HourlyDrift(-0.5, 0.02, 4.0).at_end == pytest.approx(0.08 / 3)


def act(hours: float, seen: PointSeen) -> Act:
    return Act(run=0, group="one", point=Point("one"), deed=Deed.MEASURE, begin_ns=hours * HOUR_NS, seen=seen)


def test_a_point_of_a_slow_hour_was_faster_at_first() -> None:
    seen = PointSeen({Direction.READ: 500.0}, {Direction.READ: {"50": 2000.0}}, None)
    own = act_in_own_time(act(1.0, seen), Clock(0.5)).measured
    assert own.iops == {Direction.READ: 1000.0}
    assert own.latency_ns == {Direction.READ: {"50": 1000.0}}
    again = seen_by_host(act(1.0, seen), own, Clock(0.5))
    assert (again.iops, again.latency_ns) == (seen.iops, seen.latency_ns)
    assert act_in_own_time(act(1.0, seen), EVEN).measured is seen


def test_a_pass_is_told_for_its_own_hour_and_back() -> None:
    when = np.array([0.1, 0.3, np.nan]) * HOUR_NS
    pass_over = act(0.5, PointSeen({}, {}, when))
    own = act_in_own_time(pass_over, Clock(0.8)).measured
    assert own.written_ns is not None
    assert own.written_ns[0] == pytest.approx((1 - 0.8 * 0.55) * 0.1 * HOUR_NS)
    again = seen_by_host(pass_over, own, Clock(0.8)).written_ns
    assert again is not None
    assert again[:2] == pytest.approx(when[:2])
    assert np.isnan(again[2])


def test_a_series_keeps_its_bytes() -> None:
    nothing = np.full(10, np.nan)
    rate = np.full(10, 1e9)
    series = Series(10**9, np.arange(1, 11) * 10**9, rate, rate / 4096, nothing, nothing)
    own = series_in_own_time(series, HOUR_NS, Clock(0.5))
    assert own.bytes_done == pytest.approx(series.bytes_done)
    assert own.bandwidth_bytes_per_s == pytest.approx(2 * rate, rel=0.01)
    assert own.window_ns == pytest.approx(5e8, rel=0.01)


def test_a_histogram_keeps_its_ios() -> None:
    histogram = Histogram(np.array([500, 501, 700]), np.array([5, 90, 5]), 1e4, 10, 10**6, 1e3)
    own = histogram_in_own_time(histogram, HOUR_NS, Clock(0.5))
    assert own.total == 100
    before, after = latency_percentile_ns(histogram, "50"), latency_percentile_ns(own, "50")
    assert isinstance(before, float | int)
    assert after == pytest.approx(before / 2, rel=0.02)
    assert own.mean_ns == 5e3


def test_a_draft_has_its_drift_in_its_pace() -> None:
    plain = Draft("one", "", {"timing": {}})
    assert clock_of(plain) == EVEN
    assert clock_of(drifting(plain, -0.25)) == Clock(-0.25)
    assert clock_of(drifting(plain, 1.5)) == Clock(1.0)
    assert in_own_time(drifting(plain, 0.5)).sections == plain.sections


def test_writes_for_good_of_a_late_hour_are_told_for_the_first() -> None:
    late = LastingWrites(50e6, 2.0, when_ns=HOUR_NS)
    assert late.in_own_time(Clock(0.5), 0.0) == replace(late, bytes_per_s=100e6)
    assert late.in_own_time(Clock(0.5, 0.2), 0.25).bytes_per_s == pytest.approx(125e6)


def test_a_drift_is_turned_either_way_where_there_is_one() -> None:
    even = Draft("one", "", {"timing": {"sense": "50us", "sense_slc": "25us"}})
    assert "pace.drift_per_hour" not in {one.name for one in knobs_of(even, Block.POINTS)}
    found = next(one for one in knobs_of(drifting(even, 0.7), Block.POINTS) if one.name == "pace.drift_per_hour")
    assert clock_of(found.turned(even, found.low)).lost == pytest.approx(-0.3)
    assert clock_of(found.turned(even, found.high)).lost == 1.0
