"""Figures and section of a sustained write: passes over each other, and a map of what came back wrong."""

from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.english_words import english
from tests.kit.figure_content import assert_inside_axes, assert_whole, axes, layer_names, panel_titles, rows, texts
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.bundle.checksums import write_checked
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.engine.sustain.bad_data import BAD_ADAPTER, BAD_FILE, BadKind, BadRange
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.say import drawn_in
from ssdlab.figure.registry import figures_for
from ssdlab.figure.sustain.bad_bytes import bad_bytes
from ssdlab.figure.sustain.passes import sustain_passes
from ssdlab.report.language import told_in
from ssdlab.report.page import page
from ssdlab.report.sustain_section import sustain_section
from ssdlab.units import MIB
from ssdlab.words import Language


def sustained(lab: Path, *arguments: str) -> Bundle:
    words = ["sustain", "model:demo", "--record", "1GiB", *arguments, "--lab", str(lab)]
    result = CliRunner().invoke(cli.app, words)
    return open_bundle(Path(result.stdout.strip()))


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return sustained(tmp_path_factory.mktemp("few"), "--passes", "2", "--need", "100MB/s", "--verify", "after")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return sustained(tmp_path_factory.mktemp("many"), "--passes", "40")


def passes_of(bundle: Bundle) -> Figure:
    figure = sustain_passes(bundle)
    assert figure is not None
    return figure


# Passes over each other


def test_few_passes_each_have_a_name_and_their_own_dash(few: Bundle) -> None:
    figure = passes_of(few)
    assert axes(figure) == [("written in the pass (MiB)", "write speed (MB/s)")]
    assert list(dict.fromkeys(row["label"] for row in rows(figure, "windows-mean"))) == snapshot(
        ["pass 1: 83 MB/s", "pass 2: 84 MB/s"]
    )
    assert set(texts(figure)) == {"needed: 100 MB/s", "pass 1 falls after 529 MiB"}
    assert "passes-band" not in layer_names(figure)


def test_the_mark_of_a_fall_lies_on_the_line_that_falls(few: Bundle) -> None:
    figure = passes_of(few)
    (mark,) = rows(figure, "key-points")
    line = [(row["x"], row["y"]) for row in rows(figure, "windows-mean") if row["label"].startswith("pass 1")]
    before = max(point for point in line if point[0] <= mark["x"])
    after = min(point for point in line if point[0] >= mark["x"])
    assert after[1] <= mark["y"] <= before[1]
    assert mark["y"] < 0.99 * max(y for _, y in line)


def test_of_many_passes_the_first_the_slowest_and_the_last_have_names(many: Bundle) -> None:
    figure = passes_of(many)
    named = list(dict.fromkeys(row["label"] for row in rows(figure, "windows-mean")))
    assert [label.partition(":")[0] for label in named] == ["pass 1, first and slowest", "pass 40, last"]
    thin = {row["label"] for row in rows(figure, "passes-thin")}
    assert len(thin) == 24
    assert "24 of the others, evenly picked; grey: all of them" in figure.caption


def test_the_band_is_of_all_passes(many: Bundle) -> None:
    band = rows(passes_of(many), "passes-band")
    at_begin = next(row for row in band if row["x"] > 200)
    assert at_begin["high"] == pytest.approx(268, abs=3)
    assert at_begin["low"] == pytest.approx(84, abs=3)


def test_the_table_has_a_row_a_pass_with_its_verdict(many: Bundle) -> None:
    table = passes_of(many).table
    assert [row[0] for row in table.rows] == list(range(1, 41))
    assert (table.rows[0][-1], table.rows[-1][-1]) == ("not flat", "flat")


def test_many_passes_follow_each_other_in_time_without_names(many: Bundle, few: Bundle) -> None:
    over_time = {
        bundle: next(one for one in figures_for(bundle) if one.name == "bandwidth-over-time") for bundle in (few, many)
    }
    assert texts(over_time[many]) == []
    assert len(texts(over_time[few])) == 2
    assert_whole(over_time[many])


def test_everything_is_drawn_wide_and_narrow(few: Bundle, many: Bundle) -> None:
    for bundle in (few, many):
        assert_whole(passes_of(bundle))
        assert_inside_axes(passes_of(bundle))


def test_a_write_to_a_tenth_of_a_drive_has_its_curve_too(tmp_path: Path) -> None:
    figure = passes_of(sustained(tmp_path, "--total", "200MiB", "--chunk", "1MiB"))
    assert "over the first 10% of the drive" in figure.caption


def test_a_model_tells_its_temperature_on_the_line_and_below_the_curve(tmp_path: Path) -> None:
    words = ["sustain", "model:pm9e1-1tb", "--total", "100GiB", "--record", "10GiB", "--lab", str(tmp_path)]
    result = CliRunner().invoke(cli.app, words)
    assert result.stderr.count(" °C") == 10
    bundle = open_bundle(Path(result.stdout.strip()))
    figure = next(one for one in figures_for(bundle) if one.name == "bandwidth-over-time")
    assert panel_titles(figure)[-1] == "temperature of the drive"


