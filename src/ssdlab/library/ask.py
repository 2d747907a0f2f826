"""SQL over all runs and metrics."""

from dataclasses import dataclass

import duckdb

from ssdlab import parquet
from ssdlab.library.catalogue import Catalogue, LibraryError
from ssdlab.message import message, verbatim

TABLES = {
    "runs": "one row a run: run, started_at, model, serial, capacity_bytes, firmware, nature, host, suite, suite_version, "
    "suite_sha256, profile, engine, scale, status, checks, checks_failed, damage",
    "metrics": "one row a metric of a run: run, name, value, word, unit, low, high, state, step, failed_checks, unknown_because, key (JSON: point, direction, quantity, percent, aspect)",
}
"""The tables a query can use."""


@dataclass(frozen=True, slots=True)
class QueryResult:
    """Rows of a query, in the order of its columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


def answer(catalogue: Catalogue, query: str) -> QueryResult:
    """Ask the library in DuckDB's SQL.

    The tables are a copy: nothing a query does changes a bundle, and it can read and write no other file.

    Raises:
        LibraryError: The query is wrong, or gives no rows at all.
    """
    with catalogue.database() as database:
        try:
            with parquet.ctrl_c_as_such():
                found = database.execute(query)
                if found.description is None:
                    raise LibraryError(message("library-query-no-rows"), message("library-query-select"))
                columns = tuple(str(column[0]) for column in found.description)
                return QueryResult(columns, tuple(tuple(row) for row in found.fetchall()))
        except duckdb.Error as error:
            what = str(error).strip()
            raise LibraryError(
                message("library-query-wrong", what=what),
                *(verbatim(f"`{name}`: {text}") for name, text in TABLES.items()),
            ) from error
