"""What speaks against measuring one target: who uses a drive and how it is, the file system below a file, room for a virtual drive."""

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from ssdlab.drive.block.guard import Weight, remedies
from ssdlab.drive.block.inventory import BlockDrive
from ssdlab.drive.kinds.file import FileDrive
from ssdlab.drive.target import FileTarget
from ssdlab.host.activity import Activity
from ssdlab.host.findings import HostFinding, Severity, Topic
from ssdlab.host.kernel import Kernel
from ssdlab.message import listed, message, semicolons, size
from ssdlab.unknown import Unknown

_IN_MEMORY = {"tmpfs", "ramfs"}
_CACHING = {"zfs", "fuse", "overlay", "nfs", "nfs4", "9p", "virtiofs"}


def drive_findings(drive: BlockDrive) -> Iterator[HostFinding]:
    """Who uses a block device, and whether it says that it is well."""
    if not drive.capacity_bytes:
        yield HostFinding(
            topic=Topic.GUARD, severity=Severity.ERROR, message=message("doctor-no-medium", path=drive.path)
        )
    forbidding = tuple(one for one in drive.findings if one.weight is Weight.FORBIDS)
    for one in forbidding:
        yield HostFinding(
            topic=Topic.GUARD,
            severity=Severity.ERROR,
            message=message("doctor-forbidden", why=one.message),
            remedy=listed(semicolons(*remedies((one,)))),
        )
    health = drive.details.health
    warnings = health if isinstance(health, Unknown) else health.warnings
    if isinstance(warnings, str) and warnings != "none":
        yield HostFinding(
            topic=Topic.HEALTH,
            severity=Severity.ERROR,
            message=message("doctor-drive-warns", warnings=warnings),
            remedy=message("doctor-remedy-drive-warns"),
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
        severity=Severity.INFO,
        message=message("doctor-space", size=size(identity.capacity_bytes), free=size(free_bytes)),
    )
    kind = file_system_of(kernel, place.resolve())
    if kind in _IN_MEMORY:
        yield HostFinding(
            topic=Topic.FILE_SYSTEM,
            severity=Severity.ERROR,
            message=message("doctor-file-system-memory", kind=kind),
            remedy=message("doctor-remedy-directory-on-drive"),
        )
    elif kind in _CACHING:
        yield HostFinding(
            topic=Topic.FILE_SYSTEM,
            severity=Severity.WARNING,
            message=message("doctor-file-system-caches", kind=kind),
            remedy=message("doctor-remedy-ext4"),
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
            severity=Severity.ERROR if error.errno == errno.EINVAL else Severity.WARNING,
            message=message("doctor-not-direct", directory=str(place), error=str(error.strerror)),
            remedy=message("doctor-remedy-direct") if cannot else message("doctor-remedy-writable"),
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
    return found[holding[0]] if holding else Unknown(message("unknown-no-mount", path=str(place)))


def virtual_findings(capacity_bytes: int, activity: Activity, cpu_count: int) -> Iterator[HostFinding]:
    """Whether a virtual drive in real time can keep up, and whether what is written to it fits into memory."""
    if cpu_count == 1:
        yield HostFinding(
            topic=Topic.CPU_BUSY,
            severity=Severity.WARNING,
            message=message("doctor-one-processor"),
            remedy=message("doctor-remedy-model"),
        )
    free_bytes = activity.memory_available_bytes
    if not isinstance(free_bytes, Unknown) and capacity_bytes > free_bytes:
        yield HostFinding(
            topic=Topic.MEMORY,
            severity=Severity.WARNING,
            message=message("doctor-drive-in-memory", capacity=size(capacity_bytes), free=size(free_bytes)),
            remedy=message("doctor-remedy-smaller"),
        )
