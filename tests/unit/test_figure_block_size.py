"""Speed over block size (METHODS E, sweep variant)."""

import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import assert_inside_axes, assert_whole, axes, panel_titles, rows, ticks
from tests.kit.sample_enterprise import Made, depth_iops, enterprise_bundle

from ssdlab.figure.enterprise.block_size_sweep import block_size_sweep
from ssdlab.figure.enterprise.two_in_one import two_in_one
from ssdlab.figure.kit.model import Figure
from ssdlab.job import Job

FIRST, SECOND = Made(), Made(model="Lab PM2 7.68TB", factor=0.25)
SIZES = [512 * 2**power for power in range(12)]


@pytest.fixture(scope="module")
def alone() -> list[Figure]:
    return list(block_size_sweep([enterprise_bundle(FIRST, "enterprise-sweep")]))


@pytest.fixture(scope="module")
def beside() -> list[Figure]:
    return list(block_size_sweep([enterprise_bundle(made, "enterprise-sweep") for made in (FIRST, SECOND)]))


def job_of(point: str) -> Job:
    job = next(step.job for step in enterprise_bundle(suite="enterprise-sweep").steps if step.point.name == point)
    assert job is not None
    return job


def test_one_drive_has_bandwidth_beside_iops_with_a_line_for_each_workload(alone: list[Figure]) -> None:
    assert [(one.name, one.title) for one in alone] == snapshot(
        [("block-size-seq-bs", "Sequential I/O by block size"), ("block-size-rnd-bs", "Random I/O by block size")]
    )
    assert panel_titles(alone[1]) == ["Bandwidth", "IOPS"]
    lines = [row["label"] for row in rows(alone[1], "bandwidth-compared")]
    assert {label: lines.count(label) for label in lines} == {"read at QD256": 12, "write at QD256": 12}


def test_axes_have_block_sizes_and_units(alone: list[Figure]) -> None:
    assert axes(alone[1]) == snapshot([("block size", "bandwidth (MiB/s, log scale)"), ("block size", "rate (IOPS)")])
    assert ticks(alone[1], "x") == SIZES[::2]


def test_every_point_is_the_metric(alone: list[Figure]) -> None:
    drawn = {row["x"]: row["y"] for row in rows(alone[1], "key-iops") if row["label"] == "read at QD256"}
    assert sorted(drawn) == pytest.approx(SIZES, rel=1e-5)
    assert list(drawn.values()) == [pytest.approx(depth_iops(job_of("rnd_bs.read.b4KiB.q256")), rel=1e-5)] * 12
    bandwidth = {row["x"]: row["y"] for row in rows(alone[1], "key-bandwidth") if row["label"] == "read at QD256"}
    assert bandwidth[4096] == pytest.approx(drawn[4096] * 4096 / 1024**2, rel=1e-5)


def test_several_drives_have_a_figure_for_each_workload(beside: list[Figure]) -> None:
    assert [one.name for one in beside] == snapshot(
        [
            "block-size-seq-bs-read-qd256",
            "block-size-seq-bs-write-qd256",
            "block-size-rnd-bs-read-qd256",
            "block-size-rnd-bs-write-qd256",
        ]
    )
    assert {row["label"] for row in rows(beside[0], "iops-under-test")} == {FIRST.model}
    assert {row["label"] for row in rows(beside[0], "iops-compared")} == {SECOND.model}


def test_the_same_run_has_figures_over_queue_depths_as_well() -> None:
    names = [one.name for one in two_in_one([enterprise_bundle(suite="enterprise-sweep")])]
    assert names == ["two-in-one-seq", "two-in-one-rnd"]


def test_a_run_over_queue_depths_alone_has_none() -> None:
    assert list(block_size_sweep([enterprise_bundle()])) == []


def test_the_table_has_a_column_for_each_size(alone: list[Figure]) -> None:
    assert [column.title for column in alone[0].table.columns][2:5] == ["512 B", "1 KiB", "2 KiB"]
    assert [row[:2] for row in alone[0].table.rows][:2] == [("read at QD256", "MiB/s"), ("read at QD256", "IOPS")]


def test_everything_is_drawn_wide_and_narrow(alone: list[Figure], beside: list[Figure]) -> None:
    for figure in (*alone, beside[0]):
        assert_whole(figure)
        assert_inside_axes(figure)
