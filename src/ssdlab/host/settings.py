"""What of the host a run sets (METHODS 0), from what was seen of it: pure functions of a `HostState`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePosixPath
from types import MappingProxyType

from ssdlab.host.state import CPUFREQ, FrequencyPolicy, HostState, QueueState
from ssdlab.message import Message, commas, message, verbatim
from ssdlab.unknown import Unknown


class Knob(Enum):
    """The settings of a host that METHODS 0 wants in one state."""

    GOVERNOR = "governor"
    PREFERENCE = "energy preference"
    SCHEDULER = "scheduler"
    NOMERGES = "nomerges"
    RQ_AFFINITY = "rq_affinity"
    IO_POLL = "io_poll"

    @property
    def words(self) -> Message:
        """As the kernel names it, or for a reader."""
        return message("host-knob-preference") if self is Knob.PREFERENCE else verbatim(self.value)


WANTED: Mapping[Knob, str] = MappingProxyType(
    {
        Knob.GOVERNOR: "performance",
        Knob.PREFERENCE: "performance",
        Knob.SCHEDULER: "none",
        Knob.NOMERGES: "2",
        Knob.RQ_AFFINITY: "1",
        Knob.IO_POLL: "1",
    }
)
"""METHODS 0. With `rq_affinity` 1 an I/O is completed on a processor of the same group as the one that asked for it. The energy
preference follows the governor, which means little without it where the processor itself decides."""

_GOVERNOR, _PREFERENCE = "scaling_governor", "energy_performance_preference"
RESET_WITH_SCHEDULER = ("nr_requests", "wbt_lat_usec")
"""Files of the queue; a change of the scheduler sets its own below `iosched` anew, too."""

NO_POLL_QUEUES = message("host-no-poll-queues")
POLL_QUEUES_REMEDY = message("host-remedy-poll-queues")
"""METHODS 0 wants four; the driver takes no number above that of processors (Linux, drivers/nvme/host/pci.c)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSetting:
    """One file of sysfs and what it is to say.

    Attributes:
        path: Below sysfs.
        now: What it says.
        wanted: What METHODS 0 wants.
        obstacle: Why it cannot be set, where that can be told beforehand.
    """

    knob: Knob
    path: PurePosixPath
    now: str
    wanted: str
    obstacle: Message | None = None


def is_setting(knob: Knob, path: PurePosixPath, device: str) -> bool:
    """Whether a run on a drive sets the knob by this file below sysfs."""
    match knob:
        case Knob.GOVERNOR:
            return path.name == _GOVERNOR and _is_policy(path.parent)
        case Knob.PREFERENCE:
            return path.name == _PREFERENCE and _is_policy(path.parent)
        case Knob.SCHEDULER | Knob.NOMERGES | Knob.RQ_AFFINITY | Knob.IO_POLL:
            return path.parent == queue_of(device) and path.name == knob.value


def _is_policy(path: PurePosixPath) -> bool:
    return path.parent == PurePosixPath(CPUFREQ) and re.fullmatch(r"policy\d+", path.name) is not None


def is_companion(path: PurePosixPath, device: str) -> bool:
    """Whether the file belongs to what the scheduler of a drive resets."""
    queue = queue_of(device)
    if path.parent == queue / "iosched":
        return re.fullmatch(r"\w+", path.name) is not None
    return path.parent == queue and path.name in RESET_WITH_SCHEDULER


def queue_of(device: str) -> PurePosixPath:
    """Settings of a drive's queue, below sysfs."""
    return PurePosixPath("block") / device / "queue"


def settings(state: HostState) -> tuple[HostSetting, ...]:
    """Every setting this host has, in the order in which they are set: a governor may forbid preferences but its own."""
    policies = tuple(one for policy in state.policies for one in _of_policy(policy))
    if isinstance(state.attachment, Unknown):
        return policies
    return (*policies, *_of_queue(state.attachment.queue))


def _of_policy(policy: FrequencyPolicy) -> Iterator[HostSetting]:
    directory = PurePosixPath(CPUFREQ) / policy.name
    if not isinstance(policy.governor, Unknown):
        yield _setting(Knob.GOVERNOR, directory / _GOVERNOR, policy.governor, policy.governors)
    if not isinstance(policy.preference, Unknown):
        yield _setting(Knob.PREFERENCE, directory / _PREFERENCE, policy.preference)


def _of_queue(queue: QueueState) -> Iterator[HostSetting]:
    directory = queue_of(queue.device)
    if not isinstance(queue.scheduler, Unknown):
        yield _setting(Knob.SCHEDULER, directory / Knob.SCHEDULER.value, queue.scheduler, queue.schedulers)
    for knob, now in ((Knob.NOMERGES, queue.nomerges), (Knob.RQ_AFFINITY, queue.rq_affinity)):
        if not isinstance(now, Unknown):
            yield _setting(knob, directory / knob.value, now)
    if not isinstance(queue.io_poll, Unknown):
        yield _setting(Knob.IO_POLL, directory / Knob.IO_POLL.value, queue.io_poll)


def _setting(knob: Knob, path: PurePosixPath, now: str, offered: tuple[str, ...] = ()) -> HostSetting:
    wanted = WANTED[knob]
    lacking = bool(offered) and wanted not in offered
    obstacle = message("host-offers-only", offered=commas(*offered)) if lacking else None
    return HostSetting(knob=knob, path=path, now=now, wanted=wanted, obstacle=obstacle)
