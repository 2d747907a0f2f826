"""Logs as Parquet: every I/O, every window or every bin a row, in bounded memory.

DuckDB writes them, which ssdlab needs anyway: some 500,000 rows at a time into a file of their own, and those are then streamed
into one, because it cannot append to a Parquet file.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np

from ssdlab import _core, parquet
from ssdlab.analysis.log.file import LogError, LogFile, LogFormat, LogKind, explained, require_nanoseconds
from ssdlab.analysis.log.json_summary import job_bins
from ssdlab.analysis.log.summary import DIRECTIONS, cut_notes, hist_cut_notes
from ssdlab.durable import make_durable
from ssdlab.message import Message, message
from ssdlab.place import require_no_evidence
from ssdlab.scratch import scratch
from ssdlab.units import NS_PER_MS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Columns = dict[str, NDArray[Any]]

SUFFIX = ".parquet"
_PART_ROWS = 500_000
_MEMORY_MAX = "128MB"
"""Of DuckDB, which would otherwise keep what it has read as long as the machine has room."""
_VALUE = {
    LogKind.LATENCY: "latency_ns",
    LogKind.COMPLETION_LATENCY: "latency_ns",
    LogKind.SUBMISSION_LATENCY: "latency_ns",
    LogKind.BANDWIDTH: "bandwidth_kib_per_s",
    LogKind.IOPS: "iops",
}
_DIRECTION_SQL = f"{[one.value for one in DIRECTIONS]}[direction + 1] as direction"
_UNBOUNDED = -1
"""Upper edge of fio's last bin, which has none: NULL in the file."""


class RowOf(Enum):
    """What a row stands for."""

    IO = "ios"
    WINDOW = "windows"
    BIN = "bins"
    JOB_BIN = "job_bins"


@dataclass(frozen=True, slots=True)
class WrittenColumns:
    """What was written.

    Attributes:
        paths: The files, in the order of the logs.
        notes: What a reader must know, such as a log that is cut off.
    """

    paths: tuple[Path, ...]
    notes: tuple[Message, ...]


def write_parquet(files: Sequence[LogFile], destination: Path) -> WrittenColumns:
    """Write logs as columns; files that are there already are replaced once the new ones are whole.

    Args:
        files: Any logs.
        destination: One file for all of them if it ends in `.parquet`, otherwise a directory with one file for each.

    Raises:
        LogError: A log cannot be read or is damaged, or rows of different logs do not fit into one file.
        UsageError: A file of a run would be replaced.
        OSError: The destination cannot be written.
    """
    require_nanoseconds(files)
    if destination.suffix == SUFFIX:
        require_no_evidence(destination)
        return WrittenColumns((destination,), _write_one(files, destination))
    names = [f"{_stem(one.path)}{SUFFIX}" for one in files]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise LogError(
            message("log-parquet-twice", path=str(destination / twice)), message("log-parquet-two-directories")
        )
    destination.mkdir(parents=True, exist_ok=True)
    paths = tuple(destination / name for name in names)
    for path in paths:
        require_no_evidence(path)
    notes = [note for one, path in zip(files, paths, strict=True) for note in _write_one([one], path)]
    return WrittenColumns(paths, tuple(notes))


def _stem(path: Path) -> str:
    name = path.name
    for suffix in (".gz", ".zst", ".log", ".json"):
        name = name.removesuffix(suffix)
    return name or "log"


def _write_one(files: Sequence[LogFile], path: Path) -> tuple[Message, ...]:
    notes: list[Message] = []
    try:
        with _parts(path) as parts, parquet.ctrl_c_as_such():
            for file in files:
                notes += _READERS[file.form](file, parts)
            parts.finish(path)
    except duckdb.IOException as error:
        raise LogError(message("log-cannot-write", path=str(path), reason=str(error).splitlines()[0])) from error
    except duckdb.OutOfRangeException as error:
        raise LogError(message("log-beyond-64-bits", path=str(path)), message("log-is-it-fio")) from error
    return tuple(notes)


@dataclass(slots=True)
class _Parts:
    """Rows on their way into one file."""

    directory: Path
    connection: "duckdb.DuckDBPyConnection"
    row_of: RowOf | None = None
    waiting: "list[Columns]" = field(default_factory=list)
    select: str = ""
    written: list[Path] = field(default_factory=list)

    def begin(self, file: LogFile, row_of: RowOf, select: str) -> None:
        """Rows of the next log, as a list of SQL columns of what is added.

        Raises:
            LogError: They do not fit to those before.
        """
        if self.row_of is not None and self.row_of is not row_of:
            raise LogError(
                message("log-parquet-rows-differ", path=str(file.path), rows=row_of.value, before=self.row_of.value),
                message("log-parquet-directory"),
            )
        self.row_of = row_of
        self.select = f"'{_quoted(str(file.path))}' as log, {select}"

    def add(self, columns: "Columns") -> None:
        """Some rows of the log."""
        self.waiting.append(columns)
        if sum(len(one["direction"]) for one in self.waiting) >= _PART_ROWS:
            self.end()

    def end(self) -> None:
        """Write what waits."""
        if not self.waiting:
            return
        rows = {name: np.concatenate([one[name] for one in self.waiting]) for name in self.waiting[0]}
        self.waiting = []
        part = self.directory / f"{len(self.written):06d}{SUFFIX}"
        self.connection.register("rows", rows)
        with parquet.writable(part) as place:
            query = f"copy (select {self.select} from rows) to '{place}' (format parquet)"  # noqa: S608 - quoted
            self.connection.execute(query)
        self.connection.unregister("rows")
        self.written.append(part)

    def finish(self, path: Path) -> None:
        """Make one file of all parts, durable before it has its name."""
        whole = self.directory / "whole"
        with parquet.writable(whole) as place:
            names = ", ".join(f"'{Path(place).with_name(part.name)}'" for part in self.written)
            rows = f"select * from read_parquet([{names}], union_by_name = true)"  # noqa: S608 - names of ours
            self.connection.execute(f"copy ({rows}) to '{place}' (format parquet, compression zstd)")
        make_durable(whole, path)


