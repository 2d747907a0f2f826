"""What is in the folders of a lab, kept as a cache that can be thrown away at any time.

The bundles are the truth. Their files' sizes and times tell which of them changed since the cache was written; only those are
opened again.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from ssdlab.errors import SsdlabError
from ssdlab.library.entry import DriveKey, Entry, Method, Nature, Scale
from ssdlab.unknown import Unknown

CACHE = ".catalogue-1"
"""Directory of the cache inside the lab; another ssdlab's with another schema is left alone."""
_WATCHED = ("run.json", "journal.jsonl", "metrics.json", "audit.json", "import.json")
"""Files of a bundle that say all the library keeps of it (`ssdlab.bundle.layout`, which takes longer to import than a list to make)."""
RUN_COLUMNS = (
    "run", "signature", "problem", "started_at", "model", "serial", "capacity_bytes", "firmware", "nature", "host",
    "suite", "suite_version", "suite_sha256", "profile", "engine", "scale", "status", "checks", "checks_failed", "damage",
)  # fmt: skip
METRIC_COLUMNS = (
    "run", "name", "value", "word", "unit", "low", "high", "state", "step", "failed_checks", "unknown_because",
)  # fmt: skip
NUMBERS = {
    "capacity_bytes": "bigint",
    "checks": "bigint",
    "checks_failed": "bigint",
    "value": "double",
    "low": "double",
    "high": "double",
}


class LibraryError(SsdlabError):
    """The library cannot give what was asked of it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A directory among the runs that cannot be opened."""

    name: str
    what: str


@dataclass(frozen=True, slots=True)
class Row:
    """A directory as the cache knows it."""

    signature: str
    found: Entry | Problem


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All runs of a lab, the oldest first, and what cannot be read among them."""

    lab: Path
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]

    def database(self) -> duckdb.DuckDBPyConnection:
        """A database of its own with the views `runs` and `metrics` of all runs that can be read."""
        connection = duckdb.connect()
        runs, metrics = (quoted(cache_file(self.lab, name)) for name in ("runs", "metrics"))
        shown = ", ".join(column for column in RUN_COLUMNS if column not in {"signature", "problem"})
        connection.execute(
            f"create view runs as select {shown} from read_parquet('{runs}') where problem is null"  # noqa: S608 - columns of this module, a quoted path
        )
        connection.execute(f"create view metrics as select * from read_parquet('{metrics}')")  # noqa: S608 - a quoted path
        return connection


def open_catalogue(lab: Path) -> Catalogue:
    """Look at all runs under a lab directory, and write down what is new about them.

    Raises:
        LibraryError: There is no such directory, or no run in it.
        OSError: The cache cannot be written.
    """
    signatures = dict(_directories(lab))
    if not signatures:
        raise LibraryError(
            f"there is no run under `{lab}`", "`ssdlab library add BUNDLE...` brings some, or name another `--lab DIR`"
        )
    known = _read_cache(lab)
    rows = {name: row for name, row in known.items() if signatures.get(name) == row.signature}
    if len(rows) < max(len(known), len(signatures)):
        from ssdlab.library.collect import collect

        rows |= collect(lab, rows, signatures)
    found = [rows[name].found for name in sorted(rows)]
    entries = sorted((one for one in found if isinstance(one, Entry)), key=lambda entry: entry.started_at)
    return Catalogue(lab, tuple(entries), tuple(one for one in found if isinstance(one, Problem)))


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


def _read_cache(lab: Path) -> dict[str, Row]:
    """What was written down before; nothing if that cannot be read."""
    if not cache_file(lab, "metrics").exists():
        return {}
    try:
        with duckdb.connect() as connection:
            connection.execute(f"select count(*) from read_parquet('{quoted(cache_file(lab, 'metrics'))}')")  # noqa: S608 - a quoted path
            path = quoted(cache_file(lab, "runs"))
            query = f"select {', '.join(RUN_COLUMNS)} from read_parquet('{path}')"  # noqa: S608 - columns of this module, a quoted path
            rows = connection.execute(query).fetchall()
    except duckdb.Error:
        return {}
    return {str(row[0]): _row_of(dict(zip(RUN_COLUMNS, row, strict=True))) for row in rows}


def _row_of(row: Mapping[str, Any]) -> Row:
    if row["problem"] is not None:
        return Row(row["signature"], Problem(row["run"], row["problem"]))
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
        method=Method(row["suite"], row["suite_version"], row["suite_sha256"], row["profile"], row["engine"]),
        scale=Scale(row["scale"]),
        status=row["status"],
        checks=row["checks"],
        checks_failed=row["checks_failed"],
        damage=row["damage"],
    )
    return Row(row["signature"], entry)


_WHY = "the bundle says why"


def _known(text: str | None) -> str | Unknown:
    return Unknown(_WHY) if text is None else text


def quoted(path: Path) -> str:
    """A path inside a string of SQL."""
    return str(path).replace("'", "''")
