"""Is this host fit to measure? Looks at host, target and fio, and at what earlier runs left; changes nothing unless asked to restore."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ssdlab.drive.access import DriveError
from ssdlab.drive.block import inventory as block_drives
from ssdlab.drive.block.inventory import BlockDrive
from ssdlab.drive.block.node import marks_of
from ssdlab.drive.kinds.virtual import spec_identity
from ssdlab.drive.purge.ata_leftover import Freed, free_all
from ssdlab.drive.purge.ata_password import PasswordNotes
from ssdlab.drive.target import BlockTarget, FileTarget, ModelTarget, NbdTarget, Target, VirtualTarget, parse_target
from ssdlab.engine.base import EngineError
from ssdlab.engine.fio.binary import SQPOLL_SINCE, FioBinary, find_fio
from ssdlab.host import restore
from ssdlab.host.activity import Activity, between, counters
from ssdlab.host.activity_findings import activity_findings
from ssdlab.host.findings import HostFinding, Rights, Severity, Topic, state_findings
from ssdlab.host.kernel import Kernel
from ssdlab.host.restore import Age, FoundRecord, Restoration
from ssdlab.host.state import HostState, look
from ssdlab.host.state_directory import state_directory
from ssdlab.lab.bench import NO_BLOCK_DEVICE
from ssdlab.lab.target_findings import drive_findings, file_findings, virtual_findings
from ssdlab.message import listed, message, semicolons
from ssdlab.unknown import Unknown

_LOOK_S = 1.0
"""How long the host is watched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostExamination:
    """What was seen and what it means."""

    target: str | Unknown
    state: HostState
    activity: Activity
    fio: str | Unknown
    findings: tuple[HostFinding, ...]
    """The gravest first."""

    @property
    def errors(self) -> tuple[HostFinding, ...]:
        """Those because of which one should not measure."""
        return tuple(one for one in self.findings if one.severity is Severity.ERROR)


