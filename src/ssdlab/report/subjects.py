"""The drives of a report: each is one subject, whatever number of suites it ran, and stands there for a reason (METHODS D)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ssdlab.analysis.audit import applicable
from ssdlab.bundle.model import Outcome, RunStatus
from ssdlab.bundle.read import Bundle
from ssdlab.drive.identity import DriveIdentity
from ssdlab.errors import SsdlabError
from ssdlab.figure.drives import Rank
from ssdlab.figure.subject import drive_name, is_virtual
from ssdlab.probe.kept import is_probed
from ssdlab.report.drive_facts import words
from ssdlab.units import format_bytes_decimal
from ssdlab.unknown import Unknown

NO_REASON = Unknown("not stated")


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """One drive and all its runs in the report."""

    name: str
    rank: Rank
    reason: str | Unknown
    """Why it was chosen."""
    bundles: tuple[Bundle, ...]


@dataclass(frozen=True, slots=True)
class RunRow:
    """How far a run came and what its audit found."""

    id: str
    """Of its section."""
    drive: str
    suite: str
    status: str
    audit: str
    tone: Outcome
    """The worst of the audit."""


@dataclass(frozen=True, slots=True)
class DriveRow:
    """A drive of the report."""

    name: str
    part: str
    reason: str
    capacity: str
    firmware: str
    kind: str
    suites: str


def subjects(bundles: Sequence[Bundle], reasons: Mapping[Path, str]) -> tuple[Subject, ...]:
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
            raise SsdlabError(
                f"there is a reason for `{path}`, which is not among the runs", "write it as the run is written"
            )
    by_drive: dict[tuple[str, str, int], list[Bundle]] = {}
    for bundle in bundles:
        by_drive.setdefault(_identity(bundle.run.drive), []).append(bundle)
    why = {path.resolve(): reason for path, reason in reasons.items()}
    return tuple(
        Subject(
            drive_name(runs[0].run.drive),
            Rank.COMPARED if number else Rank.UNDER_TEST,
            _reason(runs, why),
            tuple(runs),
        )
        for number, runs in enumerate(by_drive.values())
    )


def _identity(drive: DriveIdentity) -> tuple[str, str, int]:
    """What stays the same from run to run: serial numbers where there are any."""
    serial = drive.serial if isinstance(drive.serial, str) and drive.serial.strip() else drive.target
    return drive_name(drive), serial, drive.capacity_bytes


def _reason(runs: Sequence[Bundle], why: Mapping[Path, str]) -> str | Unknown:
    found = list(dict.fromkeys(why[run.path.resolve()] for run in runs if run.path.resolve() in why))
    if len(found) > 1:
        raise SsdlabError(
            f"the drive `{drive_name(runs[0].run.drive)}` has {len(found)} reasons", "give one for one of its runs"
        )
    return found[0] if found else NO_REASON


def drive_rows(found: Sequence[Subject]) -> tuple[DriveRow, ...]:
    """The drives as a table."""
    return tuple(
        DriveRow(
            name=one.name,
            part=one.rank.value,
            reason=one.reason
            if isinstance(one.reason, str)
            else ("" if one.rank is Rank.UNDER_TEST else one.reason.unknown),
            capacity=format_bytes_decimal(one.bundles[0].run.drive.capacity_bytes),
            firmware=words(one.bundles[0].run.drive.firmware),
            kind="model" if is_virtual(one.bundles[0].run) else "real drive",
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
            status=_STATUS_WORDS[bundle.status],
            audit=_audit(bundle),
            tone=_worst(bundle),
        )
        for number, bundle in enumerate(bundles, start=1)
    )


def _suite(bundle: Bundle) -> str:
    run = bundle.run
    return f"{run.suite.name} {run.suite.version}" + ("" if run.comparable else f" ({run.profile})")


_STATUS_WORDS = {
    RunStatus.FINISHED: "finished",
    RunStatus.INTERRUPTED: "interrupted",
    RunStatus.FAILED: "failed",
    RunStatus.STOPPED: "stopped at a limit",
    RunStatus.UNFINISHED: "unfinished",
}
OUTCOME_WORDS = {
    Outcome.FAIL: "failed",
    Outcome.WARN: "warning",
    Outcome.UNKNOWN: "unknown",
    Outcome.PASS: "passed",
    Outcome.NOT_APPLICABLE: "not applicable",
}
"""In the order of gravity."""


def _counts(bundle: Bundle) -> Iterator[tuple[Outcome, int]]:
    checks = applicable(bundle.audit)
    for outcome in OUTCOME_WORDS:
        if count := sum(check.outcome is outcome for check in checks):
            yield outcome, count


def _worst(bundle: Bundle) -> Outcome:
    return next((outcome for outcome, _ in _counts(bundle)), Outcome.UNKNOWN)


def _audit(bundle: Bundle) -> str:
    if is_probed(bundle):
        return "none: each answer has its grade"
    return (
        ", ".join(f"{count:,} {OUTCOME_WORDS[outcome]}" for outcome, count in _counts(bundle)) or "none: not concluded"
    )
