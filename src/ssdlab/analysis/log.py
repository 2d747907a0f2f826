"""Logs and JSON that anyone's fio wrote: percentiles, means and series of each direction.

Logs of one kind are counted as if they were one, histograms are merged bin by bin, and percentiles are never averaged.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ssdlab import _core
from ssdlab.analysis.log_file import Form, LogError, LogFile, LogKind, explained
from ssdlab.analysis.percentile import SAMPLES_ABOVE_MIN
from ssdlab.engine.result import Direction
from ssdlab.unknown import Unknown

if TYPE_CHECKING:
    from numpy.typing import NDArray

PERCENTS = ("50", "90", "99", "99.9", "99.99", "99.999", "99.9999")
DIRECTIONS = (Direction.READ, Direction.WRITE, Direction.TRIM)
"""By fio's number."""

TOO_FEW = Unknown(f"fewer than {SAMPLES_ABOVE_MIN} I/Os lie above it")
_OF_AVERAGES = Unknown("fio averaged this log over windows, and averages have no percentiles of I/Os")
_NOT_LOGGED = Unknown("fio averaged this log over windows and did not count")
_NOT_OF_ONE_IO = Unknown("fio writes a rate for every single I/O here, which says nothing about the drive")
_BINS = Unknown("a histogram log has only bins")

Value = float | Unknown


class Precision(Enum):
    """How close percentiles are."""

    EXACT = "exact"
    BINS = "to the width of fio's bins"


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
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
    windows: Windows | None


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
    form: Form
    precision: Precision | None
    names: tuple[str, ...]
    directions: tuple[DirectionSummary, ...]
    notes: tuple[str, ...]


def summarise(files: Sequence[LogFile]) -> tuple[LogSummary, ...]:
    """Summarise files, those of one kind and form together.

    Raises:
        LogError: A file cannot be read or is damaged.
    """
    readers: dict[Form, Callable[[LogKind, list[Path]], LogSummary]] = {
        Form.LINES: _of_lines,
        Form.HISTOGRAM: _of_histograms,
    }
    summaries: list[LogSummary] = []
    ordered = sorted(
        (one for one in files if one.form is not Form.JSON), key=lambda one: (one.form.value, one.kind.value)
    )
    for (_, _), group in groupby(ordered, key=lambda one: (one.form, one.kind)):
        members = list(group)
        summaries.append(readers[members[0].form](members[0].kind, [one.path for one in members]))
    json_files = [one.path for one in files if one.form is Form.JSON]
    if json_files:
        from ssdlab.analysis.log_json import summarise_json

        summaries += summarise_json(json_files)
    return tuple(summaries)


def _of_lines(kind: LogKind, paths: list[Path]) -> LogSummary:
    with explained():
        scan = _core.scan_fio_logs(paths, [float(percent) for percent in PERCENTS])
    averaged = {one.averaged for one in scan.logs if one.lines}
    if len(averaged) == 2:
        mean_of = next(str(one.name) for one in scan.logs if one.averaged)
        raise LogError(
            f"`{mean_of}` holds averages, other logs every I/O",
            "give logs of every I/O and averaged logs one after the other",
        )
    whole = averaged == {False}
    build: Callable[[LogKind, int, _core.FioScanDirection], DirectionSummary] = _every_io if whole else _averages
    if any(one.has_largest for one in scan.logs):
        build = _with_largest(paths)
    rate = kind in {LogKind.BANDWIDTH, LogKind.IOPS}
    return LogSummary(
        kind=kind,
        form=Form.LINES,
        precision=Precision.EXACT if whole and not rate else None,
        names=tuple(str(one.name) for one in scan.logs),
        directions=tuple(build(kind, scan.window_ms, one) for one in scan.directions),
        notes=tuple(cut_notes(scan.logs)),
    )


def cut_notes(logs: Iterable["_core.FioScanLog"]) -> Iterator[str]:
    """What to say of logs that end inside a line, or have none."""
    for one in logs:
        if one.cut is not None:
            line, found = one.cut
            yield f"`{one.name}` is cut off inside line {line}, which is not counted: it has `{found}`"
        elif not one.lines:
            yield f"`{one.name}` is empty"


def _every_io(kind: LogKind, window_ms: int, one: "_core.FioScanDirection") -> DirectionSummary:
    rate = kind in {LogKind.BANDWIDTH, LogKind.IOPS}
    return DirectionSummary(
        direction=DIRECTIONS[one.direction],
        io_count=one.lines,
        io_bytes=one.bytes,
        window_count=None,
        mean=_NOT_OF_ONE_IO if rate else one.sum / one.lines,
        largest=_NOT_OF_ONE_IO if rate else one.max,
        percentiles=tuple(_NOT_OF_ONE_IO if rate else _percentile(found) for found in one.percentiles),
        windows=Windows(window_ms, np.frombuffer(one.window_ios, np.int64), np.frombuffer(one.window_bytes, np.int64)),
    )


def _percentile(found: int | tuple[int, int] | None) -> Value:
    if found is None:
        return TOO_FEW
    if isinstance(found, tuple):
        low, high = found
        return Unknown(
            f"between {low} and {high} ns: too many different latencies for one pass over a pipe, a file can be read again"
        )
    return found


def _with_largest(paths: list[Path]) -> Callable[..., DirectionSummary]:
    """Of logs that have mean and largest of a window: the scan counts only one value a line, so they are read as columns."""
    from ssdlab.analysis.log_rows import averaged_rows

    pipe = next((path for path in paths if not path.is_file()), None)
    if pipe is not None:
        raise LogError(
            f"`{pipe}` has mean and largest of every window, which a pipe cannot give", "save it to a file first"
        )
    logs = [averaged_rows(path) for path in paths]

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
    notes = ["I/Os after a log's last window are missing from it: fio does not write the rest"]
    for path in paths:
        with explained(path):
            reader = _core.FioHistReader(path)
            for rows in reader:
                merged = max(merged, int(np.frombuffer(rows.bins_merged, np.int64).max()))
                place = np.frombuffer(rows.direction, np.uint8), np.frombuffer(rows.bin_index, np.int64)
                np.add.at(counts, place, np.frombuffer(rows.count, np.int64))
        notes += hist_cut_notes(path, reader)
    if merged > 1:
        notes.append(f"fio merged {merged} bins into one, so a percentile is within {merged * 0.8:.1f} %")
    return LogSummary(
        kind=kind,
        form=Form.HISTOGRAM,
        precision=Precision.BINS,
        names=tuple(str(path) for path in paths),
        directions=tuple(_histogram(number, counts[number]) for number in range(3) if counts[number].any()),
        notes=tuple(notes),
    )


def hist_cut_notes(path: Path, reader: "_core.FioHistReader") -> tuple[str, ...]:
    """What to say of a histogram log that ends inside a line."""
    if reader.cut is None:
        return ()
    return (f"`{path}` is cut off inside line {reader.cut}, which is not counted",)


def _histogram(number: int, counts: "NDArray[np.int64]") -> DirectionSummary:
    bins = np.flatnonzero(counts)
    return DirectionSummary(
        direction=DIRECTIONS[number],
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
    found = _core.histogram_percentiles(bins, counts, [float(percent) for percent in PERCENTS])
    return tuple(TOO_FEW if one is None else one for one in found)
