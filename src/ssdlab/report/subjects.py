"""The drives of a report: each is one subject, whatever number of suites it ran, and stands there for a reason (METHODS D)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ssdlab.analysis.audit.run import applicable
from ssdlab.bundle.model import Outcome, RunInfo, RunStatus
from ssdlab.bundle.read import Bundle
from ssdlab.drive.identity import DriveIdentity
from ssdlab.errors import SsdlabError
from ssdlab.figure.kit.drives import Rank
from ssdlab.figure.kit.subject import drive_name, is_virtual
from ssdlab.message import Listed, Message, commas, listed, message, number
from ssdlab.probe.store.reader import is_probed
from ssdlab.report.drive_facts import words
from ssdlab.units import format_bytes_decimal


@dataclass(frozen=True, slots=True, eq=False)
class ReportSubject:
    """One drive and all its runs in the report."""

    name: str
    rank: Rank
    reason: str | None
    """Why it was chosen; None where nobody said it."""
    bundles: tuple[Bundle, ...]


@dataclass(frozen=True, slots=True)
class RunRow:
    """How far a run came and what its audit found."""

    id: str
    """Of its section."""
    drive: str
    suite: str
    status: Message
    audit: Message
    tone: Outcome
    """The worst of the audit."""


@dataclass(frozen=True, slots=True)
class DriveRow:
    """A drive of the report."""

    name: str
    part: Message
    reason: str | Message
    capacity: str
    firmware: Message
    kind: Message
    suites: str


def subjects(bundles: Sequence[Bundle], reasons: Mapping[Path, str]) -> tuple[ReportSubject, ...]:
    """The drives in the order in which they were named; the first is the device under test.

    Args:
        bundles: All runs.
        reasons: Why a run's drive was chosen, by the path of the run.

    Raises:
        SsdlabError: A reason is given for what is not among the runs, or a drive has two.
    """
    named = {bundle.path.resolve() for bundle in bundles}
    for path in reasons:
        if path.resolve() not in named:
            raise SsdlabError(message("report-reason-for-none", path=str(path)), message("report-hint-reason"))
    why = {path.resolve(): reason for path, reason in reasons.items()}
    return tuple(
        ReportSubject(
            drive_name(runs[0].run.drive),
            Rank.COMPARED if number else Rank.UNDER_TEST,
            _reason(runs, why),
            tuple(runs),
        )
        for number, runs in enumerate(by_drive(bundles))
    )


def by_drive(bundles: Iterable[Bundle]) -> Sequence[Sequence[Bundle]]:
    """The runs of each drive, in the order in which the drives were named."""
    runs: dict[tuple[str, str, int], list[Bundle]] = {}
    for bundle in bundles:
        runs.setdefault(_identity(bundle.run.drive), []).append(bundle)
    return list(runs.values())


def _identity(drive: DriveIdentity) -> tuple[str, str, int]:
    """What stays the same from run to run: serial numbers where there are any."""
    serial = drive.serial if isinstance(drive.serial, str) and drive.serial.strip() else drive.target
    return drive_name(drive), serial, drive.capacity_bytes


def _reason(runs: Sequence[Bundle], why: Mapping[Path, str]) -> str | None:
    found = list(dict.fromkeys(why[run.path.resolve()] for run in runs if run.path.resolve() in why))
    if len(found) > 1:
        raise SsdlabError(
            message("report-several-reasons", drive=drive_name(runs[0].run.drive), count=len(found)),
            message("report-hint-one-reason"),
        )
    return found[0] if found else None


def drive_rows(found: Sequence[ReportSubject]) -> tuple[DriveRow, ...]:
    """The drives as a table."""
    return tuple(
        DriveRow(
            name=one.name,
            part=_PARTS[one.rank],
            reason=one.reason or ("" if one.rank is Rank.UNDER_TEST else message("report-reason-not-stated")),
            capacity=format_bytes_decimal(one.bundles[0].run.drive.capacity_bytes),
            firmware=words(one.bundles[0].run.drive.firmware),
            kind=message("report-kind-model") if is_virtual(one.bundles[0].run) else message("report-kind-real"),
            suites=", ".join(dict.fromkeys(_suite(bundle) for bundle in one.bundles)),
        )
        for one in found
    )


def run_rows(bundles: Sequence[Bundle]) -> tuple[RunRow, ...]:
    """The runs in the order of their sections, which are numbered from 1."""
    return tuple(
        RunRow(
            id=f"run{number}",
            drive=drive_name(bundle.run.drive),
            suite=_suite(bundle),
            status=STATUS_WORDS[bundle.status],
            audit=_audit(bundle),
            tone=_worst(bundle),
        )
        for number, bundle in enumerate(bundles, start=1)
    )


def caveat_words(run: RunInfo) -> Message | None:
    """What all numbers of a scaled-down run carry; None of others."""
    return None if run.comparable else message("report-profile-not-comparable", profile=run.profile)


def _suite(bundle: Bundle) -> str:
    run = bundle.run
    return f"{run.suite.name} {run.suite.version}" + ("" if run.comparable else f" ({run.profile})")


_PARTS = {Rank.UNDER_TEST: message("report-part-under-test"), Rank.COMPARED: message("report-part-compared")}
STATUS_WORDS = {
    RunStatus.FINISHED: message("report-status-finished"),
    RunStatus.INTERRUPTED: message("report-status-interrupted"),
    RunStatus.FAILED: message("report-status-failed"),
    RunStatus.STOPPED: message("report-status-stopped"),
    RunStatus.UNFINISHED: message("report-status-unfinished"),
}
OUTCOME_WORDS = {
    Outcome.FAIL: message("report-outcome-failed"),
    Outcome.WARN: message("report-outcome-warning"),
    Outcome.UNKNOWN: message("report-outcome-unknown"),
    Outcome.PASS: message("report-outcome-passed"),
    Outcome.NOT_APPLICABLE: message("report-outcome-not-applicable"),
}
"""In the order of gravity."""


def outcome_counts(counts: Iterable[tuple[Outcome, int]]) -> Listed:
    """`12 passed, 1 warning`."""
    return commas(
        *(
            message("report-outcome-count", count=number(count), outcome=OUTCOME_WORDS[outcome])
            for outcome, count in counts
        )
    )


def _counts(bundle: Bundle) -> Iterator[tuple[Outcome, int]]:
    checks = applicable(bundle.audit)
    for outcome in OUTCOME_WORDS:
        if count := sum(check.outcome is outcome for check in checks):
            yield outcome, count


def _worst(bundle: Bundle) -> Outcome:
    return next((outcome for outcome, _ in _counts(bundle)), Outcome.UNKNOWN)


def _audit(bundle: Bundle) -> Message:
    if is_probed(bundle):
        return message("report-audit-graded")
    found = tuple(_counts(bundle))
    return listed(outcome_counts(found)) if found else message("report-audit-none")
