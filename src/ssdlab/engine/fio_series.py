"""fio's window logs and I/O logs to Series."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.engine.base import EngineError
from ssdlab.engine.fio_job import LOG_PREFIX
from ssdlab.engine.result import Direction, EveryIo, Series
from ssdlab.job import WINDOW_NS, IoLog, Job
from ssdlab.units import KIB, NS_PER_MS


class FioOutputError(EngineError):
    """What fio left behind cannot be read."""


@dataclass(frozen=True, slots=True)
class Totals:
    """What fio's JSON says of one direction; the series must add up to it."""

    io_bytes: int
    runtime_ns: int


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows of one direction in one log file; arrays of one length."""

    time_ns: NDArray[np.int64]
    value: NDArray[np.int64]
    value_max: NDArray[np.int64] | None
    offset_bytes: NDArray[np.int64] | None


@dataclass(frozen=True, slots=True)
class Logs:
    """For each direction one entry a job of the group."""

    bandwidth: Mapping[Direction, tuple[Rows, ...]]
    latency: Mapping[Direction, tuple[Rows, ...]]


_DDIR = {Direction.READ: 0, Direction.WRITE: 1, Direction.TRIM: 2}


def read_logs(job: Job, directory: Path) -> Logs:
    """Read the logs of every job of the group.

    Raises:
        FioOutputError: A log is missing or malformed.
    """

    def rows_of(kind: str) -> Mapping[Direction, tuple[Rows, ...]]:
        files = [_columns(directory / f"{LOG_PREFIX}_{kind}.{number}.log") for number in range(1, job.jobs + 1)]
        return {direction: tuple(_only(columns, ddir) for columns in files) for direction, ddir in _DDIR.items()}

    bandwidth = rows_of("bw") if job.io_log is IoLog.WINDOWS else {}
    return Logs(bandwidth, rows_of("lat"))


def _columns(path: Path) -> "_core.FioLog":
    try:
        return _core.parse_fio_log(path.read_bytes())
    except FileNotFoundError as error:
        raise FioOutputError(
            f"fio wrote no `{path.name}`", "is the host's disk full? fio's own words are in the journal"
        ) from error
    except _core.FioLogError as error:
        raise FioOutputError(f"`{path.name}` is damaged: {error}", "is the host's disk full?") from error


def _only(columns: "_core.FioLog", ddir: int) -> Rows:
    chosen = np.frombuffer(columns.direction, dtype=np.uint8) == ddir

    def column(content: bytes | None) -> NDArray[np.int64] | None:
        return None if content is None else np.frombuffer(content, dtype=np.int64)[chosen]

    time_ms, value = column(columns.time_ms), column(columns.value)
    assert time_ms is not None  # noqa: S101 - every log has these two columns
    assert value is not None  # noqa: S101
    return Rows(time_ms * NS_PER_MS, value, column(columns.value_max), column(columns.offset_bytes))


def series_of(job: Job, totals: Totals, bandwidth: tuple[Rows, ...], latency: tuple[Rows, ...]) -> Series:
    """Windows of a group: bytes from the bandwidth logs, latency from the latency logs.

    fio stops logging bandwidth when it has submitted the last I/O; what was still in flight then is put into one last window
    that ends with the job, so that the series adds up to fio's own byte count.
    """
    ends_ns = _window_ends(bandwidth, totals.runtime_ns)
    done = np.zeros(len(ends_ns))
    for rows in bandwidth:
        done += _bytes_done_at(rows, ends_ns)
    done[-1] = max(float(totals.io_bytes), float(done[-2:-1].max(initial=0.0)))
    per_window = np.diff(done, prepend=0.0)
    seconds = np.diff(ends_ns, prepend=np.int64(0)) / 1e9
    rate = np.divide(per_window, seconds, out=np.zeros_like(per_window), where=seconds > 0)
    mean = _mean_over_windows(latency, ends_ns)
    return Series(
        window_ns=WINDOW_NS,
        time_ns=ends_ns,
        bandwidth_bytes_per_s=rate,
        iops=rate / job.block_bytes,
        latency_ns_mean=np.where(rate > 0, mean, np.nan),
        latency_ns_max=_max_over_windows(latency, ends_ns),
    )


def _window_ends(bandwidth: tuple[Rows, ...], runtime_ns: int) -> NDArray[np.int64]:
    """Ends of the windows: those of the first job's log, then the end of the job, which is never a sliver of a window.

    fio may write a time twice, so each is taken once: a window always has a length.
    """
    logged = np.unique(bandwidth[0].time_ns)
    logged = logged[logged < runtime_ns - WINDOW_NS // 2]
    return np.append(logged, np.int64(max(runtime_ns, NS_PER_MS)))


def _bytes_done_at(rows: Rows, at_ns: NDArray[np.int64]) -> NDArray[np.float64]:
    """Bytes one job had moved at given times, by its log of KiB/s per window."""
    seconds = np.diff(rows.time_ns, prepend=np.int64(0)) / 1e9
    done = np.cumsum(rows.value * KIB * seconds)
    at: NDArray[np.float64] = np.interp(at_ns, np.append(np.int64(0), rows.time_ns), np.append(0.0, done))
    return at


def _mean_over_windows(latency: tuple[Rows, ...], ends_ns: NDArray[np.int64]) -> NDArray[np.float64]:
    """Mean latency of each window; fio's latency windows do not end with its bandwidth windows, so they are shared out by time."""
    total, jobs_with_any = np.zeros(len(ends_ns)), np.zeros(len(ends_ns))
    for rows in latency:
        if not len(rows.time_ns):
            continue
        time_ns, first = np.unique(rows.time_ns, return_index=True)
        sums = np.add.reduceat(rows.value.astype(np.float64), first)
        counts = np.diff(np.append(first, len(rows.time_ns)))
        area = np.cumsum(sums / counts * np.diff(time_ns, prepend=np.int64(0)))
        at_ends = np.interp(ends_ns, np.append(np.int64(0), time_ns), np.append(0.0, area))
        covered = np.interp(ends_ns, np.append(np.int64(0), time_ns), np.append(0, time_ns))
        spans = np.diff(covered, prepend=0.0)
        share = np.diff(at_ends, prepend=0.0)
        total += np.divide(share, spans, out=np.zeros(len(ends_ns)), where=spans > 0)
        jobs_with_any += spans > 0
    mean: NDArray[np.float64] = np.full(len(ends_ns), np.nan)
    np.divide(total, jobs_with_any, out=mean, where=jobs_with_any > 0)
    return mean


