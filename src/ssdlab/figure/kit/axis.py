"""Axes with chosen domains and ticks, so that a label can be placed before the picture is drawn."""

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ssdlab.figure.kit.model import AxisScale
from ssdlab.figure.kit.say import say
from ssdlab.message import Message, message
from ssdlab.units import GIB, MIB, NS_PER_MS, NS_PER_S, NS_PER_US


@dataclass(frozen=True, slots=True)
class AxisUnit:
    """The unit all values of an axis are in."""

    label: str
    factor: float
    """Base units (bytes, ns) in one of it."""


SHORT_NUMBERS = "datum.value == 0 ? '0' : format(datum.value, '~s')"
"""Ticks like `500k` and `1M`."""


@dataclass(frozen=True, slots=True)
class PlotAxis:
    """An axis from `low` to `high`, `length_px` long."""

    title: str
    low: float
    high: float
    ticks: tuple[float, ...]
    length_px: int
    scale: AxisScale = AxisScale.LINEAR
    label_expression: str | None = None
    """Of the ticks, in the language of Vega; numbers with as many digits as they need when not given."""

    def px(self, value: ArrayLike) -> NDArray[np.float64]:
        """Distance from the low end of the axis; what lies beyond an end is drawn at it."""
        inside = np.clip(np.asarray(value, dtype=np.float64), self.low, self.high)
        if self.scale is AxisScale.LOG:
            share = np.log(inside / self.low) / math.log(self.high / self.low)
        else:
            share = (inside - self.low) / (self.high - self.low)
        return np.asarray(share * self.length_px, dtype=np.float64)

    def value(self, px: float) -> float:
        """What stands at that distance from the low end."""
        share = px / self.length_px
        if self.scale is AxisScale.LOG:
            return float(self.low * (self.high / self.low) ** share)
        return self.low + share * (self.high - self.low)

    def encoding(self, field: str) -> dict[str, Any]:
        """The position channel of Vega-Lite for this axis."""
        digits = max((_decimals(tick) for tick in self.ticks), default=0)
        labels = {"format": ",~r" if self.scale is AxisScale.LOG else f",.{digits}f"}
        if self.label_expression is not None:
            labels = {"labelExpr": self.label_expression}
        return {
            "field": field,
            "type": "quantitative",
            "scale": {"domain": [self.low, self.high], "type": self.scale.value, "nice": False, "zero": False},
            "axis": {"title": self.title, "values": list(self.ticks), **labels},
        }


def axis_title(what: Message, unit: str) -> str:
    """The quantity of an axis, or of a column of a file, with its unit."""
    return say(message("figure-axis", what=what, unit=unit))


def log_title(what: Message, unit: str = "") -> str:
    """The same of a logarithmic axis; without a unit where the ticks have theirs."""
    if unit:
        return say(message("figure-axis-log-unit", what=what, unit=unit))
    return say(message("figure-axis-log", what=what))


def linear_axis(title: str, high: float, length_px: int, tick_count: int, *, round_up: bool) -> PlotAxis:
    """An axis from 0 to `high`, or to the tick above it; to 1 where nothing is above 0."""
    high = high if high > 0 else 1.0
    step = _tick_step(high / tick_count)
    end = math.ceil(high / step - 1e-9) * step if round_up else high
    digits = max(0, 2 - math.floor(math.log10(step)))
    ticks = tuple(round(index * step, digits) for index in range(int(end / step + 1e-9) + 1))
    return PlotAxis(title, 0.0, end, ticks, length_px)


def log_axis(title: str, low: float, high: float, length_px: int) -> PlotAxis:
    """A logarithmic axis around `low..high` that begins and ends at a tick."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = (1, 2, 5) if last - first <= 4 else (1,)
    ticks = [float(f"{digit}e{power}") for power in range(first, last + 1) for digit in steps]
    begin = max((tick for tick in ticks if tick <= low), default=ticks[0])
    end = min(tick for tick in ticks if tick >= high) if ticks[-1] >= high else ticks[-1]
    if begin == end:
        end = next(tick for tick in [*ticks, begin * 10] if tick > begin)
    kept = tuple(tick for tick in ticks if begin <= tick <= end)
    return PlotAxis(title, begin, end, kept, length_px, AxisScale.LOG)


def size_unit(length_bytes: float) -> AxisUnit:
    """Unit for the bytes written to a drive of that capacity."""
    return AxisUnit("GiB", GIB) if length_bytes >= 4 * GIB else AxisUnit("MiB", MIB)


def clock_unit(duration_ns: float) -> AxisUnit:
    """Unit for a run of that length."""
    if duration_ns < 2 * NS_PER_S:
        return AxisUnit("ms", NS_PER_MS)
    if duration_ns < 3600 * NS_PER_S:
        return AxisUnit("s", NS_PER_S)
    if duration_ns < 5 * 3600 * NS_PER_S:
        return AxisUnit("min", 60 * NS_PER_S)
    return AxisUnit("h", 3600 * NS_PER_S)


def latency_unit(typical_ns: float) -> AxisUnit:
    """Unit for latencies around that value."""
    return AxisUnit("µs", NS_PER_US) if typical_ns < NS_PER_MS else AxisUnit("ms", NS_PER_MS)


def _tick_step(about: float) -> float:
    power: float = 10.0 ** math.floor(math.log10(about))
    return next(digit * power for digit in (1, 2, 2.5, 5, 10) if digit * power >= about * 0.999)


def _decimals(tick: float) -> int:
    exponent = Decimal(repr(tick)).normalize().as_tuple().exponent
    return max(0, -int(exponent))
