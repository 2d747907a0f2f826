"""Series and histograms as Parquet: columns of numbers, written once and read back exactly."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from ssdlab import _core, parquet
from ssdlab.bundle import layout
from ssdlab.bundle.damage import DamagedFile
from ssdlab.bundle.files import BundleFiles
from ssdlab.bundle.model import LatencyStats, StepResult
from ssdlab.engine.result import (
    SENSOR_COLUMNS,
    Direction,
    EveryIo,
    Histogram,
    LatencyKind,
    LatencyWindows,
    RawResult,
    SensorSeries,
    Series,
)
from ssdlab.message import message, number
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

_EVERY_IO_COLUMNS = ("time_ns", "latency_ns", "offset_bytes")
_LATENCY_WINDOWS_COLUMNS = ("time_ns", "bin_index", "count")
_SERIES_COLUMNS = ("time_ns", "bandwidth_bytes_per_s", "iops", "latency_ns_mean", "latency_ns_max")
KNOWN_COLUMNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        layout.SERIES: ("direction", "window_ns", *_SERIES_COLUMNS),
        layout.HISTOGRAM: ("direction", "kind", "bin_index", "count"),
        layout.LATENCY_WINDOWS: ("direction", "window_ns", *_LATENCY_WINDOWS_COLUMNS),
        layout.EVERY_IO: ("direction", *_EVERY_IO_COLUMNS),
        layout.SENSORS: ("time_ns", *SENSOR_COLUMNS),
    }
)
"""Of each table of a step, by its file."""
_NUMBERS = frozenset(f"{sign}{size}INT" for sign in ("", "U") for size in ("TINY", "SMALL", "BIG")) | {
    "INTEGER",
    "UINTEGER",
    "FLOAT",
    "DOUBLE",
}
"""Types of DuckDB that can hold nothing else."""
_ROWS_ALWAYS = 1_000_000
_ROWS_A_BYTE_MAX = 64
"""Windows that are all alike come to ten rows a byte, packed."""
_CELSIUS_MAX = 1 << 16
"""Drives count in 16 bits, and broken ones say that all of them are set; an axis with a tick every ten degrees must end somewhere."""
_TIME_NS_MAX = 366 * 24 * 3600 * NS_PER_S
"""No job takes a year. What is cut into seconds, or into windows, takes memory by its length and not by its rows."""
_WINDOWS_MAX = 1 << 26
"""Of a job: 77 days of windows of a tenth of a second, more than the slowest drive needs to be written at random twice."""
_WORD_COLUMNS: Mapping[str, type[Enum]] = MappingProxyType({"direction": Direction, "kind": LatencyKind})


@dataclass(frozen=True, slots=True, eq=False)
class LatencyCounts:
    """How often each latency occurred, to the nanosecond; arrays of one length.

    Attributes:
        latency_ns: int64, ascending.
        count: int64.
    """

    latency_ns: NDArray[np.int64]
    count: NDArray[np.int64]


def write_series(result: RawResult, path: Path) -> None:
    """Write the windows of all directions: direction, window_ns and the columns of `Series`."""
    tables = [
        {
            "direction": np.full(len(one.series.time_ns), direction.value),
            "window_ns": np.full(len(one.series.time_ns), one.series.window_ns, dtype=np.int64),
            **{column: getattr(one.series, column) for column in _SERIES_COLUMNS},
        }
        for direction, one in result.directions.items()
    ]
    _write(tables or [_without_rows(layout.SERIES)], path)


def write_histogram(result: RawResult, path: Path) -> None:
    """Write the latency bins of all directions: direction, kind, bin_index, count."""
    tables = [
        {
            "direction": np.full(len(histogram.bin_index), direction.value),
            "kind": np.full(len(histogram.bin_index), kind.value),
            "bin_index": histogram.bin_index,
            "count": histogram.count,
        }
        for direction, one in result.directions.items()
        for kind, histogram in one.latency.items()
    ]
    _write(tables or [_without_rows(layout.HISTOGRAM)], path)


def write_latency_windows(result: RawResult, path: Path) -> None:
    """Write the distribution of each window of all directions: direction, window_ns and the columns of `LatencyWindows`."""
    tables = [
        {
            "direction": np.full(len(windows.time_ns), direction.value),
            "window_ns": np.full(len(windows.time_ns), windows.window_ns, dtype=np.int64),
            **{column: getattr(windows, column) for column in _LATENCY_WINDOWS_COLUMNS},
        }
        for direction, one in result.directions.items()
        if (windows := one.latency_windows) is not None
    ]
    _write(tables, path)


def write_every_io(result: RawResult, path: Path) -> None:
    """Write every single I/O of all directions: direction and the columns of `EveryIo`, without a second copy of them."""
    kept = {direction.value: one.every_io for direction, one in result.directions.items() if one.every_io is not None}
    with _database().cursor() as connection, parquet.writable(path) as place, parquet.ctrl_c_as_such():
        for word, ios in kept.items():
            connection.register(f"ios_{word}", {column: getattr(ios, column) for column in _EVERY_IO_COLUMNS})
        columns = ", ".join(_EVERY_IO_COLUMNS)
        rows = " union all ".join(f"select '{word}' as direction, {columns} from ios_{word}" for word in kept)  # noqa: S608 - words of this module
        connection.execute(f"copy ({rows}) to '{place}' (format parquet, compression zstd)")


def write_sensors(series: SensorSeries, path: Path) -> None:
    """Write what sensors said: the columns of `SensorSeries`."""
    _write([{column: getattr(series, column) for column in ("time_ns", *SENSOR_COLUMNS)}], path)


def read_sensors(files: BundleFiles, name: str) -> SensorSeries | Unknown:
    """Read what sensors said; Unknown where nobody asked them. Raises DamagedFile, as all that read here."""
    if not files.holds(name):
        return Unknown(message("unknown-no-sensor-read"))
    rows = _read(files, name, _SENSOR_ROWS, "order by time_ns")
    if (np.abs(rows["temperature_c"]) > _CELSIUS_MAX).any():
        raise DamagedFile(files.root, name, message("damage-never-measured", column="temperature_c"))
    return SensorSeries(rows["time_ns"], **{column: rows[column].astype(np.float64) for column in SENSOR_COLUMNS})


def read_series(files: BundleFiles, name: str, direction: Direction) -> Series:
    """Read the windows of one direction; empty where the job did none of it."""
    rows = _read(files, name, _SERIES_ROWS, "where direction = ? order by time_ns", direction.value)
    window_ns = rows["window_ns"]
    if len(window_ns) and int(rows["time_ns"][-1]) > _WINDOWS_MAX * int(window_ns[0]):
        raise DamagedFile(files.root, name, message("damage-never-measured", column="window_ns"))
    return Series(
        window_ns=int(window_ns[0]) if len(window_ns) else 0,
        **{column: rows[column] for column in _SERIES_COLUMNS},
    )


def read_histogram(
    files: BundleFiles, name: str, direction: Direction, kind: LatencyKind, result: StepResult
) -> Histogram:
    """Read one latency distribution; its exact statistics come from `result.json`.

    Raises:
        KeyError: The job has no such direction or kind.
    """
    stats = result.directions[direction].latency[kind]
    condition = "where direction = ? and kind = ? order by bin_index"
    rows = _read(files, name, _HISTOGRAM_ROWS, condition, direction.value, kind.value)
    return _histogram(rows["bin_index"], rows["count"], stats)


def read_histograms(files: BundleFiles, name: str, result: StepResult) -> dict[Direction, dict[LatencyKind, Histogram]]:
    """Read all latency distributions of a step at once."""
    rows = _read(files, name, _HISTOGRAM_ROWS, "order by bin_index")
    found: dict[Direction, dict[LatencyKind, Histogram]] = {}
    for direction, totals in result.directions.items():
        found[direction] = {}
        for kind, stats in totals.latency.items():
            own = (rows["direction"] == direction.value) & (rows["kind"] == kind.value)
            found[direction][kind] = _histogram(rows["bin_index"][own], rows["count"][own], stats)
    return found


def _histogram(bin_index: NDArray[np.int64], count: NDArray[np.int64], stats: LatencyStats) -> Histogram:
    return Histogram(
        bin_index=bin_index,
        count=count,
        mean_ns=stats.mean_ns,
        min_ns=stats.min_ns,
        max_ns=stats.max_ns,
        stddev_ns=stats.stddev_ns,
    )


def read_latency_windows(files: BundleFiles, name: str, direction: Direction) -> LatencyWindows | Unknown:
    """Read the distribution of each window of one direction; Unknown where the job was not asked for it or did none of it."""
    if not files.holds(name):
        return Unknown(message("unknown-no-distribution"))
    rows = _read(files, name, _WINDOW_ROWS, "where direction = ? order by time_ns, bin_index", direction.value)
    if not len(rows["window_ns"]):
        return Unknown(message("unknown-no-io-of", direction=direction.value))
    return LatencyWindows(
        window_ns=int(rows["window_ns"][0]), **{column: rows[column] for column in _LATENCY_WINDOWS_COLUMNS}
    )


def read_every_io(files: BundleFiles, name: str, direction: Direction) -> EveryIo:
    """Read every single I/O of one direction, in order of completion."""
    rows = _read(files, name, _EVERY_IO_ROWS, "where direction = ? order by time_ns", direction.value)
    return EveryIo(time_ns=rows["time_ns"], latency_ns=rows["latency_ns"], offset_bytes=rows["offset_bytes"])


def read_latency_counts(files: BundleFiles, name: str, directions: Iterable[Direction] = Direction) -> LatencyCounts:
    """The latencies of every single I/O of those directions, counted: hundreds of times smaller than the I/Os, and as exact."""
    rows = _fetch(
        files,
        name,
        "select latency_ns, count(*) as count from {rows} where list_contains(?, direction) group by all order by latency_ns",
        [one.value for one in directions],
    )
    _require_shape(files, name, rows, TableColumns(whole=("latency_ns", "count")))
    return LatencyCounts(_without_mask(rows["latency_ns"]), _without_mask(rows["count"]))


def merged_counts(parts: Sequence[LatencyCounts]) -> LatencyCounts:
    """All of them together."""
    latency_ns, place = np.unique(np.concatenate([one.latency_ns for one in parts]), return_inverse=True)
    count = np.zeros(len(latency_ns), dtype=np.int64)
    np.add.at(count, place, np.concatenate([one.count for one in parts]))
    return LatencyCounts(latency_ns, count)


def write_columns(columns: Mapping[str, NDArray[Any]], path: Path) -> None:
    """Write columns of one length."""
    _write([dict(columns)], path)


def read_columns(files: BundleFiles, name: str, shape: "TableColumns") -> dict[str, NDArray[Any]]:
    """Read them all, rows in the order in which they were written."""
    return _read(files, name, shape, "")


def copy_columns(files: BundleFiles, name: str, target: Path, columns: Sequence[str]) -> None:
    """Write columns of a table into another file, rows in their order, and nothing else of the first.

    Raises:
        DamagedFile: It is not what was written there, or holds a text that is no word of ssdlab's.
        OSError: The host's file system refused.
    """
    with files.opened(name) as descriptor, parquet.writable(target) as place, _answered(files, name) as connection:
        _require_rows(files, name, descriptor)
        rows = f"read_parquet('{parquet.readable(descriptor)}')"
        kinds = {column: kind for column, kind, *_ in connection.execute(f"describe from {rows}").fetchall()}
        own = [column for column in columns if column in kinds]
        for column in own:
            query = f"select distinct {column} from {rows}"  # noqa: S608 - a known name
            said = [] if kinds[column] in _NUMBERS else connection.execute(query).fetchall()
            if not {word for (word,) in said} <= {one.value for one in _WORD_COLUMNS.get(column, ())}:
                raise DamagedFile(files.root, name, message("damage-other-texts", column=column))
        query = f"select {', '.join(own)} from {rows}"  # noqa: S608 - known names
        connection.execute(f"copy ({query}) to '{place}' (format parquet, compression zstd)")


def _without_rows(name: str) -> dict[str, NDArray[Any]]:
    """The columns of a job in whose time nothing was done, as an open loop's may be in which by chance nothing falls due."""
    words = {column: np.array([], dtype=np.str_) for column in _WORD_COLUMNS}
    return {column: words.get(column, np.array([], dtype=np.int64)) for column in KNOWN_COLUMNS[name]}


