"""The PCIe link of a drive, and of the slot it sits in, from sysfs."""

import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from ssdlab.host.kernel import Kernel
from ssdlab.message import Message, message, number
from ssdlab.unknown import Unknown

_NO_LINK = Unknown(message("unknown-no-pcie-link"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PcieLink:
    """Speed and width of a PCIe link, now and at best, as sysfs writes them (`8.0 GT/s PCIe`, lanes)."""

    speed_now: str | Unknown
    speed_best: str | Unknown
    lanes_now: int | Unknown
    lanes_best: int | Unknown


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
        return Unknown(message("unknown-slot"))
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
    words: Message


def judge_link(link: PcieLink | Unknown, slot: PcieLink | Unknown) -> LinkFinding | Unknown:
    """Hold the link against what drive and slot could; a slot that is not known counts as good as the drive."""
    if isinstance(link, Unknown):
        return link
    now, best = _rate(link.speed_now, link.lanes_now), _rate(link.speed_best, link.lanes_best)
    if isinstance(now, Unknown) or isinstance(best, Unknown):
        return Unknown(next(one.reason for one in (now, best) if isinstance(one, Unknown)))
    if now.reaches(best):
        return LinkFinding(LinkVerdict.BEST, now.words)
    ceiling = slot if isinstance(slot, Unknown) else _rate(slot.speed_best, slot.lanes_best)
    if isinstance(ceiling, Unknown):
        short_of_drive = message("host-rate-drive-can", now=now.words, best=best.words)
        return LinkFinding(LinkVerdict.DEGRADED, message("host-rate-slot-unknown", rate=short_of_drive))
    both = _Rate(min(best.gigatransfers_per_s, ceiling.gigatransfers_per_s), min(best.lanes, ceiling.lanes))
    verdict = LinkVerdict.SLOT if now.reaches(both) else LinkVerdict.DEGRADED
    words = message("host-rate-slot-can", now=now.words, best=best.words, slot=ceiling.words)
    return LinkFinding(verdict, words)


@dataclass(frozen=True, slots=True)
class _Rate:
    gigatransfers_per_s: float
    lanes: int

    @property
    def words(self) -> Message:
        return message("host-rate", speed=number(self.gigatransfers_per_s, ""), lanes=self.lanes)

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
        return Unknown(message("unknown-link-rate", speed=speed, lanes=lanes))
    return _Rate(float(number[1]), lanes)


def _link(kernel: Kernel, device: Path) -> PcieLink:
    return PcieLink(
        speed_now=kernel.says(device / "current_link_speed"),
        speed_best=kernel.says(device / "max_link_speed"),
        lanes_now=kernel.number(device / "current_link_width"),
        lanes_best=kernel.number(device / "max_link_width"),
    )
