"""Files of our own on a mounted file system, for a sustained write: made by us, known by a lock and a mark, removed by us alone."""

import fcntl
import json
import os
import shutil
import time
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Self

from ssdlab.drive.access import DriveError
from ssdlab.durable import sync_directory, write_durably
from ssdlab.message import Message, commas, message, size
from ssdlab.os_errors import reason_of
from ssdlab.units import GIB

PART_BYTES = 2 * GIB
"""Below what FAT32 allows a file, and a multiple of every chunk."""
_MARK = "ssdlab-sustain.json"
_DIRECTORY = "ssdlab-sustain"
_UNLINKED = ".fuse_hidden"
"""How file systems in user space call files that were removed while they were open."""
_LETTING_GO_S = 5


class Keep(Enum):
    """What becomes of the files at the end."""

    REMOVE = "remove"
    KEEP = "keep"


class OwnFiles:
    """A directory `ssdlab-sustain` with parts in a row."""

    def __init__(self, place: Path, keep: Keep, tag: str | None) -> None:
        """Make the directory; one that a killed run left behind is removed first.

        Raises:
            DriveError: Somebody else is using it, or keeps data in it.
        """
        self.place = place.resolve()
        self.path = self.place / (_DIRECTORY if tag is None else f"{_DIRECTORY}-{tag}")
        self.keep = keep
        self.parts: list[Path] = []
        self.found: Message | None = None
        if self.path.exists():
            self.found = _cleared(self.path)
        try:
            self.path.mkdir()
            self._lock = _locked(self.path)
            write_durably(self.path / _MARK, _mark(keep, tag))
        except OSError as error:
            raise DriveError(message("drive-not-made", path=str(self.path), error=reason_of(error))) from error

    @classmethod
    def left(cls, place: Path, tag: str) -> Self:
        """Files that an earlier run left under a tag.

        Raises:
            DriveError: There are none.
        """
        files = cls.__new__(cls)
        files.place, files.path, files.keep = place.resolve(), place.resolve() / f"{_DIRECTORY}-{tag}", Keep.KEEP
        if not (files.path / _MARK).exists():
            raise DriveError(
                message("drive-no-tag", path=str(files.path), tag=tag),
                message("drive-write-tag", place=str(place), tag=tag),
            )
        files._lock = _locked(files.path)  # noqa: SLF001 - this is a constructor
        files.parts = sorted(files.path.glob("part-*"))
        files.found = None
        if not files.parts:
            os.close(files._lock)  # noqa: SLF001 - likewise
            raise DriveError(message("drive-tag-gone", path=str(files.path)))
        return files

    @property
    def length_bytes(self) -> int:
        """Of all parts."""
        return sum(part.stat().st_size for part in self.parts)

    def free_bytes(self) -> int:
        """What the file system has room for."""
        return shutil.disk_usage(self.path).free

    def grow_to(self, length_bytes: int) -> None:
        """Make empty parts for so many bytes; the data comes with the writes.

        Raises:
            DriveError: The file system refuses.
        """
        self.remove_parts()
        count = -(-length_bytes // PART_BYTES)
        try:
            for number in range(count):
                part = self.path / f"part-{number:06}"
                os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
                self.parts.append(part)
            sync_directory(self.path)
        except OSError as error:
            raise DriveError(message("drive-takes-no-files", path=str(self.path), error=reason_of(error))) from error

    def remove_parts(self) -> None:
        """Give their room back."""
        for part in self.parts:
            part.unlink(missing_ok=True)
        self.parts = []

    def close(self) -> None:
        """Remove what was made, unless it is to be kept; what came to nothing is not.

        Raises:
            DriveError: The file system refuses.
        """
        goes = self.keep is Keep.REMOVE or not self.parts
        try:
            if goes:
                self.remove_parts()
                (self.path / _MARK).unlink(missing_ok=True)
        except OSError as error:
            raise DriveError(
                message("drive-not-removed", path=str(self.path), error=reason_of(error)),
                message("drive-removed-later"),
            ) from error
        finally:
            os.close(self._lock)
        if goes:
            _remove_empty(self.path)


def _remove_empty(path: Path) -> None:
    """Remove a directory, unless somebody put something of his own into it, which is not ours to remove.

    File systems in user space hear late that a file or a directory was closed, and refuse until then.
    """
    end_s = time.monotonic() + _LETTING_GO_S
    while True:
        with suppress(OSError):
            path.rmdir()
        if not path.exists() or time.monotonic() > end_s:
            return
        if any(not one.name.startswith(_UNLINKED) for one in path.iterdir()):
            return
        time.sleep(0.02)


def _mark(keep: Keep, tag: str | None) -> bytes:
    said = {"what": "test data of `ssdlab sustain`; may be removed unless kept", "keep": keep.value, "tag": tag}
    return json.dumps(said, indent=2).encode() + b"\n"


def _locked(path: Path) -> int:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise DriveError(message("drive-files-in-use", path=str(path)), message("drive-wait-for-it")) from error
    return descriptor


def _cleared(path: Path) -> Message:
    """Remove what a killed run left, and say so.

    Raises:
        DriveError: It is in use, is kept on purpose, or holds what is not ours.
    """
    lock = _locked(path)
    try:
        try:
            said = json.loads((path / _MARK).read_bytes())
        except (OSError, ValueError):
            said = None
        said = said if isinstance(said, dict) else None
        parts = sorted(path.glob("part-*"))
        others = sorted(one.name for one in path.iterdir() if one not in parts and one.name != _MARK)
        if others or (said is None and parts):
            raise DriveError(
                message(
                    "drive-files-not-ours",
                    path=str(path),
                    why=commas(*others[:5]) if others else message("drive-mark-missing"),
                ),
                message("drive-move-away"),
            )
        if said is not None and said.get("keep") == Keep.KEEP.value:
            raise DriveError(message("drive-files-kept", path=str(path)), message("drive-remove-by", path=str(path)))
        size_bytes = sum(part.stat().st_size for part in parts)
        for part in parts:
            part.unlink()
        (path / _MARK).unlink(missing_ok=True)
    finally:
        os.close(lock)
    _remove_empty(path)
    return message("drive-left-files-removed", size=size(size_bytes), path=str(path))
