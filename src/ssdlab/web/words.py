"""What the pages say of runs, as messages."""

from collections import Counter
from dataclasses import dataclass

from ssdlab.bundle.model import Outcome, Step, StepStatus
from ssdlab.figure.kit.subject import drive_name
from ssdlab.message import Message, bandwidth, commas, duration, listed, message, number, size
from ssdlab.report.view import CheckRow, Tone, audit_rows, step_status_words
from ssdlab.units import NS_PER_S
from ssdlab.web.bench import RunningRun
from ssdlab.web.phases import RunState, StepSoFar

NONE = message("web-none")


@dataclass(frozen=True, slots=True)
class Now:
    """What a run does at this moment."""

    drive: str
    suite: str
    place: Message
    step: str
    share: Message
    speed: Message
    left: Message
    temperature: Message


def now_of(run: RunningRun) -> Now:
    """In words; a dash for what is not known."""
    info, step = run.state.bundle.run, run.step
    done = sum(one.step.status is not StepStatus.STARTED for one in run.state.phases)
    count = len(run.state.bundle.steps)
    return Now(
        drive=drive_name(info.drive),
        suite=f"{info.suite.name} {info.suite.version}",
        place=message("web-step-of", number=min(done + 1, count), count=count),
        step="" if step is None else step.name,
        share=NONE if run.share_done is None else message("web-percent", share=number(run.share_done * 100, ".0f")),
        speed=NONE if run.bandwidth_bytes_per_s is None else listed(commas(bandwidth(run.bandwidth_bytes_per_s))),
        left=_left_words(run.left_ns),
        temperature=NONE
        if run.temperature_c is None
        else message("web-celsius", temperature=number(run.temperature_c, ".0f")),
    )


def _left_words(left_ns: float | None) -> Message:
    """In whole seconds, which is more than anybody knows."""
    if left_ns is None:
        return NONE
    whole_ns = left_ns // NS_PER_S * NS_PER_S
    return listed(commas(duration(whole_ns))) if whole_ns else message("web-soon")


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """A step that has begun."""

    name: str
    status: Message
    time: Message
    amount: Message
    speed: Message
    slowest: Message


def phase_rows(state: RunState) -> list[PhaseRow]:
    """The newest first."""
    return [_phase_row(one) for one in reversed(state.phases)]


def _phase_row(phase: StepSoFar) -> PhaseRow:
    step = phase.step
    took_ns = _took_ns(step)
    moved = phase.io_bytes is not None and phase.runtime_ns > 0
    return PhaseRow(
        name=step.name,
        status=message("web-running") if step.status is StepStatus.STARTED else step_status_words(step.status),
        time=NONE if took_ns is None else listed(commas(duration(took_ns))),
        amount=listed(commas(size(phase.io_bytes))) if moved and phase.io_bytes is not None else NONE,
        speed=listed(commas(bandwidth(phase.io_bytes * NS_PER_S / phase.runtime_ns)))
        if moved and phase.io_bytes is not None
        else NONE,
        slowest=NONE if phase.slowest_ns is None else listed(commas(duration(phase.slowest_ns))),
    )


def _took_ns(step: Step) -> int | None:
    return None if step.started_ns is None or step.ended_ns is None else step.ended_ns - step.started_ns


@dataclass(frozen=True, slots=True)
class AuditSoFar:
    """The audit of the steps that are over."""

    words: Message
    tone: Tone
    rows: tuple[CheckRow, ...]
    """What did not pass."""


def audit_so_far(state: RunState) -> AuditSoFar:
    """In words."""
    counts = Counter(check.outcome for check in state.checks)
    if not counts:
        return AuditSoFar(message("web-no-audit-yet"), Tone.PLAIN, ())
    tone = Tone.BAD if counts[Outcome.FAIL] else Tone.CAUTION if counts[Outcome.WARN] else Tone.GOOD
    words = message(
        "web-audit-so-far",
        passed=number(counts[Outcome.PASS], "d"),
        warned=number(counts[Outcome.WARN], "d"),
        failed=number(counts[Outcome.FAIL], "d"),
        unknown=number(counts[Outcome.UNKNOWN], "d"),
    )
    return AuditSoFar(words, tone, tuple(row for row in audit_rows(state.checks) if not row.is_passed))
