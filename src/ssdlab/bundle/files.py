"""The one way to the files of a bundle: no link is followed, and what was not written there is never taken for it."""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import TypeVar

from pydantic import TypeAdapter

from ssdlab.bundle import layout
from ssdlab.bundle.damage import BundleError, DamagedFile
from ssdlab.bundle.mark import NOT_CHECKED, FileMark
from ssdlab.message import Message, message
from ssdlab.unknown import Unknown

T = TypeVar("T")


class Unlisted(Enum):
    """What becomes of a file that nothing tells the length or the digest of."""

    READ = "as in bundles written before checksums"
    REFUSED = "it is no part of the bundle"


class BundleFiles:
    """Files by their names inside the bundle; each is checked when it is read, and again only if it has changed since."""

    def __init__(self, root: Path, marks: Mapping[str, FileMark], unlisted: Unlisted) -> None:
        self.root = root
        self.marks = marks
        self.unlisted = unlisted
        self._sound: dict[str, tuple[int, int, int]] = {}
        self._of_steps = layout.by_directory(marks)

    def holds(self, name: str) -> bool:
        """Whether the bundle has a file of that name, sound or not."""
        if name in self.marks:
            return True
        return self.unlisted is Unlisted.READ and os.path.lexists(self.root / name)

    def of_step(self, directory: str) -> Sequence[str]:
        """Names of the files that the numbers of a step come from."""
        return self._of_steps.get(directory, ())

    @property
    def unchecked(self) -> Unknown | None:
        """Why nothing vouches for some of them; None where each has its digest."""
        if self.unlisted is Unlisted.READ:
            return NOT_CHECKED
        return next((mark.sha256 for mark in self.marks.values() if isinstance(mark.sha256, Unknown)), None)

    def read(self, name: str) -> bytes:
        """All of a file.

        Raises:
            DamagedFile: It is missing, a link, or not what was written there.
        """
        with self.opened(name) as descriptor, os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read()

    def parsed(self, name: str, adapter: TypeAdapter[T]) -> T:
        """What a file of JSON says; raises like `read`."""
        try:
            return layout.parsed(adapter, self.read(name))
        except ValueError as error:
            raise DamagedFile(self.root, name, message("damage-not-as-expected")) from error

    def check(self, name: str) -> None:
        """Make sure that a file is what was written there; raises like `read`."""
        with self.opened(name):
            pass

    @contextmanager
    def opened(self, name: str) -> Iterator[int]:
        """A descriptor of a file that is what was written there; raises like `read`."""
        if name not in self.marks and self.unlisted is Unlisted.REFUSED:
            raise DamagedFile(self.root, name, message("damage-unlisted"))
        try:
            descriptor = open_inside(self.root, name)
            try:
                self._require_sound(name, descriptor)
                yield descriptor
            finally:
                os.close(descriptor)
        except FileNotFoundError as error:
            raise DamagedFile(self.root, name, message("damage-missing")) from error
        except OSError as error:
            raise DamagedFile(self.root, name, _unreadable(error)) from error

    def size_fault(self, name: str) -> DamagedFile | None:
        """What the length of a file gives away without reading it; None where it is as it should be."""
        mark = self.marks[name]
        try:
            found = _plain(self.root, name).st_size
        except FileNotFoundError:
            return DamagedFile(self.root, name, message("damage-missing"))
        except DamagedFile as error:
            return error
        except OSError as error:
            return DamagedFile(self.root, name, _unreadable(error))
        return None if found == mark.size_bytes else self._too_long_or_short(name, found)

    def _require_sound(self, name: str, descriptor: int) -> None:
        mark, found = self.marks.get(name), os.fstat(descriptor)
        if mark is None:
            return
        if found.st_size != mark.size_bytes:
            raise self._too_long_or_short(name, found.st_size)
        moment = (found.st_ino, found.st_mtime_ns, found.st_size)
        if isinstance(mark.sha256, Unknown) or self._sound.get(name) == moment:
            return
        if _digest(descriptor) != mark.sha256:
            raise DamagedFile(self.root, name, message("damage-other-sha256"))
        self._sound[name] = moment

    def _too_long_or_short(self, name: str, found_bytes: int) -> DamagedFile:
        expected = self.marks[name].size_bytes
        return DamagedFile(self.root, name, message("damage-length", found=found_bytes, expected=expected))


def _unreadable(error: OSError) -> Message:
    return message("damage-unreadable", error=str(error.strerror))


def open_inside(root: Path, name: str) -> int:
    """Open a plain file of a bundle for reading; nothing between the bundle and the file may be a link.

    Raises:
        DamagedFile: It is a link or a device, lies behind a link, or its name leads out of the bundle.
        OSError: It cannot be opened.
    """
    _plain(root, name)
    return os.open(root / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)


def _plain(root: Path, name: str) -> os.stat_result:
    """The status of a file; raises like `open_inside`."""
    *above, last = _parts(root, name)
    place = root
    for part in above:
        place /= part
        if stat.S_ISLNK(place.lstat().st_mode):
            raise DamagedFile(root, name, message("damage-behind-link", link=place.name))
    found = (place / last).lstat()
    if stat.S_ISLNK(found.st_mode):
        raise DamagedFile(root, name, message("damage-link"))
    if not stat.S_ISREG(found.st_mode):
        raise DamagedFile(root, name, message("damage-no-file"))
    return found


def _parts(root: Path, name: str) -> tuple[str, ...]:
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in name:
        raise DamagedFile(root, name, message("damage-leads-out"))
    try:
        os.fsencode(name)
    except UnicodeEncodeError as error:
        # JSON can spell what no file can be called.
        raise DamagedFile(root, name, message("damage-missing")) from error
    return path.parts


def require_no_link(root: Path) -> None:
    """Make sure that what is written into a bundle stays there.

    Raises:
        BundleError: Something in it is a link.
        OSError: It cannot be looked through.
    """
    for directory, inner, names in os.walk(root):
        for path in (Path(directory) / name for name in (*inner, *names)):
            if path.is_symlink():
                raise BundleError(
                    message("bundle-link-written", path=str(path)),
                    message("bundle-link-remedy"),
                )


def _digest(descriptor: int) -> str:
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    os.lseek(descriptor, 0, os.SEEK_SET)
    return digest
