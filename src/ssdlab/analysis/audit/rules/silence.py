"""Whether writes went on from those before, or a pause of fio's start and end let the drive recover in between."""

from ssdlab.analysis.audit.facts import Facts, VirtualTime
from ssdlab.analysis.audit.rule import AuditRule, RuleResult, compared, not_applicable, passed_if, unknown
from ssdlab.bundle.model import Outcome
from ssdlab.job import StepKind
from ssdlab.message import duration, message
from ssdlab.unknown import Unknown

SHARE_MAX = 0.05
"""Of the time measured. What a drive wins in a pause it spends in about as long."""
_RESTS = {None, StepKind.REST, StepKind.PURGE}


def _silence(facts: Facts) -> RuleResult:
    """The step's time without I/O is fio's start and end; the pause before the first I/O is about as long."""
    if isinstance(facts.asked, Unknown) or isinstance(facts.engine, VirtualTime):
        return not_applicable(message("audit-no-plan"))
    if facts.purpose is not StepKind.MEASURE or not facts.asked.writes:
        return not_applicable(message("audit-silence-no-writes"))
    if facts.before in _RESTS:
        return not_applicable(message("audit-silence-meant"))
    if isinstance(facts.outside_ns, Unknown):
        return unknown(facts.outside_ns)
    silence_ns = max(0, facts.outside_ns - facts.runtime_ns)
    numbers = (compared("silence", silence_ns, "ns"), compared("measured", facts.runtime_ns, "ns"))
    finding = message("audit-silence", silence=duration(silence_ns), measured=duration(facts.runtime_ns))
    return passed_if(silence_ns <= SHARE_MAX * facts.runtime_ns, finding, *numbers, otherwise=Outcome.WARN)


RULES = (
    AuditRule(
        name="load.unbroken",
        judge=_silence,
        meaning={
            Outcome.PASS: message("audit-load-unbroken-pass"),
            Outcome.WARN: message("audit-load-unbroken-warn"),
            Outcome.UNKNOWN: message("audit-load-unbroken-unknown"),
        },
        remedy=message("audit-load-unbroken-remedy"),
    ),
)
