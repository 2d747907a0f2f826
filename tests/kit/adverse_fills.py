"""Fills that are hard to read: of known levels, and disturbed as drives and hosts disturb them. All in memory, a few milliseconds each.

A fill is levels over bytes, lived through at a pace that changes with time (pauses, noise): what the drive writes at which speed is known
exactly whatever the pace, and so are the size of the cache, its class and the speeds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray
from tests.kit.synthetic_fill import BLOCK_BYTES, IN_FLIGHT_BYTES, WINDOW_NS, Floats, Level

from ssdlab.analysis.infer.policy import AfterCache
from ssdlab.engine.result import SensorSeries, Series
from ssdlab.units import NS_PER_S

FINE = 10
"""Moments looked at in each window."""
FINE_S = WINDOW_NS / NS_PER_S / FINE
_STEPS = 400
"""Levels a gradual fall is made of."""
_GB = 1e9

Parts = Sequence[tuple[float, float]]


class Shape(Enum):
    """What the drive does."""

    DIRECT_THEN_FOLD = "A"
    FOLD_THEN_DIRECT = "B"
    SAWTOOTH = "C"
    DIRECT = "D"
    DIRECT_NEAR = "D, two speeds near each other"
    SHORT = "D, cache of a few windows"
    WHOLE_DRIVE = "E"
    FLAT = "flat"
    LINEAR = "falls linearly"
    EXPONENTIAL = "falls exponentially"
    RAMP = "a plateau, then a ramp"
    SEVERAL = "several levels after the cache"
    FLAT_LATE = "flat, slow at the very end"
    DIRECT_LATE = "D, slow at the very end"
    THROTTLED = "flat, throttled when hot"


class Disturbance(Enum):
    """What is laid over it."""

    CALM = "2 % noise"
    DIPS = "dips"
    STALL = "a stall"
    WHITE = "white noise"
    CORRELATED = "correlated noise"


class StallPlace(Enum):
    """Where stalls lie that take what the analysis would hold on to: the cache's speed, its end, or the end of the fill."""

    FROM_THE_START = "begins stalled"
    EARLY = "a stall within the first two seconds"
    ACROSS_CACHE_END = "a stall across the end of the cache"
    AT_END = "a stall at the very end"
    SEVERAL = "several stalls"


class Standstill(Enum):
    """How the windows in which nothing completes appear."""

    LONG_WINDOW = "as in fio: the next one begins where they begin"
    EMPTY_WINDOWS = "as in the model: each by itself"


