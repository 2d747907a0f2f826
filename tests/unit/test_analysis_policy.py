"""What follows the SLC cache is named by order and pattern of the speeds."""

import numpy as np
import pytest
from tests.kit.synthetic_fill import ORDINARY, QUIET, Level, Noise, bandwidth_of, noisy, series_of

from ssdlab.analysis.infer.phases import phases_of
from ssdlab.analysis.infer.plateau import Plateau
from ssdlab.analysis.infer.policy import AfterCache, Policy, named_by, policy_of
from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.result import Series
from ssdlab.message import message
from ssdlab.unknown import Unknown

GB = 1e9
TB = 10**12

FILLS = {
    "Atom 50: direct until the free flash is gone": (
        AfterCache.DIRECT_THEN_FOLD,
        (Level(280 * GB, 4.5 * GB), Level(220 * GB, 2 * GB), Level(500 * GB, 0.5 * GB)),
    ),
    "PM9E1: folds first": (
        AfterCache.FOLD_THEN_DIRECT,
        (Level(250 * GB, 12.8 * GB), Level(406 * GB, 1.26 * GB), Level(344 * GB, 1.57 * GB)),
    ),
    "970 EVO: small cache": (AfterCache.DIRECT, (Level(22 * GB, 2.5 * GB), Level(978 * GB, 0.6 * GB))),
    "SN580: all free flash": (AfterCache.WHOLE_DRIVE, (Level(341 * GB, 4 * GB), Level(659 * GB, 0.45 * GB))),
    "a short way from direct to folding is no phase": (
        AfterCache.WHOLE_DRIVE,
        (Level(280 * GB, 4 * GB), Level(15 * GB, 0.9 * GB), Level(705 * GB, 0.5 * GB)),
    ),
    "KC2000: goes back to the cache": (
        AfterCache.SAWTOOTH,
        (Level(150 * GB, 2.2 * GB), *(Level(100 * GB, 0.8 * GB), Level(40 * GB, 2.2 * GB)) * 6),
    ),
}


def series(levels: tuple[Level, ...], noise: Noise, seed: int = 1) -> Series:
    return series_of(noisy(bandwidth_of(levels), noise, seed))


def policy(run: Series, reclaim: Interval | None = None) -> Policy | Unknown:
    return policy_of(run, phases_of(run), TB, reclaim)


@pytest.mark.parametrize("noise", [QUIET, ORDINARY], ids=["quiet", "ordinary"])
@pytest.mark.parametrize("name", FILLS)
def test_published_drives_get_their_class(name: str, noise: Noise) -> None:
    after, levels = FILLS[name]
    for seed in range(3):
        found = policy(series(levels, noise, seed))
        assert isinstance(found, Policy)
        assert found.after is after


SMALL = (Level(16 * GB, 0.5 * GB), Level(984 * GB, 0.1 * GB))


def test_what_comes_back_faster_in_silence_than_it_is_written_goes_through_the_cache() -> None:
    found = policy(series(SMALL, QUIET), Interval(0.12 * GB, 0.13 * GB))
    assert isinstance(found, Policy)
    assert found.after is AfterCache.CACHE_ONLY


def test_what_comes_back_no_faster_is_written_directly() -> None:
    found = policy(series(SMALL, QUIET), Interval(0.09 * GB, 0.1 * GB))
    assert isinstance(found, Policy)
    assert found.after is AfterCache.DIRECT


def test_without_a_ladder_the_finding_says_what_it_cannot_tell() -> None:
    found = policy(series(SMALL, QUIET))
    assert isinstance(found, Policy)
    assert "class F would look the same without a reclaim ladder" in str(found.finding)


def test_a_drive_without_a_cache_has_no_class() -> None:
    assert isinstance(policy(series((Level(800 * GB, 1.353 * GB),), ORDINARY)), Unknown)


def test_single_fast_windows_are_no_return_to_the_cache() -> None:
    bandwidth = noisy(bandwidth_of(FILLS["970 EVO: small cache"][1]), QUIET, 1)
    bandwidth[500::400] = 2.5 * GB
    found = policy(series_of(bandwidth))
    assert isinstance(found, Policy)
    assert found.after is AfterCache.DIRECT


def test_where_nothing_is_written_directly_all_that_follows_is_folding() -> None:
    run = series(FILLS["SN580: all free flash"][1], QUIET)
    named = named_by(AfterCache.WHOLE_DRIVE, run, phases_of(run))
    assert isinstance(named.folding, Plateau)
    assert named.folding.bandwidth_bytes_per_s == pytest.approx(0.45 * GB, rel=0.01)
    assert named.direct == Unknown(message("unknown-as-fast-as-folding"))


def test_other_classes_keep_the_names_of_their_phases() -> None:
    run = series(FILLS["PM9E1: folds first"][1], QUIET)
    phases = phases_of(run)
    assert named_by(AfterCache.FOLD_THEN_DIRECT, run, phases) == phases
    assert named_by(None, run, phases) == phases


def test_a_rhythm_of_the_drive_does_not_hide_a_small_cache() -> None:
    rhythm = np.tile(np.repeat([0.18 * GB, 0.045 * GB], [6, 14]), 170)
    phases = phases_of(series_of(noisy(np.concatenate([np.full(25, 0.36 * GB), rhythm]), ORDINARY, 1)))
    assert not isinstance(phases.cache, Unknown)
    assert phases.cache.size_bytes == pytest.approx(0.9 * GB, rel=0.1)


def test_a_fall_over_two_seconds_is_a_fall_and_no_drift() -> None:
    fall = np.concatenate([np.full(62, 307e6), np.geomspace(220e6, 150e6, 14), np.full(60, 90e6), np.full(4000, 119e6)])
    phases = phases_of(series_of(noisy(fall, ORDINARY, 1)))
    assert not isinstance(phases.cache, Unknown)
    assert phases.cache.interval.low <= 62 * 30.7e6 + 14 * 10e6
    assert phases.cache.size_bytes == pytest.approx(62 * 30.7e6, rel=0.1)
