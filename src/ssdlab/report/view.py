"""A run as the texts of its section of the page; the template only lays them out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ssdlab.analysis.audit.run import applicable, findings
from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.model import Check, Outcome, RunStatus, Step, StepStatus
from ssdlab.bundle.publication import PrivateKind
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.signature import read_signed
from ssdlab.bundle.state_words import STATE_WORDS
from ssdlab.figure.kit.subject import drive_name, is_virtual
from ssdlab.job import StepKind
from ssdlab.message import Message, commas, listed, message, number, size, size_decimal, verbatim
from ssdlab.probe.store.reader import is_probed
from ssdlab.report.drive_facts import (
    Row,
    address_rows,
    health_rows,
    kind_rows,
    link_words,
    power_rows,
    told,
    whose,
    words,
)
from ssdlab.report.host_facts import bench_rows
from ssdlab.report.stated.rows import stated_drive_rows
from ssdlab.report.subjects import OUTCOME_WORDS, caveat_words, outcome_counts
from ssdlab.units import format_duration
from ssdlab.unknown import Unknown


class Tone(Enum):
    """How a statement is to be taken; always with a word beside the colour."""

    GOOD = "good"
    PLAIN = "plain"
    CAUTION = "caution"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Badge:
    """A short statement on the whole run."""

    text: Message
    tone: Tone


@dataclass(frozen=True, slots=True)
class FactTable:
    """A small table of names and values."""

    title: Message
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class CheckRow:
    """An audit check, readable."""

    tone: Tone
    is_passed: bool
    outcome: Message
    name: str
    step: Message
    finding: Message
    meaning: Message | str
    """Empty where there is none, as is what follows."""
    remedy: Message | str


@dataclass(frozen=True, slots=True)
class StepRow:
    """A step, or several that belong together, and what became of them."""

    name: str
    kind: Message
    state: Message | str
    """Empty where nothing was begun."""
    status: Message
    duration: str
    reason: Message | str


@dataclass(frozen=True, slots=True)
class StepGroup:
    """The steps made from one step of the suite."""

    whole: StepRow
    points: tuple[StepRow, ...]
    """A row a point: its runs, and the rests and helpers between them."""


_TONES = {
    Outcome.FAIL: Tone.BAD,
    Outcome.WARN: Tone.CAUTION,
    Outcome.UNKNOWN: Tone.PLAIN,
    Outcome.PASS: Tone.GOOD,
    Outcome.NOT_APPLICABLE: Tone.PLAIN,
}
_STATUS_BADGES = {
    RunStatus.FINISHED: Badge(message("report-run-finished"), Tone.GOOD),
    RunStatus.INTERRUPTED: Badge(message("report-run-interrupted"), Tone.BAD),
    RunStatus.FAILED: Badge(message("report-run-failed"), Tone.BAD),
    RunStatus.STOPPED: Badge(message("report-run-stopped"), Tone.BAD),
    RunStatus.UNFINISHED: Badge(message("report-run-unfinished"), Tone.BAD),
}


def headline(bundle: Bundle) -> str:
    """Title of a run: `Lab PM1 1TB: fill`."""
    return f"{drive_name(bundle.run.drive)}: {bundle.run.suite.name}"


def verdict(bundle: Bundle) -> Message:
    """What was measured, with what, when, and how far it came."""
    run = bundle.run
    finished = len(bundle.finished())
    skipped = sum(step.status is StepStatus.SKIPPED for step in bundle.steps)
    thinned = sum(one.count for one in bundle.thinned)
    steps: list[Message] = [message("report-steps-finished", finished=finished, count=len(bundle.steps))]
    if skipped:
        steps.append(message("report-steps-skipped", count=skipped))
    if thinned:
        steps.append(message("report-steps-thinned", count=number(thinned)))
    return message(
        "report-verdict",
        suite=run.suite.name,
        version=run.suite.version,
        profile=run.profile,
        engine=run.engine,
        moment=when(run.started_at),
        steps=commas(*steps),
    )


def when(iso: str) -> str:
    """A moment for people: `2026-01-20 09:30 UTC`."""
    date, _, time = iso.partition("T")
    return f"{date} {time[:5]} UTC" if time else iso


def badges(bundle: Bundle) -> tuple[Badge, ...]:
    """Status, comparability and audit at a glance."""
    status = _STATUS_BADGES[bundle.status]
    if bundle.reason and bundle.status is not RunStatus.FINISHED:
        status = Badge(message("report-run-ended", status=status.text, reason=bundle.reason), status.tone)
    warning = caveat_words(bundle.run)
    comparable = Badge(message("report-comparable"), Tone.GOOD) if warning is None else Badge(warning, Tone.CAUTION)
    model = (Badge(message("report-virtual"), Tone.CAUTION),) if is_virtual(bundle.run) else ()
    graded = Badge(message("report-no-audit-graded"), Tone.PLAIN)
    return (status, comparable, *model, graded if is_probed(bundle) else _audit_badge(bundle.audit))


def _audit_badge(audit: Sequence[Check]) -> Badge:
    if not audit:
        return Badge(message("report-no-audit"), Tone.CAUTION)
    counts = {outcome: sum(check.outcome is outcome for check in applicable(audit)) for outcome in _TONES}
    worst = next((outcome for outcome in _TONES if counts[outcome]), Outcome.UNKNOWN)
    counted = outcome_counts((outcome, count) for outcome, count in counts.items() if count)
    return Badge(message("report-audit-badge", counts=counted), _TONES[worst])


def identity(bundle: Bundle) -> tuple[FactTable, ...]:
    """Drive, host and method (METHODS D, as far as the run knows them)."""
    run = bundle.run
    drive = run.drive
    capacity = message(
        "report-capacity",
        decimal=size_decimal(drive.capacity_bytes),
        binary=size(drive.capacity_bytes),
        count=number(drive.capacity_bytes),
    )
    return (
        FactTable(
            message("report-facts-drive"),
            (
                (message("report-fact-model"), words(drive.model)),
                (message("report-fact-serial"), whose(drive.serial, PrivateKind.SERIAL, run.published)),
                (message("report-fact-firmware"), words(drive.firmware)),
                (message("report-fact-capacity"), capacity),
                (message("report-fact-logical-block"), f"{drive.logical_block_bytes:,} B"),
                (message("report-fact-target"), drive.target),
                (message("report-fact-kind"), drive.description),
                *(
                    ()
                    if isinstance(drive.block, Unknown)
                    else ((message("report-fact-pcie-link"), link_words(drive.block)),)
                ),
            ),
        ),
        *((FactTable(message("stated-title"), stated),) if (stated := stated_drive_rows(bundle)) else ()),
        FactTable(
            message("report-facts-host"),
            tuple(bench_rows(bundle)),
        ),
        FactTable(
            message("report-facts-method"),
            (
                (message("report-fact-suite"), f"{run.suite.name} {run.suite.version}"),
                (
                    message("report-fact-profile"),
                    run.profile if run.comparable else message("report-not-comparable", profile=run.profile),
                ),
                (message("report-fact-engine"), run.engine),
                (verbatim("ssdlab"), run.ssdlab_version),
                (message("report-fact-seed"), str(run.seed)),
                *(
                    ()
                    if (signed := read_signed(bundle.path)) is None
                    else ((message("report-fact-signed-by"), told(signed.by)),)
                ),
                (message("report-fact-suite-sha256"), run.suite.sha256),
                (message("report-fact-raw-data"), str(bundle.path) if run.published is None else bundle.path.name),
            ),
        ),
    )


def drive_under_test(bundle: Bundle) -> tuple[FactTable, ...]:
    """All that a block device says of itself (METHODS D); empty for every other kind of target."""
    block = bundle.run.drive.block
    if isinstance(block, Unknown):
        return ()
    tables = (
        FactTable(message("report-facts-what"), tuple(kind_rows(block))),
        FactTable(message("report-facts-address"), tuple(address_rows(block))),
        FactTable(message("report-facts-health"), tuple(health_rows(bundle, block))),
        FactTable(message("report-facts-power"), tuple(power_rows(block))),
    )
    return tuple(one for one in tables if one.rows)


def check_rows(bundle: Bundle | ImportedRun) -> tuple[CheckRow, ...]:
    """The audit of a run."""
    return audit_rows(bundle.audit)


def audit_rows(audit: Sequence[Check]) -> tuple[CheckRow, ...]:
    """The audit: what failed first, what passed last; what many steps have in common stands once."""
    return tuple(
        CheckRow(
            _TONES[one.check.outcome],
            one.check.outcome is Outcome.PASS,
            OUTCOME_WORDS[one.check.outcome],
            one.check.name,
            one.where,
            one.check.finding,
            one.check.meaning or "",
            one.check.remedy or "",
        )
        for one in findings(applicable(audit))
    )


def _some(names: Sequence[str]) -> Message:
    """`fill.pass1, fill.pass2`; of many the first and their number."""
    unique = list(dict.fromkeys(names))
    if len(unique) <= 3:
        return listed(commas(*unique))
    return message("report-steps-many", count=len(unique), first=unique[0])


def step_groups(bundle: Bundle) -> tuple[StepGroup, ...]:
    """The plan and what became of it, by the steps of the suite."""
    groups: dict[str, list[Step]] = {}
    for step in bundle.steps:
        groups.setdefault(step.group, []).append(step)
    return tuple(_step_group(name, steps) for name, steps in groups.items())


def _step_group(name: str, steps: Sequence[Step]) -> StepGroup:
    points: dict[str, list[Step]] = {}
    for step in steps:
        points.setdefault(step.point.name, []).append(step)
    whole = _steps_row(name, steps)
    return StepGroup(whole, tuple(_steps_row(point, ones) for point, ones in points.items()))


def _steps_row(name: str, steps: Sequence[Step]) -> StepRow:
    """Several steps as one row: how many came how far."""
    states = [STATE_WORDS[one.state] for one in steps if one.status not in {StepStatus.PLANNED, StepStatus.SKIPPED}]
    spans = [one.ended_ns - one.started_ns for one in steps if one.started_ns is not None and one.ended_ns is not None]
    counts = Counter(one.status for one in steps)
    reasons = list(dict.fromkeys(one.reason for one in steps if one.reason))
    return StepRow(
        name=steps[0].name if len(steps) == 1 else name,
        kind=listed(commas(*dict.fromkeys(_KIND_WORDS[one.kind] for one in steps))),
        state=states[0] if states else "",
        status=listed(commas(*(_came_to(status, count, len(steps)) for status, count in counts.items()))),
        duration=format_duration(sum(spans)) if spans else "",
        reason=_reason(reasons),
    )


def _came_to(status: StepStatus, count: int, all_count: int) -> Message:
    return (
        _STATUS_WORDS[status]
        if all_count == 1
        else message("report-steps-of", count=count, status=_STATUS_WORDS[status])
    )


def _reason(reasons: Sequence[Message]) -> Message | str:
    if not reasons:
        return ""
    first = reasons[0]
    return first if len(reasons) == 1 else message("report-reasons", first=first, others=len(reasons) - 1)


_KIND_WORDS = {
    StepKind.PURGE: message("report-step-kind-purge"),
    StepKind.REST: message("report-step-kind-rest"),
    StepKind.FILL: message("report-step-kind-fill"),
    StepKind.RAMP: message("report-step-kind-ramp"),
    StepKind.MEASURE: message("report-step-kind-measure"),
    StepKind.TRIM: message("report-step-kind-trim"),
    StepKind.PRECONDITION: message("report-step-kind-precondition"),
    StepKind.SEARCH: message("report-step-kind-search"),
}
_STATUS_WORDS = {
    StepStatus.PLANNED: message("report-step-planned"),
    StepStatus.STARTED: message("report-step-started"),
    StepStatus.FINISHED: message("report-step-finished"),
    StepStatus.INTERRUPTED: message("report-step-interrupted"),
    StepStatus.FAILED: message("report-step-failed"),
    StepStatus.SKIPPED: message("report-step-skipped"),
}


def step_status_words(status: StepStatus) -> Message:
    """What became of a step."""
    return _STATUS_WORDS[status]


def dropped_options(bundle: Bundle) -> tuple[tuple[str, Message, Message], ...]:
    """Option, reason and steps of everything the method asks for that could not be used."""
    steps: dict[tuple[str, Message], list[str]] = {}
    for step in _with_results(bundle):
        for one in bundle.result(step).dropped:
            steps.setdefault((one.option, one.reason), []).append(step.name)
    return tuple((option, reason, _some(names)) for (option, reason), names in steps.items())


def engine_notes(bundle: Bundle) -> tuple[Message, ...]:
    """What the engine said while it succeeded: steps and line."""
    steps: dict[str, list[str]] = {}
    for step in _with_results(bundle):
        for line in bundle.result(step).notes:
            steps.setdefault(line, []).append(step.name)
    return tuple(
        message("report-engine-note", steps=_some(names), note=verbatim(line)) for line, names in steps.items()
    )


def warnings(bundle: Bundle) -> tuple[Message, ...]:
    """What the reader of the results must know."""
    return tuple(warned.sentence for warned in bundle.warned)


def _with_results(bundle: Bundle) -> list[Step]:
    return [step for step in bundle.finished() if step.job is not None and step.kind is not StepKind.REST]
