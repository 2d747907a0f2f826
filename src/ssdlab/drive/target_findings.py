"""What speaks against measuring one target: who uses a drive and how it is, the file system below a file, room for a virtual drive."""

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from ssdlab.drive.block_drives import BlockDrive
from ssdlab.drive.file import FileDrive
from ssdlab.drive.guard import Weight, mends
from ssdlab.drive.host_activity import Activity
from ssdlab.drive.host_findings import HostFinding, Severity, Topic
from ssdlab.drive.kernel import Kernel
from ssdlab.drive.target import FileTarget
from ssdlab.units import format_bytes
from ssdlab.unknown import Unknown

_IN_MEMORY = {"tmpfs", "ramfs"}
_CACHING = {"zfs", "fuse", "overlay", "nfs", "nfs4", "9p", "virtiofs"}


def drive_findings(drive: BlockDrive) -> Iterator[HostFinding]:
    """Who uses a block device, and whether it says that it is well."""
    if not drive.capacity_bytes:
        yield HostFinding(topic=Topic.GUARD, severity=Severity.MISLEADS, text=f"`{drive.path}` has no medium")
    forbidding = tuple(one for one in drive.findings if one.weight is Weight.FORBIDS)
    for one in forbidding:
        yield HostFinding(
            topic=Topic.GUARD,
            severity=Severity.MISLEADS,
            text=f"it may not be tested: {one.text}",
            mend="; ".join(mends((one,))),
        )
    health = drive.details.health
    warnings = health if isinstance(health, Unknown) else health.warnings
    if isinstance(warnings, str) and warnings != "none":
        yield HostFinding(
            topic=Topic.HEALTH,
            severity=Severity.MISLEADS,
            text=f"the drive warns: {warnings}",
            mend="what it measures is a drive in trouble; `nvme smart-log` or `smartctl -a` tells more",
        )


def file_findings(kernel: Kernel, target: FileTarget) -> Iterator[HostFinding]:
    """Whether a file there would be written to, and read from, the drive below.

    Raises:
        DriveError: The file exists, the directory does not, or there is no room.
    """
    place = target.path if target.path.is_dir() else target.path.parent
    identity = FileDrive.foreseen(f"file:{target.path}", target)
    free_bytes = shutil.disk_usage(place).free
    yield HostFinding(
        topic=Topic.SPACE,
        severity=Severity.NOTED,
        text=f"the file would be {format_bytes(identity.capacity_bytes)} of {format_bytes(free_bytes)} that are free",
    )
    kind = file_system_of(kernel, place.resolve())
    if kind in _IN_MEMORY:
        yield HostFinding(
            topic=Topic.FILE_SYSTEM,
            severity=Severity.MISLEADS,
            text=f"the file system is {kind}, which is memory and no drive",
            mend="name a directory on a drive",
        )
    elif kind in _CACHING:
        yield HostFinding(
            topic=Topic.FILE_SYSTEM,
            severity=Severity.WARNS,
            text=f"the file system is {kind}, which may keep or change data on their way to a drive",
            mend="name a directory on ext4 or XFS",
        )
    yield from _direct(place)


def _direct(place: Path) -> Iterator[HostFinding]:
    """A file without a name is opened past the page cache, and is gone when it is closed."""
    try:
        os.close(os.open(place, os.O_TMPFILE | os.O_RDWR | os.O_DIRECT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        cannot = error.errno in {errno.EINVAL, errno.EOPNOTSUPP}
        yield HostFinding(
            topic=Topic.FILE_SYSTEM,
            severity=Severity.MISLEADS if error.errno == errno.EINVAL else Severity.WARNS,
            text=f"a file in {place} cannot be opened past the page cache: {error.strerror}",
            mend="name a directory on a file system that can, such as ext4 or XFS"
            if cannot
            else "name a directory you may write to",
        )


def file_system_of(kernel: Kernel, place: Path) -> str | Unknown:
    """Type of the file system that holds a directory, from mountinfo (proc(5)): of several mounts there the last one covers it."""
    said = kernel.says(kernel.proc / "self/mountinfo")
    if isinstance(said, Unknown):
        return said
    found: dict[Path, str] = {}
    for line in said.splitlines():
        fields, _, rest = line.partition(" - ")
        found[Path(fields.split()[4].replace("\\040", " "))] = rest.split()[0]
    holding = [path for path in (place, *place.parents) if path in found]
    return found[holding[0]] if holding else Unknown(f"no mount holds `{place}`")


def virtual_findings(capacity_bytes: int, activity: Activity, cpu_count: int) -> Iterator[HostFinding]:
    """Whether a virtual drive in real time can keep up, and whether what is written to it fits into memory."""
    if cpu_count == 1:
        yield HostFinding(
            topic=Topic.CPU_BUSY,
            severity=Severity.WARNS,
            text="there is one processor, which fio and the virtual drive's server would share",
            mend="measure `model:` instead of `virtual:`, in virtual time",
        )
    free_bytes = activity.memory_available_bytes
    if not isinstance(free_bytes, Unknown) and capacity_bytes > free_bytes:
        yield HostFinding(
            topic=Topic.MEMORY,
            severity=Severity.WARNS,
            text=f"the drive keeps what is written in memory, up to {format_bytes(capacity_bytes)}; {format_bytes(free_bytes)} "
            "are available",
            mend="make it smaller (`?capacity=4GiB`), or write less to it",
        )
