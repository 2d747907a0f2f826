"""What most programs say of one load, its rates and its latencies, as numbers of a result."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from ssdlab.analysis.statistics.percentile import SAMPLES_ABOVE_MIN
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH, IOPS, LAT, LAT_MEAN, Quantity
from ssdlab.engine.result import Direction
from ssdlab.job import Pattern
from ssdlab.library.foreign.result import ForeignError, ForeignNumber
from ssdlab.message import Message, message
from ssdlab.point import CoordinateAxis, Load, Point
from ssdlab.units import KIB
from ssdlab.unknown import Unknown

LAT_MAX = Quantity("lat_max", "ns")
_DECIMAL = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18})?(?:[eE][+-]?[0-9]{1,2})?")
_MARKED = re.compile(r"\d+(?:[.,]\d+)?|\d{1,3}(?P<mark>[.,])\d{3}(?:(?P=mark)\d{3})*(?!(?P=mark))[.,]\d+")
"""With a mark that parts thousands there is another one before the fraction."""
_LARGEST = 1e18
_WORD_MAX = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One load in one direction, or in both together; None is what the program did not say.

    Attributes:
        lat_percentiles_ns: By their per cent, as text: `99.9`.
    """

    point: Point
    direction: Direction | None = None
    bandwidth_bytes_per_s: float | None = None
    iops: float | None = None
    lat_mean_ns: float | None = None
    lat_max_ns: float | None = None
    lat_percentiles_ns: Mapping[str, float] = field(default_factory=dict)
    note: str | Message = ""


def numbers_of(measured: Measured) -> Iterator[ForeignNumber]:
    """A number for each thing that was said."""
    rates = ((BANDWIDTH, measured.bandwidth_bytes_per_s), (IOPS, measured.iops))
    for quantity, rate in rates:
        if rate is not None:
            yield _number(measured, quantity, rate)
    for quantity, latency_ns in ((LAT_MEAN, measured.lat_mean_ns), (LAT_MAX, measured.lat_max_ns)):
        if latency_ns is not None:
            yield _number(measured, quantity, _latency(latency_ns))
    for percent, latency_ns in measured.lat_percentiles_ns.items():
        yield _number(measured, LAT, _latency(latency_ns), percent)


def _number(
    measured: Measured, quantity: Quantity, value: float | Unknown, percent: str | None = None
) -> ForeignNumber:
    key = MetricKey(measured.point, quantity, percent=percent, direction=measured.direction)
    return ForeignNumber(key=key, value=value, unit=quantity.unit, note=measured.note)


def _latency(latency_ns: float) -> float | Unknown:
    """No I/O takes no time: what a program printed as 0 was less than its last digit."""
    return latency_ns or Unknown(message("import-rounded-to-zero"))


def enough_above(percent: str, io_count: int) -> bool:
    """Whether so many I/Os have that percentile: ten must be slower (METHODS 0)."""
    return io_count * (100 - float(percent)) / 100 >= SAMPLES_ABOVE_MIN


def load_point(step: str, load: Load) -> Point:
    """A point that is named like the profiles of desktop benchmarks: `rnd4k_q1t8`.

    Raises:
        ValueError: No load has such numbers.
    """
    if min(load.block_bytes, load.queue_depth, load.jobs) < 1:
        raise ValueError(f"no load: {load}")
    if load.block_bytes % KIB == 0:
        return Point(step).at(CoordinateAxis.PROFILE, load)
    pattern = "seq" if load.pattern is Pattern.SEQUENTIAL else "rnd"
    return Point(step).at(CoordinateAxis.LABEL, f"{pattern}{load.block_bytes}b_q{load.queue_depth}t{load.jobs}")


def word(text: str) -> str:
    """A name that somebody gave, as part of the name of a metric.

    Raises:
        ValueError: It has no letter or digit.
    """
    found = re.sub(r"[^0-9A-Za-z]+", "_", text).strip("_").lower()
    if not found:
        raise ValueError(f"no name: {text[:_WORD_MAX]!r}")
    if len(found) <= _WORD_MAX:
        return found
    # Names that differ in their ends only stay apart.
    return f"{found[: _WORD_MAX - 9]}_{sha256(found.encode()).hexdigest()[:8]}"


def decimal(text: str) -> float:
    """A number as programs print it, with a point before its fraction.

    Raises:
        ValueError: It is none, or is larger than any measurement.
    """
    if _DECIMAL.fullmatch(text.strip()) is None or float(text) > _LARGEST:
        raise ValueError(f"no number: {text[:_WORD_MAX]!r}")
    return float(text)


def marked_decimal(text: str) -> float:
    """A number with a fraction, as programs write it in the language of Windows: after the last mark; those before it part thousands.

    Raises:
        ValueError: The marks are not those of any language.
    """
    if _MARKED.fullmatch(text) is None:
        raise ValueError(f"`{text}` is no number")
    *groups, fraction = re.split(r"[.,]", text)
    return float(f"{''.join(groups)}.{fraction}" if groups else fraction)


def told_apart(name: str, numbers: Iterable[ForeignNumber]) -> tuple[ForeignNumber, ...]:
    """The same numbers.

    Raises:
        ForeignError: Two are of one metric, and nothing in the file tells which counts.
    """
    found: dict[str, ForeignNumber] = {}
    for number in numbers:
        if found.setdefault(number.key.name, number) is not number:
            raise ForeignError(
                message("import-twice", name=name, metric=number.key.name), message("import-one-run-a-file")
            )
    return tuple(found.values())
