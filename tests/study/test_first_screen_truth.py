"""What the first screen says of random drives is true: its numbers are those of the recorded windows, its words those of the drives."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.kit.quoted_numbers import numbers_in, numbers_of
from tests.study.passed import Study, runs_whole
from tests.study.random_drives import RandomDrive, random_drive

from ssdlab.analysis.infer.policy import AfterCache
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import (
    BANDWIDTH_MEAN,
    BANDWIDTH_P1,
    CACHE_BANDWIDTH,
    CACHE_BYTES,
    DIRECT_BANDWIDTH,
    FOLDING_BANDWIDTH,
    Quantity,
)
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.cli.display import display_for
from ssdlab.engine.result import Direction, Series
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.lab.step import RawLogs
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.report.first_screen.screen import FirstScreen, first_screen
from ssdlab.report.suite_numbers import fill_points

pytestmark = pytest.mark.timeout(
    1800
)  # all drives are run before the first test, and a busy machine takes ten times as long
WHOLE, FEW = range(610, 660), range(610, 620)
NUMBERS = WHOLE if runs_whole(Study.FIRST_SCREENS) else FEW
"""Nothing was made looking at these."""
TOLERANCE = 0.05
"""Share by which a size may be off where its interval does not hold the truth, as in the study of the analysis."""
_FOLDS = {
    AfterCache.DIRECT_THEN_FOLD,
    AfterCache.FOLD_THEN_DIRECT,
    AfterCache.SAWTOOTH,
    AfterCache.WHOLE_DRIVE,
    AfterCache.CACHE_ONLY,
}


@dataclass(frozen=True, slots=True, eq=False)
class Filled:
    """A drive, its run and what a page says of it first."""

    drive: RandomDrive
    bundle: Bundle
    screen: FirstScreen

    @property
    def words(self) -> str:
        """The verdict."""
        return " ".join(str(sentence) for sentence in self.screen.verdict)

    def metric(self, quantity: Quantity) -> Metric:
        """Of the first pass."""
        wanted = MetricKey(fill_points(self.bundle)[0], quantity)
        return next(metric for metric in self.bundle.metrics if metric.key == wanted)

    @property
    def series(self) -> Series:
        """The windows of the first pass."""
        step = next(step for step in self.bundle.finished() if step.point == fill_points(self.bundle)[0])
        return self.bundle.series(step, Direction.WRITE)

    def between(self, begin_bytes: float, end_bytes: float) -> NDArray[np.float64]:
        """The speeds of the windows that lie wholly between two places."""
        done = self.series.bytes_done
        inside = (done - self.series.bandwidth_bytes_per_s * self.series.duration_ns / 1e9 >= begin_bytes) & (
            done <= end_bytes
        )
        return self.series.bandwidth_bytes_per_s[inside]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Filled]:
    directory = tmp_path_factory.mktemp("drives")
    drives = [random_drive(number) for number in NUMBERS]
    bundles = [run(drive, directory) for drive in drives]
    return [Filled(drive, bundle, first_screen([bundle])) for drive, bundle in zip(drives, bundles, strict=True)]


def run(drive: RandomDrive, directory: Path) -> Bundle:
    """The suite `fill`, at its full length in virtual time."""
    specification = directory / f"random-{drive.number}.toml"
    specification.write_text(drive.text)
    with open_bench(f"model:{specification}", None) as bench:
        plan = expand(load_suite("fill"), "standard", bench.drive.identity, seed=1)
        with display_for(io.StringIO()) as display:
            bundle = execute(plan, bench, directory / "lab", display, RawLogs.DROP)
        return open_bundle(bundle.path)


def test_what_was_found_can_be_read_again(filled: Sequence[Filled]) -> None:
    assert [one.bundle.faults for one in filled] == [()] * len(NUMBERS)


def test_every_number_is_one_of_the_metrics(filled: Sequence[Filled]) -> None:
    for one in filled:
        assert one.screen.verdict
        assert numbers_in(one.words) <= numbers_of(one.bundle.metrics), one.words


def test_tiles_are_the_metrics(filled: Sequence[Filled]) -> None:
    for one in filled:
        known = {metric.name: metric for metric in one.bundle.metrics}
        assert one.screen.tiles
        for tile in one.screen.tiles:
            metric = known[tile.metric.name]
            assert (tile.metric.value, tile.metric.low, tile.metric.high) == (metric.value, metric.low, metric.high)


def test_a_cache_is_told_where_there_is_one_and_as_large_as_it_is(filled: Sequence[Filled]) -> None:
    for one in filled:
        cache = one.metric(CACHE_BYTES)
        if isinstance(cache.value, int | float):
            assert "within an SLC cache of" in one.words
            assert cache.value == pytest.approx(one.drive.largest_cache_bytes, rel=TOLERANCE), one.words
        else:
            assert one.drive.largest_cache_bytes == 0, one.words
            assert "no cache found: " in one.words


def test_folding_is_told_only_of_drives_that_fold(filled: Sequence[Filled]) -> None:
    for one in filled:
        assert "while folding" not in one.words or one.drive.after in _FOLDS, one.words


def holds(metric: Metric, truth: float, tolerance: float = TOLERANCE) -> bool:
    """Whether a speed is what it is, by its interval or to within a share of it."""
    assert isinstance(metric.value, int | float)
    in_interval = metric.low is not None and metric.high is not None and metric.low <= truth <= metric.high
    return in_interval or abs(metric.value / truth - 1) <= tolerance


def test_the_mean_and_the_slowest_of_the_pass_are_those_of_its_windows(filled: Sequence[Filled]) -> None:
    for one in filled:
        series, slowest = one.series, one.metric(BANDWIDTH_P1).value
        assert holds(one.metric(BANDWIDTH_MEAN), series.bytes_done[-1] * 1e9 / series.time_ns[-1], 0.01), one.words
        assert isinstance(slowest, float)
        rates = series.bandwidth_bytes_per_s
        # To within one window: the last may be too short to count.
        assert np.sum(rates < slowest) <= len(rates) / 100 + 1, one.words
        assert np.sum(rates <= slowest) >= len(rates) / 100 - 1, one.words


def test_the_speed_within_the_cache_is_that_of_the_windows_before_its_true_end(filled: Sequence[Filled]) -> None:
    told = 0
    for one in filled:
        speed = one.metric(CACHE_BANDWIDTH)
        if not isinstance(speed.value, int | float):
            continue
        windows = one.between(0.02 * one.drive.largest_cache_bytes, 0.95 * one.drive.largest_cache_bytes)
        if len(windows) >= 3:
            told += 1
            assert holds(speed, float(np.mean(windows))), (one.drive.number, one.words)
    assert told >= len(filled) / 3


def test_a_speed_past_the_cache_is_one_that_the_drive_has_there(filled: Sequence[Filled]) -> None:
    told = 0
    for one in filled:
        past = one.between(1.05 * one.drive.largest_cache_bytes, one.drive.capacity_bytes)
        for quantity in (FOLDING_BANDWIDTH, DIRECT_BANDWIDTH):
            value = one.metric(quantity).value
            if isinstance(value, int | float) and one.drive.largest_cache_bytes:
                told += 1
                low, high = np.percentile(past, [1, 99])
                assert low * (1 - TOLERANCE) <= value <= high * (1 + TOLERANCE), (one.drive.number, one.words)
    assert told >= len(filled) / 2


def test_folding_comes_before_or_after_direct_writes_as_on_the_drive(filled: Sequence[Filled]) -> None:
    order: dict[AfterCache | None, list[str]] = {
        AfterCache.FOLD_THEN_DIRECT: ["folding", "directly"],
        AfterCache.DIRECT_THEN_FOLD: ["directly", "folding"],
    }
    for one in filled:
        said = re.findall(r"while (folding)|writing (directly)", one.words)
        if len(said) == 2:
            assert ["".join(words) for words in said] == order.get(one.drive.after), (one.drive.number, one.words)


def test_a_pass_is_called_level_only_if_each_tenth_of_it_is_as_fast_as_the_whole(filled: Sequence[Filled]) -> None:
    for one in filled:
        if "level at" in one.words:
            speeds = one.series.bandwidth_bytes_per_s[:-1]
            tenths = np.array([part.mean() for part in np.array_split(speeds, 10)])
            assert np.all(np.abs(tenths / speeds.mean() - 1) < 0.1), (one.drive.number, one.words)


def test_the_place_of_each_cache_holds_its_true_place(filled: Sequence[Filled]) -> None:
    with_cache = [one for one in filled if one.drive.largest_cache_bytes]
    for one in with_cache:
        bundles = [one.bundle, *(other.bundle for other in with_cache if other is not one)]
        tile = next(tile for tile in first_screen(bundles).tiles if tile.metric.name.endswith("pass1.cache_bytes"))
        assert tile.place is not None
        larger = sum(other.drive.largest_cache_bytes > one.drive.largest_cache_bytes for other in with_cache)
        assert tile.place.places.first <= larger + 1 <= tile.place.places.last, tile.place


def test_beside_other_drives_numbers_stay_those_of_the_drive_under_test(filled: Sequence[Filled]) -> None:
    for one in filled:
        screen = first_screen([one.bundle, *(other.bundle for other in filled if other is not one)])
        known = {metric.name: metric for metric in one.bundle.metrics}
        assert numbers_in(" ".join(map(str, screen.verdict))) <= numbers_of(one.bundle.metrics)
        for tile in screen.tiles:
            metric = known[tile.metric.name]
            assert (tile.metric.value, tile.metric.low, tile.metric.high) == (metric.value, metric.low, metric.high)


def test_every_place_is_the_one_that_the_intervals_allow(filled: Sequence[Filled]) -> None:
    """A drive is behind another only where both intervals lie apart, and tied with all others that are not behind it."""
    told = 0
    for one in filled:
        others = [other for other in filled if other is not one]
        for tile in first_screen([one.bundle, *(other.bundle for other in others)]).tiles:
            if tile.place is None:
                continue
            told += 1
            own, *rest = (ends_of(drive.bundle, tile.metric.name) for drive in (one, *others))
            ahead = sum(low > own[1] for low, _ in rest)
            behind = sum(high < own[0] for _, high in rest)
            assert (tile.place.places.first, tile.place.places.last) == (ahead + 1, len(filled) - behind), tile
    assert told > len(filled)


def ends_of(bundle: Bundle, name: str) -> tuple[float, float]:
    """The interval of a metric; of one without any, 1.5 % to either side."""
    (metric,) = [metric for metric in bundle.metrics if metric.name == name]
    assert isinstance(metric.value, int | float)
    if metric.low is None or metric.high is None:
        return metric.value * 0.985, metric.value * 1.015
    return metric.low, metric.high
