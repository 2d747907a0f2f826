"""The reach of the mapping cache is found where there is one, and never invented."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssdlab.analysis.infer.reach import Limit, MappingCacheReach, RangePoint, reach_of
from ssdlab.message import message, number, verbatim
from ssdlab.units import GIB
from ssdlab.unknown import Unknown

RANGES = [GIB << step for step in range(10)] + [931 * GIB]


def points(
    reach_bytes: float | None,
    cost: float = 1.5,
    noise: float = 0.0,
    seed: int = 0,
    cap: float = 0.0,
    spread: float | Unknown = 0.8,
) -> list[RangePoint]:
    """1 GiB to 931 GiB on a drive that reads 600k a second inside its reach and pays `cost` times a read for a missing mapping."""
    random = np.random.default_rng(seed)
    found = []
    for size in RANGES:
        missed = 0.0 if reach_bytes is None else max(0.0, 1 - reach_bytes / size)
        slower = max(1 + cap, 1 + cost * missed)
        found.append(RangePoint(size, 600_000 / slower * float(np.exp(noise * random.normal())), spread))
    return found


@pytest.mark.parametrize("noise", [0.0, 0.02])
@pytest.mark.parametrize("reach", [5, 16, 64, 100, 300])
def test_the_reach_is_found_within_15_percent(reach: int, noise: float) -> None:
    for seed in range(3):
        found = reach_of(points(reach * GIB, noise=noise, seed=seed))
        assert isinstance(found, MappingCacheReach)
        assert found.bytes == pytest.approx(reach * GIB, rel=0.15)
        assert found.interval.low <= found.bytes <= found.interval.high


def test_the_interval_holds_the_truth_nine_times_in_ten() -> None:
    held = 0
    for seed in range(40):
        found = reach_of(points(64 * GIB, noise=0.03, seed=seed))
        held += isinstance(found, MappingCacheReach) and found.interval.low <= 64 * GIB <= found.interval.high
    assert held >= 36


@pytest.mark.parametrize("noise", [0.0, 0.02, 0.05])
def test_a_drive_that_maps_all_has_no_knee(noise: float) -> None:
    for seed in range(20):
        assert isinstance(reach_of(points(None, noise=noise, seed=seed)), Unknown)


def test_no_drop_is_said_as_such() -> None:
    assert reach_of(points(None)) == Unknown(message("unknown-no-drop", least=number(0.1, ".0%")))


def test_a_speed_that_falls_evenly_has_no_knee() -> None:
    even = [RangePoint(size, 600_000 * 0.95**step, 0.8) for step, size in enumerate(RANGES)]
    assert reach_of(even) == Unknown(message("unknown-no-knee"))


def test_the_drop_is_that_of_the_whole_drive() -> None:
    found = reach_of(points(64 * GIB, cost=1.0))
    assert isinstance(found, MappingCacheReach)
    assert found.drop == pytest.approx(1 - 1 / (1 + 1 - 64 / 931), abs=0.02)


def test_a_common_limit_hides_the_first_misses_and_the_interval_says_so() -> None:
    found = reach_of(points(64 * GIB, cost=3.0, cap=0.8, spread=0.1))
    assert isinstance(found, MappingCacheReach)
    assert found.limit is Limit.COMMON
    assert found.interval.low < found.hidden_bytes < 64 * GIB < found.bytes


@pytest.mark.parametrize(
    ("spread", "limit"), [(0.8, Limit.FLASH), (0.1, Limit.COMMON), (Unknown(verbatim("not measured")), Limit.UNKNOWN)]
)
def test_the_spread_of_latency_tells_what_limits_the_reads(spread: float | Unknown, limit: Limit) -> None:
    found = reach_of(points(64 * GIB, spread=spread))
    assert isinstance(found, MappingCacheReach)
    assert found.limit is limit


def test_three_ranges_are_too_few() -> None:
    assert reach_of(points(64 * GIB)[:3]) == Unknown(message("unknown-few-ranges", ranges=3, needed=4))


@settings(max_examples=10)
@given(st.permutations(points(64 * GIB, noise=0.02)))
def test_the_order_of_measuring_does_not_matter(shuffled: list[RangePoint]) -> None:
    assert reach_of(shuffled) == reach_of(points(64 * GIB, noise=0.02))


@settings(max_examples=50)
@given(st.lists(st.floats(1.0, 1e7), min_size=4, max_size=11))
def test_any_speeds_give_a_reach_inside_the_ranges_or_none(rates: list[float]) -> None:
    found = reach_of([RangePoint(GIB << step, rate, 0.8) for step, rate in enumerate(rates)])
    if isinstance(found, MappingCacheReach):
        assert GIB <= found.bytes <= GIB << len(rates)
        assert found.hidden_bytes <= found.bytes