def _max_over_windows(latency: tuple[Rows, ...], ends_ns: NDArray[np.int64]) -> NDArray[np.float64]:
    largest = np.full(len(ends_ns), np.nan)
    for rows in latency:
        if rows.value_max is None:
            continue
        # A latency row covers the 100 ms before its time, so its middle says which window it belongs to.
        window = np.searchsorted(ends_ns, rows.time_ns - WINDOW_NS // 2).clip(max=len(ends_ns) - 1)
        np.fmax.at(largest, window, rows.value_max.astype(np.float64))
    return largest


def every_io_of(latency: tuple[Rows, ...]) -> EveryIo:
    """All I/Os of the group's latency logs, in order of completion."""

    def joined(columns: list[NDArray[np.int64] | None]) -> NDArray[np.int64]:
        return np.concatenate([column for column in columns if column is not None])

    time_ns = joined([rows.time_ns for rows in latency])
    order = np.argsort(time_ns, kind="stable")
    return EveryIo(
        time_ns=time_ns[order],
        latency_ns=joined([rows.value for rows in latency])[order],
        offset_bytes=joined([rows.offset_bytes for rows in latency])[order],
    )


def series_of_every_io(job: Job, totals: Totals, every_io: EveryIo) -> Series:
    """Windows counted from single I/Os: an I/O belongs to the window it completed in."""
    runtime_ns = max(totals.runtime_ns, int(every_io.time_ns.max(initial=1)))
    ends_ns = np.arange(WINDOW_NS, runtime_ns + WINDOW_NS, WINDOW_NS, dtype=np.int64)
    ends_ns[-1] = runtime_ns
    window = np.searchsorted(ends_ns, every_io.time_ns)
    count = np.bincount(window, minlength=len(ends_ns)).astype(np.float64)
    total = np.bincount(window, weights=every_io.latency_ns, minlength=len(ends_ns))
    largest = np.full(len(ends_ns), np.nan)
    np.fmax.at(largest, window, every_io.latency_ns.astype(np.float64))
    seconds = np.diff(ends_ns, prepend=np.int64(0)) / 1e9
    return Series(
        window_ns=WINDOW_NS,
        time_ns=ends_ns,
        bandwidth_bytes_per_s=count * job.block_bytes / seconds,
        iops=count / seconds,
        latency_ns_mean=np.divide(total, count, out=np.full(len(ends_ns), np.nan), where=count > 0),
        latency_ns_max=largest,
    )


def logged_bytes(job: Job, bandwidth: tuple[Rows, ...], latency: tuple[Rows, ...]) -> int:
    """Bytes the logs account for, before the series is completed from fio's total."""
    if job.io_log is IoLog.EVERY_IO:
        return sum(len(rows.time_ns) for rows in latency) * job.block_bytes
    return sum(round(float(_bytes_done_at(rows, rows.time_ns[-1:]).sum())) for rows in bandwidth)
