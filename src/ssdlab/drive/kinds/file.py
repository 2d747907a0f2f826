"""A file on a mounted file system as the drive under test."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from ssdlab.drive.access import DriveError, FioAddress, IoPath, Purged
from ssdlab.drive.identity import DriveIdentity, Freshness
from ssdlab.drive.kinds.mounted import identity_of_files, mount_point
from ssdlab.drive.target import FileTarget
from ssdlab.message import Message, message, size
from ssdlab.os_errors import reason_of
from ssdlab.units import MIB

TEST_FILE = "ssdlab-test-file.bin"
_RESERVE_BYTES = 256 * MIB
"""Left free when no size is given, so that the file system and the bundle survive."""


class FileDrive:
    """A file of our own making; it is removed when the run ends.

    A file that exists is never written to: erasing somebody's data takes more than a path that happens to be right.
    """

    def __init__(self, text: str, target: FileTarget) -> None:
        """Make the file.

        Raises:
            DriveError: The file exists, the directory does not, or there is no room.
        """
        self.identity = self.foreseen(text, target)
        self._path = _test_file(target)
        self.spec_text: str | None = None
        self._descriptor = _created(self._path, self.identity.capacity_bytes)

    @property
    def address(self) -> FioAddress:
        """By the file that was made, held open, whatever its path has come to lead to."""
        return FioAddress(IoPath.FILE, str(self._path), message("drive-file-not-polled"), descriptor=self._descriptor)

    @staticmethod
    def foreseen(text: str, target: FileTarget) -> DriveIdentity:
        """What the drive will be, without making the file.

        Raises:
            DriveError: The file exists, the directory does not, or there is no room.
        """
        path = _test_file(target)
        size_bytes = _size(path, target)
        return identity_of_files(
            text,
            path.parent,
            size_bytes,
            message("drive-described-file", size=size(size_bytes), place=str(mount_point(path.parent))),
            message("drive-trims-no-files"),
        )

    def check(self) -> None:
        """See `Drive.check`."""
        if not self._is_there() or os.fstat(self._descriptor).st_size != self.identity.capacity_bytes:
            raise DriveError(message("drive-file-gone", path=str(self._path)))

    def _is_there(self) -> bool:
        """Whether the path still leads to the file that was made."""
        try:
            return os.path.samestat(os.lstat(self._path), os.fstat(self._descriptor))
        except OSError:
            return False

    def purge(self) -> Purged:
        """Give all blocks back to the file system and take new ones."""
        os.ftruncate(self._descriptor, 0)
        self._remove()
        before, self._descriptor = self._descriptor, _created(self._path, self.identity.capacity_bytes)
        os.close(before)
        return Purged(Freshness.UNPROVEN, message("drive-purged-file"))

    def said(self) -> Mapping[str, str]:
        """No program knows the drive below a file."""
        return {}

    def findings(self) -> tuple[Message, ...]:
        """A file has nothing to add."""
        return ()

    def close(self) -> None:
        """Remove the file."""
        self._remove()
        os.close(self._descriptor)

    def _remove(self) -> None:
        """Unless the path leads to somebody else's by now."""
        if self._is_there():
            self._path.unlink()


def _created(path: Path, size_bytes: int) -> int:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise DriveError(message("drive-not-made", path=str(path), error=reason_of(error))) from error
    try:
        os.posix_fallocate(descriptor, 0, size_bytes)
    except (OSError, KeyboardInterrupt) as error:
        path.unlink()
        os.close(descriptor)
        if isinstance(error, KeyboardInterrupt):
            raise
        no_room = message("drive-file-no-room", path=str(path), size=size(size_bytes), error=reason_of(error))
        raise DriveError(no_room) from error
    return descriptor


def _test_file(target: FileTarget) -> Path:
    path = target.path
    if path.is_dir():
        path /= TEST_FILE
    if path.is_block_device():
        raise DriveError(
            message("drive-file-is-device", path=str(path)), message("drive-file-is-device-hint", path=str(path))
        )
    if path.exists():
        raise DriveError(message("drive-file-exists", path=str(path)), message("drive-file-exists-hint"))
    if not path.parent.is_dir():
        raise DriveError(message("drive-no-directory", path=str(path.parent)), message("drive-name-directory"))
    return path.resolve()


def _size(path: Path, target: FileTarget) -> int:
    free_bytes = shutil.disk_usage(path.parent).free
    size_bytes = target.size_bytes or free_bytes - _RESERVE_BYTES
    if size_bytes > free_bytes - _RESERVE_BYTES:
        raise DriveError(
            message(
                "drive-too-little-free",
                path=str(path.parent),
                free=size(free_bytes),
                wanted=size(size_bytes),
                reserve=size(_RESERVE_BYTES),
            ),
            message("drive-ask-for-less", path=str(target.path)),
        )
    if size_bytes < MIB:
        raise DriveError(
            message("drive-file-too-small", path=str(path), size=size(max(size_bytes, 0))), message("drive-more-room")
        )
    return size_bytes // MIB * MIB
