"""The first screens of a sustained write, of probes and of drives beside each other: what they say, and that their figure says the same."""

import re
from pathlib import Path

import pytest
from tests.kit.browser import CHROMIUM, Page
from tests.kit.five_drives import FIVE, shared_run
from tests.kit.imported_results import crystaldiskmark
from tests.kit.probe_runs import record
from tests.kit.quoted_numbers import numbers_in, numbers_of
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.registry import figures_for
from ssdlab.probe.probes.registry import probes_named
from ssdlab.report.first_screen.hero import hero_of
from ssdlab.report.first_screen.screen import FirstScreen, SpeedFamily, first_screen
from ssdlab.report.page import write_report
from ssdlab.units import MIB
from ssdlab.words import Language, in_language


def told(screen: FirstScreen) -> list[str]:
    return [str(sentence) for sentence in screen.verdict]


def hero(bundle: Bundle) -> Figure:
    return next(figure for figure in figures_for(bundle) if figure.name == first_figure(bundle))


def first_figure(bundle: Bundle) -> str:
    class Drawn:
        def __init__(self, figure: Figure) -> None:
            self.figure = figure

    found = hero_of([Drawn(figure) for figure in figures_for(bundle)], bundle.run.suite.name)
    assert found is not None
    return found.figure.name


# A sustained write


def sustained(lab: Path, *arguments: str) -> Bundle:
    # A model holds no data to compare, which ends such a write as an audit that failed.
    done = CliRunner().invoke(cli.app, ["sustain", *arguments, "--lab", str(lab)])
    return open_bundle(Path(done.stdout.strip()))


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return sustained(tmp_path_factory.mktemp("short"), f"model:{FIVE[0]}?capacity=8GiB")


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    arguments = ("model:demo", "--record", "1GiB", "--passes", "2", "--verify", "after")
    return sustained(tmp_path_factory.mktemp("long"), *arguments)


def test_a_sustained_write_tells_its_first_pass_its_last_and_what_came_back(long: Bundle) -> None:
    sentences = told(first_screen([long]))
    assert [sentence.partition(" ")[0] for sentence in sentences[:2]] == ["Pass", "Pass"]
    assert re.match(r"Pass 1 \(FOB\): [\d,.]+ MB/s on average", sentences[0])
    assert sentences[2].endswith("is unknown: a drive model holds no data to compare.")
    for sentence in sentences:
        assert numbers_in(sentence) <= numbers_of(long.metrics), sentence
    labels = [str(tile.label) for tile in first_screen([long]).tiles]
    assert labels[:2] == ["pass 1: mean speed", "pass 1: worst second"]
    assert 4 <= len(labels) <= 6


def test_the_first_screen_of_a_short_pass_says_what_it_cannot(short: Bundle) -> None:
    screen = first_screen([short])
    assert "whether it is flat is unknown: the pass took less than 5 s" in told(screen)[0]
    assert [str(tile.label) for tile in screen.tiles] == ["pass 1: mean speed"]


@pytest.mark.parametrize("name", ["short", "long"])
def test_tile_and_figure_have_one_mean_of_a_pass(name: str, request: pytest.FixtureRequest) -> None:
    bundle: Bundle = request.getfixturevalue(name)
    mean = first_screen([bundle]).tiles[0].metric
    figure = hero(bundle)
    assert mean.unit == "MB/s"
    assert first_screen([bundle]).speeds is SpeedFamily.DECIMAL
    assert figure.long_chart is not None
    assert figure.long_chart.series[0].label == f"pass 1: {mean.value:,.0f} MB/s"
    assert figure.table.rows[0][1] == f"{mean.value:,.1f}"


def test_a_sustained_write_is_told_in_the_unit_of_its_figure_and_in_the_other(long: Bundle) -> None:
    screen = first_screen([long])
    speeds = [tile for tile in screen.tiles if tile.switched is not None]
    assert [str(tile.label) for tile in speeds[:2]] == ["pass 1: mean speed", "pass 1: worst second"]
    for tile in speeds:
        assert tile.switched is not None
        assert str(tile.metric.text).endswith(" MB/s")
        assert str(tile.switched.text).endswith(" MiB/s")
        assert tile.switched.decimal.value == tile.metric.value
    assert "MiB/s" not in " ".join(told(screen))
    assert re.search(r"[\d,.]+ MiB/s on average", str(screen.verdict_switched[0]))


