"""A speed that differs from window to window, of the whole drive alike: by how much, and how much of that stays (`pace.sigma`, `pace.correlation`).

The windows of a run that reads lie anywhere on those of the drive, so each is a mean of parts of two neighbours. Of a first-order autoregression with
standard deviation s and correlation c that leaves the variance s^2 (2 + c) / 3, and of neighbours the covariance s^2 (1 + 4c + c^2) / 6.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.job import WINDOW_NS, StepKind
from ssdlab.probe.probes.statistics import Floats, spread
from ssdlab.twin.acts import reads_plainly
from ssdlab.twin.draft import Draft, as_time

_WINDOWS_MIN = 20
_POINTS_MIN = 8
_QUIETEST, _LEAST = 0.1, 0.01
"""Of the points, those that scatter least; and by what they have to: all take part in a speed that wanders, in what scatters for itself one more than another."""
_CORRELATION_MAX = 0.99


@dataclass(frozen=True, slots=True)
class Wander:
    """A first-order autoregression of the logarithm of the speed, by windows of 100 ms.

    Attributes:
        sigma: Its standard deviation; 0 where none was seen.
        correlation: Of one window with the next.
    """

    sigma: float
    correlation: float


STEADY = Wander(0.0, 0.0)
"""Of a drive whose windows are alike, or of which too few were seen."""


def wander_of(bundles: Sequence[Bundle]) -> Wander:
    """What all points that read tell."""
    return wander_of_windows([one for bundle in bundles for one in _windows(bundle)])


def _windows(bundle: Bundle) -> Iterator[Floats]:
    """Speeds of the whole windows of each run that reads."""
    for step in bundle.finished():
        if step.kind is StepKind.MEASURE and step.job is not None and reads_plainly(step.job):
            found = bundle.series(step, Direction.READ).iops[:-1]
            if len(found) >= _WINDOWS_MIN:
                yield found


def wander_of_windows(points: Sequence[Floats]) -> Wander:
    """The same of points, each with the speeds of its windows in order (any unit); a dip in one of ten is none of it."""
    if len(points) < _POINTS_MIN:
        return STEADY
    logs = [np.log(np.maximum(one, 1.0)) for one in points]
    seen = np.array([spread(one) for one in logs])
    if np.quantile(seen, _QUIETEST) < _LEAST:
        return STEADY
    usual = float(np.median(seen))
    near = float(np.median([spread(np.diff(one)) for one in logs])) / sqrt(2)
    alike = max(0.0, 1 - (near / usual) ** 2)
    correlation = min(max(sqrt(3 + alike**2) - 2 + alike, 0.0), _CORRELATION_MAX)
    return Wander(usual / sqrt((2 + correlation) / 3), correlation)


def wandering(draft: Draft, wander: Wander) -> Draft:
    """A draft whose speed wanders; what windows scattered was taken for noise of single commands until then."""
    if not wander.sigma:
        return draft
    noise = draft.number("noise", "sigma")
    draft = draft.having("noise", sigma=sqrt(max(noise**2 - wander.sigma**2, 0.0)))
    return draft.having("pace", window=as_time(WINDOW_NS), sigma=min(wander.sigma, 1.0), correlation=wander.correlation)
