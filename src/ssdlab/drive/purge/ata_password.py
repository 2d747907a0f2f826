"""The password without which an ATA drive does not erase itself, and the promise that no drive is left with it.

SECURITY ERASE UNIT is refused unless a user password is set, and a drive with one locks itself at its next power cycle.
The password is always the same, and that it is set is on the medium before the drive is told, so that whoever comes
next, after a kill or a power cut too, can take it off again.
"""

import fcntl
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from pydantic import TypeAdapter, ValidationError

from ssdlab.drive.access import DriveError
from ssdlab.drive.block.answers import read_hdparm
from ssdlab.drive.details import AtaSecurity
from ssdlab.drive.tool import ask, tell
from ssdlab.durable import sync_directory, write_durably
from ssdlab.message import Message, message
from ssdlab.os_errors import reason_of
from ssdlab.unknown import Unknown

PASSWORD = "ssdlab"  # noqa: S105 - public on purpose: it keeps nobody out, and anybody can take it off
"""The user password of every drive during its erase."""


_ANSWER_LIMIT_S = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordNote:
    """That a drive has our password, or may have it.

    Attributes:
        device: Its device file at that time.
        at: UTC, ISO 8601.
    """

    model: str
    serial: str
    device: str
    at: str


_ADAPTER = TypeAdapter(PasswordNote)


class PasswordNotes:
    """The notes on this host, one file a drive."""

    def __init__(self, state: Path) -> None:
        """Keep them below the state directory."""
        self._directory = state / "ata-passwords"

    @contextmanager
    def kept(self, model: str, serial: str, device: Path) -> Iterator[None]:
        """Note it durably, before the drive gets its password, and show others that we are at it until the end of the block.

        Raises:
            DriveError: It cannot be written, so the drive must not get one.
        """
        try:
            self._write(model, serial, device)
        except OSError as error:
            raise DriveError(
                message(
                    "drive-password-not-noted",
                    path=str(device),
                    directory=str(self._directory),
                    error=reason_of(error),
                ),
                message("drive-make-room"),
            ) from error
        with self._path(serial).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _write(self, model: str, serial: str, device: Path) -> None:
        note = PasswordNote(
            model=model, serial=serial, device=str(device), at=datetime.now(UTC).isoformat(timespec="seconds")
        )
        self._directory.mkdir(parents=True, exist_ok=True)
        write_durably(self._path(serial), _ADAPTER.dump_json(note, indent=2) + b"\n")
        for above in self._directory.parents[:2]:
            sync_directory(above)

    def forget(self, serial: str) -> None:
        """The drive was seen without a password."""
        path = self._path(serial)
        if path.exists():
            path.unlink()
            sync_directory(self._directory)

    def of(self, serial: str) -> PasswordNote | Unknown | None:
        """The note on one drive; None if there is none."""
        path = self._path(serial)
        if not path.exists():
            return None
        try:
            return _ADAPTER.validate_json(path.read_bytes())
        except (OSError, ValidationError) as error:
            return Unknown(message("unknown-path-unreadable", path=str(path), error=str(error)))

    def all(self) -> tuple[PasswordNote, ...]:
        """Every drive that an interrupted erase may have left with our password; not those that are being erased now."""
        found = (_note(path) for path in sorted(self._directory.glob("*.json")))
        return tuple(note for note in found if note is not None)

    def _path(self, serial: str) -> Path:
        return self._directory / f"{quote(serial, safe='')}.json"


def _note(path: Path) -> PasswordNote | None:
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return _ADAPTER.validate_json(file.read())
    except (OSError, ValidationError):
        return None


def security_of(device: Path, limit_s: int = _ANSWER_LIMIT_S) -> AtaSecurity:
    """What the drive says now.

    Args:
        device: Its device file.
        limit_s: How long to wait for it; a drive that is erasing answers when it has done so.

    Raises:
        DriveError: It does not say.
    """
    answer = ask("hdparm", "-I", str(device), limit_s=limit_s)
    security = answer if isinstance(answer, Unknown) else read_hdparm(answer.text)
    if isinstance(security, Unknown):
        raise DriveError(message("drive-security-unknown", path=str(device), why=security.reason))
    return security


def take_off(device: Path, limit_s: int = _ANSWER_LIMIT_S) -> None:
    """Unlock the drive and take our password off, unless it has none; signals wait until that is done.

    Args:
        device: Its device file.
        limit_s: How long it may go on with an erase before it answers.

    Raises:
        DriveError: It still has one, or does not say.
    """
    found = security_of(device, limit_s)
    if found.enabled != "enabled":
        return
    try:
        with _signals_wait():
            if found.locked == "locked":
                tell("hdparm", "--user-master", "u", "--security-unlock", PASSWORD, str(device))
            tell("hdparm", "--user-master", "u", "--security-disable", PASSWORD, str(device))
            found = security_of(device)
    except DriveError as error:
        raise _still_there(device, error.message) from error
    if found.enabled == "enabled":
        raise _still_there(device, message("drive-password-still"))


def _still_there(device: Path, why: Message) -> DriveError:
    """The error of a drive that keeps its password, with the way out by hand."""
    stays = message("drive-password-stays", path=str(device), password=PASSWORD, why=why)
    return DriveError(stays, *by_hand(device))


def by_hand(device: Path | str) -> tuple[Message, ...]:
    """What to type to take the password off, once the reason why it could not be is gone."""
    return (
        message("drive-unlock-by", password=PASSWORD, path=str(device)),
        message("drive-disable-by", password=PASSWORD, path=str(device)),
        message("drive-thaw"),
    )


@contextmanager
def _signals_wait() -> Iterator[None]:
    """Keep Ctrl-C, SIGTERM and SIGHUP from us and from the programs we start, which inherit it, for some seconds."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
