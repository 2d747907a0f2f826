"""The numbers on the first screen of whole runs are those of what was recorded: worked out here from windows and counts alone."""

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.kit.five_drives import FIVE, shared_run
from tests.kit.recorded_truths import truth_of
from tests.kit.sample_bundle import series_of
from tests.kit.sustained_truths import flatness
from tests.kit.told_values import wrong_in

from ssdlab.analysis.metrics.sustain import Seconds, seconds_of
from ssdlab.bundle.read import Bundle
from ssdlab.report.first_screen.screen import first_screen
from ssdlab.units import MIB, NS_PER_MS, NS_PER_S


def faults(bundle: Bundle) -> Iterator[str]:
    """Tiles whose number is not that of what was recorded, or is not the one that they show."""
    known = {metric.name: metric for metric in bundle.metrics}
    for tile in first_screen([bundle]).tiles:
        name = tile.metric.name
        yield from wrong_in(str(tile.metric.inline), known[name])
        truth, value = truth_of(bundle, name), known[name].value
        if truth is not None and not (isinstance(value, int | float) and truth[0] <= value <= truth[1]):
            yield f"{tile.label}: {value}, recorded was {truth}"


@pytest.mark.parametrize("name", FIVE)
def test_the_tiles_of_a_client_run_are_those_of_its_windows_and_counts(name: str) -> None:
    bundle = shared_run(name)
    told = {tile.metric.name for tile in first_screen([bundle]).tiles}
    assert len([name for name in told if truth_of(bundle, name) is not None]) >= 3
    assert list(faults(bundle)) == []


def test_the_tiles_of_an_enterprise_run_are_those_of_its_windows_and_counts() -> None:
    bundle = shared_run(FIVE[0], "enterprise")
    told = {tile.metric.name for tile in first_screen([bundle]).tiles}
    assert len([name for name in told if truth_of(bundle, name) is not None]) >= 4
    assert list(faults(bundle)) == []


def drawn_speeds(number: int) -> NDArray[np.float64]:
    """Tenths of a second of a pass with noise, and some with a drift, a fall, or moments of silence."""
    random = np.random.default_rng([2036, number])
    seconds = int(random.integers(6, 400))
    speeds = 2000 * MIB * np.exp(random.normal(0, random.choice([0.0, 0.01, 0.06]), 10 * seconds))
    kind = number % 4
    if kind == 1:
        speeds *= np.linspace(1, random.uniform(0.8, 1.2), len(speeds))
    if kind == 2:
        speeds[int(random.uniform(0.1, 0.9) * len(speeds)) :] *= random.uniform(0.1, 0.9)
    if kind == 3:
        speeds[random.choice(len(speeds), int(random.integers(1, 30)))] = 0.0
    return speeds


def test_a_sustained_pass_is_flat_only_if_its_seconds_are_and_its_worst_second_is_one_of_them() -> None:
    said = []
    for number in range(50):
        speeds = drawn_speeds(number)
        found = seconds_of(series_of(speeds, speeds, speeds))
        assert isinstance(found, Seconds)
        seconds = speeds.reshape(-1, 10).sum(axis=1) * 100 * NS_PER_MS / NS_PER_S
        near, moved = flatness(seconds)
        assert found.bandwidth.min() == pytest.approx(seconds.min(), abs=1)
        assert found.median == pytest.approx(np.median(seconds), rel=1e-9)
        assert found.is_flat is (near >= 0.99 and moved <= 0.05), (number, near, moved)
        said.append(found.is_flat)
    assert 5 < sum(said) < 45
