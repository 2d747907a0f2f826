"""Every block device of this host: what it says it is, and whether it may be tested. Nothing is written to any."""

import re
from dataclasses import dataclass
from pathlib import Path

from ssdlab.drive import block_identity as reading
from ssdlab.drive.block_facts import Access, DeviceNumber
from ssdlab.drive.block_identity import (
    AtaSecurity,
    Health,
    NvmeController,
    NvmeNamespace,
    PcieLink,
    SmartDevice,
)
from ssdlab.drive.block_node import DriveName, marks_in, name_of
from ssdlab.drive.block_snapshot import SYSFS, device_path, drive_names, take_snapshot
from ssdlab.drive.guard import Finding, Verdict, findings, verdict
from ssdlab.drive.kernel import Kernel
from ssdlab.drive.link import link_of
from ssdlab.drive.tool import ask
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What the programs that know drives say; unknown with the reason where they do not apply."""

    controller: NvmeController | Unknown
    namespace: NvmeNamespace | Unknown
    smart: SmartDevice | Unknown
    security: AtaSecurity | Unknown
    health: Health | Unknown


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
    verdict: Verdict
    findings: tuple[Finding, ...]


def block_drives() -> tuple[BlockDrive, ...]:
    """Look at all of them; one that disappears meanwhile is left out."""
    found = []
    for name in drive_names():
        try:
            found.append(look(name))
        except FileNotFoundError:
            continue
    return tuple(found)


def look(name: str) -> BlockDrive:
    """Look at one, by its name in /sys/block.

    Raises:
        OSError: There is no such drive, or it went away meanwhile.
    """
    snapshot = take_snapshot(name)
    judged = findings(snapshot)
    directory = (SYSFS / "block" / name).resolve()
    marks = marks_in(directory)
    details = _details(name)
    asked = _asked(details)
    serial = _first(asked.serial, marks.serial)
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
        model=_first(_text(directory / "device/model"), asked.model),
        serial=serial,
        firmware=_first(_text(directory / "device/firmware_rev"), asked.firmware, _text(directory / "device/rev")),
        wwid=marks.wwid,
        called=name_of(marks, serial),
        link=link_of(Kernel(SYSFS), name),
        details=details,
        verdict=verdict(judged),
        findings=judged,
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    model: str | Unknown
    serial: str | Unknown
    firmware: str | Unknown


def _asked(details: Details) -> _Asked:
    for one in (details.controller, details.smart):
        if not isinstance(one, Unknown):
            return _Asked(one.model, one.serial, one.firmware)
    nothing = Unknown("neither the kernel nor the drive tells")
    return _Asked(nothing, nothing, nothing)


def _first(*values: str | Unknown) -> str | Unknown:
    """The first that is known; else why the first is not."""
    return next((value for value in values if not isinstance(value, Unknown)), values[0])


def _details(name: str) -> Details:
    if name.startswith("nvme"):
        return _nvme_details(name)
    if re.fullmatch(r"sd[a-z]+", name):
        return _scsi_details(name)
    other = Unknown("neither an NVMe nor a SATA or SAS drive")
    return Details(controller=other, namespace=other, smart=other, security=other, health=other)


def _nvme_details(name: str) -> Details:
    controller = re.sub(r"n\d+$", "", name)
    namespace_id = _number(SYSFS / "block" / name / "nsid")
    device = f"/dev/{controller}"
    said = [_ask("nvme", command, device, "-o", "json") for command in ("id-ctrl", "smart-log")]
    # The number in the name is that of the namespace on all but odd fabrics, so it stands in where `nsid` is missing.
    number = re.sub(r"^.*n", "", name) if isinstance(namespace_id, Unknown) else str(namespace_id)
    namespace = _ask("nvme", "id-ns", device, "-n", number, "-o", "json")
    other = Unknown("an NVMe drive: nvme-cli is asked instead")
    return Details(
        controller=said[0] if isinstance(said[0], Unknown) else reading.read_controller(said[0]),
        namespace=namespace if isinstance(namespace, Unknown) else reading.read_namespace(namespace),
        smart=other,
        security=Unknown("an NVMe drive has no ATA security"),
        health=said[1] if isinstance(said[1], Unknown) else reading.read_smart_log(said[1]),
    )


def _scsi_details(name: str) -> Details:
    # The generic device is asked so that smartctl does not open the block device itself.
    generic = sorted((SYSFS / "block" / name / "device/scsi_generic").glob("sg*"))
    said = (
        _ask("smartctl", "-j", "-a", f"/dev/{generic[0].name}")
        if generic
        else Unknown("the kernel has no generic device for it (`modprobe sg`)")
    )
    smart = said if isinstance(said, Unknown) else reading.read_smartctl(said)
    other = Unknown("no NVMe drive")
    return Details(
        controller=other,
        namespace=other,
        smart=smart,
        security=_ata_security(name, smart),
        health=smart if isinstance(smart, Unknown) else smart.health,
    )


def _ata_security(name: str, smart: SmartDevice | Unknown) -> AtaSecurity | Unknown:
    if isinstance(smart, SmartDevice) and smart.protocol == "SCSI":
        return Unknown("no ATA drive")
    said = _ask("hdparm", "-I", f"/dev/{name}")
    return said if isinstance(said, Unknown) else reading.read_hdparm(said)


def _ask(program: str, *arguments: str) -> str | Unknown:
    answer = ask(program, *arguments)
    if isinstance(answer, Unknown):
        return answer
    # The status of smartctl is a set of warnings; bits 0 and 1 alone say that there is no answer (smartctl(8)).
    failed = answer.status & 3 if program == "smartctl" else answer.status
    if failed or not answer.text.strip():
        return Unknown(f"`{program}` failed: {answer.complaint or f'status {answer.status}'}")
    return answer.text


def _text(path: Path) -> str | Unknown:
    try:
        text = path.read_text(errors="replace").strip("\0 \n")
    except OSError:
        return Unknown("the kernel does not tell")
    return " ".join(text.split()) or Unknown("the kernel does not tell")


def _number(path: Path) -> int | Unknown:
    text = _text(path)
    if isinstance(text, Unknown):
        return text
    return int(text) if text.isdecimal() else Unknown(f"the kernel says `{text}`")


def _either(path: Path, yes: str, no: str) -> str | Unknown:
    value = _number(path)
    return value if isinstance(value, Unknown) else yes if value else no
