"""The short way to steady state, and the long one where it does not lead there."""

from dataclasses import replace
from statistics import median

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.adaptive.short_way import ShortWayJudge
from ssdlab.analysis.infer.steady import Criterion, SteadyContext, SteadyJudge
from ssdlab.engine.result import EarlyStop
from ssdlab.job import StepKind
from ssdlab.method.draft import ShortWay
from ssdlab.units import NS_PER_S

_FRESH_SHARES = (0.6, 1.0)
"""Of the capacity, written by the pass: caches are full by then, and no drive has to collect before as much is written as it holds."""


class FreshPace:
    """How fast the pass overwrites a drive on which nothing has to be collected yet."""

    def __init__(self, capacity_bytes: int) -> None:
        self._capacity_bytes = capacity_bytes
        self._written_bytes = 0
        self._speeds: list[float] = []

    def take(self, kind: StepKind, written_bytes: int, lasted_ns: int) -> None:
        """A job of the pass is over: a part was filled, or what there is was overwritten."""
        self._written_bytes += written_bytes
        least, most = _FRESH_SHARES
        if kind is StepKind.RAMP and least <= self._written_bytes / self._capacity_bytes <= most and lasted_ns:
            self._speeds.append(written_bytes * NS_PER_S / lasted_ns)

    @property
    def bytes_per_s(self) -> float:
        """Nothing where that was not seen: then no speed is slower."""
        return median(self._speeds) if self._speeds else 0.0


class ShortThenLong:
    """Ends the job once the stretch after the pass is flat, and where it never is, by `held` as ever.

    What ended it tells the way: `window`, which is what the stretch is asked for, or `held`.
    """

    def __init__(self, ground: SteadyContext, short: ShortWay, fresh_bytes_per_s: float) -> None:
        """What the pass has written counts towards the least that is written."""
        least_bytes = max(0, ground.minimum_bytes - short.passed_bytes)
        self._short = ShortWayJudge(ground.capacity_bytes, short.passed_bytes, fresh_bytes_per_s)
        self._long = SteadyJudge(replace(ground, minimum_bytes=least_bytes), Criterion.HELD)

    def feed(self, time_ns: NDArray[np.int64], done_bytes: NDArray[np.float64]) -> EarlyStop | None:
        """See `Judge`."""
        found = self._short.feed(time_ns, done_bytes)
        held = self._long.feed(time_ns, done_bytes)
        return held if found is None else EarlyStop(Criterion.WINDOW.value, *found)
