"""Every block device of this host: what it says it is, and whether it may be tested. Nothing is written to any."""

from dataclasses import dataclass
from pathlib import Path

from ssdlab.drive.block.details import details_of, said_of
from ssdlab.drive.block.facts import Access, DeviceNumber
from ssdlab.drive.block.guard import GuardFinding, GuardVerdict, findings, verdict
from ssdlab.drive.block.node import marks_in, name_of
from ssdlab.drive.block.openers import OpenFile, open_files
from ssdlab.drive.block.snapshot import take_snapshot
from ssdlab.drive.block.sysfs import SYSFS, device_path, drive_names
from ssdlab.drive.details import Details
from ssdlab.drive.identity import DriveName
from ssdlab.host.kernel import Kernel
from ssdlab.host.link import PcieLink, link_of
from ssdlab.message import message
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockDrive:
    """One whole block device and the judgement on it."""

    name: str
    path: str
    number: DeviceNumber
    capacity_bytes: int
    logical_block_bytes: int | Unknown
    physical_block_bytes: int | Unknown
    medium: str | Unknown
    """`rotating` or `solid-state`, as the kernel believes."""
    removable: str | Unknown
    access: Access
    model: str | Unknown
    serial: str | Unknown
    firmware: str | Unknown
    wwid: str | Unknown
    called: DriveName | Unknown
    """What `--erase` takes."""
    link: PcieLink | Unknown
    details: Details
    verdict: GuardVerdict
    findings: tuple[GuardFinding, ...]


def block_drives() -> tuple[BlockDrive, ...]:
    """Look at all of them; one that disappears meanwhile is left out."""
    found, opened = [], open_files()
    for name in drive_names():
        try:
            found.append(look(name, opened))
        except FileNotFoundError:
            continue
    return tuple(found)


def look(name: str, opened: tuple[OpenFile, ...] | Unknown | None = None) -> BlockDrive:
    """Look at one, by its name in /sys/block.

    Args:
        name: Of the drive.
        opened: What all processes have open, if that was looked at already.

    Raises:
        OSError: There is no such drive, or it went away meanwhile.
    """
    snapshot = take_snapshot(name, opened)
    judged = findings(snapshot)
    directory = (SYSFS / "block" / name).resolve()
    marks = marks_in(directory)
    details = details_of(name, said_of(name))
    serial = _first(details.serial, marks.serial)
    return BlockDrive(
        name=name,
        path=str(device_path(name)),
        number=snapshot.drive.number,
        capacity_bytes=snapshot.drive.size_bytes,
        logical_block_bytes=_number(directory / "queue/logical_block_size"),
        physical_block_bytes=_number(directory / "queue/physical_block_size"),
        medium=_either(directory / "queue/rotational", "rotating", "solid-state"),
        removable=_either(directory / "removable", "removable", "fixed"),
        access=snapshot.drive.access,
        model=_first(_text(directory / "device/model"), details.model),
        serial=serial,
        firmware=_first(_text(directory / "device/firmware_rev"), details.firmware, _text(directory / "device/rev")),
        wwid=marks.wwid,
        called=name_of(marks, serial),
        link=link_of(Kernel(SYSFS), name),
        details=details,
        verdict=verdict(judged),
        findings=judged,
    )


def _first(*values: str | Unknown) -> str | Unknown:
    """The first that is known; else why the first is not."""
    return next((value for value in values if not isinstance(value, Unknown)), values[0])


def _text(path: Path) -> str | Unknown:
    try:
        text = path.read_text(errors="replace").strip("\0 \n")
    except OSError:
        return Unknown(message("unknown-kernel-silent"))
    return " ".join(text.split()) or Unknown(message("unknown-kernel-silent"))


def _number(path: Path) -> int | Unknown:
    text = _text(path)
    if isinstance(text, Unknown):
        return text
    return int(text) if text.isdecimal() else Unknown(message("unknown-kernel-says", text=text))


def _either(path: Path, yes: str, no: str) -> str | Unknown:
    value = _number(path)
    return value if isinstance(value, Unknown) else yes if value else no
