"""Fills of which everything is drawn at once: how many levels, how they drift, how many stalls lie where, dips and noise.

Nothing here follows what the analysis looks for; whatever it is told by a fill is held against what was drawn.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from tests.kit.adverse_fills import FINE, FINE_S, AdverseFill, any_standstill, correlated, lived_through
from tests.kit.synthetic_fill import Floats, Level

from ssdlab.analysis.infer.policy import SPARE_SHARE_MAX, AfterCache

_GB = 1e9
_STEPS = 40
"""Parts a level is made of, each at a speed a little different where it drifts."""
_DRIFT_MAX = 0.04
"""Share by which the speed of a level goes up or down from its beginning to its end."""
_STALLED_BYTES_MAX = 0.06
"""Share of the capacity that is written in one stall; in more a drive would be slow and not stalled."""
_APART = 1.45
"""Least ratio of two of many levels."""
_LEVELS_OF_FALL = 400
_DOUBTFUL_SHARE = 0.02
"""No cache is nearer to the size that parts the classes D and E."""


class Course(Enum):
    """What the drive does."""

    ONE = "a cache, then one level"
    TWO = "a cache, then two levels"
    MORE = "a cache, then three to five levels"
    FLAT = "one level"
    RISES = "a slower level, then a faster one"
    GRADUAL = "falls little by little"
    LATE = "slower at the very end"


class Stalls(Enum):
    """How many long stalls there are."""

    NONE = "no stall"
    ONE = "one stall"
    SEVERAL = "two to five stalls"


class _Place(Enum):
    START = "start"
    CHANGE = "change"
    ANYWHERE = "anywhere"
    END = "end"


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Levels and what is true of them."""

    levels: Sequence[Level]
    after: AfterCache | None
    has_cache: bool


