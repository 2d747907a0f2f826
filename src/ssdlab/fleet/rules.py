"""What the operator of a host allows: a file of that host, which alone decides which drives may be tested.

It says where the database and the store are, too: whoever has the database must not be able to say where a host writes.
"""

import os
import platform
import stat
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from ssdlab import os_errors
from ssdlab.errors import SsdlabError
from ssdlab.fleet.store.location import StoreLocation, store_location
from ssdlab.message import message
from ssdlab.report.stated.files import faulty, read_table
from ssdlab.report.stated.tables import StatedTable, UnusableFactError, Words
from ssdlab.units import UnitError, clipped, parse_bytes

_DRIVES_MAX = 1000
_SERIAL_MAX = 60


class Manner(Enum):
    """Whether runs of one host may go on at the same time."""

    QUIET = "quiet"
    """One at a time: nothing else of the fleet's on this host."""
    SHARED = "shared"
    """One a drive."""


@dataclass(frozen=True, slots=True)
class AllowedDrive:
    """A drive that may be tested, and all on it lost.

    Attributes:
        serial: What `--erase` takes for it.
        target: Where it is, as `ssdlab run` takes it; None of a block device, which is looked for.
        write_bytes_max: What the fleet may write to it over its life; None where there is no such limit.
    """

    serial: str
    target: str | None = None
    write_bytes_max: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRules:
    """The file."""

    name: str
    """Of the host, for people."""
    database: str
    store: StoreLocation
    state: Path
    """A directory of the agent's own."""
    manner: Manner
    drives: tuple[AllowedDrive, ...]

    def drive(self, serial: str) -> AllowedDrive | None:
        """The drive of that serial number, if it may be tested."""
        return next((drive for drive in self.drives if drive.serial == serial), None)


def _absolute(text: str) -> str:
    if not Path(text).is_absolute():
        raise UnusableFactError(message("fleet-rules-absolute"))
    return text


def _short(text: str) -> str:
    if len(text.encode()) > _SERIAL_MAX:
        raise UnusableFactError(message("fleet-rules-long-serial", most=_SERIAL_MAX))
    return text


def _size(value: object) -> int:
    if not isinstance(value, str):
        raise UnitError(
            message("unit-has-none", text=clipped(str(value))), message("unit-write-in-quotes", example="300 TB")
        )
    return parse_bytes(value)


def _store(value: object) -> StoreLocation:
    if not isinstance(value, str):
        raise UnusableFactError(message("fleet-store-where"))
    try:
        return store_location(value)
    except SsdlabError as error:
        raise UnusableFactError(error.message) from error


_Absolute = Annotated[Words, AfterValidator(_absolute)]


class _DriveTable(StatedTable):
    """`[[drive]]`."""

    serial: Annotated[Words, AfterValidator(_short)]
    target: Words | None = None
    max_write: Annotated[int, BeforeValidator(_size)] | None = None


class _RulesTable(StatedTable):
    """The whole file."""

    name: Words | None = None
    database: Words
    store: Annotated[StoreLocation, BeforeValidator(_store)]
    state: _Absolute = "/var/lib/ssdlab"
    runs: Annotated[Manner, Field(strict=False)] = Manner.SHARED
    drives: Annotated[tuple[_DriveTable, ...], Field(alias="drive", strict=False, max_length=_DRIVES_MAX)] = ()


def read_rules(path: Path) -> HostRules:
    """What the file says now.

    Raises:
        SsdlabError: It cannot be used, or others than root and the user of the agent may write it.
    """
    _require_own(path)
    table, _ = read_table(path, _RulesTable)
    drives = tuple(AllowedDrive(one.serial, one.target, one.max_write) for one in table.drives)
    twice = {drive.serial for drive in drives if sum(other.serial == drive.serial for other in drives) > 1}
    if twice:
        raise faulty(path, 1, "drive", message("fleet-rules-twice", serial=min(twice)))
    return HostRules(
        name=table.name or platform.node(),
        database=table.database,
        store=table.store,
        state=Path(table.state),
        manner=table.runs,
        drives=drives,
    )


def _require_own(path: Path) -> None:
    """Whoever may write the file may have drives erased.

    Raises:
        SsdlabError: That is not only root and the user of the agent.
    """
    try:
        found = path.stat()
    except OSError as error:
        raise os_errors.in_words(error, path) from error
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) or found.st_uid not in {0, os.geteuid()}:
        raise SsdlabError(
            message("fleet-rules-not-own", path=str(path)), message("fleet-rules-make-own", path=str(path))
        )
