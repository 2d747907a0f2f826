"""Whether a point that was to be measured until its mean is known could be."""

from ssdlab.analysis.adaptive.words import end_words
from ssdlab.analysis.audit.facts import Facts
from ssdlab.analysis.audit.rule import AuditRule, RuleResult, compared, not_applicable, passed_if
from ssdlab.bundle.model import Outcome
from ssdlab.engine.result import PointEnding
from ssdlab.message import message


def _known(facts: Facts) -> RuleResult:
    end = facts.point_end
    if end is None:
        return not_applicable(message("audit-point-of-fixed-length"))
    numbers = [compared("seen", end.seen_ns, "ns"), compared("within", end.within)]
    if end.reach is not None:
        numbers.insert(1, compared("reach", end.reach))
    ended = end.because not in {PointEnding.NOT_REACHED, PointEnding.NO_NARROWER}
    known = ended and end.reach is not None and end.reach <= end.within
    # What was enough although it is shorter than a rhythm is known by how such stretches of the past differ.
    lasting = end.because is PointEnding.ENOUGH or not end.is_shorter_than_rhythm
    return passed_if(known and lasting, end_words(end), *numbers, otherwise=Outcome.WARN)


RULES = (
    AuditRule(
        name="point.known",
        judge=_known,
        meaning={
            Outcome.PASS: message("audit-point-known-pass"),
            Outcome.WARN: message("audit-point-known-warn"),
        },
        remedy=message("audit-point-known-remedy"),
    ),
)
