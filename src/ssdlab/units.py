"""Bytes, durations and rates: parsing what people write and printing what they read.

Inside ssdlab a quantity is an `int` or `float` whose name ends in its unit (`length_bytes`, `rest_ns`); text exists only here.
"""

import math
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
_QUANTITY = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]+)?)\s*(?P<unit>[A-Za-z%]+)")


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
    if match := re.fullmatch(r"([0-9]+)\s*/\s*([1-9][0-9]*)", text.strip()):
        return Share(int(match[1]), int(match[2]))
    if match := re.fullmatch(r"([0-9]+)(?:\.([0-9]+))?\s*%", text.strip()):
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


def format_bandwidth_decimal(bytes_per_s: float) -> str:
    """In millions of bytes a second, as cameras and drives are sold: `1,353.0 MB/s`."""
    return f"{bytes_per_s / 1e6:,.1f} MB/s"


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


def format_quantity(value: float, unit: str, low: float | None = None, high: float | None = None) -> str:
    """Print a measured value of a metric for people: `12,200 MiB/s`, `232.8 GiB (250.0 GB)`, `11 min 41 s`.

    With a 95 % interval the last digit shown is the first uncertain one, but never more than five are; without, four are.

    Args:
        value: In `unit`.
        unit: As in metrics: `B`, `B/s`, `s`, `ns`, `1/s`, `%`; any other is printed as it is; a whole number without one is a count.
        low: Lower end of the interval.
        high: Upper end of the interval.
    """
    if isinstance(value, int) and not unit:
        return f"{value:,}"
    digits = _meaningful_digits(value, low, high)
    if unit == "B" and abs(value) >= 10**9:
        return f"{_scaled_number(value, unit, value, digits)} ({_decimal_bytes(value, digits)})"
    if unit == "s" and value >= 600:
        return _clock(value)
    return _scaled_number(value, unit, value, digits)


def format_interval(value: float, unit: str, low: float, high: float) -> str:
    """Print a 95 % interval in the unit `format_quantity` chose for its value: `12,180 to 12,220 MiB/s`."""
    digits = _meaningful_digits(value, low, high)
    shown = _scaled_number(low, unit, value, digits)
    begin = shown.rpartition(" ")[0] or shown
    return f"{begin} to {_scaled_number(high, unit, value, digits)}"


def _meaningful_digits(value: float, low: float | None, high: float | None) -> int:
    if value == 0 or low is None or high is None or high <= low:
        return 4
    # One digit more than the half-width of the interval resolves, so that the ends of the interval differ from the value.
    resolved = math.floor(math.log10(abs(value))) - math.floor(math.log10((high - low) / 2)) + 1
    return min(max(resolved, 2), 5)


def _scaled_number(value: float, unit: str, reference: float, digits: int) -> str:
    """`value` in the readable unit for `reference`, with as many decimals as give `reference` that many digits."""
    factor, label = _readable_unit(abs(reference), unit)
    shown = abs(reference) / factor
    decimals = digits - 1 - (math.floor(math.log10(shown)) if shown else 0)
    if shown == 0 or (unit == "B" and factor == 1):
        decimals = 0
    number = round(value / factor, decimals)
    return f"{number:,.{max(0, decimals)}f} {label}".rstrip()


def _readable_unit(size: float, unit: str) -> tuple[float, str]:
    if unit == "B/s":
        return MIB, "MiB/s"
    if unit == "1/s":
        return 1, "IOPS"
    units: tuple[tuple[float, str], ...] = ((1, unit),)
    if unit == "B":
        units = ((TIB, "TiB"), (GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB"), (1, "B"))
    elif unit == "ns":
        units = ((NS_PER_S, "s"), (NS_PER_MS, "ms"), (NS_PER_US, "µs"), (1, "ns"))
    return next(((factor, label) for factor, label in units if size >= factor), units[-1])


def _decimal_bytes(value: float, digits: int) -> str:
    factor, label = (10**12, "TB") if abs(value) >= 10**12 else (10**9, "GB")
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value) / factor)))
    return f"{value / factor:,.{decimals}f} {label}"


def _clock(duration_s: float) -> str:
    whole = round(duration_s)
    if whole < 7200:
        return f"{whole // 60} min {whole % 60} s"
    hours, minutes = divmod(round(duration_s / 60), 60)
    return f"{hours} h {minutes} min"
