"""Who the drive is, in one line, and whether its numbers can be trusted, in another."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ssdlab.analysis.audit.run import applicable
from ssdlab.bundle.imported import ImportedDrive, ImportedRun
from ssdlab.bundle.model import Check, Outcome, RunInfo, RunStatus
from ssdlab.bundle.read import Bundle
from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.kit.stated import Photo, stated_of
from ssdlab.figure.kit.subject import is_virtual
from ssdlab.message import Listed, Message, Separator, listed, message, size_decimal
from ssdlab.probe.store.reader import is_probed
from ssdlab.report.drive_facts import link_words, words
from ssdlab.report.stated.rows import stated_line
from ssdlab.report.subjects import STATUS_WORDS, caveat_words, outcome_counts
from ssdlab.report.view import Tone
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True)
class Masthead:
    """The lines below the name."""

    facts: Message
    trust: Message
    tone: Tone
    """Bad only where something failed."""
    stated: Message | None = None
    """What the operator says of the drive; None where nothing was said."""
    photo: Photo | None = None


def masthead(bundles: Sequence[Bundle]) -> Masthead:
    """The drive of the first run; the trust is in all of them."""
    checks = [check for bundle in bundles for check in bundle.audit]
    failed = any(
        bundle.status is not RunStatus.FINISHED or bundle.faults for bundle in bundles
    ) or Outcome.FAIL in _outcomes(checks)
    return Masthead(
        facts=_in_one_line(tuple(_facts(bundles[0].run))),
        trust=_in_one_line(tuple(_trust(bundles, checks))),
        tone=Tone.BAD if failed else Tone.PLAIN,
        stated=message("stated-line", facts=_in_one_line(stated)) if (stated := stated_line(bundles[0])) else None,
        photo=None if (drive := stated_of(bundles[0]).drive) is None else drive.photo,
    )


def masthead_of_imports(runs: Sequence[ImportedRun]) -> Masthead:
    """The drive of the first result."""
    info, checks = runs[0].info, [check for run in runs for check in run.audit]
    return Masthead(
        facts=_in_one_line(tuple(_facts_of_import(info.drive))),
        trust=_in_one_line((message("verdict-imported", program=info.program), *_audited(checks))),
        tone=Tone.BAD if Outcome.FAIL in _outcomes(checks) else Tone.PLAIN,
    )


def _facts_of_import(drive: ImportedDrive) -> Iterator[Message]:
    if not isinstance(drive.capacity_bytes, Unknown):
        yield message("verdict-capacity", capacity=size_decimal(drive.capacity_bytes))
    if not isinstance(drive.firmware, Unknown):
        yield message("verdict-firmware", firmware=drive.firmware)


def _in_one_line(parts: tuple[Message, ...]) -> Message:
    return listed(Listed(parts, Separator.DOT))


def _facts(run: RunInfo) -> Iterator[Message]:
    """Capacity, interface and firmware, as far as they are known."""
    drive = run.drive
    yield message("verdict-capacity", capacity=size_decimal(drive.capacity_bytes))
    yield message("verdict-virtual") if is_virtual(run) else _interface(drive)
    if not isinstance(drive.firmware, Unknown):
        yield message("verdict-firmware", firmware=drive.firmware)


def _interface(drive: DriveIdentity) -> Message:
    """The link as it is now; where none is known, the kind of the target."""
    if not isinstance(drive.block, Unknown):
        if not isinstance(drive.block.link, Unknown):
            return link_words(drive.block)
        smart = drive.block.details.smart
        if not isinstance(smart, Unknown) and not isinstance(smart.link_now, Unknown):
            return words(smart.link_now)
    return drive.description


def _trust(bundles: Sequence[Bundle], checks: Sequence[Check]) -> Iterator[Message]:
    statuses = [bundle.status for bundle in bundles]
    for status in dict.fromkeys(statuses):
        yield message("verdict-runs", count=statuses.count(status), status=STATUS_WORDS[status])
    if any(bundle.faults for bundle in bundles):
        yield message("report-damaged")
    caveats = [caveat for bundle in bundles if (caveat := caveat_words(bundle.run)) is not None]
    yield from dict.fromkeys(caveats) or [message("report-comparable")]
    if any(is_virtual(bundle.run) for bundle in bundles):
        every = all(is_virtual(bundle.run) for bundle in bundles)
        yield message("report-virtual") if every else message("report-some-are-models")
    if any(is_probed(bundle) for bundle in bundles):
        yield message("report-no-audit-graded")
    yield from _audited(checks)
    if not checks and not all(is_probed(bundle) for bundle in bundles):
        yield message("report-no-audit")


def _outcomes(checks: Sequence[Check]) -> list[Outcome]:
    return [check.outcome for check in applicable(tuple(checks))]


def _audited(checks: Sequence[Check]) -> Iterator[Message]:
    outcomes = _outcomes(checks)
    counts = [(outcome, outcomes.count(outcome)) for outcome in Outcome]
    if outcomes:
        yield message("report-audit-badge", counts=outcome_counts((one, count) for one, count in counts if count))
