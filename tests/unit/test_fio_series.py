"""fio's logs become windows that add up to what fio says it did."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from tests.unit.sample_fio import sequential_fill

from ssdlab.engine.fio_series import (
    FioOutputError,
    Rows,
    Totals,
    every_io_of,
    logged_bytes,
    read_logs,
    series_of,
    series_of_every_io,
)
from ssdlab.engine.result import Direction
from ssdlab.job import IoLog
from ssdlab.units import KIB, NS_PER_MS

JOB = sequential_fill()
WINDOW_MS = 100


def rows(times_ms: list[int], values: list[int], largest: list[int] | None = None) -> Rows:
    return Rows(
        np.array(times_ms, dtype=np.int64) * NS_PER_MS,
        np.array(values, dtype=np.int64),
        None if largest is None else np.array(largest, dtype=np.int64),
        None,
    )


def totals(io_bytes: int, runtime_ms: int) -> Totals:
    return Totals(io_bytes, runtime_ms * NS_PER_MS)


def logged_by(bandwidth: tuple[Rows, ...]) -> int:
    return logged_bytes(JOB, bandwidth, ())


@st.composite
def one_jobs_log(draw: st.DrawFn) -> Rows:
    """Windows of about 100 ms, some late as under load, one time stamp perhaps twice; KiB/s in each."""
    lengths = draw(st.lists(st.integers(80, 260), max_size=30))
    times = np.cumsum(lengths, dtype=np.int64).tolist()
    if times and draw(st.booleans()):
        times.append(times[-1])
    return rows(times, draw(st.lists(st.integers(0, 10**7), min_size=len(times), max_size=len(times))))


@given(st.lists(one_jobs_log(), min_size=1, max_size=4).map(tuple), st.integers(0, 2000), st.integers(0, 10**9))
def test_the_windows_add_up_to_fios_bytes(bandwidth: tuple[Rows, ...], late_ms: int, in_flight_bytes: int) -> None:
    io_bytes = logged_by(bandwidth) + in_flight_bytes
    last_ms = max((int(one.time_ns[-1]) // NS_PER_MS for one in bandwidth if len(one.time_ns)), default=1)
    series = series_of(JOB, totals(io_bytes, last_ms + late_ms), bandwidth, tuple(rows([], []) for _ in bandwidth))
    assert series.bytes_done[-1] == pytest.approx(io_bytes, rel=1e-9, abs=len(bandwidth))
    assert (series.bandwidth_bytes_per_s >= 0).all()
    assert (np.diff(series.time_ns) > 0).all()
    assert series.time_ns[-1] == max(1, last_ms + late_ms) * NS_PER_MS


def test_a_window_holds_what_was_done_in_it() -> None:
    bandwidth = rows([100, 200, 300], [1000, 2000, 500])
    series = series_of(JOB, totals(350 * KIB, 300), (bandwidth,), (rows([], []),))
    assert series.time_ns.tolist() == [100 * NS_PER_MS, 200 * NS_PER_MS, 300 * NS_PER_MS]
    assert series.bandwidth_bytes_per_s / KIB == pytest.approx([1000, 2000, 500])
    assert series.iops == pytest.approx(series.bandwidth_bytes_per_s / JOB.block_bytes)


def test_the_windows_of_several_jobs_are_added_where_they_overlap() -> None:
    first, second = rows([100, 200], [1000, 1000]), rows([150, 200], [600, 0])
    series = series_of(JOB, totals(290 * KIB, 200), (first, second), (rows([], []), rows([], [])))
    assert series.bandwidth_bytes_per_s / KIB == pytest.approx([1600, 1300])


def test_what_was_in_flight_when_fio_stopped_logging_is_in_the_last_window() -> None:
    bandwidth = rows([100, 200], [1000, 1000])
    series = series_of(JOB, totals(260 * KIB, 400), (bandwidth,), (rows([], []),))
    assert series.time_ns[-1] == 400 * NS_PER_MS
    assert series.bandwidth_bytes_per_s / KIB == pytest.approx([1000, 1000, 300])


def test_the_last_window_is_never_a_sliver() -> None:
    bandwidth = rows([100, 200, 300], [1000, 1000, 1000])
    series = series_of(JOB, totals(300 * KIB, 310), (bandwidth,), (rows([], []),))
    assert series.time_ns.tolist() == [100 * NS_PER_MS, 200 * NS_PER_MS, 310 * NS_PER_MS]


def test_a_job_shorter_than_a_window_is_one_window() -> None:
    series = series_of(JOB, totals(64 * KIB, 12), (rows([], []),), (rows([], []),))
    assert series.time_ns.tolist() == [12 * NS_PER_MS]
    assert series.bytes_done[-1] == pytest.approx(64 * KIB)
    assert np.isnan(series.latency_ns_mean).all()


def test_latency_is_shared_out_by_time() -> None:
    bandwidth = rows([100, 200], [1000, 1000])
    # fio ended its latency windows 50 ms later than its bandwidth windows.
    latency = rows([50, 150, 200], [10, 30, 70])
    series = series_of(JOB, totals(200 * KIB, 200), (bandwidth,), (latency,))
    assert series.latency_ns_mean == pytest.approx([(50 * 10 + 50 * 30) / 100, (50 * 30 + 50 * 70) / 100])


def test_the_latency_of_several_jobs_is_their_mean() -> None:
    bandwidth = rows([100], [1000])
    series = series_of(JOB, totals(200 * KIB, 100), (bandwidth, bandwidth), (rows([100], [10]), rows([100], [50])))
    assert series.latency_ns_mean == pytest.approx([30])


def test_a_window_in_which_nothing_moved_has_no_latency() -> None:
    bandwidth = rows([100, 200, 300], [1000, 0, 1000])
    latency = rows([100, 300], [10, 30])
    series = series_of(JOB, totals(200 * KIB, 300), (bandwidth,), (latency,))
    assert np.isnan(series.latency_ns_mean).tolist() == [False, True, False]


def test_a_window_after_the_last_latency_has_none() -> None:
    bandwidth = rows([100, 200, 300], [1000, 1000, 1000])
    series = series_of(JOB, totals(300 * KIB, 300), (bandwidth,), (rows([100], [10]),))
    assert np.isnan(series.latency_ns_mean).tolist() == [False, True, True]


def test_the_largest_latency_stands_in_the_window_it_happened_in() -> None:
    bandwidth = rows([100, 200], [1000, 1000])
    latency = (rows([101, 201], [10, 10], [90, 20]), rows([99, 200], [10, 10], [40, 30]))
    series = series_of(JOB, totals(200 * KIB, 200), (bandwidth, bandwidth), latency)
    assert series.latency_ns_max.tolist() == [90, 30]


def test_without_maxima_in_the_log_the_largest_latency_is_unknown() -> None:
    series = series_of(JOB, totals(100 * KIB, 100), (rows([100], [1000]),), (rows([100], [10]),))
    assert np.isnan(series.latency_ns_max).all()


def ios(times_ms: list[int], latencies_ns: list[int]) -> Rows:
    offsets = np.arange(len(times_ms), dtype=np.int64) * JOB.block_bytes
    return Rows(np.array(times_ms, dtype=np.int64) * NS_PER_MS, np.array(latencies_ns, dtype=np.int64), None, offsets)


def test_every_io_of_all_jobs_stands_in_order_of_completion() -> None:
    every = every_io_of((ios([1, 5, 9], [10, 50, 90]), ios([2, 5], [20, 55])))
    assert (every.time_ns // NS_PER_MS).tolist() == [1, 2, 5, 5, 9]
    assert every.latency_ns.tolist() == [10, 20, 50, 55, 90]
    assert (every.offset_bytes // JOB.block_bytes).tolist() == [0, 0, 1, 1, 2]


@given(st.lists(st.tuples(st.integers(0, 3000), st.integers(1, 10**9)), min_size=1, max_size=200), st.integers(0, 300))
def test_windows_counted_from_single_ios_hold_all_of_them(done: list[tuple[int, int]], late_ms: int) -> None:
    times, latencies = zip(*sorted(done), strict=True)
    every = every_io_of((ios(list(times), list(latencies)),))
    io_bytes = len(done) * JOB.block_bytes
    series = series_of_every_io(JOB, totals(io_bytes, max(times) + late_ms), every)
    assert series.bytes_done[-1] == pytest.approx(io_bytes)
    assert np.nanmax(series.latency_ns_max) == max(latencies)
    done_count = series.iops * series.duration_ns / 1e9
    mean = np.nansum(series.latency_ns_mean * done_count) / len(done)
    assert mean == pytest.approx(np.mean(latencies))


def test_the_logs_account_for_what_stands_in_them() -> None:
    assert logged_by((rows([100, 200], [1000, 500]), rows([50], [200]))) == 160 * KIB
    assert logged_by((rows([], []),)) == 0
    every_io = sequential_fill(io_log=IoLog.EVERY_IO)
    assert logged_bytes(every_io, (), (ios([1, 2], [1, 1]), ios([3], [1]))) == 3 * JOB.block_bytes


def test_each_direction_gets_its_own_rows_of_a_log(tmp_path: Path) -> None:
    for kind in ("bw", "lat"):
        (tmp_path / f"log_{kind}.1.log").write_text("100, 7, 0, 0, 0\n100, 8, 1, 0, 0\n200, 9, 1, 0, 0\n")
    logs = read_logs(JOB, tmp_path)
    assert logs.bandwidth[Direction.READ][0].value.tolist() == [7]
    assert logs.latency[Direction.WRITE][0].value.tolist() == [8, 9]
    assert logs.latency[Direction.TRIM][0].value.tolist() == []


def test_a_missing_log_is_told(tmp_path: Path) -> None:
    with pytest.raises(FioOutputError) as error:
        read_logs(JOB, tmp_path)
    assert (error.value.message, error.value.hints) == snapshot(
        ("fio wrote no `log_bw.1.log`", ("is the host's disk full? fio's own words are in the journal",))
    )


def test_a_log_cut_off_in_a_line_is_told(tmp_path: Path) -> None:
    (tmp_path / "log_bw.1.log").write_text("100, 7, 0, 0, 0\n200, 8, 1")
    with pytest.raises(FioOutputError) as error:
        read_logs(JOB, tmp_path)
    assert (error.value.message, error.value.hints) == snapshot(
        (
            '`log_bw.1.log` is damaged: line 2: the file ends inside this line (was fio killed, or the disk full?), found "200, 8, 1"',
            ("is the host's disk full?",),
        )
    )
