"""An audit as lines of text, the worst first: for `ssdlab show` and `ssdlab log --audit`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ssdlab.bundle.model import Check

_LISTED_MAX = 3
"""Findings of one check that are listed; a run of hundreds of steps may have as many."""


def audit_lines(checks: "Sequence[Check]") -> Iterator[str]:
    """A line that counts, then everything that did not pass: what was found, and what to do where it is bad."""
    from ssdlab.analysis.audit import findings
    from ssdlab.bundle.model import Outcome

    if not checks:
        yield "audit: nothing was checked: no step that does I/O was finished"
        return
    yield f"audit: {_counts(checks)}"
    listed: dict[tuple[str, Outcome], int] = {}
    left: dict[tuple[str, Outcome], int] = {}
    for one in findings(checks):
        check = one.check
        if check.outcome in {Outcome.PASS, Outcome.NOT_APPLICABLE}:
            continue
        key = (check.name, check.outcome)
        listed[key] = listed.get(key, 0) + 1
        if listed[key] > _LISTED_MAX:
            left[key] = left.get(key, 0) + len(one.steps)
            continue
        yield f"  {check.outcome.value}: {one.where}: {check.name}: {check.finding}"
        if check.outcome is not Outcome.UNKNOWN and listed[key] == 1:
            yield f"    {check.meaning}"
            yield f"    to do: {check.mend}"
    for (name, outcome), count in left.items():
        yield f"  {outcome.value}: {name}: {count} more steps (`--json` has them all)"


def _counts(checks: "Sequence[Check]") -> str:
    from ssdlab.bundle.model import Outcome

    words = {
        Outcome.FAIL: "failed",
        Outcome.WARN: "to look at",
        Outcome.UNKNOWN: "unknown",
        Outcome.PASS: "passed",
        Outcome.NOT_APPLICABLE: "not applicable",
    }
    counts = {outcome: sum(check.outcome is outcome for check in checks) for outcome in words}
    return ", ".join(f"{count} {words[outcome]}" for outcome, count in counts.items() if count)
