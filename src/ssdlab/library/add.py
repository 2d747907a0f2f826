"""Bringing bundles into a lab: directories, or archives of them that somebody mailed."""

import errno
import gzip
import lzma
import os
import shutil
import stat
import tarfile
import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath, PurePosixPath
from typing import IO

from ssdlab import _core, durable, os_errors
from ssdlab.analysis.log.file import why_not_unpacked
from ssdlab.bundle import layout
from ssdlab.bundle.damage import DamagedFile
from ssdlab.bundle.files import open_inside
from ssdlab.bundle.imported import IMPORT, is_imported, open_imported
from ssdlab.bundle.live import is_being_written
from ssdlab.bundle.manifest import MANIFEST, SIGNATURE, require_as_listed
from ssdlab.bundle.read import open_bundle
from ssdlab.bundle.signature import Signed, allowed_signers_path, signer_of, write_signed
from ssdlab.library.catalogue import LibraryError
from ssdlab.library.whole_tar import HeadTooLong, Member, ReadInParts, parts_left
from ssdlab.message import Message, message, number
from ssdlab.place import is_file_name, require_directory
from ssdlab.scratch import scratch
from ssdlab.unknown import Unknown

_FILES_MAX = 100_000
_FIRST = (layout.RUN, IMPORT)
"""Files that tell one bundle from all others."""
_DEPTH_MAX = 32
"""Directories within directories: a bundle has four, and what walks them goes down into Python's stack."""
_CHUNK_BYTES = 1 << 20
_BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    gzip.BadGzipFile,
    lzma.LZMAError,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
"""What the readers of the standard library say of what is damaged, of a packing that they do not know, or locked."""
_OF_DAMAGE = {None, errno.EINVAL}
"""Of errors that are no refusal of the host: what is packed is cut off, and a place before the beginning of the archive."""
_RATIO_MAX = 100
"""Bytes that come of one of the archive; fio's JSON, which packs best, comes to 30."""
_UNPACKED_BYTES_MIN = 256 << 20
"""So much may come even of a small archive."""


@dataclass(frozen=True, slots=True)
class Added:
    """A bundle that was taken in.

    Attributes:
        signed: By whom; None if by nobody, unknown where that could not be checked.
    """

    path: Path
    signed: Signed | Unknown | None


def add(source: Path, lab: Path, allowed_signers: Path | None = None) -> Added:
    """Copy a bundle, or the one in a zip or tar archive, into the lab.

    The copy appears under its name only once it is whole, as its manifest says if it has one, and its signature is checked.

    Args:
        source: The bundle or archive.
        lab: Where it goes.
        allowed_signers: Keys that are known; the user's own list if not given.

    Raises:
        LibraryError: It is there already, goes on, is no bundle, or its archive is damaged or hostile.
        ManifestError: It is not what its manifest says.
        SignatureError: Its signature is wrong.
        BundleError: It cannot be opened.
        OSError: It cannot be read, or the lab cannot be written to.
    """
    runs = lab / "runs"
    require_directory(runs)
    if source.is_dir():
        _require_apart(source, lab)
        _require_plain(source)
        _require_over(source)
    runs.mkdir(parents=True, exist_ok=True)
    with scratch(runs, ".adding-") as directory:
        copy = directory / "copy"
        brought = _copied(source, copy, runs) if source.is_dir() else _unpacked(source, copy, runs)
        if not is_file_name(brought.name) or brought.name.startswith("."):
            raise LibraryError(message("library-no-name", name=brought.name), brought.renaming)
        signed = _checked(brought.path, allowed_signers or allowed_signers_path())
        if (there := _same(brought.path, runs)) is not None:
            raise _there_already(source, runs / there, brought.path)
        if (runs / brought.name).exists():
            raise LibraryError(message("library-same-name", name=brought.name), brought.renaming)
        brought.path.rename(runs / brought.name)
    durable.sync_directory(runs)
    return Added(runs / brought.name, signed)


@dataclass(frozen=True, slots=True)
class _Brought:
    """A bundle that has come as far as a directory for the time being.

    Attributes:
        path: Where it is.
        name: What it is called.
        renaming: What to do where the library cannot call it so.
    """

    path: Path
    name: str
    renaming: Message


def _copied(source: Path, copy: Path, runs: Path) -> _Brought:
    _require_bundle(source)
    shutil.copytree(source, copy, symlinks=True, copy_function=partial(_copy_file, runs))
    return _Brought(copy, source.absolute().name, message("library-rename", source=str(source)))


