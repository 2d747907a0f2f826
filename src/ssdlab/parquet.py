"""Paths of Parquet files as DuckDB takes them.

DuckDB takes `*`, `?` and `[` in a path for a pattern, also in the names of the directories above, and has no way of writing all of
them as they are. So it is never given a path, but a descriptor.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb


def database() -> duckdb.DuckDBPyConnection:
    """A database of its own."""
    connection = duckdb.connect()
    # It knows files by their paths, and those of descriptors are used again.
    connection.execute("set enable_external_file_cache = false")
    return connection


def readable(descriptor: int) -> str:
    """An open file, inside a string of SQL."""
    return f"/proc/self/fd/{descriptor}"


@contextmanager
def reading(path: Path) -> Iterator[str]:
    """A file to be read, inside a string of SQL.

    Raises:
        OSError: It cannot be opened.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield readable(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def writable(path: Path) -> Iterator[str]:
    """A file to be written, inside a string of SQL; its own name is one of ssdlab's, the directories above may be called anything.

    Raises:
        OSError: There is no such directory.
    """
    descriptor = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{descriptor}/{path.name}"
    finally:
        os.close(descriptor)
