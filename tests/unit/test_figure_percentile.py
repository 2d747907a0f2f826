"""Latency of every I/O by percentile (METHODS C7)."""

from dataclasses import replace
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import assert_inside_axes, assert_whole, axes, rows, scale, ticks
from tests.kit.sample_client import Made, client_bundle
from tests.kit.sample_enterprise import write_kept

from ssdlab.bundle.files import BundleFiles, Unlisted
from ssdlab.bundle.model import StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction, DirectionResult, EveryIo, LatencyKind, RawResult, Series
from ssdlab.figure.client.percentile_latency import percentile_latency
from ssdlab.figure.kit.model import Figure
from ssdlab.job import IoLog, Job, Pattern

COUNT = 2_000


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> list[Figure]:
    bundles = [
        logged(tmp_path_factory.mktemp("a"), Made(), 1.0),
        logged(tmp_path_factory.mktemp("b"), Made(model="Lab PM2 2TB"), 3.0),
    ]
    return list(percentile_latency(bundles))


def logged(path: Path, made: Made, slower: float, timed: LatencyKind = LatencyKind.CLAT) -> Bundle:
    """A run of the suite that keeps every I/O: random ones take 20 to 120 µs, evenly spread."""
    files = BundleFiles(path, {}, Unlisted.READ)
    bundle = replace(client_bundle(made, suite="client-2025.07"), path=path, files=files)
    steps = []
    for step in bundle.steps:
        kept = step.job is not None and step.job.io_log is IoLog.EVERY_IO and step.job.pattern is Pattern.RANDOM
        steps.append(step if kept or step.job is None else replace(step, status=StepStatus.SKIPPED))
        if kept and step.job is not None:
            direction = Direction.READ if step.job.read_percent else Direction.WRITE
            latency = np.linspace(20_000, 120_000, COUNT).astype(np.int64) * int(slower)
            ios = EveryIo(time_ns=np.cumsum(latency), latency_ns=latency, offset_bytes=np.zeros(COUNT, dtype=np.int64))
            bundle.directory(step).mkdir(parents=True)
            write_kept(bundle.directory(step), result_of(step.job, direction, ios), timed)
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


def test_tables_mark_the_drive_that_tells_latency_with_submission(tmp_path: Path) -> None:
    older = logged(tmp_path / "b", Made(model="Lab PM2 2TB"), 3.0, LatencyKind.LAT)
    figure = next(percentile_latency([logged(tmp_path / "a", Made(), 1.0), older]))
    for table in (figure.table, figure.curves):
        assert table is not None
        assert [str(label).endswith(", lat") for label in dict.fromkeys(row[0] for row in table.rows)] == [False, True]


def test_runs_of_one_drive_that_tell_two_latencies_have_no_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older version began the run, and another went on with it."""
    bundle, kinds, result = logged(tmp_path, Made(), 1.0), cycle(LatencyKind), Bundle.result
    assert list(percentile_latency([bundle]))
    monkeypatch.setattr(Bundle, "result", lambda of, step: replace(result(of, step), timed=next(kinds)))
    assert not list(percentile_latency([bundle]))


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
