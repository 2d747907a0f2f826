"""The rows of logs that are short because fio summed up: averaged logs and histogram logs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ssdlab import _core
from ssdlab.analysis.log.file import LogError, LogFile, LogFormat, explained
from ssdlab.analysis.log.summary import cut_notes, hist_cut_notes
from ssdlab.message import Message, message

if TYPE_CHECKING:
    from numpy.typing import NDArray


_VALUE_MAX = 2**63 - 1
TIME_MS_MAX = _VALUE_MAX // 1_000_000
"""292 years, which is as far as nanoseconds reach."""


_WALL_CLOCK_MS = 10**12
"""Times from here on are those of a clock (`log_unix_epoch`), in milliseconds since 1970: no job lasts for thirty years."""
_HEAD_BYTES = 65_536
"""Ten lines of the widest logs, which tell how far windows are apart."""
_BLOCK = 3
"""The column of block sizes, which is the first bin of a histogram log."""
_DIGITS_MAX = 18
"""Of a time that can be counted with."""


def since_it_began(time_ms: "NDArray[np.int64]") -> "NDArray[np.int64]":
    """Ends of windows since the log began."""
    began_ms = _began_ms(time_ms)
    return time_ms if began_ms is None else _since(time_ms, began_ms)


def _began_ms(ends_ms: "NDArray[np.int64]") -> int | None:
    """When a log of windows began by the clock, a window before the end of the first; None if its times are those of none."""
    if not len(ends_ms) or ends_ms[0] < _WALL_CLOCK_MS:
        return None
    gaps = np.diff(np.unique(ends_ms))
    return int(ends_ms[0]) - (int(np.median(gaps)) if len(gaps) else 0)


def _since(time_ms: "NDArray[np.int64]", began_ms: int) -> "NDArray[np.int64]":
    since: NDArray[np.int64] = np.maximum(time_ms - began_ms, 0)
    return since


def clock_origin_ms(files: Sequence[LogFile]) -> int | None:
    """When the first log of a run began by the clock (`log_unix_epoch`), from which all of them count; None if none has such times.

    Raises:
        LogError: A file cannot be read.
    """
    begins = [_begin_by_head(file) for file in files if file.form is not LogFormat.JSON and file.path.is_file()]
    return min((began_ms for began_ms in begins if began_ms is not None), default=None)


def _begin_by_head(file: LogFile) -> int | None:
    with explained(file.path):
        head = _core.read_fio_file(file.path, _HEAD_BYTES)
    rows = [line.split(b",", 4)[:4] for line in head.split(b"\n")[:-1]]
    numbers = [row for row in rows if len(row) == _BLOCK + 1 and all(_is_number(text) for text in row)]
    if not numbers or len(numbers[0][0]) > _DIGITS_MAX:
        return None
    first_ms = int(numbers[0][0])
    if file.form is LogFormat.LINES and any(int(row[_BLOCK]) for row in numbers):
        # Every I/O, of which the first is the beginning.
        return first_ms if first_ms >= _WALL_CLOCK_MS else None
    times = [int(row[0]) for row in numbers if len(row[0]) <= _DIGITS_MAX]
    return _began_ms(np.array(times, dtype=np.int64))


def _is_number(text: bytes) -> bool:
    return text.strip().isdigit() and len(text.strip()) <= 2 * _DIGITS_MAX


def _moved(time_ms: "NDArray[np.int64]", origin_ms: int | None) -> "tuple[NDArray[np.int64], int]":
    """Ends of windows since the run began, and when in it the log began."""
    began_ms = _began_ms(time_ms)
    if began_ms is None:
        return time_ms, 0
    first_ms = began_ms if origin_ms is None else min(origin_ms, began_ms)
    return _since(time_ms, first_ms), began_ms - first_ms


@dataclass(frozen=True, slots=True, eq=False)
class AveragedRows:
    """The lines of an averaged log; arrays of one length.

    Attributes:
        began_ms: When the log began in the run; 0 unless the clock says more.
        time_ms: int64, end of fio's window, since the run began.
        direction: int64, fio's number.
        value: float64, mean of the window.
        value_max: float64, largest of the window; the mean where fio did not log it.
        has_max: bool, whether it did.
        notes: Where the log is cut off.
    """

    began_ms: int
    time_ms: "NDArray[np.int64]"
    direction: "NDArray[np.int64]"
    value: "NDArray[np.float64]"
    value_max: "NDArray[np.float64]"
    has_max: bool
    notes: tuple[Message, ...]

    def of(self, number: int) -> "AveragedRows":
        """Those of one direction."""
        chosen = self.direction == number
        return replace(
            self,
            time_ms=self.time_ms[chosen],
            direction=self.direction[chosen],
            value=self.value[chosen],
            value_max=self.value_max[chosen],
        )


@dataclass(frozen=True, slots=True, eq=False)
class HistWindows:
    """How many I/Os each line of a histogram log counts; arrays of one length.

    Attributes:
        began_ms: When the log began in the run; 0 unless the clock says more.
        time_ms: int64, end of fio's window, since the run began.
        direction: int64, fio's number.
        count: int64.
        notes: Where the log is cut off.
    """

    began_ms: int
    time_ms: "NDArray[np.int64]"
    direction: "NDArray[np.int64]"
    count: "NDArray[np.int64]"
    notes: tuple[Message, ...]

    def of(self, number: int) -> "HistWindows":
        """Those of one direction, lines of one time as one."""
        chosen = self.direction == number
        time_ms, place = np.unique(self.time_ms[chosen], return_inverse=True)
        count = np.zeros(len(time_ms), dtype=np.int64)
        np.add.at(count, place, self.count[chosen])
        return replace(self, time_ms=time_ms, direction=np.full(len(time_ms), number), count=count)


def averaged_rows(path: Path, origin_ms: int | None) -> AveragedRows:
    """Read an averaged log whole, with its times since `origin_ms` if they are those of a clock.

    Raises:
        LogError: The file cannot be read or is damaged.
    """
    parts: list[_core.FioLog] = []
    with explained(path):
        log = _core.read_fio_rows(path, parts.append)

    def column(values: list[bytes], most: int = _VALUE_MAX) -> "NDArray[np.int64]":
        return _signed(path, b"".join(values), most)

    value = column([one.value for one in parts])
    largest = [one.value_max for one in parts if one.value_max is not None]
    time_ms, began_ms = _moved(column([one.time_ms for one in parts], TIME_MS_MAX), origin_ms)
    return AveragedRows(
        began_ms=began_ms,
        time_ms=time_ms,
        direction=np.frombuffer(b"".join(one.direction for one in parts), np.uint8).astype(np.int64),
        value=value.astype(np.float64),
        value_max=(column(largest) if largest else value).astype(np.float64),
        has_max=bool(largest),
        notes=tuple(cut_notes([log])),
    )


def _signed(path: Path, content: bytes, most: int) -> "NDArray[np.int64]":
    """Numbers of a log, which knows no sign.

    Raises:
        LogError: One of them is more than can be counted with.
    """
    numbers = np.frombuffer(content, np.uint64)
    if len(numbers) and int(numbers.max()) > most:
        raise LogError(
            message("log-impossible-number", path=str(path), largest=int(numbers.max())), message("log-is-it-fio")
        )
    return numbers.astype(np.int64)


def hist_rows(path: Path, origin_ms: int | None) -> HistWindows:
    """Read what the windows of a histogram log count, with its times since `origin_ms` if they are those of a clock.

    Raises:
        LogError: The file cannot be read or is damaged.
    """
    times, directions, counts = [], [], []
    with explained(path):
        reader = _core.FioHistReader(path)
        for rows in reader:
            key = _signed(path, rows.time_ms, TIME_MS_MAX) * 4 + np.frombuffer(rows.direction, np.uint8)
            windows, place = np.unique(key, return_inverse=True)
            count = np.zeros(len(windows), dtype=np.int64)
            np.add.at(count, place, np.frombuffer(rows.count, np.int64))
            times.append(windows // 4)
            directions.append(windows % 4)
            counts.append(count)
    nothing = np.empty(0, dtype=np.int64)
    time_ms, began_ms = _moved(np.concatenate([nothing, *times]), origin_ms)
    return HistWindows(
        began_ms=began_ms,
        time_ms=time_ms,
        direction=np.concatenate([nothing, *directions]),
        count=np.concatenate([nothing, *counts]),
        notes=hist_cut_notes(path, reader),
    )