# What came back wrong


WRONG = (
    BadRange(0, 100 * MIB, BadKind.ELSEWHERE, 1900 * MIB, 1, ""),
    BadRange(300 * MIB, 512, BadKind.CORRUPTED, None, None, "3 wrong bits"),
    BadRange(301 * MIB, 512, BadKind.CORRUPTED, None, None, "1 wrong bit"),
    BadRange(900 * MIB, 4096, BadKind.STALE, None, 1, ""),
)


@pytest.fixture
def wrong(few: Bundle) -> Bundle:
    """As if the reading had found this."""
    write_checked(few.path, {few.name(few.step("sustain.verify2"), BAD_FILE): BAD_ADAPTER.dump_json(WRONG)})
    return open_bundle(few.path)


def map_of(bundle: Bundle) -> Figure:
    figure = bad_bytes(bundle)
    assert figure is not None
    return figure


def test_nothing_wrong_has_no_map(many: Bundle) -> None:
    assert bad_bytes(many) is None


def test_each_kind_has_a_lane_a_symbol_and_its_amount(wrong: Bundle) -> None:
    figure = map_of(wrong)
    assert texts(figure) == ["1 range, 4.00 KiB", "1 range, 100 MiB", "2 ranges, 1.00 KiB"]
    assert [name for name in layer_names(figure) if name.startswith("symbols-")] == [
        "symbols-stale",
        "symbols-elsewhere",
        "symbols-corrupted",
    ]
    assert_whole(figure)
    assert_inside_axes(figure)


def test_a_range_is_at_its_place_and_never_too_small_to_see(wrong: Bundle) -> None:
    drawn = rows(map_of(wrong), "key-ranges")
    (elsewhere,) = [row for row in drawn if row["words"].startswith("elsewhere")]
    assert (elsewhere["x"], elsewhere["x2"]) == (0, 100)
    assert all((row["x2"] - row["x"]) / 2048 * 860 >= 1.99 for row in drawn)


def test_two_ranges_closer_than_a_pixel_are_one_bar_and_two_rows_of_the_table(wrong: Bundle) -> None:
    figure = map_of(wrong)
    assert len([row for row in rows(figure, "key-ranges") if row["words"].startswith("corrupted")]) == 1
    assert [row[1:] for row in figure.table.rows if row[1] == "corrupted"] == [
        ("corrupted", f"{300 * MIB:,}", "512", "", "3 wrong bits"),
        ("corrupted", f"{301 * MIB:,}", "512", "", "1 wrong bit"),
    ]


def test_where_data_belongs_that_was_found_elsewhere_is_outlined(wrong: Bundle) -> None:
    (origin,) = rows(map_of(wrong), "origins")
    assert (origin["x"], origin["x2"]) == (1900, 2000)


# The section


def test_the_section_says_verdict_definition_passes_and_what_is_wrong(wrong: Bundle) -> None:
    section = sustain_section(wrong)
    assert section is not None
    assert tuple(map(str, section.columns)) == snapshot(
        (
            "mean",
            "worst second",
            "under 50 %",
            "under 80 %",
            "under 95 %",
            "flat",
            "fell after",
            "of the time at least 100 MB/s",
        )
    )
    assert [str(name) for name, _ in section.passes] == ["pass 1", "pass 2"]
    speeds = [
        (str(cell.text)[-5:], str(cell.binary)[-6:]) for _, cells in section.passes for cell in cells if cell.binary
    ]
    assert speeds == [(" MB/s", " MiB/s")] * 4
    assert str(section.sentences[-1]) == "verified: not known: a drive model holds no data to compare"
    assert [(str(row.kind), row.ranges, row.length) for row in section.bad] == [
        ("stale: whole data of an earlier pass or run", "1", "4,096"),
        ("elsewhere: whole data of another place", "1", f"{100 * MIB:,}"),
        ("corrupted: the right data with wrong bits", "2", "1,024"),
    ]
    text = page([wrong])
    assert "A pass is flat if 99 % of its seconds are within 5 % of their median" in text
    assert "What was read back wrong" in text


def test_figures_and_section_are_korean_too(wrong: Bundle, many: Bundle) -> None:
    section = sustain_section(wrong)
    assert section is not None
    told = [*section.sentences, section.flat_means, *section.columns, *(row.kind for row in section.bad)]
    said = [told_in(message, Language.KOREAN) for message in told]
    with drawn_in(Language.KOREAN):
        figures = [passes_of(wrong), passes_of(many), map_of(wrong)]
    for drawn in figures:
        said += [drawn.title, drawn.caption, drawn.table.caption, *(one.title for one in drawn.table.columns)]
        said += [*texts(drawn), *(title for pair in axes(drawn) for title in pair)]
    assert {text for text in said if english(text)} == set()


def test_a_run_of_a_suite_has_no_such_section(tmp_path: Path) -> None:
    CliRunner().invoke(cli.app, ["run", "fill", "model:demo", "--profile", "quick", "--lab", str(tmp_path)])
    (path,) = (tmp_path / "runs").iterdir()
    assert sustain_section(open_bundle(path)) is None