def _unpacked(source: Path, copy: Path, runs: Path) -> _Brought:
    copy.mkdir()
    _unpack(source, copy, shutil.disk_usage(runs).free)
    found = _bundle_in(copy, source)
    _require_bundle(found)
    if found == copy:
        return _Brought(found, source.name.partition(".")[0], message("library-rename", source=str(source)))
    return _Brought(found, found.name, message("library-rename-within", source=str(source)))


def _require_apart(source: Path, lab: Path) -> None:
    """A copy within what is copied would have no end."""
    if (lab / "runs").resolve().is_relative_to(source.resolve()):
        raise LibraryError(
            message("library-within-source", lab=str(lab), source=str(source)), message("library-name-lab")
        )


def _require_over(source: Path) -> None:
    """A copy of a run that goes on would be in the place of what it comes to."""
    if is_being_written(source):
        raise LibraryError(message("library-goes-on", source=str(source)), message("library-add-when-over"))


def _there_already(source: Path, there: Path, found: Path) -> LibraryError:
    """That it is, and what to do where only its beginning is: that of a run that went on since it was added."""
    before, now = _journal(there), _journal(found)
    whole_lines = before[: before.rfind(b"\n") + 1]
    if whole_lines and len(whole_lines) < len(now) and now.startswith(whole_lines):
        return LibraryError(
            message("library-beginning-there", source=str(source), there=there.name),
            message("library-remove-beginning", there=str(there)),
        )
    return LibraryError(message("library-already-there", source=str(source), there=there.name))


def _journal(bundle: Path) -> bytes:
    """Empty where there is none to read."""
    with suppress(OSError, DamagedFile), os.fdopen(open_inside(bundle, layout.JOURNAL), "rb") as file:
        return file.read()
    return b""


def _checked(found: Path, allowed_signers: Path) -> Signed | Unknown | None:
    """Hold a bundle against its manifest, and that against its signature."""
    signed: Signed | Unknown | None = None
    if (found / MANIFEST).exists():
        require_as_listed(found)
        signed = signer_of(found, allowed_signers)
    elif (found / SIGNATURE).exists():
        raise LibraryError(message("library-signature-of-nothing", manifest=MANIFEST), message("library-no-trust"))
    write_signed(found, signed)
    return signed


def _copy_file(runs: Path, source: str, copy: str) -> str:
    """The first file that cannot be copied ends it, where `copytree` would try all others too.

    Raises:
        SsdlabError: It cannot be copied.
    """
    try:
        return shutil.copy2(source, copy, follow_symlinks=False)
    except OSError as error:
        # `copy` is where nobody looks: it is gone with the error.
        raise os_errors.in_words(error, runs if os_errors.is_of_writing(error) else source) from error


def _require_plain(source: Path) -> None:
    """Nothing but files and directories: a link could bring along, or later reach, what is no part of the bundle."""
    for directory, inner, names in os.walk(source):
        for path in (Path(directory) / name for name in (*inner, *names)):
            name = path.relative_to(source)
            _require_shallow(source, name)
            if not (stat.S_ISREG(mode := path.lstat().st_mode) or stat.S_ISDIR(mode)):
                raise _not_plain(source, str(name))


def _require_shallow(source: Path, name: PurePath) -> None:
    if len(name.parts) > _DEPTH_MAX:
        raise LibraryError(
            message("library-too-deep", source=str(source), depth=_DEPTH_MAX), message("library-no-trust")
        )


def _not_plain(source: Path, name: str) -> LibraryError:
    return LibraryError(
        message("library-not-plain", source=str(source), name=name),
        message("library-files-alone"),
    )


def _require_bundle(path: Path) -> None:
    if is_imported(path):
        open_imported(path)
    else:
        open_bundle(path)


def _same(found: Path, runs: Path) -> str | None:
    """Name of the run that began as this one did: same drive, same moment, same seed."""
    content = _run_file(found)
    return next((one.name for one in runs.glob("[!.]*") if content is not None and _run_file(one) == content), None)


def _run_file(path: Path) -> bytes | None:
    for name in _FIRST:
        with suppress(OSError):
            return (path / name).read_bytes()
    return None


def _bundle_in(directory: Path, source: Path) -> Path:
    """The directory with the journal: the archive's root, or its only entry."""
    for path in (directory, *sorted(directory.iterdir())):
        if path.is_dir() and any((path / name).exists() for name in (*_FIRST, layout.JOURNAL)):
            return path
    raise LibraryError(
        message("library-no-bundle", source=str(source), run=layout.RUN, journal=layout.JOURNAL),
        message("library-pack-printed"),
    )


