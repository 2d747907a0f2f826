"""Series and histograms as Parquet: columns of numbers, written once and read back exactly."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

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
from ssdlab.unknown import Unknown

_EVERY_IO_COLUMNS = ("time_ns", "latency_ns", "offset_bytes")
_LATENCY_WINDOWS_COLUMNS = ("time_ns", "bin_index", "count")
_SERIES_COLUMNS = ("time_ns", "bandwidth_bytes_per_s", "iops", "latency_ns_mean", "latency_ns_max")


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
    _write(tables, path)


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
    _write(tables, path)


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
    with _database().cursor() as connection:
        for word, ios in kept.items():
            connection.register(f"ios_{word}", {column: getattr(ios, column) for column in _EVERY_IO_COLUMNS})
        columns = ", ".join(_EVERY_IO_COLUMNS)
        rows = " union all ".join(f"select '{word}' as direction, {columns} from ios_{word}" for word in kept)  # noqa: S608 - words of this module
        connection.execute(f"copy ({rows}) to '{_quoted(path)}' (format parquet, compression zstd)")


def write_sensors(series: SensorSeries, path: Path) -> None:
    """Write what sensors said: the columns of `SensorSeries`."""
    _write([{column: getattr(series, column) for column in ("time_ns", *SENSOR_COLUMNS)}], path)


def read_sensors(path: Path) -> SensorSeries | Unknown:
    """Read what sensors said; Unknown where nobody asked them."""
    if not path.exists():
        return Unknown("no sensor was read")
    rows = _read(path, "order by time_ns", [])
    return SensorSeries(rows["time_ns"], **{column: rows[column].astype(np.float64) for column in SENSOR_COLUMNS})


def read_series(path: Path, direction: Direction) -> Series:
    """Read the windows of one direction; empty where the job did none of it."""
    rows = _read(path, "where direction = ? order by time_ns", [direction.value])
    window_ns = rows["window_ns"]
    return Series(
        window_ns=int(window_ns[0]) if len(window_ns) else 0,
        **{column: rows[column] for column in _SERIES_COLUMNS},
    )


def read_histogram(path: Path, direction: Direction, kind: LatencyKind, result: StepResult) -> Histogram:
    """Read one latency distribution; its exact statistics come from `result.json`.

    Raises:
        KeyError: The job has no such direction or kind.
    """
    stats = result.directions[direction].latency[kind]
    rows = _read(path, "where direction = ? and kind = ? order by bin_index", [direction.value, kind.value])
    return _histogram(rows["bin_index"], rows["count"], stats)


def read_histograms(path: Path, result: StepResult) -> dict[Direction, dict[LatencyKind, Histogram]]:
    """Read all latency distributions of a step at once."""
    rows = _read(path, "order by bin_index", [])
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


def read_latency_windows(path: Path, direction: Direction) -> LatencyWindows | Unknown:
    """Read the distribution of each window of one direction; Unknown where the job was not asked for it or did none of it."""
    if not path.exists():
        return Unknown("the job did not keep its latency distribution over time")
    rows = _read(path, "where direction = ? order by time_ns, bin_index", [direction.value])
    if not len(rows["window_ns"]):
        return Unknown(f"the job did no I/O of the kind {direction.value}")
    return LatencyWindows(
        window_ns=int(rows["window_ns"][0]), **{column: rows[column] for column in _LATENCY_WINDOWS_COLUMNS}
    )


def read_every_io(path: Path, direction: Direction) -> EveryIo:
    """Read every single I/O of one direction, in order of completion."""
    rows = _read(path, "where direction = ? order by time_ns", [direction.value])
    return EveryIo(time_ns=rows["time_ns"], latency_ns=rows["latency_ns"], offset_bytes=rows["offset_bytes"])


def read_latency_counts(path: Path, directions: Iterable[Direction] = Direction) -> LatencyCounts:
    """The latencies of every single I/O of those directions, counted: hundreds of times smaller than the I/Os, and as exact."""
    rows_of = f"read_parquet('{_quoted(path)}') where list_contains(?, direction)"
    query = f"select latency_ns, count(*) as count from {rows_of} group by all order by latency_ns"  # noqa: S608 - the path is quoted
    with _database().cursor() as connection:
        rows = connection.execute(query, [[one.value for one in directions]]).fetchnumpy()
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


def read_columns(path: Path) -> dict[str, NDArray[Any]]:
    """Read them all, rows in the order in which they were written."""
    return _read(path, "", [])


def _write(tables: list[dict[str, NDArray[Any]]], path: Path) -> None:
    columns: Mapping[str, NDArray[Any]] = {
        name: np.concatenate([table[name] for table in tables]) for name in (tables[0] if tables else ())
    }
    with _database().cursor() as connection:
        connection.register("columns", dict(columns))
        connection.execute(f"copy columns to '{_quoted(path)}' (format parquet, compression zstd)")


def _read(path: Path, condition: str, parameters: list[str]) -> dict[str, NDArray[Any]]:
    with _database().cursor() as connection:
        query = f"select * from read_parquet('{_quoted(path)}') {condition}"  # noqa: S608 - the path is quoted
        rows: dict[str, NDArray[Any]] = connection.execute(query, parameters).fetchnumpy()
    return {name: _without_mask(column) for name, column in rows.items()}


@cache
def _database() -> duckdb.DuckDBPyConnection:
    """One for the process: making one takes twenty times as long as reading a table of a step."""
    return duckdb.connect()


def _without_mask(column: NDArray[Any]) -> NDArray[Any]:
    """DuckDB stores NaN as NULL and hands NULL back as a mask; inside ssdlab an unknown latency is NaN."""
    if not np.ma.isMaskedArray(column):
        return column
    return np.ma.filled(column.astype(np.float64), np.nan) if column.mask.any() else np.ma.getdata(column)


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")
