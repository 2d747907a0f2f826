"""Latency of the passes over time as a distribution: what mean and slowest leave out (METHODS C2)."""

from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.figure.kit.heat_map import HeatPart, HeatWords, heat_map_figure
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.passes import FillPass, fill_passes
from ssdlab.figure.kit.say import say
from ssdlab.figure.kit.subject import subtitle
from ssdlab.message import message
from ssdlab.unknown import Unknown


def latency_distribution(bundle: Bundle) -> Figure | None:
    """A heat map with a panel a pass; None where no pass kept its latencies over time."""
    found = [(one, part) for one in fill_passes(bundle) if (part := _part(bundle, one)) is not None]
    if not found:
        return None
    words = HeatWords(
        name="latency-distribution",
        title=say(message("figure-latency-distribution-title")),
        subtitle=subtitle(bundle, [one.step.state for one, _ in found]),
        caption="",
        latency=message("figure-completion-latency"),
        time=message("figure-time-since-pass"),
    )
    return heat_map_figure([part for _, part in found], words)


def _part(bundle: Bundle, one: FillPass) -> HeatPart | None:
    windows = bundle.latency_windows(one.step, Direction.WRITE)
    if isinstance(windows, Unknown) or not len(windows.count):
        return None
    return HeatPart(one.title, windows)
