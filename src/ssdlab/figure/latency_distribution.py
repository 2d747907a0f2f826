"""Latency of the passes over time as a distribution: what mean and slowest leave out (METHODS C2)."""

from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.figure.fill import FillPass, fill_passes
from ssdlab.figure.heat_map import HeatPart, HeatWords, heat_map_figure
from ssdlab.figure.model import Figure
from ssdlab.figure.subject import subtitle
from ssdlab.unknown import Unknown


def latency_distribution(bundle: Bundle) -> Figure | None:
    """A heat map with a panel a pass; None where no pass kept its latencies over time."""
    found = [(one, part) for one in fill_passes(bundle) if (part := _part(bundle, one)) is not None]
    if not found:
        return None
    words = HeatWords(
        name="latency-distribution",
        title="Write latency over time, every I/O",
        subtitle=subtitle(bundle, [one.step.state.value for one, _ in found]),
        caption="",
        latency="completion latency",
        time="since the pass began",
    )
    return heat_map_figure([part for _, part in found], words)


def _part(bundle: Bundle, one: FillPass) -> HeatPart | None:
    windows = bundle.latency_windows(one.step, Direction.WRITE)
    if isinstance(windows, Unknown) or not len(windows.count):
        return None
    return HeatPart(one.label, windows)
