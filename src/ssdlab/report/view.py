"""A run as the texts of its section of the page; the template only lays them out."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ssdlab.analysis.audit import applicable, findings
from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.model import Check, Outcome, RunStatus, Step, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.figure.subject import caveat, drive_name, is_virtual
from ssdlab.job import StepKind
from ssdlab.probe.kept import is_probed
from ssdlab.report.drive_facts import address_rows, health_rows, kind_rows, link_words, power_rows, words
from ssdlab.report.host_facts import bench_rows
from ssdlab.report.subjects import OUTCOME_WORDS
from ssdlab.units import format_bytes, format_bytes_decimal, format_duration
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

    text: str
    tone: Tone


@dataclass(frozen=True, slots=True)
class Facts:
    """A small table of names and values."""

    title: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CheckRow:
    """An audit check, readable."""

    tone: Tone
    outcome: str
    name: str
    step: str
    finding: str
    meaning: str
    mend: str


@dataclass(frozen=True, slots=True)
class StepRow:
    """A step, or several that belong together, and what became of them."""

    name: str
    kind: str
    state: str
    status: str
    duration: str
    reason: str


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
    RunStatus.FINISHED: Badge("run finished", Tone.GOOD),
    RunStatus.INTERRUPTED: Badge("run interrupted", Tone.BAD),
    RunStatus.FAILED: Badge("run failed", Tone.BAD),
    RunStatus.STOPPED: Badge("run stopped at a limit", Tone.BAD),
    RunStatus.UNFINISHED: Badge("run unfinished: still running, or killed", Tone.BAD),
}


def headline(bundle: Bundle) -> str:
    """Title of a run: `Lab PM1 1TB: fill`."""
    return f"{drive_name(bundle.run.drive)}: {bundle.run.suite.name}"


def verdict(bundle: Bundle) -> str:
    """What was measured, with what, when, and how far it came."""
    run = bundle.run
    finished = len(bundle.finished())
    skipped = sum(step.status is StepStatus.SKIPPED for step in bundle.steps)
    thinned = sum(one.count for one in bundle.thinned)
    rest = f", {skipped} skipped by its rules" if skipped else ""
    rest += f", {thinned:,} more as totals" if thinned else ""
    return (
        f"Suite {run.suite.name} {run.suite.version}, {run.profile} profile, measured by {run.engine} "
        f"on {when(run.started_at)}; {finished} of {len(bundle.steps)} steps finished{rest}."
    )


def when(iso: str) -> str:
    """A moment for people: `2026-01-20 09:30 UTC`."""
    date, _, time = iso.partition("T")
    return f"{date} {time[:5]} UTC" if time else iso


def badges(bundle: Bundle) -> tuple[Badge, ...]:
    """Status, comparability and audit at a glance."""
    status = _STATUS_BADGES[bundle.status]
    if bundle.reason and bundle.status is not RunStatus.FINISHED:
        status = Badge(f"{status.text}: {bundle.reason}", status.tone)
    warning = caveat(bundle.run)
    comparable = Badge("comparable", Tone.GOOD) if warning is None else Badge(warning, Tone.CAUTION)
    model = (Badge("virtual drive: the numbers of a model", Tone.CAUTION),) if is_virtual(bundle.run) else ()
    graded = Badge("no audit: each answer of a probe has its grade", Tone.PLAIN)
    return (status, comparable, *model, graded if is_probed(bundle) else _audit_badge(bundle.audit))


def _audit_badge(audit: Sequence[Check]) -> Badge:
    if not audit:
        return Badge("no audit: nothing was concluded yet", Tone.CAUTION)
    counts = {outcome: sum(check.outcome is outcome for check in applicable(audit)) for outcome in _TONES}
    worst = next((outcome for outcome in _TONES if counts[outcome]), Outcome.UNKNOWN)
    words = ", ".join(f"{count} {OUTCOME_WORDS[outcome]}" for outcome, count in counts.items() if count)
    return Badge(f"audit: {words}", _TONES[worst])


def identity(bundle: Bundle) -> tuple[Facts, ...]:
    """Drive, host and method (METHODS D, as far as the run knows them)."""
    run = bundle.run
    drive = run.drive
    capacity = (
        f"{format_bytes_decimal(drive.capacity_bytes)} ({format_bytes(drive.capacity_bytes)}, "
        f"{drive.capacity_bytes:,} bytes)"
    )
    return (
        Facts(
            "Drive",
            (
                ("Model", words(drive.model)),
                ("Serial number", words(drive.serial)),
                ("Firmware", words(drive.firmware)),
                ("User capacity", capacity),
                ("Logical block", f"{drive.logical_block_bytes:,} B"),
                ("Target", drive.target),
                ("Kind", drive.description),
                *(() if isinstance(drive.block, Unknown) else (("PCIe link", link_words(drive.block)),)),
            ),
        ),
        Facts(
            "Host",
            tuple(bench_rows(bundle)),
        ),
        Facts(
            "Method",
            (
                ("Suite", f"{run.suite.name} {run.suite.version}"),
                ("Profile", run.profile if run.comparable else f"{run.profile} (not comparable)"),
                ("Engine", run.engine),
                ("ssdlab", run.ssdlab_version),
                ("Seed", str(run.seed)),
                ("Suite SHA-256", run.suite.sha256),
                ("Raw data", str(bundle.path)),
            ),
        ),
    )


def drive_under_test(bundle: Bundle) -> tuple[Facts, ...]:
    """All that a block device says of itself (METHODS D); empty for every other kind of target."""
    block = bundle.run.drive.block
    if isinstance(block, Unknown):
        return ()
    tables = (
        Facts("What it is", tuple(kind_rows(block))),
        Facts("How it is addressed", tuple(address_rows(block))),
        Facts("Health, before and after", tuple(health_rows(bundle, block))),
        Facts("Power states", tuple(power_rows(block))),
    )
    return tuple(one for one in tables if one.rows)


def check_rows(bundle: Bundle | ImportedRun) -> tuple[CheckRow, ...]:
    """The audit: what failed first, what passed last; what many steps have in common stands once."""
    return tuple(
        CheckRow(
            _TONES[one.check.outcome],
            OUTCOME_WORDS[one.check.outcome],
            one.check.name,
            one.where,
            one.check.finding,
            one.check.meaning,
            one.check.mend,
        )
        for one in findings(applicable(bundle.audit))
    )


def _some(names: Sequence[str]) -> str:
    """`fill.pass1, fill.pass2`; of many the first and their number."""
    unique = list(dict.fromkeys(names))
    return ", ".join(unique) if len(unique) <= 3 else f"{len(unique)} steps, {unique[0]} first"


def step_groups(bundle: Bundle) -> tuple[StepGroup, ...]:
    """The plan and what became of it, by the steps of the suite."""
    groups: dict[str, list[Step]] = {}
    for step in bundle.steps:
        groups.setdefault(step.group, []).append(step)
    return tuple(_step_group(name, steps) for name, steps in groups.items())


def _step_group(name: str, steps: Sequence[Step]) -> StepGroup:
    points: dict[str, list[Step]] = {}
    for step in steps:
        points.setdefault(step.point, []).append(step)
    whole = _steps_row(name, steps)
    return StepGroup(whole, tuple(_steps_row(point, ones) for point, ones in points.items()))


def _steps_row(name: str, steps: Sequence[Step]) -> StepRow:
    """Several steps as one row: how many came how far."""
    states = [one.state.value for one in steps if one.status not in {StepStatus.PLANNED, StepStatus.SKIPPED}]
    spans = [one.ended_ns - one.started_ns for one in steps if one.started_ns is not None and one.ended_ns is not None]
    words = [_STATUS_WORDS.get(one.status, one.status.value) for one in steps]
    counts = {word: words.count(word) for word in words}
    reasons = list(dict.fromkeys(one.reason for one in steps if one.reason))
    more = f"; {len(reasons) - 1} more like it" if len(reasons) > 1 else ""
    return StepRow(
        name=steps[0].name if len(steps) == 1 else name,
        kind=", ".join(dict.fromkeys(one.kind.value for one in steps)),
        state=states[0] if states else "",
        status=", ".join(f"{count} {word}" if len(steps) > 1 else word for word, count in counts.items()),
        duration=format_duration(sum(spans)) if spans else "",
        reason=f"{reasons[0]}{more}" if reasons else "",
    )


_STATUS_WORDS = {StepStatus.STARTED: "started, never ended"}


def dropped_options(bundle: Bundle) -> tuple[tuple[str, str, str], ...]:
    """Option, reason and steps of everything the method asks for that could not be used."""
    steps: dict[tuple[str, str], list[str]] = {}
    for step in _with_results(bundle):
        for one in bundle.result(step).dropped:
            steps.setdefault((one.option, one.reason), []).append(step.name)
    return tuple((option, reason, _some(names)) for (option, reason), names in steps.items())


def engine_notes(bundle: Bundle) -> tuple[tuple[str, str], ...]:
    """What the engine said while it succeeded: steps and line."""
    steps: dict[str, list[str]] = {}
    for step in _with_results(bundle):
        for line in bundle.result(step).notes:
            steps.setdefault(line, []).append(step.name)
    return tuple((_some(names), line) for line, names in steps.items())


def _with_results(bundle: Bundle) -> list[Step]:
    return [step for step in bundle.finished() if step.job is not None and step.kind is not StepKind.REST]
