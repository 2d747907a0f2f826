"""Several runs beside each other: which belong together, the table of the drives, what hundreds of points become."""

from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from tests.kit.sample_client import DEPTHS, SHARES, Made, client_bundle, share_iops, without

from ssdlab.bundle.read import Bundle
from ssdlab.report import view
from ssdlab.report.comparison import RowStanding, Summary, comparable_groups, summary
from ssdlab.report.metric_tables import MetricGroup, metric_groups
from ssdlab.units import GIB

FIRST = Made()
FASTER = Made(model="Lab PM9 4TB", factor=2, reach_bytes=48 * GIB)
SLOWER = Made(model="Lab QLC 1TB", factor=0.5)


@pytest.fixture(scope="module")
def bundles() -> list[Bundle]:
    return [client_bundle(made) for made in (FIRST, SLOWER, FASTER)]


@pytest.fixture(scope="module")
def table(bundles: list[Bundle]) -> Summary:
    return summary(bundles)


def test_runs_of_one_suite_version_and_profile_are_compared(bundles: list[Bundle]) -> None:
    quick = client_bundle(FIRST, profile="quick")
    cdm = client_bundle(FIRST, suite="cdm")

    assert comparable_groups([bundles[0], quick, cdm, bundles[1]]) == [(bundles[0], bundles[1])]
    assert comparable_groups([bundles[0], quick]) == []


def test_the_drive_under_test_comes_first_then_the_best(table: Summary) -> None:
    assert [str(drive.label) for drive in table.drives] == [FIRST.model, FASTER.model, SLOWER.model]
    assert [drive.slot for drive in table.drives] == [1, 3, 2]


def test_the_rows_follow_the_suite(table: Summary) -> None:
    assert [str(row.label) for row in table.rows] == snapshot(
        [
            "fill: mean speed",
            "fill: slowest 1 %, pass 1",
            "SLC cache, pass 1",
            "reach of the mapping cache",
            "sync write, RND 4 KiB",
            "read/write ratio, weighted mean, random 4 KiB",
            "written after 5 s of rest",
            "written after 240 s of rest",
        ]
    )


def test_cells_are_the_metrics_and_the_best_of_a_row_stands_out(table: Summary) -> None:
    mean = table.rows[0]

    assert [cell.text for cell in mean.cells] == snapshot(["1,700 MiB/s", "3,400 MiB/s", "850 MiB/s"])
    assert [cell.standing for cell in mean.cells] == [RowStanding.BEHIND, RowStanding.BEST, RowStanding.BEHIND]
    assert mean.cells[0].exact == repr(1700.0 * 1024**2)


def test_what_a_drive_does_not_have_says_why_and_makes_no_other_the_best(table: Summary) -> None:
    reach = next(row for row in table.rows if str(row.label) == "reach of the mapping cache")

    assert [str(cell.text) for cell in reach.cells] == snapshot(
        [
            "no drop within the drive: the speed falls by less than 10%",
            "48 GiB",
            "no drop within the drive: the speed falls by less than 10%",
        ]
    )
    assert {cell.standing for cell in reach.cells} == {RowStanding.BEHIND}


def test_the_best_numbers_that_are_level_are_all_tied() -> None:
    level = summary(
        [client_bundle(made) for made in (FIRST, replace(FIRST, model="Level", factor=FIRST.factor * 1.01), SLOWER)]
    )
    mean = next(row for row in level.rows if str(row.label) == "fill: mean speed")
    assert [cell.standing for cell in mean.cells] == [RowStanding.LEVEL, RowStanding.LEVEL, RowStanding.BEHIND]


def test_a_number_that_failed_its_audit_is_marked(bundles: list[Bundle]) -> None:
    failed = client_bundle(replace(FIRST, failed={"fill.bandwidth_mean": ("coverage.fill",)}))

    cell = summary([failed, bundles[1]]).rows[0].cells[0]

    assert str(cell.text) == snapshot("1,700 MiB/s ✗")
    assert "failed coverage.fill" in str(cell.tip)


