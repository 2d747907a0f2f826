"""What is in the folders of a lab, kept as a cache that can be thrown away at any time.

The bundles are the truth. Their files' sizes and times tell which of them changed since the cache was written; only those are
opened again.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import duckdb

from ssdlab import parquet
from ssdlab.errors import SsdlabError
from ssdlab.library.entry import Comparability, DriveKey, Entry, MethodKey, Nature
from ssdlab.library.many_objects import without_collections
from ssdlab.message import message
from ssdlab.place import is_file_name
from ssdlab.scratch import scratch
from ssdlab.unknown import Unknown

if TYPE_CHECKING:
    from ssdlab.library.compacted import Compacted

CACHE = ".catalogue-3"
"""Directory of the cache inside the lab; another ssdlab's with another schema is left alone."""
COMPACTED = ".compacted-1"
"""Directory of what `ssdlab library compact` wrote, which may be deleted, too (`ssdlab.library.compacted`)."""
DIGEST = "sha256"
"""File of the digest of its tables."""
_WATCHED = ("run.json", "journal.jsonl", "metrics.json", "audit.json", "checksums.json", "import.json")
"""Files of a bundle that say all the library keeps of it (`ssdlab.bundle.layout`, which takes longer to import than a list to make)."""
RUN_COLUMNS = (
    "run", "signature", "problem", "started_at", "model", "serial", "capacity_bytes", "firmware", "nature", "host",
    "suite", "suite_version", "suite_sha256", "profile", "engine", "scale", "status", "checks", "checks_failed", "damage",
)  # fmt: skip
METRIC_COLUMNS = (
    "run", "name", "value", "word", "unit", "low", "high", "state", "step", "failed_checks", "unknown_because", "key",
)  # fmt: skip
SERIES_COLUMNS = (
    "run", "step", "state", "failed_checks", "direction",
    "time_ns", "bandwidth_bytes_per_s", "iops", "latency_ns_mean", "latency_ns_max",
)  # fmt: skip
HISTOGRAM_COLUMNS = ("run", "step", "state", "failed_checks", "direction", "kind", "bin_index", "count")
NUMBERS = {
    "time_ns": "bigint",
    "bandwidth_bytes_per_s": "double",
    "iops": "double",
    "latency_ns_mean": "double",
    "latency_ns_max": "double",
    "bin_index": "bigint",
    "count": "bigint",
    "capacity_bytes": "bigint",
    "checks": "bigint",
    "checks_failed": "bigint",
    "value": "double",
    "low": "double",
    "high": "double",
}


_SHOWN = tuple(column for column in RUN_COLUMNS if column not in {"signature", "problem"})
MEMORY_MAX = "1GiB"
"""Of a query; what needs more goes by a temporary file."""


class Table(Enum):
    """What can be asked about many runs."""

    RUNS = "runs"
    METRICS = "metrics"
    SERIES = "series"
    """Of compacted runs alone, as the next."""
    HISTOGRAMS = "histograms"


COLUMNS: Mapping[Table, tuple[str, ...]] = MappingProxyType(
    {
        Table.RUNS: _SHOWN,
        Table.METRICS: METRIC_COLUMNS,
        Table.SERIES: SERIES_COLUMNS,
        Table.HISTOGRAMS: HISTOGRAM_COLUMNS,
    }
)
"""As a query sees them."""
_CACHED = frozenset({Table.RUNS, Table.METRICS})


def typed(columns: Sequence[str]) -> str:
    """Columns in SQL, each made what it is in the tables."""
    return ", ".join(f"{name}::{NUMBERS.get(name, 'varchar')} as {name}" for name in columns)


def definitions(table: Table) -> str:
    """The columns of a table in SQL, where it is made."""
    return ", ".join(f"{name} {NUMBERS.get(name, 'varchar')}" for name in COLUMNS[table])


class LibraryError(SsdlabError):
    """The library cannot give what was asked of it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A directory among the runs that cannot be opened."""

    name: str
    what: str


