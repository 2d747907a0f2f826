"""Speed against latency, a point a queue depth (METHODS E.fig, 2-in-1)."""

from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import (
    assert_inside_axes,
    assert_whole,
    axes,
    layer,
    layer_names,
    rows,
    scale,
    texts,
    ticks,
)
from tests.kit.sample_enterprise import DEPTHS, Made, clat_ns, depth_iops, enterprise_bundle, mib_per_s, with_only

from ssdlab.bundle.read import Bundle
from ssdlab.figure.enterprise.two_in_one import two_in_one
from ssdlab.figure.kit.axis import PlotAxis
from ssdlab.figure.kit.curves import Curve, CurvePoint
from ssdlab.figure.kit.drives import Rank
from ssdlab.figure.kit.model import Figure, layers_of
from ssdlab.figure.kit.point_labels import point_labels
from ssdlab.figure.kit.style import WIDE
from ssdlab.job import Job
from ssdlab.report.page import page
from ssdlab.report.pictures import placed_figures, write_pictures
from ssdlab.report.render import render_svg

FIRST, SECOND = Made(), Made(model="Lab PM2 7.68TB", factor=0.25)


@pytest.fixture(scope="module")
def alone() -> list[Figure]:
    return list(two_in_one([enterprise_bundle(FIRST)]))


@pytest.fixture(scope="module")
def beside() -> list[Figure]:
    return list(two_in_one([enterprise_bundle(FIRST), enterprise_bundle(SECOND)]))


def job_of(point: str) -> Job:
    job = next(step.job for step in enterprise_bundle().steps if step.point.name == point)
    assert job is not None
    return job


def test_one_drive_has_a_figure_for_sequential_and_one_for_random_io(alone: list[Figure]) -> None:
    assert [(one.name, one.title) for one in alone] == snapshot(
        [
            ("two-in-one-seq", "Sequential I/O: speed against latency"),
            ("two-in-one-rnd", "Random I/O: speed against latency"),
        ]
    )
    assert [sorted({row["label"] for row in rows(one, "key-depths")}) for one in alone] == snapshot(
        [
            ["128 KiB 95/5 mix (read intensive)", "128 KiB read", "128 KiB write"],
            [
                "4 KiB 50/50 mix (write intensive)",
                "4 KiB 70/30 mix (mainstream)",
                "4 KiB read",
                "4 KiB write",
                "512 B read (AI)",
            ],
        ]
    )


def test_axes_are_bandwidth_or_iops_against_mean_latency(alone: list[Figure]) -> None:
    assert [axes(one) for one in alone] == snapshot(
        [
            [("bandwidth (MiB/s), log scale", "mean completion latency (log scale)")],
            [("IOPS, log scale", "mean completion latency (log scale)")],
        ]
    )
    assert ticks(alone[1], "x") == snapshot([10000.0, 20000.0, 50000.0, 100000.0, 200000.0, 500000.0, 1000000.0])


def test_the_other_way_has_linear_axes_from_nothing(alone: list[Figure]) -> None:
    variant = alone[0].variant
    assert variant is not None
    assert (variant.name, variant.summary) == ("two-in-one-seq-linear", "The same on linear axes")
    encoding = layers_of(variant.spec)[0]["encoding"]
    assert [encoding[one]["axis"]["title"] for one in "xy"] == ["bandwidth (MiB/s)", "mean completion latency (µs)"]
    assert [encoding[one]["scale"]["domain"][0] for one in "xy"] == [0, 0]


def test_several_drives_have_a_figure_for_each_workload(beside: list[Figure]) -> None:
    assert [one.name for one in beside] == snapshot(
        [
            "two-in-one-seq-128-kib-read",
            "two-in-one-seq-128-kib-write",
            "two-in-one-seq-128-kib-95-5-mix",
            "two-in-one-rnd-4-kib-read",
            "two-in-one-rnd-4-kib-write",
            "two-in-one-rnd-4-kib-70-30-mix",
            "two-in-one-rnd-4-kib-50-50-mix",
            "two-in-one-rnd-512-b-read",
        ]
    )


