"""How an audit check tells what it found."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ssdlab.analysis.audit.facts import Facts
from ssdlab.analysis.audit.setup import EngineSetup
from ssdlab.bundle.model import Check, Compared, Outcome
from ssdlab.engine.result import Direction
from ssdlab.message import Message, message, semicolons
from ssdlab.unknown import Unknown

SEVERITY = (Outcome.NOT_APPLICABLE, Outcome.PASS, Outcome.UNKNOWN, Outcome.WARN, Outcome.FAIL)
"""From harmless to worst."""


@dataclass(frozen=True, slots=True)
class RuleResult:
    """Outcome, finding and what was compared, before they get a name."""

    outcome: Outcome
    finding: Message
    numbers: tuple[Compared, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRule:
    """One named check.

    Attributes:
        name: Stable and dotted.
        judge: Looks at a step, or at a job of somebody else's fio.
        meaning: What each outcome means for the numbers; a check that does not apply means nothing.
        remedy: What to do where it does not pass.
    """

    name: str
    judge: Callable[[Facts], RuleResult]
    meaning: Mapping[Outcome, Message] = field(repr=False)
    remedy: Message

    def check(self, facts: Facts) -> Check:
        """Apply the rule."""
        verdict = self.judge(facts)
        applies = verdict.outcome is not Outcome.NOT_APPLICABLE
        return Check(
            name=self.name,
            step=facts.subject,
            outcome=verdict.outcome,
            finding=verdict.finding,
            meaning=self._meaning(verdict.outcome) if applies else None,
            remedy=self.remedy if applies and verdict.outcome is not Outcome.PASS else None,
            numbers=verdict.numbers,
        )

    def _meaning(self, outcome: Outcome) -> Message:
        """That of an outcome; of most that is not known there is nothing more to say than that."""
        if outcome is Outcome.UNKNOWN:
            return self.meaning.get(outcome, message("audit-meaning-unknown"))
        return self.meaning[outcome]


def compared(name: str, value: float | str, unit: str = "") -> Compared:
    """One number with its name and unit."""
    return Compared(name=name, value=value, unit=unit)


def passed_if(
    condition: bool,  # noqa: FBT001 - the condition is the subject
    finding: Message,
    *numbers: Compared,
    otherwise: Outcome = Outcome.FAIL,
) -> RuleResult:
    """A verdict with two ends."""
    return RuleResult(Outcome.PASS if condition else otherwise, finding, numbers)


def passed(finding: Message, *numbers: Compared) -> RuleResult:
    """It was checked and is in order."""
    return RuleResult(Outcome.PASS, finding, numbers)


def unknown(why: Message | Unknown) -> RuleResult:
    """It could not be checked."""
    return RuleResult(Outcome.UNKNOWN, _told(why))


def not_applicable(why: Message | Unknown) -> RuleResult:
    """There is nothing to check."""
    return RuleResult(Outcome.NOT_APPLICABLE, _told(why))


def _told(why: Message | Unknown) -> Message:
    return why if isinstance(why, Message) else why.reason


def together(*findings: Message) -> Message:
    """Several findings as one."""
    return findings[0] if len(findings) == 1 else message("audit-together", findings=semicolons(*findings))


def for_known_setup(judge: Callable[[Facts, EngineSetup], RuleResult]) -> Callable[[Facts], RuleResult]:
    """A judge that needs to know what was asked of the engine."""

    def judged(facts: Facts) -> RuleResult:
        return unknown(facts.setup) if isinstance(facts.setup, Unknown) else judge(facts, facts.setup)

    return judged


def for_each_direction(judge: Callable[[Facts, Direction], RuleResult]) -> Callable[[Facts], RuleResult]:
    """A judge of one direction, applied to all a job did; the worst outcome stands, every finding is kept."""

    def judged(facts: Facts) -> RuleResult:
        found = {direction: judge(facts, direction) for direction in facts.directions}
        if not found:
            return not_applicable(message("audit-no-io"))
        if len(found) == 1:
            return next(iter(found.values()))
        worst = max((verdict.outcome for verdict in found.values()), key=SEVERITY.index)
        applying = {one: verdict for one, verdict in found.items() if verdict.outcome is not Outcome.NOT_APPLICABLE}
        numbers = [
            replace(number, name=f"{direction.value}.{number.name}")
            for direction, verdict in found.items()
            for number in verdict.numbers
        ]
        return RuleResult(worst, _of_all(applying or found), tuple(numbers))

    return judged


def _of_all(verdicts: Mapping[Direction, RuleResult]) -> Message:
    """What was found in all directions, once where a reader would see the same sentence of each."""
    found = {direction: verdict.finding for direction, verdict in verdicts.items()}
    if len({str(finding) for finding in found.values()}) == 1:
        return next(iter(found.values()))
    return together(
        *(
            message("audit-of-direction", direction=direction.value, finding=finding)
            for direction, finding in found.items()
        )
    )
