"""Many runs in a few large files beside the bundles: made from them by `ssdlab library compact`, and never the truth.

A part is written once: a file for each table, named by its SHA-256. The index, which is replaced whole, says which parts there
are. A run counts as it stands in the newest part that has it with the signature of today; what became of it otherwise, changed or
removed, is not seen any more, and goes when parts are merged.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
from pydantic import TypeAdapter, ValidationError

from ssdlab import parquet
from ssdlab.library.catalogue import COMPACTED, RUN_COLUMNS, CachedRow, LibraryError, Table, row_of
from ssdlab.library.many_objects import without_collections
from ssdlab.message import Message, message
from ssdlab.place import is_file_name

INDEX = "index.json"
"""Written last: what it does not name is not there."""
_DIGITS = 16
"""Of the SHA-256, in the name of a file."""


class CompactedError(LibraryError):
    """What was compacted is not what was written."""

    def __init__(self, path: Path, what: Message) -> None:
        super().__init__(
            message("library-compacted-damaged", path=str(path), what=what), message("library-compact-again")
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PartFile:
    """One table of a part."""

    sha256: str
    size_bytes: int

    def name(self, table: Table) -> str:
        """Of the file."""
        return f"{table.value}-{self.sha256[:_DIGITS]}.parquet"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some runs in four files."""

    runs: int
    files: Mapping[Table, PartFile]

    @property
    def names(self) -> frozenset[str]:
        """Of its files."""
        return frozenset(file.name(table) for table, file in self.files.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class PartIndex:
    """All parts, the oldest first."""

    parts: tuple[Part, ...] = ()


INDEX_ADAPTER: TypeAdapter[PartIndex] = TypeAdapter(PartIndex)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedPart:
    """A part, and which of its runs count."""

    part: Part
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted:
    """What is compacted of runs that are as they were.

    Attributes:
        rows: By run.
        parts: The oldest first.
    """

    directory: Path
    rows: Mapping[str, CachedRow]
    parts: tuple[CountedPart, ...]


@without_collections()
def read_compacted(lab: Path, signatures: Mapping[str, str]) -> Compacted:
    """What is compacted of runs with those signatures.

    Raises:
        CompactedError: It is not what was written.
        OSError: The lab cannot be read.
    """
    directory = lab / COMPACTED
    index = read_index(directory)
    rows: dict[str, CachedRow] = {}
    newest: dict[str, int] = {}
    for number, part in enumerate(index.parts):
        for name, row in _rows_of(directory, part).items():
            if signatures.get(name) == row.signature:
                rows[name], newest[name] = row, number
    live: list[list[str]] = [[] for _ in index.parts]
    for name, number in newest.items():
        live[number].append(name)
    parts = tuple(CountedPart(part=part, runs=tuple(runs)) for part, runs in zip(index.parts, live, strict=True))
    return Compacted(directory=directory, rows=rows, parts=parts)


def read_index(directory: Path) -> PartIndex:
    """All parts; none where nothing was compacted.

    Raises:
        CompactedError: It is no index.
        OSError: It cannot be read.
    """
    try:
        index = INDEX_ADAPTER.validate_json((directory / INDEX).read_bytes())
    except FileNotFoundError:
        return PartIndex()
    except ValidationError as error:
        raise CompactedError(directory / INDEX, message("damage-damaged")) from error
    for part in index.parts:
        if part.files.keys() != set(Table) or not all(map(is_file_name, part.names)):
            raise CompactedError(directory / INDEX, message("damage-damaged"))
    return index


def _rows_of(directory: Path, part: Part) -> dict[str, CachedRow]:
    with ExitStack() as stack, parquet.database() as connection:
        query = f"select {', '.join(RUN_COLUMNS)} from {reading_part(directory, part, Table.RUNS, stack)}"  # noqa: S608 - columns of ours, a descriptor
        with parquet.ctrl_c_as_such():
            return {row[0]: row_of(row) for row in connection.execute(query).fetchall()}


def sources(
    compacted: Compacted, connection: duckdb.DuckDBPyConnection, stack: ExitStack, table: Table
) -> Iterator[str]:
    """A query for each part that gives the rows of those of its runs that count; the files stay open with the stack.

    Raises:
        CompactedError: A file is not what was written.
    """
    for number, live in enumerate(compacted.parts):
        if live.runs:
            rows = reading_part(compacted.directory, live.part, table, stack)
            yield f"select * from {rows}{_only_live(connection, live, f'live_{table.value}_{number}')}"  # noqa: S608 - a descriptor, a name of ours


def _only_live(connection: duckdb.DuckDBPyConnection, live: CountedPart, name: str) -> str:
    if len(live.runs) == live.part.runs:
        return ""
    connection.register(name, {"run": np.array(live.runs, dtype=object)})
    return f" semi join {name} using (run)"


def reading_part(directory: Path, part: Part, table: Table, stack: ExitStack) -> str:
    """A file of a part as a table in SQL, held against its digest; raises CompactedError."""
    file = part.files[table]
    path = directory / file.name(table)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise CompactedError(path, message("damage-unreadable", error=str(error.strerror))) from error
    stack.callback(os.close, descriptor)
    with os.fdopen(descriptor, "rb", closefd=False) as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    if digest != file.sha256:
        raise CompactedError(path, message("damage-other-sha256"))
    return f"read_parquet('{parquet.readable(descriptor)}')"
