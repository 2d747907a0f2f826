"""Paths of Parquet files as DuckDB takes them, and Ctrl-C as it is not told by it.

DuckDB takes `*`, `?` and `[` in a path for a pattern, also in the names of the directories above, and has no way of writing all of
them as they are. So it is never given a path, but a descriptor.
"""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import duckdb


def database() -> duckdb.DuckDBPyConnection:
    """A database of its own."""
    connection = duckdb.connect()
    # It knows files by their paths, and those of descriptors are used again.
    connection.execute("set enable_external_file_cache = false")
    return connection


@contextmanager
def ctrl_c_as_such() -> Iterator[None]:
    """Raise what Ctrl-C or SIGTERM raised within, where DuckDB makes an error of its own of that.

    It asks Python for signals while it works, and then says `RuntimeError: Query interrupted`, without what was raised.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    raised: list[BaseException] = []
    before = {one: handler for one in (signal.SIGINT, signal.SIGTERM) if callable(handler := signal.getsignal(one))}

    def note(number: int, frame: FrameType | None) -> None:
        try:
            before[signal.Signals(number)](number, frame)
        except BaseException as error:
            raised.append(error)
            raise

    for one in before:
        signal.signal(one, note)
    try:
        yield
    except Exception as error:
        if raised:
            raise raised[0] from error
        raise
    finally:
        for one, handler in before.items():
            # What Ctrl-C called may have put another there, which ignores signals by then.
            if signal.getsignal(one) is note:
                signal.signal(one, handler)


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