@dataclass(frozen=True, slots=True)
class CachedRow:
    """A directory as the cache knows it."""

    signature: str
    found: Entry | Problem


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All runs of a lab, the oldest first, and what cannot be read among them.

    Attributes:
        in_memory: The tables of the cache, by name, where the lab is read-only or full and has none of today.
        compacted: What `ssdlab library compact` wrote of runs that are as they were; None where it wrote nothing.
        in_cache: How many runs the cache has: all that are not compacted.
    """

    lab: Path
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]
    in_memory: Mapping[str, Any] = field(default_factory=dict, compare=False)
    compacted: "Compacted | None" = field(default=None, compare=False)
    in_cache: int = field(default=0, compare=False)

    @contextmanager
    def database(self, *tables: Table) -> Iterator[duckdb.DuckDBPyConnection]:
        """A database of its own with views of those tables, of all runs that can be read.

        Raises:
            LibraryError: A compacted file is not what was written.
        """
        with ExitStack() as stack, parquet.ctrl_c_as_such():
            connection = stack.enter_context(bounded_database(_place_to_spill(stack)))
            for table in tables:
                columns = COLUMNS[table]
                told = [
                    f"select {typed(columns)} from ({source})"  # noqa: S608 - columns of this module, queries of ours
                    for source in self._sources(connection, stack, table)
                ]
                connection.execute(f"create temp table nothing_of_{table.value} ({definitions(table)})")
                union = " union all ".join([*told, f"from nothing_of_{table.value}"])
                connection.execute(f"create temp view {table.value} as {union}")
            yield connection

    def _sources(self, connection: duckdb.DuckDBPyConnection, stack: ExitStack, table: Table) -> Iterator[str]:
        """Queries that give the rows of a table."""
        condition = "where problem is null" if table is Table.RUNS else ""
        if self.compacted is not None:
            from ssdlab.library.compacted import sources

            for source in sources(self.compacted, connection, stack, table):
                yield f"{source} {condition}"
        if table in _CACHED and self.in_memory:
            connection.register(f"{table.value}_in_memory", self.in_memory[table.value])
            yield f"select * from {table.value}_in_memory {condition}"  # noqa: S608 - a name of ours
        elif table in _CACHED and self.in_cache:
            path = stack.enter_context(parquet.reading(cache_file(self.lab, table.value)))
            yield f"select * from read_parquet('{path}') {condition}"  # noqa: S608 - a descriptor


def _place_to_spill(stack: ExitStack) -> Path | None:
    """Most questions need none, so a host without room has answers, too."""
    try:
        return stack.enter_context(scratch())
    except OSError:
        return None


@contextmanager
def bounded_database(spilled: Path | None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database that takes no more than `MEMORY_MAX`, and puts what is more into a directory, where there is one."""
    with ExitStack() as stack, parquet.database() as connection:
        place = "" if spilled is None else stack.enter_context(parquet.writable(spilled / "spilled"))
        connection.execute(f"set memory_limit = '{MEMORY_MAX}'")
        connection.execute(f"set temp_directory = '{place}'")
        yield connection


@without_collections()
def open_catalogue(lab: Path) -> Catalogue:
    """Look at all runs under a lab directory, and write down what is new about them.

    Raises:
        LibraryError: There is no such directory, or no run in it.
        OSError: The lab cannot be read.
    """
    directories = signatures_of(lab)
    signatures = {name: signature for name, signature in directories.items() if is_file_name(name)}
    # The tables could not even hold the names of the others.
    nameless = {
        legible(name): message("library-name-no-text", path=legible(f"{lab}/runs/{name}"))
        for name in sorted(directories.keys() - signatures.keys())
    }
    if not signatures:
        raise LibraryError(message("library-no-run", lab=str(lab)), *nameless.values(), message("library-add-or-name"))
    compacted = _read_compacted(lab, signatures)
    rows = {} if compacted is None else dict(compacted.rows)
    in_cache, in_memory = _cached_rows(lab, {name: mark for name, mark in signatures.items() if name not in rows})
    rows |= in_cache
    found = [rows[name].found for name in sorted(rows)]
    entries = sorted((one for one in found if isinstance(one, Entry)), key=lambda entry: entry.started_at)
    problems = [one for one in found if isinstance(one, Problem)]
    problems += [Problem(name, str(fault)) for name, fault in nameless.items()]
    return Catalogue(lab, tuple(entries), tuple(problems), in_memory, compacted, len(in_cache))


