"""Logs and JSON that anyone's fio wrote: percentiles, means and series of each direction.

Logs of one kind are counted as if they were one, rates of several are added, histograms are merged bin by bin, and percentiles are never
averaged.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ssdlab import _core
from ssdlab.analysis.log.file import RATES, LogError, LogFile, LogFormat, LogKind, explained
from ssdlab.analysis.statistics.percentile import PERCENTS, SAMPLES_ABOVE_MIN, bin_percentiles_ns
from ssdlab.engine.result import Direction
from ssdlab.message import Message, message, number
from ssdlab.units import KIB
from ssdlab.unknown import Unknown

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIRECTIONS = (Direction.READ, Direction.WRITE, Direction.TRIM)
"""By fio's number."""

TOO_FEW = Unknown(message("unknown-few-ios-above", least=SAMPLES_ABOVE_MIN))
_OF_AVERAGES = Unknown(message("unknown-averaged-percentiles"))
_NOT_LOGGED = Unknown(message("unknown-averaged-count"))
_NOT_OF_ONE_IO = Unknown(message("unknown-rate-of-each-io"))
_BINS = Unknown(message("unknown-only-bins"))

Value = float | Unknown


class Precision(Enum):
    """How close percentiles are."""

    EXACT = "exact"
    BINS = "to the width of fio's bins"


@dataclass(frozen=True, slots=True, eq=False)
class LogWindows:
    """I/Os and bytes over time, from time 0 on; int64 arrays of one length."""

    window_ms: int
    ios: "NDArray[np.int64]"
    length_bytes: "NDArray[np.int64]"


@dataclass(frozen=True, slots=True, eq=False)
class DirectionSummary:
    """What one direction did. `mean`, `largest` and the percentiles are in the unit of the kind.

    Attributes:
        direction: Read, write or trim.
        io_count: I/Os completed.
        io_bytes: Bytes they moved.
        window_count: Windows that fio averaged over; None where it did not.
        mean: Of all I/Os; of the windows where fio averaged.
        largest: Of all I/Os; of the windows where fio averaged.
        percentiles: By `PERCENTS`.
        windows: The series, where every I/O is logged.
    """

    direction: Direction
    io_count: int | Unknown
    io_bytes: int | Unknown
    window_count: int | None
    mean: Value
    largest: Value
    percentiles: tuple[Value, ...]
    windows: LogWindows | None


@dataclass(frozen=True, slots=True)
class LogSummary:
    """What logs of one kind say together.

    Attributes:
        kind: What was logged.
        form: How.
        precision: How close percentiles are; None where there are none.
        names: The files.
        directions: Those that did any I/O.
        notes: What a reader must know, such as a log that is cut off.
    """

    kind: LogKind
    form: LogFormat
    precision: Precision | None
    names: tuple[str, ...]
    directions: tuple[DirectionSummary, ...]
    notes: tuple[Message, ...]


def summarise(files: Sequence[LogFile]) -> tuple[LogSummary, ...]:
    """Summarise files, those of one kind and form together.

    Raises:
        LogError: A file cannot be read or is damaged.
    """
    readers: dict[LogFormat, Callable[[LogKind, list[Path]], LogSummary]] = {
        LogFormat.LINES: _of_lines,
        LogFormat.HISTOGRAM: _of_histograms,
    }
    summaries: list[LogSummary] = []
    ordered = sorted(
        (one for one in files if one.form is not LogFormat.JSON),
        key=lambda one: (one.form.value, one.kind.value, one.unit.value),
    )
    for _, group in groupby(ordered, key=lambda one: (one.form, one.kind, one.unit)):
        members = list(group)
        summary = readers[members[0].form](members[0].kind, [one.path for one in members])
        summaries.append(summary if summary.kind in RATES else _in_nanoseconds(summary, members[0].unit.in_ns))
    json_files = [one.path for one in files if one.form is LogFormat.JSON]
    if json_files:
        from ssdlab.analysis.log.json_summary import summarise_json

        summaries += summarise_json(json_files)
    return tuple(summaries)


