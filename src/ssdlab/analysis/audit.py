"""The audit: every finished step, or every job of somebody else's fio, against every check."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ssdlab.analysis import (
    audit_amount,
    audit_device,
    audit_fio,
    audit_host,
    audit_latency,
    audit_load,
    audit_offsets,
)
from ssdlab.analysis.audit_facts import Facts
from ssdlab.analysis.audit_step import facts_of
from ssdlab.analysis.evidence import Evidence
from ssdlab.analysis.verdict import SEVERITY
from ssdlab.bundle.model import Check, Outcome

RULES = (
    *audit_fio.RULES,
    *audit_host.RULES,
    *audit_load.RULES,
    *audit_offsets.RULES,
    *audit_amount.RULES,
    *audit_device.RULES,
    *audit_latency.RULES,
)
"""All checks, in the order reports show them."""


def audit_of(evidence: Evidence) -> tuple[Check, ...]:
    """Outcome of every check of a step; of those that do not apply, why."""
    return audit_facts(facts_of(evidence))


def audit_facts(facts: Facts) -> tuple[Check, ...]:
    """The same of anything that has facts."""
    return tuple(rule.check(facts) for rule in RULES)


def failed(checks: Sequence[Check]) -> tuple[Check, ...]:
    """The checks whose numbers must not be trusted without a look."""
    return tuple(check for check in checks if check.outcome is Outcome.FAIL)


def applicable(checks: Sequence[Check]) -> tuple[Check, ...]:
    """The checks there was something to check for."""
    return tuple(check for check in checks if check.outcome is not Outcome.NOT_APPLICABLE)


_STEPS_NAMED = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """One outcome of one check, in all steps that have it."""

    check: Check
    """Of the first of them."""
    steps: tuple[str, ...]

    @property
    def where(self) -> str:
        """The steps, as many as one reads."""
        left = len(self.steps) - _STEPS_NAMED
        return ", ".join(self.steps[:_STEPS_NAMED]) + (f" and {left} more" if left > 0 else "")


def findings(checks: Sequence[Check]) -> tuple[Finding, ...]:
    """Checks that say the same of many steps as one, the worst outcome first; what passed is one whatever it says."""
    groups: dict[tuple[str, Outcome, str], list[Check]] = {}
    for check in checks:
        said = "" if check.outcome is Outcome.PASS else check.finding
        groups.setdefault((check.name, check.outcome, said), []).append(check)
    ordered = sorted(groups.values(), key=lambda group: -SEVERITY.index(group[0].outcome))
    return tuple(Finding(_first_of(group), tuple(one.step for one in group)) for group in ordered)


def _first_of(group: Sequence[Check]) -> Check:
    first = group[0]
    if all(check.finding == first.finding for check in group):
        return first
    return replace(first, finding=f"{first.step}: {first.finding}; others likewise")
