"""A bundle that another program's result was read into: its numbers, where they came from, and the file itself unchanged."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from ssdlab.bundle import layout
from ssdlab.bundle.model import Check, Metric
from ssdlab.bundle.read import BundleError
from ssdlab.durable import sync_directory, write_durably
from ssdlab.unknown import Unknown

IMPORT = "import.json"
ORIGINAL = "original"
"""Directory of the files as they were given."""
IMPORT_SCHEMA = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """A file that was read, kept in the bundle."""

    name: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
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
    settings: tuple[Setting, ...]
    cautions: tuple[str, ...]
    """What a reader must know of how this program gets its numbers."""
    originals: tuple[Original, ...]
    ssdlab_version: str


@dataclass(frozen=True, slots=True, eq=False)
class ImportedRun:
    """An imported result as it stands on disk."""

    path: Path
    info: ImportInfo
    metrics: tuple[Metric, ...]
    audit: tuple[Check, ...]


INFO_ADAPTER = TypeAdapter(ImportInfo)


def write_imported(
    path: Path, info: ImportInfo, metrics: Sequence[Metric], audit: Sequence[Check], originals: Sequence[bytes]
) -> None:
    """Write the bundle into a directory that does not exist yet; `originals` are the files `info` names, in its order.

    `import.json` comes last, so that a directory without it is no bundle.

    Raises:
        OSError: The host's file system refused.
    """
    (path / ORIGINAL).mkdir(parents=True)
    for original, content in zip(info.originals, originals, strict=True):
        write_durably(path / ORIGINAL / original.name, content)
    write_durably(path / layout.METRICS, layout.pretty_json(layout.METRICS_ADAPTER, tuple(metrics)))
    write_durably(path / layout.AUDIT, layout.pretty_json(layout.AUDIT_ADAPTER, tuple(audit)))
    write_durably(path / IMPORT, layout.pretty_json(INFO_ADAPTER, info))
    sync_directory(path.parent)


def is_imported(path: Path) -> bool:
    """Whether a directory holds an imported result."""
    return (path / IMPORT).exists()


def open_imported(path: Path) -> ImportedRun:
    """Open an imported result.

    Raises:
        BundleError: A file of it is damaged, or it is of a newer ssdlab.
        OSError: It cannot be read.
    """
    content = (path / IMPORT).read_bytes()
    try:
        if (schema := json.loads(content).get("schema")) != IMPORT_SCHEMA:
            raise BundleError(
                f"`{path}` has import schema {schema}, this ssdlab reads {IMPORT_SCHEMA}", "update ssdlab"
            )
        info = INFO_ADAPTER.validate_json(content)
        metrics = layout.METRICS_ADAPTER.validate_json((path / layout.METRICS).read_bytes())
        audit = layout.AUDIT_ADAPTER.validate_json((path / layout.AUDIT).read_bytes())
    except (ValidationError, ValueError, AttributeError) as error:
        raise BundleError(f"`{path}` is damaged: {error}", f"import `{path / ORIGINAL}` again") from error
    return ImportedRun(path, info, metrics, audit)