def _write(tables: list[dict[str, NDArray[Any]]], path: Path) -> None:
    columns: Mapping[str, NDArray[Any]] = {
        name: np.concatenate([table[name] for table in tables]) for name in (tables[0] if tables else ())
    }
    with _database().cursor() as connection, parquet.writable(path) as place, parquet.ctrl_c_as_such():
        connection.register("columns", dict(columns))
        connection.execute(f"copy columns to '{place}' (format parquet, compression zstd)")


@dataclass(frozen=True, slots=True)
class TableColumns:
    """Columns that a table must have."""

    whole: tuple[str, ...] = ()
    """Whole numbers that are never negative."""
    numbers: tuple[str, ...] = ()
    """Numbers that are never negative, or not known."""
    words: tuple[str, ...] = ()


_SENSOR_ROWS = TableColumns(whole=("time_ns",), numbers=SENSOR_COLUMNS)
_SERIES_ROWS = TableColumns(("time_ns", "window_ns"), _SERIES_COLUMNS[1:], ("direction",))
_HISTOGRAM_ROWS = TableColumns(("bin_index", "count"), (), ("direction", "kind"))
_WINDOW_ROWS = TableColumns(("window_ns", *_LATENCY_WINDOWS_COLUMNS), (), ("direction",))
_EVERY_IO_ROWS = TableColumns(_EVERY_IO_COLUMNS, (), ("direction",))


