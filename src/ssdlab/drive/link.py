"""The PCIe link of a drive, and of the slot it sits in, from sysfs."""

from pathlib import Path

from ssdlab.drive.block_identity import PcieLink
from ssdlab.drive.kernel import Kernel
from ssdlab.unknown import Unknown

_NO_LINK = Unknown("it hangs on no PCIe link that the kernel tells of")


def linked_device(kernel: Kernel, name: str) -> Path | Unknown:
    """Directory of the nearest PCIe device above a drive that has a link: its controller, or that which its disks hang on."""
    for above in (kernel.sysfs / "block" / name).resolve().parents:
        if (above / "current_link_speed").exists():
            return above
    return _NO_LINK


def link_of(kernel: Kernel, name: str) -> PcieLink | Unknown:
    """Link of a drive by its name in /sys/block: now, and the best the drive can."""
    device = linked_device(kernel, name)
    return device if isinstance(device, Unknown) else _link(kernel, device)


def slot_of(kernel: Kernel, name: str) -> PcieLink | Unknown:
    """The other end of the same link: its `best` is what the slot can."""
    device = linked_device(kernel, name)
    if isinstance(device, Unknown):
        return device
    if not (device.parent / "max_link_speed").exists():
        return Unknown("the kernel does not tell of the slot")
    return _link(kernel, device.parent)


def _link(kernel: Kernel, device: Path) -> PcieLink:
    return PcieLink(
        speed_now=kernel.says(device / "current_link_speed"),
        speed_best=kernel.says(device / "max_link_speed"),
        lanes_now=kernel.number(device / "current_link_width"),
        lanes_best=kernel.number(device / "max_link_width"),
    )
