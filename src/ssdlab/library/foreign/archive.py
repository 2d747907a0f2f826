"""Archives of results, whose files are taken in as those of a folder would be: zip, tar, and tar packed with gzip, Zstandard or xz.

Nothing of an archive decides where anything is written: its files go into a directory of our own under names that are made here, of
the archive and the file, so that every original in a bundle says which file of which archive it is. Links and whatever else is no
plain file are refused by name. All that comes out of an archive is counted while it comes out, whatever it says of its sizes.
"""

import errno
import io
import lzma
import re
import stat
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path, PurePosixPath
from typing import IO, TypeVar

from ssdlab import _core
from ssdlab.analysis.log.file import XZ
from ssdlab.library.foreign import threedmark
from ssdlab.library.foreign.result import ForeignError
from ssdlab.library.whole_tar import Member, parts_left
from ssdlab.message import Message, Value, message, number
from ssdlab.scratch import room_bytes, scratch

T = TypeVar("T")

UNPACKED_BYTES_MAX = 512 << 20
"""Of all that is in an archive, together; less where the place for it has less."""
MEMBERS_MAX = 20_000
"""With directories and what is refused."""
_ZIP = b"PK\x03\x04"
_TAR, _TAR_AT = b"ustar", 257
_HEAD_BYTES = 64 << 10
_PART_BYTES = 1 << 20
_NAME_LETTERS_MAX = 80
_PREFIX = "ssdlab-unpacked-"
_PLACE = re.compile(rf"/[^`]*?/{_PREFIX}\w+/\d+/\d+/")
_LOCKED = 1
"""A bit of what zip says of a file."""
_BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    lzma.LZMAError,
    zlib.error,
    EOFError,
    ValueError,
    NotImplementedError,
    RuntimeError,
    OSError,
)
"""What the readers of the standard library say of what is damaged, of a form that they do not know, or locked."""
_OF_THE_HOST = {
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EROFS,
    errno.EFBIG,
    errno.EIO,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
}
"""What the host refuses, whatever is in the archive."""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What came out of an archive.

    Attributes:
        folders: The files of each folder of it.
        refused: What is no plain file, and why the archive was not read to its end.
    """

    folders: tuple[tuple[Path, ...], ...]
    refused: tuple[ForeignError, ...]


class _TooMuchError(Exception):
    """More comes out than is allowed."""


class _Counted(io.RawIOBase):
    """A stream of which no more than so much can be read."""

    def __init__(self, stream: IO[bytes], bytes_max: int) -> None:
        self._stream = stream
        self._left_bytes = bytes_max

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        part = self._stream.read(min(size, _PART_BYTES) if size >= 0 else _PART_BYTES)
        self._left_bytes -= len(part)
        if self._left_bytes < 0:
            raise _TooMuchError
        return part


@contextmanager
def unpacked_archives(paths: Sequence[Path]) -> Iterator[tuple[list[Path], list[Unpacked]]]:
    """The files that are no archives, and what is in those that are, for as long as the context lasts.

    Raises:
        OSError: There is no room to unpack them.
    """
    packed = [is_archive(path) for path in paths]
    archives = list(compress(paths, packed))
    others = [path for path, is_packed in zip(paths, packed, strict=True) if not is_packed]
    if not archives:
        yield others, []
        return
    with scratch(prefix=_PREFIX) as directory:
        yield others, [unpack(path, directory / str(place)) for place, path in enumerate(archives)]


def shown(error: ForeignError) -> ForeignError:
    """The same error with files by their archives and names, not by where they have been unpacked for a while."""
    return ForeignError(_shown(error.message), *map(_shown, error.hints))


def _shown(told: Message) -> Message:
    return replace(told, pairs=tuple((name, _shown_value(value)) for name, value in told.pairs))


def _shown_value(value: Value) -> Value:
    if isinstance(value, str):
        return _PLACE.sub("", value)
    return _shown(value) if isinstance(value, Message) else value


def is_archive(path: Path) -> bool:
    """Whether a file is an archive of other files, by its content; those of 3DMark are one result."""
    try:
        if not path.is_file():
            return False
        head = _head(path)
    except (_core.FioLogError, *_BROKEN):
        # What reads the file says what is wrong with it.
        return False
    if head.startswith(_ZIP):
        return not any(reader.recognises(head) for reader in threedmark.READERS)
    return head[_TAR_AT:].startswith(_TAR)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if _core.is_compressed(head):
        return _core.read_fio_file(path, tarfile.BLOCKSIZE)
    if head.startswith(XZ):
        with lzma.open(path) as unpacked:
            return unpacked.read(_HEAD_BYTES)
    return head


def unpack(path: Path, directory: Path) -> Unpacked:
    """Write the plain files of an archive below a directory that is ours.

    Raises:
        OSError: The directory cannot be written to.
    """
    directory.mkdir()
    bytes_max = left_bytes = min(UNPACKED_BYTES_MAX, room_bytes(directory))
    folders: dict[str, list[Path]] = {}
    names = _Names(path.name)
    refused: list[ForeignError] = []
    try:
        for count, (name, member) in enumerate(_members(path, bytes_max)):
            if isinstance(member, Message):
                refused.append(
                    ForeignError(message("foreign-archive-member", archive=path.name, member=name, why=member))
                )
                continue
            parts = PurePosixPath(name.replace("\\", "/")).parts
            place = directory / str(count)
            place.mkdir()
            folder = "/".join(parts[:-1])
            file = place / names.name(folder, parts)
            left_bytes -= _copy(member, file, left_bytes)
            folders.setdefault(folder, []).append(file)
    except _TooMuchError:
        refused.append(
            ForeignError(
                message(
                    "foreign-archive-too-much",
                    archive=path.name,
                    bytes=number(bytes_max, ","),
                    files=number(MEMBERS_MAX, ","),
                ),
                message("foreign-archive-parts"),
            )
        )
    except _core.FollowedError:
        refused.append(ForeignError(message("foreign-archive-followed", archive=path.name)))
    except (_core.FioLogError, *_BROKEN) as error:
        if isinstance(error, OSError) and error.errno in _OF_THE_HOST:
            raise
        refused.append(
            ForeignError(message("foreign-damaged-archive", name=path.name, error=str(error)), message("foreign-whole"))
        )
    if not folders and not refused:
        refused.append(ForeignError(message("foreign-archive-nothing", archive=path.name)))
    return Unpacked(tuple(map(tuple, folders.values())), tuple(refused))


def _limited(members: Iterable[T]) -> Iterator[T]:
    """Also what is passed over takes its time."""
    for count, member in enumerate(members):
        if count >= MEMBERS_MAX:
            raise _TooMuchError
        yield member


def _copy(member: IO[bytes], file: Path, bytes_max: int) -> int:
    copied = 0
    with member, file.open("wb") as to:
        while part := member.read(_PART_BYTES):
            copied += len(part)
            if copied > bytes_max:
                raise _TooMuchError
            to.write(part)
    return copied


class _Names:
    """Of the files of an archive, each of which has one of its own in its folder: together they may become one result."""

    def __init__(self, archive: str) -> None:
        self._archive = archive[-_NAME_LETTERS_MAX // 4 :]
        self._taken: set[tuple[str, str]] = set()
        self._numbers = Counter[tuple[str, str]]()

    def name(self, folder: str, parts: Sequence[str]) -> str:
        """`results.zip-monday-x_bw.1.log`; of what is long the end, by which fio's logs are known; `results.zip-2-...` if taken."""
        member = "-".join(parts)[-_NAME_LETTERS_MAX:]
        name = _plain_letters(self._archive, member)
        first = folder, _unpacked_name(name)
        while (folder, _unpacked_name(name)) in self._taken:
            self._numbers[first] += 1
            name = _plain_letters(self._archive, str(self._numbers[first] + 1), member)
        self._taken.add((folder, _unpacked_name(name)))
        return name


