"""The ladder of rests: what came back of the cache, after which delay, and how fast."""

import numpy as np
import pytest
from tests.kit.synthetic_fill import QUIET, Level, bandwidth_of, noisy, series_of

from ssdlab.analysis.infer.reclaim import Reclaim, ReclaimAfterRest, reclaim_of
from ssdlab.message import message, number
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

GB = 1e9
RESTS_S = (5, 10, 15, 30, 60, 120, 240)
FAST, SLOW = 4 * GB, 1 * GB


def cache_after(rest_s: float, delay_s: float, rate: float, largest: float, left: float = 0.0) -> float:
    return min(largest, left + rate * max(0.0, rest_s - delay_s))


def ladder(delay_s: float, rate: float, largest: float, left: float = 0.0, seed: int = 1) -> Reclaim:
    """Minutes of writing after each rest, at 4 GB/s inside the cache and 1 GB/s after it."""
    rungs = []
    for rest_s in RESTS_S:
        cache = cache_after(rest_s, delay_s, rate, largest, left)
        levels = [Level(cache, FAST)] if cache else []
        after_s = 60 - cache / FAST
        series = series_of(noisy(bandwidth_of([*levels, Level(after_s * SLOW, SLOW)]), QUIET, seed + rest_s))
        rungs.append(ReclaimAfterRest(rest_s * NS_PER_S, series))
    return reclaim_of(rungs)


@pytest.mark.parametrize("rest", range(len(RESTS_S)))
def test_the_cache_after_each_rest_is_found(rest: int) -> None:
    found = ladder(2, 0.5 * GB, 50 * GB, left=3 * GB).cache_bytes[rest]
    assert found == pytest.approx(cache_after(RESTS_S[rest], 2, 0.5 * GB, 50 * GB, 3 * GB), abs=1 * GB)


@pytest.mark.parametrize("delay_s", [0, 2, 7, 20])
def test_delay_and_rate_are_found(delay_s: float) -> None:
    found = ladder(delay_s, 0.5 * GB, 60 * GB)
    assert found.rate_bytes_per_s == pytest.approx(0.5 * GB, rel=0.05)
    assert found.delay is not None
    assert found.delay.low - 1 <= delay_s <= found.delay.high + 1


def test_a_drive_that_gives_nothing_back_says_so() -> None:
    found = ladder(0, 0, 20 * GB, left=20 * GB)
    assert found.rate_bytes_per_s == Unknown(
        message("unknown-no-more-cache", longest_s=number(240, ".3g"), shortest_s=number(5, ".3g"))
    )


def test_a_drive_without_a_cache_has_no_rate() -> None:
    found = ladder(0, 0, 0)
    nothing = Unknown(message("unknown-one-speed"))
    assert set(found.cache_bytes) == {nothing}
    assert (found.delay_s, found.rate_bytes_per_s, found.rate) == (nothing, nothing, None)


def test_a_jump_between_two_rests_has_no_rate() -> None:
    found = ladder(29, 100 * GB, 40 * GB)
    assert found.cache_bytes[2] == pytest.approx(0, abs=1 * GB)
    assert found.cache_bytes[3] == pytest.approx(40 * GB, rel=0.05)
    assert isinstance(found.rate_bytes_per_s, Unknown)


def test_a_write_that_ends_inside_the_cache_bounds_nothing() -> None:
    slow = [
        ReclaimAfterRest(rest * NS_PER_S, series_of(bandwidth_of([Level(8 * GB, FAST), Level(58 * GB, SLOW)])))
        for rest in (5, 10)
    ]
    inside = ReclaimAfterRest(240 * NS_PER_S, series_of(bandwidth_of([Level(240 * GB, FAST)])))
    found = reclaim_of([*slow, inside])
    assert all(size == pytest.approx(8 * GB, rel=0.02) for size in found.cache_bytes[:2])
    assert found.cache_bytes[2] == Unknown(message("unknown-inside-cache"))
    assert found.rate_bytes_per_s == Unknown(message("unknown-few-rests", rests=2, needed=4))


def test_a_cache_that_is_empty_until_it_is_never_left_has_no_rate() -> None:
    empty = [
        ReclaimAfterRest(rest * NS_PER_S, series_of(bandwidth_of([Level(60 * GB, SLOW)]))) for rest in (5, 10, 15, 30)
    ]
    inside = ReclaimAfterRest(240 * NS_PER_S, series_of(bandwidth_of([Level(240 * GB, FAST)])))
    found = reclaim_of([*empty, inside])
    assert found.cache_bytes[:4] == (0, 0, 0, 0)
    nothing = Unknown(message("unknown-longer-rests", longest_s=number(30, ".3g"), shortest_s=number(5, ".3g")))
    assert (found.delay_s, found.rate_bytes_per_s, found.rate) == (nothing, nothing, None)


def test_no_rung_and_an_empty_one_give_no_conclusion() -> None:
    nothing = Unknown(message("unknown-no-rung"))
    assert reclaim_of([]).rate_bytes_per_s == nothing
    assert reclaim_of([ReclaimAfterRest(NS_PER_S, series_of(np.array([])))]).cache_bytes == (nothing,)
