"""Writing files so that power loss never leaves half of one."""

import os
from contextlib import suppress
from pathlib import Path


def write_durably(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: temporary name, fsync, rename, fsync of the directory.

    Raises:
        OSError: The host's file system refused, e.g. because it is full.
    """
    temporary = path.with_name(path.name + ".partial")
    try:
        # Left by a cut, or put there by whoever made the directory: a link would lead elsewhere.
        temporary.unlink(missing_ok=True)
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
        make_durable(temporary, path)
    except OSError as error:
        # A full disk has no name, and nobody asked for the temporary one, which may not even be removed where all is read-only.
        error.filename = str(path)
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def make_durable(temporary: Path, path: Path) -> None:
    """Give a complete file its final name once its content is on the medium."""
    with temporary.open("rb") as file:
        os.fsync(file.fileno())
    temporary.replace(path)
    sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
