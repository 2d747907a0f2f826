"""Whether I/O went on from that before, or a pause of the engine's start and end let the drive recover in between."""

from collections.abc import Callable
from dataclasses import replace

from ssdlab.analysis.audit.facts import Facts, OwnLoad, VirtualTime
from ssdlab.analysis.audit.rule import AuditRule, RuleResult, compared, not_applicable, passed_if, unknown
from ssdlab.bundle.model import Outcome
from ssdlab.job import StepKind
from ssdlab.message import Message, duration, message
from ssdlab.units import NS_PER_MS
from ssdlab.unknown import Unknown

SHARE_MAX = 0.05
"""Of the time measured. What a drive wins in a pause it spends in about as long."""
GAP_NS_MAX = 5 * NS_PER_MS
"""Between two points of the load engine: no drive is seen to do anything of its own accord so soon."""
_RESTS = {None, StepKind.REST, StepKind.PURGE}
_POINTS = {StepKind.RAMP, StepKind.MEASURE}


def _silence(facts: Facts) -> RuleResult:
    """The pause before the first I/O, by an engine that tells; else the step's time without I/O is about as long: fio's start and end."""
    if isinstance(facts.asked, Unknown) or isinstance(facts.engine, VirtualTime):
        return not_applicable(message("audit-no-plan"))
    if facts.purpose is not StepKind.MEASURE or not facts.asked.writes:
        return not_applicable(message("audit-silence-no-writes"))
    if facts.before in _RESTS:
        return not_applicable(message("audit-silence-meant"))
    measured = duration(facts.runtime_ns)
    if not isinstance(facts.gap_ns, Unknown):
        before = message("audit-silence-before", silence=duration(facts.gap_ns), measured=measured)
        return _judged(facts.gap_ns, facts.runtime_ns, before)
    silence_ns = _at_ends_ns(facts)
    if isinstance(silence_ns, Unknown):
        return unknown(silence_ns)
    at_ends = message("audit-silence", silence=duration(silence_ns), measured=measured)
    return _judged(silence_ns, facts.runtime_ns, at_ends)


def _judged(silence_ns: int, runtime_ns: int, finding: Message) -> RuleResult:
    numbers = (compared("silence", silence_ns, "ns"), compared("measured", runtime_ns, "ns"))
    return passed_if(silence_ns <= SHARE_MAX * runtime_ns, finding, *numbers, otherwise=Outcome.WARN)


def _at_ends_ns(facts: Facts) -> int | Unknown:
    """The step's time without I/O."""
    if isinstance(facts.outside_ns, Unknown):
        return facts.outside_ns
    return max(0, facts.outside_ns - facts.runtime_ns)


def _gap(facts: Facts) -> RuleResult:
    """Passed where no drive does anything of its own accord meanwhile; a longer one is told, and judged by what it is a share of."""
    if isinstance(facts.asked, Unknown) or isinstance(facts.engine, VirtualTime):
        return not_applicable(message("audit-no-plan"))
    if facts.purpose not in _POINTS or facts.before not in _POINTS:
        return not_applicable(message("audit-gap-first"))
    if not isinstance(facts.engine, OwnLoad):
        return _told(_at_ends_ns(facts), lambda gap_ns: message("audit-gap-of-fio", gap=duration(gap_ns)))
    if isinstance(facts.gap_ns, Unknown):
        return unknown(facts.gap_ns)
    told = _told(facts.gap_ns, lambda gap_ns: message("audit-gap", gap=duration(gap_ns)))
    return replace(told, outcome=Outcome.PASS) if facts.gap_ns < GAP_NS_MAX else told


def _told(gap_ns: int | Unknown, finding: Callable[[int], Message]) -> RuleResult:
    """Without a verdict."""
    if isinstance(gap_ns, Unknown):
        return not_applicable(gap_ns)
    return RuleResult(Outcome.NOT_APPLICABLE, finding(gap_ns), (compared("gap", gap_ns, "ns"),))


RULES = (
    AuditRule(
        name="points.gap",
        judge=_gap,
        meaning={
            Outcome.PASS: message("audit-points-gap-pass"),
            Outcome.UNKNOWN: message("audit-points-gap-unknown"),
        },
        remedy=message("audit-points-gap-remedy"),
    ),
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