def test_every_point_under_1_ms_is_where_its_metrics_say(beside: list[Figure]) -> None:
    drawn = {
        label: [(row["x"], row["y"]) for row in rows(beside[0], "key-depths") if row["label"] == label]
        for label in (FIRST.model, SECOND.model)
    }
    for made, count in ((FIRST, 6), (SECOND, 4)):
        jobs = [job_of(f"seq.read.q{depth}") for depth in DEPTHS[:count]]
        expected = [(mib_per_s(job, made), clat_ns(job, made) / 1000) for job in jobs]
        assert drawn[made.model] == [pytest.approx(one, rel=1e-5) for one in expected]


def test_points_of_1_ms_and_more_are_left_out_and_counted(beside: list[Figure]) -> None:
    assert beside[0].caption == snapshot(
        "A line's points are its queue depths, the shallowest at its lower left. Left out, because they took 1 ms or more: 8 of 18 points (Lab PM1 3.84TB QD64, QD128, QD256; Lab PM2 7.68TB QD16, QD32, QD64, QD128, QD256)."
    )
    assert beside[0].subtitle[-1] == snapshot(
        "Each point a queue depth (QD); lower and further right is better; 8 points of 1 ms or more left out"
    )
    places = [row[-1] for row in beside[0].table.rows]
    assert (places.count("shown"), places.count("left out")) == (10, 8)


def test_exactly_1_ms_is_left_out() -> None:
    bundle = with_clat(enterprise_bundle(), "rnd.read.q256", 1_000_000)
    random = list(two_in_one([bundle]))[1]
    assert "4 KiB read QD256" in random.caption


def test_a_drive_that_is_always_slower_than_1_ms_keeps_its_points() -> None:
    bundle = enterprise_bundle()
    for depth in DEPTHS:
        for label in ("read", "write", "r95w5"):
            bundle = with_clat(bundle, f"seq.{label}.q{depth}", 3_000_000 * depth)
    figure = next(iter(two_in_one([bundle])))
    assert len(rows(figure, "key-depths")) == 27
    assert "None of the 27 points took less than 1 ms, so all of them are shown" in figure.caption
    assert_whole(figure)


def test_the_line_follows_the_queue_depths_where_speed_falls_back() -> None:
    bundle = with_iops(enterprise_bundle(), "rnd.read.q32", depth_iops(job_of("rnd.read.q16")) * 0.9)
    figure = list(two_in_one([bundle]))[1]
    line = [row for row in rows(figure, "depths-compared") if row["label"] == "4 KiB read"]
    assert [row["x"] for row in line] != sorted(row["x"] for row in line)
    assert [row["y"] for row in line] == sorted(row["y"] for row in line)
    assert layer(figure, "depths-compared")["encoding"]["order"] == {"value": None}
    assert_whole(figure)


def test_labels_are_queue_depths_and_two_lines_at_one_spot_share_one(alone: list[Figure]) -> None:
    assert set(texts(alone[0])) <= {*(str(one) for one in DEPTHS), *(f"QD{one}" for one in DEPTHS)}
    # Reads and the 95/5 mix are equally fast in the sample.
    assert texts(alone[0]).count("QD1") == 1


def test_the_drive_under_test_is_drawn_thick_and_last(beside: list[Figure]) -> None:
    names = layer_names(beside[0])
    assert names.index("depths-compared") < names.index("depths-under-test")
    assert {row["label"] for row in rows(beside[0], "depths-under-test")} == {FIRST.model}


def test_a_failed_check_makes_the_point_hollow_and_is_said() -> None:
    made = Made(failed={"rnd.read.q4.iops": ("host.cpu",)})
    figure = list(two_in_one([enterprise_bundle(made)]))[1]
    assert len(rows(figure, "depths-holes")) == 1
    assert "failed host.cpu" in rows(figure, "depths-holes")[0]["words"]


def test_blocks_as_large_as_each_drives_unit_are_set_beside_each_other_and_named() -> None:
    drives = [replace(FIRST, unit_bytes=16_384), replace(SECOND, unit_bytes=8_192)]
    figures = list(two_in_one([enterprise_bundle(made, "enterprise-iu") for made in drives]))
    random = next(one for one in figures if one.name == "two-in-one-rnd-16-kib-read")
    assert {row["label"] for row in rows(random, "key-depths")} == {FIRST.model, f"{SECOND.model}, 8 KiB"}


