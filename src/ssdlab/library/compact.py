"""Making the few large files of `ssdlab.library.compacted` out of bundles that are not in them yet.

Some thousands of runs become a part. Parts that are not much larger than what is new, or of whose runs most are gone, are merged
with it, so that there are few of them and each row is written again a few times only.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np

from ssdlab import durable, parquet
from ssdlab.bundle.mark import mark_of_file
from ssdlab.library.catalogue import (
    COLUMNS,
    COMPACTED,
    METRIC_COLUMNS,
    NUMBERS,
    RUN_COLUMNS,
    LibraryError,
    Table,
    bounded_database,
    signatures_of,
    typed,
)
from ssdlab.library.collect import columns_of
from ssdlab.library.compacted import (
    INDEX,
    INDEX_ADAPTER,
    Compacted,
    CompactedError,
    CountedPart,
    Part,
    PartFile,
    PartIndex,
    read_compacted,
    read_index,
    reading_part,
    sources,
)
from ssdlab.library.run_tables import RowsAlike, RunTables, tables_of
from ssdlab.message import Message, message
from ssdlab.place import is_file_name
from ssdlab.scratch import scratch

_RUNS_A_PART = 10_000
"""After so many a part is written: a compaction that is cut off goes on from there."""
_ROWS_A_BATCH = 1_000_000
"""So many rows of a table are in memory at most, and those of a run more."""
_LAYOUT: Mapping[Table, tuple[tuple[str, ...], str]] = {
    Table.RUNS: (RUN_COLUMNS, "run"),
    Table.METRICS: (METRIC_COLUMNS, "name, run"),
    Table.SERIES: (COLUMNS[Table.SERIES], "run, step, direction, time_ns"),
    Table.HISTOGRAMS: (COLUMNS[Table.HISTOGRAMS], "step, direction, kind, run, bin_index"),
}
"""Columns of each table, and its order, in which what is asked for at once lies together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """What came of it.

    Attributes:
        runs: That are compacted now.
        added: Of these, opened this time.
        size_bytes: Of all files.
        faults: What was left out, and what had been compacted and was not what was written.
    """

    runs: int
    added: int
    parts: int
    size_bytes: int
    faults: tuple[Message, ...]


def compact(lab: Path) -> Compaction:
    """Compact the runs of a lab that are not, and let go of those that changed or are gone.

    Raises:
        LibraryError: There is no run in it.
        OSError: The lab cannot be read or written; what was compacted before is as it was.
    """
    signatures = {name: mark for name, mark in signatures_of(lab).items() if is_file_name(name)}
    if not signatures:
        raise LibraryError(message("library-no-run", lab=str(lab)), message("library-add-or-name"))
    (lab / COMPACTED).mkdir(exist_ok=True)
    with _alone(lab / COMPACTED):
        faults = list(_let_go_of_damaged(lab))
        missing = sorted(signatures.keys() - read_compacted(lab, signatures).rows.keys())
        for at in range(0, max(1, len(missing)), _RUNS_A_PART):
            names = missing[at : at + _RUNS_A_PART]
            add_part(lab, signatures, _told(faults, (tables_of(lab, name, signatures[name]) for name in names)))
        compacted = read_compacted(lab, signatures)
    files = [file for live in compacted.parts for file in live.part.files.values()]
    return Compaction(
        runs=len(compacted.rows),
        added=len(missing),
        parts=len(compacted.parts),
        size_bytes=sum(file.size_bytes for file in files),
        faults=tuple(faults),
    )


def _told(faults: list[Message], runs: Iterable[RunTables]) -> Iterator[RunTables]:
    for one in runs:
        faults += one.faults
        yield one


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """Wait for whoever compacts the same lab; raises OSError, also where the directory is a link."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _let_go_of_damaged(lab: Path) -> Iterator[Message]:
    """Take parts out of the index of which a file is not what was written; their runs are opened again."""
    directory = lab / COMPACTED
    try:
        index = read_index(directory)
    except CompactedError as error:
        yield error.message
        _write_index(directory, PartIndex(), PartIndex())
        return
    sound = []
    for part in index.parts:
        try:
            with ExitStack() as stack:
                for table in Table:
                    reading_part(directory, part, table, stack)
            sound.append(part)
        except CompactedError as error:
            yield error.message
    if len(sound) < len(index.parts):
        _write_index(directory, PartIndex(parts=tuple(sound)), index)


def add_part(lab: Path, signatures: Mapping[str, str], runs: Iterable[RunTables]) -> None:
    """Write runs as a new part, together with the parts that are merged with it.

    Args:
        lab: Whose runs; nobody else compacts it.
        signatures: Of all its runs, as they are.
        runs: None of which is compacted.

    Raises:
        CompactedError: What was compacted before is not what was written.
        OSError: It cannot be written; what was compacted before is as it was.
    """
    directory = lab / COMPACTED
    before = read_index(directory)
    compacted = read_compacted(lab, signatures)
    with scratch(directory, ".making-") as made, bounded_database(made) as connection:
        batches = tuple(_batches(connection, made, runs))
        count = sum(batch.runs for batch in batches)
        merged = _merged(compacted.parts, count)
        kept = tuple(live.part for live in compacted.parts if live not in merged)
        count += sum(len(live.runs) for live in merged)
        new: tuple[Part, ...] = ()
        if count:
            old = Compacted(directory=directory, rows={}, parts=merged)
            files = {table: _written(connection, made, table, batches, old) for table in Table}
            new = (Part(runs=count, files=files),)
        if new or merged:
            _write_index(directory, PartIndex(parts=(*kept, *new)), before)


def _merged(parts: Sequence[CountedPart], added: int) -> tuple[CountedPart, ...]:
    """Those that are written again with so many new runs: not twice as large as what comes after them, or more than half of it gone."""
    found: list[CountedPart] = []
    count = added
    for live in reversed(parts):
        if len(live.runs) <= 2 * count or 2 * len(live.runs) < live.part.runs:
            found.append(live)
            count += len(live.runs)
    return tuple(reversed(found))


def _write_index(directory: Path, index: PartIndex, before: PartIndex) -> None:
    """Put the index in place, and remove what neither it nor the one before names: somebody may have read that one just now."""
    durable.write_durably(directory / INDEX, INDEX_ADAPTER.dump_json(index))
    named = {name for part in (*index.parts, *before.parts) for name in part.names}
    for path in directory.glob("*.parquet"):
        if path.name not in named:
            path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Files of some runs, to be merged into a part."""

    runs: int
    files: Mapping[Table, Path]


