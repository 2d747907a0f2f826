"""Making a bundle of another program's result."""

import hashlib
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from ssdlab import version
from ssdlab.analysis.audit.run import has_failed
from ssdlab.analysis.infer.fill_level import FillLevel, fill_level
from ssdlab.analysis.log.file import LogUnit
from ssdlab.bundle.imported import (
    IMPORT,
    IMPORT_SCHEMA,
    ForeignSetting,
    ImportedDrive,
    ImportInfo,
    Original,
    info_of_imported,
    write_imported,
)
from ssdlab.bundle.model import Check, Metric
from ssdlab.durable import sync_directory
from ssdlab.engine.base import EngineError
from ssdlab.job import DriveState
from ssdlab.library.failed_checks import FailedChecks, FailuresOfJobs
from ssdlab.library.foreign.readers import Source, read_foreign
from ssdlab.library.foreign.result import Foreign, ForeignError, ForeignNumber
from ssdlab.library.many_objects import without_collections
from ssdlab.message import Message, as_written, message
from ssdlab.place import require_directory
from ssdlab.scratch import Scratch, remove_left_behind
from ssdlab.unknown import Unknown

T = TypeVar("T")

_SYNCED_AT_ONCE = 8
"""Files of a bundle: most have four, and their directories."""

_STAGING = ".importing-"
"""What the names of directories begin with in which a bundle becomes whole."""

_NAME_BYTES_MAX = 120
"""File systems take 255, and a name may be sent on with more added to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenFacts:
    """What the importer knows and the file may lack."""

    model: str | None = None
    serial: str | None = None
    firmware: str | None = None
    capacity_bytes: int | None = None
    fill_percent: float | None = None
    log_unit: LogUnit | None = None
    """In what fio's logs have their latencies."""


class Imports:
    """The imported results of a lab, read once for as many as are taken in."""

    def __init__(self, lab: Path) -> None:
        """Look at what is there; what killed imports left goes.

        Raises:
            OSError: The lab cannot be read.
        """
        self.runs = lab / "runs"
        remove_left_behind(self.runs, _STAGING)
        self._by_originals = {
            _digests(info_of_imported(file.parent).originals): file.parent.name
            for file in sorted(self.runs.glob(f"[!.]*/{IMPORT}"))
        }
        self._numbers = Counter[str]()
        self.failed_checks = FailedChecks()
        """Of what has been taken in."""
        self.pool = ThreadPoolExecutor(_SYNCED_AT_ONCE)
        """Its threads are there for all of many files: to begin and end some for each takes a tenth of the time."""
        self._staging: Scratch | None = None

    def close(self) -> None:
        """End the threads, and remove what was only for a while."""
        self.pool.shutdown()
        if self._staging is not None:
            self._staging.close()

    @contextmanager
    def staging(self) -> Iterator[Path]:
        """A path at which a bundle becomes whole, and from which it is moved away; what stays there goes.

        Raises:
            OSError: The lab cannot be written to.
        """
        self._staging = self._staging or Scratch(self.runs, _STAGING)
        path = self._staging.path / "bundle"
        try:
            yield path
        except BaseException:
            shutil.rmtree(path, ignore_errors=True)
            raise

    def same(self, originals: tuple[Original, ...]) -> str | None:
        """The name of the result that has these files."""
        return self._by_originals.get(_digests(originals))

    def place(self, name: str) -> Path:
        """A path that nothing has yet."""
        while True:
            self._numbers[name] += 1
            number = self._numbers[name]
            path = self.runs / (name if number == 1 else f"{name}-{number}")
            if not path.exists():
                return path

    def add(self, path: Path, originals: tuple[Original, ...]) -> None:
        """Know a result that has been taken in."""
        self._by_originals[_digests(originals)] = path.name


