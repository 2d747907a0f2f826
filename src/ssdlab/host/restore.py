"""The record of what a run changed on the host: on the medium before the first change, gone after the last is undone.

Whoever tunes next, or asks for it, undoes what a killed run left. What the next start of the kernel undid by itself, what
another run still needs and what somebody else changed meanwhile is left alone, and said.
"""

import errno
import fcntl
import os
import re
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from pydantic import TypeAdapter, ValidationError

from ssdlab.durable import sync_directory, write_durably
from ssdlab.host.kernel import Kernel
from ssdlab.host.settings import Knob, is_companion, is_setting, queue_of
from ssdlab.host.state_directory import state_directory
from ssdlab.message import Message, message, verbatim
from ssdlab.message_json import MessageField, Remark
from ssdlab.unknown import Unknown


def restore_directory() -> Path:
    """Where the records are."""
    return state_directory() / "restore"


@dataclass(frozen=True, slots=True)
class Companion:
    """A setting that the kernel resets when the one it belongs to changes."""

    path: PurePosixPath
    before: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingChange:
    """One setting that a run changes.

    Attributes:
        path: Below sysfs.
        before: To be put back.
        wanted: What the run sets.
    """

    knob: Knob
    path: PurePosixPath
    before: str
    wanted: str
    companions: tuple[Companion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreRecord:
    """What one process changed.

    Attributes:
        device: Drive of the settings below `block/`, in sysfs.
        queue_inode: Number of the directory of its queue, because names are used again: no other gets it until the kernel is
            started anew, and a loop device keeps it, with its settings, when its file is taken off.
        at: UTC, ISO 8601.
    """

    boot_id: str
    pid: int
    device: str
    queue_inode: int | Unknown
    at: str
    changes: tuple[SettingChange, ...]


_ADAPTER = TypeAdapter(RestoreRecord)


class UntrustedRecordError(PermissionError):
    """A record, or the place of records, that somebody else may have written.

    Attributes:
        why: What shows it.
    """

    def __init__(self, why: Message) -> None:
        super().__init__(errno.EPERM, str(why))
        self.why = why


def reason_of(error: OSError) -> Message:
    """Why a record cannot be used."""
    return error.why if isinstance(error, UntrustedRecordError) else verbatim(error.strerror or str(error))


class Back(Enum):
    """What became of a setting that was to be put back."""

    RESTORED = "restored"
    UNCHANGED = "is as it was"
    NEEDED = "left: another run needs it, and will put it back"
    CHANGED = "left: it was changed meanwhile by somebody else"
    GONE = "is gone with its drive"
    FAILED = "could not be restored"

    @property
    def words(self) -> Message:
        """For a reader."""
        match self:
            case Back.RESTORED:
                return message("host-back-restored")
            case Back.UNCHANGED:
                return message("host-back-unchanged")
            case Back.NEEDED:
                return message("host-back-needed")
            case Back.CHANGED:
                return message("host-back-changed")
            case Back.GONE:
                return message("host-back-gone")
            case Back.FAILED:
                return message("host-back-failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBack:
    """One setting after a run."""

    knob: Knob
    path: PurePosixPath
    before: str
    outcome: Back
    reason: Remark = None
    """Of a failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restoration:
    """What one run had changed, and what became of it.

    Attributes:
        of: Whose changes.
        settings: Empty if the kernel was started since, which undid them.
    """

    of: MessageField
    settings: tuple[PutBack, ...]

    @property
    def failed(self) -> tuple[PutBack, ...]:
        """Those that still are as the run had set them."""
        return tuple(one for one in self.settings if one.outcome is Back.FAILED)


@dataclass(frozen=True, slots=True)
class HeldRecord:
    """A record of a run that goes on: its file is locked until it is closed, which the kernel does for whoever is killed.

    A process number would not do: in containers others have the same, and who is dead keeps it until somebody asks after him.
    """

    path: Path
    file: BinaryIO


class Age(Enum):
    """Whether a record still means something."""

    LIVE = "its process runs"
    DEAD = "its process ended without undoing it"
    EARLIER_BOOT = "the kernel was started since"


@dataclass(frozen=True, slots=True)
class FoundRecord:
    """A record on disk."""

    path: Path
    record: RestoreRecord
    age: Age


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file among the records that is none."""

    path: Path
    reason: Message


def boot_id(kernel: Kernel) -> str:
    """Random number of this start of the kernel."""
    said = kernel.says(kernel.proc / "sys/kernel/random/boot_id")
    return "unknown" if isinstance(said, Unknown) else said


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Nobody else looks at the records or changes settings meanwhile.

    Raises:
        OSError: The directory cannot be made or written to.
    """
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_ours_alone(directory.lstat()):
        raise UntrustedRecordError(message("host-record-others-write"))
    with (directory / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def find(kernel: Kernel, directory: Path) -> tuple[tuple[FoundRecord, ...], tuple[Unreadable, ...]]:
    """All records, the oldest first, and what cannot be read."""
    found: list[FoundRecord] = []
    unreadable: list[Unreadable] = []
    for path in directory.glob("*.json"):
        try:
            with open(path, "rb", opener=_no_link) as file:
                found.append(_found(kernel, path, file))
        except ValidationError as error:
            unreadable.append(Unreadable(path, verbatim(str(error.errors()[0]["msg"]))))
        except OSError as error:
            unreadable.append(Unreadable(path, reason_of(error)))
    return tuple(sorted(found, key=lambda one: one.record.at)), tuple(unreadable)


def _no_link(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _found(kernel: Kernel, path: Path, file: BinaryIO) -> FoundRecord:
    """Read one record; root writes where it says, so nobody else may have written it, and it may name nothing but settings of ours."""
    if not (_is_ours_alone(os.fstat(file.fileno())) and _is_ours_alone(path.parent.lstat())):
        raise UntrustedRecordError(message("host-record-others-write"))
    record = _ADAPTER.validate_json(file.read())
    if not all(_is_own(change, record.device) for change in record.changes):
        raise UntrustedRecordError(message("host-record-foreign"))
    if record.boot_id != boot_id(kernel):
        return FoundRecord(path, record, Age.EARLIER_BOOT)
    return FoundRecord(path, record, Age.LIVE if _is_locked(file) else Age.DEAD)


def _is_ours_alone(status: os.stat_result) -> bool:
    writable = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return status.st_uid in {0, os.geteuid()} and not writable and not stat.S_ISLNK(status.st_mode)


def _is_own(change: SettingChange, device: str) -> bool:
    named = [one.path for one in change.companions]
    said = [change.before, change.wanted, *(one.before for one in change.companions)]
    return (
        is_setting(change.knob, change.path, device)
        and all(is_companion(path, device) for path in named)
        and all(re.fullmatch(r"[\w-]+", value) for value in said)
        and "/" not in device
        and ".." not in device
    )


def _is_locked(file: BinaryIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def write(directory: Path, record: RestoreRecord) -> HeldRecord:
    """Put a record on the medium, its directories too, and hold it.

    Raises:
        OSError: It cannot be written.
    """
    path = directory / f"{record.boot_id}-{record.pid}-{secrets.token_hex(4)}.json"
    write_durably(path, _ADAPTER.dump_json(record, indent=2) + b"\n")
    path.chmod(0o600)
    for above in (directory, *directory.parents[:2]):
        sync_directory(above)
    file = path.open("rb")
    fcntl.flock(file, fcntl.LOCK_EX)
    return HeldRecord(path, file)


def needed_by_others(found: tuple[FoundRecord, ...], own: Path | None) -> Mapping[PurePosixPath, SettingChange]:
    """What running processes hold changed, with what it was before the first of them."""
    return {
        change.path: change
        for one in reversed(found)
        if one.age is Age.LIVE and one.path != own
        for change in one.record.changes
    }


def put_back_stale(kernel: Kernel, directory: Path) -> tuple[Restoration, ...]:
    """Undo what ended runs left behind; to be called with the lock held.

    Raises:
        OSError: A record cannot be removed.
    """
    found, _ = find(kernel, directory)
    return tuple(put_back(kernel, one, found) for one in found if one.age is not Age.LIVE)


def put_back(kernel: Kernel, one: FoundRecord, found: tuple[FoundRecord, ...]) -> Restoration:
    """Undo one record, and remove it unless something failed; to be called with the lock held.

    Raises:
        OSError: The record cannot be removed.
    """
    record, needed = one.record, needed_by_others(found, one.path)
    settings: tuple[PutBack, ...] = ()
    if one.age is not Age.EARLIER_BOOT:
        settings = tuple(_put_back(kernel, record, change, needed) for change in record.changes)
    of = message("host-run", at=record.at, device=record.device, process=record.pid)
    restoration = Restoration(of=of, settings=settings)
    if not restoration.failed:
        one.path.unlink(missing_ok=True)
        sync_directory(one.path.parent)
    return restoration


def _put_back(
    kernel: Kernel, record: RestoreRecord, change: SettingChange, needed: Mapping[PurePosixPath, SettingChange]
) -> PutBack:
    outcome, reason = _outcome(kernel, record, change, needed)
    return PutBack(knob=change.knob, path=change.path, before=change.before, outcome=outcome, reason=reason)


def _outcome(
    kernel: Kernel, record: RestoreRecord, change: SettingChange, needed: Mapping[PurePosixPath, SettingChange]
) -> tuple[Back, Message | None]:
    if change.path in needed:
        return Back.NEEDED, None
    if _is_gone(kernel, record, change):
        return Back.GONE, None
    now = kernel.chosen(kernel.sysfs / change.path)
    if now not in {change.before, change.wanted}:
        return Back.CHANGED, None
    try:
        if now == change.wanted:
            kernel.tell(kernel.sysfs / change.path, change.before)
        # Also where a run was stopped between the scheduler and what goes with it.
        for one in change.companions:
            if kernel.chosen(kernel.sysfs / one.path) != one.before:
                kernel.tell(kernel.sysfs / one.path, one.before)
    except OSError as error:
        return Back.FAILED, reason_of(error)
    if kernel.chosen(kernel.sysfs / change.path) != change.before:
        return Back.FAILED, message("host-not-accepted")
    return Back.UNCHANGED if now == change.before else Back.RESTORED, None


def _is_gone(kernel: Kernel, record: RestoreRecord, change: SettingChange) -> bool:
    if not (kernel.sysfs / change.path).exists():
        return True
    return change.path.parts[0] == "block" and queue_inode(kernel, record.device) != record.queue_inode


def queue_inode(kernel: Kernel, device: str) -> int | Unknown:
    """Number of the directory of a drive's queue."""
    try:
        return (kernel.sysfs / queue_of(device)).stat().st_ino
    except OSError as error:
        return Unknown(message("unknown-no-queue", error=str(error.strerror)))
