"""Latency of every I/O by percentile (METHODS C7)."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from inline_snapshot import snapshot
from tests.unit.figure_content import assert_inside_axes, assert_whole, axes, rows, scale, ticks
from tests.unit.sample_client import Made, client_bundle

from ssdlab.bundle.model import StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.tables import write_every_io
from ssdlab.engine.result import Direction, DirectionResult, EveryIo, RawResult, Series
from ssdlab.figure.model import Figure
from ssdlab.figure.percentile_latency import percentile_latency, percentiles
from ssdlab.job import IoLog, Job, Pattern

COUNT = 2_000


def test_percentiles_are_the_nearest_rank_and_have_ten_ios_above() -> None:
    latency_ns = np.arange(1, 101, dtype=np.int64) * 1_000

    percent, at = percentiles(np.random.default_rng(1).permutation(latency_ns))

    assert dict(zip(percent.tolist(), at.tolist(), strict=True))[50.0] == 50_000
    assert at[0] == 1_000
    assert percent[-1] == 90.0


def test_too_few_ios_have_no_percentile() -> None:
    percent, at = percentiles(np.arange(10, dtype=np.int64))

    assert len(percent) == len(at) == 0


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> list[Figure]:
    bundles = [
        logged(tmp_path_factory.mktemp("a"), Made(), 1.0),
        logged(tmp_path_factory.mktemp("b"), Made(model="Lab PM2 2TB"), 3.0),
    ]
    return list(percentile_latency(bundles))


def logged(path: Path, made: Made, slower: float) -> Bundle:
    """A run of the suite that keeps every I/O: random ones take 20 to 120 µs, evenly spread."""
    bundle = replace(client_bundle(made, suite="client-2025.07"), path=path)
    steps = []
    for step in bundle.steps:
        kept = step.job is not None and step.job.io_log is IoLog.EVERY_IO and step.job.pattern is Pattern.RANDOM
        steps.append(step if kept or step.job is None else replace(step, status=StepStatus.SKIPPED))
        if kept and step.job is not None:
            direction = Direction.READ if step.job.read_percent else Direction.WRITE
            latency = np.linspace(20_000, 120_000, COUNT).astype(np.int64) * int(slower)
            ios = EveryIo(time_ns=np.cumsum(latency), latency_ns=latency, offset_bytes=np.zeros(COUNT, dtype=np.int64))
            bundle.directory(step).mkdir(parents=True)
            write_every_io(result_of(step.job, direction, ios), bundle.directory(step) / "io.parquet")
    return replace(bundle, steps=tuple(steps))


def result_of(job: Job, direction: Direction, ios: EveryIo) -> RawResult:
    """What an engine would hand over, were these I/Os all it did."""
    nothing = np.empty(0)
    series = Series(
        window_ns=100_000_000,
        time_ns=np.empty(0, dtype=np.int64),
        bandwidth_bytes_per_s=nothing,
        iops=nothing,
        latency_ns_mean=nothing,
        latency_ns_max=nothing,
    )
    done = DirectionResult(
        io_count=COUNT,
        io_bytes=COUNT * job.block_bytes,
        short_ios=0,
        runtime_ns=1,
        logged_bytes=COUNT * job.block_bytes,
        latency={},
        series=series,
        every_io=ios,
    )
    return RawResult(
        job=job, engine="fio-3.41", elapsed_ns=1, directions={direction: done}, error_count=0, dropped=(), cpu=None
    )


def test_reads_and_writes_have_a_figure_each(figures: list[Figure]) -> None:
    assert [figure.name for figure in figures] == snapshot(
        ["percentile-latency-random-write", "percentile-latency-random-read"]
    )
    assert axes(figures[0]) == snapshot([("percentile of I/Os (%)", "completion latency (log scale)")])
    assert ticks(figures[0], "x") == list(range(0, 101, 10))
    assert scale(figures[0].spec, "y")["type"] == "log"


def test_the_legend_says_the_mean_iops(figures: list[Figure]) -> None:
    labels = {row["label"] for row in rows(figures[1], "key-percentiles")}

    assert labels == snapshot({"Lab PM1 1TB: 15,000 IOPS", "Lab PM2 2TB: 15,000 IOPS"})


def test_the_median_is_that_of_all_ios(figures: list[Figure]) -> None:
    median = [row for row in rows(figures[1], "key-percentiles") if row["x"] == 50]

    assert sorted(row["y"] for row in median) == pytest.approx([70, 210], rel=1e-3)
    assert sorted(row["words"] for row in median) == snapshot(
        ["Lab PM1 1TB at 50 %: 70.0 µs", "Lab PM2 2TB at 50 %: 210 µs"]
    )


def test_the_line_has_all_percentiles(figures: list[Figure]) -> None:
    line = rows(figures[1], "percentiles-under-test")

    assert len(line) > 300
    assert line[0]["y"] == pytest.approx(20)


def test_a_suite_that_keeps_no_ios_has_no_such_figure() -> None:
    assert list(percentile_latency([client_bundle()])) == []


def test_the_pictures_are_whole(figures: list[Figure]) -> None:
    for figure in figures:
        assert_inside_axes(figure)
        assert_whole(figure)
