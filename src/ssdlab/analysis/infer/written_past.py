"""The past of a stream, counted back in bytes: for how long it has been as now, what it was before, and what that cannot tell.

Rhythms of collection, wear levelling and caches go by what is written, so a moment near an extremum is as flat as a balance. Only what
came before tells them apart, and only as far back as there is something.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.infer.drift import SETTLING, drift_of
from ssdlab.analysis.statistics.interval import Interval
from ssdlab.analysis.statistics.written_curve import Floats, WrittenCurve

STEPS_A_CAPACITY = 10
SMOOTHED_STEPS = 5
"""Steps in each mean: half a capacity, over which the rhythm of collection averages out."""
LIKE_NOW = 0.05
"""A mean within this of the last capacity's is like now."""
_FLAT_STEPS = 3
"""So many means like now in a row are a flat stretch, and no crossing."""
OUTLASTS = 1.6
"""The flat stretch is to last so many times as long as the excursion before it was further away than half of its height: a wave is never
flat for longer than it is away, and a second speed may come back after as long as it lasted."""
_AVERAGE = 0.05
"""Since the speed was first like now or slower, its mean may differ from now's by this."""
_DRIFT_STEPS = 40
"""Of the slope, at most."""
_PARTS_A_CAPACITY = 50
"""Likewise: how long noise remembers is seen by parts shorter than a step."""
_SETTLED = (0.15, 0.3)
"""Shares of the speed. An opening that settles belongs to what the slope is taken from once it is less far away; how near matters where it
is no pure decay, so the interval is that of both."""
_SETTLED_SHARE = 0.35
"""Of its height; likewise."""
_DRIFT_SHOWN = 0.0005
"""Less is no drift as it is printed; of a series without noise it is what rounding leaves."""


@dataclass(frozen=True, slots=True)
class SteadyOutlook:
    """What is known of how the speed goes on, and from how much.

    Attributes:
        written_capacities: All that was written.
        flat_capacities: So long the speed has been within 5 % of that of the last capacity; no slower rhythm can be seen.
        drift: Change a capacity that is still going on, as a share of the speed.
        drift_reach: Half of its 95 % interval.
        apart: By how much a stretch as long as a measurement differs at most from the mean of all of them; None where a measurement
            lasts too long to compare any.
    """

    written_capacities: float
    flat_capacities: float
    drift: float
    drift_reach: float
    apart: float | None

    @property
    def drifts(self) -> bool:
        """Whether the speed is known to change still."""
        return abs(self.drift) > max(self.drift_reach, _DRIFT_SHOWN)

    @property
    def drift_at_most(self) -> float:
        """What the speed may change a capacity, up or down."""
        return abs(self.drift) + self.drift_reach


