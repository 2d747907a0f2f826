"""Plateaus and cliffs are recovered from series whose truth is known, and never invented."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kit.synthetic_fill import (
    IN_FLIGHT_BYTES,
    LOUD,
    ORDINARY,
    QUIET,
    Floats,
    Level,
    Noise,
    bandwidth_of,
    noisy,
    series_of,
    truth_of,
)

from ssdlab.analysis.infer.plateau import Plateau, change_between, levels_of, plateaus_of
from ssdlab.analysis.statistics.changepoint import noise_variance, segments_of
from ssdlab.engine.result import Series

GB = 1e9
GIB_S = 1024**3
SEEDS = range(6)

SHAPES = {
    "fold, then direct (PM9E1, first pass)": (
        Level(250 * GB, 11.9 * GIB_S),
        Level(406 * GB, 1.17 * GIB_S),
        Level(344 * GB, 1.46 * GIB_S),
    ),
    "direct, then fold (Atom 50)": (Level(280 * GB, 4.5 * GB), Level(220 * GB, 2 * GB), Level(500 * GB, 0.5 * GB)),
    "small static cache (970 EVO)": (Level(22 * GB, 2.5 * GB), Level(478 * GB, 0.6 * GB)),
    "shallow cliff (870 EVO)": (Level(24 * GB, 0.48 * GB), Level(976 * GB, 0.40 * GB)),
    "whole free space as cache (SN580)": (Level(341 * GB, 4 * GB), Level(659 * GB, 0.45 * GB)),
    "cells that cannot be written directly (600p)": (Level(16 * GB, 0.5 * GB), Level(112 * GB, 0.03 * GB)),
    "20 windows of cache, then 250": (Level(8 * GB, 4 * GB), Level(25 * GB, 1 * GB)),
    "200 windows of cache, then 5400": (Level(60 * GB, 3 * GB), Level(324 * GB, 0.6 * GB)),
    "slow start (P44 Pro)": (Level(16 * GB, 1 * GB), Level(273 * GB, 5 * GB), Level(700 * GB, 1.2 * GB)),
}


def recovered(levels: Sequence[Level], series: Series, tolerance: float) -> bool:
    """Whether all levels are found, and every change of level in bytes."""
    steady, plateaus = levels_of(series)
    if len(plateaus) != len(levels):
        return False
    changes_bytes, means = truth_of(levels, series)
    cliffs = [change_between(steady, left, right) for left, right in pairwise(plateaus)]
    found_bytes = np.array([cliff.done_bytes for cliff in cliffs])
    found_means = np.array([plateau.bandwidth_bytes_per_s for plateau in plateaus])
    return bool(
        np.all(np.abs(found_bytes / changes_bytes[:-1] - 1) < tolerance)
        and np.all(np.abs(found_means / means - 1) < tolerance)
    )


def spans(plateaus: Sequence[Plateau]) -> list[tuple[int, int]]:
    return [(plateau.start, plateau.end) for plateau in plateaus]


@pytest.mark.parametrize("noise", [QUIET, ORDINARY, LOUD], ids=["2 %", "10 %", "25 %"])
@pytest.mark.parametrize("name", SHAPES)
def test_real_shapes_are_recovered_within_five_per_cent(name: str, noise: Noise) -> None:
    levels = SHAPES[name]
    runs = [series_of(noisy(bandwidth_of(levels), noise, seed)) for seed in SEEDS]
    found = sum(recovered(levels, series, 0.05) for series in runs)
    assert found >= (len(SEEDS) if noise is not LOUD else len(SEEDS) - 1)


def test_a_cache_of_six_windows_before_five_thousand_is_found() -> None:
    levels = (Level(8 * GB, 11.9 * GIB_S), Level(992 * GB, 1.66 * GIB_S))
    assert all(recovered(levels, series_of(noisy(bandwidth_of(levels), QUIET, seed)), 0.05) for seed in SEEDS)


@pytest.mark.parametrize("noise", [QUIET, ORDINARY, LOUD, Noise(0.10, 0.005, correlation=0.7)], ids=str)
@pytest.mark.parametrize("windows", [60, 300, 6000])
def test_a_flat_drive_has_one_plateau(noise: Noise, windows: int) -> None:
    flat = np.full(windows, 1.353 * GB)
    false = sum(len(plateaus_of(series_of(noisy(flat, noise, seed)))) > 1 for seed in range(20))
    assert false == 0


def test_a_cliff_inside_a_window_is_found_to_a_fraction_of_it() -> None:
    levels = (Level(10.07 * GB, 5 * GB), Level(90 * GB, 1 * GB))
    series = series_of(bandwidth_of(levels))
    steady, (first, second) = levels_of(series)
    cliff = change_between(steady, first, second)
    window_bytes = 5 * GB * 0.1
    assert cliff.done_bytes == pytest.approx(10.07 * GB, abs=0.02 * window_bytes)
    assert cliff.low_bytes <= cliff.done_bytes - IN_FLIGHT_BYTES
    assert cliff.high_bytes >= cliff.done_bytes + IN_FLIGHT_BYTES
    assert cliff.high_bytes - cliff.low_bytes < 0.5 * window_bytes


@pytest.mark.parametrize("correlation", [0.0, 0.9])
def test_the_interval_of_a_cliff_inside_a_window_is_as_wide_as_the_cliff_is_uncertain(correlation: float) -> None:
    held, apart, widths = 0, [], []
    for seed in range(60):
        levels = (Level((10 + seed / 30) * GB, 5 * GB), Level(200 * GB, 1 * GB))
        series = series_of(noisy(bandwidth_of(levels), Noise(0.15, correlation=correlation), seed), latency_scale=0.01)
        steady, found = levels_of(series)
        cliff = change_between(steady, found[0], found[1])
        window, share = divmod(levels[0].seconds, 0.1)
        fast, slow = share * 5, (0.1 - share) * 1
        done = np.append(0.0, series.bytes_done)[int(window) : int(window) + 2]
        truth = done[0] + (done[1] - done[0]) * fast / (fast + slow)
        held += bool(cliff.low_bytes <= truth <= cliff.high_bytes)
        apart.append(cliff.done_bytes - truth)
        widths.append(cliff.high_bytes - cliff.low_bytes)
    assert held >= 54
    assert float(np.median(widths)) <= 8 * float(np.std(apart))


def test_a_fall_over_several_windows_is_as_uncertain_as_it_is_long() -> None:
    falling = np.concatenate([np.full(300, 5 * GB), [4 * GB, 3 * GB, 2 * GB], np.full(2000, 1 * GB)])
    series = series_of(noisy(falling, QUIET, 1))
    steady, found = levels_of(series)
    cliff = change_between(steady, found[0], found[1])
    assert cliff.low_bytes <= series.bytes_done[299]
    assert cliff.high_bytes >= series.bytes_done[302]


def test_a_dip_beside_a_cliff_makes_it_uncertain_by_a_window() -> None:
    levels = bandwidth_of((Level(10 * GB, 5 * GB), Level(200 * GB, 1 * GB)))
    levels[17:19] = 0
    steady, found = levels_of(series_of(noisy(levels, QUIET, 1)))
    cliff = change_between(steady, found[0], found[1])
    assert cliff.high_bytes - cliff.low_bytes >= 2 * 5 * GB * 0.09


def test_the_interval_of_a_cliff_holds_the_truth_nine_times_in_ten() -> None:
    levels = (Level(20 * GB, 1.3 * GB), Level(200 * GB, 1 * GB))
    held = 0
    for seed in range(40):
        series = series_of(noisy(bandwidth_of(levels), ORDINARY, seed))
        steady, (first, second) = levels_of(series)
        cliff = change_between(steady, first, second)
        held += cliff.low_bytes <= truth_of(levels, series)[0][0] <= cliff.high_bytes
    assert held >= 36


def test_a_ramp_of_the_first_seconds_is_no_plateau() -> None:
    steady = np.full(600, 2 * GB)
    steady[:12] = np.linspace(0.1, 1.0, 12) * GB
    plateaus = plateaus_of(series_of(noisy(steady, QUIET, 1)))
    assert len(plateaus) == 1
    assert plateaus[0].bandwidth_bytes_per_s == pytest.approx(2 * GB, rel=0.02)


def test_dips_are_part_of_the_plateau_they_interrupt() -> None:
    levels = bandwidth_of((Level(60 * GB, 3 * GB), Level(300 * GB, 0.6 * GB)))
    for start in (50, 120, 1000, 3000):
        levels[start : start + 5] *= 0.05
    plateaus = plateaus_of(series_of(noisy(levels, QUIET, 3)))
    assert spans(plateaus) == [(0, 200), (200, len(levels))]


TEETH = np.tile([2.1 * GB] * 8 + [0.9 * GB] * 16, 250)


def test_a_sawtooth_after_the_cache_is_one_plateau_with_its_mean() -> None:
    plateaus = plateaus_of(series_of(noisy(np.concatenate([np.full(750, 2.2 * GB), TEETH]), QUIET, 5)))
    assert len(plateaus) == 2
    assert plateaus[0].end == pytest.approx(750, abs=8)
    assert plateaus[1].bandwidth_bytes_per_s == pytest.approx(1.3 * GB, rel=0.03)


def test_a_sawtooth_from_the_first_byte_is_no_cache() -> None:
    assert len(plateaus_of(series_of(noisy(TEETH, QUIET, 5)))) == 1


def test_an_episode_in_the_middle_is_no_phase() -> None:
    throttled = np.full(6000, 2.0 * GB)
    throttled[2500:2900] *= 0.6
    assert spans(plateaus_of(series_of(noisy(throttled, ORDINARY, 1)))) == [(0, 6000)]


def test_a_drive_that_slows_down_gradually_has_no_cliff() -> None:
    drifting = np.linspace(1.0, 0.6, 6000) * GB
    assert len(plateaus_of(series_of(noisy(drifting, ORDINARY, 2)))) == 1


def test_a_short_last_window_is_no_plateau() -> None:
    levels = bandwidth_of((Level(60 * GB, 3 * GB), Level(300 * GB, 0.6 * GB)))
    levels[-1] *= 0.01
    assert len(plateaus_of(series_of(levels))) == 2


def test_a_standstill_does_not_break_the_logarithm() -> None:
    levels = np.full(300, 1 * GB)
    levels[100:103] = 0
    plateaus = plateaus_of(series_of(levels))
    assert spans(plateaus) == [(0, 300)]


@pytest.mark.parametrize("windows", range(8))
def test_very_short_series_are_one_plateau_or_none(windows: int) -> None:
    assert len(plateaus_of(series_of(np.full(windows, 1 * GB)))) == min(windows, 1)


@given(
    st.lists(st.floats(1e6, 1e10), min_size=0, max_size=300).map(np.array),
)
@settings(max_examples=60)
def test_segments_cover_any_series_without_gap_or_overlap(values: Floats) -> None:
    segments = segments_of(np.log(values)) if len(values) else segments_of(values)
    assert segments[0].start == 0
    assert segments[-1].end == len(values)
    assert all(left.end == right.start for left, right in pairwise(segments))
    assert len(segments) == 1 or min(segment.length for segment in segments) >= 3


@given(st.floats(1e-4, 1e4), st.integers(0, 5))
@settings(max_examples=30)
def test_faster_drives_of_the_same_shape_have_the_same_plateaus(scale: float, seed: int) -> None:
    bandwidth = noisy(bandwidth_of(SHAPES["20 windows of cache, then 250"]), ORDINARY, seed)
    slow, fast = plateaus_of(series_of(bandwidth)), plateaus_of(series_of(bandwidth * scale))
    assert spans(slow) == spans(fast)
    for before, after in zip(slow, fast, strict=True):
        assert after.bandwidth_bytes_per_s == pytest.approx(before.bandwidth_bytes_per_s * scale)


def test_noise_is_measured_without_the_levels_and_outliers() -> None:
    levels = SHAPES["200 windows of cache, then 5400"]
    sigmas = [np.sqrt(noise_variance(np.log(noisy(bandwidth_of(levels), Noise(0.1, 0.02), seed)))) for seed in SEEDS]
    assert min(sigmas) > 0.1
    assert max(sigmas) < 0.15


def test_correlated_noise_counts_for_more_than_it_shows_between_neighbours() -> None:
    white = np.log(noisy(np.full(6000, GB), Noise(0.1), 1))
    correlated = np.log(noisy(np.full(6000, GB), Noise(0.1, correlation=0.8), 1))
    assert noise_variance(correlated) > 4 * noise_variance(white)
