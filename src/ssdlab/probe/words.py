"""What an answer says, as a message."""

from ssdlab.message import Message, Value, commas, message, number
from ssdlab.probe.answer import Answer, Grade, Replicated
from ssdlab.units import GIB, KIB, MIB, format_quantity
from ssdlab.unknown import Unknown

_SURE = 1000
"""Beyond so many nothing is surer; a drive without noise has millions."""


def answer_message(answer: Answer) -> Message:
    """Value, interval and grade in one line."""
    if isinstance(answer.value, Unknown):
        return message("probe-not-identifiable", why=str(answer.value.reason))
    parts: list[Value] = [value_of(answer), grade_message(answer.grade)]
    if answer.interval is not None and answer.interval.low < answer.interval.high:
        low, high = (quantity_text(end, answer.unit) for end in (answer.interval.low, answer.interval.high))
        parts.append(message("probe-interval", low=low, high=high))
    if answer.separation is not None:
        sure = answer.separation > _SURE
        parts.append(
            message("probe-separation-over", errors=number(_SURE))
            if sure
            else message("probe-separation", errors=number(answer.separation, ".0f"))
        )
    if answer.replicated is Replicated.NO:
        parts.append(message("probe-halves-differ"))
    return message("probe-answer", parts=commas(*parts))


def grade_message(grade: Grade) -> Message:
    """The grade as it stands beside a value."""
    match grade:
        case Grade.A | Grade.B | Grade.C:
            return message("probe-grade", grade=grade.value)
        case Grade.NONE:
            return message("probe-grade-none")
        case Grade.CLAIMED:
            return message("probe-grade-claimed")


def value_of(answer: Answer) -> Message | str:
    """The value alone, for a sentence; a number in its unit."""
    return answer.value if isinstance(answer.value, Message) else quantity_text(answer.value, answer.unit)


def quantity_text(value: object, unit: str) -> str:
    """A number in its unit; sizes in whole units where they are, and fewer than 1024 of them."""
    if not isinstance(value, int | float):
        return str(value)
    if unit == "B" and value == int(value):
        for name, factor in (("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
            if value and value % factor == 0 and value // factor < 1024:
                return f"{int(value // factor)} {name}"
    return format_quantity(value, unit)
