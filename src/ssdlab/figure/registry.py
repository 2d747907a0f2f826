"""Which figures a run has."""

from collections.abc import Callable

from ssdlab.bundle.read import Bundle
from ssdlab.figure.bandwidth_over_bytes import bandwidth_over_bytes
from ssdlab.figure.bandwidth_over_time import bandwidth_over_time
from ssdlab.figure.latency_over_time import latency_over_time
from ssdlab.figure.model import Figure

_FIGURES: tuple[Callable[[Bundle], Figure | None], ...] = (
    bandwidth_over_bytes,
    bandwidth_over_time,
    latency_over_time,
)


def figures_for(bundle: Bundle) -> tuple[Figure, ...]:
    """All figures the finished steps of a run allow, in the order of a report."""
    made = (build(bundle) for build in _FIGURES)
    return tuple(figure for figure in made if figure is not None)
