"""What of a host would distort a measurement, each with its remedy: pure functions of what was seen."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from ssdlab.host.link import LinkFinding, LinkVerdict, judge_link
from ssdlab.host.settings import NO_POLL_QUEUES, POLL_QUEUES_REMEDY, HostSetting, Knob, settings
from ssdlab.host.state import HostState
from ssdlab.message import Message, commas, message, verbatim
from ssdlab.message_json import MessageField
from ssdlab.unknown import Unknown

ASPM_REMEDY = message("host-remedy-aspm")


class Severity(Enum):
    """What a finding means for the numbers, the gravest first."""

    ERROR = "error"
    """They would be those of something else than the drive, or there would be none."""
    WARNING = "warning"
    """They would be worse than the drive is, or not comparable."""
    INFO = "info"
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
        message: What was found.
        remedy: What to do about it; None where there is nothing to do.
    """

    topic: Topic
    severity: Severity
    message: MessageField
    remedy: MessageField | None = None


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


def _setting(knob: Knob, ones: list[HostSetting], rights: Rights) -> HostFinding:
    topic = Topic.FREQUENCY if knob in {Knob.GOVERNOR, Knob.PREFERENCE} else Topic.QUEUE
    now = commas(*sorted({one.now for one in ones}))
    found = message("host-knob-is", knob=knob.words, now=now, wanted=ones[0].wanted)
    obstacle = next((one.obstacle for one in ones if one.obstacle is not None), None)
    if obstacle is not None:
        return HostFinding(
            topic=topic,
            severity=Severity.WARNING,
            message=message("host-knob-obstacle", setting=found, obstacle=obstacle),
            remedy=message("host-remedy-obstacle"),
        )
    if rights is Rights.USER:
        return HostFinding(
            topic=topic,
            severity=Severity.WARNING,
            message=message("host-knob-needs-root", setting=found),
            remedy=message("host-remedy-root"),
        )
    return HostFinding(topic=topic, severity=Severity.INFO, message=message("host-knob-run-sets", setting=found))


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
            severity=Severity.WARNING,
            message=message("host-link", link=judged.words),
            remedy=message("host-remedy-slot"),
        )
        return
    yield HostFinding(
        topic=Topic.LINK,
        severity=Severity.ERROR,
        message=message("host-link", link=judged.words),
        remedy=message("host-remedy-link"),
    )


_SMT = {
    "on": message("host-smt-on"),
    "off": message("host-smt-off"),
    "forceoff": message("host-smt-off-until-boot"),
    "notsupported": message("host-smt-none"),
    "notimplemented": message("host-smt-unknown"),
}
"""The kernel's words for it (Documentation/ABI/testing/sysfs-devices-system-cpu) in those of the field."""


def smt_words(state: HostState) -> Message | Unknown:
    """Whether cores run several threads each; some kernels say how many."""
    if isinstance(state.smt, Unknown):
        return state.smt
    if state.smt.isdecimal():
        return message("host-smt-threads", count=int(state.smt))
    return _SMT.get(state.smt) or verbatim(state.smt)


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
        return Unknown(
            message("unknown-policy", why=active.reason, policy="unknown" if isinstance(policy, Unknown) else policy)
        )
    return ", ".join(one.removesuffix("_aspm").upper().replace("_", ".") for one in active) or None


def _power_saving(state: HostState) -> Iterator[HostFinding]:
    words = aspm_words(state)
    if isinstance(words, str):
        yield HostFinding(
            topic=Topic.POWER_SAVING,
            severity=Severity.WARNING,
            message=message("host-link-saves-power", states=words),
            remedy=ASPM_REMEDY,
        )


def _polling(state: HostState) -> Iterator[HostFinding]:
    if isinstance(state.attachment, Unknown) or not state.attachment.queue.device.startswith("nvme"):
        return
    if state.attachment.queue.io_poll == "0":
        asked = state.nvme_poll_queues
        yield HostFinding(
            topic=Topic.POLLING,
            severity=Severity.WARNING,
            message=message(
                "host-cannot-poll",
                why=NO_POLL_QUEUES,
                asked=message("host-unknown") if isinstance(asked, Unknown) else asked,
            ),
            remedy=POLL_QUEUES_REMEDY,
        )


def _frequency(state: HostState) -> Iterator[HostFinding]:
    if not state.policies:
        yield HostFinding(
            topic=Topic.FREQUENCY,
            severity=Severity.INFO,
            message=message("host-no-frequency"),
        )