def _plain_letters(*words: str) -> str:
    """No other letters than those that a bundle leaves in the names of its originals, so that different names remain so."""
    return re.sub(r"[^\w.-]+", "-", "-".join(words), flags=re.ASCII)


def _unpacked_name(name: str) -> str:
    """As a file packed with xz is called in a bundle."""
    return name.removesuffix(".xz")


def _members(path: Path, bytes_max: int) -> Iterator[tuple[str, IO[bytes] | Message]]:
    """The names of what is in an archive but for directories, with what to read of each, or why it is not read."""
    with path.open("rb") as file:
        head = file.read(len(_ZIP))
    yield from _of_zip(path) if head == _ZIP else _of_tar(path, bytes_max)


def _of_zip(path: Path) -> Iterator[tuple[str, IO[bytes] | Message]]:
    with zipfile.ZipFile(path) as archive:
        listed = Counter(info.filename for info in archive.infolist())
        for info in _limited(archive.infolist()):
            kind = stat.S_IFMT(info.external_attr >> 16)
            # Of a name without letters Python asks for the last one.
            if info.filename and info.is_dir():
                continue
            if not info.filename or kind not in {0, stat.S_IFREG}:
                yield info.filename, message("foreign-archive-no-file")
            elif listed[info.filename] > 1:
                yield info.filename, message("foreign-archive-twice")
            elif info.flag_bits & _LOCKED:
                yield info.filename, message("foreign-archive-locked")
            elif info.compress_type not in threedmark.PACKINGS:
                yield info.filename, message("foreign-archive-packing")
            else:
                yield info.filename, archive.open(info)


def _of_tar(path: Path, bytes_max: int) -> Iterator[tuple[str, IO[bytes] | Message]]:
    # Read as a stream, so that also what is passed over counts.
    with _plain(path) as plain:
        counted = _Counted(plain, bytes_max)
        with tarfile.open(fileobj=counted, mode="r|", tarinfo=Member) as archive:
            for info in _limited(archive):
                if info.isdir():
                    continue
                content = archive.extractfile(info) if info.isreg() and not info.issparse() else None
                yield info.name, message("foreign-archive-no-file") if content is None else content
        for _ in parts_left(counted):
            # Only that it can be read is of interest.
            pass


@contextmanager
def _plain(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as file:
        head = file.read(len(XZ))
    if head.startswith(XZ):
        with lzma.open(path) as unpacked:
            yield unpacked
    elif _core.is_compressed(head):
        yield _core.FioFile(path)  # type: ignore[misc]
    else:
        with path.open("rb") as file:
            yield file
