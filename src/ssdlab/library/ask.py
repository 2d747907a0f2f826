"""SQL over all runs, their metrics, and what was compacted of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import duckdb

from ssdlab import parquet
from ssdlab.library.catalogue import Catalogue, LibraryError, Table, definitions
from ssdlab.message import message, verbatim

TABLES = {
    Table.RUNS: "one row a run: run, started_at, model, serial, capacity_bytes, firmware, nature, host, suite, suite_version, "
    "suite_sha256, profile, engine, scale, status, checks, checks_failed, damage",
    Table.METRICS: "one row a metric of a run: run, name, value, word, unit, low, high, state, step, failed_checks, unknown_because, key (JSON: point, direction, quantity, percent, aspect)",
    Table.SERIES: "one row a second of a step, of compacted runs: run, step, state, failed_checks, direction, time_ns, bandwidth_bytes_per_s, iops, latency_ns_mean, latency_ns_max",
    Table.HISTOGRAMS: "one row a bin of fio's, of compacted runs: run, step, state, failed_checks, direction, kind, bin_index, count",
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
    with _copies(catalogue, query) as database:
        try:
            with parquet.ctrl_c_as_such():
                found = database.execute(query)
                # Of no statement at all DuckDB returns nothing, whatever its types say.
                if found is None or found.description is None:
                    raise LibraryError(message("library-query-no-rows"), message("library-query-select"))
                columns = tuple(str(column[0]) for column in found.description)
                return QueryResult(columns, tuple(tuple(row) for row in found.fetchall()))
        except duckdb.Error as error:
            raise LibraryError(
                message("library-query-wrong", what=_in_one_line(str(error))),
                *(verbatim(f"`{table.value}`: {text}") for table, text in TABLES.items()),
            ) from error


def _in_one_line(said: str) -> str:
    """What DuckDB says, without its picture of the place, which takes lines of its own."""
    return " ".join(said.partition("\n\nLINE ")[0].split())


@contextmanager
def _copies(catalogue: Catalogue, query: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database beyond reach of any file: a query could write to the files of a view.

    Tables of which the query has not so much as the name are empty: of many runs, copies take seconds.
    """
    named = tuple(table for table in Table if table.value in query.casefold())
    with catalogue.database(*named) as database:
        with parquet.ctrl_c_as_such():
            for table in named:
                database.execute(f"create temp table copy as from {table.value}")
                database.execute(f"drop view {table.value}")
                database.execute(f"alter table copy rename to {table.value}")
            for table in set(Table) - set(named):
                database.execute(f"create temp table {table.value} ({definitions(table)})")
        database.execute("set enable_external_access = false")
        yield database
