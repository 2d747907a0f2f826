"""A run as the library knows it, and which runs may stand beside each other."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum

from ssdlab.units import format_bytes_decimal
from ssdlab.unknown import Unknown


class Nature(Enum):
    """Whether the numbers may be taken for a product's."""

    REAL = "real"
    VIRTUAL = "virtual"

    # Of a member there is one; that of Enum is a function of Python, and rankings ask for it a hundred thousand times.
    __hash__ = object.__hash__


class Comparability(Enum):
    """Whether the profile keeps to the published method."""

    COMPARABLE = "comparable"
    SCALED = "scaled"

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class DriveKey:
    """What makes two runs those of one drive: model, serial and capacity.

    A drive whose serial is unknown cannot be told from another of its model.
    """

    model: str
    serial: str | Unknown
    capacity_bytes: int | Unknown


@dataclass(frozen=True, slots=True)
class MethodKey:
    """What makes two numbers of one name the same quantity."""

    suite: str
    version: str
    sha256: str
    """Of the suite's text: an edited suite is another method, whatever it calls itself."""
    profile: str
    engine: str
    """`fio`, `model` or the program a result was imported from, without its version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One run of the library."""

    name: str
    """Of its directory, unique in the library."""
    started_at: str
    """ISO 8601; of an imported result when it was measured, or, where that is unknown, imported."""
    drive: DriveKey
    firmware: str | Unknown
    nature: Nature
    host: str | Unknown
    method: MethodKey
    scale: Comparability
    status: str
    checks: int
    """Of the audit, as far as there was something to check; 0 for a run that was never judged."""
    checks_failed: int
    damage: str
    """What of the bundle is damaged or missing; empty where nothing is."""

    @property
    def day(self) -> str:
        """The day it began, UTC."""
        return self.started_at[:10]

    @property
    def moment(self) -> datetime:
        """When it began."""
        moment = datetime.fromisoformat(self.started_at)
        # Other programs write the clock of their host and not its zone; a day more or less decides nothing here.
        return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def capacity_words(entry: Entry) -> str:
    """Such as `1.00 TB`."""
    capacity = entry.drive.capacity_bytes
    return "capacity unknown" if isinstance(capacity, Unknown) else format_bytes_decimal(capacity)
