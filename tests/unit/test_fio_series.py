"""fio's logs become windows that add up to what fio says it did."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from tests.kit.hints import hints_of
from tests.kit.sample_fio import sequential_fill

from ssdlab.engine.fio.series import (
    Counts,
    FioOutputError,
    FioTotals,
    Rows,
    every_io_of,
    logged_bytes,
    read_logs,
    series_of,
    series_of_every_io,
)
from ssdlab.engine.result import Direction, Series
from ssdlab.job import IoLog
from ssdlab.units import NS_PER_MS

JOB = sequential_fill()
WINDOW_MS = 100


def rows(times_ms: list[int], values: list[int], largest: list[int] | None = None) -> Rows:
    return Rows(
        np.array(times_ms, dtype=np.int64) * NS_PER_MS,
        np.array(values, dtype=np.int64),
        None if largest is None else np.array(largest, dtype=np.int64),
        None,
    )


def counts(times_ms: list[int], ios: list[int], longest_ns: list[float] | None = None) -> Counts:
    longest = [0.0] * len(ios) if longest_ns is None else longest_ns
    return Counts(
        np.array(times_ms, dtype=np.int64) * NS_PER_MS,
        np.array(ios, dtype=np.int64),
        np.array(longest, dtype=np.float64),
    )


NO_LATENCY = rows([], [])


def totals(io_count: int, runtime_ms: int, clat_ns_max: int = 10**9) -> FioTotals:
    return FioTotals(io_count * JOB.block_bytes, runtime_ms * NS_PER_MS, clat_ns_max)


def ios_of(series: Series) -> list[float]:
    """I/Os in each window."""
    return [float(one) for one in series.iops * series.duration_ns / 1e9]


@st.composite
def one_jobs_log(draw: st.DrawFn) -> Counts:
    """Windows that end with the first I/O after a multiple of 100 ms, which may come much later; one time perhaps twice."""
    times: list[int] = []
    late: list[int] = draw(st.lists(st.integers(0, 10) | st.integers(0, 900), max_size=30))
    for late_ms in late:
        previous_ms = times[-1] if times else 0
        times.append(previous_ms - previous_ms % WINDOW_MS + WINDOW_MS + late_ms)
    repeats = draw(st.booleans())
    if times and repeats:
        times.append(times[-1])
    return counts(times, draw(st.lists(st.integers(1, 10**6), min_size=len(times), max_size=len(times))))


@given(st.lists(one_jobs_log(), min_size=1, max_size=4).map(tuple), st.integers(0, 2000), st.integers(0, 10**4))
def test_the_windows_add_up_to_fios_bytes(logs: tuple[Counts, ...], drain_ms: int, in_flight: int) -> None:
    io_count = sum(int(one.ios.sum()) for one in logs) + in_flight
    last_ms = max((int(one.time_ns[-1]) // NS_PER_MS for one in logs if len(one.time_ns)), default=1)
    series = series_of(JOB, totals(io_count, last_ms + drain_ms), logs, tuple(NO_LATENCY for _ in logs))
    assert series.bytes_done[-1] == pytest.approx(io_count * JOB.block_bytes, abs=1)
    assert (series.bandwidth_bytes_per_s >= 0).all()
    assert (np.diff(series.time_ns) > 0).all()
    assert series.time_ns[-1] == max(1, last_ms + drain_ms) * NS_PER_MS


def test_a_window_holds_what_was_done_in_it() -> None:
    series = series_of(JOB, totals(35, 300), (counts([100, 200, 300], [10, 20, 5]),), (NO_LATENCY,))
    assert series.time_ns.tolist() == [100 * NS_PER_MS, 200 * NS_PER_MS, 300 * NS_PER_MS]
    assert ios_of(series) == pytest.approx([10, 20, 5])
    assert series.bandwidth_bytes_per_s == pytest.approx(series.iops * JOB.block_bytes)


def test_the_windows_of_several_jobs_are_added_where_they_overlap() -> None:
    first, second = counts([100, 200], [10, 10]), counts([140, 200], [14, 6])
    series = series_of(JOB, totals(40, 200), (first, second), (NO_LATENCY, NO_LATENCY))
    assert ios_of(series) == pytest.approx([20, 20])


def test_while_a_drive_stands_still_nothing_is_counted() -> None:
    # The I/O that ended the third window was answered 400 ms late; all others of it were done in time.
    series = series_of(JOB, totals(41, 800), (counts([100, 200, 700, 800], [10, 10, 11, 10]),), (NO_LATENCY,))
    assert (series.time_ns // NS_PER_MS).tolist() == [100, 200, 300, 700, 800]
    assert ios_of(series) == pytest.approx([10, 10, 10, 1, 10])


def test_what_was_in_flight_when_fio_stopped_logging_is_in_the_last_window() -> None:
    series = series_of(JOB, totals(26, 400), (counts([100, 200], [10, 10]),), (NO_LATENCY,))
    assert series.time_ns[-1] == 400 * NS_PER_MS
    assert ios_of(series) == pytest.approx([10, 10, 6])


def test_the_last_window_is_never_a_sliver() -> None:
    series = series_of(JOB, totals(30, 310), (counts([100, 200, 300], [10, 10, 10]),), (NO_LATENCY,))
    assert series.time_ns.tolist() == [100 * NS_PER_MS, 200 * NS_PER_MS, 310 * NS_PER_MS]


def test_a_job_shorter_than_a_window_is_one_window() -> None:
    series = series_of(JOB, totals(7, 12), (counts([], []),), (NO_LATENCY,))
    assert series.time_ns.tolist() == [12 * NS_PER_MS]
    assert ios_of(series) == pytest.approx([7])
    assert np.isnan(series.latency_ns_mean).all()


TWO, THREE = counts([100, 200], [10, 10]), counts([100, 200, 300], [10, 10, 10])


def test_latency_is_shared_out_by_time() -> None:
    # fio ended its latency windows 50 ms earlier than its histogram windows.
    latency = rows([50, 150, 200], [10, 30, 70])
    series = series_of(JOB, totals(20, 200), (TWO,), (latency,))
    assert series.latency_ns_mean == pytest.approx([(50 * 10 + 50 * 30) / 100, (50 * 30 + 50 * 70) / 100])


def test_the_latency_of_several_jobs_is_their_mean() -> None:
    one = counts([100], [10])
    series = series_of(JOB, totals(20, 100), (one, one), (rows([100], [10]), rows([100], [50])))
    assert series.latency_ns_mean == pytest.approx([30])


def test_a_window_after_the_last_latency_has_none() -> None:
    series = series_of(JOB, totals(30, 300), (THREE,), (rows([100], [10]),))
    assert np.isnan(series.latency_ns_mean).tolist() == [False, True, True]


def test_a_logged_maximum_stands_in_the_window_it_happened_in() -> None:
    latency = (rows([101, 201], [10, 10], [90, 20]), rows([99, 200], [10, 10], [40, 30]))
    series = series_of(JOB, totals(40, 200), (TWO, TWO), latency)
    assert series.latency_ns_max.tolist() == [90, 30]


def test_without_logged_maxima_the_highest_bin_bounds_the_largest_latency() -> None:
    log = counts([100, 200], [10, 10], [64.0, 1024.0])
    # What fio says of the whole job is exact, and no window can exceed it.
    series = series_of(JOB, totals(20, 200, clat_ns_max=1000), (log,), (rows([100, 200], [10, 10]),))
    assert series.latency_ns_max.tolist() == [64, 1000]


class TestLongHistograms:
    """Histograms of a second; the bandwidth log says how it was within."""

    HISTOGRAM_NS = 1000 * NS_PER_MS
    LOG = counts([1000, 2000], [1000, 500], [64.0, 1024.0])
    RATES = (200,) * 5 + (0,) * 5 + (30, 70) * 5

    def series(self, io_count: int = 1500, runtime_ms: int = 2000, rates: Sequence[int] = RATES) -> Series:
        times_ms = list(range(100, 2100, 100))
        sampled, latency = rows(times_ms, list(rates)), rows(times_ms, [10] * 20)
        whole = totals(io_count, runtime_ms)
        return series_of(JOB, whole, (self.LOG,), (latency,), self.HISTOGRAM_NS, (sampled,))

    def test_what_a_histogram_counts_is_shared_out_by_the_bandwidth(self) -> None:
        series = self.series()
        assert series.window_ns == 100 * NS_PER_MS
        assert (series.time_ns // NS_PER_MS).tolist() == list(range(100, 2100, 100))
        assert ios_of(series) == pytest.approx(self.RATES)

    def test_a_bandwidth_log_that_says_too_much_changes_no_sum(self) -> None:
        tripled = self.series(rates=[3 * one for one in self.RATES])
        assert ios_of(tripled) == pytest.approx(ios_of(self.series()))

    def test_what_completed_after_the_last_histogram_counts_too(self) -> None:
        series = self.series(1600, 2300)
        assert sum(ios_of(series)) == pytest.approx(1600)
        assert series.time_ns[-1] == 2300 * NS_PER_MS

    def test_the_largest_latency_is_that_of_the_histogram(self) -> None:
        largest = self.series().latency_ns_max
        assert largest[:5].tolist() == [64.0] * 5
        assert np.isnan(largest[5:10]).all()
        assert largest[10:].tolist() == [1024.0] * 10

    @given(one_jobs_log(), one_jobs_log(), st.integers(0, 2000), st.integers(0, 10**4))
    def test_the_windows_add_up_to_fios_bytes(
        self, log: Counts, sampled: Counts, drain_ms: int, in_flight: int
    ) -> None:
        io_count = int(log.ios.sum()) + in_flight
        last_ms = int(log.time_ns[-1]) // NS_PER_MS if len(log.time_ns) else 1
        rates = Rows(sampled.time_ns, sampled.ios, None, None)
        series = series_of(
            JOB, totals(io_count, last_ms + drain_ms), (log,), (NO_LATENCY,), 3 * WINDOW_MS * NS_PER_MS, (rates,)
        )
        assert series.bytes_done[-1] == pytest.approx(io_count * JOB.block_bytes, abs=1)
        assert (series.bandwidth_bytes_per_s >= -1e-6).all()
        assert (np.diff(series.time_ns) > 0).all()


def ios(times_ms: list[int], latencies_ns: list[int]) -> Rows:
    offsets = np.arange(len(times_ms), dtype=np.int64) * JOB.block_bytes
    return Rows(np.array(times_ms, dtype=np.int64) * NS_PER_MS, np.array(latencies_ns, dtype=np.int64), None, offsets)


def test_every_io_of_all_jobs_stands_in_order_of_completion() -> None:
    every = every_io_of((ios([1, 5, 9], [10, 50, 90]), ios([2, 5], [20, 55])))
    assert (every.time_ns // NS_PER_MS).tolist() == [1, 2, 5, 5, 9]
    assert every.latency_ns.tolist() == [10, 20, 50, 55, 90]
    assert (every.offset_bytes // JOB.block_bytes).tolist() == [0, 0, 1, 1, 2]


def test_a_job_whose_ios_all_fell_into_the_ramp_has_an_empty_log() -> None:
    every = every_io_of((NO_LATENCY,))
    assert [len(column) for column in (every.time_ns, every.latency_ns, every.offset_bytes)] == [0, 0, 0]
    series = series_of_every_io(JOB, totals(7, 150), every)
    assert ios_of(series) == [0, 0]
    assert np.isnan(series.latency_ns_mean).all()


@given(st.lists(st.tuples(st.integers(0, 3000), st.integers(1, 10**9)), min_size=1, max_size=200), st.integers(0, 300))
def test_windows_counted_from_single_ios_hold_all_of_them(done: list[tuple[int, int]], late_ms: int) -> None:
    times, latencies = zip(*sorted(done), strict=True)
    every = every_io_of((ios(list(times), list(latencies)),))
    io_bytes = len(done) * JOB.block_bytes
    series = series_of_every_io(JOB, totals(len(done), max(times) + late_ms), every)
    assert series.bytes_done[-1] == pytest.approx(io_bytes)
    assert np.nanmax(series.latency_ns_max) == max(latencies)
    done_count = series.iops * series.duration_ns / 1e9
    mean = np.nansum(series.latency_ns_mean * done_count) / len(done)
    assert mean == pytest.approx(np.mean(latencies))


def test_the_logs_account_for_what_stands_in_them() -> None:
    assert logged_bytes(JOB, (TWO, counts([50], [7])), ()) == 27 * JOB.block_bytes
    assert logged_bytes(JOB, (counts([], []),), ()) == 0
    every_io = sequential_fill(io_log=IoLog.EVERY_IO)
    assert logged_bytes(every_io, (), (ios([1, 2], [1, 1]), ios([3], [1]))) == 3 * JOB.block_bytes


def histogram_line(time_ms: int, direction: int, ios: int) -> str:
    """As fio writes it: `ios` of the 464 coarse bins hold one I/O each."""
    return ", ".join(map(str, [time_ms, direction, JOB.block_bytes, *[1] * ios, *[0] * (464 - ios)])) + "\n"


def test_each_direction_gets_its_own_rows_of_a_log(tmp_path: Path) -> None:
    (tmp_path / "log_clat.1.log").write_text("100, 7, 0, 0, 0\n100, 8, 1, 0, 0\n200, 9, 1, 0, 0\n")
    (tmp_path / "log_clat_hist.1.log").write_text(histogram_line(100, 0, 3) + histogram_line(101, 1, 5))
    logs = read_logs(JOB, tmp_path)
    assert logs.counts[Direction.READ][0].ios.tolist() == [3]
    assert (logs.counts[Direction.WRITE][0].time_ns // NS_PER_MS).tolist() == [101]
    assert logs.latency[Direction.WRITE][0].value.tolist() == [8, 9]
    assert logs.latency[Direction.TRIM][0].value.tolist() == []


def test_a_missing_log_is_told(tmp_path: Path) -> None:
    with pytest.raises(FioOutputError) as error:
        read_logs(JOB, tmp_path)
    assert (str(error.value), hints_of(error.value)) == snapshot(
        ("fio wrote no `log_clat.1.log`", ("is the host's disk full? fio's own words are in the journal",))
    )


def test_a_log_cut_off_in_a_line_is_told(tmp_path: Path) -> None:
    (tmp_path / "log_clat.1.log").write_text("100, 7, 0, 0, 0\n200, 8, 1")
    with pytest.raises(FioOutputError) as error:
        read_logs(JOB, tmp_path)
    assert (str(error.value), hints_of(error.value)) == snapshot(
        (
            '`log_clat.1.log` is damaged: line 2: the file ends inside this line (was fio killed, or the disk full?), found "200, 8, 1"',
            ("is the host's disk full?",),
        )
    )
