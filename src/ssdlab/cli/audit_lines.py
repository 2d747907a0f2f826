"""An audit as lines of text, the worst first: for `ssdlab show` and `ssdlab log --audit`."""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import TYPE_CHECKING

from ssdlab.cli.language import sentence
from ssdlab.message import Message, commas, message

if TYPE_CHECKING:
    from ssdlab.bundle.model import Check

_LISTED_MAX = 3
"""Findings of one check that are listed; a run of hundreds of steps may have as many."""


class AuditDetail(Enum):
    """How much is said of what did not pass."""

    WHAT_TO_DO = "what to do"
    """What failed or is to be looked at, and the remedy."""
    ALL = "all"
    """Also what it means, and what could not be checked."""


def audit_lines(checks: "Sequence[Check]", detail: AuditDetail = AuditDetail.ALL) -> Iterator[Message | str]:
    """A line that counts, then what did not pass: what was found, and what to do where it is bad."""
    from ssdlab.analysis.audit.run import findings
    from ssdlab.bundle.model import Outcome

    if not checks:
        yield message("audit-nothing-checked")
        return
    yield message("audit-counted", counts=commas(*_counts(checks)))
    listed: dict[tuple[str, Outcome], int] = {}
    left: dict[tuple[str, Outcome], int] = {}
    for one in findings(checks):
        check = one.check
        if check.outcome in {Outcome.PASS, Outcome.NOT_APPLICABLE}:
            continue
        if check.outcome is Outcome.UNKNOWN and detail is AuditDetail.WHAT_TO_DO:
            continue
        key = (check.name, check.outcome)
        listed[key] = listed.get(key, 0) + 1
        if listed[key] > _LISTED_MAX:
            left[key] = left.get(key, 0) + len(one.steps)
            continue
        outcome = check.outcome.value
        line = message("audit-line", outcome=outcome, where=one.where, name=check.name, finding=check.finding)
        yield f"  {sentence(line)}"
        if check.outcome is not Outcome.UNKNOWN and listed[key] == 1:
            if detail is AuditDetail.ALL:
                yield f"    {sentence(check.meaning)}"
            if check.remedy is not None:
                yield f"    {sentence(message('audit-to-do', remedy=check.remedy))}"
    for (name, outcome), count in left.items():
        more = message("audit-line-of-more", outcome=outcome.value, name=name, count=count)
        yield f"  {sentence(more)}"


def _counts(checks: "Sequence[Check]") -> Iterator[Message]:
    from ssdlab.bundle.model import Outcome

    for outcome in (Outcome.FAIL, Outcome.WARN, Outcome.UNKNOWN, Outcome.PASS, Outcome.NOT_APPLICABLE):
        if count := sum(check.outcome is outcome for check in checks):
            yield message("audit-count", outcome=outcome.value, count=count)
