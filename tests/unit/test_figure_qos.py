"""Latency at each percentile, by queue depth (METHODS E.fig, QoS)."""

from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import assert_inside_axes, assert_whole, axes, panel_titles, rows, scale, ticks
from tests.kit.sample_enterprise import DEPTHS, Made, clat_ns, enterprise_bundle

from ssdlab.bundle.read import Bundle
from ssdlab.figure.enterprise.qos import qos
from ssdlab.figure.kit.model import Figure
from ssdlab.job import Job

FIRST, SECOND = Made(), Made(model="Lab PM2 7.68TB", factor=0.25)


@pytest.fixture(scope="module")
def alone() -> list[Figure]:
    return list(qos([enterprise_bundle(FIRST)]))


@pytest.fixture(scope="module")
def beside() -> list[Figure]:
    return list(qos([enterprise_bundle(FIRST), enterprise_bundle(SECOND)]))


def job_of(point: str) -> Job:
    job = next(step.job for step in enterprise_bundle().steps if step.point.name == point)
    assert job is not None
    return job


def test_one_drive_has_a_plot_for_each_workload(alone: list[Figure]) -> None:
    assert [(one.name, panel_titles(one)) for one in alone] == snapshot(
        [
            ("qos-seq-1", ["128 KiB read", "128 KiB write", "128 KiB 95/5 mix (read intensive)"]),
            ("qos-rnd-1", ["4 KiB read", "4 KiB write", "4 KiB 70/30 mix (mainstream)"]),
            ("qos-rnd-2", ["4 KiB 50/50 mix (write intensive)", "512 B read (AI)"]),
        ]
    )


def test_a_line_is_a_percentile_with_a_point_for_each_depth(alone: list[Figure]) -> None:
    drawn = rows(alone[1], "key-plot0")
    assert list(dict.fromkeys(row["label"] for row in drawn)) == snapshot(
        ["50 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %", "99.9999 %"]
    )
    assert len(drawn) == 7 * len(DEPTHS)
    of_999 = {row["x"]: row["y"] for row in drawn if row["label"] == "99.9 %"}
    assert of_999 == {
        depth: pytest.approx(clat_ns(job_of(f"rnd.read.q{depth}")) * 2**3 / 1000, rel=1e-5) for depth in DEPTHS
    }


def test_axes_are_queue_depth_and_latency_on_a_log_scale(alone: list[Figure]) -> None:
    assert axes(alone[0]) == [("queue depth", "completion latency (log scale)")] * 3
    assert ticks(alone[0], "x") == list(DEPTHS)
    assert scale(alone[0].spec, "y")["type"] == "log"
    assert alone[0].subtitle[-1] == snapshot("So many of all I/Os took at most that long")


def test_several_drives_have_a_figure_for_each_workload_and_a_plot_for_a_percentile(beside: list[Figure]) -> None:
    assert len(beside) == 8
    assert (beside[3].name, panel_titles(beside[3])) == snapshot(
        ("qos-rnd-4-kib-read", ["99 % of I/Os", "99.99 % of I/Os", "99.9999 % of I/Os"])
    )
    drawn = {(row["label"], row["x"]): row["y"] for row in rows(beside[3], "key-plot0")}
    job = job_of("rnd.read.q8")
    assert drawn[FIRST.model, 8] == pytest.approx(clat_ns(job, FIRST) * 4 / 1000, rel=1e-5)
    assert drawn[SECOND.model, 8] == pytest.approx(clat_ns(job, SECOND) * 4 / 1000, rel=1e-5)


def test_a_percentile_that_is_unknown_is_not_drawn_and_the_table_says_why(alone: list[Figure]) -> None:
    bundle = without_percentiles(enterprise_bundle(), "99_999", "99_9999")
    figure = next(iter(qos([bundle])))
    assert "99.999 %" not in {row["label"] for row in rows(figure, "key-plot0")}
    assert figure.table.rows[0][-1] == "too few I/Os above"
    assert_whole(figure)


def test_drives_that_only_know_the_median_are_compared_by_it() -> None:
    keep = ("90", "99", "99_9", "99_99", "99_999", "99_9999")
    bundles = [without_percentiles(enterprise_bundle(made), *keep) for made in (FIRST, SECOND)]
    assert panel_titles(next(iter(qos(bundles)))) == ["50 % of I/Os"]


def test_everything_is_drawn_wide_and_narrow(alone: list[Figure], beside: list[Figure]) -> None:
    for figure in (alone[0], alone[2], beside[0]):
        assert_whole(figure)
        assert_inside_axes(figure)


def without_percentiles(bundle: Bundle, *percents: str) -> Bundle:
    endings = tuple(f".clat_p{one}" for one in percents)
    return replace(bundle, metrics=tuple(one for one in bundle.metrics if not one.name.endswith(endings)))
