"""Axes of sizes, whose ticks are powers of two."""

from ssdlab.figure.kit.axis import PlotAxis
from ssdlab.figure.kit.model import AxisScale
from ssdlab.units import GIB, KIB, MIB


def kib_axis(title: str, high: float, length_px: int, ticks: int) -> PlotAxis:
    """From 0 to `high`, linear, ticks at the least power of two that keeps them apart."""
    step = 1.0
    while high / step > ticks:
        step *= 2
    return PlotAxis(title, 0.0, high, tuple(step * at for at in range(int(high / step) + 1)), length_px)


def doubling_axis(title: str, low: float, high: float, length_px: int, ticks: int) -> PlotAxis:
    """Logarithmic, from `low` to `high` bytes, ticks at powers of two."""
    powers = [2.0**power for power in range(64) if low <= 2.0**power <= high]
    every = max(1, -(-len(powers) // ticks))
    return PlotAxis(title, low, high, tuple(powers[::every]), length_px, AxisScale.LOG, _SIZE_LABEL)


_SIZE_LABEL = (
    f"datum.value >= {GIB} ? format(datum.value / {GIB}, ',~r') + ' GiB'"
    f" : datum.value >= {MIB} ? format(datum.value / {MIB}, ',~r') + ' MiB' : format(datum.value / {KIB}, ',~r') + ' KiB'"
)
