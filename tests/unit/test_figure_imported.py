"""Results of other programs as figures: each program's apart, both fill levels only where they differ (METHODS C9)."""

from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import assert_inside_axes, assert_whole, panel_titles, rows, texts
from tests.kit.imported_results import DATA, crystaldiskmark, specworkstation, threedmark
from tests.kit.sample_client import Made, client_bundle

from ssdlab.analysis.infer.fill_level import FillLevel, differ, fill_level
from ssdlab.bundle.imported import ImportedRun, open_imported
from ssdlab.figure.imported.registry import by_program, figures_of_imports
from ssdlab.figure.kit.model import Figure, plots_of
from ssdlab.library.take_in import GivenFacts, take_in
from ssdlab.message import message, number
from ssdlab.unknown import Unknown


def made(runs: list[ImportedRun]) -> dict[str, Figure]:
    return {figure.name: figure for figure in figures_of_imports(runs)}


def words(figure: Figure, layer: str = "key-read") -> list[str]:
    return [row["words"] for row in rows(figure, layer)]


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    return tmp_path / "lab"


def test_up_to_ten_percent_the_larger_stands_for_both() -> None:
    assert not differ(100, 90)
    assert not differ(90, 100)
    assert differ(100, 89.9)
    assert not differ(0, 0)


@pytest.mark.parametrize(
    ("percent", "level"),
    [
        (0.0, FillLevel.EMPTY),
        (1.0, FillLevel.EMPTY),
        (74.0, FillLevel.THREE_QUARTERS),
        (76.0, FillLevel.THREE_QUARTERS),
    ],
)
def test_fill_levels(percent: float, level: FillLevel) -> None:
    assert fill_level(percent) is level


def test_any_other_fill_is_no_level() -> None:
    assert fill_level(50.0) == Unknown(message("unknown-fill", percent=number(50, "g")))
    assert fill_level(Unknown(message("unknown-file-silent"))) == Unknown(message("unknown-file-silent"))


# CrystalDiskMark


def test_profiles_are_sorted_by_sequential_read(lab: Path) -> None:
    figures = made([crystaldiskmark(lab, "Slow", 0), crystaldiskmark(lab, "Fast", 0, factor=2)])

    assert list(figures) == snapshot(["crystaldiskmark", "crystaldiskmark-qd1"])
    assert panel_titles(figures["crystaldiskmark"]) == ["read", "write"]
    assert words(figures["crystaldiskmark"]) == snapshot(
        [
            "Fast, SEQ 1 MiB Q8T1 read: 14,860 MB/s",
            "Slow, SEQ 1 MiB Q8T1 read: 7,428 MB/s",
            "Fast, RND 4 KiB Q32T16 read: 8,189 MB/s",
            "Slow, RND 4 KiB Q32T16 read: 4,095 MB/s",
        ]
    )
    assert figures["crystaldiskmark"].subtitle == snapshot(("2 drives · CrystalDiskMark 8.0.4 · Default, 1 GiB x5",))
    assert figures["crystaldiskmark"].caption == snapshot(
        "As CrystalDiskMark says: best of 5 runs. Sorted by SEQ 1 MiB Q8T1 read. SEQ 128 KiB Q32T1 is in the table only."
    )


def test_the_shallow_profile_is_apart(lab: Path) -> None:
    figures = made([crystaldiskmark(lab, "Slow", 0)])

    assert words(figures["crystaldiskmark-qd1"]) == snapshot(["Slow, RND 4 KiB Q1T1 read: 84.50 MB/s"])
    assert "RND 4 KiB Q1T1" not in " ".join(words(figures["crystaldiskmark"]))


def test_only_profiles_that_differ_show_both_fill_levels(lab: Path) -> None:
    runs = [crystaldiskmark(lab, "Drive", 75, factor=0.95), crystaldiskmark(lab, "Drive", 0, sequential=1.5)]
    figure = made(runs)["crystaldiskmark"]

    assert [one.split(":")[0] for one in words(figure)] == snapshot(
        [
            "Drive, 0 % full, SEQ 1 MiB Q8T1 read",
            "Drive, 75 % full, SEQ 1 MiB Q8T1 read",
            "Drive, RND 4 KiB Q32T16 read",
        ]
    )
    assert "at 0 % and at 75 % full differ by no more than 10 %, only the larger is shown" in figure.caption
    assert "4,095" in texts(figure)
    assert "3,710" not in texts(figure)


def test_the_larger_is_shown_whichever_fill_level_it_is(lab: Path) -> None:
    figure = made([crystaldiskmark(lab, "Drive", 75), crystaldiskmark(lab, "Drive", 0, factor=0.95)])["crystaldiskmark"]

    alone = made([crystaldiskmark(lab, "Other", 75)])["crystaldiskmark"]
    assert texts(figure) == texts(alone)


def test_a_result_of_a_full_drive_alone_says_so(lab: Path) -> None:
    figure = made([crystaldiskmark(lab, "Drive", 75)])["crystaldiskmark"]

    assert figure.subtitle == snapshot(("Drive, 75 % full · CrystalDiskMark 8.0.4 · Default, 1 GiB x5",))
    assert "at 0 %" not in figure.caption


def test_results_that_were_not_measured_alike_are_said_to_be(lab: Path) -> None:
    other = open_imported(take_in(DATA / "crystaldiskmark-8-default.txt", lab, GivenFacts(model="Other")))
    figure = made([crystaldiskmark(lab, "Drive", 0), other])["crystaldiskmark"]

    assert figure.subtitle[1] == snapshot("not measured alike: Default, 1 GiB x5; Default, 1 GiB x1")


