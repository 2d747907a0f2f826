"""A file on a mounted file system as the drive under test."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from ssdlab.drive.access import DriveError, FioAddress, IoPath, Purged
from ssdlab.drive.identity import DriveIdentity, Freshness
from ssdlab.drive.mounted import identity_of_files, mount_point
from ssdlab.drive.target import FileTarget
from ssdlab.units import MIB, format_bytes

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
        self.address = FioAddress(IoPath.FILE, str(self._path), "a file on a file system cannot be polled")
        self._create(self.identity.capacity_bytes)

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
            f"a file of {format_bytes(size_bytes)} on the file system at {mount_point(path.parent)}",
            "fio trims drives, not files",
        )

    def _create(self, size_bytes: int) -> None:
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise DriveError(f"`{self._path}` cannot be made: {error.strerror}") from error
        try:
            os.posix_fallocate(descriptor, 0, size_bytes)
        except OSError as error:
            self.close()
            raise DriveError(f"`{self._path}` cannot be given {format_bytes(size_bytes)}: {error.strerror}") from error
        finally:
            os.close(descriptor)

    def check(self) -> None:
        """See `Drive.check`."""
        if not self._path.exists() or self._path.stat().st_size != self.identity.capacity_bytes:
            raise DriveError(f"`{self._path}` is gone, or its size has changed")

    def purge(self) -> Purged:
        """Give all blocks back to the file system and take new ones."""
        self._path.unlink(missing_ok=True)
        self._create(self.identity.capacity_bytes)
        return Purged(Freshness.UNPROVEN, "the file was made anew; `fstrim` decides what the drive below learns of it")

    def said(self) -> Mapping[str, str]:
        """No program knows the drive below a file."""
        return {}

    def findings(self) -> tuple[str, ...]:
        """A file has nothing to add."""
        return ()

    def close(self) -> None:
        """Remove the file."""
        self._path.unlink(missing_ok=True)


def _test_file(target: FileTarget) -> Path:
    path = target.path
    if path.is_dir():
        path /= TEST_FILE
    if path.exists():
        raise DriveError(
            f"`{path}` exists, and ssdlab does not overwrite files",
            "remove it, or name a directory or a file that does not exist",
        )
    if not path.parent.is_dir():
        raise DriveError(f"`{path.parent}` is no directory", "name a directory on a mounted file system")
    return path.resolve()


def _size(path: Path, target: FileTarget) -> int:
    free_bytes = shutil.disk_usage(path.parent).free
    size_bytes = target.size_bytes or free_bytes - _RESERVE_BYTES
    if size_bytes > free_bytes - _RESERVE_BYTES:
        raise DriveError(
            f"`{path.parent}` has {format_bytes(free_bytes)} free, {format_bytes(size_bytes)} were asked for and "
            f"{format_bytes(_RESERVE_BYTES)} must stay free",
            f"ask for less: `file:{target.path}?size=1GiB`",
        )
    if size_bytes < MIB:
        raise DriveError(
            f"`{path}` would be only {format_bytes(max(size_bytes, 0))}", "name a file system with more room"
        )
    return size_bytes // MIB * MIB
