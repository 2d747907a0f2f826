"""What the runs themselves tell of a drift by the hour: points that were measured several times, minutes apart.

The runs of a point differ in nothing but their time. How their speeds change from the first to the last, over all points, is held
against what a drift of each size would do to them; what one point says is not believed, because a cache may have filled meanwhile.
Of each run the window in the middle counts, by speed: a drive that dips does so in some runs and not in others. Scatter has wide tails
(Student's t), and is each point's own as far as its few runs tell it, so that runs that differ by a thousandth say what they can.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.bundle.model import Step
from ssdlab.bundle.read import Bundle
from ssdlab.job import StepKind
from ssdlab.message import message, number
from ssdlab.twin.acts import middle_ns
from ssdlab.twin.drift import HOUR_NS, Clock
from ssdlab.unknown import Unknown

Floats = NDArray[np.float64]
_RUNS_MIN = 3
_POINTS_MIN = 8
_PARTS = 8
"""Of the points, each of which is left out once: what rests on one of them is no drift."""
_WINDOWS_MIN = 8
"""Of a run, the last left out, whose middle is looked at."""
_TRIED = np.linspace(-1.0, 1.0, 801)
_LEAST = 0.02
"""Share of the first speed an hour; less is not told from none."""
_SURE = 18.0
"""Times the scatter of the runs, squared and halved, that a drift explains: six standard errors, as caches that fill slowly do so in many points."""
_ERROR = 2.0
"""Likewise of two standard errors."""
_FREEDOM = 4.0
"""Of Student's t, by which runs scatter."""
_POOLED = 4.0
"""Degrees of freedom with which the scatter of all points counts beside that of one."""
_NORMAL = 1.4826
"""Times the median of what is left without its sign: a standard deviation."""
_NOISE_MIN, _OWN_NOISE_MIN = 1e-3, 5e-4
"""Of all points, and of one."""
_VAGUE = 0.2
"""Standard error of a share an hour, with which nothing is told of a drift where none was seen."""


@dataclass(frozen=True, slots=True)
class HourlyDrift:
    """A change of the speed by the hour.

    Attributes:
        lost: Share of its first speed that the drive loses each hour; less than 0 where it gets faster, 0 where none was seen.
        error: Standard error of it.
        hours: How long the longest run lasted that tells.
    """

    lost: float
    error: float
    hours: float

    @property
    def at_end(self) -> float:
        """What the error comes to at the end of such a run, as a share of the speed."""
        return self.error * self.hours / Clock(self.lost).speed(self.hours * HOUR_NS)


@dataclass(frozen=True, slots=True, eq=False)
class _Repeats:
    """The runs of one point: hours since the run began, and logarithms of their speeds."""

    hours: Floats
    speed: Floats


def drift_of(bundles: Sequence[Bundle]) -> HourlyDrift | Unknown:
    """The drift that explains how the runs of each point differ; none where none is needed, Unknown where nothing was repeated."""
    return drift_of_repeats([one for bundle in bundles for one in _repeats(bundle)])


def _repeats(bundle: Bundle) -> list[tuple[Floats, Floats]]:
    """Hours and speeds (I/Os a second) of each point that was measured often enough."""
    runs: dict[str, list[tuple[float, float]]] = {}
    for step in bundle.finished():
        if step.kind is StepKind.MEASURE and step.job is not None and step.job.rate_iops is None:
            speed = _usual_speed(bundle, step)
            if speed > 0:
                runs.setdefault(step.point.name, []).append((middle_ns(step) / HOUR_NS, speed))
    found = [np.array(one) for one in runs.values() if len(one) >= _RUNS_MIN]
    return [(one[:, 0], one[:, 1]) for one in found]


