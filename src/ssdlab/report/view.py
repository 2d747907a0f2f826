"""A run as the texts of its section of the page; the template only lays them out."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ssdlab.analysis.audit import applicable, findings
from ssdlab.bundle.model import Check, Metric, Outcome, RunStatus, Step, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.figure.subject import caveat, drive_name, is_virtual
from ssdlab.job import DriveState, StepKind
from ssdlab.units import format_bytes, format_bytes_decimal, format_duration, format_interval, format_quantity
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
class MetricRow:
    """A metric, readable."""

    label: str
    name: str
    value: str
    exact: str
    """As in `metrics.json`; empty when unknown."""
    interval: str
    state: str
    note: str
    failed_checks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MetricGroup:
    """The metrics of one step."""

    title: str
    rows: tuple[MetricRow, ...]


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
    """A step and what became of it."""

    name: str
    kind: str
    state: str
    status: str
    duration: str
    reason: str


_LABELS = {
    "duration": "time",
    "cache_bytes": "SLC cache",
    "cache_bandwidth": "speed within the cache",
    "folding_bandwidth": "speed while folding",
    "direct_bandwidth": "speed past the cache",
    "bandwidth_mean": "mean speed",
    "bandwidth_p1": "slowest 1 % of windows",
    "latency_mean_over_time": "mean latency over time",
    "latency_mean_over_ios": "mean latency over I/Os",
}
_TONES = {
    Outcome.FAIL: Tone.BAD,
    Outcome.WARN: Tone.CAUTION,
    Outcome.UNKNOWN: Tone.PLAIN,
    Outcome.PASS: Tone.GOOD,
    Outcome.NOT_APPLICABLE: Tone.PLAIN,
}
_OUTCOME_WORDS = {
    Outcome.FAIL: "failed",
    Outcome.WARN: "warning",
    Outcome.UNKNOWN: "unknown",
    Outcome.PASS: "passed",
    Outcome.NOT_APPLICABLE: "not applicable",
}
_STATUS_BADGES = {
    RunStatus.FINISHED: Badge("run finished", Tone.GOOD),
    RunStatus.INTERRUPTED: Badge("run interrupted", Tone.BAD),
    RunStatus.FAILED: Badge("run failed", Tone.BAD),
    RunStatus.UNFINISHED: Badge("run unfinished: still running, or killed", Tone.BAD),
}


def headline(bundle: Bundle) -> str:
    """Title of a run: `Lab PM1 1TB: fill`."""
    return f"{drive_name(bundle.run.drive)}: {bundle.run.suite.name}"


def verdict(bundle: Bundle) -> str:
    """What was measured, with what, when, and how far it came."""
    run = bundle.run
    finished = len(bundle.finished())
    return (
        f"Suite {run.suite.name} {run.suite.version}, {run.profile} profile, measured by {run.engine} "
        f"on {when(run.started_at)}; {finished} of {len(bundle.steps)} steps finished."
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
    return (status, comparable, *model, _audit_badge(bundle.audit))


def _audit_badge(audit: Sequence[Check]) -> Badge:
    if not audit:
        return Badge("no audit: nothing was concluded yet", Tone.CAUTION)
    counts = {outcome: sum(check.outcome is outcome for check in applicable(audit)) for outcome in _TONES}
    worst = next((outcome for outcome in _TONES if counts[outcome]), Outcome.UNKNOWN)
    words = ", ".join(f"{count} {_OUTCOME_WORDS[outcome]}" for outcome, count in counts.items() if count)
    return Badge(f"audit: {words}", _TONES[worst])


def identity(bundle: Bundle) -> tuple[Facts, ...]:
    """Drive, host and method (METHODS D, as far as the run knows them)."""
    run = bundle.run
    drive, host = run.drive, run.host
    capacity = (
        f"{format_bytes_decimal(drive.capacity_bytes)} ({format_bytes(drive.capacity_bytes)}, "
        f"{drive.capacity_bytes:,} bytes)"
    )
    return (
        Facts(
            "Drive",
            (
                ("Model", known(drive.model)),
                ("Serial number", known(drive.serial)),
                ("Firmware", known(drive.firmware)),
                ("User capacity", capacity),
                ("Logical block", f"{drive.logical_block_bytes:,} B"),
                ("Target", drive.target),
                ("Kind", drive.description),
            ),
        ),
        Facts(
            "Host",
            (
                ("Name", host.hostname),
                ("CPU", f"{host.cpu}, {host.cpu_count} threads"),
                ("Memory", format_bytes(host.memory_bytes)),
                ("System", host.os),
                ("Kernel", host.kernel),
            ),
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
            ),
        ),
    )


def known(value: str | Unknown) -> str:
    """A value, or why it is not known."""
    return f"unknown: {value.unknown}" if isinstance(value, Unknown) else value


def metric_groups(bundle: Bundle) -> tuple[MetricGroup, ...]:
    """The metrics by the step in their names, in the order of the analysis; those of several steps come last."""
    groups: dict[str, list[MetricRow]] = {}
    whole = "Whole run"
    steps = {step.name for step in bundle.steps}
    for metric in bundle.metrics:
        prefix = metric.name.rpartition(".")[0]
        groups.setdefault(prefix if prefix in steps else whole, []).append(metric_row(metric))
    ordered = sorted(groups, key=lambda title: title == whole)
    return tuple(MetricGroup(_group_title(bundle, title), tuple(groups[title])) for title in ordered)


def _group_title(bundle: Bundle, prefix: str) -> str:
    for step in bundle.steps:
        if step.name == prefix and step.state is not DriveState.UNKNOWN:
            return f"{prefix} (drive state: {step.state.value})"
    return prefix


def metric_row(metric: Metric) -> MetricRow:
    """A metric with its value in the unit a reader would choose."""
    last = metric.name.rpartition(".")[2]
    interval = ""
    if isinstance(metric.value, Unknown):
        value, exact = known(metric.value), ""
    elif isinstance(metric.value, bool):
        value, exact = ("yes" if metric.value else "no"), str(metric.value).lower()
    elif isinstance(metric.value, str):
        value, exact = metric.value, ""
    else:
        value = format_quantity(metric.value, metric.unit, metric.low, metric.high)
        exact = repr(metric.value)
        if metric.low is not None and metric.high is not None:
            interval = format_interval(metric.value, metric.unit, metric.low, metric.high)
    return MetricRow(
        label=_LABELS.get(last, last.replace("_", " ")),
        name=metric.name,
        value=value,
        exact=exact,
        interval=interval,
        state=metric.state.value,
        note=metric.note,
        failed_checks=metric.failed_checks,
    )


def check_rows(bundle: Bundle) -> tuple[CheckRow, ...]:
    """The audit: what failed first, what passed last; what many steps have in common stands once."""
    return tuple(
        CheckRow(
            _TONES[one.check.outcome],
            _OUTCOME_WORDS[one.check.outcome],
            one.check.name,
            one.where,
            one.check.finding,
            one.check.meaning,
            one.check.mend,
        )
        for one in findings(applicable(bundle.audit))
    )


def step_rows(bundle: Bundle) -> tuple[StepRow, ...]:
    """The plan and what became of it."""
    return tuple(_step_row(step) for step in bundle.steps)


def _step_row(step: Step) -> StepRow:
    duration = ""
    if step.started_ns is not None and step.ended_ns is not None:
        duration = format_duration(step.ended_ns - step.started_ns)
    begun = step.status is not StepStatus.PLANNED
    status = "started, never ended" if step.status is StepStatus.STARTED else step.status.value
    state = step.state.value if begun else ""
    return StepRow(step.name, step.kind.value, state, status, duration, step.reason or "")


def dropped_options(bundle: Bundle) -> tuple[tuple[str, str, str], ...]:
    """Option, reason and steps of everything the method asks for that could not be used."""
    steps: dict[tuple[str, str], list[str]] = {}
    for step in _with_results(bundle):
        for one in bundle.result(step).dropped:
            steps.setdefault((one.option, one.reason), []).append(step.name)
    return tuple((option, reason, ", ".join(names)) for (option, reason), names in steps.items())


def engine_notes(bundle: Bundle) -> tuple[tuple[str, str], ...]:
    """What the engine said while it succeeded: step and line."""
    return tuple((step.name, line) for step in _with_results(bundle) for line in bundle.result(step).notes)


def _with_results(bundle: Bundle) -> list[Step]:
    return [step for step in bundle.finished() if step.job is not None and step.kind is not StepKind.REST]