def _read(
    files: BundleFiles, name: str, shape: TableColumns, condition: str, *parameters: str
) -> dict[str, NDArray[Any]]:
    rows = _fetch(files, name, f"from {{rows}} {condition}", *parameters)
    _require_shape(files, name, rows, shape)
    return {column: _without_mask(values) for column, values in rows.items()}


def _fetch(files: BundleFiles, name: str, query: str, *parameters: object) -> dict[str, NDArray[Any]]:
    """Ask a file; `{rows}` in the query stands for it."""
    with files.opened(name) as descriptor, _answered(files, name) as connection:
        _require_rows(files, name, descriptor)
        rows = f"read_parquet('{parquet.readable(descriptor)}')"
        found: dict[str, NDArray[Any]] = connection.execute(query.format(rows=rows), list(parameters)).fetchnumpy()
    return found


def _require_rows(files: BundleFiles, name: str, descriptor: int) -> None:
    """A small file that claims rows, columns or groups without end takes memory without end, be its bytes those that were marked."""
    rows = _core.table_rows(Path(parquet.readable(descriptor)))
    if rows is None:
        raise DamagedFile(files.root, name, message("damage-no-parquet"))
    if rows > max(_ROWS_ALWAYS, _ROWS_A_BYTE_MAX * os.fstat(descriptor).st_size):
        raise DamagedFile(files.root, name, message("damage-rows", rows=number(rows)))


