"""What of the host a run sets (METHODS 0), from what was seen of it: pure functions of a `HostState`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePosixPath
from types import MappingProxyType

from ssdlab.drive.host_state import CPUFREQ, FrequencyPolicy, HostState, QueueState
from ssdlab.unknown import Unknown


class Knob(Enum):
    """The settings of a host that METHODS 0 wants in one state."""

    GOVERNOR = "governor"
    PREFERENCE = "energy preference"
    SCHEDULER = "scheduler"
    NOMERGES = "nomerges"
    RQ_AFFINITY = "rq_affinity"
    IO_POLL = "io_poll"


WANTED: Mapping[Knob, str] = MappingProxyType(
    {
        Knob.GOVERNOR: "performance",
        Knob.PREFERENCE: "performance",
        Knob.SCHEDULER: "none",
        Knob.NOMERGES: "2",
        Knob.RQ_AFFINITY: "2",
        Knob.IO_POLL: "1",
    }
)
"""METHODS 0; the preference follows the governor, which means little without it where the processor itself decides."""

NO_POLL_QUEUES = "its driver made no poll queues"
POLL_QUEUES_MEND = "`nvme.poll_queues=4` on the kernel's command line; no more than there are processors"
"""METHODS 0 wants four; the driver takes no number above that of processors (Linux, drivers/nvme/host/pci.c)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
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
    obstacle: str | None = None


def settings(state: HostState) -> tuple[Setting, ...]:
    """Every setting this host has, in the order in which they are set: a governor may forbid preferences but its own."""
    policies = tuple(one for policy in state.policies for one in _of_policy(policy))
    if isinstance(state.attachment, Unknown):
        return policies
    return (*policies, *_of_queue(state.attachment.queue))


def _of_policy(policy: FrequencyPolicy) -> Iterator[Setting]:
    directory = PurePosixPath(CPUFREQ) / policy.name
    if not isinstance(policy.governor, Unknown):
        yield _setting(Knob.GOVERNOR, directory / "scaling_governor", policy.governor, policy.governors)
    if not isinstance(policy.preference, Unknown):
        yield _setting(Knob.PREFERENCE, directory / "energy_performance_preference", policy.preference)


def _of_queue(queue: QueueState) -> Iterator[Setting]:
    directory = PurePosixPath("block") / queue.device / "queue"
    if not isinstance(queue.scheduler, Unknown):
        yield _setting(Knob.SCHEDULER, directory / "scheduler", queue.scheduler, queue.schedulers)
    for knob, now in ((Knob.NOMERGES, queue.nomerges), (Knob.RQ_AFFINITY, queue.rq_affinity)):
        if not isinstance(now, Unknown):
            yield _setting(knob, directory / knob.value, now)
    if not isinstance(queue.io_poll, Unknown):
        yield _setting(Knob.IO_POLL, directory / "io_poll", queue.io_poll)


def _setting(knob: Knob, path: PurePosixPath, now: str, offered: tuple[str, ...] = ()) -> Setting:
    wanted = WANTED[knob]
    lacking = bool(offered) and wanted not in offered
    obstacle = f"the kernel offers only {', '.join(offered)}" if lacking else None
    return Setting(knob=knob, path=path, now=now, wanted=wanted, obstacle=obstacle)