_NO_CACHE = {
    Shape.FLAT,
    Shape.LINEAR,
    Shape.EXPONENTIAL,
    Shape.RAMP,
    Shape.FLAT_LATE,
    Shape.THROTTLED,
}
_CLASS = {
    Shape.DIRECT_THEN_FOLD: AfterCache.DIRECT_THEN_FOLD,
    Shape.FOLD_THEN_DIRECT: AfterCache.FOLD_THEN_DIRECT,
    Shape.SAWTOOTH: AfterCache.SAWTOOTH,
    Shape.DIRECT: AfterCache.DIRECT,
    Shape.DIRECT_NEAR: AfterCache.DIRECT,
    Shape.SHORT: AfterCache.DIRECT,
    Shape.DIRECT_LATE: AfterCache.DIRECT,
    Shape.WHOLE_DRIVE: AfterCache.WHOLE_DRIVE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AdverseFill:
    """A fill and the truth about it.

    Attributes:
        detail: The disturbance in numbers.
        capacity_bytes: All of it is written.
        after: Class; None where no class is right.
        cache_bytes: None where there is none.
        cache_speed, second_speed: Mean speeds in bytes per second of cache and of the second level, pauses counted in; noise not, nor
            stalls at the ends of the level, nor any in the cache.
    """

    shape: Enum
    disturbance: Enum
    detail: str
    series: Series
    sensors: SensorSeries | None
    capacity_bytes: int
    after: AfterCache | None
    cache_bytes: float | None
    cache_speed: float | None
    second_speed: float | None


def adverse_fill(number: int, family: int = 1) -> AdverseFill:
    """The fill of that number: always the same one. Another family draws others of the same kinds."""
    shapes, disturbances = tuple(Shape), tuple(Disturbance)
    shape = shapes[number % len(shapes)]
    disturbance = disturbances[number // len(shapes) % len(disturbances)]
    return fill_of(shape, disturbance, np.random.default_rng([family, number]))


def stalled_fill(number: int, family: int = 1) -> AdverseFill:
    """The fill of that number with long stalls where they hurt most."""
    shapes, places = tuple(Shape), tuple(StallPlace)
    shape, place = shapes[number % len(shapes)], places[number // len(shapes) % len(places)]
    return fill_of(shape, place, np.random.default_rng([family, number]))


def fill_of(shape: Shape, disturbance: Disturbance | StallPlace, random: np.random.Generator) -> AdverseFill:
    """One of that kind."""
    levels = _levels(shape, random)
    capacity_bytes = sum(level.length_bytes for level in levels)
    changes_s = np.cumsum([0.0, *(level.seconds for level in levels)])
    done_bytes = np.cumsum([0.0, *(level.length_bytes for level in levels)])
    if isinstance(disturbance, StallPlace):
        steady, noise, detail = _stalled(disturbance, changes_s, random)
    else:
        steady, noise, detail = _pace(disturbance, changes_s, random)
    series, moments = lived_through(changes_s, done_bytes, steady * noise, any_standstill(random))
    speeds = [
        _speed(levels[index], steady[moments[index] : moments[index + 1]], disturbance)
        for index in range(min(2, len(levels)))
    ]
    cache_speed = speeds[0] if disturbance is Disturbance.DIPS else levels[0].bytes_per_s
    has_cache = shape not in _NO_CACHE
    return AdverseFill(
        shape=shape,
        disturbance=disturbance,
        detail=detail,
        series=series,
        sensors=_hot(series, moments[1] * FINE_S) if shape is Shape.THROTTLED else None,
        capacity_bytes=round(capacity_bytes),
        after=_CLASS.get(shape),
        cache_bytes=levels[0].length_bytes if has_cache else None,
        cache_speed=cache_speed if has_cache else None,
        second_speed=speeds[1] if has_cache else None,
    )


def lived_through(
    changes_s: Floats, done_bytes: Floats, pace: Floats, standstill: Standstill
) -> tuple[Series, NDArray[np.int64]]:
    """Levels at a pace that changes from moment to moment: the windows, and at which moment each level really begins or ends."""
    lived_s = np.concatenate([[0.0], np.cumsum(pace) * FINE_S])
    end = int(np.searchsorted(lived_s, changes_s[-1]))
    ends = np.append(np.arange(0, end, FINE), end)[1:]
    done = np.interp(lived_s[ends], changes_s, done_bytes)
    return _series(ends * FINE_S, done, standstill), np.searchsorted(lived_s, changes_s).clip(0, end)


def any_standstill(random: np.random.Generator) -> Standstill:
    """One of the ways in which it appears."""
    return Standstill(random.choice([one.value for one in Standstill]))


def _speed(level: Level, steady: Floats, disturbance: Disturbance | StallPlace) -> float:
    """Pauses counted in, and stalls inside the level, but not those at its ends."""
    moving = np.flatnonzero(steady >= 1)
    if disturbance is not Disturbance.DIPS and len(moving):
        steady = steady[moving[0] : moving[-1] + 1]
    return level.bytes_per_s * float(steady.mean())


def _levels(shape: Shape, random: np.random.Generator) -> Sequence[Level]:
    capacity = float(np.exp(random.uniform(np.log(240), np.log(1000)))) * _GB
    slow = float(np.exp(random.uniform(np.log(0.4), np.log(1.6)))) * _GB
    fast = slow * float(np.exp(random.uniform(np.log(1.6), np.log(10))))
    parts = _PARTS[shape](random, fast, slow)
    if shape is Shape.SHORT:
        parts = [(random.uniform(0.12, 0.8) * fast / capacity, fast), *parts]
    if shape in {Shape.FLAT_LATE, Shape.DIRECT_LATE}:
        late = random.uniform(0.002, 0.02)
        parts = [*_whole(parts, 1 - late), (late, slow * random.uniform(0.1, 0.6))]
    return [Level(part * capacity, speed) for part, speed in _whole(parts, 1)]


def _sawtooth(random: np.random.Generator, fast: float, slow: float) -> Parts:
    share = random.uniform(0.15, 0.3)
    tooth = [(random.uniform(0.04, 0.08), slow), (random.uniform(0.3, 0.6) * share / 2, fast)]
    return [(share / 2, fast), *tooth * int(random.integers(4, 8)), (1, slow)]


def _exponential(random: np.random.Generator, fast: float, slow: float) -> Parts:
    falling = np.exp(-random.uniform(3, 6) * np.arange(_STEPS) / _STEPS)
    return [(1 / _STEPS, slow + (fast - slow) * share) for share in falling]


def _ramp(random: np.random.Generator, fast: float, slow: float) -> Parts:
    length = random.uniform(0.15, 0.5)
    slope = [(length / _STEPS, speed) for speed in np.linspace(fast, slow, _STEPS)]
    return [(random.uniform(0.15, 0.3), fast), *slope, (1, slow)]


def _several(random: np.random.Generator, fast: float, slow: float) -> Parts:
    ratios = random.permutation([1.0, random.uniform(0.55, 0.7), random.uniform(0.3, 0.4)])
    levels = [(random.uniform(0.15, 0.25), slow * ratio) for ratio in ratios]
    return [(random.uniform(0.15, 0.3), fast), *levels, (1, slow * 0.8)]


def _direct(random: np.random.Generator, fast: float, slow: float) -> Parts:
    return [(random.uniform(0.02, 0.1), fast), (1, slow)]


_PARTS: dict[Shape, Callable[[np.random.Generator, float, float], Parts]] = {
    Shape.DIRECT_THEN_FOLD: lambda random, fast, slow: [
        (random.uniform(0.15, 0.3), fast),
        (random.uniform(0.15, 0.4), slow),
        (1, slow * random.uniform(0.3, 0.75)),
    ],
    Shape.FOLD_THEN_DIRECT: lambda random, fast, slow: [
        (random.uniform(0.15, 0.3), fast),
        (random.uniform(0.25, 0.45), slow * random.uniform(0.45, 0.8)),
        (1, slow),
    ],
    Shape.SAWTOOTH: _sawtooth,
    Shape.DIRECT: _direct,
    Shape.DIRECT_NEAR: lambda random, _, slow: [
        (random.uniform(0.02, 0.1), slow * random.uniform(1.15, 1.3)),
        (1, slow),
    ],
    Shape.SHORT: lambda _random, _fast, slow: [(1, slow)],
    Shape.WHOLE_DRIVE: lambda random, fast, slow: [(random.uniform(0.2, 0.45), fast), (1, slow)],
    Shape.FLAT: lambda _random, _fast, slow: [(1, slow)],
    Shape.LINEAR: lambda _, fast, slow: [(1 / _STEPS, speed) for speed in np.linspace(fast, slow, _STEPS)],
    Shape.EXPONENTIAL: _exponential,
    Shape.RAMP: _ramp,
    Shape.SEVERAL: _several,
    Shape.FLAT_LATE: lambda _random, _fast, slow: [(1, slow)],
    Shape.DIRECT_LATE: _direct,
    Shape.THROTTLED: lambda random, fast, _: [
        (random.uniform(0.1, 0.4), fast),
        (1, fast * random.uniform(0.3, 0.7)),
    ],
}
"""Shares of the capacity and speeds; the last share is what is left."""


def _whole(parts: Parts, share: float) -> Parts:
    """The same with the last part cut to what is left."""
    return (
        [*parts[:-1], (share - sum(part for part, _ in parts[:-1]), parts[-1][1])] if len(parts) < _STEPS else [*parts]
    )


def _pace(disturbance: Disturbance, changes_s: Floats, random: np.random.Generator) -> tuple[Floats, Floats, str]:
    """What is lasting (dips and stalls) and what is noise in the pace at each moment, long enough for the whole fill; and in words."""
    count = int(2 * (changes_s[-1] + 80) / FINE_S) // FINE * FINE
    steady, sigma, correlation, detail = np.ones(count), 0.02, 0.0, "2 %"
    match disturbance:
        case Disturbance.CALM:
            pass
        case Disturbance.DIPS:
            period_s = float(np.exp(random.uniform(np.log(1), np.log(60))))
            length_s = min(float(np.exp(random.uniform(np.log(0.1), np.log(2)))), 0.33 * period_s)
            remains = float(random.choice([0.0, random.uniform(0.02, 0.7)]))
            phase = (np.arange(count) * FINE_S + random.uniform(0, period_s)) % period_s
            steady[phase < length_s] = remains
            detail = f"{length_s:.2f} s of {remains:.0%} every {period_s:.1f} s"
        case Disturbance.STALL:
            length_s, remains = random.uniform(5, 60), float(random.choice([0.0, 0.01, 0.02]))
            level = int(random.choice([0, 1])) if len(changes_s) > 2 else 0
            at_s = random.uniform(changes_s[level], changes_s[level + 1])
            if len(changes_s) > _STEPS:
                at_s = random.uniform(0, changes_s[-1])
            steady[int(at_s / FINE_S) :][: int(length_s / FINE_S)] = remains
            detail = f"{length_s:.0f} s of {remains:.0%} at {at_s:.0f} s"
        case Disturbance.WHITE:
            sigma = random.uniform(0.05, 0.25)
            detail = f"{sigma:.0%}"
        case Disturbance.CORRELATED:
            sigma, correlation = random.uniform(0.05, 0.25), float(random.choice([0.5, 0.8, 0.9, 0.95, 0.98]))
            detail = f"{sigma:.0%}, phi {correlation}"
    deviation = correlated(random.normal(0, 1, count // FINE), correlation)
    noise = np.repeat(np.exp(sigma * deviation - sigma**2 / 2), FINE)
    return steady, noise, detail


def _stalled(place: StallPlace, changes_s: Floats, random: np.random.Generator) -> tuple[Floats, Floats, str]:
    """The same with stalls at that place."""
    end_s = float(changes_s[-1])
    stalls = int(random.integers(2, 6)) if place is StallPlace.SEVERAL else 1
    lengths_s = random.uniform(5, 90, stalls)
    remains = float(random.choice([0.0, 0.01, 0.02]))
    back_s = random.uniform(0, max(0.3, remains * lengths_s[0]))
    match place:
        case StallPlace.FROM_THE_START:
            begins_s = np.zeros(1)
        case StallPlace.EARLY:
            begins_s = random.uniform(0.1, 2, 1)
        case StallPlace.ACROSS_CACHE_END:
            begins_s = np.array([max(0.0, changes_s[1] - back_s)])
        case StallPlace.AT_END:
            begins_s = np.array([end_s - back_s])
        case StallPlace.SEVERAL:
            begins_s = np.sort(random.uniform(0, end_s, stalls))
    # On the clock, where those before have taken their time already.
    begins_s = begins_s + np.concatenate([[0.0], np.cumsum(lengths_s[:-1] * (1 - remains))])
    count = int((1.3 * end_s + lengths_s.sum() + 10) / FINE_S) // FINE * FINE
    steady = np.ones(count)
    for begin_s, length_s in zip(begins_s, lengths_s, strict=True):
        steady[int(begin_s / FINE_S) :][: int(length_s / FINE_S)] = remains
    noise = np.repeat(np.exp(0.02 * random.normal(0, 1, count // FINE)), FINE)
    spans = ", ".join(f"{length_s:.0f} s at {at_s:.1f} s" for at_s, length_s in zip(begins_s, lengths_s, strict=True))
    return steady, noise, f"{remains:.0%} for {spans}"


def correlated(fresh: Floats, correlation: float) -> Floats:
    if not correlation:
        return fresh
    scale, value = float(np.sqrt(1 - correlation**2)), float(fresh[0])
    found = []
    for one in fresh.tolist():
        value = correlation * value + scale * one
        found.append(value)
    return np.array(found)


def _series(ends_s: Floats, done_bytes: Floats, standstill: Standstill) -> Series:
    written = np.diff(np.concatenate([[0.0], done_bytes]))
    kept = (written > 0) | (standstill is Standstill.EMPTY_WINDOWS)
    time_ns = np.round(ends_s[kept] * NS_PER_S).astype(np.int64)
    bandwidth = written[kept] / (np.diff(np.concatenate([[0], time_ns])) / NS_PER_S)
    latency_ns = np.divide(
        IN_FLIGHT_BYTES * NS_PER_S, bandwidth, out=np.full(len(bandwidth), np.nan), where=bandwidth > 0
    )
    return Series(
        window_ns=WINDOW_NS,
        time_ns=time_ns,
        bandwidth_bytes_per_s=bandwidth,
        iops=bandwidth / BLOCK_BYTES,
        latency_ns_mean=latency_ns,
        latency_ns_max=latency_ns * 3,
    )


def _hot(series: Series, throttled_from_s: float) -> SensorSeries:
    """A drive that warms up to its limit and says from then on that it throttles; asked every second."""
    time_s = np.arange(0, series.time_ns[-1] / NS_PER_S, 1.0)
    warm = 45 + 37 * (1 - np.exp(-3 * time_s / throttled_from_s)) / (1 - np.exp(-3))
    throttled = time_s >= throttled_from_s
    unknown = np.full(len(time_s), np.nan)
    return SensorSeries(
        time_ns=(time_s * NS_PER_S).astype(np.int64),
        temperature_c=np.where(throttled, 82.0, warm).round(),
        throttle_level=throttled.astype(np.float64),
        throttled_s=np.cumsum(throttled).astype(np.float64),
        host_read_bytes=unknown,
        host_written_bytes=unknown,
        media_written_bytes=unknown,
    )
