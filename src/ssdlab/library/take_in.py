"""Making a bundle of another program's result."""

import hashlib
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkdtemp
from typing import TypeVar

from ssdlab import version
from ssdlab.analysis.audit import failed
from ssdlab.analysis.fill_level import FillLevel, fill_level
from ssdlab.bundle.imported import (
    IMPORT,
    IMPORT_SCHEMA,
    ImportedDrive,
    ImportInfo,
    Original,
    Setting,
    open_imported,
    write_imported,
)
from ssdlab.bundle.model import Check, Metric
from ssdlab.job import DriveState
from ssdlab.library.foreign.readers import Source, read_foreign
from ssdlab.library.foreign.result import Foreign, ForeignError, Number
from ssdlab.unknown import Unknown

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the importer knows and the file may lack."""

    model: str | None = None
    serial: str | None = None
    firmware: str | None = None
    capacity_bytes: int | None = None
    fill_percent: float | None = None


def take_in(path: Path, lab: Path, told: Told, *logs: Path) -> Path:
    """Read a file, or fio's with its logs, and write a bundle with its numbers, its origin and itself; return where it is.

    Raises:
        ForeignError: The file cannot be read, or is in the library already.
        OSError: The lab cannot be written to.
    """
    foreign, sources = read_foreign(path, *logs)
    originals = tuple(_original(source) for source in sources)
    runs = lab / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    if (there := _same(runs, originals)) is not None:
        raise ForeignError(f"`{path}` is in the library already, as `{there}`")
    drive = _drive(path, foreign, told)
    info = ImportInfo(
        schema=IMPORT_SCHEMA,
        program=foreign.program,
        program_version=foreign.program_version,
        method=foreign.method,
        measured_at=foreign.measured_at,
        imported_at=datetime.now(UTC).isoformat(timespec="seconds"),
        drive=drive,
        host=foreign.host,
        settings=tuple(Setting(name=name, text=text) for name, text in foreign.settings),
        cautions=foreign.cautions,
        originals=originals,
        ssdlab_version=version(),
    )
    state = _state(drive.fill_percent)
    metrics = [_metric(number, state, foreign.audit) for number in foreign.numbers]
    staging = Path(mkdtemp(prefix=".importing-", dir=runs))
    try:
        write_imported(staging / "bundle", info, metrics, foreign.audit, [source.content for source in sources])
        target = _new_path(runs, info)
        (staging / "bundle").rename(target)
    finally:
        shutil.rmtree(staging)
    return target


def _safe(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).lstrip(".") or "file"


def _original(source: Source) -> Original:
    digest = hashlib.sha256(source.content).hexdigest()
    return Original(name=_safe(source.name), sha256=digest, size_bytes=len(source.content))


def _same(runs: Path, originals: tuple[Original, ...]) -> str | None:
    for file in runs.glob(f"[!.]*/{IMPORT}"):
        if originals == open_imported(file.parent).info.originals:
            return file.parent.name
    return None


def _drive(path: Path, foreign: Foreign, told: Told) -> ImportedDrive:
    return ImportedDrive(
        model=_either(path, "model", foreign.model, told.model),
        serial=_either(path, "serial", foreign.serial, told.serial),
        firmware=_either(path, "firmware", foreign.firmware, told.firmware),
        capacity_bytes=_either(path, "capacity", foreign.capacity_bytes, told.capacity_bytes),
        fill_percent=_either(path, "fill", foreign.fill_percent, told.fill_percent),
    )


def _either(path: Path, what: str, said: T | Unknown, told: T | None) -> T | Unknown:
    """What the file says, else what was told with it; never one in place of the other.

    Raises:
        ForeignError: They contradict each other.
    """
    if told is None:
        return said
    if isinstance(said, Unknown) or said == told:
        return told
    raise ForeignError(f"`{path}` itself says {what} `{said}`, not `{told}`", f"leave `--{what}` out")


def _state(fill_percent: float | Unknown) -> DriveState:
    """Only what METHODS C9 has a name for; every other fill level is said beside it."""
    full = fill_level(fill_percent) is FillLevel.THREE_QUARTERS
    return DriveState.THREE_QUARTERS_FULL if full else DriveState.UNKNOWN


def _metric(number: Number, state: DriveState, audit: Sequence[Check]) -> Metric:
    return Metric(
        name=number.name,
        value=number.value,
        unit=number.unit,
        state=state,
        step=number.name.partition(".")[0],
        note=number.note,
        failed_checks=tuple(dict.fromkeys(check.name for check in failed(audit) if check.step == number.subject)),
    )


def _new_path(runs: Path, info: ImportInfo) -> Path:
    moment = info.measured_at if isinstance(info.measured_at, str) else info.imported_at
    stamp = re.sub(r"[^\dT]", "", moment[:19])
    drive = info.drive.model if isinstance(info.drive.model, str) else "unknown-drive"
    name = "-".join([stamp, *(re.sub(r"\W+", "-", word).strip("-").lower() for word in (info.program, drive))])[:120]
    paths = (runs / (name if number == 1 else f"{name}-{number}") for number in range(1, 1000))
    return next(path for path in paths if not path.exists())
