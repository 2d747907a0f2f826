"""What of a host misleads a measurement, each with its mend: pure functions of what was seen."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from ssdlab.drive.host_settings import NO_POLL_QUEUES, POLL_QUEUES_MEND, Knob, Setting, settings
from ssdlab.drive.host_state import HostState
from ssdlab.drive.link import LinkFinding, LinkVerdict, judge_link
from ssdlab.unknown import Unknown

ASPM_MEND = (
    "`echo performance > /sys/module/pcie_aspm/parameters/policy`, or `pcie_aspm=off` on the kernel's command line"
)


class Severity(Enum):
    """What a finding means for the numbers, the gravest first."""

    MISLEADS = "misleads"
    """They would be those of something else than the drive, or there would be none."""
    WARNS = "warns"
    """They would be worse than the drive is, or not comparable."""
    NOTED = "noted"
    """To be known."""


class Topic(Enum):
    """What a finding is about, as `--json` names it."""

    FREQUENCY = "cpu frequency"
    QUEUE = "queue"
    POLLING = "polling"
    LINK = "link"
    POWER_SAVING = "link power saving"
    LEFTOVER = "leftover"
    PASSWORD = "ata password"  # noqa: S105 - no password
    CPU_BUSY = "cpu busy"
    MEMORY = "memory"
    SWAPPING = "swapping"
    OTHER_IO = "other io"
    FIO = "fio"
    GUARD = "guard"
    HEALTH = "health"
    SPACE = "space"
    FILE_SYSTEM = "file system"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFinding:
    """One finding.

    Attributes:
        text: What was found.
        mend: What to do about it; empty where there is nothing to do.
    """

    topic: Topic
    severity: Severity
    text: str
    mend: str = ""


class Rights(Enum):
    """Whether a run started like this may change settings of the host."""

    ROOT = "root"
    USER = "user"


def state_findings(state: HostState, rights: Rights) -> tuple[HostFinding, ...]:
    """All that speaks against measuring on the host as it stands, or would be changed for it."""
    rules: tuple[Callable[[HostState], Iterator[HostFinding]], ...] = (_link, _power_saving, _polling, _frequency)
    found = [one for rule in rules for one in rule(state)]
    return (*found, *_settings(state, rights))


def _settings(state: HostState, rights: Rights) -> Iterator[HostFinding]:
    """One finding a knob: hosts have up to some hundred frequency policies."""
    wrong = [one for one in settings(state) if one.now != one.wanted and one.knob is not Knob.IO_POLL]
    for knob in Knob:
        ones = [one for one in wrong if one.knob is knob]
        if ones:
            yield _setting(knob, ones, rights)


def _setting(knob: Knob, ones: list[Setting], rights: Rights) -> HostFinding:
    topic = Topic.FREQUENCY if knob in {Knob.GOVERNOR, Knob.PREFERENCE} else Topic.QUEUE
    now = ", ".join(sorted({one.now for one in ones}))
    text = f"{knob.value} is {now}, wanted is {ones[0].wanted}"
    obstacle = next((one.obstacle for one in ones if one.obstacle is not None), None)
    if obstacle is not None:
        return HostFinding(
            topic=topic,
            severity=Severity.WARNS,
            text=f"{text}; {obstacle}",
            mend="load the driver or the kernel module that offers it",
        )
    if rights is Rights.USER:
        return HostFinding(
            topic=topic, severity=Severity.WARNS, text=f"{text}, and only root may set it", mend="run as root"
        )
    return HostFinding(topic=topic, severity=Severity.NOTED, text=f"{text}; a run sets it, and puts it back")


def link_finding(state: HostState) -> LinkFinding | Unknown:
    """The link of the drive against the best it could be."""
    if isinstance(state.attachment, Unknown):
        return state.attachment
    return judge_link(state.attachment.link, state.attachment.slot)


def _link(state: HostState) -> Iterator[HostFinding]:
    judged = link_finding(state)
    if isinstance(judged, Unknown) or judged.verdict is LinkVerdict.BEST:
        return
    if judged.verdict is LinkVerdict.SLOT:
        yield HostFinding(
            topic=Topic.LINK,
            severity=Severity.WARNS,
            text=f"the link is {judged.text}",
            mend="the numbers are those of this slot; move the drive to a better one",
        )
        return
    yield HostFinding(
        topic=Topic.LINK,
        severity=Severity.MISLEADS,
        text=f"the link is {judged.text}",
        mend="reseat the drive, look at `dmesg` and at the slot's settings in the BIOS",
    )


_SMT = {
    "on": "on",
    "off": "off",
    "forceoff": "off until the next boot",
    "notsupported": "none, one thread a core",
    "notimplemented": "unknown: this kernel cannot switch it",
}
"""The kernel's words for it (Documentation/ABI/testing/sysfs-devices-system-cpu) in those of the field."""


def smt_words(state: HostState) -> str | Unknown:
    """Whether cores run several threads each; some kernels say how many."""
    if isinstance(state.smt, Unknown):
        return state.smt
    return f"on, {state.smt} threads a core" if state.smt.isdecimal() else _SMT.get(state.smt, state.smt)


def aspm_words(state: HostState) -> str | Unknown | None:
    """Which power saving the link of the drive may do; None if none, unknown where neither kernel nor policy tell."""
    if isinstance(state.attachment, Unknown):
        return state.attachment
    if isinstance(state.attachment.link, Unknown):
        return state.attachment.link
    active = state.attachment.aspm_active
    if isinstance(active, Unknown):
        if state.aspm_policy == "performance":
            return None
        policy = state.aspm_policy
        return Unknown(f"{active.unknown}; the policy is {'unknown' if isinstance(policy, Unknown) else policy}")
    return ", ".join(one.removesuffix("_aspm").upper().replace("_", ".") for one in active) or None


def _power_saving(state: HostState) -> Iterator[HostFinding]:
    words = aspm_words(state)
    if isinstance(words, str):
        yield HostFinding(
            topic=Topic.POWER_SAVING,
            severity=Severity.WARNS,
            text=f"the link may save power ({words}): what comes after a pause waits for it to wake",
            mend=ASPM_MEND,
        )


def _polling(state: HostState) -> Iterator[HostFinding]:
    if isinstance(state.attachment, Unknown) or not state.attachment.queue.device.startswith("nvme"):
        return
    if state.attachment.queue.io_poll == "0":
        asked = state.nvme_poll_queues
        yield HostFinding(
            topic=Topic.POLLING,
            severity=Severity.WARNS,
            text=f"completions cannot be polled for: {NO_POLL_QUEUES} (`poll_queues` of the module `nvme` is "
            f"{'unknown' if isinstance(asked, Unknown) else asked}); `hipri` will be dropped",
            mend=POLL_QUEUES_MEND,
        )


def _frequency(state: HostState) -> Iterator[HostFinding]:
    if not state.policies:
        yield HostFinding(
            topic=Topic.FREQUENCY,
            severity=Severity.NOTED,
            text="the kernel does not choose the processors' frequency, as in virtual machines",
        )
