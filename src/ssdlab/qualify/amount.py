"""Amounts of limits, each with its unit: `150 MiB/s`, `90k IOPS`, `200 us`, `3 GB`, `5 %`."""

import re
from dataclasses import dataclass
from decimal import Decimal

from ssdlab.message import message
from ssdlab.units import NS_PER_S, UnitError, clipped, parse_bytes, parse_duration_ns

_NUMBER = re.compile(r"(?P<number>-?[0-9]{1,15}(?:\.[0-9]{1,9})?) ?(?P<unit>\S{0,10})")
_EXAMPLE = "150 MiB/s"
_PLAIN: dict[str, tuple[int, str]] = {
    "": (1, ""),
    "%": (1, "%"),
    "W": (1, "W"),
    "J": (1, "J"),
    "J/GiB": (1, "J/GiB"),
    "IOPS": (1, "1/s"),
    "kIOPS": (1000, "1/s"),
    "MIOPS": (1_000_000, "1/s"),
    "IOPS/W": (1, "1/s/W"),
}
"""How many of which unit of metrics."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in a unit of metrics; of times in nanoseconds."""

    value: float
    unit: str
    text: str
    """As it was written."""

    def in_unit(self, unit: str) -> float | None:
        """In the unit of a metric; None where it is of something else."""
        if unit == "s" and self.unit == "ns":
            return self.value / NS_PER_S
        return self.value if unit == self.unit else None


def parse_amount(text: str) -> Amount:
    """Read an amount.

    Raises:
        UnitError: It is none, or in no unit of metrics.
    """
    match = _NUMBER.fullmatch(text.replace("k IOPS", " kIOPS").replace("M IOPS", " MIOPS").replace("  ", " "))
    if match is None:
        raise _unreadable(text)
    if match["unit"] in _PLAIN:
        factor, unit = _PLAIN[match["unit"]]
        return Amount(float(Decimal(match["number"]) * factor), unit, text)
    try:
        if match["unit"].endswith("/s"):
            return Amount(parse_bytes(text.removesuffix("/s")), "B/s", text)
        if match["unit"].endswith("B"):
            return Amount(parse_bytes(text), "B", text)
        return Amount(parse_duration_ns(text), "ns", text)
    except UnitError as error:
        raise _unreadable(text) from error


def _unreadable(text: str) -> UnitError:
    return UnitError(message("qualify-no-amount", text=clipped(text)), message("unit-write-like", example=_EXAMPLE))
