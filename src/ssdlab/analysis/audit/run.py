"""The audit: every finished step, or every job of somebody else's fio, against every check."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ssdlab.analysis.audit.facts import Facts
from ssdlab.analysis.audit.of_step import facts_of
from ssdlab.analysis.audit.rule import SEVERITY
from ssdlab.analysis.audit.rules import amount as audit_amount
from ssdlab.analysis.audit.rules import device as audit_device
from ssdlab.analysis.audit.rules import durability as audit_durability
from ssdlab.analysis.audit.rules import host as audit_host
from ssdlab.analysis.audit.rules import instrument as audit_fio
from ssdlab.analysis.audit.rules import latency as audit_latency
from ssdlab.analysis.audit.rules import load as audit_load
from ssdlab.analysis.audit.rules import mix as audit_mix
from ssdlab.analysis.audit.rules import offsets as audit_offsets
from ssdlab.analysis.audit.rules import point as audit_point
from ssdlab.analysis.audit.rules import silence as audit_silence
from ssdlab.analysis.evidence import StepEvidence
from ssdlab.bundle.model import Check, Outcome
from ssdlab.message import Message, commas, message

RULES = (
    *audit_fio.RULES,
    *audit_host.RULES,
    *audit_load.RULES,
    *audit_point.RULES,
    *audit_mix.RULES,
    *audit_silence.RULES,
    *audit_offsets.RULES,
    *audit_amount.RULES,
    *audit_durability.RULES,
    *audit_device.RULES,
    *audit_latency.RULES,
)
"""All checks, in the order reports show them."""


def audit_of(evidence: StepEvidence) -> tuple[Check, ...]:
    """Outcome of every check of a step; of those that do not apply, why."""
    return audit_facts(facts_of(evidence))


def audit_facts(facts: Facts) -> tuple[Check, ...]:
    """The same of anything that has facts."""
    return tuple(rule.check(facts) for rule in RULES)


def failed(checks: Iterable[Check]) -> tuple[Check, ...]:
    """The checks whose numbers must not be trusted without a look."""
    return tuple(filter(has_failed, checks))


def has_failed(check: Check) -> bool:
    """Whether it is one of these."""
    return check.outcome is Outcome.FAIL


def applicable(checks: Sequence[Check]) -> tuple[Check, ...]:
    """The checks there was something to check for."""
    return tuple(check for check in checks if check.outcome is not Outcome.NOT_APPLICABLE)


_STEPS_NAMED = 3


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """One outcome of one check, in all steps that have it."""

    check: Check
    """Of the first of them."""
    steps: tuple[str, ...]

    @property
    def where(self) -> Message:
        """The steps, as many as one reads."""
        left = max(0, len(self.steps) - _STEPS_NAMED)
        return message("audit-steps", steps=commas(*self.steps[:_STEPS_NAMED]), left=left)


def findings(checks: Sequence[Check]) -> tuple[AuditFinding, ...]:
    """Checks that say the same of many steps as one, the worst outcome first; what passed is one whatever it says.

    A reader tells findings apart by their sentences, which have fewer digits than the numbers in them.
    """
    groups: dict[tuple[str, Outcome, str], list[Check]] = {}
    for check in checks:
        sentence = "" if check.outcome is Outcome.PASS else str(check.finding)
        groups.setdefault((check.name, check.outcome, sentence), []).append(check)
    ordered = sorted(groups.values(), key=lambda group: -SEVERITY.index(group[0].outcome))
    return tuple(AuditFinding(_first_of(group), tuple(one.step for one in group)) for group in ordered)


def _first_of(group: Sequence[Check]) -> Check:
    first = group[0]
    if len({str(check.finding) for check in group}) == 1:
        return first
    return replace(first, finding=message("audit-first-of-several", step=first.step, finding=first.finding))
