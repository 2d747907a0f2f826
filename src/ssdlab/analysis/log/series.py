"""What anyone's logs say over time, in windows of any length: rates, latency, and how the latencies are distributed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ssdlab import _core
from ssdlab.analysis.log.file import RATES, LogError, LogFile, LogFormat, LogKind, explained, require_nanoseconds
from ssdlab.analysis.log.rows import AveragedRows, HistWindows, averaged_rows, clock_origin_ms, hist_rows
from ssdlab.analysis.log.summary import DIRECTIONS, cut_notes
from ssdlab.engine.result import Direction
from ssdlab.message import Message, message, number
from ssdlab.units import KIB

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

WINDOW_MS = 100
"""Of logs of every I/O, where no other length is asked for."""

WINDOWS_MAX = 1 << 17
"""3.6 h of 100 ms windows."""


@dataclass(frozen=True, slots=True, eq=False)
class DirectionSeries:
    """One direction over time, a row a window from time 0 on; arrays of one length, NaN where unknown, None where nothing is.

    Attributes:
        iops: float64, 1/s; unknown in the last window, which may not be whole.
        bandwidth_bytes_per_s: float64, likewise.
        latency_ns_mean: float64, of the I/Os completed in the window; of averages where fio averaged.
        latency_ns_max: float64.
    """

    direction: Direction
    iops: "Values | None" = None
    bandwidth_bytes_per_s: "Values | None" = None
    latency_ns_mean: "Values | None" = None
    latency_ns_max: "Values | None" = None


@dataclass(frozen=True, slots=True)
class LogSeries:
    """Logs of one kind over time.

    Attributes:
        kind: What was logged.
        names: The files.
        window_ms: Length of a window.
        end_ms: End of the last window.
        directions: Those that did any I/O.
        notes: What a reader must know.
    """

    kind: LogKind
    names: tuple[str, ...]
    window_ms: int
    end_ms: int
    directions: tuple[DirectionSeries, ...]
    notes: tuple[Message, ...]


def series_of(files: Sequence[LogFile], window_ms: int | None) -> tuple[LogSeries, ...]:
    """Logs over time, those of one kind and form together.

    Args:
        files: No JSON, which has no times.
        window_ms: Length of the windows; None for 100 ms, doubled while there are too many, or for that of averaged logs.

    Raises:
        LogError: A file cannot be read or is damaged, is JSON, or has too many windows of that length.
    """
    json_file = next((one.path for one in files if one.form is LogFormat.JSON), None)
    if json_file is not None:
        raise LogError(message("log-json-no-time", path=str(json_file)), message("log-give-logs"))
    require_nanoseconds([one for one in files if one.kind not in RATES])
    build: dict[LogFormat, Callable[[LogKind, list[Path], int | None, int | None], LogSeries]] = {
        LogFormat.LINES: _of_lines,
        LogFormat.HISTOGRAM: _of_histograms,
    }
    origin_ms = clock_origin_ms(files)
    ordered = sorted(files, key=lambda one: (one.kind.value, one.form.value))
    grouped = groupby(ordered, key=lambda one: (one.kind, one.form))
    return tuple(
        build[form](kind, [one.path for one in members], window_ms, origin_ms) for (kind, form), members in grouped
    )


def timeline(paths: list[Path], window_ms: int, origin_ms: int | None) -> "_core.FioTimeline":
    """Logs in windows as Rust counts them, from `origin_ms` on if their times are those of a clock.

    Raises:
        LogError: A file cannot be read or is damaged, or averages and single I/Os are mixed.
    """
    with explained():
        found = _core.fio_timeline(paths, window_ms, WINDOWS_MAX, origin_ms)
    averaged = [one for one in found.logs if one.lines and one.averaged]
    if averaged and len(averaged) < sum(bool(one.lines) for one in found.logs):
        raise LogError(
            message("log-averages-and-ios", path=str(averaged[0].name)),
            message("log-one-kind-then-other"),
        )
    return found


def _of_lines(kind: LogKind, paths: list[Path], window_ms: int | None, origin_ms: int | None) -> LogSeries:
    found = timeline(paths, window_ms or WINDOW_MS, origin_ms)
    if any(one.averaged for one in found.logs):
        return _of_averages(kind, paths, window_ms, origin_ms)
    if window_ms is not None:
        _require_room(found.window_ms, window_ms)
    notes = tuple(cut_notes(found.logs))
    names = tuple(str(one.name) for one in found.logs)
    directions = tuple(_every_io(kind, found.window_ms, one) for one in found.directions)
    windows = max((len(one.ios) // 8 for one in found.directions), default=0)
    return LogSeries(kind, names, found.window_ms, windows * found.window_ms, directions, notes)


def _require_room(needed_ms: int, window_ms: int) -> None:
    if needed_ms != window_ms:
        raise LogError(
            message("log-too-many-windows", most=number(WINDOWS_MAX), window_ms=window_ms),
            message("log-try-window", needed_ms=needed_ms),
        )


def _every_io(kind: LogKind, window_ms: int, one: "_core.FioTimelineDirection") -> DirectionSeries:
    ios = np.frombuffer(one.ios, np.uint64).astype(np.float64)
    length_bytes = np.frombuffer(one.bytes, np.uint64).astype(np.float64)
    if kind in RATES:
        return DirectionSeries(
            DIRECTIONS[one.direction], _rate(ios, window_ms), _rate(length_bytes, window_ms), None, None
        )
    with np.errstate(invalid="ignore"):
        mean = np.frombuffer(one.sum, np.uint64).astype(np.float64) / ios
    largest = np.where(ios > 0, np.frombuffer(one.max, np.uint64).astype(np.float64), np.nan)
    return DirectionSeries(
        DIRECTIONS[one.direction], _rate(ios, window_ms), _rate(length_bytes, window_ms), mean, largest
    )


def _rate(amount: "Values", window_ms: int) -> "Values":
    rate = amount / (window_ms / 1000)
    rate[-1] = np.nan
    return rate


def averages_over_time(kind: LogKind, paths: list[Path]) -> LogSeries:
    """Averaged logs in their own windows, or, where these are too many, in a multiple of them.

    Raises:
        LogError: A file cannot be read or is damaged.
    """
    origin_ms = clock_origin_ms([LogFile(path, kind, LogFormat.LINES) for path in paths])
    logs = [averaged_rows(path, origin_ms) for path in paths]
    length_ms = spacing_ms(logs)
    return _averaged_in(kind, paths, logs, length_ms * (_windows_of(logs, length_ms) // WINDOWS_MAX + 1))


def _windows_of(logs: Sequence[AveragedRows], length_ms: int) -> int:
    return max((int(one.time_ms.max() - 1) // length_ms + 1 for one in logs if len(one.time_ms)), default=0)


def _of_averages(kind: LogKind, paths: list[Path], window_ms: int | None, origin_ms: int | None) -> LogSeries:
    logs = [averaged_rows(path, origin_ms) for path in paths]
    length_ms = window_ms or spacing_ms(logs)
    windows = _windows_of(logs, length_ms)
    if windows > WINDOWS_MAX:
        _require_room(length_ms * (windows // WINDOWS_MAX + 1), length_ms)
    return _averaged_in(kind, paths, logs, length_ms)


def _averaged_in(kind: LogKind, paths: list[Path], logs: Sequence[AveragedRows], length_ms: int) -> LogSeries:
    windows = _windows_of(logs, length_ms)
    directions = []
    for place, direction in enumerate(DIRECTIONS):
        chosen = [one.of(place) for one in logs if (one.direction == place).any()]
        if chosen:
            means = [_mean(one, length_ms, windows) for one in chosen]
            peaks = [_largest(one.time_ms, one.value_max, length_ms, windows) for one in chosen if one.has_max]
            began_ms = [one.began_ms for one in chosen]
            directions.append(_averages(kind, direction, means, peaks, began_ms))
    notes = [note for one in logs for note in one.notes]
    notes.append(message("log-averaged"))
    names = tuple(str(path) for path in paths)
    return LogSeries(kind, names, length_ms, windows * length_ms, tuple(directions), tuple(notes))


def spacing_ms(logs: "Sequence[AveragedRows | HistWindows]") -> int:
    """How far the lines of one direction are apart, usually; two digits, because fio is a little late."""
    parts = [log.of(number).time_ms for log in logs for number in range(len(DIRECTIONS))]
    gaps = np.concatenate([np.diff(np.unique(part)) for part in parts])
    if not len(gaps):
        return WINDOW_MS
    usual = int(np.median(gaps))
    return max(1, round(usual, 2 - len(str(usual))))


def _mean(log: AveragedRows, length_ms: int, windows: int) -> "Values":
    window = np.maximum(log.time_ms - 1, 0) // length_ms
    count = np.bincount(window, minlength=windows)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.bincount(window, weights=log.value, minlength=windows) / count, dtype=np.float64)


def _largest(time_ms: "NDArray[np.int64]", value: "Values", length_ms: int, windows: int) -> "Values":
    largest = np.full(windows, -np.inf)
    np.maximum.at(largest, np.maximum(time_ms - 1, 0) // length_ms, value)
    return np.where(np.isfinite(largest), largest, np.nan)


def _averages(
    kind: LogKind, direction: Direction, means: list["Values"], peaks: list["Values"], began_ms: list[int]
) -> DirectionSeries:
    if kind is LogKind.IOPS:
        return DirectionSeries(direction, iops=_together(means, began_ms))
    if kind is LogKind.BANDWIDTH:
        return DirectionSeries(direction, bandwidth_bytes_per_s=_together(means, began_ms) * KIB)
    largest = np.fmax.reduce(peaks) if peaks else None
    stacked = np.array(means)
    known = np.isfinite(stacked)
    with np.errstate(invalid="ignore"):
        mean = np.where(known, stacked, 0).sum(axis=0) / known.sum(axis=0)
    return DirectionSeries(direction, latency_ns_mean=mean, latency_ns_max=largest)


def _together(rates: list["Values"], began_ms: list[int]) -> "Values":
    """Rates of several logs add up; unknown in a window that one of them has nothing of between its beginning and its end."""
    total = np.zeros(len(rates[0]))
    for rate, log_began_ms in zip(rates, began_ms, strict=True):
        known = np.flatnonzero(np.isfinite(rate))
        # Of a log that the clock lets begin later, nothing was done before.
        first, last = int(known[0]) if log_began_ms else 0, int(known[-1])
        total[first : last + 1] += rate[first : last + 1]
    beyond = max(int(np.flatnonzero(np.isfinite(rate))[-1]) for rate in rates)
    total[beyond + 1 :] = np.nan
    return total


def _of_histograms(kind: LogKind, paths: list[Path], window_ms: int | None, origin_ms: int | None) -> LogSeries:
    logs = [hist_rows(path, origin_ms) for path in paths]
    length_ms = window_ms or spacing_ms(logs)
    end_ms = max((int(one.time_ms.max()) for one in logs if len(one.time_ms)), default=0)
    windows = end_ms // length_ms
    if windows > WINDOWS_MAX:
        _require_room(length_ms * (windows // WINDOWS_MAX + 1), length_ms)
    edges = np.arange(windows + 1) * length_ms
    directions = []
    for place, direction in enumerate(DIRECTIONS):
        chosen: list[Any] = [one.of(place) for one in logs if (one.direction == place).any()]
        if chosen:
            # A line counts what completed since the line before, and comes when it likes: between two, I/Os are taken as even.
            ended = [np.interp(edges, [one.began_ms, *one.time_ms], [0, *np.cumsum(one.count)]) for one in chosen]
            iops = np.diff(np.sum(ended, axis=0)) / (length_ms / 1000)
            directions.append(DirectionSeries(direction, iops=iops))
    notes = tuple(note for one in logs for note in one.notes)
    return LogSeries(kind, tuple(str(path) for path in paths), length_ms, windows * length_ms, tuple(directions), notes)
