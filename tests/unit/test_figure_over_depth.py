"""Speed and latency over queue depth (METHODS E.fig, the older form of the 2-in-1)."""

from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import assert_inside_axes, assert_whole, axes, panel_titles, rows, scale, ticks
from tests.kit.sample_enterprise import DEPTHS, Made, clat_ns, depth_iops, enterprise_bundle, mib_per_s

from ssdlab.figure.enterprise.over_depth import over_depth
from ssdlab.figure.kit.model import Figure, plots_of
from ssdlab.job import Job

FIRST, SECOND = Made(), Made(model="Lab PM2 7.68TB", factor=0.25)


@pytest.fixture(scope="module")
def alone() -> list[Figure]:
    return list(over_depth([enterprise_bundle(FIRST)]))


@pytest.fixture(scope="module")
def beside() -> list[Figure]:
    return list(over_depth([enterprise_bundle(FIRST), enterprise_bundle(SECOND)]))


def job_of(point: str) -> Job:
    job = next(step.job for step in enterprise_bundle().steps if step.point.name == point)
    assert job is not None
    return job


def test_one_drive_has_speed_beside_latency_with_a_line_for_each_workload(alone: list[Figure]) -> None:
    assert [(one.name, one.title, panel_titles(one)) for one in alone] == snapshot(
        [
            (
                "over-depth-seq",
                "Sequential I/O: speed and latency by queue depth",
                ["Bandwidth", "Mean completion latency"],
            ),
            ("over-depth-rnd", "Random I/O: speed and latency by queue depth", ["Rate", "Mean completion latency"]),
        ]
    )
    assert sorted({row["label"] for row in rows(alone[1], "key-speed")}) == snapshot(
        [
            "4 KiB 50/50 mix (write intensive)",
            "4 KiB 70/30 mix (mainstream)",
            "4 KiB read",
            "4 KiB write",
            "512 B read (AI)",
        ]
    )


def test_axes_are_queue_depth_speed_and_latency_on_a_log_scale(alone: list[Figure]) -> None:
    assert [axes(one) for one in alone] == snapshot(
        [
            [("queue depth", "bandwidth (MiB/s)"), ("queue depth", "mean completion latency (log scale)")],
            [("queue depth", "rate (IOPS, log scale)"), ("queue depth", "mean completion latency (log scale)")],
        ]
    )
    assert ticks(alone[0], "x") == list(DEPTHS)
    assert [scale(plots_of(one.spec)[1], "y")["type"] for one in alone] == ["log", "log"]


def test_every_point_is_there_also_those_of_a_millisecond_and_more(alone: list[Figure]) -> None:
    sequential, random = alone
    speeds = {row["x"]: row["y"] for row in rows(random, "key-speed") if row["label"] == "4 KiB write"}
    assert speeds == {q: pytest.approx(depth_iops(job_of(f"rnd.write.q{q}")), rel=1e-5) for q in DEPTHS}
    latencies = {row["x"]: row["y"] for row in rows(random, "key-latency") if row["label"] == "4 KiB write"}
    assert latencies == {q: pytest.approx(clat_ns(job_of(f"rnd.write.q{q}")) / 1000, rel=1e-5) for q in DEPTHS}
    bandwidths = {row["x"]: row["y"] for row in rows(sequential, "key-speed") if row["label"] == "128 KiB read"}
    assert bandwidths == {q: pytest.approx(mib_per_s(job_of(f"seq.read.q{q}")), rel=1e-5) for q in DEPTHS}
    slowest = max(row["y"] for one in alone for row in rows(one, "key-latency"))
    assert slowest > 1000


def test_loads_have_the_names_by_which_reviews_know_them(beside: list[Figure]) -> None:
    assert [one.title for one in beside] == snapshot(
        [
            "Sequential 128 KiB read: speed and latency by queue depth",
            "Sequential 128 KiB write: speed and latency by queue depth",
            "Sequential 128 KiB 95/5 mix (read intensive): speed and latency by queue depth",
            "Random 4 KiB read: speed and latency by queue depth",
            "Random 4 KiB write: speed and latency by queue depth",
            "Random 4 KiB 70/30 mix (mainstream): speed and latency by queue depth",
            "Random 4 KiB 50/50 mix (write intensive): speed and latency by queue depth",
            "Random 512 B read (AI): speed and latency by queue depth",
        ]
    )


def test_several_drives_have_a_figure_for_each_workload(beside: list[Figure]) -> None:
    figure = next(one for one in beside if one.name == "over-depth-rnd-4-kib-write")
    job = job_of("rnd.write.q8")
    speeds = {(row["label"], row["x"]): row["y"] for row in rows(figure, "key-speed")}
    assert speeds[FIRST.model, 8] == pytest.approx(depth_iops(job, FIRST), rel=1e-5)
    assert speeds[SECOND.model, 8] == pytest.approx(depth_iops(job, SECOND), rel=1e-5)
    assert [row["words"] for row in rows(figure, "key-latency") if row["x"] == 8] == snapshot(
        ["Lab PM2 7.68TB, QD8: 160 µs", "Lab PM1 3.84TB, QD8: 40.0 µs"]
    )


def test_a_run_without_completion_latency_has_the_speed_alone() -> None:
    bundle = enterprise_bundle(FIRST)
    speeds = tuple(one for one in bundle.metrics if not one.name.endswith(".clat_mean"))
    figure = next(iter(over_depth([replace(bundle, metrics=speeds)])))
    assert panel_titles(figure) == ["Bandwidth"]
    assert figure.table.rows[0][-1] == "unknown"


def test_the_table_has_every_value(alone: list[Figure]) -> None:
    assert [column.title for column in alone[1].table.columns] == snapshot(
        ["line", "queue depth", "speed", "mean completion latency"]
    )
    assert alone[1].table.rows[0] == snapshot(("4 KiB read", "1", "15,000", "66.7"))


def test_everything_is_drawn_wide_and_narrow(alone: list[Figure], beside: list[Figure]) -> None:
    for figure in (*alone, beside[0], beside[4]):
        assert_whole(figure)
        assert_inside_axes(figure)
