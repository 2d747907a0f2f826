"""fio's window logs and I/O logs to Series."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.engine.base import EngineError
from ssdlab.engine.fio.job_file import LOG_PREFIX
from ssdlab.engine.result import Direction, EveryIo, Series
from ssdlab.job import WINDOW_NS, IoLog, Job
from ssdlab.message import message
from ssdlab.units import NS_PER_MS


class FioOutputError(EngineError):
    """What fio left behind cannot be read."""


@dataclass(frozen=True, slots=True)
class FioTotals:
    """What fio's JSON says of one direction; the series must add up to it."""

    io_bytes: int
    runtime_ns: int
    clat_ns_max: int


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows of one direction in one log file; arrays of one length."""

    time_ns: NDArray[np.int64]
    value: NDArray[np.int64]
    value_max: NDArray[np.int64] | None
    offset_bytes: NDArray[np.int64] | None


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Windows of one direction in one histogram log; arrays of one length.

    Attributes:
        time_ns: int64, end of each window: an I/O completed then.
        ios: int64, I/Os that completed in it, exact.
        longest_ns: float64, none of them took longer.
    """

    time_ns: NDArray[np.int64]
    ios: NDArray[np.int64]
    longest_ns: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Logs:
    """For each direction one entry a job of the group."""

    counts: Mapping[Direction, tuple[Counts, ...]]
    latency: Mapping[Direction, tuple[Rows, ...]]
    """Completion latencies (`clat`), which is what latency means in METHODS 0."""
    over_time: Mapping[Direction, "_core.LatencyOverTime"] = field(default_factory=dict)
    """For each direction that of all jobs together; empty unless the job asks for it."""
    rates: Mapping[Direction, tuple[Rows, ...]] = field(default_factory=dict)
    """Bandwidth in KiB/s; empty unless the windows of the histograms are longer than those of the series."""

    def of(self, job: Job, direction: Direction) -> "Logs":
        """Of whoever does what goes in that direction: in the job file, which the numbers follow, streams come first."""
        names = [Direction(stream.kind.value) for stream in job.beside]
        own = (
            slice(names.index(direction), names.index(direction) + 1) if direction in names else slice(len(names), None)
        )
        return Logs(
            {direction: self.counts.get(direction, ())[own]},
            {direction: self.latency.get(direction, ())[own]},
            self.over_time,
            {direction: self.rates.get(direction, ())[own]},
        )


_DDIR = {Direction.READ: 0, Direction.WRITE: 1, Direction.TRIM: 2}


def read_logs(job: Job, directory: Path, histogram_ns: int = WINDOW_NS) -> Logs:
    """Read the logs of every job of the group.

    Raises:
        FioOutputError: A log is missing or malformed.
    """
    numbers = range(1, job.jobs + len(job.beside) + 1)
    latency = [_columns(directory / f"{LOG_PREFIX}_clat.{number}.log") for number in numbers]
    histograms = [directory / f"{LOG_PREFIX}_clat_hist.{number}.log" for number in numbers]
    counts = [] if job.io_log is IoLog.EVERY_IO else [_windows(path) for path in histograms]
    coarse = counts and histogram_ns > WINDOW_NS
    rates = [_columns(directory / f"{LOG_PREFIX}_bw.{number}.log") for number in numbers] if coarse else []
    return Logs(
        counts={direction: tuple(_counts_of(log, ddir) for log in counts) for direction, ddir in _DDIR.items()},
        latency={direction: tuple(_only(columns, ddir) for columns in latency) for direction, ddir in _DDIR.items()},
        over_time=_over_time(histograms, histogram_ns) if job.io_log is IoLog.DISTRIBUTION_OVER_TIME else {},
        rates={
            direction: tuple(_only(columns, ddir) for columns in rates) for direction, ddir in _DDIR.items() if rates
        },
    )


def _columns(path: Path) -> "_core.FioLog":
    with _damage_explained(path):
        return _core.parse_fio_log(path)


def _windows(path: Path) -> "_core.FioHistLog":
    with _damage_explained(path):
        return _core.parse_fio_hist_log(path.read_bytes())


