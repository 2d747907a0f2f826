"""Bringing bundles into a lab: directories, or archives of them that somebody mailed."""

import shutil
import tarfile
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from ssdlab import durable
from ssdlab.bundle import layout
from ssdlab.bundle.read import open_bundle
from ssdlab.library.catalogue import LibraryError

_FILES_MAX = 100_000
_CHUNK_BYTES = 1 << 20


def add(source: Path, lab: Path) -> Path:
    """Copy a bundle, or the one in a zip or tar archive, into the lab and return where it now is.

    The copy appears under its name only once it is whole.

    Raises:
        LibraryError: It is there already, is no bundle, or its archive is damaged or hostile.
        BundleError: It cannot be opened.
        OSError: It cannot be read, or the lab cannot be written to.
    """
    runs = lab / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=runs, prefix=".adding-") as directory:
        copy = Path(directory) / "copy"
        if source.is_dir():
            open_bundle(source)
            shutil.copytree(source, copy, symlinks=True)
            found, name = copy, source.absolute().name
        else:
            copy.mkdir()
            _unpack(source, copy, shutil.disk_usage(runs).free)
            found = _bundle_in(copy, source)
            name = source.name.partition(".")[0] if found == copy else found.name
            open_bundle(found)
        if (there := _same(found, runs)) is not None:
            raise LibraryError(f"`{source}` is in the library already, as `{there}`")
        if (runs / name).exists():
            raise LibraryError(f"another run in the library is called `{name}`", f"rename `{source}` and add it again")
        found.rename(runs / name)
    durable.sync_directory(runs)
    return runs / name


def _same(found: Path, runs: Path) -> str | None:
    """Name of the run that began as this one did: same drive, same moment, same seed."""
    content = _run_file(found)
    return next((one.name for one in runs.glob("[!.]*") if content is not None and _run_file(one) == content), None)


def _run_file(path: Path) -> bytes | None:
    try:
        return (path / layout.RUN).read_bytes()
    except OSError:
        return None


def _bundle_in(directory: Path, source: Path) -> Path:
    """The directory with the journal: the archive's root, or its only entry."""
    for path in (directory, *sorted(directory.iterdir())):
        if path.is_dir() and any((path / name).exists() for name in (layout.RUN, layout.JOURNAL)):
            return path
    raise LibraryError(
        f"`{source}` holds no bundle: there is neither {layout.RUN} nor {layout.JOURNAL} in it",
        "pack the directory that `ssdlab run` printed",
    )


def _unpack(source: Path, directory: Path, free_bytes: int) -> None:
    try:
        if zipfile.is_zipfile(source):
            _unzip(source, directory, free_bytes)
        elif tarfile.is_tarfile(source):
            _untar(source, directory, free_bytes)
        else:
            raise LibraryError(f"`{source}` is neither a directory nor a zip or tar archive")
    except FileNotFoundError as error:
        raise LibraryError(f"there is no `{source}`") from error
    except (FileExistsError, NotADirectoryError) as error:
        name = Path(error.filename).relative_to(directory.resolve())
        raise LibraryError(
            f"`{source}` holds more than one file called `{name}`", "pack the directory that `ssdlab run` printed"
        ) from error
    # zipfile says NotImplementedError of a compression that it does not know, and RuntimeError of a locked archive.
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise LibraryError(f"the archive `{source}` cannot be unpacked: {error}") from error


def _unzip(source: Path, directory: Path, free_bytes: int) -> None:
    with zipfile.ZipFile(source) as archive:
        members = archive.infolist()
        _check_size(source, [member.file_size for member in members], free_bytes)
        for member in members:
            place = _place(source, directory, member.filename)
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
    with tarfile.open(source) as archive:
        sizes = []
        for member in archive:
            sizes.append(member.size if member.isfile() else 0)
            _check_size(source, sizes[-1:] if len(sizes) < _FILES_MAX else sizes, free_bytes)
            if not (member.isfile() or member.isdir()):
                raise LibraryError(
                    f"`{source}` holds `{member.name}`, which is neither a file nor a directory",
                    "a bundle is made of files and directories alone",
                )
            _place(source, directory, member.name)
        _check_size(source, sizes, free_bytes)
        for member in archive.getmembers():
            place = _place(source, directory, member.name)
            content = archive.extractfile(member)
            # Of a directory there is nothing to be read.
            if content is None:
                place.mkdir(parents=True, exist_ok=True)
            else:
                _write(content, place, member.size)


def _check_size(source: Path, sizes: list[int], free_bytes: int) -> None:
    if len(sizes) > _FILES_MAX or sum(sizes) > free_bytes:
        raise LibraryError(
            f"`{source}` would unpack to {len(sizes):,} files with {sum(sizes):,} bytes, {free_bytes:,} are free"
        )


def _place(source: Path, directory: Path, name: str) -> Path:
    """Where a member goes, which must be inside."""
    place = (directory / name).resolve()
    if not place.is_relative_to(directory.resolve()):
        raise LibraryError(f"`{source}` holds `{name}`, which points out of the archive", "do not trust its sender")
    return place
