"""The PCIe link of a drive, and of the slot it sits in, from sysfs."""

import re
from dataclasses import dataclass
from enum import Enum
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


class LinkVerdict(Enum):
    """How the link compares with the best it could be."""

    BEST = "as good as the drive"
    SLOT = "as good as the slot, which is worse than the drive"
    DEGRADED = "worse than drive and slot could"


@dataclass(frozen=True, slots=True)
class LinkFinding:
    """The verdict on a link, and what it rests on."""

    verdict: LinkVerdict
    text: str


def judge_link(link: PcieLink | Unknown, slot: PcieLink | Unknown) -> LinkFinding | Unknown:
    """Hold the link against what drive and slot could; a slot that is not known counts as good as the drive."""
    if isinstance(link, Unknown):
        return link
    now, best = _rate(link.speed_now, link.lanes_now), _rate(link.speed_best, link.lanes_best)
    if isinstance(now, Unknown) or isinstance(best, Unknown):
        return Unknown(next(one.unknown for one in (now, best) if isinstance(one, Unknown)))
    if now.reaches(best):
        return LinkFinding(LinkVerdict.BEST, now.words)
    text = f"{now.words}, the drive can {best.words}"
    ceiling = slot if isinstance(slot, Unknown) else _rate(slot.speed_best, slot.lanes_best)
    if isinstance(ceiling, Unknown):
        return LinkFinding(LinkVerdict.DEGRADED, f"{text}; what the slot can is not known")
    both = _Rate(min(best.gigatransfers_per_s, ceiling.gigatransfers_per_s), min(best.lanes, ceiling.lanes))
    if now.reaches(both):
        return LinkFinding(LinkVerdict.SLOT, f"{text}, the slot {ceiling.words}")
    return LinkFinding(LinkVerdict.DEGRADED, f"{text}, the slot {ceiling.words}")


@dataclass(frozen=True, slots=True)
class _Rate:
    gigatransfers_per_s: float
    lanes: int

    @property
    def words(self) -> str:
        return f"{self.gigatransfers_per_s} GT/s x{self.lanes}"

    def reaches(self, other: "_Rate") -> bool:
        return self.gigatransfers_per_s >= other.gigatransfers_per_s and self.lanes >= other.lanes


def _rate(speed: str | Unknown, lanes: int | Unknown) -> _Rate | Unknown:
    if isinstance(speed, Unknown):
        return speed
    if isinstance(lanes, Unknown):
        return lanes
    number = re.match(r"(\d+(?:\.\d+)?) GT/s", speed)
    # The kernel writes 0 and 255 lanes where the device does not answer.
    if number is None or lanes in {0, 255}:
        return Unknown(f"the kernel says `{speed}`, {lanes} lanes")
    return _Rate(float(number[1]), lanes)


def _link(kernel: Kernel, device: Path) -> PcieLink:
    return PcieLink(
        speed_now=kernel.says(device / "current_link_speed"),
        speed_best=kernel.says(device / "max_link_speed"),
        lanes_now=kernel.number(device / "current_link_width"),
        lanes_best=kernel.number(device / "max_link_width"),
    )
