"""How latencies of anyone's logs are distributed over time: of every I/O, or of histogram logs."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ssdlab import _core
from ssdlab.analysis.log.file import RATES, LogError, LogFile, LogFormat, LogKind, explained, require_nanoseconds
from ssdlab.analysis.log.rows import TIME_MS_MAX, clock_origin_ms, hist_rows
from ssdlab.analysis.log.series import spacing_ms, timeline
from ssdlab.analysis.log.summary import DIRECTIONS, cut_notes, hist_cut_notes
from ssdlab.engine.result import Direction, LatencyWindows
from ssdlab.message import Message, commas, message, number, verbatim
from ssdlab.units import NS_PER_MS

if TYPE_CHECKING:
    from numpy.typing import NDArray

WINDOW_MS_MIN = 10
"""Of logs of every I/O; pairs are joined until a picture has room for them."""


@dataclass(frozen=True, slots=True, eq=False)
class LogHeat:
    """One direction of logs of one kind.

    Attributes:
        kind: What was logged.
        direction: Read, write or trim.
        names: The files.
        windows: Counts by window and latency.
        bins_merged: Bins of fio's that are known only together.
        notes: What a reader must know.
    """

    kind: LogKind
    direction: Direction
    names: tuple[str, ...]
    windows: LatencyWindows
    bins_merged: int
    notes: tuple[Message, ...]


def heat_of(files: Sequence[LogFile], window_ms: int | None) -> tuple[LogHeat, ...]:
    """Distributions over time of every direction of every kind; histogram logs are preferred over others of their kind.

    Args:
        files: Logs of every I/O or histogram logs of latencies.
        window_ms: Length of the windows, at least.

    Raises:
        LogError: A file cannot be read, is damaged, or has no single latencies or no times.
    """
    require_nanoseconds(files)
    for one in files:
        if one.form is LogFormat.JSON:
            raise LogError(message("log-json-no-time", path=str(one.path)), message("log-give-histogram"))
        if one.kind in RATES:
            raise LogError(message("log-rates", path=str(one.path)), message("log-give-latency"))
    origin_ms = clock_origin_ms(files)
    ordered = sorted(files, key=lambda one: (one.kind.value, one.form is not LogFormat.HISTOGRAM))
    heats: list[LogHeat] = []
    for kind, members in groupby(ordered, key=lambda one: one.kind):
        same_kind = list(members)
        first = same_kind[0].form
        paths = [one.path for one in same_kind if one.form is first]
        heats += (
            _of_histograms(kind, paths, window_ms, origin_ms)
            if first is LogFormat.HISTOGRAM
            else _of_lines(kind, paths, window_ms, origin_ms)
        )
    return tuple(heats)


def _of_lines(kind: LogKind, paths: list[Path], window_ms: int | None, origin_ms: int | None) -> list[LogHeat]:
    length_ms = window_ms or WINDOW_MS_MIN
    found = timeline(paths, length_ms, origin_ms)
    averaged = next((one.name for one in found.logs if one.averaged), None)
    if averaged is not None:
        raise LogError(
            message("log-averaged-no-distribution", path=str(averaged)),
            message("log-run-with-histogram"),
        )
    names = tuple(str(one.name) for one in found.logs)
    notes = tuple(cut_notes(found.logs))
    heats = []
    for one in found.directions:
        window, first_bin, count = (np.array(column, dtype=np.int64) for column in one.cells())
        windows = _windows(names, length_ms * one.windows_joined, window, first_bin, count)
        direction = DIRECTIONS[one.direction]
        heats.append(LogHeat(kind, direction, names, windows, _core.BINS_MERGED_OVER_TIME, notes))
    return heats


def _windows(
    names: tuple[str, ...],
    length_ms: int,
    window: "NDArray[np.int64]",
    first_bin: "NDArray[np.int64]",
    count: "NDArray[np.int64]",
) -> LatencyWindows:
    end_ms = (int(window.max()) + 1) * length_ms
    if end_ms > TIME_MS_MAX:
        paths = commas(*(verbatim(f"`{name}`") for name in names))
        raise LogError(
            message("log-time-of-no-clock", paths=paths, end_ms=number(end_ms, ",")), message("log-is-it-fio")
        )
    return LatencyWindows(
        window_ns=length_ms * NS_PER_MS,
        time_ns=(window + 1) * length_ms * NS_PER_MS,
        bin_index=first_bin,
        count=count,
    )


def _of_histograms(kind: LogKind, paths: list[Path], window_ms: int | None, origin_ms: int | None) -> list[LogHeat]:
    length_ms = max(window_ms or 1, spacing_ms([hist_rows(path, origin_ms) for path in paths]))
    together: list[_core.LatencyOverTime] | None = None
    notes: list[Message] = []
    merged = _core.BINS_MERGED_OVER_TIME
    for path in paths:
        with explained(path):
            content = _core.read_fio_file(path)
            whole = content[: content.rfind(b"\n") + 1]
            of_log = list(_core.fio_latency_over_time(whole, length_ms, origin_ms))
            merged = max(merged, _core.parse_fio_hist_log(whole).bins_merged)
            reader = _core.FioHistReader(path)
            for _ in reader:
                pass
        notes += hist_cut_notes(path, reader)
        together = (
            of_log if together is None else [one.merged(more) for one, more in zip(together, of_log, strict=True)]
        )
    heats = []
    for direction, found in zip(DIRECTIONS, together or [], strict=False):
        columns = [np.frombuffer(column, np.int64) for column in (found.window, found.first_bin, found.count)]
        if len(columns[0]):
            names = tuple(str(path) for path in paths)
            windows = _windows(names, length_ms * found.windows_joined, columns[0], columns[1], columns[2])
            heats.append(LogHeat(kind, direction, names, windows, merged, tuple(notes)))
    return heats
