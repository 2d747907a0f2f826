"""Directories for the time of a command, which go with it: also where it was killed, at the next start.

The owner holds a lock on a file in the directory. The kernel lets go of it however the owner ends, so that a lock that can be
had is that of nobody, and needs no process number that another process may have by then.
"""

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "ssdlab-"
_OWNER = ".ssdlab-owner"
_LETTERS = 8
"""Of what `mkdtemp` puts behind the prefix."""


class Scratch:
    """A directory of our own until it is closed."""

    def __init__(self, place: Path | None = None, prefix: str = _PREFIX) -> None:
        """Make it.

        Args:
            place: Where; the host's place for such directories if not given.
            prefix: Of its name, by which those of killed commands are found again.

        Raises:
            OSError: It cannot be made.
        """
        self.path, self._lock = _made(place or Path(tempfile.gettempdir()), prefix)

    def close(self) -> None:
        """Remove it with all that is in it."""
        if self._lock is not None:
            shutil.rmtree(self.path, ignore_errors=True)
            os.close(self._lock)
            self._lock = None


@contextmanager
def scratch(place: Path | None = None, prefix: str = _PREFIX) -> Iterator[Path]:
    """The same as a context; what killed commands left in that place goes first.

    Raises:
        OSError: It cannot be made.
    """
    remove_left_behind(place, prefix)
    made = Scratch(place, prefix)
    try:
        yield made.path
    finally:
        made.close()


def room_bytes(directory: Path) -> int:
    """What may be put there at most: half of what is free, for everything else on the host needs the place, too.

    Raises:
        OSError: The directory cannot be looked at.
    """
    return shutil.disk_usage(directory).free // 2


def remove_left_behind(place: Path | None = None, prefix: str = _PREFIX) -> None:
    """Remove directories of ours whose commands were killed; never those of other users, of living commands, or anything else."""
    there = place or Path(tempfile.gettempdir())
    named = re.compile(re.escape(prefix) + rf"\w{{{_LETTERS}}}", re.ASCII)
    with suppress(OSError), os.scandir(there) as found:
        for entry in found:
            if named.fullmatch(entry.name):
                # Of directories without end Python's own way to remove them cannot see the ground.
                with suppress(OSError, RecursionError):
                    _remove_if_left(Path(entry.path))


def _made(place: Path, prefix: str) -> tuple[Path, int | None]:
    while True:
        path = Path(tempfile.mkdtemp(prefix=prefix, dir=place))
        lock = os.open(path / _OWNER, os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Between the two lines another start may have found the file without a lock and removed the directory.
        if os.fstat(lock).st_nlink:
            return path, lock
        os.close(lock)


def _remove_if_left(path: Path) -> None:
    """Links are never followed: in a directory for everybody anybody can make one by any name.

    Raises:
        OSError: It is none of ours, or its command is alive.
    """
    directory = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if os.fstat(directory).st_uid != os.geteuid():
            return
        lock = os.open(_OWNER, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path)
        finally:
            os.close(lock)
    finally:
        os.close(directory)
