"""Speeds of drives that are hard to measure in minutes: rhythms, bursts, heat, drift. All in memory, and what comes later is known."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from ssdlab.units import NS_PER_MS

Floats = NDArray[np.float64]

WINDOW_NS = 100 * NS_PER_MS
_A_SECOND = 10
KNOWN_S, POINTS_S, TRUTH_S = 3600, 3600, 12_000
"""What is known before the first point, in what points begin, and what is taken as the truth after the beginning of each."""


class Unrest(Enum):
    """What the speed does."""

    CACHE = "cache rhythm"
    HEAT = "thermal cycle"
    BURSTS = "bursts"
    DRIFT = "drift"
    TWO_SPEEDS = "two speeds"


@dataclass(frozen=True, slots=True)
class RhythmicDrive:
    """A drive.

    Attributes:
        detail: What it does in numbers.
        bytes_per_s: Of windows of 100 ms.
    """

    unrest: Unrest
    detail: str
    bytes_per_s: Floats


def rhythmic_drive(number: int, family: int = 1) -> RhythmicDrive:
    """The drive of that number: always the same one. Another family draws others of the same kinds."""
    kinds = tuple(Unrest)
    unrest, random = kinds[number % len(kinds)], np.random.default_rng([family, number])
    seconds = np.arange((KNOWN_S + POINTS_S + TRUTH_S) * _A_SECOND) / _A_SECOND
    speed, detail = _SHAPES[unrest](random, seconds)
    sigma = random.uniform(0.01, 0.1)
    noise = np.exp(sigma * random.normal(size=len(seconds)) - sigma**2 / 2)
    return RhythmicDrive(unrest, f"{detail}; noise {sigma:.0%}", 1e8 * speed * noise)


def _log_uniform(random: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(random.uniform(np.log(low), np.log(high))))


def _cache(random: np.random.Generator, seconds: Floats) -> tuple[Floats, str]:
    period, share, height = _log_uniform(random, 3, 200), random.uniform(0.1, 0.6), random.uniform(0.1, 2)
    quick = (seconds / period + random.random()) % 1 < share
    return np.where(quick, 1 + height, 1.0), f"{height:+.0%} for {share:.0%} of {period:.0f} s"


def _heat(random: np.random.Generator, seconds: Floats) -> tuple[Floats, str]:
    period, height = _log_uniform(random, 30, 1800), random.uniform(0.02, 0.25)
    wave = np.sin(2 * np.pi * (seconds / period + random.random()))
    return 1 + height * wave, f"{height:.0%} every {period:.0f} s"


def _bursts(random: np.random.Generator, seconds: Floats) -> tuple[Floats, str]:
    between, length, slow = _log_uniform(random, 10, 600), _log_uniform(random, 0.5, 10), random.uniform(0.2, 0.8)
    begins = np.cumsum(between * random.exponential(size=int(3 * seconds[-1] / between) + 10))
    after = seconds - begins[np.maximum(np.searchsorted(begins, seconds, side="right") - 1, 0)]
    burst = (after >= 0) & (after < length)
    return np.where(burst, slow, 1.0), f"{slow:.0%} for {length:.1f} s, by chance every {between:.0f} s"


def _drift(random: np.random.Generator, seconds: Floats) -> tuple[Floats, str]:
    an_hour = random.choice([-1, 1]) * _log_uniform(random, 0.005, 0.2)
    return np.exp(an_hour * seconds / 3600), f"{an_hour:+.1%} an hour"


def _two_speeds(random: np.random.Generator, seconds: Floats) -> tuple[Floats, str]:
    stays, slow = (_log_uniform(random, 10, 900), _log_uniform(random, 10, 900)), random.uniform(0.6, 0.95)
    lengths = random.exponential(size=2 * int(seconds[-1] / sum(stays)) * 2 + 20)
    lengths *= np.tile(stays, len(lengths) // 2)
    changes = np.searchsorted(np.cumsum(lengths), seconds, side="right")
    return np.where(changes % 2 == 0, 1.0, slow), f"1 for {stays[0]:.0f} s, {slow:.2f} for {stays[1]:.0f} s, by chance"


_SHAPES = {
    Unrest.CACHE: _cache,
    Unrest.HEAT: _heat,
    Unrest.BURSTS: _bursts,
    Unrest.DRIFT: _drift,
    Unrest.TWO_SPEEDS: _two_speeds,
}
