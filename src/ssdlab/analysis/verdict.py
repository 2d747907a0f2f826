"""How an audit check says what it found."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ssdlab.analysis.audit_facts import Facts
from ssdlab.analysis.audit_setup import Setup
from ssdlab.bundle.model import Check, Compared, Outcome
from ssdlab.engine.result import Direction
from ssdlab.unknown import Unknown

SEVERITY = (Outcome.NOT_APPLICABLE, Outcome.PASS, Outcome.UNKNOWN, Outcome.WARN, Outcome.FAIL)
"""From harmless to worst."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Outcome, finding and what was compared, before they get a name."""

    outcome: Outcome
    finding: str
    numbers: tuple[Compared, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One named check.

    Attributes:
        name: Stable and dotted.
        judge: Looks at a step, or at a job of somebody else's fio.
        meaning: What each outcome means for the numbers; a check that does not apply means nothing.
        mend: What to do where it does not pass.
    """

    name: str
    judge: Callable[[Facts], Verdict]
    meaning: Mapping[Outcome, str] = field(repr=False)
    mend: str

    def check(self, facts: Facts) -> Check:
        """Apply the rule."""
        verdict = self.judge(facts)
        applies = verdict.outcome is not Outcome.NOT_APPLICABLE
        return Check(
            name=self.name,
            step=facts.subject,
            outcome=verdict.outcome,
            finding=verdict.finding,
            meaning=self.meaning[verdict.outcome] if applies else "",
            mend=self.mend if applies and verdict.outcome is not Outcome.PASS else "",
            numbers=verdict.numbers,
        )


def compared(name: str, value: float | str, unit: str = "") -> Compared:
    """One number with its name and unit."""
    return Compared(name=name, value=value, unit=unit)


def passed_if(
    condition: bool,  # noqa: FBT001 - the condition is the subject
    finding: str,
    *numbers: Compared,
    otherwise: Outcome = Outcome.FAIL,
) -> Verdict:
    """A verdict with two ends."""
    return Verdict(Outcome.PASS if condition else otherwise, finding, numbers)


def passed(finding: str, *numbers: Compared) -> Verdict:
    """It was checked and is in order."""
    return Verdict(Outcome.PASS, finding, numbers)


def unknown(why: str) -> Verdict:
    """It could not be checked."""
    return Verdict(Outcome.UNKNOWN, why)


def not_applicable(why: str) -> Verdict:
    """There is nothing to check."""
    return Verdict(Outcome.NOT_APPLICABLE, why)


def for_known_setup(judge: Callable[[Facts, Setup], Verdict]) -> Callable[[Facts], Verdict]:
    """A judge that needs to know what was asked of the engine."""

    def judged(facts: Facts) -> Verdict:
        return unknown(facts.setup.unknown) if isinstance(facts.setup, Unknown) else judge(facts, facts.setup)

    return judged


def for_each_direction(judge: Callable[[Facts, Direction], Verdict]) -> Callable[[Facts], Verdict]:
    """A judge of one direction, applied to all a job did; the worst outcome stands, every finding is kept."""

    def judged(facts: Facts) -> Verdict:
        found = {direction: judge(facts, direction) for direction in facts.directions}
        if not found:
            return not_applicable("no I/O was done")
        worst = max((verdict.outcome for verdict in found.values()), key=SEVERITY.index)
        if len(found) == 1:
            return next(iter(found.values()))
        telling = {one: verdict for one, verdict in found.items() if verdict.outcome is not Outcome.NOT_APPLICABLE}
        words = {direction: verdict.finding for direction, verdict in (telling or found).items()}
        same = len(set(words.values())) == 1
        parts = [next(iter(words.values()))] if same else [f"{one.value}: {text}" for one, text in words.items()]
        numbers = [
            replace(number, name=f"{direction.value}.{number.name}")
            for direction, verdict in found.items()
            for number in verdict.numbers
        ]
        return Verdict(worst, "; ".join(parts), tuple(numbers))

    return judged