@contextmanager
def _parts(path: Path) -> Iterator[_Parts]:
    # Beside the file, so that giving it its name does not copy it.
    with (
        scratch(path.parent, ".ssdlab-parquet-") as directory,
        parquet.database() as connection,
        parquet.writable(directory / "spilled") as spilled,
    ):
        connection.execute(f"set temp_directory = '{spilled}'")
        connection.execute("set threads = 2")
        connection.execute(f"set memory_limit = '{_MEMORY_MAX}'")
        yield _Parts(directory, connection)


def _lines(file: LogFile, parts: _Parts) -> list[Message]:
    begun = False

    def take(log: "_core.FioLog") -> None:
        nonlocal begun
        columns = _line_columns(log)
        if not begun:
            parts.begin(file, *_line_rows(file.kind, columns))
            begun = True
        parts.add(columns)

    with explained():
        found = _core.read_fio_rows(file.path, take)
    if not begun:
        columns = _line_columns(None)
        parts.begin(file, *_line_rows(file.kind, columns))
        parts.add(columns)
    parts.end()
    return list(cut_notes([found]))


def _line_columns(log: "_core.FioLog | None") -> "Columns":
    """The columns of some lines, None for no lines; those that the log lacks are left out."""
    if log is None:
        return _no_rows("time_ms", "direction", "value", "block_bytes")
    columns = {
        "time_ms": log.time_ms,
        "value": log.value,
        "value_max": log.value_max,
        "block_bytes": log.block_bytes,
        "offset_bytes": log.offset_bytes,
        "priority": log.priority,
        "issue_ns": log.issue_ns,
    }
    known = {name: np.frombuffer(column, np.uint64) for name, column in columns.items() if column is not None}
    return {**known, "direction": np.frombuffer(log.direction, np.uint8)}


def _line_rows(kind: LogKind, columns: "Columns") -> tuple[RowOf, str]:
    """What lines with these columns stand for, and their columns in SQL."""
    value = _VALUE[kind]
    time = f"time_ms * {NS_PER_MS} as time_ns"
    if len(columns["block_bytes"]) and not columns["block_bytes"].any():
        largest = [f"value_max as {value}_max"] if "value_max" in columns else []
        return RowOf.WINDOW, ", ".join([time, _DIRECTION_SQL, f"value as {value}_mean", *largest])
    optional = [name for name in ("offset_bytes", "priority", "issue_ns") if name in columns]
    return RowOf.IO, ", ".join([time, _DIRECTION_SQL, f"value as {value}", "block_bytes", *optional])


def _histogram(file: LogFile, parts: _Parts) -> list[Message]:
    parts.begin(file, RowOf.BIN, f"time_ms * {NS_PER_MS} as time_ns, {_DIRECTION_SQL}, {_edges_sql()}, count")
    low, high = _edges()
    with explained(file.path):
        reader = _core.FioHistReader(file.path)
        for rows in reader:
            merged = np.frombuffer(rows.bins_merged, np.int64)
            first = np.frombuffer(rows.bin_index, np.int64) - merged // 2
            parts.add(
                {
                    "time_ms": np.frombuffer(rows.time_ms, np.int64),
                    "direction": np.frombuffer(rows.direction, np.uint8).astype(np.int64),
                    "bin_low_ns": low[first],
                    "bin_high_ns": high[first + merged - 1],
                    "count": np.frombuffer(rows.count, np.int64),
                }
            )
    if not parts.waiting and not parts.written:
        parts.add(_no_rows("time_ms", "direction", "bin_low_ns", "bin_high_ns", "count"))
    parts.end()
    return list(hist_cut_notes(file.path, reader))


def _json(file: LogFile, parts: _Parts) -> list[Message]:
    low, high = _edges()
    for one in job_bins(file.path):
        job = f"'{_quoted(one.job)}' as job, '{one.kind.value}' as kind"
        parts.begin(file, RowOf.JOB_BIN, f"{job}, {_DIRECTION_SQL}, {_edges_sql()}, count")
        bins = np.array(one.bins, dtype=np.int64)
        direction = np.full(len(bins), DIRECTIONS.index(one.direction), dtype=np.int64)
        count = np.array(one.counts, dtype=np.int64)
        parts.add({"direction": direction, "bin_low_ns": low[bins], "bin_high_ns": high[bins], "count": count})
        parts.end()
    return []


_READERS: dict[LogFormat, Callable[[LogFile, _Parts], list[Message]]] = {
    LogFormat.LINES: _lines,
    LogFormat.HISTOGRAM: _histogram,
    LogFormat.JSON: _json,
}


def _edges() -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Smallest and largest latency of each of fio's bins."""
    low = [_core.bin_low(number) for number in range(_core.BIN_COUNT)]
    high = [_core.bin_high(number) for number in range(_core.BIN_COUNT - 1)]
    return np.array(low, dtype=np.int64), np.array([*high, _UNBOUNDED], dtype=np.int64)


def _edges_sql() -> str:
    return f"bin_low_ns, nullif(bin_high_ns, {_UNBOUNDED}) as bin_high_ns"


def _no_rows(*names: str) -> "Columns":
    return {name: np.empty(0, dtype=np.int64) for name in names}


def _quoted(text: str) -> str:
    return text.replace("'", "''")
