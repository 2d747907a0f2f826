"""Bytes, durations and rates: parsing what people write and printing what they read.

Inside ssdlab a quantity is an `int` or `float` whose name ends in its unit (`length_bytes`, `rest_ns`); text exists only here.
"""

import re
from dataclasses import dataclass

from ssdlab.errors import SsdlabError

KIB = 1024
MIB = 1024**2
GIB = 1024**3
TIB = 1024**4

NS_PER_US = 1_000
NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000

_BYTE_UNITS = {
    "B": 1,
    "KiB": KIB,
    "MiB": MIB,
    "GiB": GIB,
    "TiB": TIB,
    "kB": 10**3,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
}
_DURATION_UNITS = {
    "ns": 1,
    "us": NS_PER_US,
    "ms": NS_PER_MS,
    "s": NS_PER_S,
    "min": 60 * NS_PER_S,
    "h": 3600 * NS_PER_S,
    "d": 86_400 * NS_PER_S,
}
_QUANTITY = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[A-Za-z%]+)")


class UnitError(SsdlabError, ValueError):
    """A quantity that cannot be read; the hint names what would be allowed."""


def _scaled(text: str, units: dict[str, int], what: str, example: str) -> int:
    match = _QUANTITY.fullmatch(text.strip())
    if match is None or match["unit"] not in units:
        raise UnitError(f"`{text}` is not a {what}", f"write it like `{example}`; units are {', '.join(units)}")
    whole, _, fraction = match["number"].partition(".")
    exact = int(whole + fraction) * units[match["unit"]]
    denominator: int = 10 ** len(fraction)
    return exact // denominator


def parse_bytes(text: str) -> int:
    """Read a size such as `128KiB`, `1.5GiB` or `4TB` into bytes; binary and decimal units are told apart.

    Raises:
        UnitError: The text is no number with one of the known units.
    """
    return _scaled(text, _BYTE_UNITS, "size", "128KiB")


def parse_duration_ns(text: str) -> int:
    """Read a duration such as `15min`, `30s` or `100ms` into nanoseconds.

    Raises:
        UnitError: The text is no number with one of the known units.
    """
    return _scaled(text, _DURATION_UNITS, "duration", "15min")


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the drive, exact: `numerator / denominator` of the user capacity."""

    numerator: int
    denominator: int

    def of(self, capacity_bytes: int) -> int:
        """Bytes of a drive of that capacity, rounded down."""
        return capacity_bytes * self.numerator // self.denominator


def parse_share(text: str) -> Share:
    """Read a share such as `75%` or `1/128`.

    Raises:
        UnitError: The text is neither a percentage nor a fraction.
    """
    if match := re.fullmatch(r"(\d+)\s*/\s*([1-9]\d*)", text.strip()):
        return Share(int(match[1]), int(match[2]))
    if match := re.fullmatch(r"(\d+)(?:\.(\d+))?\s*%", text.strip()):
        fraction = match[2] or ""
        return Share(int(match[1] + fraction), 100 * 10 ** len(fraction))
    raise UnitError(f"`{text}` is not a share", "write it like `75%` or `1/128`")


def format_bytes(count_bytes: float) -> str:
    """Print a size with three significant digits in binary units: `1.50 GiB`."""
    size = abs(count_bytes)
    for unit, factor in (("TiB", TIB), ("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
        if size >= factor:
            return f"{_three_digits(count_bytes / factor)} {unit}"
    return f"{count_bytes:.0f} B"


def format_bytes_decimal(count_bytes: float) -> str:
    """Print a size in the decimal units of a drive's label: `1.00 TB`."""
    for unit, factor in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if abs(count_bytes) >= factor:
            return f"{_three_digits(count_bytes / factor)} {unit}"
    return f"{count_bytes:.0f} B"


def format_bandwidth(bytes_per_s: float) -> str:
    """Print a bandwidth in MiB/s, the unit of the field's fill figures."""
    return f"{_grouped(bytes_per_s / MIB)} MiB/s"


def format_duration(duration_ns: float) -> str:
    """Print a duration in the unit a reader would choose: `21.1 ms`, `561 s`, `3 h 20 min`."""
    if duration_ns < NS_PER_US:
        return f"{duration_ns:.0f} ns"
    for limit, factor, unit in (
        (NS_PER_MS, NS_PER_US, "µs"),
        (NS_PER_S, NS_PER_MS, "ms"),
        (600 * NS_PER_S, NS_PER_S, "s"),
    ):
        if duration_ns < limit:
            return f"{_three_digits(duration_ns / factor)} {unit}"
    minutes = round(duration_ns / (60 * NS_PER_S))
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def format_si(value: float) -> str:
    """Print a count with three significant digits and a decimal prefix: `1.25 M`."""
    for prefix, factor in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if abs(value) >= factor:
            return f"{_three_digits(value / factor)} {prefix}"
    return _three_digits(value)


def _three_digits(value: float) -> str:
    if abs(value) >= 100 or value == 0:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def _grouped(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else _three_digits(value)