def _batches(connection: duckdb.DuckDBPyConnection, made: Path, runs: Iterable[RunTables]) -> Iterator[_Batch]:
    """Write runs to loose files, so many at a time as go into memory."""
    waiting: list[RunTables] = []
    rows = number = 0
    for one in runs:
        waiting.append(one)
        rows += 1 + len(one.metrics) + sum(_length(piece) for piece in (*one.series, *one.histograms))
        if rows > _ROWS_A_BATCH:
            yield _write_batch(connection, made / f"{number:06}", waiting)
            waiting, rows, number = [], 0, number + 1
    if waiting:
        yield _write_batch(connection, made / f"{number:06}", waiting)


def _length(rows: RowsAlike) -> int:
    return len(next(iter(rows.numbers.values())))


def _write_batch(connection: duckdb.DuckDBPyConnection, place: Path, runs: Sequence[RunTables]) -> _Batch:
    place.mkdir()
    files = {table: place / f"{table.value}.parquet" for table in Table}
    metrics = [values for one in runs for values in one.metrics]
    _write_values(connection, files[Table.RUNS], RUN_COLUMNS, [one.row for one in runs])
    _write_values(connection, files[Table.METRICS], METRIC_COLUMNS, metrics)
    _write_rows(connection, files[Table.SERIES], Table.SERIES, [piece for one in runs for piece in one.series])
    _write_rows(connection, files[Table.HISTOGRAMS], Table.HISTOGRAMS, [piece for one in runs for piece in one.histograms])  # fmt: skip
    return _Batch(len(runs), files)


def _write_values(
    connection: duckdb.DuckDBPyConnection, path: Path, names: Sequence[str], rows: Sequence[tuple[object, ...]]
) -> None:
    connection.register("the_values", columns_of(names, rows))
    _copy(connection, f"select {typed(names)} from the_values", path)  # noqa: S608 - columns of the library


def _write_rows(connection: duckdb.DuckDBPyConnection, path: Path, table: Table, pieces: Sequence[RowsAlike]) -> None:
    """Words once for each piece, and joined to its rows by DuckDB: an object of Python for each row would take minutes."""
    words = tuple(name for name in COLUMNS[table] if name not in NUMBERS)
    numbers = tuple(name for name in COLUMNS[table] if name in NUMBERS)
    heads = columns_of(words, [piece.words for piece in pieces]) | {"piece": np.arange(len(pieces))}
    lengths = [_length(piece) for piece in pieces]
    rows = {name: np.concatenate([piece.numbers[name] for piece in pieces] or [np.array([])]) for name in numbers}
    connection.register("heads", heads)
    connection.register("the_rows", rows | {"piece": np.repeat(np.arange(len(pieces)), lengths)})
    _copy(connection, f"select {typed(COLUMNS[table])} from the_rows join heads using (piece)", path)  # noqa: S608 - columns of the library


def _written(
    connection: duckdb.DuckDBPyConnection, made: Path, table: Table, batches: Sequence[_Batch], old: Compacted
) -> PartFile:
    """One table of a part out of its batches and the parts that are merged, put where it stays."""
    columns, order = _LAYOUT[table]
    path = made / f"{table.value}.parquet"
    with ExitStack() as stack:
        loose = [stack.enter_context(parquet.reading(batch.files[table])) for batch in batches]
        queries = [f"select * from read_parquet('{one}')" for one in loose]  # noqa: S608 - a descriptor
        queries += sources(old, connection, stack, table)
        rows = " union all ".join(queries)
        _copy(connection, f"select {', '.join(columns)} from ({rows}) order by {order}", path)  # noqa: S608 - columns of the library
    mark = mark_of_file(path)
    file = PartFile(sha256=str(mark.sha256), size_bytes=mark.size_bytes)
    durable.make_durable(path, old.directory / file.name(table))
    return file


def _copy(connection: duckdb.DuckDBPyConnection, query: str, path: Path) -> None:
    with parquet.writable(path) as place, parquet.ctrl_c_as_such():
        connection.execute(f"copy ({query}) to '{place}' (format parquet, compression zstd)")
