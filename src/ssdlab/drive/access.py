"""How fio reaches a drive, and what a drive can be asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from ssdlab.drive.identity import DriveIdentity, Freshness
from ssdlab.errors import SsdlabError
from ssdlab.message import Message


class DriveError(SsdlabError):
    """The drive refused, went away, or may not be touched."""


class IoPath(Enum):
    """Which of fio's engines reaches the drive."""

    NBD = "nbd"
    FILE = "file"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class FioAddress:
    """Where fio finds the drive.

    Attributes:
        io_path: Kind of access; decides fio's engine and which options of METHODS 0 apply.
        location: The NBD URI, or the path of the file or device.
        cannot_poll: Why completions cannot be polled for; None where they can.
        descriptor: Of the file, held open, which fio is given in place of its path; None where fio opens the drive by its location.
        forced_location: The NBD URI through which the server forces every write, because fio's nbd engine cannot ask for it; None where
            there is no such export.
    """

    io_path: IoPath
    location: str
    cannot_poll: Message | None = None
    descriptor: int | None = None
    forced_location: str | None = None


@dataclass(frozen=True, slots=True)
class Purged:
    """Outcome of a purge."""

    freshness: Freshness
    method: Message
    """How it was done, for the record."""
    written_bytes: int = 0
    """By which it was proven: marks that had to be gone afterwards."""


class Drive(Protocol):
    """What is under test."""

    @property
    def identity(self) -> DriveIdentity:
        """What the drive says it is; asked once when it is opened."""

    @property
    def address(self) -> FioAddress:
        """Where fio finds it."""

    @property
    def spec_text(self) -> str | None:
        """Complete specification of a virtual drive; None for every other."""

    def check(self) -> None:
        """Make sure that it is still there and still the same drive.

        Raises:
            DriveError: It is gone or another one answers.
        """

    def purge(self) -> Purged:
        """Empty it.

        Raises:
            DriveError: It refused.
        """

    def said(self) -> Mapping[str, str]:
        """What the programs that know such drives print about it now, by the file it is to be kept in; often nothing."""

    def findings(self) -> tuple[Message, ...]:
        """What the drive itself has to say about how trustworthy the run was (a virtual drive: how late it answered)."""

    def close(self) -> None:
        """Let go of it; a drive made for the run disappears."""
