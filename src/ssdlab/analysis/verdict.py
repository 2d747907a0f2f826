"""How an audit check says what it found."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ssdlab.analysis.evidence import Evidence
from ssdlab.bundle.model import Check, DirectionTotals, Outcome
from ssdlab.engine.result import Direction

_SEVERITY = (Outcome.PASS, Outcome.UNKNOWN, Outcome.WARN, Outcome.FAIL)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Outcome and finding, before they get a name."""

    outcome: Outcome
    finding: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One named check.

    Attributes:
        name: Stable and dotted.
        judge: Looks at a step; None where the check does not apply to it.
        meaning: What each outcome means for the numbers of the step.
    """

    name: str
    judge: Callable[[Evidence], Verdict | None]
    meaning: Mapping[Outcome, str]

    def check(self, evidence: Evidence) -> Check | None:
        """Apply the rule to a step."""
        verdict = self.judge(evidence)
        if verdict is None:
            return None
        return Check(
            name=self.name,
            step=evidence.step.name,
            outcome=verdict.outcome,
            finding=verdict.finding,
            meaning=self.meaning[verdict.outcome],
        )


def passed_if(condition: bool, finding: str, otherwise: Outcome = Outcome.FAIL) -> Verdict:  # noqa: FBT001 - the condition is the subject
    """A verdict with two ends."""
    return Verdict(Outcome.PASS if condition else otherwise, finding)


def for_each_direction(judge: Callable[[Evidence, Direction], Verdict | None]) -> Callable[[Evidence], Verdict | None]:
    """A judge of one direction, applied to all a job did; the worst outcome stands, every finding is kept."""

    def judged(evidence: Evidence) -> Verdict | None:
        found = {
            direction: verdict
            for direction in evidence.result.directions
            if (verdict := judge(evidence, direction)) is not None
        }
        if not found:
            return None
        worst = max((verdict.outcome for verdict in found.values()), key=_SEVERITY.index)
        single = len(evidence.result.directions) == 1
        parts = [one.finding if single else f"{direction.value}: {one.finding}" for direction, one in found.items()]
        return Verdict(worst, "; ".join(parts))

    return judged


def totals_of(evidence: Evidence, direction: Direction) -> DirectionTotals:
    """Scalars of one direction."""
    return evidence.result.directions[direction]