def test_what_stands_against_comparing_is_said(bundles: list[Bundle]) -> None:
    other = replace(bundles[1], run=replace(bundles[1].run, engine="fio-3.30", spec_text="[geometry]"))
    edited = replace(other, run=replace(other.run, suite=replace(other.run.suite, sha256="0")))
    quick = [client_bundle(made, profile="quick") for made in (FIRST, SLOWER)]

    assert summary(bundles).warnings == ()
    assert tuple(map(str, summary([bundles[0], edited]).warnings)) == snapshot(
        (
            "the texts of the suites differ, though their name and version are the same",
            "the engines differ: fio-3.41, fio-3.30",
            "some drives are real and some are models",
        )
    )
    assert tuple(map(str, summary(quick).warnings)) == snapshot(("quick profile: not comparable",))


def group(bundle: Bundle, beginning: str) -> MetricGroup:
    return next(one for one in metric_groups(bundle) if str(one.title).startswith(beginning))


def test_a_sweep_is_a_matrix_of_depth_and_share(bundles: list[Bundle]) -> None:
    ratio = group(bundles[0], "rw_ratio")

    assert str(ratio.title) == snapshot("rw_ratio (drive state: preconditioned)")
    assert [str(table.title) for table in ratio.tables] == snapshot(
        ["I/Os a second (IOPS)", "bandwidth (MiB/s)", "relative standard error (%)"]
    )
    speeds = ratio.tables[0]
    assert speeds.columns == tuple(f"{share} %" for share in SHARES)
    assert [str(name) for name, _ in speeds.rows] == snapshot(["QD1", "QD2", "QD4", "weighted"])
    for (_, cells), depth in zip(speeds.rows[: len(DEPTHS)], DEPTHS, strict=True):
        assert [cell.exact for cell in cells] == [repr(share_iops(depth, share)) for share in SHARES]
    assert [row.name for row in ratio.rows] == ["rw_ratio.rnd.rank.iops"]


def test_points_that_differ_in_their_range_or_rest_are_rows(bundles: list[Bundle]) -> None:
    ranges, rests = group(bundles[0], "active_range").tables[0], group(bundles[0], "reclaim").tables[0]

    assert [str(name) for name, _ in ranges.rows][:3] == snapshot(["first 1 GiB", "first 2 GiB", "first 4 GiB"])
    assert tuple(map(str, ranges.columns)) == snapshot(("I/Os a second (IOPS)",))
    assert [str(name) for name, _ in rests.rows][-1] == snapshot("after 240 s of rest")
    assert [cell.text for cell in rests.rows[0][1]] == snapshot(["110.0 GiB"])


def test_reads_and_writes_are_the_columns_of_a_desktop_benchmark() -> None:
    speeds = group(client_bundle(FIRST, suite="cdm"), "cdm").tables[0]

    assert tuple(map(str, speeds.columns)) == snapshot(("write", "read"))
    assert [str(name) for name, _ in speeds.rows][:2] == snapshot(["SEQ 1 MiB QD8 1 job", "SEQ 1 MiB QD1 1 job"])


def test_few_points_stay_a_list(bundles: list[Bundle]) -> None:
    sync = group(bundles[0], "sync_write")

    assert sync.tables == ()
    assert [(str(row.label), row.name) for row in sync.rows] == snapshot([("I/Os a second", "sync_write.rnd.iops")])


def test_no_metric_is_lost_in_folding(bundles: list[Bundle]) -> None:
    groups = metric_groups(bundles[0])

    listed = [row.name for one in groups for row in one.rows]
    folded = [cell.name for one in groups for table in one.tables for _, cells in table.rows for cell in cells]
    assert sorted(listed + folded) == sorted(metric.name for metric in bundles[0].metrics)


def test_a_point_that_was_not_measured_leaves_a_gap(bundles: list[Bundle]) -> None:
    speeds = group(without(bundles[0], "rw_ratio.rnd.q2.r30."), "rw_ratio").tables[0]

    gap = speeds.rows[1][1][3]
    assert (str(gap.text), gap.exact, str(gap.tip)) == snapshot(("none", "", "not measured"))


def test_hundreds_of_steps_are_a_row_for_each_step_of_the_suite(bundles: list[Bundle]) -> None:
    groups = {one.whole.name: one for one in view.step_groups(bundles[0])}

    assert list(groups) == snapshot(
        ["purge", "fill", "active_range", "precondition", "sync_write", "rw_ratio", "reclaim"]
    )
    assert str(groups["rw_ratio"].whole.status) == snapshot("660 finished")
    assert len(groups["rw_ratio"].points) == 1 + len(DEPTHS) * len(SHARES)
    assert groups["rw_ratio"].points[1].name == "rw_ratio.rnd.q1.r0"
