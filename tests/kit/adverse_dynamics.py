"""Streams of random writes of which it is hard to say whether they are steady. All in memory, and what comes later is known.

A stream is a speed over what has been written (decays, rhythms of collection, wear levelling) times a pace over time (heat, noise).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from ssdlab.units import NS_PER_S

Floats = NDArray[np.float64]
Random = np.random.Generator

CAPACITY_BYTES = 10**12
CAPACITIES = 32
"""Written in all: the most that a suite allows, and what is taken as the truth after it."""
_STEP = 0.005
"""Of a capacity: the speed over what was written is known this finely."""


class Dynamics(Enum):
    """What the speed does."""

    DECAY = "decay"
    """Nothing adverse: a fresh drive that settles."""
    SINE = "sine"
    HOT_COLD = "hot and cold"
    """Two decays, one of them slow and towards the other side."""
    TWO_SPEEDS = "two speeds"
    BURSTS = "bursts"
    THERMAL = "thermal cycle"
    DRIFT = "drift"
    SAWTOOTH = "sawtooth"
    CORRELATED = "correlated noise"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdverseStream:
    """A stream.

    Attributes:
        detail: The dynamics in numbers.
        period_capacities: Longest period of what comes again by what was written; None where nothing does.
        time_ns: Ends of the windows of one second.
        done_bytes: Written in each.
    """

    dynamics: Dynamics
    detail: str
    period_capacities: float | None
    time_ns: NDArray[np.int64]
    done_bytes: Floats


@dataclass(frozen=True, slots=True)
class _Shape:
    speed: Floats
    """Relative, over what was written."""
    detail: str
    period: float | None = None


def adverse_stream(number: int, family: int = 1) -> AdverseStream:
    """The stream of that number: always the same one. Another family draws others of the same kinds."""
    kinds = tuple(Dynamics)
    return stream_of(kinds[number % len(kinds)], np.random.default_rng([family, number]))


def stream_of(dynamics: Dynamics, random: Random) -> AdverseStream:
    """One of that kind."""
    written = np.arange(0, CAPACITIES, _STEP)
    lasts_s = _log_uniform(random, 900, 6000)
    """Seconds that a capacity takes."""
    shape = _SHAPES[dynamics](random, written) if dynamics in _SHAPES else _Shape(np.ones_like(written), "flat")
    speed, detail = shape.speed, shape.detail
    if dynamics is not Dynamics.DECAY and random.random() < 0.5:
        settling, told = _decay(random, written)
        speed, detail = speed * settling, f"{detail}; {told}"
    lived_s = np.concatenate([[0.0], np.cumsum(_STEP * lasts_s / np.maximum(speed, 0.02))])
    seconds = np.arange(int(1.6 * lived_s[-1]))
    pace, told = _pace(dynamics, random, seconds)
    lived_by_s = np.cumsum(pace)
    lived_by_s = lived_by_s[lived_by_s < lived_s[-1]]
    done = np.interp(lived_by_s, lived_s, np.append(written, CAPACITIES)) * CAPACITY_BYTES
    return AdverseStream(
        dynamics=dynamics,
        detail=f"{detail}; {told}; {lasts_s:.0f} s a capacity",
        period_capacities=shape.period,
        time_ns=(np.arange(len(done)) + 1) * NS_PER_S,
        done_bytes=np.diff(done, prepend=0.0),
    )


def _log_uniform(random: Random, low: float, high: float) -> float:
    return float(np.exp(random.uniform(np.log(low), np.log(high))))


def _decay(random: Random, written: Floats) -> tuple[Floats, str]:
    height, length = _log_uniform(random, 0.3, 4), random.uniform(0.4, 1.1)
    fresh = random.choice([0.0, random.uniform(0.3, 1)])
    speed = 1 + height * np.exp(-np.maximum(0, written - fresh) / length)
    return speed, f"from {1 + height:.1f} by one e-fold in {length:.1f}"


def _settling(random: Random, written: Floats) -> _Shape:
    return _Shape(*_decay(random, written))


def _sine(random: Random, written: Floats) -> _Shape:
    period, height, phase = _log_uniform(random, 0.7, 20), random.uniform(0.05, 0.3), random.uniform(0, 2 * np.pi)
    wave = 1 + height * np.sin(2 * np.pi * written / period + phase)
    return _Shape(wave, f"{height:.0%} every {period:.1f} from {phase / 2 / np.pi:.0%}", period)


def _hot_cold(random: Random, written: Floats) -> _Shape:
    quick, slow = random.uniform(0.3, 1.2), _log_uniform(random, 2.5, 20)
    high, low = random.uniform(0.3, 3), random.choice([-1, 1]) * random.uniform(0.1, 0.4)
    speed = 1 + high * np.exp(-written / quick) - low * np.exp(-written / slow)
    return _Shape(speed, f"{high:+.0%} for {quick:.1f}, {-low:+.0%} for {slow:.1f}")


def _two_speeds(random: Random, written: Floats) -> _Shape:
    lengths = random.uniform(0.4, 6, 2)
    slow, period = random.uniform(0.6, 0.9), float(lengths.sum())
    phase = (written + random.uniform(0, period)) % period
    speed = np.where(phase < lengths[0], 1.0, slow)
    return _Shape(speed, f"1 for {lengths[0]:.1f}, {slow:.2f} for {lengths[1]:.1f}", period)


def _bursts(random: Random, written: Floats) -> _Shape:
    period, length, slow = random.uniform(1.5, 9), random.uniform(0.1, 1), random.uniform(0.2, 0.6)
    phase = (written + random.uniform(0, period)) % period
    return _Shape(np.where(phase < length, slow, 1.0), f"{slow:.0%} for {length:.1f} every {period:.1f}", period)


def _drift(random: Random, written: Floats) -> _Shape:
    a_capacity = random.choice([-1, 1]) * _log_uniform(random, 0.005, 0.04)
    return _Shape(np.exp(a_capacity * written), f"{a_capacity:+.1%} a capacity")


def _sawtooth(random: Random, written: Floats) -> _Shape:
    period, height = _log_uniform(random, 0.3, 15), random.choice([-1, 1]) * random.uniform(0.05, 0.4)
    phase = (written / period + random.uniform(0, 1)) % 1
    return _Shape(1 + height * (phase - 0.5), f"a tooth of {height:+.0%} every {period:.1f}", period)


def _mixed(random: Random, written: Floats) -> _Shape:
    kinds = random.choice(len(_MIXED), 2, replace=False)
    parts = [_MIXED[kind](random, written) for kind in kinds]
    periods = [part.period for part in parts if part.period is not None]
    speed = np.prod([1 + 0.7 * (part.speed - 1) for part in parts], axis=0)
    return _Shape(speed, " and ".join(f"0.7 x {part.detail}" for part in parts), max(periods, default=None))


_MIXED = (_sine, _hot_cold, _two_speeds, _bursts, _drift, _sawtooth)
_SHAPES: dict[Dynamics, Callable[[Random, Floats], _Shape]] = {
    Dynamics.DECAY: _settling,
    Dynamics.SINE: _sine,
    Dynamics.HOT_COLD: _hot_cold,
    Dynamics.TWO_SPEEDS: _two_speeds,
    Dynamics.BURSTS: _bursts,
    Dynamics.DRIFT: _drift,
    Dynamics.SAWTOOTH: _sawtooth,
    Dynamics.MIXED: _mixed,
}


def _pace(dynamics: Dynamics, random: Random, seconds: NDArray[np.int64]) -> tuple[Floats, str]:
    if dynamics is Dynamics.THERMAL or (dynamics is Dynamics.MIXED and random.random() < 0.3):
        period_s, height = _log_uniform(random, 97, 2400), random.uniform(0.03, 0.2)
        wave = np.sin(2 * np.pi * seconds / period_s + random.uniform(0, 2 * np.pi))
        if random.random() < 0.5:
            wave = np.sign(wave)
        return 1 + height * wave, f"{height:.0%} every {period_s:.0f} s"
    if dynamics is Dynamics.CORRELATED:
        sigma, memory_s = random.uniform(0.05, 0.3), _log_uniform(random, 5, 5000)
        return _noise(
            random, len(seconds), sigma, float(np.exp(-1 / memory_s))
        ), f"noise {sigma:.0%} over {memory_s:.0f} s"
    sigma = random.uniform(0, 0.1)
    return _noise(random, len(seconds), sigma, 0.0), f"noise {sigma:.0%}"


def _noise(random: Random, count: int, sigma: float, correlation: float) -> Floats:
    values = random.normal(0, np.sqrt(1 - correlation**2), count)
    if correlation:
        value, found = float(random.normal()), []
        for fresh in values.tolist():
            value = correlation * value + fresh
            found.append(value)
        values = np.array(found)
    return np.asarray(np.exp(sigma * values - sigma**2 / 2))