def _digests(originals: tuple[Original, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((one.name, one.sha256) for one in originals)


def take_in(path: Path, lab: Path, told: GivenFacts, *logs: Path, there: Imports | None = None) -> Path:
    """Read a file, or fio's with its logs, and write a bundle with its numbers, its origin and itself; return where it is.

    Args:
        path: The file.
        lab: Where the bundle goes.
        told: What is known beside it.
        logs: Of fio's, of the same run.
        there: What the lab has, where several files are taken in after each other.

    Raises:
        ForeignError: The file cannot be read, or is in the library already.
        OSError: The lab cannot be written to.
    """
    with without_collections(), nullcontext(there) if there else closing(Imports(lab)) as known:
        try:
            return _taken_in(path, known, told, logs)
        except EngineError as error:
            raise ForeignError(error.message, *error.hints) from error


def _taken_in(path: Path, there: Imports, told: GivenFacts, logs: Sequence[Path]) -> Path:
    foreign, sources = read_foreign(path, *logs, log_unit=told.log_unit)
    originals = _originals(sources)
    require_directory(there.runs)
    there.runs.mkdir(parents=True, exist_ok=True)
    if (same := there.same(originals)) is not None:
        raise ForeignError(
            message("library-already-there", source=str(path), there=same),
            message("foreign-import-anew", there=str(there.runs / same)),
        )
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
        settings=tuple(ForeignSetting(name=name, text=text) for name, text in foreign.settings),
        cautions=foreign.cautions,
        originals=originals,
        ssdlab_version=version(),
    )
    state = _state(drive.fill_percent)
    failed, of_jobs = FailedChecks(), FailuresOfJobs()
    with there.staging() as whole:
        write_imported(
            whole,
            info,
            _metrics(foreign.numbers, state, of_jobs),
            _noting(foreign.audit, failed, of_jobs),
            [source.content.parts() for source in sources],
            there.pool,
        )
        target = there.place(_name(info))
        whole.rename(target)
        sync_directory(there.runs)
    there.add(target, originals)
    there.failed_checks.add_all(failed)
    return target


def _safe(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).lstrip(".") or "file"


def _originals(sources: Sequence[Source]) -> tuple[Original, ...]:
    """Each by a name of its own: files of several folders may share one."""
    taken: set[str] = set()
    made = []
    for source in sources:
        wanted = name = _safe(source.name)
        number = 1
        while name in taken:
            number += 1
            name = f"{number}-{wanted}"
        taken.add(name)
        made.append(_original(source, name))
    return tuple(made)


def _original(source: Source, name: str) -> Original:
    digest = hashlib.sha256()
    for part in source.content.parts():
        digest.update(part)
    return Original(name=name, sha256=digest.hexdigest(), size_bytes=source.content.size_bytes)


def _drive(path: Path, foreign: Foreign, told: GivenFacts) -> ImportedDrive:
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
    raise ForeignError(
        message("foreign-contradiction", path=str(path), what=what, said=str(said), told=str(told)),
        message("foreign-leave-option-out", what=what),
    )


def _state(fill_percent: float | Unknown) -> DriveState:
    """Only what METHODS C9 has a name for; every other fill level is said beside it."""
    full = fill_level(fill_percent) is FillLevel.THREE_QUARTERS
    return DriveState.THREE_QUARTERS_FULL if full else DriveState.UNKNOWN


def _noting(audit: Iterable[Check], failed: FailedChecks, of_jobs: FailuresOfJobs) -> Iterator[Check]:
    """All checks; those that failed are remembered as they go by."""
    for check in audit:
        if has_failed(check):
            failed.add(check)
            of_jobs.add(check)
        yield check


def _metrics(numbers: Sequence[ForeignNumber], state: DriveState, of_jobs: FailuresOfJobs) -> Iterator[Metric]:
    """The numbers, each with the names of the checks that its job failed; all of them have gone by when the first is asked for."""
    for number in numbers:
        yield Metric(
            key=number.key,
            value=number.value,
            unit=number.unit,
            state=state,
            step=number.key.point.step,
            note=_remark(number.note),
            failed_checks=of_jobs.names(number.subject),
        )


def _remark(note: str | Message) -> Message | None:
    return note if isinstance(note, Message) else as_written(note) if note else None


def _name(info: ImportInfo) -> str:
    moment = info.measured_at if isinstance(info.measured_at, str) else info.imported_at
    stamp = re.sub(r"[^\dT]", "", moment[:19])
    drive = info.drive.model if isinstance(info.drive.model, str) else "unknown-drive"
    name = "-".join([stamp, *(re.sub(r"\W+", "-", word).strip("-").lower() for word in (info.program, drive))])
    return name.encode()[:_NAME_BYTES_MAX].decode(errors="ignore")
