"""A host made of a directory: the files of sysfs and proc that tuning reads and writes, and what the kernel does when they are written."""

import errno
import os
from dataclasses import dataclass
from pathlib import Path

from ssdlab.host.kernel import Kernel

BOOT = "11111111-1111-1111-1111-111111111111"
DRIVE = "nvme0n1"
PCI = "devices/pci0000:00/0000:00:01.0"


@dataclass(frozen=True, slots=True)
class FakeKernel(Kernel):
    """Files as the kernel would leave them after a write."""

    def tell(self, path: Path, value: str) -> None:
        """See `Kernel.tell`.

        A word that is not offered is refused, the governor `performance` holds the preference, and polling cannot be
        switched on, as with every driver since Linux 5.16.
        """
        if path.name == "io_poll":
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        if path.name == "energy_performance_preference":
            governor = self.says(path.parent / "scaling_governor")
            if governor == "performance" and value != "performance":
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        if path.name == "scheduler":
            words = self.offers(path)
            if value not in words:
                raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
            value = " ".join(f"[{word}]" if word == value else word for word in words)
            put(path.parent / "nr_requests", "1023")
        # Two arguments, because a dataclass with slots is another class than the one `super` would find.
        Kernel.tell(self, path, value + "\n")


def put(path: Path, text: str) -> None:
    """One file, its directories made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n")


def fake_host(root: Path) -> FakeKernel:
    """A desktop with two frequency policies and one NVMe drive on a link as good as drive and slot, set up for saving energy."""
    kernel = FakeKernel(sysfs=root / "sys", proc=root / "proc")
    put(kernel.proc / "sys/kernel/random/boot_id", BOOT)
    put(kernel.proc / "sys/kernel/osrelease", "6.12.0")
    for name, text in (("board_vendor", "ACME"), ("board_name", "Board [2]"), ("bios_version", "1.02")):
        put(kernel.sysfs / "class/dmi/id" / name, text)
    put(kernel.sysfs / "devices/system/cpu/smt/control", "on")
    put(kernel.sysfs / "devices/system/cpu/intel_pstate/no_turbo", "0")
    for number in (0, 1):
        policy = kernel.sysfs / f"devices/system/cpu/cpufreq/policy{number}"
        put(policy / "scaling_governor", "powersave")
        put(policy / "scaling_available_governors", "performance powersave")
        put(policy / "energy_performance_preference", "balance_power")
    put(kernel.sysfs / "module/nvme/parameters/poll_queues", "0")
    put(kernel.sysfs / "module/pcie_aspm/parameters/policy", "[default] performance powersave powersupersave")
    _fake_drive(kernel)
    return kernel


def _fake_drive(kernel: Kernel) -> None:
    port = kernel.sysfs / PCI
    controller = port / "0000:01:00.0"
    disk = controller / f"nvme/nvme0/{DRIVE}"
    for device in (port, controller):
        put(device / "current_link_speed", "16.0 GT/s PCIe")
        put(device / "max_link_speed", "16.0 GT/s PCIe")
        put(device / "current_link_width", "4")
        put(device / "max_link_width", "4")
    put(controller / "link/l1_aspm", "0")
    for name, text in (
        ("scheduler", "none [mq-deadline] kyber"),
        ("nomerges", "0"),
        ("rq_affinity", "2"),
        ("io_poll", "0"),
        ("wbt_lat_usec", "2000"),
        ("nr_requests", "256"),
        ("iosched/read_expire", "400"),
    ):
        put(disk / "queue" / name, text)
    block = kernel.sysfs / "block"
    block.mkdir()
    (block / DRIVE).symlink_to(disk)
