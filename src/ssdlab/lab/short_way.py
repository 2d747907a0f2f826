"""The short way to steady state, and the long one where it does not lead there."""

from dataclasses import replace
from statistics import median

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.adaptive.short_way import FALLEN_TO, PassSeen, ShortWayJudge
from ssdlab.analysis.infer.steady import Criterion, SteadyContext, SteadyJudge
from ssdlab.engine.result import EarlyStop
from ssdlab.job import Job, StepKind
from ssdlab.method.short_way import spare_at, unit_share
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

_FRESH_SHARES = (0.6, 1.0)
"""Of the capacity, written by the pass: caches are full by then, and no drive has to collect before as much is written as it holds."""


_SLOW_IN_A_ROW = 2
"""Overwrites: one alone may have been slow by chance."""


class PassPace:
    """How fast the pass overwrites the drive: while nothing has to be collected yet, and whether that is over."""

    def __init__(self, capacity_bytes: int, unit_bytes: int | Unknown) -> None:
        """Of a drive with such an indirection unit, where it says."""
        self._capacity_bytes = capacity_bytes
        self._unit_bytes = unit_bytes
        self._written_bytes, self._used_bytes = 0, 0.0
        self._fresh: list[float] = []
        self._slow_in_a_row = 0

    def take(self, kind: StepKind, job: Job, written_bytes: int, lasted_ns: int) -> None:
        """A job of the pass is over: a part was filled, or what there is was overwritten."""
        self._written_bytes += written_bytes
        if kind is not StepKind.RAMP:
            self._used_bytes += written_bytes
            return
        self._used_bytes += written_bytes / unit_share(job, self._unit_bytes)
        if lasted_ns and not self.collects:
            self._overwritten(written_bytes * NS_PER_S / lasted_ns)

    def _overwritten(self, bytes_per_s: float) -> None:
        used, (least, most) = self._used_bytes / self._capacity_bytes, _FRESH_SHARES
        if least <= used <= most:
            self._fresh.append(bytes_per_s)
        elif used > most and self._fresh:
            self._slow_in_a_row = self._slow_in_a_row + 1 if self._is_slow(bytes_per_s, used - 1) else 0

    def _is_slow(self, bytes_per_s: float, used_spare: float) -> bool:
        """Slower than ever before by so much that collection explains it, and that of no drive with more spare space than was used."""
        slowest = min(self._fresh)
        return bytes_per_s < FALLEN_TO * slowest and used_spare >= spare_at(slowest / bytes_per_s)

    @property
    def collects(self) -> bool:
        """Whether the drive had to collect already, so that all of its spare space was written."""
        return self._slow_in_a_row >= _SLOW_IN_A_ROW

    @property
    def seen(self) -> PassSeen:
        """What it tells so far."""
        return PassSeen(self._written_bytes, self._used_bytes, median(self._fresh) if self._fresh else 0.0)


class ShortThenLong:
    """Ends the job once the stretch after the pass is flat, and where it never is, by `held` as ever.

    What ended it tells the way: `window`, which is what the stretch is asked for, or `held`.
    """

    def __init__(self, ground: SteadyContext, seen: PassSeen, unit_share: float) -> None:
        """What the pass has written counts towards the least that is written."""
        least_bytes = max(0, ground.minimum_bytes - seen.written_bytes)
        self._short = ShortWayJudge(ground.capacity_bytes, seen, unit_share)
        self._long = SteadyJudge(replace(ground, minimum_bytes=least_bytes), Criterion.HELD)

    def feed(self, time_ns: NDArray[np.int64], done_bytes: NDArray[np.float64]) -> EarlyStop | None:
        """See `Judge`."""
        found = self._short.feed(time_ns, done_bytes)
        held = self._long.feed(time_ns, done_bytes)
        return held if found is None else EarlyStop(Criterion.WINDOW.value, *found)
