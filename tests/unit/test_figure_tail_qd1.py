"""Latency of every I/O at QD1 by percentile (METHODS E.fig, tail latency)."""

from math import ceil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from tests.unit.figure_content import assert_whole, axes, layer, rows, ticks
from tests.unit.sample_enterprise import Made, enterprise_bundle, with_every_io

from ssdlab.bundle.read import Bundle
from ssdlab.bundle.tables import LatencyCounts
from ssdlab.figure.model import Figure
from ssdlab.figure.percentile_latency import percentile_latency
from ssdlab.figure.tail_qd1 import percentiles_of, tail_qd1

FIRST, SECOND = Made(), Made(model="Lab PM2 7.68TB", factor=0.5)


def bundle_in(path: Path, made: Made, slower: int) -> Bundle:
    """Reads take 60 to 80 µs, writes 10 µs with 1 in 500 at 2 ms; of both 12,000."""
    reads = [slower * (60_000 + 2 * one) for one in range(10_000)] + [slower * 80_000] * 2_000
    writes = [slower * 10_000] * 11_976 + [slower * 2_000_000] * 24
    mixed = reads[::2] + writes[::2]
    return with_every_io(enterprise_bundle(made), path, {100: reads, 0: writes, 70: mixed, 50: mixed, 95: mixed})


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


@given(st.lists(st.integers(1, 50), min_size=1, max_size=3000), st.sampled_from([0.0, 25.0, 50.0, 90.0, 99.0, 99.9]))
def test_a_percentile_is_the_nearest_rank_of_all_ios_with_ten_above(latencies: list[int], percent: float) -> None:
    values, counts = np.unique(np.array(latencies, dtype=np.int64), return_counts=True)

    grid, found = percentiles_of(LatencyCounts(values, counts))

    rank = max(1, ceil(round(percent * len(latencies) / 100, 9)))
    expected = sorted(latencies)[rank - 1] if len(latencies) - rank >= 10 else None
    at = found[grid.tolist().index(percent)]
    assert (None if np.isnan(at) else at) == expected


def test_one_drive_has_a_line_for_each_random_workload_with_its_iops(alone: Figure) -> None:
    assert list(dict.fromkeys(row["label"] for row in rows(alone, "tails"))) == snapshot(
        [
            "4 KiB read: 15,000 IOPS",
            "4 KiB write: 60,000 IOPS",
            "4 KiB 70/30 mix: 60,000 IOPS",
            "4 KiB 50/50 mix: 60,000 IOPS",
            "512 B read: 15,000 IOPS",
        ]
    )


def test_axes_have_equal_steps_per_nine_and_latency_from_1_us_to_10_ms(alone: Figure) -> None:
    assert axes(alone) == [("latency (log scale)", "percentile of I/Os")]
    assert ticks(alone, "y") == [0, 1, 2, 3, 4]
    assert (ticks(alone, "x")[0], ticks(alone, "x")[-1]) == (1, 10_000)


def test_each_nine_is_where_the_ios_say(alone: Figure) -> None:
    drawn = {row["words"]: row["x"] for row in rows(alone, "key-percentiles") if row["label"].startswith("4 KiB write")}
    assert drawn == snapshot(
        {
            "4 KiB write: latency at 90 %: 10.0 µs": 10.0,
            "4 KiB write: latency at 99 %: 10.0 µs": 10.0,
            "4 KiB write: latency at 99.9 %: 2.00 ms": 2000.0,
        }
    )


def test_reads_and_writes_of_a_mix_are_one_distribution(alone: Figure) -> None:
    row = next(row for row in alone.table.rows if row[0] == "4 KiB 70/30 mix")
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


def test_everything_is_drawn_wide_and_narrow(alone: Figure, beside: list[Figure]) -> None:
    for figure in (alone, beside[1]):
        assert_whole(figure)
