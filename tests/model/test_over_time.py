"""Latency distributions over time: every I/O once, in its window, whichever engine counted it."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.kit.sample_fio import sequential_fill

from ssdlab import _core
from ssdlab.engine.fio.series import read_logs
from ssdlab.engine.over_time import completed_from
from ssdlab.engine.result import Direction, DirectionResult, Histogram, LatencyKind, LatencyWindows, RawResult
from ssdlab.job import IoLog, Job, Pattern
from ssdlab.lab.bench import open_bench
from ssdlab.units import KIB, MIB, NS_PER_MS, NS_PER_S

MIXED = sequential_fill(
    name="mixed",
    pattern=Pattern.RANDOM,
    read_percent=70,
    block_bytes=4 * KIB,
    queue_depth=8,
    amount_bytes=None,
    duration_ns=NS_PER_S,
    io_log=IoLog.DISTRIBUTION_OVER_TIME,
)
WINDOW_NS = 100 * NS_PER_MS


def on_model(job: Job, directory: Path) -> RawResult:
    with open_bench("model:demo?capacity=256MiB") as bench:
        return bench.engine.run(job, directory, lambda _: None)


def by_column(histogram: Histogram) -> dict[int, int]:
    """Counts by the coarse bin they belong to."""
    columns: dict[int, int] = {}
    for index, count in zip(histogram.bin_index.tolist(), histogram.count.tolist(), strict=True):
        first = index - index % _core.BINS_MERGED_OVER_TIME
        columns[first] = columns.get(first, 0) + count
    return columns


def all_windows(windows: LatencyWindows) -> dict[int, int]:
    indices = np.unique(windows.bin_index)
    return {int(index): int(windows.count[windows.bin_index == index].sum()) for index in indices}


def ios_of(one: DirectionResult) -> NDArray[np.float64]:
    return one.series.iops * one.series.duration_ns / NS_PER_S


def test_the_model_keeps_every_io_of_each_direction_in_its_window(tmp_path: Path) -> None:
    for one in on_model(MIXED, tmp_path).directions.values():
        windows = one.latency_windows
        assert windows is not None
        assert all_windows(windows) == by_column(one.latency[LatencyKind.CLAT])
        in_window = [int(windows.count[windows.time_ns == end].sum()) for end in one.series.time_ns]
        assert in_window == pytest.approx(ios_of(one))


def test_a_long_job_has_longer_windows(tmp_path: Path) -> None:
    slow = sequential_fill(
        amount_bytes=None, duration_ns=500 * NS_PER_S, rate_iops=20, io_log=IoLog.DISTRIBUTION_OVER_TIME
    )
    one = on_model(slow, tmp_path).directions[Direction.WRITE]
    assert one.latency_windows is not None
    assert one.latency_windows.window_ns == 2 * one.series.window_ns
    assert all_windows(one.latency_windows) == by_column(one.latency[LatencyKind.CLAT])
    assert one.latency_windows.time_ns[-1] == one.runtime_ns


@pytest.mark.parametrize("io_log", [IoLog.WINDOWS, IoLog.EVERY_IO])
def test_without_being_asked_nobody_counts_it(io_log: IoLog, tmp_path: Path) -> None:
    job = sequential_fill(amount_bytes=8 * MIB, io_log=io_log)
    assert on_model(job, tmp_path).directions[Direction.WRITE].latency_windows is None


def histogram_of(values_ns: list[int]) -> Histogram:
    indices, counts = np.unique([_core.bin_index(value) for value in values_ns], return_counts=True)
    return Histogram(indices, counts, 0.0, min(values_ns), max(values_ns), 0.0)


def log_line(time_ms: int, values_ns: list[int]) -> str:
    """A window of writes as fio writes it, four bins to a column."""
    columns = [0] * (_core.BIN_COUNT // 4)
    for value in values_ns:
        columns[_core.bin_index(value) // 4] += 1
    return ", ".join(map(str, [time_ms, 1, 4096, *columns])) + "\n"


def test_what_fio_did_not_log_any_more_completed_in_the_last_window(tmp_path: Path) -> None:
    (tmp_path / "log_clat.1.log").write_text("")
    (tmp_path / "log_clat_hist.1.log").write_text(log_line(101, [90, 90]) + log_line(200, [90, 5000]))
    job = sequential_fill(io_log=IoLog.DISTRIBUTION_OVER_TIME)
    logged = read_logs(job, tmp_path).over_time[Direction.WRITE]
    found = completed_from(histogram_of([90, 90, 90, 5000, 90, 70_000]), logged, WINDOW_NS, 265 * NS_PER_MS)
    rows = zip(
        (found.time_ns // NS_PER_MS).tolist(), [_core.bin_low(i) for i in found.bin_index], found.count, strict=True
    )
    assert list(rows) == [(100, 88, 2), (200, 88, 1), (200, 4864, 1), (265, 88, 1), (265, 69632, 1)]


def test_the_logs_of_several_jobs_are_counted_together(tmp_path: Path) -> None:
    for number, values in ((1, [90, 90]), (2, [90, 5000])):
        (tmp_path / f"log_clat.{number}.log").write_text("")
        (tmp_path / f"log_clat_hist.{number}.log").write_text(log_line(101, values))
    job = sequential_fill(jobs=2, io_log=IoLog.DISTRIBUTION_OVER_TIME)
    found = read_logs(job, tmp_path).over_time[Direction.WRITE]
    assert np.frombuffer(found.window, dtype=np.int64).tolist() == [0, 0]
    assert np.frombuffer(found.count, dtype=np.int64).tolist() == [3, 1]
