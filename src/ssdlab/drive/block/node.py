"""From a path to the whole drive it leads to, and what tells that drive from every other."""

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from ssdlab.drive.access import DriveError
from ssdlab.drive.block.facts import DeviceNumber
from ssdlab.drive.block.sysfs import SYSFS, device_path
from ssdlab.drive.identity import DriveName, NameKind
from ssdlab.host.kernel import SECTOR_BYTES, Kernel
from ssdlab.message import message
from ssdlab.os_errors import reason_of
from ssdlab.unknown import Unknown

LIST_HINT = message("drive-list-hint")
_KERNEL = Kernel(SYSFS)


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveMarks:
    """What tells a drive from every other, as the kernel has it: no command goes to the drive.

    Attributes:
        name: In /sys/block; it may be another one after the next start.
        diskseq: Counts every disk that has appeared since the start (Linux 5.15), so a number that is used again is noticed.
        backing_file: Of a loop device.
        slot: Address of the PCI device it hangs on.
    """

    name: str
    number: DeviceNumber
    size_bytes: int
    serial: str | Unknown
    wwid: str | Unknown
    diskseq: str | Unknown
    backing_file: str | Unknown
    slot: str | Unknown


def name_of(marks: DriveMarks, serial: str | Unknown) -> DriveName | Unknown:
    """The serial number, which the drive itself may know better than the kernel, or what stands in for it."""
    known = {
        NameKind.SERIAL: serial,
        NameKind.WWID: marks.wwid,
        NameKind.BACKING_FILE: marks.backing_file,
        NameKind.SLOT: marks.slot,
    }
    for kind, text in known.items():
        if not isinstance(text, Unknown):
            return DriveName(text, kind)
    return Unknown(message("unknown-nothing-to-tell-apart"))


def marks_of(path: Path) -> DriveMarks:
    """The whole drive behind a device file, or a link to one.

    Raises:
        DriveError: There is none, or the path is that of a partition or of something else.
    """
    number = _number_of(path)
    directory = (SYSFS / "dev/block" / number).resolve()
    if (directory / "partition").exists():
        whole = device_path(directory.parent.name)
        raise DriveError(
            message("drive-is-partition", path=str(path), whole=str(whole)),
            message("drive-name-whole", whole=str(whole)),
        )
    try:
        marks = marks_in(directory)
    except OSError as error:
        raise DriveError(message("drive-gone", path=str(path), error=reason_of(error)), LIST_HINT) from error
    if not marks.size_bytes:
        raise DriveError(message("drive-no-medium", path=str(path)), LIST_HINT)
    return marks


def marks_in(directory: Path) -> DriveMarks:
    """Marks of a whole drive by its directory in sysfs.

    Raises:
        OSError: It went away.
    """
    return DriveMarks(
        name=directory.name,
        number=DeviceNumber((directory / "dev").read_text().strip()),
        size_bytes=int((directory / "size").read_text()) * SECTOR_BYTES,
        serial=serial_of(directory),
        wwid=wwid_of(directory),
        diskseq=_KERNEL.says(directory / "diskseq"),
        backing_file=_KERNEL.says(directory / "loop/backing_file"),
        slot=_slot_of(directory),
    )


def _number_of(path: Path) -> DeviceNumber:
    try:
        status = path.stat()
    except FileNotFoundError as error:
        raise DriveError(message("drive-no-such-path", path=str(path)), LIST_HINT) from error
    except OSError as error:
        raise DriveError(message("drive-not-examined", path=str(path), error=reason_of(error)), LIST_HINT) from error
    if stat.S_ISCHR(status.st_mode) and re.fullmatch(r"/dev/nvme\d+", str(path)):
        raise DriveError(
            message("drive-is-controller", path=str(path)), message("drive-of-controller", path=str(path)), LIST_HINT
        )
    if not stat.S_ISBLK(status.st_mode):
        raise DriveError(message("drive-no-block-device", path=str(path)), LIST_HINT)
    return DeviceNumber(f"{os.major(status.st_rdev)}:{os.minor(status.st_rdev)}")


def serial_of(directory: Path) -> str | Unknown:
    """Serial number of a drive by its directory in sysfs: of NVMe, virtio, and SCSI or ATA (VPD page 80h)."""
    for path in (directory / "device/serial", directory / "serial"):
        if not isinstance(said := _KERNEL.says(path), Unknown):
            return " ".join(said.split())
    try:
        # Four bytes of header; SPC-4, 7.8.17.
        page = (directory / "device/vpd_pg80").read_bytes()[4:]
    except OSError:
        return Unknown(message("unknown-kernel-silent"))
    return " ".join(page.decode("ascii", errors="replace").replace("\0", " ").split()) or Unknown(
        message("unknown-empty")
    )


def wwid_of(directory: Path) -> str | Unknown:
    """World-wide identifier of a drive, or that of a device-mapper or md device, by its directory in sysfs."""
    for name in ("wwid", "device/wwid", "dm/uuid", "md/uuid"):
        if not isinstance(said := _KERNEL.says(directory / name), Unknown):
            return " ".join(said.split())
    return Unknown(message("unknown-kernel-silent"))


def _slot_of(directory: Path) -> str | Unknown:
    addresses = [part for part in directory.parts if re.fullmatch(r"[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", part)]
    return addresses[-1] if addresses else Unknown(message("unknown-no-pci-device"))
