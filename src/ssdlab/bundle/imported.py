"""A bundle that another program's result was read into: its numbers, where they came from, and the file itself unchanged."""

import hashlib
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from ssdlab.bundle import layout
from ssdlab.bundle.checksums import checksums_json, read_checksums
from ssdlab.bundle.damage import BundleError, DamagedFile
from ssdlab.bundle.files import BundleFiles, Unlisted
from ssdlab.bundle.mark import FileMark
from ssdlab.bundle.model import Check, Metric
from ssdlab.bundle.publication import Publication
from ssdlab.message import Message, message, semicolons
from ssdlab.unknown import Unknown

IMPORT = "import.json"
ORIGINAL = "original"
"""Directory of the files as they were given."""
IMPORT_SCHEMA = 3
_CHECKED_SINCE = 2
"""Schema from which on every file has its SHA-256."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """A file that was read, kept in the bundle."""

    name: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignSetting:
    """What the program says it was told, in its own words."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedDrive:
    """What is known of the drive: from the file, or from whoever imported it."""

    model: str | Unknown
    serial: str | Unknown
    firmware: str | Unknown
    capacity_bytes: int | Unknown
    fill_percent: float | Unknown
    """How much of it was in use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportInfo:
    """`import.json`: everything but the numbers."""

    schema: int
    program: str
    """As it calls itself: `CrystalDiskMark`."""
    program_version: str | Unknown
    method: str
    """What of the program's ways of measuring was used, such as its profile; two results of another method are not compared."""
    measured_at: str | Unknown
    """ISO 8601, the clock of the host it was measured on."""
    imported_at: str
    """UTC, ISO 8601."""
    drive: ImportedDrive
    host: str | Unknown
    """Operating system or machine, in the program's words."""
    settings: tuple[ForeignSetting, ...]
    cautions: tuple[str, ...]
    """What a reader must know of how this program gets its numbers."""
    originals: tuple[Original, ...]
    ssdlab_version: str
    published: Publication | None = None
    """Absent from what was imported here."""


@dataclass(frozen=True, slots=True, eq=False)
class ImportedRun:
    """An imported result as it stands on disk."""

    path: Path
    info: ImportInfo
    metrics: tuple[Metric, ...]
    audit: tuple[Check, ...]
    files: BundleFiles


@dataclass(frozen=True, slots=True)
class _Schema:
    """What is read first: nothing else in a newer one may be as expected."""

    schema: int


INFO_ADAPTER = TypeAdapter(ImportInfo)
_SCHEMA_ADAPTER = TypeAdapter(_Schema)


def write_imported(
    path: Path,
    info: ImportInfo,
    metrics: Iterable[Metric],
    audit: Iterable[Check],
    originals: Sequence[Iterable[bytes]],
    pool: Executor,
) -> None:
    """Write the bundle into a directory that does not exist yet; `originals` are the files `info` names, in its order, each in parts.

    Nobody knows it until all of it is written and it is given its name, which whoever does so makes durable. The audit is asked for
    before the metrics, each part by part. The pool waits for the medium.

    Raises:
        OSError: The host's file system refused.
    """
    path.mkdir()
    (path / ORIGINAL).mkdir()
    files: list[tuple[str, Iterable[bytes]]] = [
        (f"{ORIGINAL}/{original.name}", parts) for original, parts in zip(info.originals, originals, strict=True)
    ]
    files += [
        (layout.AUDIT, layout.audit_parts(audit)),
        (layout.METRICS, layout.metric_parts(metrics)),
        (IMPORT, (layout.pretty_json(INFO_ADAPTER, info),)),
    ]
    marks = {name: _written(path / name, parts) for name, parts in files}
    _written(path / layout.CHECKSUMS, (checksums_json(marks),))
    # Asked for at once they share the waiting for the medium, which takes longer than all else.
    list(pool.map(_sync, [*(path / name for name in marks), path / layout.CHECKSUMS, path / ORIGINAL, path]))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _written(path: Path, parts: Iterable[bytes]) -> FileMark:
    """A file of a directory that nobody knows yet, so that it needs no other name until it is whole."""
    digest, size_bytes = hashlib.sha256(), 0
    with path.open("xb") as file:
        for part in parts:
            file.write(part)
            digest.update(part)
            size_bytes += len(part)
    return FileMark(size_bytes, digest.hexdigest())


def is_imported(path: Path) -> bool:
    """Whether a directory holds an imported result."""
    return os.path.lexists(path / IMPORT)


def open_imported(path: Path) -> ImportedRun:
    """Open an imported result.

    Raises:
        BundleError: A file of it is damaged, or it is of a newer ssdlab.
    """
    faults: list[Message] = []
    marks = read_checksums(path, faults)
    files = BundleFiles(path, marks, Unlisted.REFUSED if marks or faults else Unlisted.READ)
    again = message("bundle-import-again", original=str(path / ORIGINAL))
    try:
        info = _info(path, files)
        metrics = files.parsed(layout.METRICS, layout.METRICS_ADAPTER)
        audit = files.parsed(layout.AUDIT, layout.AUDIT_ADAPTER)
    except DamagedFile as error:
        raise BundleError(
            message("bundle-damaged", path=str(path), faults=semicolons(*faults, error.fault)), again
        ) from error
    if info.schema >= _CHECKED_SINCE and files.unlisted is Unlisted.READ:
        raise BundleError(message("bundle-file-gone", path=str(path), file=layout.CHECKSUMS), again)
    originals = {f"{ORIGINAL}/{one.name}": FileMark(one.size_bytes, one.sha256) for one in info.originals}
    return ImportedRun(path, info, metrics, audit, BundleFiles(path, originals | marks, files.unlisted))


def info_of_imported(path: Path) -> ImportInfo:
    """Where an imported result is from, without its numbers.

    Raises:
        BundleError: The file that says it is damaged, or it is of a newer ssdlab.
    """
    marks = read_checksums(path, [])
    try:
        return _info(path, BundleFiles(path, marks, Unlisted.READ))
    except DamagedFile as error:
        raise BundleError(
            message("bundle-damaged", path=str(path), faults=semicolons(error.fault)),
            message("bundle-import-again", original=str(path / ORIGINAL)),
        ) from error


def _info(path: Path, files: BundleFiles) -> ImportInfo:
    """`import.json`; what it held up to schema 2 is the same."""
    info = files.parsed(IMPORT, _SCHEMA_ADAPTER)
    if info.schema > IMPORT_SCHEMA:
        raise BundleError(
            message("bundle-newer-import", path=str(path), schema=info.schema, newest=IMPORT_SCHEMA),
            message("bundle-update"),
        )
    return files.parsed(IMPORT, INFO_ADAPTER)
