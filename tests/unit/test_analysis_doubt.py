"""Falls of the speed that are no cache, or may be none, are answers of their own and carry their candidates."""

import numpy as np
import pytest
from tests.kit.synthetic_fill import ORDINARY, QUIET, Floats, Level, Noise, bandwidth_of, noisy, series_of

from ssdlab.analysis.infer.phases import Cache, PassPhases, phases_of
from ssdlab.analysis.infer.plateau import Plateau
from ssdlab.analysis.infer.policy import AfterCache, Policy, policy_of
from ssdlab.analysis.statistics.interval import level_interval
from ssdlab.analysis.statistics.noise import WindowNoise, window_noise
from ssdlab.engine.result import SensorSeries, Series
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

GB = 1e9
CLIFF = (Level(100 * GB, 4 * GB), Level(400 * GB, 1 * GB))


def phases(bandwidth: Floats, noise: Noise = QUIET, sensors: SensorSeries | None = None) -> PassPhases:
    return phases_of(series_of(noisy(bandwidth, noise, 1)), None, sensors)


def reason(found: PassPhases) -> str:
    assert isinstance(found.cache, Unknown)
    return found.cache.reason.id


def sensors_of(series: Series, celsius: float, throttled_from_s: float) -> SensorSeries:
    time_s = np.arange(0, series.time_ns[-1] / NS_PER_S)
    unknown = np.full(len(time_s), np.nan)
    return SensorSeries(
        time_ns=(time_s * NS_PER_S).astype(np.int64),
        temperature_c=np.minimum(celsius, 30 + 2 * time_s),
        throttle_level=(time_s >= throttled_from_s).astype(np.float64),
        throttled_s=unknown,
        host_read_bytes=unknown,
        host_written_bytes=unknown,
        media_written_bytes=unknown,
    )


