"""Every candidate of a search as a figure, of one drive and of several."""

from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from tests.kit.boot_drives import SOUND, metrics_of, said_else, searched
from tests.kit.figure_content import assert_inside_axes, assert_whole, axes, layer, panel_titles, rows, texts, ticks

from ssdlab.bundle.read import Bundle
from ssdlab.figure.enterprise.bootbench import bootbench
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.registry import figures_comparing, figures_for


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return searched(tmp_path_factory.mktemp("sound"), SOUND)


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """It serves about 150 readers in time."""
    other = said_else(('name = "boot"', 'name = "slow"'), ('link_read = "6 GB/s"', 'link_read = "500 MB/s"'))
    return searched(tmp_path_factory.mktemp("slow"), other)


@pytest.fixture(scope="module")
def alone(sound: Bundle) -> Figure:
    (figure,) = bootbench([sound])
    return figure


@pytest.fixture(scope="module")
def beside(sound: Bundle, slow: Bundle) -> Figure:
    (figure,) = bootbench([sound, slow])
    return figure


def test_one_drive_has_its_rate_beside_all_latencies(alone: Figure) -> None:
    assert panel_titles(alone) == ["reads a second", "latency"]
    assert axes(alone) == snapshot(
        [
            ("readers, one read in flight each", "reads a second (IOPS)"),
            ("readers, one read in flight each", "completion latency (log scale)"),
        ]
    )
    assert ticks(alone, "x") == [4, 8, 16, 32, 64, 128, 256]
    assert "256 readers: 183,100 IOPS" in alone.subtitle[0]


def test_every_run_of_every_candidate_is_a_point(alone: Figure, sound: Bundle) -> None:
    found = metrics_of(sound)
    drawn = rows(alone, "key-plot0")
    assert [row["x"] for row in drawn] == [4, 8, 16, 32, 64, 128, 256, 256, 256, 256]
    assert [row["y"] for row in drawn[-3:]] == [
        pytest.approx(found[f"bootbench.confirm.n256.run{run}.iops"].value, rel=1e-5) for run in (1, 2, 3)
    ]
    longest = [row["y"] for row in rows(alone, "key-plot1") if row["label"] == "longest read"]
    assert longest[0] * 1000 == pytest.approx(found["bootbench.double.n4.clat_max"].value, rel=1e-5)


def test_every_limit_is_a_dashed_line_with_its_value(alone: Figure) -> None:
    assert [row["y"] for row in rows(alone, "key-limits0")] == [60_000]
    assert [row["y"] for row in rows(alone, "key-limits1")] == [10_000, 50_000, 500_000]
    assert layer(alone, "key-limits0")["mark"]["strokeDash"]
    assert set(texts(alone)) == snapshot(
        {"limit: 60,000 reads/s", "99 %: 10.0 ms", "99.9 %: 50.0 ms", "longest read: 500 ms"}
    )


def test_candidates_that_missed_a_limit_are_hollow(beside: Figure, slow: Bundle) -> None:
    missed = [
        step.job.jobs
        for step in slow.steps
        if step.job is not None and (one := metrics_of(slow).get(f"{step.name}.pass")) is not None and not one.value
    ]
    assert 256 in missed
    assert sorted(row["x"] for row in rows(beside, "plot0-holes")) == sorted(missed)


def test_several_drives_have_a_plot_for_each_quantity_and_their_answers_in_the_legend(
    beside: Figure, slow: Bundle
) -> None:
    assert panel_titles(beside) == ["reads a second", "99 % of reads", "longest read"]
    jobs = metrics_of(slow)["bootbench.jobs"].value
    assert {row["label"] for row in rows(beside, "key-plot0")} == {
        "ssdlab boot, 256 readers: 183,100 IOPS",
        f"ssdlab slow, {jobs} readers: 15,260 IOPS",
    }


def test_the_table_has_every_number(alone: Figure) -> None:
    assert [column.title for column in alone.table.columns] == snapshot(
        [
            "drive",
            "run",
            "readers",
            "99 % of reads",
            "99.9 % of reads",
            "longest read",
            "slowest writes",
            "slowest trims",
            "reads a second",
            "within limits",
        ]
    )
    assert alone.table.rows[-1][:3] == ("ssdlab boot", "confirm.n256.run3", 256)
    assert alone.table.rows[-1][-1] == "yes"


def test_a_run_and_a_comparison_have_it(sound: Bundle, slow: Bundle) -> None:
    assert [one.name for one in figures_for(sound)] == ["bootbench-search"]
    assert [one.name for one in figures_comparing([sound, slow])] == ["ranking-bootbench", "bootbench-search"]


def test_drives_are_ranked_by_the_rate_that_was_found(sound: Bundle, slow: Bundle) -> None:
    ranking = figures_comparing([slow, sound])[0]
    assert [row[0] for row in ranking.table.rows] == ["ssdlab boot", "ssdlab slow"]
    assert "60,000 pass" in ranking.caption


def test_where_no_metric_can_be_read_nothing_is_drawn(sound: Bundle, slow: Bundle) -> None:
    bare = replace(sound, metrics=())
    assert list(bootbench([bare])) == []
    assert list(bootbench([bare, replace(slow, metrics=())])) == []


def test_everything_is_drawn_wide_and_narrow(alone: Figure, beside: Figure) -> None:
    for figure in (alone, beside):
        assert_whole(figure)
        assert_inside_axes(figure)
