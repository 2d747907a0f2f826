"""A metric's value as people read it."""

from collections.abc import Callable

from ssdlab.bundle.model import Metric
from ssdlab.units import NS_PER_S, format_bandwidth, format_bytes_decimal, format_duration, format_si
from ssdlab.unknown import Unknown

_PRINTERS: dict[str, Callable[[float], str]] = {
    "B": format_bytes_decimal,
    "B/s": format_bandwidth,
    "ns": format_duration,
    "s": lambda seconds: format_duration(seconds * NS_PER_S),
    "1/s": lambda rate: f"{format_si(rate)} 1/s",
}


def quantity(metric: Metric) -> str:
    """Value and unit, with the 95 % interval where there is one."""
    if isinstance(metric.value, Unknown):
        return "unknown"
    if isinstance(metric.value, bool):
        return "yes" if metric.value else "no"
    printed = _PRINTERS.get(metric.unit, lambda value: f"{value:.4g} {metric.unit}".rstrip())
    text = printed(metric.value)
    if metric.low is not None and metric.high is not None:
        text += f" ({printed(metric.low)} to {printed(metric.high)})"
    return text
