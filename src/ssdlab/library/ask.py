"""SQL over all runs and metrics."""

from dataclasses import dataclass

import duckdb

from ssdlab.library.catalogue import Catalogue, LibraryError

TABLES = {
    "runs": "one row a run: run, started_at, model, serial, capacity_bytes, firmware, nature, host, suite, suite_version, "
    "suite_sha256, profile, engine, scale, status, checks, checks_failed, damage",
    "metrics": "one row a metric of a run: run, name, value, word, unit, low, high, state, step, failed_checks, unknown_because",
}
"""The views a query can use."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows of a query, in the order of its columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


def answer(catalogue: Catalogue, query: str) -> Answer:
    """Ask the library in DuckDB's SQL.

    The tables are a copy: nothing a query does changes a bundle, and it can read and write no other file.

    Raises:
        LibraryError: The query is wrong, or gives no rows at all.
    """
    with catalogue.database() as database:
        try:
            # The views read the cache's files, so they become tables before files are put out of reach.
            for table in TABLES:
                database.execute(f"create temp table {table}_copy as select * from {table}")  # noqa: S608 - names of this module
                database.execute(f"drop view {table}")
                database.execute(f"create temp view {table} as select * from {table}_copy")  # noqa: S608 - names of this module
            database.execute("set enable_external_access = false")
            found = database.execute(query)
            if found.description is None:
                raise LibraryError("the query gives no rows", "begin it with `select`")
            columns = tuple(str(column[0]) for column in found.description)
            return Answer(columns, tuple(tuple(row) for row in found.fetchall()))
        except duckdb.Error as error:
            what = str(error).strip()
            raise LibraryError(
                f"the query is wrong: {what}", *(f"`{name}`: {text}" for name, text in TABLES.items())
            ) from error