def examine(text: str | Unknown, pause: Callable[[float], None] = time.sleep) -> HostExamination:
    """Look at the host, and at a target if one is named; nothing is changed or written, no run is needed.

    Args:
        text: The target as the user named it.
        pause: Waits while the kernel counts what else goes on.

    Raises:
        DriveError: The target is unknown, or what it names is not there.
    """
    kernel = Kernel()
    target = text if isinstance(text, Unknown) else parse_target(text)
    state = look(_device(target), kernel)
    directory = _directory(kernel, target)
    before = counters(kernel, directory)
    pause(_LOOK_S)
    activity = between(kernel, before, counters(kernel, directory))
    fio = _fio(target)
    findings = (
        *_leftovers(kernel),
        *_passwords(),
        *(() if isinstance(target, ModelTarget) else _host_findings(state, activity)),
        *_fio_findings(fio, target),
        *_target_findings(kernel, target, activity),
    )
    return HostExamination(
        target=text,
        state=state,
        activity=activity,
        fio=_fio_name(fio),
        findings=tuple(sorted(findings, key=lambda one: list(Severity).index(one.severity))),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What was done about what ended runs left behind."""

    hosts: tuple[Restoration, ...]
    drives: tuple[Freed, ...]
    """Those that may have had the password of an interrupted erase."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left."""
        return not any(one.failed for one in self.hosts) and all(one.left is None for one in self.drives)


def put_back() -> Undone:
    """Undo what ended runs left set on this host, and take their passwords off drives.

    Raises:
        DriveError: The records of what they set cannot be read or removed.
    """
    directory = restore.restore_directory()
    hosts = _put_back_hosts(directory) if directory.exists() else ()
    return Undone(hosts=hosts, drives=free_all(state_directory()))


def _put_back_hosts(directory: Path) -> tuple[Restoration, ...]:
    try:
        with restore.locked(directory):
            return restore.put_back_stale(Kernel(), directory)
    except OSError as error:
        stuck = message("doctor-records-stuck", directory=str(directory), error=str(error.strerror))
        raise DriveError(stuck) from error


def _device(target: Target | Unknown) -> str | Unknown:
    if isinstance(target, Unknown):
        return target
    return marks_of(target.path).name if isinstance(target, BlockTarget) else NO_BLOCK_DEVICE


def _directory(kernel: Kernel, target: Target | Unknown) -> Path | Unknown:
    """Of the drive in sysfs; whoever has a file system has I/O on it, so a file's drive is not watched."""
    device = _device(target)
    return device if isinstance(device, Unknown) else kernel.sysfs / "block" / device


def _host_findings(state: HostState, activity: Activity) -> Iterator[HostFinding]:
    """In virtual time none of it matters."""
    yield from state_findings(state, Rights.ROOT if os.geteuid() == 0 else Rights.USER)
    yield from activity_findings(activity)


def _leftovers(kernel: Kernel) -> Iterator[HostFinding]:
    found, unreadable = restore.find(kernel, restore.restore_directory())
    for one in found:
        yield _leftover(one)
    for unread in unreadable:
        yield HostFinding(
            topic=Topic.LEFTOVER,
            severity=Severity.WARNING,
            message=message("doctor-record-unreadable", path=str(unread.path), why=unread.reason),
            remedy=message("doctor-remedy-record"),
        )


def _leftover(found: FoundRecord) -> HostFinding:
    record = found.record
    run = message("doctor-run", device=record.device, at=record.at, process=record.pid)
    match found.age:
        case Age.LIVE:
            told, remedy = message("doctor-run-live", run=run), message("doctor-remedy-wait")
        case Age.DEAD:
            told, remedy = message("doctor-run-left-host", run=run), message("doctor-remedy-restore")
        case Age.EARLIER_BOOT:
            undone = message("doctor-run-undone-by-start", run=run)
            return HostFinding(topic=Topic.LEFTOVER, severity=Severity.INFO, message=undone)
    return HostFinding(topic=Topic.LEFTOVER, severity=Severity.WARNING, message=told, remedy=remedy)


def _passwords() -> Iterator[HostFinding]:
    """Drives that an interrupted erase left with a password lock themselves at their next power cycle."""
    for note in PasswordNotes(state_directory()).all():
        yield HostFinding(
            topic=Topic.PASSWORD,
            severity=Severity.WARNING,
            message=message("doctor-password", model=note.model, serial=note.serial, device=note.device, at=note.at),
            remedy=message("doctor-remedy-password"),
        )


def _fio(target: Target | Unknown) -> FioBinary | EngineError | None:
    """None where none is needed: virtual time has no fio."""
    if isinstance(target, ModelTarget):
        return None
    try:
        return find_fio()
    except EngineError as error:
        return error


def _fio_name(fio: FioBinary | EngineError | None) -> str | Unknown:
    match fio:
        case None:
            return Unknown(message("unknown-fio-not-needed"))
        case EngineError():
            return Unknown(listed(semicolons(fio.message, *fio.hints)))
        case FioBinary():
            return fio.name


def _fio_findings(fio: FioBinary | EngineError | None, target: Target | Unknown) -> Iterator[HostFinding]:
    if fio is None:
        return
    if isinstance(fio, EngineError):
        remedy = listed(semicolons(*fio.hints)) if fio.hints else None
        yield HostFinding(topic=Topic.FIO, severity=Severity.ERROR, message=fio.message, remedy=remedy)
        return
    if isinstance(target, VirtualTarget | NbdTarget):
        if "nbd" not in fio.engines:
            yield HostFinding(
                topic=Topic.FIO,
                severity=Severity.ERROR,
                message=message("doctor-fio-no-nbd", fio=fio.name),
                remedy=message("doctor-remedy-fio-nbd"),
            )
    elif fio.version < SQPOLL_SINCE:
        yield HostFinding(
            topic=Topic.FIO,
            severity=Severity.WARNING,
            message=message("doctor-fio-sqpoll", fio=fio.name),
            remedy=message("doctor-remedy-fio-newer", version=str(SQPOLL_SINCE)),
        )


def _target_findings(kernel: Kernel, target: Target | Unknown, activity: Activity) -> Iterator[HostFinding]:
    match target:
        case BlockTarget():
            yield from drive_findings(_drive(target))
        case FileTarget():
            yield from file_findings(kernel, target)
        case VirtualTarget():
            capacity_bytes = spec_identity("", target.spec).capacity_bytes
            yield from virtual_findings(capacity_bytes, activity, os.cpu_count() or 1)
        case ModelTarget() | NbdTarget() | Unknown():
            # The model takes no time of this host; of an export, and of no target, nothing more is known.
            return


def _drive(target: BlockTarget) -> BlockDrive:
    try:
        return block_drives.look(marks_of(target.path).name)
    except OSError as error:
        raise DriveError(message("drive-gone", path=str(target.path), error=str(error.strerror))) from error