def _of_lines(kind: LogKind, paths: list[Path]) -> LogSummary:
    with explained():
        scan = _core.scan_fio_logs(paths, [float(percent) for percent in PERCENTS])
    averaged = {one.averaged for one in scan.logs if one.lines}
    if len(averaged) == 2:
        mean_of = next(str(one.name) for one in scan.logs if one.averaged)
        raise LogError(
            message("log-averages-and-ios", path=str(mean_of)),
            message("log-one-kind-then-other"),
        )
    whole = averaged == {False}
    build: Callable[[LogKind, int, _core.FioScanDirection], DirectionSummary] = _every_io if whole else _averages
    if any(one.has_largest for one in scan.logs):
        build = _with_largest(paths)
    rate = kind in RATES
    notes = [*cut_notes(scan.logs)]
    if rate and averaged == {True} and len(paths) > 1:
        build = _added(kind, paths)
        notes.append(message("log-rates-added", logs=len(paths)))
    return LogSummary(
        kind=kind,
        form=LogFormat.LINES,
        precision=Precision.EXACT if whole and not rate else None,
        names=tuple(str(one.name) for one in scan.logs),
        directions=tuple(build(kind, scan.window_ms, one) for one in scan.directions),
        notes=tuple(notes),
    )


def _in_nanoseconds(summary: LogSummary, factor: int) -> LogSummary:
    if factor == 1:
        return summary

    def scaled(value: Value) -> Value:
        return value if isinstance(value, Unknown) else value * factor

    directions = (
        replace(
            one,
            mean=scaled(one.mean),
            largest=scaled(one.largest),
            percentiles=tuple(scaled(value) for value in one.percentiles),
        )
        for one in summary.directions
    )
    return replace(summary, directions=tuple(directions), notes=(*summary.notes, message("log-whole-microseconds")))


def cut_notes(logs: Iterable["_core.FioScanLog"]) -> Iterator[Message]:
    """What to say of logs that end inside a line, or have none."""
    for one in logs:
        if one.cut is not None:
            line, found = one.cut
            yield message("log-cut-off-with", path=str(one.name), line=line, found=found)
        elif not one.lines:
            yield message("log-empty", path=str(one.name))


def _every_io(kind: LogKind, window_ms: int, one: "_core.FioScanDirection") -> DirectionSummary:
    rate = kind in RATES
    return DirectionSummary(
        direction=DIRECTIONS[one.direction],
        io_count=one.lines,
        io_bytes=one.bytes,
        window_count=None,
        mean=_NOT_OF_ONE_IO if rate else one.sum / one.lines,
        largest=_NOT_OF_ONE_IO if rate else one.max,
        percentiles=tuple(_NOT_OF_ONE_IO if rate else _percentile(found) for found in one.percentiles),
        windows=LogWindows(
            window_ms, np.frombuffer(one.window_ios, np.int64), np.frombuffer(one.window_bytes, np.int64)
        ),
    )


def _percentile(found: int | tuple[int, int] | None) -> Value:
    if found is None:
        return TOO_FEW
    if isinstance(found, tuple):
        low, high = found
        return Unknown(message("unknown-pipe-latencies", low=str(low), high=str(high)))
    return found


def _added(kind: LogKind, paths: list[Path]) -> Callable[..., DirectionSummary]:
    """Of rates of several logs: each is of one job, and what jobs do at one time adds up."""
    from ssdlab.analysis.log.series import averages_over_time

    _require_files(paths)
    series = averages_over_time(kind, paths)
    rates = {
        one.direction: one.iops if one.bandwidth_bytes_per_s is None else one.bandwidth_bytes_per_s / KIB
        for one in series.directions
    }

    def build(kind: LogKind, window_ms: int, one: "_core.FioScanDirection") -> DirectionSummary:
        rate = rates[DIRECTIONS[one.direction]]
        alone = _averages(kind, window_ms, one)
        return alone if rate is None else replace(alone, mean=float(np.nanmean(rate)), largest=float(np.nanmax(rate)))

    return build


