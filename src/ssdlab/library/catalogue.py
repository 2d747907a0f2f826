"""What is in the folders of a lab, kept as a cache that can be thrown away at any time.

The bundles are the truth. Their files' sizes and times tell which of them changed since the cache was written; only those are
opened again.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from ssdlab import parquet
from ssdlab.errors import SsdlabError
from ssdlab.library.entry import Comparability, DriveKey, Entry, MethodKey, Nature
from ssdlab.message import message
from ssdlab.place import is_file_name
from ssdlab.unknown import Unknown

CACHE = ".catalogue-3"
"""Directory of the cache inside the lab; another ssdlab's with another schema is left alone."""
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
NUMBERS = {
    "capacity_bytes": "bigint",
    "checks": "bigint",
    "checks_failed": "bigint",
    "value": "double",
    "low": "double",
    "high": "double",
}


_SHOWN = tuple(column for column in RUN_COLUMNS if column not in {"signature", "problem"})


def typed(columns: Sequence[str]) -> str:
    """Columns in SQL, each made what it is in the tables."""
    return ", ".join(f"{name}::{NUMBERS.get(name, 'varchar')} as {name}" for name in columns)


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
    """

    lab: Path
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]
    in_memory: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def database(self) -> duckdb.DuckDBPyConnection:
        """A database of its own with the tables `runs` and `metrics` of all runs that can be read, beyond reach of any file."""
        connection = parquet.database()
        for name, columns, condition in (("runs", _SHOWN, "where problem is null"), ("metrics", METRIC_COLUMNS, "")):
            with parquet.ctrl_c_as_such(), ExitStack() as stack:
                if self.in_memory:
                    connection.register(f"{name}_in_memory", self.in_memory[name])
                    source = f"{name}_in_memory"
                else:
                    source = f"read_parquet('{stack.enter_context(parquet.reading(cache_file(self.lab, name)))}')"
                connection.execute(f"create temp table {name} as select {typed(columns)} from {source} {condition}")  # noqa: S608 - columns of this module, a descriptor
        connection.execute("set enable_external_access = false")
        return connection


def open_catalogue(lab: Path) -> Catalogue:
    """Look at all runs under a lab directory, and write down what is new about them.

    Raises:
        LibraryError: There is no such directory, or no run in it.
        OSError: The lab cannot be read.
    """
    directories = dict(_directories(lab))
    signatures = {name: signature for name, signature in directories.items() if is_file_name(name)}
    # The tables could not even hold the names of the others.
    nameless = {
        legible(name): message("library-name-no-text", path=legible(f"{lab}/runs/{name}"))
        for name in sorted(directories.keys() - signatures.keys())
    }
    if not signatures:
        raise LibraryError(message("library-no-run", lab=str(lab)), *nameless.values(), message("library-add-or-name"))
    known = _read_cache(lab)
    rows = {name: row for name, row in known.items() if signatures.get(name) == row.signature}
    in_memory: Mapping[str, Any] = {}
    if len(rows) < max(len(known), len(signatures)):
        from ssdlab.library.collect import collect

        new, in_memory = collect(lab, rows, signatures)
        rows |= new
    found = [rows[name].found for name in sorted(rows)]
    entries = sorted((one for one in found if isinstance(one, Entry)), key=lambda entry: entry.started_at)
    problems = [one for one in found if isinstance(one, Problem)]
    problems += [Problem(name, str(fault)) for name, fault in nameless.items()]
    return Catalogue(lab, tuple(entries), tuple(problems), in_memory)


def legible(text: str) -> str:
    """A text with its bytes that are no UTF-8 as escapes: tables and pages hold nothing else."""
    return text.encode(errors="backslashreplace").decode()


def _directories(lab: Path) -> Iterator[tuple[str, str]]:
    """Every directory among the runs, and what tells whether it is as it was."""
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
    return {str(row[0]): _row_of(dict(zip(RUN_COLUMNS, row, strict=True))) for row in rows}


def _row_of(row: Mapping[str, Any]) -> CachedRow:
    if row["problem"] is not None:
        return CachedRow(row["signature"], Problem(row["run"], row["problem"]))
    entry = Entry(
        name=row["run"],
        started_at=row["started_at"],
        drive=DriveKey(
            row["model"],
            _known(row["serial"]),
            Unknown(_WHY) if row["capacity_bytes"] is None else row["capacity_bytes"],
        ),
        firmware=_known(row["firmware"]),
        nature=Nature(row["nature"]),
        host=_known(row["host"]),
        method=MethodKey(row["suite"], row["suite_version"], row["suite_sha256"], row["profile"], row["engine"]),
        scale=Comparability(row["scale"]),
        status=row["status"],
        checks=row["checks"],
        checks_failed=row["checks_failed"],
        damage=row["damage"],
    )
    return CachedRow(row["signature"], entry)


_WHY = message("unknown-bundle-says")


def _known(text: str | None) -> str | Unknown:
    return Unknown(_WHY) if text is None else text
