"""Is this host fit to measure? Looks at host, target and fio, and at what earlier runs left; changes nothing unless asked to restore."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ssdlab.drive import block_drives, restore
from ssdlab.drive.access import DriveError
from ssdlab.drive.activity_findings import activity_findings
from ssdlab.drive.ata_leftover import Freed, free_all
from ssdlab.drive.ata_password import PasswordNotes
from ssdlab.drive.block_drives import BlockDrive
from ssdlab.drive.block_node import marks_of
from ssdlab.drive.host_activity import Activity, between, counters
from ssdlab.drive.host_findings import HostFinding, Rights, Severity, Topic, state_findings
from ssdlab.drive.host_state import HostState, look
from ssdlab.drive.kernel import Kernel
from ssdlab.drive.restore import Age, Restoration
from ssdlab.drive.state_directory import state_directory
from ssdlab.drive.target import BlockTarget, FileTarget, ModelTarget, NbdTarget, Target, VirtualTarget, parse_target
from ssdlab.drive.target_findings import drive_findings, file_findings, virtual_findings
from ssdlab.drive.virtual import spec_identity
from ssdlab.engine.base import EngineError
from ssdlab.engine.fio_binary import SQPOLL_SINCE, FioBinary, find_fio
from ssdlab.lab.open import NO_BLOCK_DEVICE
from ssdlab.unknown import Unknown

_LOOK_S = 1.0
"""How long the host is watched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What was seen and what it means."""

    target: str | Unknown
    state: HostState
    activity: Activity
    fio: str | Unknown
    findings: tuple[HostFinding, ...]
    """The gravest first."""

    @property
    def misleading(self) -> tuple[HostFinding, ...]:
        """Those because of which one should not measure."""
        return tuple(one for one in self.findings if one.severity is Severity.MISLEADS)


def examine(text: str | Unknown, pause: Callable[[float], None] = time.sleep) -> Examination:
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
    return Examination(
        target=text,
        state=state,
        activity=activity,
        fio=fio.name if isinstance(fio, FioBinary) else fio,
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
        raise DriveError(f"what earlier runs noted in `{directory}` cannot be changed: {error.strerror}") from error


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
        record = one.record
        whose = f"a run on {record.device} of {record.at} (process {record.pid})"
        text, mend = (
            f"{whose} ended without putting the host back",
            "`ssdlab doctor --restore`; the next run does it too",
        )
        if one.age is Age.LIVE:
            text, mend = (
                f"{whose} is measuring on this host",
                "wait until it ends: two runs share processors and memory",
            )
        elif one.age is Age.EARLIER_BOOT:
            text, mend = f"{text}; the start of the kernel since then did", ""
        severity = Severity.NOTED if one.age is Age.EARLIER_BOOT else Severity.WARNS
        yield HostFinding(topic=Topic.LEFTOVER, severity=severity, text=text, mend=mend)
    for unread in unreadable:
        yield HostFinding(
            topic=Topic.LEFTOVER,
            severity=Severity.WARNS,
            text=f"`{unread.path}` cannot be read: {unread.reason}",
            mend="it says what a run had set; put that back by hand, then remove the file",
        )


def _passwords() -> Iterator[HostFinding]:
    """Drives that an interrupted erase left with a password lock themselves at their next power cycle."""
    for note in PasswordNotes(state_directory()).all():
        yield HostFinding(
            topic=Topic.PASSWORD,
            severity=Severity.WARNS,
            text=f"an erase of {note.model} (serial number {note.serial}, then `{note.device}`) was interrupted at {note.at}, "
            "and may have left it with a password",
            mend="`ssdlab doctor --restore`, with the drive connected",
        )


def _fio(target: Target | Unknown) -> FioBinary | Unknown:
    if isinstance(target, ModelTarget):
        return Unknown("not needed: `model:` measures without fio")
    try:
        return find_fio()
    except EngineError as error:
        return Unknown("; ".join((error.message, *error.hints)))


def _fio_findings(fio: FioBinary | Unknown, target: Target | Unknown) -> Iterator[HostFinding]:
    if isinstance(target, ModelTarget):
        return
    if isinstance(fio, Unknown):
        text, _, mend = fio.unknown.partition("; ")
        yield HostFinding(topic=Topic.FIO, severity=Severity.MISLEADS, text=text, mend=mend)
        return
    if isinstance(target, VirtualTarget | NbdTarget):
        if "nbd" not in fio.engines:
            yield HostFinding(
                topic=Topic.FIO,
                severity=Severity.MISLEADS,
                text=f"{fio.name} was built without its nbd engine, which reaches the drive",
                mend="on Fedora and Rocky install `fio-engine-nbd`; a fio built by hand needs `./configure --enable-libnbd`",
            )
    elif fio.version < SQPOLL_SINCE:
        yield HostFinding(
            topic=Topic.FIO,
            severity=Severity.WARNS,
            text=f"{fio.name} reports wrong latencies with `sqthread_poll`, which is dropped: each submission is a system call",
            mend=f"install fio {SQPOLL_SINCE} or newer",
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


def _drive(target: BlockTarget) -> BlockDrive:
    try:
        return block_drives.look(marks_of(target.path).name)
    except OSError as error:
        raise DriveError(f"`{target.path}` went away: {error.strerror}") from error