def test_drives_nobody_named_keep_the_name_of_the_file(lab: Path) -> None:
    run = open_imported(take_in(DATA / "crystaldiskmark-8-default.txt", lab, GivenFacts()))
    assert words(made([run])["crystaldiskmark"])[0].startswith("unknown drive of crystaldiskmark-8-default.txt, ")


def test_results_of_one_name_are_told_apart(lab: Path) -> None:
    run = crystaldiskmark(lab, "Drive", 0)
    found = [one.split(", SEQ")[0] for one in words(made([run, run])["crystaldiskmark"])[:2]]
    assert found == snapshot(["Drive, 2023-11-04", "Drive, 2023-11-04, result 2"])


def test_what_fio_measured_stands_beside_it_only_if_marked(lab: Path) -> None:
    bundle = client_bundle(Made(model="Fio drive", factor=9), suite="cdm")
    first, _ = figures_of_imports([crystaldiskmark(lab, "Drive", 0)], [bundle])

    assert words(first)[0].startswith("Fio drive (through fio), SEQ 1 MiB Q8T1 read")
    assert first.subtitle == snapshot(("2 drives · CrystalDiskMark 8.0.4 · Default, 1 GiB x5 · 1 of them through fio",))
    assert "What is marked was measured by ssdlab through fio, not by CrystalDiskMark." in first.caption


def test_kdiskmark_takes_means_so_what_fio_measured_does_not_stand_beside_it(lab: Path) -> None:
    run = open_imported(take_in(DATA / "kdiskmark-3.txt", lab, GivenFacts(model="Drive")))
    figures = figures_of_imports([run], [client_bundle(Made(model="Fio drive"), suite="cdm")])

    assert [figure.name for figure in figures] == ["kdiskmark", "kdiskmark-qd1"]
    assert "fio" not in " ".join(words(figures[0]))


# Scores


def test_scores_rank_and_show_both_fill_levels_where_they_differ(lab: Path) -> None:
    runs = [
        threedmark(lab, "Steady", 3000, 0.0),
        threedmark(lab, "Steady", 2900, 75.0),
        threedmark(lab, "Tired", 4000, 0.0),
        threedmark(lab, "Tired", 2000, 75.0),
    ]
    figure = made(runs)["threedmark-score"]

    assert words(figure, "key-bars") == snapshot(["Tired, 0 % full: 4,000", "Tired, 75 % full: 2,000", "Steady: 3,000"])
    assert figure.table.rows == snapshot(
        (("Tired, 0 % full", "4,000"), ("Tired, 75 % full", "2,000"), ("Steady", "3,000"))
    )


def test_ratios_total_and_by_workload(lab: Path) -> None:
    runs = [
        specworkstation(lab, "Drive", 2.0, 0.0),
        specworkstation(lab, "Drive", 1.95, 75.0, first=1.0),
        specworkstation(lab, "Other", 3.0),
    ]
    figures = made(runs)

    assert words(figures["spec-ratio"], "key-bars") == snapshot(["Other: 3.00", "Drive: 2.00"])
    assert words(figures["spec-workloads"], "key-ratio")[:5] == snapshot(
        [
            "Other, 3dsmax: 3.00",
            "Drive, 0 % full, 3dsmax: 2.00",
            "Drive, 75 % full, 3dsmax: 1.00",
            "Other, 7zip: 3.00",
            "Drive, 7zip: 2.00",
        ]
    )


def test_each_program_has_figures_of_its_own(lab: Path) -> None:
    runs = [crystaldiskmark(lab, "A", 0), threedmark(lab, "A", 3000), crystaldiskmark(lab, "B", 0)]
    assert [[run.info.drive.model for run in group] for group in by_program(runs)] == [["A", "B"], ["A"]]


def test_programs_without_a_figure_have_none(lab: Path) -> None:
    assert made([open_imported(take_in(DATA / "as-ssd.txt", lab, GivenFacts()))]) == {}


def test_a_score_that_is_not_known_draws_nothing(lab: Path) -> None:
    run = threedmark(lab, "Drive", 3000)
    assert made([replace(run, metrics=())]) == {}


def test_a_name_of_several_lines_has_room_for_them(lab: Path) -> None:
    def row_px(name: str) -> float:
        drawn = made([crystaldiskmark(lab, name, 0), crystaldiskmark(lab, "Lab PM2", 0, factor=len(name))])[
            "crystaldiskmark"
        ]
        plot = plots_of(drawn.spec)[0]
        return float(plot["height"]) / len(plot["layer"][0]["encoding"]["y"]["scale"]["domain"])

    long = "Lab PM1 with a name that is so long that it takes several lines beside its bar"
    assert row_px(long) >= row_px("Lab PM1") + 14


def test_the_pictures_are_whole(lab: Path) -> None:
    cdm = [crystaldiskmark(lab, "A", 0), crystaldiskmark(lab, "B", 75), crystaldiskmark(lab, "B", 0, factor=1.5)]
    scores = [threedmark(lab, "A", 3000), threedmark(lab, "B", 2000)]
    ratios = [specworkstation(lab, "A", 2.0), specworkstation(lab, "B", 1.0)]
    for runs in (cdm, cdm[:1], scores, scores[:1], ratios, ratios[:1]):
        for figure in made(runs).values():
            assert_inside_axes(figure)
            assert_whole(figure)