def _cached_rows(lab: Path, signatures: Mapping[str, str]) -> tuple[dict[str, CachedRow], Mapping[str, Any]]:
    """Rows of the runs that are not compacted; the cache is made anew where it has others. Tables as `Catalogue.in_memory`."""
    known = _read_cache(lab)
    rows = {name: row for name, row in known.items() if signatures.get(name) == row.signature}
    if len(rows) == max(len(known), len(signatures)):
        return rows, {}
    from ssdlab.library.collect import collect

    new, in_memory = collect(lab, rows, signatures)
    return rows | new, in_memory


def _read_compacted(lab: Path, signatures: Mapping[str, str]) -> "Compacted | None":
    if not (lab / COMPACTED).is_dir():
        return None
    from ssdlab.library.compacted import read_compacted

    return read_compacted(lab, signatures)


def legible(text: str) -> str:
    """A text with its bytes that are no UTF-8 as escapes: tables and pages hold nothing else."""
    return text.encode(errors="backslashreplace").decode()


def signatures_of(lab: Path) -> dict[str, str]:
    """Every directory among the runs, and what tells whether it is as it was. Raises OSError."""
    return dict(_directories(lab))


def _directories(lab: Path) -> Iterator[tuple[str, str]]:
    try:
        with os.scandir(lab / "runs") as found:
            names = [one.name for one in found if one.is_dir() and not one.name.startswith(".")]
    except FileNotFoundError:
        return
    for name in names:
        yield name, " ".join(_mark(f"{lab}/runs/{name}/{file}") for file in _WATCHED)


def _mark(path: str) -> str:
    try:
        status = os.stat(path)  # noqa: PTH116 - thousands of paths, and making objects of them takes longer than asking
    except OSError:
        return "-"
    return f"{status.st_size}:{status.st_mtime_ns}"


def cache_file(lab: Path, table: str) -> Path:
    """Where the cache keeps a table."""
    return lab / CACHE / f"{table}.parquet"


def digest_of_cache(lab: Path) -> str:
    """Of both tables: numbers of a cache that changed must not be taken for those of the bundles. Raises OSError."""
    digest = hashlib.sha256()
    for name in ("runs", "metrics"):
        digest.update(cache_file(lab, name).read_bytes())
    return digest.hexdigest()


def _read_cache(lab: Path) -> dict[str, CachedRow]:
    """What was written down before; nothing if that cannot be read."""
    try:
        with (
            parquet.database() as connection,
            parquet.reading(cache_file(lab, "metrics")) as metrics,
            parquet.reading(cache_file(lab, "runs")) as runs,
            parquet.ctrl_c_as_such(),
        ):
            if (lab / CACHE / DIGEST).read_text() != digest_of_cache(lab):
                return {}
            connection.execute(f"select count(*) from read_parquet('{metrics}')")  # noqa: S608 - a descriptor
            query = f"select {', '.join(RUN_COLUMNS)} from read_parquet('{runs}')"  # noqa: S608 - columns of this module, a descriptor
            rows = connection.execute(query).fetchall()
    except (duckdb.Error, FileNotFoundError):
        return {}
    return {row[0]: row_of(row) for row in rows}


def row_of(values: Sequence[Any]) -> CachedRow:
    """A row of the table of runs; its values as `RUN_COLUMNS`."""
    (
        run, signature, problem, started_at, model, serial, capacity_bytes, firmware, nature, host,
        suite, version, sha256, profile, engine, scale, status, checks, checks_failed, damage,
    ) = values  # fmt: skip
    if problem is not None:
        return CachedRow(signature, Problem(run, problem))
    entry = Entry(
        name=run,
        started_at=started_at,
        drive=DriveKey(model, _known(serial), Unknown(_WHY) if capacity_bytes is None else capacity_bytes),
        firmware=_known(firmware),
        nature=Nature(nature),
        host=_known(host),
        method=_method(suite, version, sha256, profile, engine),
        scale=Comparability(scale),
        status=status,
        checks=checks,
        checks_failed=checks_failed,
        damage=damage,
    )
    return CachedRow(signature, entry)


@lru_cache(maxsize=256)
def _method(suite: str, version: str, sha256: str, profile: str, engine: str) -> MethodKey:
    """Of many runs it is the same."""
    return MethodKey(suite, version, sha256, profile, engine)


_WHY = message("unknown-bundle-says")


def _known(text: str | None) -> str | Unknown:
    return Unknown(_WHY) if text is None else text