def test_a_drive_that_cannot_do_a_workload_is_not_shown_with_another() -> None:
    bundle = enterprise_bundle(SECOND)
    kept = tuple(one for one in bundle.metrics if not one.name.startswith("rnd.read512."))
    figures = list(two_in_one([enterprise_bundle(FIRST), replace(bundle, metrics=kept)]))
    assert {row["label"] for row in rows(figures[-1], "key-depths")} == {FIRST.model}


def test_a_consumer_run_has_none() -> None:
    assert list(two_in_one([enterprise_bundle(suite="client")])) == []


def test_a_quick_run_says_that_it_is_not_comparable() -> None:
    figure = next(iter(two_in_one([enterprise_bundle(profile="quick")])))
    assert "quick profile: not comparable" in figure.subtitle


def test_everything_is_drawn_wide_and_narrow_both_ways(alone: list[Figure], beside: list[Figure]) -> None:
    for figure in (*alone, beside[0]):
        assert_whole(figure)
        assert_inside_axes(figure)
        assert figure.variant is not None
        assert render_svg(figure.variant.spec).startswith("<svg")
        assert render_svg(figure.variant.narrow_spec).startswith("<svg")


def test_a_page_unfolds_the_other_way_without_a_script(tmp_path: Path) -> None:
    bundle = with_only(enterprise_bundle(), tmp_path, "seq.read")
    text = page([bundle])
    folded = text.partition("<summary>The same on linear axes</summary>")[2].partition("</details>")[0]
    assert folded.count("<svg") == 2
    assert "mean completion latency (µs)" in folded


def test_both_ways_are_written_as_pictures(tmp_path: Path) -> None:
    bundle = with_only(enterprise_bundle(), tmp_path, "seq.read")
    names = [file.path.name for file in write_pictures(placed_figures([bundle], tmp_path / "png"))]
    assert {"two-in-one-seq.png", "two-in-one-seq-linear.png", "two-in-one-seq-linear.svg"} <= set(names)


def with_clat(bundle: Bundle, point: str, clat: float) -> Bundle:
    return _with(bundle, f"{point}.clat_mean", clat)


def with_iops(bundle: Bundle, point: str, iops: float) -> Bundle:
    return _with(bundle, f"{point}.iops", iops)


def _with(bundle: Bundle, name: str, value: float) -> Bundle:
    metrics = tuple(replace(one, value=value) if one.name == name else one for one in bundle.metrics)
    return replace(bundle, metrics=metrics)


def test_the_axis_of_latency_ends_at_1_ms_where_a_point_is_just_below() -> None:
    figure = next(iter(two_in_one([with_clat(enterprise_bundle(), "seq.read.q32", 990_000)])))
    assert scale(figure.spec, "y")["domain"][1] == 1000


def test_no_label_is_nearer_to_another_point_than_to_its_own() -> None:
    x, y = PlotAxis("x", 0, 100, (0, 100), 100), PlotAxis("y", 0, 100, (0, 100), 100)
    crowd = tuple(CurvePoint(50, 50 + 11 * one, words="", remark=str(one)) for one in range(3))
    curve = Curve("a", 1, Rank.COMPARED, crowd, tuple((one.x, one.y) for one in crowd))
    for label in point_labels([curve], x, y, WIDE, []):
        own = crowd[int(label.lines[0])]
        distances = [abs(100 - one.y - label.spot.y_px) for one in crowd]
        assert min(distances) == abs(100 - own.y - label.spot.y_px)


def test_speeds_that_hardly_differ_have_ticks_enough() -> None:
    bundle = enterprise_bundle()
    for depth in DEPTHS:
        for label in ("read", "write", "r95w5"):
            bundle = with_iops(bundle, f"seq.{label}.q{depth}", 5_000.0 + depth)
    figure = next(iter(two_in_one([bundle])))
    assert ticks(figure, "x") == snapshot([620.0, 630.0, 640.0])
    assert_whole(figure)
    assert_inside_axes(figure)
