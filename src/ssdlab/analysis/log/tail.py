"""Whole latency distributions of anyone's logs, one for each file and direction."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ssdlab import _core
from ssdlab.analysis.log.file import RATES, LogError, LogFile, LogFormat, LogKind, explained, require_nanoseconds
from ssdlab.analysis.log.json_summary import json_bins
from ssdlab.analysis.log.rows import since_it_began
from ssdlab.analysis.log.summary import DIRECTIONS, cut_notes, hist_cut_notes
from ssdlab.engine.result import Direction
from ssdlab.message import Message, message
from ssdlab.unknown import Unknown

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TOO_SHORT = Unknown(message("unknown-short-log"))


class Known(Enum):
    """What `LogTail.at` is."""

    PERCENT = "percent"
    BIN = "bin"


@dataclass(frozen=True, slots=True, eq=False)
class LogTail:
    """The latencies of one direction of one file; arrays of one length.

    Attributes:
        kind: What was logged.
        path: The file.
        direction: Read, write or trim.
        iops: I/Os a second over the log.
        io_count: I/Os.
        known: Whether percentiles are known exactly, or counts in fio's bins.
        at: float64 percentages, or int64 bins.
        value: float64 latencies in ns (NaN where fewer than ten I/Os lie above), or int64 counts.
        notes: What a reader must know.
    """

    kind: LogKind
    path: Path
    direction: Direction
    iops: float | Unknown
    io_count: int
    known: Known
    at: "NDArray[np.float64] | NDArray[np.int64]"
    value: "NDArray[np.float64] | NDArray[np.int64]"
    notes: tuple[Message, ...]


def tails_of(files: Sequence[LogFile], percents: Sequence[float]) -> tuple[LogTail, ...]:
    """The distributions, in the order of the files.

    Args:
        files: Logs of every I/O, histogram logs, json+.
        percents: The percentages of which exact latencies are wanted, ascending.

    Raises:
        LogError: A file cannot be read, is damaged, or has no distribution.
    """
    require_nanoseconds(files)
    tails: list[LogTail] = []
    for one in files:
        if one.form is not LogFormat.JSON and one.kind in RATES:
            raise LogError(message("log-rates", path=str(one.path)), message("log-give-latency"))
        match one.form:
            case LogFormat.LINES:
                tails += _of_lines(one, percents)
            case LogFormat.HISTOGRAM:
                tails += _of_histogram(one)
            case LogFormat.JSON:
                tails += _of_json(one.path)
    return tuple(tails)


def _of_lines(file: LogFile, percents: Sequence[float]) -> list[LogTail]:
    with explained():
        scan = _core.scan_fio_logs([file.path], list(percents))
    if any(one.averaged for one in scan.logs):
        raise LogError(
            message("log-averaged-no-percentiles", path=str(file.path)),
            message("log-run-with-histogram"),
        )
    notes = tuple(cut_notes(scan.logs))
    return [
        LogTail(
            kind=file.kind,
            path=file.path,
            direction=DIRECTIONS[one.direction],
            iops=_iops(np.frombuffer(one.window_ios, np.int64), scan.window_ms),
            io_count=one.lines,
            known=Known.PERCENT,
            at=np.array(percents, dtype=np.float64),
            value=np.array([_latency_ns(found) for found in one.percentiles], dtype=np.float64),
            notes=notes,
        )
        for one in scan.directions
    ]


def _latency_ns(found: int | tuple[int, int] | None) -> float:
    if found is None:
        return float("nan")
    # Of a pipe with very many latencies an interval is known, narrower than the line is wide.
    return (found[0] + found[1]) / 2 if isinstance(found, tuple) else float(found)


def _iops(ios: "NDArray[np.int64]", window_ms: int) -> float | Unknown:
    """Over all whole windows: when in the last one the log ended is not known."""
    if len(ios) < 2:
        return _TOO_SHORT
    return float(ios[:-1].sum()) / ((len(ios) - 1) * window_ms / 1000)


def _of_histogram(file: LogFile) -> list[LogTail]:
    counts = np.zeros((len(DIRECTIONS), _core.BIN_COUNT), dtype=np.int64)
    times = [np.empty(0, dtype=np.int64)]
    with explained(file.path):
        reader = _core.FioHistReader(file.path)
        for rows in reader:
            times.append(np.unique(np.frombuffer(rows.time_ms, np.int64)))
            place = np.frombuffer(rows.direction, np.uint8), np.frombuffer(rows.bin_index, np.int64)
            np.add.at(counts, place, np.frombuffer(rows.count, np.int64))
    notes = hist_cut_notes(file.path, reader)
    last_ms = int(since_it_began(np.concatenate(times)).max(initial=0))
    return [
        _binned(file.kind, file.path, direction, of_direction, _rate(int(of_direction.sum()), last_ms), notes)
        for direction, of_direction in zip(DIRECTIONS, counts, strict=True)
        if of_direction.any()
    ]


def _rate(ios: int, last_ms: int) -> float | Unknown:
    return ios / (last_ms / 1000) if last_ms else _TOO_SHORT


def _binned(
    kind: LogKind,
    path: Path,
    direction: Direction,
    counts: "NDArray[np.int64]",
    iops: float | Unknown,
    notes: tuple[Message, ...],
) -> LogTail:
    bins = np.flatnonzero(counts)
    return LogTail(kind, path, direction, iops, int(counts.sum()), Known.BIN, bins, counts[bins], notes)


def _of_json(path: Path) -> list[LogTail]:
    tails = []
    for one in json_bins(path):
        counts = np.zeros(_core.BIN_COUNT, dtype=np.int64)
        np.add.at(counts, one.bins, one.counts)
        tails.append(_binned(one.kind, path, one.direction, counts, one.iops, ()))
    return tails
