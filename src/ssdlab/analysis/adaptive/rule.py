"""The rule that ends a point: go on, or enough, and because of what."""

from dataclasses import dataclass
from math import ceil, hypot, sqrt

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.adaptive.batches import batch_means
from ssdlab.analysis.adaptive.past import NO_PAST, DrivePast
from ssdlab.analysis.adaptive.ramp import ramp_windows
from ssdlab.analysis.adaptive.rhythm import longest_rhythm
from ssdlab.analysis.statistics.interval import standard_error, student_t
from ssdlab.engine.result import EarlyStop, PointEnd, PointEnding
from ssdlab.job import WINDOW_NS
from ssdlab.units import NS_PER_S

ENOUGH = "interval"
"""Name of the criterion in the bundle."""
SHORTEST_NS = 10 * NS_PER_S
FIRST_LOOK_NS = 8 * NS_PER_S
LOOKS_APART = 1.25
"""Each look sees so many times as much as the one before: looks that follow each other closely would only repeat its luck."""
LOOKS_IN_A_ROW = 2
PERIODS = 4
"""Of the longest rhythm, that a point lasts at least."""
RAMPS = 2
"""Lengths of the ramp, likewise, that follow it."""
BATCHES = 128
"""Least batches whose means are looked at, where there are as many windows: from a hundred on their slowest waves alone tell the error,
and a rhythm of more than a few periods is no memory."""
_DRIFT_REACH = 3.0
"""Standard deviations that a line must move to be no chance: there is a look every quarter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointAim:
    """What a point is measured for.

    Attributes:
        within: Half of the 95 % interval of the mean rate that is narrow enough, as a share of the mean.
        limit_ns: How long it lasts at most.
        write_share: Share of the bytes that it writes, 0 to 1; where that is 0 the drive's past does not matter.
        past: The drive's earlier writes in this state.
        window_ns: Length of the windows it is told of.
    """

    within: float
    limit_ns: int
    write_share: float
    past: DrivePast = NO_PAST
    window_ns: int = WINDOW_NS


@dataclass(frozen=True, slots=True, kw_only=True)
class PointLook:
    """What is known of a point at one moment; rates in bytes per second.

    Attributes:
        windows: Seen until then.
        ramp: Windows at the beginning that do not count.
        mean: Rate of what counts.
        reach: Half of its 95 % interval.
        halves_apart: Difference of the means of its halves, as a share of the mean.
        rhythm_ns: Longest rhythm of the past or of the point.
        drift: Change over what counts, as a share of the mean, where it is more than chance.
    """

    windows: int
    ramp: int
    mean: float
    reach: float
    halves_apart: float
    rhythm_ns: int | None
    drift: float | None


def look_at(bytes_per_s: NDArray[np.float64], aim: PointAim) -> PointLook | None:
    """Look at all windows of a point so far; None where fewer than six batches count, or nothing moved."""
    ramp = ramp_windows(bytes_per_s)
    counted = bytes_per_s[ramp:]
    means = batch_means(counted, max(1, len(counted) // BATCHES))
    error = standard_error(means)
    mean = float(counted.mean()) if len(counted) else 0.0
    if error is None or mean <= 0:
        return None
    writes = aim.write_share > 0
    known = aim.past.reach(len(counted) * aim.window_ns, error.value / mean) if writes else 0.0
    own = longest_rhythm(counted / mean)
    seen = aim.past.rhythm_ns(mean * aim.write_share) if writes else None
    rhythms_ns = [one for one in (seen, None if own is None else own * aim.window_ns) if one is not None]
    half = len(means) // 2
    return PointLook(
        windows=len(bytes_per_s),
        ramp=ramp,
        mean=mean,
        reach=hypot(error.reach, known * mean),
        halves_apart=abs(float(means[-half:].mean() - means[:half].mean())) / mean,
        rhythm_ns=max(rhythms_ns, default=None),
        drift=_drift(means / mean, aim.within),
    )


def _drift(means: NDArray[np.float64], within: float) -> float | None:
    """Change of the best line from end to end, where it is more than chance and more than what is asked for."""
    count = len(means)
    at = np.arange(count) - (count - 1) / 2
    slope = float(at @ means) / float(at @ at)
    change = slope * count
    error = standard_error(means - means.mean() - slope * at)
    # The mean of a line scatters by sqrt(12) times as much over its length as that of its values.
    by_chance = sqrt(12) * error.value * student_t(error.degrees) / 1.96 if error is not None else abs(change)
    return change if abs(change) > max(within, _DRIFT_REACH * by_chance) else None


class PointJudge:
    """Sees the windows of a point as they come, and ends it when enough is known; see `ssdlab.engine.base.Judge`."""

    def __init__(self, aim: PointAim) -> None:
        self._aim = aim
        self._may_end = not aim.write_share or aim.past.tells_of(aim.limit_ns)
        self._parts: list[NDArray[np.float64]] = []
        self._windows = 0
        self._next_look = -(-FIRST_LOOK_NS // aim.window_ns)
        self._in_a_row = 0
        self._enough: PointLook | None = None

    def feed(self, time_ns: NDArray[np.int64], done_bytes: NDArray[np.float64]) -> EarlyStop | None:
        """Take the windows that follow; a last one that is shorter says nothing."""
        whole = time_ns % self._aim.window_ns == 0
        self._parts.append(done_bytes[whole] * (NS_PER_S / self._aim.window_ns))
        self._windows += int(whole.sum())
        if self._may_end and self._enough is None and self._windows >= self._next_look:
            self._look()
        if self._enough is None:
            return None
        done = float(self._samples().sum()) * self._aim.window_ns / NS_PER_S
        return EarlyStop(ENOUGH, round(done), int(time_ns[-1]))

    def end(self) -> PointEnd | None:
        """How it ended, once no more windows come; None where it was too short for an interval."""
        look = self._enough or look_at(self._samples(), self._aim)
        if look is None:
            return None
        return PointEnd(
            because=self._because,
            within=self._aim.within,
            seen_ns=look.windows * self._aim.window_ns,
            ramp_ns=look.ramp * self._aim.window_ns,
            bytes_per_s=look.mean,
            low=max(0.0, look.mean - look.reach),
            high=look.mean + look.reach,
            rhythm_ns=look.rhythm_ns,
            drift=look.drift,
        )

    @property
    def _because(self) -> PointEnding:
        if not self._may_end:
            return PointEnding.WHOLE
        return PointEnding.NOT_REACHED if self._enough is None else PointEnding.ENOUGH

    def _samples(self) -> NDArray[np.float64]:
        self._parts = [np.concatenate(self._parts)] if self._parts else [np.array([])]
        return self._parts[0]

    def _look(self) -> None:
        look = look_at(self._samples(), self._aim)
        self._next_look = ceil(self._windows * LOOKS_APART)
        self._in_a_row = self._in_a_row + 1 if look is not None and self._is_narrow(look) else 0
        if look is not None and self._in_a_row >= LOOKS_IN_A_ROW and self._windows >= self._floor(look):
            self._enough = look

    def _is_narrow(self, look: PointLook) -> bool:
        within = self._aim.within
        return look.reach <= within * look.mean and look.halves_apart <= within and look.drift is None

    def _floor(self, look: PointLook) -> int:
        """Windows that it lasts at least."""
        rhythm_ns = PERIODS * (look.rhythm_ns or 0)
        counted = max(SHORTEST_NS, rhythm_ns) // self._aim.window_ns
        return max(counted, (1 + RAMPS) * look.ramp)