def _usual_speed(bundle: Bundle, step: Step) -> float:
    """I/Os a second: of the window in the middle by speed, or of the whole run where it has few windows or none that its directions share."""
    totals = bundle.result(step).directions
    series = [bundle.series(step, direction).iops[:-1] for direction in totals]
    windows = {len(one) for one in series}
    if len(windows) == 1 and min(windows) >= _WINDOWS_MIN:
        middle = float(np.median(np.sum(series, axis=0)))
        if middle > 0:
            return middle
    return sum(one.io_count * 1e9 / max(1, one.runtime_ns) for one in totals.values())


def drift_of_repeats(points: Sequence[tuple[Floats, Floats]]) -> HourlyDrift | Unknown:
    """The same of points, each with the hours at which its runs were, and their speeds."""
    if len(points) < _POINTS_MIN:
        return Unknown(message("twin-drift-few-points", points=len(points), least=_POINTS_MIN))
    found = [_Repeats(hours, np.log(speed)) for hours, speed in points]
    costs = np.array([_costs(one, noise) for one, noise in zip(found, _noises(found), strict=True)])
    whole = costs.sum(axis=0)
    # Runs of a point that do what no drift explains make all of it less sure.
    spread = max(1.0, 2 * float(whole.min()) / sum(len(one.hours) - 1 for one in found))
    best = int(whole.argmin())
    near = _TRIED[whole <= whole[best] + _ERROR * spread]
    error = max(float(near[-1] - near[0]) / 4, float(_TRIED[1] - _TRIED[0]) / 2)
    parts = [_TRIED[(whole - costs[part::_PARTS].sum(axis=0)).argmin()] for part in range(_PARTS)]
    hours = max(float(one.hours.max()) for one in found)
    none = int(np.abs(_TRIED).argmin())
    is_sure = whole[none] - whole[best] > _SURE * spread
    is_shared = min(parts) * max(parts) > 0 and abs(_TRIED[best]) >= _LEAST
    if is_sure and is_shared:
        return HourlyDrift(float(_TRIED[best]), error, hours)
    if error > _VAGUE:
        return Unknown(message("twin-drift-vague", error=number(100 * error, ".0f")))
    # What fits best is not believed, but none is known no better than that.
    return HourlyDrift(0.0, max(error, abs(float(_TRIED[best])) / 2), hours)


def _noises(points: Sequence[_Repeats]) -> list[float]:
    """Scatter of the runs of each point about a line, in logarithms: robust, as a stall in one run is none of it, and drawn towards that of all."""
    left = [np.abs(_about_a_line(one)) * np.sqrt(len(one.hours) / (len(one.hours) - 2)) for one in points]
    usual = max(_NOISE_MIN, _NORMAL * float(np.median(np.concatenate(left))))
    return [max(_OWN_NOISE_MIN, _drawn(_NORMAL * float(np.median(one)), len(one) - 2, usual)) for one in left]


def _drawn(own: float, freedom: int, usual: float) -> float:
    """A scatter of so many degrees of freedom, and that of all beside it."""
    return float(np.sqrt((_POOLED * usual**2 + freedom * own**2) / (_POOLED + freedom)))


def _about_a_line(one: _Repeats) -> Floats:
    """What is left of the runs: of the slopes between any two the median (Theil 1950, Sen 1968), which one run in five does not move."""
    first, second = np.triu_indices(len(one.hours), 1)
    apart = one.hours[second] - one.hours[first]
    slope = np.median((one.speed[second] - one.speed[first]) / np.where(apart == 0, np.inf, apart))
    left: Floats = one.speed - slope * one.hours
    return left - np.median(left)


def _costs(one: _Repeats, noise: float) -> Floats:
    """Of each drift that is tried: what the runs of a point are away from it, about their median."""
    times_ns = one.hours * HOUR_NS
    away = np.array([one.speed - np.log([Clock(lost).speed(when) for when in times_ns]) for lost in _TRIED])
    away -= np.median(away, axis=1, keepdims=True)
    cost: Floats = ((_FREEDOM + 1) / 2 * np.log1p((away / noise) ** 2 / _FREEDOM)).sum(axis=1)
    return cost