class WrittenPast:
    """Seen from one moment."""

    def __init__(self, curve: WrittenCurve, end_s: float, capacity_bytes: int) -> None:
        """Look back over all of the curve up to that moment, s."""
        self._curve, self._end_s, self._capacity_bytes = curve, end_s, capacity_bytes
        self._end_bytes = end_bytes = float(curve.bytes_at(np.array([end_s]))[0])
        step_bytes = capacity_bytes / STEPS_A_CAPACITY
        edges_bytes: Floats = end_bytes - step_bytes * np.arange(int(end_bytes / step_bytes) + 1, dtype=np.float64)
        self._edges_s = curve.time_at(edges_bytes)
        self._edges_s[0] = end_s
        self._lasted_s = -np.diff(self._edges_s)
        """How long each step took to write, the last one first."""
        now_s = float(self._lasted_s[:STEPS_A_CAPACITY].mean())
        smooth_s = np.convolve(self._lasted_s, np.full(SMOOTHED_STEPS, 1 / SMOOTHED_STEPS), mode="valid")
        self._now_s = now_s
        self._away = now_s / smooth_s - 1
        """Of the speed, by which each mean differs from the last capacity's."""
        unlike = np.flatnonzero(np.abs(self._away) > LIKE_NOW)
        self._flat_means = int(unlike[0]) if len(unlike) else len(self._away)

    @property
    def flat_capacities(self) -> float:
        """How much was written since the speed was last unlike now; all there is where it never was."""
        all_steps = len(self._lasted_s)
        steps = all_steps if self._flat_means == len(self._away) else self._flat_means + SMOOTHED_STEPS - 1
        return steps / STEPS_A_CAPACITY

    @property
    def is_behind(self) -> bool:
        """Whether what was otherwise is over, as far as can be seen: it lasted shorter than what came after it, and did not come often."""
        if self.flat_capacities < OUTLASTS * self._away_capacities() or not self._is_average():
            return False
        return self.flat_capacities >= OUTLASTS * self._plateau_capacities()

    def _away_capacities(self) -> float:
        """For how long the last excursion was further away than half of its height."""
        before = np.abs(self._away[self._flat_means :])
        flat = _flat_from(before)
        excursion = before[: flat[0]] if len(flat) else before
        return 0.0 if not len(excursion) else int((excursion > excursion.max() / 2).sum()) / STEPS_A_CAPACITY

    def _plateau_capacities(self) -> float:
        """For how long at most the speed was at another level."""
        away, begin, longest = self._away.tolist(), self._flat_means, 0
        for end in range(begin + 1, len(away) + 1):
            # A crossing of now's speed, on the way from one level to another, is part of none.
            if abs(away[end - 1]) <= LIKE_NOW:
                begin = end
                continue
            while max(away[begin:end]) - min(away[begin:end]) > 2 * LIKE_NOW:
                begin += 1
            longest = max(longest, end - begin + SMOOTHED_STEPS - 1)
        return longest / STEPS_A_CAPACITY

    def _is_average(self) -> bool:
        """Whether now is like the mean since the opening, in which a drive settles."""
        since = self._settled_steps()
        return since > 0 and abs(self._now_s / float(self._lasted_s[:since].mean()) - 1) <= _AVERAGE

    def _settled_steps(self) -> int:
        """How many there are since the speed first reached that of now; all where it began with a burst, slow and over at once."""
        side = np.sign(self._away[-1]) if abs(self._away[-1]) > LIKE_NOW else 0.0
        reached = np.flatnonzero(self._away * side <= LIKE_NOW)
        if not len(reached):
            return 0
        since = int(reached[-1]) + SMOOTHED_STEPS
        opening = self._now_s / self._lasted_s[since - SMOOTHED_STEPS :]
        jump, height = float(np.abs(np.diff(opening)).max(initial=0.0)), 1 - float(opening.min())
        return len(self._lasted_s) if side < 0 and jump > height / 2 else since

    def outlook(self, measured_s: float) -> SteadyOutlook:
        """What the flat stretch tells of what comes, and what a measurement of so many seconds would make of it."""
        steps = round(self.flat_capacities * STEPS_A_CAPACITY)
        drift = self._drift(steps)
        middle, reach = (drift.low + drift.high) / 2, (drift.high - drift.low) / 2
        written = self._end_bytes / self._capacity_bytes
        return SteadyOutlook(written, self.flat_capacities, middle, reach, self._apart(steps, measured_s))

    def _drift(self, flat_steps: int) -> Interval:
        """From the flat stretch and the end of the way to it, which tells what is left of a decay from what goes on."""
        if self._flat_means == len(self._away):
            return drift_of(self._speeds(flat_steps), _PARTS_A_CAPACITY)
        found = [
            drift_of(self._speeds(max(flat_steps, self._settling_steps(away))), _PARTS_A_CAPACITY, SETTLING)
            for away in _SETTLED
        ]
        return Interval(min(one.low for one in found), max(one.high for one in found))

    def _speeds(self, steps: int) -> Floats:
        """Of the parts of the last steps, the last one last, relative to now."""
        parts = min(steps, _DRIFT_STEPS, len(self._lasted_s)) * _PARTS_A_CAPACITY // STEPS_A_CAPACITY
        edges_bytes = self._end_bytes - self._capacity_bytes / _PARTS_A_CAPACITY * np.arange(
            parts + 1, dtype=np.float64
        )
        edges_s = self._curve.time_at(edges_bytes)
        edges_s[0] = self._end_s
        lasted_s: Floats = -np.diff(edges_s)[::-1]
        return self._now_s * STEPS_A_CAPACITY / _PARTS_A_CAPACITY / lasted_s

    def _settling_steps(self, least: float) -> int:
        """How far back the speed was less far away than that, on the way from the last excursion."""
        away = self._away[self._flat_means :]
        away = away * np.sign(away[0])
        nearer = np.flatnonzero(np.diff(away) <= 0)
        height = float(away[nearer[0] if len(nearer) else -1])
        far = np.flatnonzero(away > min(_SETTLED_SHARE * height, least))
        return self._flat_means + int(far[0]) if len(far) else 0

    def _apart(self, steps: int, measured_s: float) -> float | None:
        begin_s = float(self._edges_s[steps])
        count = int(4 * (self._end_s - begin_s) / measured_s) - 3
        if count < 5:
            return None
        ends_s: Floats = self._end_s - measured_s / 4 * np.arange(count, dtype=np.float64)
        begins_s: Floats = ends_s - measured_s
        speeds = self._curve.bytes_at(ends_s) - self._curve.bytes_at(begins_s)
        return float(np.abs(speeds / speeds.mean() - 1).max())


def _flat_from(apart: Floats) -> NDArray[np.int64]:
    """Where flat stretches begin: so many in a row like now."""
    like = apart <= LIKE_NOW
    if len(like) < _FLAT_STEPS:
        return np.array([], dtype=np.int64)
    return np.flatnonzero(np.lib.stride_tricks.sliding_window_view(like, _FLAT_STEPS).all(axis=1))
