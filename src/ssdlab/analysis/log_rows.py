"""The rows of logs that are short because fio summed up: averaged logs and histogram logs."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ssdlab import _core
from ssdlab.analysis.log import cut_notes, hist_cut_notes
from ssdlab.analysis.log_file import explained

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class AveragedRows:
    """The lines of an averaged log; arrays of one length.

    Attributes:
        time_ms: int64, end of fio's window.
        direction: int64, fio's number.
        value: float64, mean of the window.
        value_max: float64, largest of the window; the mean where fio did not log it.
        has_max: bool, whether it did.
        notes: Where the log is cut off.
    """

    time_ms: "NDArray[np.int64]"
    direction: "NDArray[np.int64]"
    value: "NDArray[np.float64]"
    value_max: "NDArray[np.float64]"
    has_max: bool
    notes: tuple[str, ...]

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
        time_ms: int64, end of fio's window.
        direction: int64, fio's number.
        count: int64.
        notes: Where the log is cut off.
    """

    time_ms: "NDArray[np.int64]"
    direction: "NDArray[np.int64]"
    count: "NDArray[np.int64]"
    notes: tuple[str, ...]

    def of(self, number: int) -> "HistWindows":
        """Those of one direction, lines of one time as one."""
        chosen = self.direction == number
        time_ms, place = np.unique(self.time_ms[chosen], return_inverse=True)
        count = np.zeros(len(time_ms), dtype=np.int64)
        np.add.at(count, place, self.count[chosen])
        return replace(self, time_ms=time_ms, direction=np.full(len(time_ms), number), count=count)


def averaged_rows(path: Path) -> AveragedRows:
    """Read an averaged log whole.

    Raises:
        LogError: The file cannot be read or is damaged.
    """
    parts: list[_core.FioLog] = []
    with explained(path):
        log = _core.read_fio_rows(path, parts.append)

    def column(values: list[bytes]) -> "NDArray[np.int64]":
        return np.frombuffer(b"".join(values), np.int64)

    value = column([one.value for one in parts])
    largest = [one.value_max for one in parts if one.value_max is not None]
    return AveragedRows(
        time_ms=column([one.time_ms for one in parts]),
        direction=np.frombuffer(b"".join(one.direction for one in parts), np.uint8).astype(np.int64),
        value=value.astype(np.float64),
        value_max=(column(largest) if largest else value).astype(np.float64),
        has_max=bool(largest),
        notes=tuple(cut_notes([log])),
    )


def hist_rows(path: Path) -> HistWindows:
    """Read what the windows of a histogram log count.

    Raises:
        LogError: The file cannot be read or is damaged.
    """
    times, directions, counts = [], [], []
    with explained(path):
        reader = _core.FioHistReader(path)
        for rows in reader:
            key = np.frombuffer(rows.time_ms, np.int64) * 4 + np.frombuffer(rows.direction, np.uint8)
            windows, place = np.unique(key, return_inverse=True)
            count = np.zeros(len(windows), dtype=np.int64)
            np.add.at(count, place, np.frombuffer(rows.count, np.int64))
            times.append(windows // 4)
            directions.append(windows % 4)
            counts.append(count)
    nothing = np.empty(0, dtype=np.int64)
    return HistWindows(
        time_ms=np.concatenate([nothing, *times]),
        direction=np.concatenate([nothing, *directions]),
        count=np.concatenate([nothing, *counts]),
        notes=hist_cut_notes(path, reader),
    )
