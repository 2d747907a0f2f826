"""The record of what a run changed on the host: on the medium before the first change, gone after the last is undone.

Whoever tunes next, or asks for it, undoes what a killed run left. What the next start of the kernel undid by itself, what
another run still needs and what somebody else changed meanwhile is left alone, and said.
"""

import fcntl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePosixPath

from pydantic import TypeAdapter, ValidationError

from ssdlab.drive.host_settings import Knob
from ssdlab.drive.kernel import Kernel
from ssdlab.drive.state_directory import state_directory
from ssdlab.durable import sync_directory, write_durably
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
class Change:
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
class Record:
    """What one process changed.

    Attributes:
        process_started: As the kernel counts it, because process numbers are used again.
        device: Drive of the settings below `block/`, in sysfs.
        disk_sequence: Number the kernel gave that drive, because names are used again; unknown before Linux 5.15.
        at: UTC, ISO 8601.
    """

    boot_id: str
    pid: int
    process_started: str
    device: str
    disk_sequence: str | Unknown
    at: str
    changes: tuple[Change, ...]


_ADAPTER = TypeAdapter(Record)


class Back(Enum):
    """What became of a setting that was to be put back."""

    RESTORED = "restored"
    UNCHANGED = "is as it was"
    NEEDED = "left: another run needs it, and will put it back"
    CHANGED = "left: it was changed meanwhile by somebody else"
    GONE = "is gone with its drive"
    FAILED = "could not be restored"


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBack:
    """One setting after a run."""

    knob: Knob
    path: PurePosixPath
    before: str
    outcome: Back
    reason: str = ""
    """Of a failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restoration:
    """What one run had changed, and what became of it.

    Attributes:
        of: Whose changes, in words.
        settings: Empty if the kernel was started since, which undid them.
    """

    of: str
    settings: tuple[PutBack, ...]

    @property
    def failed(self) -> tuple[PutBack, ...]:
        """Those that still are as the run had set them."""
        return tuple(one for one in self.settings if one.outcome is Back.FAILED)


class Age(Enum):
    """Whether a record still means something."""

    LIVE = "its process runs"
    DEAD = "its process ended without undoing it"
    EARLIER_BOOT = "the kernel was started since"


@dataclass(frozen=True, slots=True)
class Found:
    """A record on disk."""

    path: Path
    record: Record
    age: Age


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file among the records that is none."""

    path: Path
    reason: str


def identity_of_process(kernel: Kernel, pid: int) -> str | None:
    """When a process started, in the kernel's count (proc(5), field 22 of `stat`); None if it does not run."""
    said = kernel.says(kernel.proc / str(pid) / "stat")
    return None if isinstance(said, Unknown) else said.rpartition(")")[2].split()[19]


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
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def find(kernel: Kernel, directory: Path) -> tuple[tuple[Found, ...], tuple[Unreadable, ...]]:
    """All records, the oldest first, and what cannot be read."""
    found: list[Found] = []
    unreadable: list[Unreadable] = []
    for path in directory.glob("*.json"):
        try:
            record = _ADAPTER.validate_json(path.read_bytes())
        except ValidationError as error:
            unreadable.append(Unreadable(path, str(error.errors()[0]["msg"])))
        except OSError as error:
            unreadable.append(Unreadable(path, error.strerror or str(error)))
        else:
            found.append(Found(path, record, _age(kernel, record)))
    return tuple(sorted(found, key=lambda one: one.record.at)), tuple(unreadable)


def _age(kernel: Kernel, record: Record) -> Age:
    if record.boot_id != boot_id(kernel):
        return Age.EARLIER_BOOT
    return Age.LIVE if identity_of_process(kernel, record.pid) == record.process_started else Age.DEAD


def write(directory: Path, record: Record) -> Path:
    """Put a record on the medium, its directories too.

    Raises:
        OSError: It cannot be written.
    """
    path = directory / f"{record.boot_id}-{record.pid}.json"
    write_durably(path, _ADAPTER.dump_json(record, indent=2) + b"\n")
    for above in (directory, *directory.parents[:2]):
        sync_directory(above)
    return path


def needed_by_others(found: tuple[Found, ...], own: Path | None) -> Mapping[PurePosixPath, Change]:
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


def put_back(kernel: Kernel, one: Found, found: tuple[Found, ...]) -> Restoration:
    """Undo one record, and remove it unless something failed; to be called with the lock held.

    Raises:
        OSError: The record cannot be removed.
    """
    record, needed = one.record, needed_by_others(found, one.path)
    settings: tuple[PutBack, ...] = ()
    if one.age is not Age.EARLIER_BOOT:
        settings = tuple(_put_back(kernel, record, change, needed) for change in record.changes)
    restoration = Restoration(of=f"the run of {record.at} on {record.device} (process {record.pid})", settings=settings)
    if not restoration.failed:
        one.path.unlink(missing_ok=True)
        sync_directory(one.path.parent)
    return restoration


def _put_back(kernel: Kernel, record: Record, change: Change, needed: Mapping[PurePosixPath, Change]) -> PutBack:
    outcome, reason = _outcome(kernel, record, change, needed)
    return PutBack(knob=change.knob, path=change.path, before=change.before, outcome=outcome, reason=reason)


def _outcome(
    kernel: Kernel, record: Record, change: Change, needed: Mapping[PurePosixPath, Change]
) -> tuple[Back, str]:
    if change.path in needed:
        return Back.NEEDED, ""
    if _is_gone(kernel, record, change):
        return Back.GONE, ""
    now = kernel.chosen(kernel.sysfs / change.path)
    if now not in {change.before, change.wanted}:
        return Back.CHANGED, ""
    try:
        if now == change.wanted:
            kernel.tell(kernel.sysfs / change.path, change.before)
        # Also where a run was stopped between the scheduler and what goes with it.
        for one in change.companions:
            if kernel.chosen(kernel.sysfs / one.path) != one.before:
                kernel.tell(kernel.sysfs / one.path, one.before)
    except OSError as error:
        return Back.FAILED, error.strerror or str(error)
    if kernel.chosen(kernel.sysfs / change.path) != change.before:
        return Back.FAILED, "the kernel accepted it and did not do it"
    return Back.UNCHANGED if now == change.before else Back.RESTORED, ""


def _is_gone(kernel: Kernel, record: Record, change: Change) -> bool:
    if not (kernel.sysfs / change.path).exists():
        return True
    return change.path.parts[0] == "block" and disk_sequence(kernel, record.device) != record.disk_sequence


def disk_sequence(kernel: Kernel, device: str) -> str | Unknown:
    """Number of a drive that no other gets until the kernel is started anew."""
    said = kernel.says(kernel.sysfs / "block" / device / "diskseq")
    return Unknown("the kernel does not count drives") if isinstance(said, Unknown) else said
