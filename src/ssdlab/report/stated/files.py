"""The files of stated facts beside the lab in which a run lies."""

import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from ssdlab import _core, os_errors
from ssdlab.bundle.model import RunInfo
from ssdlab.errors import SsdlabError
from ssdlab.figure.kit.stated import (
    Datasheet,
    DatasheetValue,
    Photo,
    Price,
    StatedBench,
    StatedDrive,
    StatedFacts,
)
from ssdlab.message import Message, message, number, verbatim
from ssdlab.method.faults import Fault, SuiteError, faulty_suite, line_of, schema_faults
from ssdlab.report.stated.photo import PHOTO_BYTES_MAX, photo_of
from ssdlab.report.stated.tables import BenchTable, DatasheetTable, DriveTable, StatedTable, UnusableFactError

RUNS, BENCH, DRIVES = "runs", "bench.toml", "drives"
_BYTES_MAX = 64 * 1024
_Path = tuple[str | int, ...]
_Table = TypeVar("_Table", bound=StatedTable)


def facts_beside(runs: Mapping[Path, tuple[Path, RunInfo]]) -> dict[Path, StatedFacts]:
    """What is stated of each run.

    Args:
        runs: By the path under which a run is shown, where it lies in its lab, and what it is a run of.

    Raises:
        SsdlabError: A file cannot be used: all its faults at once, each with its line.
    """
    read = _Files({}, {})
    return {shown: read.of_run(place, run) for shown, (place, run) in runs.items()}


@dataclass(frozen=True, slots=True)
class _Files:
    """Each file is read once, and drawn from for all runs."""

    benches: dict[Path, tuple[date | None, StatedBench] | None]
    drives: dict[Path, StatedDrive | None]

    def of_run(self, place: Path, run: RunInfo) -> StatedFacts:
        """The facts of a run: none where it lies in no lab."""
        above = place.resolve().parent
        if above.name != RUNS:
            return StatedFacts(None, None)
        lab = above.parent
        return StatedFacts(self._bench(lab / BENCH, run), self._drive(lab / DRIVES, run))

    def _bench(self, path: Path, run: RunInfo) -> StatedBench | None:
        if path not in self.benches:
            self.benches[path] = _bench(path)
        found = self.benches[path]
        if found is None:
            return None
        since, bench = found
        return None if since is not None and run.started_at[:10] < since.isoformat() else bench

    def _drive(self, directory: Path, run: RunInfo) -> StatedDrive | None:
        """By the names that are there, so that no serial number can lead elsewhere."""
        serial = run.drive.serial
        if not isinstance(serial, str) or not directory.is_dir():
            return None
        path = next((path for path in sorted(directory.glob("*.toml")) if path.stem == serial.strip()), None)
        if path is None:
            return None
        if path not in self.drives:
            self.drives[path] = _drive(path)
        return self.drives[path]


def _bench(path: Path) -> tuple[date | None, StatedBench] | None:
    if not path.is_file():
        return None
    table, _ = read_table(path, BenchTable)
    return table.since, StatedBench(**table.model_dump(exclude={"since"}))


def _drive(path: Path) -> StatedDrive:
    table, lines = read_table(path, DriveTable)
    return StatedDrive(
        drive_class=table.drive_class,
        controller=table.controller,
        flash=table.flash,
        heatsink=table.heatsink,
        purged_by=table.purged_by,
        price=None if table.price is None else Price(*table.price, table.paid_on),
        photo=None if table.photo is None else _photo(path, table.photo, line_of(("photo",), lines)),
        notes=table.notes,
        datasheet=None if table.datasheet is None else _datasheet(table.datasheet),
    )


def _datasheet(table: DatasheetTable) -> Datasheet:
    values = []
    for row in table.values:
        quantity, value = row.stated
        values.append(
            DatasheetValue(
                load=row.load,
                quantity=quantity,
                value=value,
                block_bytes=row.block_bytes,
                queue_depth=row.queue_depth,
                state=row.state,
                percentile=row.percentile,
            )
        )
    return Datasheet(source=table.source, endurance_bytes=table.endurance, values=tuple(values))


def _photo(beside: Path, name: str, line: int) -> Photo:
    """A file in the directory of the drives, and no other."""
    path = beside.parent / name
    if Path(name).name != name or path.is_symlink():
        raise faulty(beside, line, "photo", message("stated-photo-elsewhere"))
    try:
        return photo_of(_content(path, PHOTO_BYTES_MAX))
    except UnusableFactError as error:
        raise faulty(beside, line, "photo", error.message) from error


def read_table(path: Path, kind: type[_Table]) -> tuple[_Table, dict[_Path, int]]:
    """A small file of TOML, and the line of each of its keys.

    Raises:
        SsdlabError: It cannot be used: all its faults at once, each with its line.
    """
    try:
        text = _content(path, _BYTES_MAX).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise faulty(path, 1, "", message("stated-not-utf8")) from error
    except UnusableFactError as error:
        raise faulty(path, 1, "", error.message) from error
    lines, document = _document(path, text)
    try:
        return kind.model_validate(document), lines
    except ValidationError as error:
        raise faulty_suite(str(path), list(schema_faults(error, lines, kind))) from error


def _document(path: Path, text: str) -> tuple[dict[_Path, int], dict[str, Any]]:
    """The line of every key, and the values."""
    try:
        return {tuple(keys): line for keys, line in _core.toml_key_lines(text)}, tomllib.loads(text)
    except _core.TomlError as error:
        raise faulty(path, error.line, "", verbatim(error.message)) from error
    except (ValueError, RecursionError) as error:
        raise faulty(path, 1, "", verbatim(str(error))) from error


def faulty(path: Path, line: int, where: str, fault: Message) -> SuiteError:
    """What is wrong in one line of such a file."""
    return faulty_suite(str(path), [Fault(line, where or message("suite-syntax"), fault)])


def _content(path: Path, bytes_max: int) -> bytes:
    """All of a file.

    Raises:
        UnusableFactError: It is too long, or no ordinary file.
        SsdlabError: It cannot be read.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UnusableFactError(message("stated-no-file", path=str(path)))
        with path.open("rb") as file:
            content = file.read(bytes_max + 1)
    except OSError as error:
        raise SsdlabError(message("stated-cannot-be-read", path=str(path), why=os_errors.reason_of(error))) from error
    if len(content) > bytes_max:
        raise UnusableFactError(message("stated-too-long", most=number(bytes_max)))
    return content