def test_the_figure_says_how_long_each_of_its_points_is(short: Bundle, long: Bundle) -> None:
    assert "One point each 100 ms" in hero(short).caption
    assert "One point a second" in hero(long).caption


SAID = "[...document.querySelectorAll('.answer p, .tiles dd')].map((one) => one.textContent).join()"
SWITCH = "document.querySelector('.tiles + .units')"


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium in PATH")
def test_a_page_that_begins_in_decimal_units_switches_to_binary_ones_and_back(
    chromium: Page, long: Bundle, tmp_path: Path
) -> None:
    write_report([long], tmp_path / "sustained.html")
    write_report([], tmp_path / "imported.html", [crystaldiskmark(tmp_path / "lab", "A", 0)])
    for name in ("sustained", "imported"):
        chromium.open(tmp_path / f"{name}.html")
        begun = chromium.run(SAID)
        assert chromium.run(f"{SWITCH}.getAttribute('aria-pressed')") == "true"
        assert set(re.findall("Mi?B/s", begun)) == {"MB/s"}
        assert "MiB/s" not in chromium.run(
            "[...document.querySelectorAll('.metrics, .points')].map((one) => one.innerText).join()"
        )

        chromium.run(f"{SWITCH}.click()")
        assert set(re.findall("Mi?B/s", chromium.run(SAID))) == {"MiB/s"}
        assert " MB/s" not in chromium.run(
            "[...document.querySelectorAll('.points td')].map((one) => one.innerText).join()"
        )
        chromium.run(f"{SWITCH}.click()")
        assert chromium.run(SAID) == begun


# Probes


@pytest.fixture(scope="module")
def probed(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    probes = [one for name in ("declared", "slc") for one in probes_named(name)]
    path, _ = record(probes, tmp_path_factory.mktemp("probed"), lambda _name, _progress: None, "model:demo")
    return open_bundle(path)


def test_probes_tell_the_cache_first_in_words_people_know(probed: Bundle) -> None:
    screen = first_screen([probed])
    wanted = r"SLC cache: [\d.]+ MiB( \(\d+ to \d+\))? on the empty drive(; [\d.]+ MiB( \(\d+ to \d+\))? on the full drive)?\."
    assert re.fullmatch(wanted, told(screen)[0])
    assert in_language(screen.verdict[0], Language.KOREAN).startswith("SLC 캐시: 빈 드라이브에서 ")
    first = screen.tiles[0]
    assert str(first.label) == "SLC cache, empty drive"
    assert first.metric.low is not None
    assert first.metric.high is not None
    assert first.metric.low <= 512 * MIB * 1.05
    assert first.metric.high >= 512 * MIB


def test_the_portrait_begins_with_what_can_be_relied_on_and_has_no_names_of_variables(probed: Bundle) -> None:
    figure = hero(probed)
    assert figure.name == "portrait"
    grades = [row[3] for row in figure.table.rows]
    relied_on = [grade in {"A", "B"} for grade in grades]
    assert relied_on == sorted(relied_on, reverse=True)
    assert grades[-1] == "claimed"
    (answers,) = [layer for layer in figure.spec["layer"] if layer["name"] == "answers"]
    labels = [row["text"] for row in answers["data"]["values"] if row["x"] == 54]
    assert not [label for label in labels if "." in label or "_" in label]
    assert "SLC cache" in " ".join(labels)


# Drives beside each other


def test_beside_others_the_answer_is_that_of_the_first_and_each_tile_has_its_place() -> None:
    bundles = [shared_run(name) for name in FIVE[:3]]
    screen, alone = first_screen(bundles), first_screen(bundles[:1])
    assert told(screen) == told(alone)
    assert [tile.metric for tile in screen.tiles] == [tile.metric for tile in alone.tiles]
    assert any(tile.place is not None and " of 3" in str(tile.place.words) for tile in screen.tiles)
