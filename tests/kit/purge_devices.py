"""Facts of drives to choose a purge for."""

from dataclasses import replace
from pathlib import Path

from ssdlab.drive.block.answers import read_controller, read_namespace
from ssdlab.drive.details import AtaSecurity, NvmeController, NvmeNamespace
from ssdlab.drive.purge.device import Family, PurgeAttachment, PurgeDevice
from ssdlab.message import verbatim
from ssdlab.unknown import Unknown

DATA = Path(__file__).parents[1] / "data"
OTHER = Unknown(verbatim("no such drive"))


def controller() -> NvmeController:
    read = read_controller((DATA / "nvme-cli/id-ctrl.json").read_text())
    assert isinstance(read, NvmeController)
    return read


def namespace() -> NvmeNamespace:
    read = read_namespace((DATA / "nvme-cli/id-ns.json").read_text())
    assert isinstance(read, NvmeNamespace)
    return read


SECURITY = AtaSecurity(
    supported="supported",
    enabled="not enabled",
    locked="not locked",
    frozen="not frozen",
    enhanced_erase="supported",
    erase_minutes=2,
    enhanced_erase_minutes=8,
)
SATA = PurgeDevice(
    path=Path("/dev/sdb"),
    held=None,
    family=Family.SCSI,
    attachment=PurgeAttachment.DIRECT,
    model="SCRIPTED SSD",
    serial="SATA0001",
    capacity_bytes=1 << 30,
    logical_block_bytes=512,
    controller=OTHER,
    namespace=OTHER,
    namespaces=OTHER,
    security=SECURITY,
    discard_bytes_max=1 << 30,
)
NVME = replace(
    SATA,
    path=Path("/dev/nvme0n1"),
    family=Family.NVME,
    controller=controller(),
    namespace=namespace(),
    namespaces=1,
    security=OTHER,
)
LOOP = replace(SATA, path=Path("/dev/loop0"), family=Family.OTHER, serial=OTHER, security=OTHER)
