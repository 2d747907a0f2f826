"""Values as a reader reads them in a sentence or a tile, held against a metric whose value and interval are known.

Nothing of the package's own writing of numbers is used: units, rounding and the clock are spelt out here once more, from METHODS M.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ssdlab.bundle.model import Metric

_KIB = 1024.0
_UNITS: Mapping[str, Mapping[str, float]] = {
    "B/s": {"MiB/s": _KIB**2, "MB/s": 1e6},
    "B": {"TiB": _KIB**4, "GiB": _KIB**3, "MiB": _KIB**2, "KiB": _KIB, "B": 1.0},
    "ns": {"ns": 1.0, "µs": 1e3, "ms": 1e6, "s": 1e9},
    "s": {"s": 1.0},
    "1/s": {"IOPS": 1.0},
    "%": {"%": 1.0},
    "": {"": 1.0},
}
"""Of each unit of metrics those that readers see, and how many of the first each is."""
NUMBER = r"-?\d[\d,]*(?:\.\d+)?"
_CLOCK = r"\d+ h \d+ min|\d+ min \d+ s"
_SHOWN = "|".join(sorted({unit for units in _UNITS.values() for unit in units if unit}, key=len, reverse=True))
_END = rf"(?:{_CLOCK}|{NUMBER})"
VALUE = rf"(?:{_CLOCK}|{NUMBER}(?: (?:{_SHOWN}))?)(?: ✗)?(?: \({_END} to {_END}\))?"
_PARTS = re.compile(
    rf"(?P<value>{_CLOCK}|{NUMBER})(?: (?P<unit>{_SHOWN}))?(?P<mark> ✗)?(?: \((?P<low>{_END}) to (?P<high>{_END})\))?"
)
PLACE = re.compile(r"<([\w.]+)>")


def told_in(sentence: str, template: str) -> dict[str, str] | None:
    """What stands in the places of a template; None of another sentence.

    Args:
        sentence: The whole of it.
        template: Its words; a place is the name of a metric in angle brackets, or a word without a dot for any text.
    """
    names = PLACE.findall(template)
    words = PLACE.split(template)
    pattern = "".join(
        re.escape(word) if index % 2 == 0 else f"({VALUE})" if "." in word else "(.+?)"
        for index, word in enumerate(words)
    )
    found = re.fullmatch(pattern, sentence)
    return None if found is None else dict(zip(names, found.groups(), strict=True))


@dataclass(frozen=True, slots=True)
class ToldValue:
    """A value that stands in a text, in the unit of its metric."""

    value: float
    factor: float
    """One of the unit it is shown in."""
    low: float | None
    high: float | None
    is_marked: bool


def read_value(text: str, unit: str) -> ToldValue | None:
    """The value and the interval beside it; None of what is no value in such a unit."""
    found = _PARTS.fullmatch(text)
    if found is None:
        return None
    if re.fullmatch(_CLOCK, found["value"]):
        factor = 60.0 if "h" in found["value"] else 1.0
    elif (found["unit"] or "") in _UNITS[unit]:
        factor = _UNITS[unit][found["unit"] or ""]
    else:
        return None
    low, high = (None if found[end] is None else _number(found[end], factor) for end in ("low", "high"))
    return ToldValue(_number(found["value"], factor), factor, low, high, found["mark"] is not None)


def _number(text: str, factor: float) -> float:
    """In the unit of the metric; a time of the clock in seconds."""
    if clock := re.fullmatch(r"(\d+) h (\d+) min", text):
        return 3600.0 * int(clock[1]) + 60.0 * int(clock[2])
    if clock := re.fullmatch(r"(\d+) min (\d+) s", text):
        return 60.0 * int(clock[1]) + int(clock[2])
    return float(text.replace(",", "")) * factor


def wrong_in(text: str, metric: Metric, unit: str | None = None) -> list[str]:
    """What a text says of a metric that is not so; nothing where all of it is.

    Args:
        text: The value, and its interval in parentheses if there is one.
        metric: What is true.
        unit: Of the text, where it is not that of the metric.
    """
    told = read_value(text, metric.unit if unit is None else unit)
    if told is None:
        return [f"{text!r} is no value of {metric.name} in {metric.unit}"]
    return [f"{text!r} of {metric.name}: {fault}" for fault in _faults(told, metric)]


def _faults(told: ToldValue, metric: Metric) -> Iterator[str]:
    assert isinstance(metric.value, int | float)
    allowed = _rounding(metric.value, metric.low, metric.high, told.factor)
    if abs(told.value - metric.value) > allowed:
        yield f"the value is {metric.value}"
    if told.is_marked is not bool(metric.failed_checks):
        yield f"failed checks: {metric.failed_checks}"
    if told.low is None or told.high is None:
        if metric.low is not None and metric.high is not None and metric.high - metric.low > 2.01 * allowed:
            yield f"the interval {metric.low} to {metric.high} is not told"
        return
    if metric.low is None or metric.high is None:
        yield "there is no interval"
    elif max(abs(told.low - metric.low), abs(told.high - metric.high)) > allowed:
        yield f"the interval is {metric.low} to {metric.high}"


def _rounding(value: float, low: float | None, high: float | None, factor: float) -> float:
    """How far off a rounded number may be: with an interval half its half-width, but five digits suffice; else four digits.

    A tenth more, because digits are counted in bytes where TiB are shown, which are no power of ten of them.
    """
    size = abs(value) / factor
    exponent = math.floor(math.log10(size)) if size else 0
    has_interval = low is not None and high is not None and high > low and size > 0
    digits = 5 if has_interval else 4
    reach = 1.1 * (high - low) / 4 if has_interval and low is not None and high is not None else 0.0
    least = 0.5 if factor == 1 or not size else 0.0
    return 1.000001 * max(factor * 0.5 * 10.0 ** (exponent - digits + 1), reach, least * factor)
