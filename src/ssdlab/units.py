"""Bytes, durations and rates: parsing what people write and printing what they read.

Inside ssdlab a quantity is an `int` or `float` whose name ends in its unit (`length_bytes`, `rest_ns`); text exists only here.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from ssdlab.errors import SsdlabError
from ssdlab.message import Listed, Separator, commas, message

KIB = 1024
MIB = 1024**2
GIB = 1024**3
TIB = 1024**4
MB = 10**6

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
    "MB": MB,
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
_DIGITS_MAX = 20
"""More than the largest quantity has, and few enough that reading them takes no time."""
_QUANTITY = re.compile(rf"(?P<number>[0-9]{{1,{_DIGITS_MAX}}}(?:\.[0-9]{{1,{_DIGITS_MAX}}})?)\s*(?P<unit>[A-Za-z%]*)")
_CLOCK_FROM_S = 600
_QUANTITY_MAX = 2**63 - 1
"""8 EiB or 292 years: what fio, the kernel and the files of a bundle can say."""
_ECHO = 60
"""Letters of a faulty text that are repeated to whoever typed it."""


class UnitError(SsdlabError, ValueError):
    """A quantity that cannot be read; the hint names what would be allowed."""


class _Asked(Enum):
    """What a text is to be."""

    SIZE = "size"
    DURATION = "duration"


def _scaled(text: str, units: dict[str, int], asked: _Asked, example: str) -> int:
    match = _QUANTITY.fullmatch(text.strip())
    if match is None or match["unit"] not in units:
        hint = message("unit-write-with-unit", example=example, units=commas(*units))
        near = [] if match is None else _meant(match["unit"], units)
        if match is not None and near:
            forms = tuple(message("unit-form", form=match["number"] + unit) for unit in near)
            hint = message("unit-write-one-of", forms=Listed(forms, Separator.OR))
        if match is not None and not match["unit"]:
            raise UnitError(message("unit-has-none", text=clipped(text)), hint)
        raise UnitError(message("unit-no-quantity", text=clipped(text), asked=asked.value), hint)
    whole, _, fraction = match["number"].partition(".")
    exact = int(whole + fraction) * units[match["unit"]]
    denominator: int = 10 ** len(fraction)
    scaled = exact // denominator
    if scaled > _QUANTITY_MAX:
        raise UnitError(
            message("unit-too-large", text=clipped(text), asked=asked.value),
            message("unit-write-like", example=example),
        )
    return scaled


_WRITTEN_OUT = {"s", "min", "h"}
"""Units that many write as words: `30sec`, `15minutes`."""


def _meant(typed: str, units: Iterable[str]) -> list[str]:
    """Units that are the typed one with other capitals, or with what was left out of it or added to it."""
    word = typed.lower()
    return [
        unit
        for unit in units
        if word in {unit.lower(), unit.lower().removesuffix("ib"), unit.lower().removesuffix("b")} - {""}
        or (unit in _WRITTEN_OUT and word.startswith(unit))
    ]


def clipped(text: str) -> str:
    """A text as an error repeats it: a slip of the pen whole, of ten thousand digits the first."""
    return text if len(text) <= _ECHO else f"{text[:_ECHO]}..."


def parse_bytes(text: str) -> int:
    """Read a size such as `128KiB`, `1.5GiB` or `4TB` into bytes; binary and decimal units are told apart.

    Raises:
        UnitError: The text is no number with one of the known units.
    """
    return _scaled(text, _BYTE_UNITS, _Asked.SIZE, "128KiB")


def parse_duration_ns(text: str) -> int:
    """Read a duration such as `15min`, `30s` or `100ms` into nanoseconds.

    Raises:
        UnitError: The text is no number with one of the known units.
    """
    return _scaled(text, _DURATION_UNITS, _Asked.DURATION, "15min")


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
    digits = rf"[0-9]{{1,{_DIGITS_MAX}}}"
    if match := re.fullmatch(rf"({digits})\s*/\s*([1-9][0-9]{{0,{_DIGITS_MAX - 1}}})", text.strip()):
        return Share(int(match[1]), int(match[2]))
    if match := re.fullmatch(rf"({digits})(?:\.({digits}))?\s*%", text.strip()):
        fraction = match[2] or ""
        return Share(int(match[1] + fraction), 100 * 10 ** len(fraction))
    raise UnitError(message("unit-no-share", text=clipped(text)), message("unit-write-share"))


def format_bytes(count_bytes: float) -> str:
    """Print a size with three significant digits in binary units: `1.50 GiB`."""
    size = abs(count_bytes)
    for unit, factor in (("TiB", TIB), ("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
        if size >= factor:
            return f"{_three_digits(count_bytes / factor)} {unit}"
    return f"{count_bytes:.0f} B"


def format_bytes_decimal(count_bytes: float) -> str:
    """Print a size in the decimal units of a drive's label: `1.00 TB`."""
    size = abs(count_bytes)
    for unit, factor in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
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
    size = abs(value)
    for prefix, factor in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if size >= factor:
            return f"{_three_digits(value / factor)} {prefix}"
    return _three_digits(value)


