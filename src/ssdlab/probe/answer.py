"""What a probe says: a value with everything needed to trust it, or why the data does not say.

Grades (METHODS B): A when the effect is at least five standard errors, both halves of the data give it by themselves, no other
explanation comes near and the noise is no more than that at which the probe was shown to recover known drives. B when it is
three and both halves give it. C is a hint. An effect of less than three standard errors is no answer.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from pydantic import BeforeValidator

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.message import Message, message
from ssdlab.message_json import MessageField
from ssdlab.unknown import Unknown

STRONG = 5.0
"""Least effect of a grade A, in standard errors."""
VISIBLE = 3.0
"""Least effect of any answer."""
DECISIVE = 10.0
"""Least difference of the Bayesian information criterion to every other explanation (Kass and Raftery 1995: very strong)."""
NOISE_MAX = 0.3
"""Spread of log latency beyond which no probe was tried on known drives: 25 % and outliers."""


class Grade(Enum):
    """How far an answer can be trusted."""

    A = "A"
    B = "B"
    C = "C"
    """A hint, no more."""
    NONE = "not identifiable"
    CLAIMED = "claimed"
    """Said by the drive, not measured."""


class Replicated(Enum):
    """Whether each half of the data gives the answer by itself."""

    YES = "yes"
    NO = "no"
    NOT_TRIED = "not tried"


class Reason(Enum):
    """What kind of obstacle keeps the data from giving an answer."""

    BUFFERED = message("probe-reason-buffered")
    NOISY = message("probe-reason-noisy")
    FLAT = message("probe-reason-flat")
    AMBIGUOUS = message("probe-reason-ambiguous")
    OTHER_LAW = message("probe-reason-other-law")
    NOT_SUPPORTED = message("probe-reason-not-supported")


class Presence(Enum):
    """Whether a drive has what was asked for."""

    YES = message("probe-yes")
    NO = message("probe-no")


def _note_of_old_bundle(found: object) -> object:
    """Where there is no note, bundles of ssdlab 2025.12 and before have an empty text."""
    return None if found == "" else found


Note = Annotated[MessageField | None, BeforeValidator(_note_of_old_bundle)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One thing inferred, or not.

    Attributes:
        name: Stable and dotted: probe, then quantity.
        value: In `unit`, or one of a few kinds, told by a message; Unknown with the reason and an explanation where the data does not say.
        unit: As of metrics; empty for words and counts.
        interval: 95 % interval of a number.
        separation: The effect in standard errors.
        note: What a reader must know beside it.
    """

    name: str
    value: float | int | Unknown | MessageField
    unit: str = ""
    interval: Interval | None = None
    separation: float | None = None
    replicated: Replicated = Replicated.NOT_TRIED
    grade: Grade
    note: Note = None


def not_identifiable(name: str, reason: Reason, explanation: Message, unit: str = "") -> Answer:
    """The answer that the data gives none: what kind of obstacle there is, and what it is."""
    obstacle = message("probe-obstacle", reason=reason.value, explanation=explanation)
    return Answer(name=name, value=Unknown(obstacle), unit=unit, grade=Grade.NONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """What speaks for an answer.

    Attributes:
        separation: The effect in standard errors.
        margin: Difference of the information criterion to the next explanation.
        noise: Spread of log latency of like commands.
    """

    separation: float
    margin: float
    replicated: Replicated
    noise: float


def grade_of(support: Support) -> Grade:
    """The grade that the support allows; `NONE` where the effect is too small to be told from noise."""
    if support.separation < VISIBLE:
        return Grade.NONE
    if support.replicated is not Replicated.YES:
        return Grade.C
    strong = support.separation >= STRONG and support.margin > DECISIVE and support.noise <= NOISE_MAX
    return Grade.A if strong else Grade.B
