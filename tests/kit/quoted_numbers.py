"""The numbers that stand in a sentence, and those that metrics have, as texts to be held against each other."""

import re
from collections.abc import Iterable

from ssdlab.bundle.model import Metric
from ssdlab.message import Message, QuantityForm
from ssdlab.report.first_screen.quoted import in_units
from ssdlab.units import MB, format_quantity_short, interval_ends
from ssdlab.unknown import Unknown

_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")
_NAMES = re.compile(
    r"[Pp]ass \d+|With \d+ I/Os|slowest 1 %|(?:SEQ|RND) [\d.]+ \w+|(?:sequential|random) [\d.]+ \w+|Q\d+T\d+|QD\d+|[\d.]+ s of rest"
)
"""What has a number in its name: passes, loads, rests."""


def numbers_in(sentence: str) -> set[str]:
    """All numbers but those of names."""
    return set(_NUMBER.findall(_NAMES.sub("", sentence)))


def numbers_of(metrics: Iterable[Metric]) -> set[str]:
    """Values and ends of intervals as they are shown; those of sequential I/Os a second also as bandwidths are among the others."""
    shown: set[str] = set()
    for metric in metrics:
        value = metric.value
        if isinstance(value, int | float) and not isinstance(value, bool):
            texts = [format_quantity_short(value, metric.unit, metric.low, metric.high)]
            if metric.low is not None and metric.high is not None:
                texts += interval_ends(value, metric.unit, metric.low, metric.high)
            if metric.unit == "B/s":
                texts += _decimal(value, metric)
            shown |= {number for text in texts for number in _NUMBER.findall(text)}
        elif isinstance(value, Unknown):
            shown |= {number for told in _as_told(value.reason) for number in _NUMBER.findall(str(told))}
    return shown


def _as_told(reason: Message) -> tuple[Message, Message]:
    """A reason as it is kept, and with its speeds and sizes in binary units, as it is told among others."""
    binary = {
        QuantityForm.BANDWIDTH_DECIMAL: QuantityForm.BANDWIDTH,
        QuantityForm.BYTES_DECIMAL: QuantityForm.BYTES,
    }
    return reason, in_units(reason, binary)


def _decimal(value: float, metric: Metric) -> list[str]:
    """A bandwidth in MB/s, which it is told in where the main figure has that unit."""
    low, high = (None if end is None else end / MB for end in (metric.low, metric.high))
    text = format_quantity_short(value / MB, "MB/s", low, high)
    return [text] if low is None or high is None else [text, *interval_ends(value / MB, "MB/s", low, high)]
