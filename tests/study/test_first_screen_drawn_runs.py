"""Whole runs of suites on random small drives: what their first screens say is what was recorded, worked out by other code."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.kit.amplified_drives import patterns, plain_drive, spare_of_data
from tests.kit.drawn_screens import by_name
from tests.kit.first_screen_claims import faults_of, faults_of_languages, faults_of_tiles
from tests.kit.load_drives import loads, run_on
from tests.kit.recorded_truths import truth_of
from tests.kit.small_drives import SmallDrive, small_drive
from tests.kit.suite_claims import SAID_OF_QUICK_RUNS
from tests.study.passed import Study, runs_whole

from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.report.first_screen.screen import first_screen

pytestmark = pytest.mark.timeout(1800)
SUITES = (
    "bootbench",
    "cdm",
    "client",
    "enterprise",
    "enterprise-sweep",
    "load-latency",
    "mixes",
    "pts-lat",
    "pts-tp",
    "pts-wsat",
    "write-amplification",
    "wsat",
)
WHOLE, FEW = range(50), range(len(SUITES))
NUMBERS = WHOLE if runs_whole(Study.FIRST_SCREENS) else FEW
"""Each suite has a drive in its turn."""


@dataclass(frozen=True, slots=True, eq=False)
class Ran:
    drive: SmallDrive
    suite: str
    bundle: Bundle


@pytest.fixture(scope="module", params=NUMBERS, ids=lambda number: f"{number}-{SUITES[number % len(SUITES)]}")
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    number: int = request.param
    suite = SUITES[number % len(SUITES)]
    drive = uncached(number) if suite == "write-amplification" else small_drive(number, LEAST_MIB.get(suite, 72))
    directory = tmp_path_factory.mktemp("drawn")
    shortened = SHORTENED.get(suite)
    bundle = quick(drive.text, suite, directory) if shortened is None else run_on(drive.text, shortened(), directory)
    return Ran(drive, suite, open_bundle(bundle.path))


def quick(specification: str, suite: str, directory: Path) -> Bundle:
    path = directory / "drive.toml"
    path.write_text(specification)
    with open_bench(f"model:{path}", None) as bench, (directory / "words").open("w") as words:
        plan = expand(load_suite(suite), "quick", bench.drive.identity, seed=1)
        return execute(plan, bench, directory / "lab", PlainDisplay(words))


LEAST_MIB = {"cdm": 192, "client": 2048, "pts-wsat": 768, "wsat": 768}
"""Of suites whose regions have a size of their own."""


def uncached(number: int) -> SmallDrive:
    """One whose spare space is all there is to amplification."""
    percent = 7 + number % 22
    return SmallDrive(plain_drive(percent), 100 * spare_of_data(percent))


def some_loads() -> str:
    """The step of the suite alone, under its name."""
    return loads(20_000, mix=("read", "r70w30", "write")).replace('name = "loads"', 'name = "load-latency"')


SHORTENED: Mapping[str, Callable[[], str]] = {
    "load-latency": some_loads,
    "write-amplification": lambda: patterns(hot="[90]"),
}
"""Suites that take minutes even in virtual time, with fewer points."""


def test_what_is_told_is_the_metrics_and_they_are_what_was_recorded(ran: Ran) -> None:
    screen, known, may = first_screen([ran.bundle]), dict(by_name(ran.bundle.metrics)), SAID_OF_QUICK_RUNS[ran.suite]
    if "wsat.steady_iops" in known:
        # The steady speed that the figure of write saturation draws.
        known["precondition.rnd.steady_iops"] = known["wsat.steady_iops"]
    sentences = [str(one) for one in (*screen.verdict, *screen.verdict_switched)]
    faults = [fault for one in sentences for fault in faults_of(one, may.claims, may.told, known)]
    assert [*faults, *faults_of_tiles(screen, known), *faults_of_languages(screen)] == []
    assert screen.verdict
    assert [str(tile.label) for tile in screen.tiles] == [may.labels[tile.metric.name] for tile in screen.tiles]
    assert wrong_numbers(ran, [tile.metric.name for tile in screen.tiles]) == []


def wrong_numbers(ran: Ran, names: Sequence[str]) -> list[str]:
    """Those that do not lie where the recorded ones say; at least one of a screen is worked out."""
    known = by_name(ran.bundle.metrics)
    truths = {name: ends for name in names if (ends := truth_of(ran.bundle, name)) is not None}
    if ran.suite == "write-amplification":
        truths = dict.fromkeys(names, (ran.drive.spare_percent - 2, ran.drive.spare_percent + 2))
    assert truths or not names
    return [
        f"{name}: {known[name].value}, recorded was {low} to {high}"
        for name, (low, high) in truths.items()
        if not low <= float(str(known[name].value)) <= high
    ]


def test_bootbench_is_passed_only_with_60_000_reads_a_second_within_its_limits(ran: Ran) -> None:
    known = by_name(ran.bundle.metrics)
    if ran.suite == "bootbench" and isinstance(known["bootbench.iops"].value, float):
        assert known["bootbench.pass"].value is (known["bootbench.iops"].value >= 60_000)
