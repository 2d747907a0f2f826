"""The short way to steady state, and the long one where it does not lead there."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.adaptive.short_way import ShortWayJudge
from ssdlab.analysis.infer.steady import Criterion, SteadyContext, SteadyJudge
from ssdlab.engine.result import EarlyStop
from ssdlab.method.draft import ShortWay


class ShortThenLong:
    """Ends the job once the stretch after the pass is flat, and where it never is, by `held` as ever.

    What ended it tells the way: `window`, which is what the stretch is asked for, or `held`.
    """

    def __init__(self, ground: SteadyContext, short: ShortWay) -> None:
        """What the pass has written counts towards the least that is written."""
        least_bytes = max(0, ground.minimum_bytes - short.passed_bytes)
        self._short = ShortWayJudge(ground.capacity_bytes, short.stretch_bytes)
        self._long = SteadyJudge(replace(ground, minimum_bytes=least_bytes), Criterion.HELD)

    def feed(self, time_ns: NDArray[np.int64], done_bytes: NDArray[np.float64]) -> EarlyStop | None:
        """See `Judge`."""
        found = self._short.feed(time_ns, done_bytes)
        held = self._long.feed(time_ns, done_bytes)
        return held if found is None else EarlyStop(Criterion.WINDOW.value, *found)