@contextmanager
def _answered(files: BundleFiles, name: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """To ask a file of a bundle; what DuckDB cannot make sense of is damage of it."""
    with _database().cursor() as connection:
        try:
            with parquet.ctrl_c_as_such():
                yield connection
        except duckdb.Error as error:
            # Some of its errors leave a database that answers nothing any more.
            _database.cache_clear()
            raise DamagedFile(files.root, name, message("damage-no-parquet")) from error


def _require_shape(files: BundleFiles, name: str, rows: Mapping[str, NDArray[Any]], shape: TableColumns) -> None:
    """What damage may make of a table that nothing vouches for must not look like a measurement."""
    for column in (*shape.whole, *shape.numbers, *shape.words):
        if column not in rows:
            raise DamagedFile(files.root, name, message("damage-no-column", column=column))
    masked = [column for column in (*shape.whole, *shape.words) if np.ma.getmaskarray(rows[column]).any()]
    wrong = [column for column in shape.whole if rows[column].dtype.kind not in "iu"]
    wrong += [column for column in shape.numbers if rows[column].dtype.kind not in "iuf"]
    numbers = [one for one in (*shape.whole, *shape.numbers) if one not in wrong and one not in _SIGNED]
    negative = [column for column in numbers if len(rows[column]) and (np.ma.getdata(rows[column]) < 0).any()]
    endless = ["time_ns"] if "time_ns" in numbers and (np.ma.getdata(rows["time_ns"]) > _TIME_NS_MAX).any() else []
    if found := [*masked, *wrong, *negative, *endless]:
        raise DamagedFile(files.root, name, message("damage-never-measured", column=found[0]))


_SIGNED = frozenset({"temperature_c", "submitted_ns"})
"""Columns that may be below zero: fio times an I/O of its first moments to before its own start."""


@cache
def _database() -> duckdb.DuckDBPyConnection:
    """One for the process: making one takes twenty times as long as reading a table of a step."""
    return parquet.database()


def _without_mask(column: NDArray[Any]) -> NDArray[Any]:
    """DuckDB stores NaN as NULL and hands NULL back as a mask; inside ssdlab an unknown latency is NaN."""
    if not np.ma.isMaskedArray(column):
        return column
    return np.ma.filled(column.astype(np.float64), np.nan) if column.mask.any() else np.ma.getdata(column)