def _require_files(paths: list[Path]) -> None:
    pipe = next((path for path in paths if not path.is_file()), None)
    if pipe is not None:
        raise LogError(message("log-pipe-windows", path=str(pipe)), message("log-save-first"))


def _with_largest(paths: list[Path]) -> Callable[..., DirectionSummary]:
    """Of logs that have mean and largest of a window: the scan counts only one value a line, so they are read as columns."""
    from ssdlab.analysis.log.rows import averaged_rows

    _require_files(paths)
    logs = [averaged_rows(path, None) for path in paths]

    def build(kind: LogKind, window_ms: int, one: "_core.FioScanDirection") -> DirectionSummary:
        parts = [log.of(one.direction) for log in logs]
        mean = float(np.concatenate([part.value for part in parts]).mean())
        return replace(_averages(kind, window_ms, one), mean=mean)

    return build


def _averages(_kind: LogKind, _window_ms: int, one: "_core.FioScanDirection") -> DirectionSummary:
    return DirectionSummary(
        direction=DIRECTIONS[one.direction],
        io_count=_NOT_LOGGED,
        io_bytes=_NOT_LOGGED,
        window_count=one.lines,
        mean=one.sum / one.lines,
        largest=one.max,
        percentiles=(_OF_AVERAGES,) * len(PERCENTS),
        windows=None,
    )


def _of_histograms(kind: LogKind, paths: list[Path]) -> LogSummary:
    counts = np.zeros((len(DIRECTIONS), _core.BIN_COUNT), dtype=np.int64)
    merged = 1
    notes = [message("log-rest-unwritten")]
    for path in paths:
        with explained(path):
            reader = _core.FioHistReader(path)
            for rows in reader:
                merged = max(merged, int(np.frombuffer(rows.bins_merged, np.int64).max()))
                place = np.frombuffer(rows.direction, np.uint8), np.frombuffer(rows.bin_index, np.int64)
                np.add.at(counts, place, np.frombuffer(rows.count, np.int64))
        notes += hist_cut_notes(path, reader)
    if merged > 1:
        notes.append(message("log-merged-bins", merged=merged, percent=number(merged * 0.8, ".1f")))
    return LogSummary(
        kind=kind,
        form=LogFormat.HISTOGRAM,
        precision=Precision.BINS,
        names=tuple(str(path) for path in paths),
        directions=tuple(_histogram(place, counts[place]) for place in range(3) if counts[place].any()),
        notes=tuple(notes),
    )


def hist_cut_notes(path: Path, reader: "_core.FioHistReader") -> tuple[Message, ...]:
    """What to say of a histogram log that ends inside a line."""
    if reader.cut is None:
        return ()
    return (message("log-cut-off", path=str(path), line=reader.cut),)


def _histogram(place: int, counts: "NDArray[np.int64]") -> DirectionSummary:
    bins = np.flatnonzero(counts)
    return DirectionSummary(
        direction=DIRECTIONS[place],
        io_count=int(counts.sum()),
        io_bytes=_BINS,
        window_count=None,
        mean=_BINS,
        largest=_BINS,
        percentiles=bin_percentiles(bins.tolist(), counts[bins].tolist()),
        windows=None,
    )


def bin_percentiles(bins: list[int], counts: list[int]) -> tuple[Value, ...]:
    """Percentiles of merged histograms, in which a bin may occur more than once."""
    found = bin_percentiles_ns(np.array(bins, dtype=np.int64), np.array(counts, dtype=np.int64))
    return tuple(TOO_FEW if isinstance(one, Unknown) else one for one in found)
