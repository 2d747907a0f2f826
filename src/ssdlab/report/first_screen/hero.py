"""The main figure of a suite, which is shown on the first screen."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from ssdlab.figure.kit.model import Figure

_TWO_IN_ONE = ("two-in-one-rnd", "two-in-one", "preconditioning")
_HEROES: Mapping[str, tuple[str, ...]] = {
    "enterprise": _TWO_IN_ONE,
    "enterprise-iu": _TWO_IN_ONE,
    "enterprise-sweep": _TWO_IN_ONE,
    "load-latency": ("load-latency",),
    "pts-iops": ("cells-iops", "rounds-iops"),
    "pts-tp": ("cells-sizes", "rounds-tp"),
    "pts-lat": ("cells-lat", "rounds-lat"),
    "pts-wsat": ("wsat",),
    "pts-hir": ("idle-recovery-hir",),
    "pts-xsr": ("cross-stimulus-xsr",),
    "pts-dirth": ("demand-intensity-dirth",),
    "pts-cbw": ("demand-intensity-cbw",),
    "pts-iops-client": ("cells-iops", "rounds-iops"),
    "pts-tp-client": ("cells-sizes", "rounds-tp"),
    "pts-lat-client": ("cells-lat", "rounds-lat"),
    "write-amplification": ("write-amplification",),
    "mixes": ("mixes-bandwidth",),
}
"""What its name begins with, the best first; of other suites it is their first figure."""


class _HasFigure(Protocol):
    @property
    def figure(self) -> Figure: ...


_Drawn = TypeVar("_Drawn", bound=_HasFigure)


def hero_of(figures: Sequence[_Drawn], suite: str) -> _Drawn | None:
    """One of the figures of a suite; None where there are none."""
    for name in _HEROES.get(suite, ()):
        for drawn in figures:
            if drawn.figure.name.startswith(name):
                return drawn
    return figures[0] if figures else None
