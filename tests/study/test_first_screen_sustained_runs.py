"""Sustained writes on random drives: each number and word of their first screens is that of the recorded windows and of the drive."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.kit.drawn_screens import by_name, is_known
from tests.kit.first_screen_claims import Known, wrong_on
from tests.kit.sustain_claims import SUSTAINED
from tests.kit.sustained_truths import PassTruth, median, pass_truth
from tests.study.passed import Study, runs_whole
from tests.study.random_drives import Evenness, RandomDrive, random_drive
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.engine.result import Direction
from ssdlab.report.first_screen.screen import FirstScreen, first_screen
from ssdlab.units import MB

pytestmark = pytest.mark.timeout(1800)
WHOLE, FEW = range(800, 850), range(800, 812)
NUMBERS = WHOLE if runs_whole(Study.FIRST_SCREENS) else FEW
"""Nothing was made looking at these. In turn without a cache and with each that there is, every second one uneven."""
NEED_MB_PER_S = 600
SHARE = 0.05
"""By which the size of a cache may be off where its interval does not hold it, as in the study of the analysis."""


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """A drive, its run, what a page says first, and its passes worked out apart."""

    number: int
    drive: RandomDrive
    bundle: Bundle
    screen: FirstScreen
    passes: tuple[PassTruth, ...]

    @property
    def known(self) -> Known:
        return by_name(self.bundle.metrics)

    @property
    def words(self) -> str:
        return " ".join(map(str, self.screen.verdict))


@pytest.fixture(scope="module", params=NUMBERS)
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Written:
    number: int = request.param
    directory = tmp_path_factory.mktemp("sustained")
    drive = random_drive(number, Evenness.UNEVEN if number % 2 else Evenness.EVEN)
    bundle = sustained(drive, directory, 1 + number % 3)
    steps = [step for step in bundle.finished() if step.name.startswith("sustain.pass")]
    passes = tuple(pass_truth(bundle.series(step, Direction.WRITE)) for step in steps)
    assert len(passes) == 1 + number % 3
    return Written(number, drive, bundle, first_screen([bundle]), passes)


def sustained(drive: RandomDrive, directory: Path, passes: int) -> Bundle:
    specification = directory / "drive.toml"
    specification.write_text(drive.text)
    # A model holds no data, and the page has to say so.
    told = ("--passes", str(passes), "--need", f"{NEED_MB_PER_S}MB/s", "--verify", "after", "--lab", str(directory))
    result = CliRunner().invoke(cli.app, ["sustain", f"model:{specification}", *told])
    return open_bundle(Path(result.stdout.strip().splitlines()[-1]))


def test_every_sentence_and_tile_is_the_metric_it_is_called(written: Written) -> None:
    assert wrong_on(written.screen, SUSTAINED, (), written.known) == []
    assert len(written.screen.tiles) == 6
    assert len(written.screen.verdict) == min(2, len(written.passes)) + 1
    assert "whether it is what was written is unknown" in str(written.screen.verdict[-1])


def test_speeds_and_shares_of_time_are_those_of_the_recorded_seconds(written: Written) -> None:
    for number, truth in enumerate(written.passes, 1):
        found = {
            word: float(str(written.known[f"sustain.pass{number}.{word}"].value))
            for word in ("bandwidth_mean", "bandwidth_min", "bandwidth_median", "need_met", "time_below_80")
        }
        middle = median(truth.seconds)
        assert found == pytest.approx(
            {
                "bandwidth_mean": truth.mean,
                "bandwidth_min": truth.seconds.min(),
                "bandwidth_median": middle,
                "need_met": 100 - truth.percent_below(NEED_MB_PER_S * MB),
                "time_below_80": truth.percent_below(0.8 * middle),
            },
            rel=1e-3,
        ), number


def test_a_pass_is_called_flat_if_and_only_if_its_seconds_are(written: Written) -> None:
    for number, truth in enumerate(written.passes, 1):
        assert written.known[f"sustain.pass{number}.flat"].value is truth.is_flat, (number, truth.margin)


def test_a_pass_fell_after_a_cache_only_on_a_drive_that_has_one_and_of_its_size(written: Written) -> None:
    cache = written.known["sustain.pass1.cache_bytes"]
    has_one = written.drive.largest_cache_bytes > 0
    assert ("it fell after a cache" in written.words) <= has_one, written.words
    if is_known(cache):
        assert has_one, written.words
        size = written.drive.largest_cache_bytes
        is_inside = cache.low is not None and cache.high is not None and cache.low <= size <= cache.high
        assert is_inside or cache.value == pytest.approx(size, rel=SHARE), written.words
