"""A logarithmic axis of latency whose ticks carry their own units: 500 µs, 1 ms, 2 ms."""

import math
from typing import Any

from ssdlab.figure.kit.axis import PlotAxis
from ssdlab.figure.kit.layers import Layer
from ssdlab.figure.kit.model import AxisScale
from ssdlab.units import NS_PER_MS, NS_PER_S, NS_PER_US

_LABEL_ROOM_PX = 54
_LABELS = (
    "datum.value < 0.9995 ? format(datum.value * 1000, ',~r') + ' ns' : "
    "datum.value < 999.5 ? format(datum.value, ',~r') + ' µs' : "
    "datum.value < 999500 ? format(datum.value / 1000, ',~r') + ' ms' : format(datum.value / 1000000, ',~r') + ' s'"
)


def latency_axis(
    title: str, low_ns: float, high_ns: float, length_px: int, label_room_px: int = _LABEL_ROOM_PX
) -> PlotAxis:
    """An axis in µs around `low_ns..high_ns` that begins and ends at a 1, 2 or 5; labelled at those that have the room."""
    low, high = _step_below(low_ns / NS_PER_US), _step_above(high_ns / NS_PER_US)
    if low == high:
        high = _step_above(low * 1.5)
    steps = _steps(low, high)
    decade_px = length_px / math.log10(high / low)
    # The narrowest gap is that from 1 to 2 or from 5 to 10.
    ticks = steps if decade_px * math.log10(2) >= label_room_px else [one for one in steps if _is_decade(one)]
    return PlotAxis(title, low, high, tuple(ticks if len(ticks) >= 2 else steps), length_px, AxisScale.LOG)


def latency_encoding(axis: PlotAxis, field: str) -> dict[str, Any]:
    """The position channel of Vega-Lite for a field in µs."""
    encoding = axis.encoding(field)
    kept = {key: value for key, value in encoding["axis"].items() if key != "format"}
    return {**encoding, "axis": {**kept, "labelExpr": _LABELS}}


def in_latency(layer: Layer, axis: PlotAxis) -> Layer:
    """The layer with the ticks of a vertical axis of latencies."""
    position = layer["encoding"]["y"]
    return {**layer, "encoding": {**layer["encoding"], "y": latency_encoding(axis, position["field"])}}


def limit_text(limit_ns: int) -> str:
    """A limit as a service states it, exact: `1 ms`, `200 µs`."""
    for unit, factor in (("s", NS_PER_S), ("ms", NS_PER_MS), ("µs", NS_PER_US)):
        if limit_ns >= factor:
            return f"{limit_ns / factor:,.10g} {unit}"
    return f"{limit_ns} ns"


def latency_text(latency_ns: float) -> str:
    """A latency with three digits and the unit that suits it: `84.2 µs`."""
    for unit, factor in (("s", NS_PER_S), ("ms", NS_PER_MS), ("µs", NS_PER_US)):
        if latency_ns >= factor:
            value = latency_ns / factor
            return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f} {unit}"
    return f"{latency_ns:.0f} ns"


def _steps(low: float, high: float) -> list[float]:
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    every = [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]
    return [one for one in every if low <= one <= high]


def _step_below(value: float) -> float:
    power = math.floor(math.log10(value))
    return max(one for one in _steps(10.0 ** (power - 1), 10.0 ** (power + 1)) if one <= value)


def _step_above(value: float) -> float:
    power = math.floor(math.log10(value))
    return min(one for one in _steps(10.0**power, 10.0 ** (power + 2)) if one >= value)


def _is_decade(value: float) -> bool:
    return f"{value:e}".startswith("1.0")
