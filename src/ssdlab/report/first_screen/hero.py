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
