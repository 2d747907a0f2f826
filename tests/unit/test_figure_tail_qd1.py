"""Latency of every I/O at QD1 by percentile (METHODS E.fig, tail latency)."""

from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import assert_whole, axes, layer, rows, ticks
from tests.kit.sample_enterprise import Made, enterprise_bundle, with_every_io

from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import LatencyKind
from ssdlab.figure.client.percentile_latency import percentile_latency
from ssdlab.figure.enterprise.tail_qd1 import tail_qd1
from ssdlab.figure.kit.model import Figure
from ssdlab.report.figure_csv import sheets

FIRST, SECOND = Made(), Made(model="Lab PM2 7.68TB", factor=0.5)


def bundle_in(path: Path, made: Made, slower: int, timed: LatencyKind = LatencyKind.CLAT) -> Bundle:
    """Reads take 60 to 80 µs, writes 10 µs with 1 in 500 at 2 ms; of both 12,000."""
    reads = [slower * (60_000 + 2 * one) for one in range(10_000)] + [slower * 80_000] * 2_000
    writes = [slower * 10_000] * 11_976 + [slower * 2_000_000] * 24
    mixed = reads[::2] + writes[::2]
    latency_ns = {100: reads, 0: writes, 70: mixed, 50: mixed, 95: mixed}
    return with_every_io(enterprise_bundle(made), path, latency_ns, timed)


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> list[Bundle]:
    return [
        bundle_in(tmp_path_factory.mktemp("a"), FIRST, 1),
        bundle_in(tmp_path_factory.mktemp("b"), SECOND, 2),
    ]


@pytest.fixture(scope="module")
def alone(bundles: list[Bundle]) -> Figure:
    (figure,) = tail_qd1(bundles[:1])
    return figure


@pytest.fixture(scope="module")
def beside(bundles: list[Bundle]) -> list[Figure]:
    return list(tail_qd1(bundles))


def test_one_drive_has_a_line_for_each_random_workload_with_its_iops(alone: Figure) -> None:
    assert list(dict.fromkeys(row["label"] for row in rows(alone, "tails"))) == snapshot(
        [
            "4 KiB read: 15,000 IOPS",
            "4 KiB write: 60,000 IOPS",
            "4 KiB 70/30 mix (mainstream): 60,000 IOPS",
            "4 KiB 50/50 mix (write intensive): 60,000 IOPS",
            "512 B read (AI): 15,000 IOPS",
        ]
    )


def test_axes_have_equal_steps_per_nine_and_latency_from_1_us_to_10_ms(alone: Figure) -> None:
    assert axes(alone) == [("completion latency (log scale)", "percentile of I/Os")]
    assert ticks(alone, "y") == [0, 1, 2, 3, 4]
    assert (ticks(alone, "x")[0], ticks(alone, "x")[-1]) == (1, 10_000)


def test_each_nine_is_where_the_ios_say(alone: Figure) -> None:
    drawn = {row["words"]: row["x"] for row in rows(alone, "key-percentiles") if row["label"].startswith("4 KiB write")}
    assert drawn == snapshot(
        {
            "4 KiB write: completion latency at 90 %: 10.0 µs": 10.0,
            "4 KiB write: completion latency at 99 %: 10.0 µs": 10.0,
            "4 KiB write: completion latency at 99.9 %: 2.00 ms": 2000.0,
        }
    )


def test_reads_and_writes_of_a_mix_are_one_distribution(alone: Figure) -> None:
    row = next(row for row in alone.table.rows if row[0] == "4 KiB 70/30 mix (mainstream)")
    # 5,988 writes of 10 µs lie below all reads, so the 6,000th I/O is the 12th read.
    assert row[2] == "60.04"


def test_several_drives_have_a_figure_for_each_workload(beside: list[Figure]) -> None:
    assert [one.name for one in beside] == snapshot(
        [
            "tail-qd1-rnd-4-kib-read",
            "tail-qd1-rnd-4-kib-write",
            "tail-qd1-rnd-4-kib-70-30-mix",
            "tail-qd1-rnd-4-kib-50-50-mix",
            "tail-qd1-rnd-512-b-read",
        ]
    )
    assert [row["label"] for row in rows(beside[0], "key-percentiles")][::3] == snapshot(
        ["Lab PM1 3.84TB: 15,000 IOPS", "Lab PM2 7.68TB: 7,500 IOPS"]
    )


def test_the_drive_under_test_is_drawn_thick_and_last(beside: list[Figure]) -> None:
    lines = layer(beside[0], "tails")
    assert lines["data"]["values"][-1]["label"] == "Lab PM1 3.84TB: 15,000 IOPS"
    widths = lines["encoding"]["strokeWidth"]["scale"]["range"]
    assert widths[0] > widths[1]


def test_sequential_workloads_and_runs_without_such_logs_have_none() -> None:
    assert list(tail_qd1([enterprise_bundle(suite="client")])) == []


def test_a_run_over_queue_depths_has_no_figure_of_the_consumer_suite_as_well(bundles: list[Bundle]) -> None:
    assert list(percentile_latency(bundles)) == []


def test_a_bundle_that_kept_total_latency_is_named_for_it(bundles: list[Bundle], tmp_path: Path) -> None:
    older = bundle_in(tmp_path, SECOND, 2, LatencyKind.LAT)
    alone = next(iter(tail_qd1([older])))
    assert axes(alone) == [("total latency (log scale)", "percentile of I/Os")]
    assert alone.caption.startswith("Total latency of every single I/O")
    beside = next(iter(tail_qd1([bundles[0], older])))
    assert axes(beside) == [("latency (log scale)", "percentile of I/Os")]
    assert [row["label"] for row in rows(beside, "key-percentiles")][::3] == [
        "Lab PM1 3.84TB: 15,000 IOPS",
        "Lab PM2 7.68TB, lat: 7,500 IOPS",
    ]


def test_every_point_of_the_curves_is_in_a_sheet_of_its_own(alone: Figure) -> None:
    sheet = dict(sheets(alone))[f"{alone.name}-curves"].splitlines()
    assert sheet[0] == "line,percentile of I/Os (%),completion latency (µs)"
    reads = [line.split(",") for line in sheet if line.startswith("4 KiB read,")]
    assert len(reads) > 400
    assert ["4 KiB read", "99", "80.000"] in reads


def test_everything_is_drawn_wide_and_narrow(alone: Figure, beside: list[Figure]) -> None:
    for figure in (alone, beside[1]):
        assert_whole(figure)