def _over_time(paths: Sequence[Path], window_ns: int) -> dict[Direction, "_core.LatencyOverTime"]:
    """The logs of all jobs, one after the other, counted together."""
    together: dict[Direction, _core.LatencyOverTime] = {}
    for path in paths:
        with _damage_explained(path):
            of_job = _core.fio_latency_over_time(path.read_bytes(), window_ns // NS_PER_MS)
        for direction, ddir in _DDIR.items():
            before = together.get(direction)
            together[direction] = of_job[ddir] if before is None else before.merged(of_job[ddir])
    return together


@contextmanager
def _damage_explained(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise FioOutputError(
            message("engine-no-log", name=path.name), message("engine-hint-disk-full-journal")
        ) from error
    except _core.FioLogError as error:
        damaged = message("engine-log-damaged", name=path.name, error=str(error))
        raise FioOutputError(damaged, message("engine-hint-disk-full")) from error


def _counts_of(log: "_core.FioHistLog", ddir: int) -> Counts:
    chosen = np.frombuffer(log.direction, dtype=np.uint8) == ddir
    return Counts(
        time_ns=np.frombuffer(log.time_ms, dtype=np.int64)[chosen] * NS_PER_MS,
        ios=np.frombuffer(log.ios, dtype=np.int64)[chosen],
        longest_ns=np.frombuffer(log.longest_ns, dtype=np.uint64)[chosen].astype(np.float64),
    )


def _only(columns: "_core.FioLog", ddir: int) -> Rows:
    chosen = np.frombuffer(columns.direction, dtype=np.uint8) == ddir

    def column(content: bytes | None) -> NDArray[np.int64] | None:
        return None if content is None else np.frombuffer(content, dtype=np.int64)[chosen]

    time_ms, value = column(columns.time_ms), column(columns.value)
    assert time_ms is not None  # noqa: S101 - every log has these two columns
    assert value is not None  # noqa: S101
    return Rows(time_ms * NS_PER_MS, value, column(columns.value_max), column(columns.offset_bytes))


def series_of(
    job: Job,
    totals: FioTotals,
    counts: tuple[Counts, ...],
    latency: tuple[Rows, ...],
    histogram_ns: int = WINDOW_NS,
    rates: tuple[Rows, ...] = (),
) -> Series:
    """Windows of a group: I/Os from the histogram logs, mean latency from the latency logs.

    The histogram logs count in the threads that do the I/O; fio's bandwidth log is sampled by another thread, skips windows in
    which nothing completed, and on a busy host accounts for 3 % too much. What completed after the last line of a log is put
    into one last window that ends with the job, so that the series adds up to fio's own byte count. Where `rates` are given the
    histograms are of longer windows, and what each counts is shared out by the bandwidth log.
    """
    steps = [_steps(one, histogram_ns) for one in counts]
    marks_ns = steps[0][0]
    if rates:
        shapes = [_shape(one) for one in rates]
        marks_ns = shapes[0][0]
        missing = max(0.0, totals.io_bytes / job.block_bytes - sum(float(done[-1]) for _, done in steps if len(done)))
        whole = [_completed(one, totals.runtime_ns, missing / len(steps)) for one in steps]
        steps = [_shared_out(one, shape) for one, shape in zip(whole, shapes, strict=True)]
    ends_ns = _window_ends(marks_ns, totals.runtime_ns)
    done = np.zeros(len(ends_ns))
    for time_ns, ios in steps:
        done += np.interp(ends_ns, np.append(np.int64(0), time_ns), np.append(0, ios)) * job.block_bytes
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
        latency_ns_max=np.where(rate > 0, _max_over_windows(totals, counts, latency, ends_ns, histogram_ns), np.nan),
    )


_Curve = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Times, ascending, and what was done by each of them."""


def _shape(rates: Rows) -> _Curve:
    """What was done over time in proportion: fio samples late on a busy host, and a sample is the mean since the one before."""
    time_ns, first = np.unique(rates.time_ns, return_index=True)
    return time_ns, np.cumsum(rates.value[first].astype(np.float64) * np.diff(time_ns, prepend=np.int64(0)))


def _completed(steps: _Curve, runtime_ns: int, missing: float) -> _Curve:
    """With what completed after the last line of the log, up to the end of the job."""
    time_ns, ios = steps
    end_ns = np.append(time_ns, np.int64(max(runtime_ns, int(time_ns[-1]) if len(time_ns) else 0)))
    return end_ns, np.append(ios, (float(ios[-1]) if len(ios) else 0.0) + missing)


def _shared_out(steps: _Curve, shape: _Curve) -> _Curve:
    """The exact counts at the ends of long windows, and in between what the shape says, as a share of what it says in all."""
    time_ns, ios = np.append(np.int64(0), steps[0]), np.append(0.0, steps[1])
    all_ns = np.union1d(time_ns, shape[0][shape[0] < time_ns[-1]])
    end = np.searchsorted(time_ns, all_ns).clip(min=1)
    shape_ns, shape_done = np.append(np.int64(0), shape[0]), np.append(0.0, shape[1])
    done, at_ends = np.interp(all_ns, shape_ns, shape_done), np.interp(time_ns, shape_ns, shape_done)
    inside, whole = done - at_ends[end - 1], at_ends[end] - at_ends[end - 1]
    # Where the shape has nothing to say all of it is counted at the end, as where there is no shape.
    share = np.divide(inside, whole, out=(all_ns == time_ns[end]).astype(np.float64), where=whole > 0)
    return all_ns, ios[end - 1] + share * (ios[end] - ios[end - 1])


def _steps(counts: Counts, window_ns: int) -> _Curve:
    """Times and the I/Os completed by then, in one log.

    fio ends a window with the first I/O that completes after a multiple of their length. When that I/O comes much later, the drive
    stood still: all others of the window completed before the multiple.
    """
    done = np.cumsum(counts.ios)
    previous_ns = counts.time_ns[:-1]
    due_ns = previous_ns - previous_ns % window_ns + window_ns
    late = counts.time_ns[1:] - due_ns > window_ns // 2
    time_ns = np.append(counts.time_ns, due_ns[late])
    ios = np.append(done, done[1:][late] - 1).astype(np.float64)
    order = np.argsort(time_ns, kind="stable")
    return time_ns[order], ios[order]


def _window_ends(marks_ns: NDArray[np.int64], runtime_ns: int) -> NDArray[np.int64]:
    """Ends of the windows: the times in the first job's log, then the end of the job, which is never a sliver of a window.

    fio may write a time twice, so each is taken once: a window always has a length.
    """
    logged = np.unique(marks_ns)
    logged = logged[logged < runtime_ns - WINDOW_NS // 2]
    return np.append(logged, np.int64(max(runtime_ns, NS_PER_MS)))


def _mean_over_windows(latency: tuple[Rows, ...], ends_ns: NDArray[np.int64]) -> NDArray[np.float64]:
    """Mean latency of each window; fio's latency windows do not end with its histogram windows, so they are shared out by time."""
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


def _max_over_windows(
    totals: FioTotals,
    counts: tuple[Counts, ...],
    latency: tuple[Rows, ...],
    ends_ns: NDArray[np.int64],
    histogram_ns: int,
) -> NDArray[np.float64]:
    """Largest latency of each window: exact where fio logs it, else the upper edge of the highest bin of its histogram."""
    largest = np.full(len(ends_ns), np.nan)
    # A row covers the window before its time, so its middle says which window it belongs to.
    for rows in latency:
        if rows.value_max is not None:
            window = np.searchsorted(ends_ns, rows.time_ns - WINDOW_NS // 2).clip(max=len(ends_ns) - 1)
            np.fmax.at(largest, window, rows.value_max.astype(np.float64))
    if np.isfinite(largest).any():
        return largest
    for one in counts:
        longest_ns = np.minimum(one.longest_ns, totals.clat_ns_max)
        if histogram_ns > WINDOW_NS and len(one.time_ns):
            # No I/O of any window within it took longer.
            histogram = np.searchsorted(one.time_ns, ends_ns).clip(max=len(one.time_ns) - 1)
            largest = np.fmax(largest, longest_ns[histogram])
            continue
        window = np.searchsorted(ends_ns, one.time_ns).clip(max=len(ends_ns) - 1)
        np.fmax.at(largest, window, longest_ns)
    return largest


def every_io_of(latency: tuple[Rows, ...]) -> EveryIo:
    """All I/Os of the group's latency logs, in order of completion."""

    def joined(columns: list[NDArray[np.int64] | None]) -> NDArray[np.int64]:
        # An empty log tells nothing of its columns.
        return np.concatenate([np.array([], dtype=np.int64), *(column for column in columns if column is not None)])

    time_ns = joined([rows.time_ns for rows in latency])
    order = np.argsort(time_ns, kind="stable")
    return EveryIo(
        time_ns=time_ns[order],
        latency_ns=joined([rows.value for rows in latency])[order],
        offset_bytes=joined([rows.offset_bytes for rows in latency])[order],
    )


def series_of_every_io(job: Job, totals: FioTotals, every_io: EveryIo) -> Series:
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


def logged_bytes(job: Job, counts: tuple[Counts, ...], latency: tuple[Rows, ...]) -> int:
    """Bytes the logs account for, before the series is completed from fio's total."""
    if job.io_log is IoLog.EVERY_IO:
        return sum(len(rows.time_ns) for rows in latency) * job.block_bytes
    return sum(int(one.ios.sum()) for one in counts) * job.block_bytes
