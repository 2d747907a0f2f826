"""The audit: every finished step against every check."""

from collections.abc import Sequence

from ssdlab.analysis import audit_amount, audit_host, audit_latency
from ssdlab.analysis.evidence import Evidence
from ssdlab.bundle.model import Check, Outcome

RULES = (*audit_host.RULES, *audit_amount.RULES, *audit_latency.RULES)
"""All checks, in the order reports show them."""


def audit_of(evidence: Evidence) -> tuple[Check, ...]:
    """Outcome of every check that applies to a step."""
    return tuple(check for rule in RULES if (check := rule.check(evidence)) is not None)


def failed(checks: Sequence[Check]) -> tuple[Check, ...]:
    """The checks whose numbers must not be trusted without a look."""
    return tuple(check for check in checks if check.outcome is Outcome.FAIL)
