"""The rule that ends a point: go on, or enough, and because of what."""

from dataclasses import dataclass
from math import ceil, hypot, sqrt

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.adaptive.batches import batch_means
from ssdlab.analysis.adaptive.drift import drift_of
from ssdlab.analysis.adaptive.past import NO_PAST, DrivePast
from ssdlab.analysis.adaptive.ramp import ramp_windows
from ssdlab.analysis.adaptive.rhythm import longest_rhythm
from ssdlab.analysis.statistics.interval import StandardError, standard_error
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
"""Of the longest rhythm, that a point lasts at least where its drive's past does not tell how means of points so long scatter."""
RAMPS = 2
"""Lengths of the ramp, likewise, that follow it, whatever the past tells."""
BATCHES = 128
"""Least batches whose means are looked at, where there are as many windows: from a hundred on their slowest waves alone tell the error,
and a rhythm of more than a few periods is no memory."""
_BY_CHANCE = 2.0
"""A variance from the ten slowest waves of a point is more than twice the true one in 3 of 100."""
_PAST_DRIFT = 0.5
"""Of what is asked for: a drive that changed by more in its past, and not by chance, has no mean that an interval could hold."""
_STILL_TO_COME = 0.5
"""Of a smaller drift of its past, that its speed may change by after the point."""
_HARDLY_NARROWER = 1.15
"""Times as wide as at the limit: what is left to gain is less than by how much the width itself is uncertain."""
_HALVES = 2.0
"""Halves of the interval of a point, by which its halves differ by chance: each is of half its length, and both scatter."""


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
        reach_at_limit: Half of the interval that the drive's past tells of points as long as the limit, as a share of the mean; None where
            it does not.
        is_told: Whether the drive's past tells how means of points so long scatter.
        halves_apart: Difference of the means of its halves, as a share of the mean.
        rhythm_ns: Longest rhythm of the past or of the point.
        drift: Change over what counts, as a share of the mean, where it is more than chance.
        past_drift: Likewise over the past.
    """

    windows: int
    ramp: int
    mean: float
    reach: float
    reach_at_limit: float | None
    is_told: bool
    halves_apart: float
    rhythm_ns: int | None
    drift: float | None
    past_drift: float | None


def look_at(bytes_per_s: NDArray[np.float64], aim: PointAim) -> PointLook | None:
    """Look at all windows of a point so far; None where fewer than six batches count, or nothing moved."""
    ramp = ramp_windows(bytes_per_s)
    counted = bytes_per_s[ramp:]
    means = batch_means(counted, max(1, len(counted) // BATCHES))
    error = standard_error(means)
    mean = float(counted.mean()) if len(counted) else 0.0
    if error is None or mean <= 0:
        return None
    length_ns, written = len(counted) * aim.window_ns, mean * aim.write_share
    # What is known for no longer than the point is told by the point itself.
    past = aim.past if written and aim.past.length_ns > length_ns else NO_PAST
    known = _spread(past, length_ns, written, error.per(mean))
    own = longest_rhythm(counted / mean)
    seen = aim.past.rhythm_ns(written) if written else None
    rhythms_ns = [one for one in (seen, None if own is None else own * aim.window_ns) if one is not None]
    half, still_to_come = len(means) // 2, _STILL_TO_COME * past.drift.told
    at_limit = past.spread(aim.limit_ns, written) if past.tells_of(aim.limit_ns) else None
    drift = drift_of(means / mean)
    return PointLook(
        windows=len(bytes_per_s),
        ramp=ramp,
        mean=mean,
        reach=error.reach if known is None else hypot(known.reach, still_to_come) * mean,
        reach_at_limit=None if at_limit is None else hypot(at_limit.reach, still_to_come),
        is_told=past.tells_of(length_ns),
        halves_apart=abs(float(means[-half:].mean() - means[:half].mean())) / mean,
        rhythm_ns=max(rhythms_ns, default=None),
        drift=drift.change if drift.exceeds(aim.within) else None,
        past_drift=past.drift.change if past.drift.exceeds(aim.within * _PAST_DRIFT) else None,
    )


def _spread(past: DrivePast, length_ns: int, written_bytes_per_s: float, own: StandardError) -> StandardError | None:
    """By how much the mean of a point scatters, as a share of it: as stretches of the past do, and by what it scatters more than they did.

    What a point shows of itself and how stretches of the past differ are of the same scatter, and are not added. Only where the point
    shows more than such stretches did show of themselves, and not by chance, is that its own.
    """
    known = past.spread(length_ns, written_bytes_per_s)
    if known is None:
        return None
    shown = past.shown_by_itself(length_ns, written_bytes_per_s, BATCHES)
    if own.value**2 <= _BY_CHANCE * shown**2:
        return known
    variance, more = known.value**2, own.value**2 - shown**2
    degrees = (variance + more) ** 2 / (variance**2 / known.degrees + more**2 / own.degrees)
    return StandardError(sqrt(variance + more), max(1, int(degrees)))


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
        self._ending = PointEnding.NOT_REACHED if self._may_end else PointEnding.WHOLE

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
        drifts = look.drift is not None or look.past_drift is not None
        return PointEnd(
            because=self._ending,
            within=self._aim.within,
            seen_ns=look.windows * self._aim.window_ns,
            ramp_ns=look.ramp * self._aim.window_ns,
            bytes_per_s=look.mean,
            low=None if drifts else max(0.0, look.mean - look.reach),
            high=None if drifts else look.mean + look.reach,
            rhythm_ns=look.rhythm_ns,
            drift=look.drift,
            past_drift=look.past_drift,
        )

    def _samples(self) -> NDArray[np.float64]:
        self._parts = [np.concatenate(self._parts)] if self._parts else [np.array([])]
        return self._parts[0]

    def _look(self) -> None:
        look = look_at(self._samples(), self._aim)
        self._next_look = ceil(self._windows * LOOKS_APART)
        if look is None or not self._is_even(look):
            self._in_a_row = 0
            return
        is_narrow = look.reach <= self._aim.within * look.mean
        self._in_a_row = self._in_a_row + 1 if is_narrow else 0
        if self._windows < self._floor(look):
            return
        if is_narrow and self._in_a_row >= (1 if look.is_told else LOOKS_IN_A_ROW):
            self._enough, self._ending = look, PointEnding.ENOUGH
        elif self._would_hardly_narrow(look):
            self._enough, self._ending = look, PointEnding.NO_NARROWER

    def _is_even(self, look: PointLook) -> bool:
        within = self._aim.within
        halves = max(within, _HALVES * look.reach / look.mean) if look.is_told else within
        return look.halves_apart <= halves and look.drift is None and look.past_drift is None

    def _would_hardly_narrow(self, look: PointLook) -> bool:
        """Whether it is of no use to go on to the limit."""
        at_limit = look.reach_at_limit
        return (
            at_limit is not None
            and self._aim.within < at_limit
            and look.reach <= _HARDLY_NARROWER * at_limit * look.mean
        )

    def _floor(self, look: PointLook) -> int:
        """Windows that it lasts at least."""
        rhythm_ns = 0 if look.is_told else PERIODS * (look.rhythm_ns or 0)
        counted = max(SHORTEST_NS, rhythm_ns) // self._aim.window_ns
        return max(counted, (1 + RAMPS) * look.ramp)
