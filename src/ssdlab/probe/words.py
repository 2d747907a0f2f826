"""Answers in words."""

from ssdlab.probe.answer import Answer, Grade, Replicated
from ssdlab.units import GIB, KIB, MIB, format_quantity
from ssdlab.unknown import Unknown


def answer_words(answer: Answer) -> str:
    """Value, interval and grade in one line."""
    if isinstance(answer.value, Unknown):
        return f"{Grade.NONE.value}: {answer.value.unknown}"
    parts = [value_words(answer), f"grade {answer.grade.value}"]
    if answer.interval is not None and answer.interval.low < answer.interval.high:
        low, high = (number_words(end, answer.unit) for end in (answer.interval.low, answer.interval.high))
        parts.append(f"95 % interval {low} to {high}")
    if answer.separation is not None:
        parts.append(f"{_separation_words(answer.separation)} standard errors")
    if answer.replicated is Replicated.NO:
        parts.append("halves of the data differ")
    return ", ".join(parts)


_SURE = 1000
"""Beyond so many nothing is surer; a drive without noise has millions."""


def _separation_words(separation: float) -> str:
    return f"over {_SURE:,}" if separation > _SURE else f"{separation:.0f}"


def value_words(answer: Answer) -> str:
    """The value alone."""
    return answer.value if isinstance(answer.value, str) else number_words(answer.value, answer.unit)


def number_words(value: object, unit: str) -> str:
    """A number in its unit; sizes in whole units where they are, and fewer than 1024 of them."""
    if not isinstance(value, int | float):
        return str(value)
    if unit == "B" and value == int(value):
        for name, factor in (("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
            if value and value % factor == 0 and value // factor < 1024:
                return f"{int(value // factor)} {name}"
    return format_quantity(value, unit)