def _three_digits(value: float) -> str:
    size = abs(value)
    if size >= 100 or value == 0:
        return f"{value:.0f}"
    return f"{value:.1f}" if size >= 10 else f"{value:.2f}"


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
    shown = format_quantity_short(value, unit, low, high)
    if unit == "B" and abs(value) >= 10**9:
        return f"{shown} ({_decimal_bytes(value, _meaningful_digits(value, low, high))})"
    return shown


def format_quantity_short(value: float, unit: str, low: float | None = None, high: float | None = None) -> str:
    """The same without the decimal units of large sizes: `232.8 GiB`."""
    if isinstance(value, int) and not unit:
        return f"{value:,}"
    if _is_told_by_the_clock(value, unit):
        return _clock(value)
    if unit == "B" and (low is None or low == high) and (whole := _whole_size(value)) is not None:
        return whole
    return _scaled_number(value, unit, value, _meaningful_digits(value, low, high))


def _whole_size(count_bytes: float) -> str | None:
    """Of a page, a block or a buffer the number of KiB or MiB that it is; None of other sizes and of amounts of data."""
    factor, label = _readable_unit(abs(count_bytes), "B")
    if factor not in {KIB, MIB} or count_bytes % factor:
        return None
    return f"{count_bytes / factor:,.0f} {label}"


def format_size(count_bytes: float, low: float | None = None, high: float | None = None) -> str:
    """Print a measured size like `format_quantity`, in binary units alone: `232.8 GiB`."""
    return _scaled_number(count_bytes, "B", count_bytes, _meaningful_digits(count_bytes, low, high))


def format_mib_per_s(bytes_per_s: float, low: float | None = None, high: float | None = None) -> str:
    """Print a measured bandwidth like `format_quantity`, for where the unit stands already: `12,200`."""
    return _digits_in(MIB, bytes_per_s, bytes_per_s, _meaningful_digits(bytes_per_s, low, high))


def format_mb_per_s(bytes_per_s: float, low: float | None = None, high: float | None = None) -> str:
    """The same in millions of bytes a second, as desktop benchmarks print it: `12,800`."""
    return _digits_in(MB, bytes_per_s, bytes_per_s, _meaningful_digits(bytes_per_s, low, high))


def format_interval(value: float, unit: str, low: float, high: float) -> str:
    """Print a 95 % interval in the unit `format_quantity` chose for its value: `12,180 to 12,220 MiB/s`."""
    begin, end = interval_ends(value, unit, low, high)
    return f"{begin} to {end}"


def interval_ends(value: float, unit: str, low: float, high: float) -> tuple[str, str]:
    """The ends of a 95 % interval in the unit `format_quantity` chose for its value, which follows the second: `12,180`, `12,220 MiB/s`."""
    if _is_told_by_the_clock(value, unit):
        return _clock(low), _clock(high)
    digits = _meaningful_digits(value, low, high)
    return _number_alone(low, unit, value, digits), _scaled_number(high, unit, value, digits)


def resolved_ends(value: float, unit: str, low: float, high: float) -> tuple[str, str] | None:
    """The same; None of an interval whose ends cannot be told apart in the digits that are shown."""
    begin, end = ends_beside_value(value, unit, low, high)
    return None if begin == end else interval_ends(value, unit, low, high)


def ends_beside_value(value: float, unit: str, low: float, high: float) -> tuple[str, str]:
    """Both without their unit, where the value stands before them with it: `12,180`, `12,220`; of the clock `11 min 30 s`."""
    if _is_told_by_the_clock(value, unit):
        return _clock(low), _clock(high)
    digits = _meaningful_digits(value, low, high)
    return _number_alone(low, unit, value, digits), _number_alone(high, unit, value, digits)


def _meaningful_digits(value: float, low: float | None, high: float | None) -> int:
    if value == 0 or low is None or high is None or high <= low:
        return 4
    # One digit more than the half-width of the interval resolves, so that the ends of the interval differ from the value.
    resolved = math.floor(math.log10(abs(value))) - math.floor(math.log10((high - low) / 2)) + 1
    return min(max(resolved, 2), 5)


def _scaled_number(value: float, unit: str, reference: float, digits: int) -> str:
    """`value` in the readable unit for `reference`, with as many decimals as give `reference` that many digits."""
    _, label = _readable_unit(abs(reference), unit)
    return f"{_number_alone(value, unit, reference, digits)} {label}".rstrip()


def _number_alone(value: float, unit: str, reference: float, digits: int) -> str:
    """The same without the unit."""
    factor, _ = _readable_unit(abs(reference), unit)
    if unit == "B" and factor == 1:
        return f"{round(value):,}"
    return _digits_in(factor, value, reference, digits)


def _digits_in(factor: float, value: float, reference: float, digits: int) -> str:
    shown = abs(reference) / factor
    decimals = digits - 1 - math.floor(math.log10(shown)) if shown else 0
    # Nothing is shown as `-0`.
    number = round(value / factor, decimals) + 0.0
    return f"{number:,.{max(0, decimals)}f}"


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


def _is_told_by_the_clock(value: float, unit: str) -> bool:
    """Whether a time is so long that minutes tell it better: its interval is told in minutes, too."""
    return unit == "s" and value >= _CLOCK_FROM_S


def _clock(duration_s: float) -> str:
    whole = round(duration_s)
    if whole < 7200:
        return f"{whole // 60} min {whole % 60} s"
    hours, minutes = divmod(round(duration_s / 60), 60)
    return f"{hours} h {minutes} min"
