"""What of the host decides how fast a drive looks (METHODS 0, host state): read, never changed."""

from dataclasses import dataclass
from pathlib import Path

from ssdlab.host.kernel import Kernel
from ssdlab.host.link import PcieLink, link_of, linked_device, slot_of
from ssdlab.message import message
from ssdlab.unknown import Unknown

CPUFREQ = Path("devices/system/cpu/cpufreq")
"""Below sysfs; one directory a set of processors that share a frequency."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequencyPolicy:
    """How the frequency of some processors is chosen."""

    name: str
    """As sysfs calls it, `policy0`."""
    governor: str | Unknown
    governors: tuple[str, ...]
    """Those its driver offers."""
    preference: str | Unknown
    """Energy-performance preference; unknown where the driver has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueState:
    """Settings of a block device's queue, each as sysfs writes it (Documentation/ABI/stable/sysfs-block)."""

    device: str
    scheduler: str | Unknown
    schedulers: tuple[str, ...]
    nomerges: str | Unknown
    rq_affinity: str | Unknown
    io_poll: str | Unknown
    wbt_lat_us: str | Unknown
    """Write-back throttling, which holds back buffered writes only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """How a drive hangs on the host."""

    queue: QueueState
    link: PcieLink | Unknown
    slot: PcieLink | Unknown
    """The other end of the link: what the slot can."""
    aspm_active: tuple[str, ...] | Unknown
    """Power-saving states that the link may enter (`l0s_aspm`, `l1_aspm`, ...); empty: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostState:
    """The host at one moment."""

    kernel: str | Unknown
    board: str | Unknown
    bios: str | Unknown
    smt: str | Unknown
    boost: str | Unknown
    policies: tuple[FrequencyPolicy, ...]
    """Empty where the kernel does not choose the frequency, as in virtual machines."""
    nvme_poll_queues: int | Unknown
    """Parameter `poll_queues` of the module `nvme`."""
    aspm_policy: str | Unknown
    """Of the whole host."""
    attachment: Attachment | Unknown
    """Unknown where the target is no block device of this host."""


def look(device: str | Unknown, kernel: Kernel | None = None) -> HostState:
    """Look at the host.

    Args:
        device: Name of the drive in /sys/block; unknown, with the reason, for a target that is none.
        kernel: The kernel asked; that which runs, if not given.
    """
    kernel = kernel or Kernel()
    dmi = kernel.sysfs / "class/dmi/id"
    return HostState(
        kernel=kernel.says(kernel.proc / "sys/kernel/osrelease"),
        board=_joined(kernel, dmi, "board_vendor", "board_name"),
        bios=_joined(kernel, dmi, "bios_vendor", "bios_version", "bios_date"),
        smt=kernel.says(kernel.sysfs / "devices/system/cpu/smt/control"),
        boost=_boost(kernel),
        policies=tuple(_policy(kernel, path) for path in _policies(kernel)),
        nvme_poll_queues=kernel.number(kernel.sysfs / "module/nvme/parameters/poll_queues"),
        aspm_policy=kernel.chosen(kernel.sysfs / "module/pcie_aspm/parameters/policy"),
        attachment=device if isinstance(device, Unknown) else _attachment(kernel, device),
    )


def _attachment(kernel: Kernel, device: str) -> Attachment:
    return Attachment(
        queue=_queue(kernel, device),
        link=link_of(kernel, device),
        slot=slot_of(kernel, device),
        aspm_active=_aspm_active(kernel, device),
    )


def _joined(kernel: Kernel, directory: Path, *names: str) -> str | Unknown:
    said = [kernel.says(directory / name) for name in names]
    known = [one for one in said if not isinstance(one, Unknown)]
    return " ".join(known) if known else said[0]


def _boost(kernel: Kernel) -> str | Unknown:
    """Whether processors may exceed their rated frequency; intel_pstate says it the other way round."""
    cpu = kernel.sysfs / "devices/system/cpu"
    for path, on in ((cpu / "intel_pstate/no_turbo", "0"), (cpu / "cpufreq/boost", "1")):
        said = kernel.says(path)
        if not isinstance(said, Unknown):
            return "on" if said == on else "off"
    return Unknown(message("unknown-boost"))


def _policies(kernel: Kernel) -> list[Path]:
    found = (kernel.sysfs / CPUFREQ).glob("policy*")
    return sorted(found, key=lambda path: int(path.name.removeprefix("policy")))


def _policy(kernel: Kernel, path: Path) -> FrequencyPolicy:
    return FrequencyPolicy(
        name=path.name,
        governor=kernel.says(path / "scaling_governor"),
        governors=kernel.offers(path / "scaling_available_governors"),
        preference=kernel.says(path / "energy_performance_preference"),
    )


def _queue(kernel: Kernel, device: str) -> QueueState:
    queue = kernel.sysfs / "block" / device / "queue"
    return QueueState(
        device=device,
        scheduler=kernel.chosen(queue / "scheduler"),
        schedulers=kernel.offers(queue / "scheduler"),
        nomerges=kernel.says(queue / "nomerges"),
        rq_affinity=kernel.says(queue / "rq_affinity"),
        io_poll=kernel.says(queue / "io_poll"),
        wbt_lat_us=kernel.says(queue / "wbt_lat_usec"),
    )


def _aspm_active(kernel: Kernel, device: str) -> tuple[str, ...] | Unknown:
    linked = linked_device(kernel, device)
    if isinstance(linked, Unknown):
        return linked
    switches = sorted((linked / "link").glob("*_aspm"))
    if not switches:
        return Unknown(message("unknown-link-power-saving"))
    return tuple(path.name for path in switches if kernel.says(path) == "1")
