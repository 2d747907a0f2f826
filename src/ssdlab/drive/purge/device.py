"""What must be known of a block device to choose how it is purged, and to do it."""

import json
import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from ssdlab.drive.block.inventory import BlockDrive
from ssdlab.drive.block.sysfs import SYSFS
from ssdlab.drive.details import AtaSecurity, NvmeController, NvmeNamespace
from ssdlab.drive.nvme_controller import controller_of
from ssdlab.drive.tool import ToolOutput, ask
from ssdlab.host.kernel import Kernel
from ssdlab.message import message
from ssdlab.unknown import Unknown

_KERNEL = Kernel(SYSFS)


class Family(Enum):
    """Whose commands the drive understands."""

    NVME = "NVMe"
    SCSI = "SATA or SAS"
    OTHER = "other"
    """Not a drive but something that stands on one, such as a loop device."""


class PurgeAttachment(Enum):
    """What is between the host and the drive."""

    DIRECT = "direct"
    USB = "a USB bridge"


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeDevice:
    """One whole block device, as far as a purge needs to know it.

    Attributes:
        path: Its device file.
        held: Descriptor that holds it exclusively, through which it is written and read whatever its name is by then;
            None if nobody holds it.
        namespaces: How many namespaces the NVM subsystem has.
        discard_bytes_max: Largest discard the kernel sends to it; 0 if it takes none.
    """

    path: Path
    held: int | None
    family: Family
    attachment: PurgeAttachment
    model: str | Unknown
    serial: str | Unknown
    capacity_bytes: int
    logical_block_bytes: int
    controller: NvmeController | Unknown
    namespace: NvmeNamespace | Unknown
    namespaces: int | Unknown
    security: AtaSecurity | Unknown
    discard_bytes_max: int | Unknown


def purge_device(drive: BlockDrive, held: int | None) -> PurgeDevice:
    """Gather the facts; the drive is asked, nothing is changed."""
    family = _family(drive.name)
    block_bytes = drive.logical_block_bytes
    return PurgeDevice(
        path=Path(drive.path),
        held=held,
        family=family,
        attachment=_attachment(drive.name),
        model=drive.model,
        serial=drive.serial,
        capacity_bytes=drive.capacity_bytes,
        logical_block_bytes=512 if isinstance(block_bytes, Unknown) else block_bytes,
        controller=drive.details.controller,
        namespace=drive.details.namespace,
        namespaces=_namespaces(drive.name) if family is Family.NVME else Unknown(message("unknown-no-nvme")),
        security=drive.details.security,
        discard_bytes_max=_discard_bytes_max(drive.name),
    )


def controller_path(path: Path) -> Path:
    """Character device of the controller that a namespace belongs to."""
    return path.with_name(controller_of(_KERNEL, path.name))


def logical_block_bytes(path: Path) -> int | Unknown:
    """Size of a block as the kernel sees it now."""
    return _KERNEL.number(SYSFS / "block" / path.name / "queue/logical_block_size")


def _family(name: str) -> Family:
    if name.startswith("nvme"):
        return Family.NVME
    return Family.SCSI if re.fullmatch(r"sd[a-z]+", name) else Family.OTHER


def _attachment(name: str) -> PurgeAttachment:
    parts = (SYSFS / "block" / name).resolve().parts
    return PurgeAttachment.USB if any(re.fullmatch(r"usb\d+", part) for part in parts) else PurgeAttachment.DIRECT


def _discard_bytes_max(name: str) -> int | Unknown:
    return _KERNEL.number(SYSFS / "block" / name / "queue/discard_max_bytes")


def _namespaces(name: str) -> int | Unknown:
    controller = str(controller_path(Path("/dev") / name))
    # Those that are attached to no controller too; drives without namespace management refuse that.
    answer = ask("nvme", "list-ns", controller, "--all", "-o", "json")
    if isinstance(answer, ToolOutput) and answer.status != 0:
        answer = ask("nvme", "list-ns", controller, "-o", "json")
    if isinstance(answer, Unknown):
        return answer
    if answer.status != 0:
        return Unknown(message("unknown-program-failed", program="nvme list-ns", fault=answer.fault))
    return read_namespaces(answer.text)


def read_namespaces(text: str) -> int | Unknown:
    """Count what `nvme list-ns -o json` lists."""
    try:
        return len(json.loads(text)["nsid_list"])
    except (ValueError, KeyError, TypeError):
        return Unknown(message("unknown-form", program="nvme list-ns"))
