"""Consistency of speed against queue depth (METHODS E.fig)."""

from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import assert_inside_axes, assert_whole, axes, panel_titles, rows, scale, ticks
from tests.kit.sample_enterprise import DEPTHS, Made, enterprise_bundle

from ssdlab.figure.enterprise.consistency import consistency
from ssdlab.figure.kit.model import Figure, plots_of
from ssdlab.message import message
from ssdlab.unknown import Unknown

FIRST, SECOND = Made(), Made(model="Lab PM2 7.68TB", consistency_percent=71.5)


@pytest.fixture(scope="module")
def alone() -> Figure:
    (figure,) = consistency([enterprise_bundle(FIRST)])
    return figure


@pytest.fixture(scope="module")
def beside() -> list[Figure]:
    return list(consistency([enterprise_bundle(FIRST), enterprise_bundle(SECOND)]))


def test_one_drive_has_a_line_for_each_corner(alone: Figure) -> None:
    lines = [row["label"] for row in rows(alone, "workloads-compared")]
    assert {label: lines.count(label) for label in lines} == snapshot(
        {
            "Sequential 128 KiB read": 9,
            "Sequential 128 KiB write": 9,
            "Random 4 KiB read": 8,
            "Random 4 KiB write": 8,
        }
    )


def test_axes_are_queue_depth_and_always_0_to_110_percent(alone: Figure, beside: list[Figure]) -> None:
    assert axes(alone) == [("queue depth", "consistency (%)")]
    assert ticks(alone, "x") == list(DEPTHS)
    assert ticks(alone, "y") == [0, 20, 40, 60, 80, 100]
    for figure in (alone, *beside):
        assert scale(figure.spec, "y")["domain"] == scale(figure.narrow_spec, "y")["domain"] == [0, 110]


def test_random_io_at_qd1_is_left_to_the_tails(alone: Figure) -> None:
    shallowest = {
        label: min(row["x"] for row in rows(alone, "key-workloads") if row["label"] == label)
        for label in ("Random 4 KiB read", "Sequential 128 KiB read")
    }
    assert shallowest == {"Random 4 KiB read": 2, "Sequential 128 KiB read": 1}
    assert "Random I/O at QD1 is left to the figure of latency by percentile" in alone.caption


def test_several_drives_have_a_plot_for_each_workload_and_at_most_three_beside_each_other(beside: list[Figure]) -> None:
    assert [(one.name, panel_titles(one)) for one in beside] == snapshot(
        [
            ("consistency-seq-1", ["128 KiB read", "128 KiB write", "128 KiB 95/5 mix (read intensive)"]),
            ("consistency-rnd-1", ["4 KiB read", "4 KiB write", "4 KiB 70/30 mix (mainstream)"]),
            ("consistency-rnd-2", ["4 KiB 50/50 mix (write intensive)", "512 B read (AI)"]),
        ]
    )
    drawn = {row["label"]: row["y"] for row in rows(beside[0], "key-workload0")}
    assert drawn == {FIRST.model: 98.0, SECOND.model: 71.5}


def test_the_drive_under_test_is_drawn_thick_and_last(beside: list[Figure]) -> None:
    names = [one["name"] for one in plots_of(beside[0].spec)[0]["layer"]]
    assert names.index("workload0-compared") < names.index("workload0-under-test")


def test_the_caption_says_what_the_number_is(alone: Figure) -> None:
    assert alone.caption == snapshot(
        "Consistency: the speed of the slowest 0.1 % of all 100 ms samples, in percent of their mean; 100 % is a speed that never changes. Each point is measured for 300 s. Random I/O at QD1 is left to the figure of latency by percentile, which knows every single I/O."
    )


def test_the_table_has_every_value(alone: Figure) -> None:
    assert [column.title for column in alone.table.columns] == ["workload", *(f"QD{depth}" for depth in DEPTHS)]
    assert alone.table.rows[2] == snapshot(
        ("Random 4 KiB read", "not drawn", "98.0", "98.0", "98.0", "98.0", "98.0", "98.0", "98.0", "98.0")
    )


def test_a_run_too_short_for_it_has_none() -> None:
    bundle = enterprise_bundle()
    unknown = tuple(
        replace(one, value=Unknown(message("unknown-few-samples-above", above=9, needed=10)))
        if one.name.endswith(".consistency")
        else one
        for one in bundle.metrics
    )
    assert list(consistency([replace(bundle, metrics=unknown)])) == []


def test_everything_is_drawn_wide_and_narrow(alone: Figure, beside: list[Figure]) -> None:
    for figure in (alone, beside[0], beside[2]):
        assert_whole(figure)
        assert_inside_axes(figure)