def _unpack(source: Path, directory: Path, free_bytes: int) -> None:
    try:
        if zipfile.is_zipfile(source):
            _unzip(source, directory, free_bytes)
        else:
            _untar(source, directory, free_bytes)
    except FileNotFoundError as error:
        raise LibraryError(message("library-no-source", source=str(source))) from error
    except (FileExistsError, NotADirectoryError) as error:
        name = Path(error.filename).relative_to(directory.resolve())
        raise LibraryError(
            message("library-file-twice", source=str(source), name=str(name)), message("library-pack-printed")
        ) from error
    except _core.PackedError as error:
        raise LibraryError(*why_not_unpacked(source, error)) from error
    except HeadTooLong as error:
        raise LibraryError(
            message("library-head-too-long", source=str(source), bytes=number(error.size_bytes)),
            message("library-no-trust"),
        ) from error
    except _BROKEN as error:
        raise LibraryError(message("library-cannot-unpack", source=str(source), error=str(error))) from error
    except OSError as error:
        if error.errno not in _OF_DAMAGE:
            raise
        said = error.strerror or str(error)
        raise LibraryError(message("library-cannot-unpack", source=str(source), error=said)) from error


def _unzip(source: Path, directory: Path, free_bytes: int) -> None:
    with zipfile.ZipFile(source) as archive:
        members = archive.infolist()
        _check_size(source, len(members), sum(member.file_size for member in members), free_bytes)
        for member in members:
            place = _place(source, directory, member.filename)
            # Programs that know no Unix leave this empty.
            if stat.S_IFMT(member.external_attr >> 16) not in {0, stat.S_IFREG, stat.S_IFDIR}:
                raise _not_plain(source, member.filename)
            if member.is_dir():
                place.mkdir(parents=True, exist_ok=True)
                continue
            with archive.open(member) as content:
                _write(content, place, member.file_size)


def _write(content: IO[bytes], place: Path, size_bytes: int) -> None:
    """Write a file, no more of it than the archive's directory promised, and nothing of its owner and its rights."""
    place.parent.mkdir(parents=True, exist_ok=True)
    left = size_bytes
    # A name that is there already would be a second file under one name, or one through a link.
    with place.open("xb") as file:
        while left and (chunk := content.read(min(left, _CHUNK_BYTES))):
            file.write(chunk)
            left -= len(chunk)


def _untar(source: Path, directory: Path, free_bytes: int) -> None:
    with _opened_tar(source) as archive:
        total_bytes = files = 0
        for files, member in enumerate(archive, start=1):
            total_bytes += member.size if member.isfile() else 0
            _check_size(source, files, total_bytes, free_bytes)
            if not (member.isfile() or member.isdir()):
                raise _not_plain(source, member.name)
            _place(source, directory, member.name)
        left_bytes = 0
        for part_bytes in parts_left(_after_members(source, archive)):
            left_bytes += part_bytes
            _check_size(source, files, left_bytes, free_bytes)
        for member in archive.getmembers():
            place = _place(source, directory, member.name)
            content = archive.extractfile(member)
            # Of a directory there is nothing to be read.
            if content is None:
                place.mkdir(parents=True, exist_ok=True)
            else:
                _write(content, place, member.size)


def _opened_tar(source: Path) -> tarfile.TarFile:
    """Not asked beforehand whether it is one: `tarfile.is_tarfile` reads a first head of any length."""
    try:
        return tarfile.open(source, tarinfo=Member)
    except tarfile.ReadError as error:
        raise LibraryError(message("library-no-archive", source=str(source)), message("library-add-takes")) from error


def _after_members(source: Path, archive: tarfile.TarFile) -> ReadInParts:
    """What must be read to its end to know that an archive is whole; of gzip all of it, by what tells damage from what only follows."""
    with source.open("rb") as file:
        packed = _core.is_compressed(file.read(tarfile.BLOCKSIZE))
    return _core.FioFile(source) if packed or archive.fileobj is None else archive.fileobj


def _check_size(source: Path, files: int, total_bytes: int, free_bytes: int) -> None:
    if files > _FILES_MAX or total_bytes > free_bytes:
        raise LibraryError(
            message(
                "library-too-large",
                source=str(source),
                files=number(files),
                total=number(total_bytes),
                free=number(free_bytes),
            )
        )
    if total_bytes > max(_UNPACKED_BYTES_MIN, _RATIO_MAX * source.stat().st_size):
        raise LibraryError(
            message("library-bomb", source=str(source), total=number(total_bytes), ratio=_RATIO_MAX),
            message("library-bomb-remedy"),
        )


def _place(source: Path, directory: Path, name: str) -> Path:
    """Where a member goes, which must be inside."""
    _require_shallow(source, PurePosixPath(name))
    place = (directory / name).resolve()
    if not place.is_relative_to(directory.resolve()):
        raise LibraryError(message("library-leads-out", source=str(source), name=name), message("library-no-trust"))
    return place