def drawn_fill(number: int, family: int) -> AdverseFill:
    """The fill of that number: always the same one. Another family draws others of the same kinds."""
    random = np.random.default_rng([family, number])
    courses, stalls = tuple(Course), tuple(Stalls)
    return _fill(courses[number % len(courses)], stalls[number // len(courses) % len(stalls)], random)


def _fill(course: Course, stalls: Stalls, random: np.random.Generator) -> AdverseFill:
    drawn = _levels(course, random)
    parts = [part for level in drawn.levels for part in _drifting(level, random)]
    changes_s = np.cumsum([0.0, *(part.seconds for part in parts)])
    done_bytes = np.cumsum([0.0, *(part.length_bytes for part in parts)])
    count = int((2.2 * changes_s[-1] + 1600) / FINE_S) // FINE * FINE
    dips, said_dips = _dips(count, random)
    noise, said_noise = _noise(count, random)
    borders_s = changes_s[:: len(parts) // len(drawn.levels)]
    stalled, said_stalls = _stalls(stalls, drawn, borders_s, count, random)
    series, moments = lived_through(changes_s, done_bytes, dips * stalled * noise, any_standstill(random))
    borders = moments[:: len(parts) // len(drawn.levels)]
    speeds = [
        _speed(level, dips[start:end], stalled[start:end])
        for level, start, end in zip(drawn.levels[:2], borders, borders[1:], strict=False)
    ]
    return AdverseFill(
        shape=course,
        disturbance=stalls,
        detail=f"{said_stalls}, {said_dips}, {said_noise}",
        series=series,
        sensors=None,
        capacity_bytes=round(float(done_bytes[-1])),
        after=drawn.after,
        cache_bytes=drawn.levels[0].length_bytes if drawn.has_cache else None,
        cache_speed=_speed_outside(drawn.levels[0], dips[: borders[1]], stalled[: borders[1]])
        if drawn.has_cache
        else None,
        second_speed=speeds[1] if drawn.has_cache else None,
    )


def _speed(level: Level, dips: Floats, stalled: Floats) -> float | None:
    """With dips, and with the stalls inside the level, but not with those at its ends; None where it is all stall."""
    moving = np.flatnonzero(stalled >= 1)
    if not len(moving):
        return None
    within = slice(int(moving[0]), int(moving[-1]) + 1)
    return level.bytes_per_s * float((dips[within] * stalled[within]).mean())


def _speed_outside(level: Level, dips: Floats, stalled: Floats) -> float | None:
    """With dips, without stalls; None where it is all stall."""
    moving = dips[stalled >= 1]
    return level.bytes_per_s * float(moving.mean()) if len(moving) else None


def _log_uniform(random: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(random.uniform(np.log(low), np.log(high))))


def _levels(course: Course, random: np.random.Generator) -> _Drawn:
    capacity = _log_uniform(random, 120, 1000) * _GB
    slow = _log_uniform(random, 0.25, 2.0) * _GB
    shares, speeds, after = _CACHE[course](random) if course in _CACHE else (*_NO_CACHE[course](random), None)
    levels = [Level(share * capacity, slow * speed) for share, speed in zip(shares, speeds, strict=True)]
    return _Drawn(levels, after, course in _CACHE)


def _one(random: np.random.Generator) -> tuple[Floats, Floats, AfterCache | None]:
    share = _log_uniform(random, 0.002, 0.45)
    while abs(share - SPARE_SHARE_MAX) < _DOUBTFUL_SHARE:
        share = _log_uniform(random, 0.002, 0.45)
    after = AfterCache.WHOLE_DRIVE if share > SPARE_SHARE_MAX else AfterCache.DIRECT
    return np.array([share, 1 - share]), np.array([_log_uniform(random, 1.25, 12), 1.0]), after


def _two(random: np.random.Generator) -> tuple[Floats, Floats, AfterCache | None]:
    share, part = _log_uniform(random, 0.01, 0.4), random.uniform(0.2, 0.8)
    other = _log_uniform(random, 1.35, 5)
    speeds = [1.0, other] if random.random() < 0.5 else [other, 1.0]
    after = AfterCache.FOLD_THEN_DIRECT if speeds[0] < speeds[1] else AfterCache.DIRECT_THEN_FOLD
    shares = [share, (1 - share) * part, (1 - share) * (1 - part)]
    return np.array(shares), np.array([other * _log_uniform(random, 1.3, 6), *speeds]), after


def _more(random: np.random.Generator) -> tuple[Floats, Floats, AfterCache | None]:
    count, share = int(random.integers(3, 6)), _log_uniform(random, 0.02, 0.3)
    speeds = _APART ** random.permutation(count).astype(np.float64)
    shares = 0.1 + random.dirichlet(np.ones(count)) * (1 - 0.1 * count)
    first = _APART ** (count - 1) * _log_uniform(random, 1.3, 4)
    return np.append(share, (1 - share) * shares), np.append(first, speeds), None


def _rises(random: np.random.Generator) -> tuple[Floats, Floats]:
    share = random.uniform(0.1, 0.7)
    return np.array([share, 1 - share]), np.array([1.0, _log_uniform(random, 1.3, 5)])


def _gradual(random: np.random.Generator) -> tuple[Floats, Floats]:
    fall = np.linspace(0, 1, _LEVELS_OF_FALL) ** random.uniform(0.7, 2)
    ratio = _log_uniform(random, 1.6, 8)
    return np.full(len(fall), 1 / len(fall)), ratio ** (1 - fall)


def _late(random: np.random.Generator) -> tuple[Floats, Floats]:
    late = random.uniform(0.002, 0.02)
    return np.array([1 - late, late]), np.array([1.0, random.uniform(0.1, 0.7)])


_CACHE: dict[Course, Callable[[np.random.Generator], tuple[Floats, Floats, AfterCache | None]]] = {
    Course.ONE: _one,
    Course.TWO: _two,
    Course.MORE: _more,
}
_NO_CACHE: dict[Course, Callable[[np.random.Generator], tuple[Floats, Floats]]] = {
    Course.FLAT: lambda _random: (np.ones(1), np.ones(1)),
    Course.RISES: _rises,
    Course.GRADUAL: _gradual,
    Course.LATE: _late,
}
"""Shares of the capacity, and speeds in multiples of the slowest; where there is a cache, the class as well."""


def _drifting(level: Level, random: np.random.Generator) -> Sequence[Level]:
    """The level in parts, of the same length and the same time together."""
    drift = random.uniform(-_DRIFT_MAX, _DRIFT_MAX)
    speeds = np.exp(np.linspace(-drift / 2, drift / 2, _STEPS))
    speeds *= level.bytes_per_s * float((1 / speeds).mean())
    return [Level(level.length_bytes / _STEPS, speed) for speed in speeds.tolist()]


def _dips(count: int, random: np.random.Generator) -> tuple[Floats, str]:
    pace = np.ones(count)
    if random.random() < 0.7:
        return pace, "no dips"
    period_s = _log_uniform(random, 1.5, 60)
    length_s = min(_log_uniform(random, 0.1, 2), 0.25 * period_s)
    remains = float(random.choice([0.0, random.uniform(0.02, 0.6)]))
    pace[(np.arange(count) * FINE_S + random.uniform(0, period_s)) % period_s < length_s] = remains
    return pace, f"{length_s:.2f} s of {remains:.0%} every {period_s:.1f} s"


def _noise(count: int, random: np.random.Generator) -> tuple[Floats, str]:
    sigma = _log_uniform(random, 0.01, 0.25)
    correlation = float(random.choice([0.0, random.uniform(0.3, 0.98)]))
    deviation = correlated(random.normal(0, 1, count // FINE), correlation)
    return np.repeat(np.exp(sigma * deviation - sigma**2 / 2), FINE), f"noise {sigma:.0%}, phi {correlation:.2f}"


def _stalls(
    stalls: Stalls, drawn: _Drawn, borders_s: Floats, count: int, random: np.random.Generator
) -> tuple[Floats, str]:
    """The pace with stalls, and where they lie on the clock."""
    pace = np.ones(count)
    many = {Stalls.NONE: 0, Stalls.ONE: 1, Stalls.SEVERAL: int(random.integers(2, 6))}[stalls]
    places = [_Place(one) for one in random.choice([place.value for place in _Place], many)]
    begins_s = np.sort([_begin_s(place, borders_s, random) for place in places])
    capacity = sum(level.length_bytes for level in drawn.levels)
    fastest = max(level.bytes_per_s for level in drawn.levels)
    later_s, said = 0.0, []
    for begin_s in begins_s.tolist():
        remains = float(random.choice([0.0, 0.01, random.uniform(0.0, 0.2)]))
        length_s = _log_uniform(random, 3, 300)
        length_s = min(length_s, _STALLED_BYTES_MAX * capacity / (fastest * max(remains, 1e-9)))
        # On the clock, where those before have taken their time already.
        at_s = begin_s + later_s
        pace[int(at_s / FINE_S) :][: int(length_s / FINE_S)] = remains
        later_s += length_s * (1 - remains)
        said.append(f"{length_s:.0f} s of {remains:.0%} at {at_s:.1f} s")
    return pace, " and ".join(said) or "no stall"


def _begin_s(place: _Place, borders_s: Floats, random: np.random.Generator) -> float:
    match place:
        case _Place.START:
            return float(random.choice([0.0, random.uniform(0, 3)]))
        case _Place.CHANGE:
            return max(0.0, float(random.choice(borders_s[1:])) - random.uniform(0, 5))
        case _Place.ANYWHERE:
            return float(random.uniform(0, borders_s[-1]))
        case _Place.END:
            return max(0.0, float(borders_s[-1]) - random.uniform(0, 10))
