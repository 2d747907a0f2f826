"""A speed that wanders from window to window is told from runs that begin anywhere on the drive's windows."""

from math import hypot

import numpy as np
import pytest
from numpy.typing import NDArray

from ssdlab.twin.draft import Draft, as_time
from ssdlab.twin.drift import clock_of, drifting, in_own_time
from ssdlab.twin.wander import STEADY, Wander, wander_of_windows, wandering

Floats = NDArray[np.float64]
WINDOWS = 50


def windows(sigma: float, correlation: float, random: np.random.Generator) -> Floats:
    """Of one run: each is a part of one window of the drive and the rest of the next."""
    wave = random.normal(size=WINDOWS + 1)
    for place in range(1, len(wave)):
        wave[place] = correlation * wave[place - 1] + np.sqrt(1 - correlation**2) * wave[place]
    speed = 20_000 * np.exp(sigma * wave)
    first = random.uniform()
    mixed: Floats = first * speed[:-1] + (1 - first) * speed[1:]
    return mixed


def runs(sigma: float, correlation: float, seed: int, count: int = 40) -> list[Floats]:
    random = np.random.default_rng(seed)
    return [windows(sigma, correlation, random) for _ in range(count)]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("sigma", "correlation"), [(0.03, 0.0), (0.07, 0.3), (0.1, 0.65), (0.2, 0.5)])
def test_a_speed_that_wanders_is_told_as_it_is(sigma: float, correlation: float, seed: int) -> None:
    found = wander_of_windows(runs(sigma, correlation, seed))
    assert found.sigma == pytest.approx(sigma, rel=0.15)
    assert found.correlation == pytest.approx(correlation, abs=0.2)


def test_dips_are_no_part_of_it() -> None:
    dipping = runs(0.1, 0.0, 1)
    for one in dipping:
        one[7::20] *= 0.1
    assert wander_of_windows(dipping).sigma == pytest.approx(0.1, rel=0.15)


def test_windows_in_which_nothing_was_done_are_no_part_of_it_either() -> None:
    stalling = runs(0.1, 0.0, 1)
    for one in stalling:
        one[7::20] = 0
    assert wander_of_windows(stalling).sigma == pytest.approx(0.1, rel=0.15)


def test_where_some_points_are_even_the_scatter_of_the_others_is_their_own() -> None:
    assert wander_of_windows([*runs(0.2, 0.5, 1, 30), *runs(0.002, 0.0, 2, 10)]) == STEADY


def test_few_points_tell_nothing() -> None:
    assert wander_of_windows(runs(0.2, 0.5, 1, 7)) == STEADY


def draft(noise: float) -> Draft:
    return Draft("twin", "", {"timing": {"command": as_time(1000)}, "noise": {"sigma": noise}})


def test_what_windows_scatter_is_no_noise_of_commands_any_more() -> None:
    twin = wandering(draft(0.13), Wander(0.05, 0.4))
    assert hypot(twin.number("noise", "sigma"), 0.05) == pytest.approx(0.13)
    assert (twin.number("pace", "sigma"), twin.number("pace", "correlation")) == (0.05, 0.4)


def test_noise_is_never_less_than_none() -> None:
    assert wandering(draft(0.03), Wander(0.05, 0.0)).number("noise", "sigma") == 0


def test_a_steady_speed_changes_nothing() -> None:
    assert wandering(draft(0.13), STEADY) == draft(0.13)


def test_a_drive_that_drifts_wanders_without_its_drift_too() -> None:
    twin = wandering(drifting(draft(0.1), 0.5), Wander(0.05, 0.4))
    assert clock_of(twin).lost == 0.5
    even = in_own_time(twin)
    assert clock_of(even).lost == 0
    assert even.number("pace", "sigma") == 0.05