def test_a_pause_every_three_seconds_changes_neither_size_nor_class() -> None:
    direct = (Level(100 * GB, 4 * GB), Level(300 * GB, 1.5 * GB), Level(600 * GB, 0.6 * GB))
    bandwidth = bandwidth_of(direct)
    pauses = [np.concatenate([part, np.zeros(3)]) for part in np.array_split(bandwidth, len(bandwidth) // 27)]
    series = series_of(noisy(np.concatenate(pauses), QUIET, 1))
    found = phases_of(series)
    assert isinstance(found.cache, Cache)
    assert found.cache.size_bytes == pytest.approx(100 * GB, rel=0.01)
    policy = policy_of(series, found, 10**12, None)
    assert isinstance(policy, Policy)
    assert policy.after is AfterCache.DIRECT_THEN_FOLD


@pytest.mark.parametrize(("at", "end"), [(100, 850), (248, 850), (1000, 250)], ids=["inside", "at its end", "after"])
def test_a_stall_of_a_minute_is_no_end_of_the_cache(at: int, end: int) -> None:
    series = series_of(noisy(np.insert(bandwidth_of(CLIFF), at, np.full(600, 0.02 * GB)), QUIET, 1))
    found = phases_of(series)
    assert isinstance(found.cache, Cache)
    assert found.cache.interval.low <= series.bytes_done[end - 1] <= found.cache.interval.high
    assert found.teeth == 0


def test_a_slump_that_may_be_a_stall_or_a_phase_leaves_both_ends_of_the_cache() -> None:
    levels = (Level(20 * GB, 4 * GB), Level(20 * GB, 0.5 * GB), Level(10 * GB, 4 * GB), Level(400 * GB, 1 * GB))
    found = phases(bandwidth_of(levels))
    assert reason(found) == "unknown-slump"
    assert isinstance(found.cache, Unknown)
    assert "20.0 GB" in str(found.cache.reason)
    assert "50.0 GB" in str(found.cache.reason)


def test_a_slump_at_the_end_of_the_cache_leaves_its_size_and_not_the_class() -> None:
    series = series_of(noisy(bandwidth_of((CLIFF[0], Level(30 * GB, 0.25 * GB), CLIFF[1])), QUIET, 1))
    found = phases_of(series)
    assert isinstance(found.cache, Cache)
    assert found.cache.interval.low <= 100 * GB <= 130 * GB <= found.cache.interval.high
    policy = policy_of(series, found, 10**12, None)
    assert isinstance(policy, Unknown)
    assert policy.reason.id == "unknown-phase-or-stall"


@pytest.mark.parametrize(
    "levels",
    [
        ((30, 4), (25, 0.25), (100, 1), (25, 0.25), (320, 1)),
        ((100, 4), (35, 0.25), (100, 1), (35, 0.25), (230, 1)),
        ((100, 4), (20, 0.28), (20, 0.1), (360, 1)),
        ((40, 4), (22, 0.25), (20, 0.12), (418, 1)),
    ],
)
def test_slumps_that_are_phases_or_stalls_leave_the_class_open(levels: tuple[tuple[float, float], ...]) -> None:
    """As phases they are several, as stalls one phase is left."""
    bandwidth = bandwidth_of([Level(length * GB, speed * GB) for length, speed in levels])
    series = series_of(noisy(bandwidth, QUIET, 1))
    capacity_bytes = int(series.bytes_done[-1])
    found = phases_of(series, capacity_bytes)
    assert isinstance(found.cache, Cache)
    for answer in (found.folding, found.direct, policy_of(series, found, capacity_bytes, None)):
        assert isinstance(answer, Unknown)
        assert answer.reason.id == "unknown-phase-or-stall"
        assert "one speed follows the cache" in str(answer.reason)
        assert "more than two speeds" in str(answer.reason)


def filled(*levels: tuple[float, float]) -> tuple[PassPhases, Policy | Unknown]:
    """Phases and class of a pass of these levels, in gigabytes and gigabytes per second."""
    series = series_of(noisy(bandwidth_of([Level(length * GB, speed * GB) for length, speed in levels]), QUIET, 1))
    found = phases_of(series, capacity_bytes := int(series.bytes_done[-1]))
    return found, policy_of(series, found, capacity_bytes, None)


@pytest.mark.parametrize(
    "levels",
    [((5, 12), (27, 2.1), (540, 1.5)), ((5, 8), (15, 0.5), (500, 1.5)), ((5, 12), (12, 0.6), (540, 0.9))],
    ids=["faster than the next", "lacks more than the cache held", "a cache of four windows"],
)
def test_a_short_level_right_behind_the_cache_may_be_a_stall_in_which_the_cache_ends(
    levels: tuple[tuple[float, float], ...],
) -> None:
    found, policy = filled(*levels)
    assert reason(found) == "unknown-end-in-stall"
    assert isinstance(found.cache, Unknown)
    assert "anywhere up to" in str(found.cache.reason)
    assert isinstance(policy, Unknown)


@pytest.mark.parametrize(
    ("levels", "after"),
    [
        (((5.4, 6.3), (3.4, 0.43), (57, 0.96)), AfterCache.FOLD_THEN_DIRECT),
        (((200, 12), (27, 2.1), (500, 1.5)), AfterCache.DIRECT_THEN_FOLD),
        (((5, 4), (56, 0.4), (900, 0.9)), AfterCache.FOLD_THEN_DIRECT),
    ],
    ids=["lacks as much as the cache held", "what follows is folded from the cache", "lasts for 140 s"],
)
def test_a_level_right_behind_the_cache_is_a_phase_if_the_cache_explains_it_or_it_lasts(
    levels: tuple[tuple[float, float], ...], after: AfterCache
) -> None:
    found, policy = filled(*levels)
    assert isinstance(found.cache, Cache)
    assert found.cache.size_bytes == pytest.approx(levels[0][0] * GB, rel=0.02)
    assert isinstance(policy, Policy)
    assert policy.after is after


def test_a_stall_in_the_level_behind_the_cache_leaves_size_and_class() -> None:
    """The speed is the same before and after it, however much slower than the cache."""
    found, policy = filled((33, 8.2), (36, 0.96), (3.6, 0.115), (436, 0.96))
    assert isinstance(found.cache, Cache)
    assert found.cache.interval.high < 34 * GB
    assert isinstance(policy, Policy)
    assert policy.after is AfterCache.DIRECT


@pytest.mark.parametrize(
    ("rest", "seen"),
    [
        (((200, 1), (12, 0.2), (300, 1)), "60 s at 200"),
        (((200, 1), (20, 0.5), (200, 1), (20, 0.4), (200, 1)), "90 s at 444"),
        (((500, 1), (12, 0.5)), "24 s at 500"),
    ],
    ids=["a stall", "two episodes", "the very end"],
)
def test_what_is_no_phase_but_slower_for_a_while_is_said(rest: tuple[tuple[float, float], ...], seen: str) -> None:
    found, _ = filled((100, 4), *rest)
    assert isinstance(found.folding, Unknown)
    assert found.folding.reason.id == "unknown-slower-for-a-while"
    assert seen in str(found.folding.reason)


def test_a_fall_after_a_slow_start_may_not_be_the_first() -> None:
    slow = (Level(9 * GB, 0.3 * GB), *CLIFF)
    assert reason(phases(bandwidth_of(slow))) == "unknown-fall-after-slow-start"


def test_a_higher_speed_later_is_no_sign_of_a_cache() -> None:
    """A drive that is held up for two minutes when its speed rises."""
    rising = (Level(96 * GB, 1 * GB), Level(30 * GB, 0.35 * GB), Level(400 * GB, 5 * GB))
    assert reason(phases(bandwidth_of(rising))) == "unknown-rhythm"


@pytest.mark.parametrize(("valley_bytes", "after"), [(150 * GB, AfterCache.SAWTOOTH)])
def test_a_speed_that_comes_back_once_after_a_phase_is_a_sawtooth(
    valley_bytes: float, after: AfterCache | None
) -> None:
    levels = (Level(100 * GB, 4 * GB), Level(valley_bytes, 1.5 * GB), Level(20 * GB, 4 * GB), Level(300 * GB, 1.5 * GB))
    series = series_of(noisy(bandwidth_of(levels), QUIET, 1))
    found = phases_of(series)
    assert found.teeth <= 1
    policy = policy_of(series, found, 10**12, None)
    assert (policy.after if isinstance(policy, Policy) else None) is after


def test_a_stall_at_either_end_of_a_level_does_not_count_in_its_speed() -> None:
    """Nor in the interval; a pause inside does."""
    still = np.zeros(300)
    bandwidth = noisy(bandwidth_of(CLIFF), QUIET, 1)
    cliff = int(CLIFF[0].seconds * 10)
    series = series_of(np.concatenate([still, bandwidth[:cliff], still, bandwidth[cliff:], still]))
    found = phases_of(series)
    assert isinstance(found.cache, Cache)
    assert isinstance(found.direct, Plateau)
    assert found.cache.plateau.bandwidth_bytes_per_s == pytest.approx(4 * GB, rel=0.01)
    assert found.direct.bandwidth_bytes_per_s == pytest.approx(1 * GB, rel=0.01)


def test_a_speed_that_falls_little_by_little_has_no_cache_and_says_from_where_to_where() -> None:
    ramp = np.concatenate([np.full(300, 6 * GB), np.linspace(6, 1, 2000) * GB, np.full(1000, 1 * GB)])
    for bandwidth in (ramp, np.linspace(6, 1, 3000) * GB, (1 + 5 * np.exp(-np.arange(3000) / 800)) * GB):
        assert reason(phases(bandwidth)) == "unknown-gradual-fall"


def test_a_fall_at_the_very_end_is_no_cache() -> None:
    late = (Level(994 * GB, 1.5 * GB), Level(6 * GB, 0.3 * GB))
    assert reason(phases(bandwidth_of(late), ORDINARY)) == "unknown-fall-at-end"
    found = phases(bandwidth_of(late))
    assert isinstance(found.cache, Unknown)
    assert "994 GB" in str(found.cache.reason)


def test_a_fall_after_most_of_the_drive_is_no_cache() -> None:
    series = series_of(bandwidth_of((Level(800 * GB, 2 * GB), Level(200 * GB, 1 * GB))))
    assert reason(phases_of(series, 10**12)) == "unknown-fall-late"


def test_a_fall_when_the_drive_throttles_is_heat() -> None:
    series = series_of(noisy(bandwidth_of(CLIFF), QUIET, 1))
    assert reason(phases_of(series, None, sensors_of(series, 78, 25))) == "unknown-fall-throttled"
    assert reason(phases_of(series, None, sensors_of(series, 78, 1e9))) == "unknown-fall-hot"
    assert isinstance(phases_of(series, None, sensors_of(series, 55, 1e9)).cache, Cache)


def test_more_than_two_speeds_after_the_cache_are_not_averaged() -> None:
    levels = (*CLIFF[:1], *(Level(200 * GB, speed * GB) for speed in (0.5, 1.2, 0.8)))
    series = series_of(noisy(bandwidth_of(levels), QUIET, 1))
    found = phases_of(series)
    assert isinstance(found.cache, Cache)
    for one in (found.folding, found.direct, policy_of(series, found, 10**12, None)):
        assert isinstance(one, Unknown)
        assert one.reason.id == "unknown-several-phases"


def test_what_noise_would_hide_is_not_denied() -> None:
    near = bandwidth_of((Level(24 * GB, 0.48 * GB), Level(976 * GB, 0.40 * GB)))
    assert reason(phases(near, Noise(0.25, correlation=0.98))) == "unknown-fall-hidden"


def test_a_level_of_two_windows_has_an_interval_from_the_noise_of_all() -> None:
    interval = level_interval(np.array([4.0, 4.2]), 4.1, WindowNoise(0.01, 0.5))
    assert interval is not None
    assert interval.low < 4.1 - 0.5
    assert level_interval(np.array([4.0, 4.2]), 4.1, None) is None


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_the_memory_of_the_noise_is_found_through_levels(correlation: float) -> None:
    levels = np.concatenate([np.full(3000, 4.0), np.full(9000, 1.0)])
    found = window_noise(np.log(noisy(levels, Noise(0.2, correlation=correlation), 1)))
    assert found.correlation == pytest.approx(correlation, abs=0.1)
    assert np.sqrt(found.variance) == pytest.approx(0.2, rel=0.15)


def test_the_variance_of_a_mean_is_that_of_the_means() -> None:
    noise = np.log(noisy(np.full(200_000, 1.0), Noise(0.2, correlation=0.9), 1))
    means = noise.reshape(-1, 50).mean(axis=1)
    assert WindowNoise(0.04, 0.9).variance_of_mean(50) == pytest.approx(float(means.var()), rel=0.1)
