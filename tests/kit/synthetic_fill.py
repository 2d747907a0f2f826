"""Series of fills whose levels are known exactly, and the noise of real ones on top."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.engine.result import Series
from ssdlab.units import KIB, NS_PER_MS, NS_PER_S

Floats = NDArray[np.float64]

WINDOW_NS = 100 * NS_PER_MS
BLOCK_BYTES = 128 * KIB
IN_FLIGHT_BYTES = 256 * BLOCK_BYTES


@dataclass(frozen=True, slots=True)
class Level:
    """A stretch at one speed."""

    length_bytes: float
    bytes_per_s: float

    @property
    def seconds(self) -> float:
        return self.length_bytes / self.bytes_per_s


@dataclass(frozen=True, slots=True)
class Noise:
    """Scatter of the windows: log-normal with mean one, and a share of windows that almost stand still."""

    sigma: float
    outliers: float = 0.0
    correlation: float = 0.0


QUIET, ORDINARY, LOUD = Noise(0.02), Noise(0.10, 0.005), Noise(0.25, 0.02)


def series_of(bandwidth: Floats, latency_scale: float = 1.0) -> Series:
    """Full windows of that bandwidth with the latency a full queue has (Little's law)."""
    latency = np.divide(IN_FLIGHT_BYTES * 1e9, bandwidth, out=np.full(len(bandwidth), np.nan), where=bandwidth > 0)
    return Series(
        window_ns=WINDOW_NS,
        time_ns=np.arange(1, len(bandwidth) + 1, dtype=np.int64) * WINDOW_NS,
        bandwidth_bytes_per_s=bandwidth,
        iops=bandwidth / BLOCK_BYTES,
        latency_ns_mean=latency * latency_scale,
        latency_ns_max=latency * 3,
    )


def bandwidth_of(levels: Sequence[Level]) -> Floats:
    """Mean bandwidth of each window; a window in which the level changes has a part of both."""
    changes_s = np.cumsum([0.0, *(level.seconds for level in levels)])
    done_bytes = np.cumsum([0.0, *(level.length_bytes for level in levels)])
    window_s = WINDOW_NS / NS_PER_S
    ends_s = np.arange(int(changes_s[-1] / window_s) + 1) * window_s
    result: Floats = np.diff(np.interp(ends_s, changes_s, done_bytes)) / window_s
    return result


def noisy(bandwidth: Floats, noise: Noise, seed: int) -> Floats:
    """The same with noise."""
    random = np.random.default_rng(seed)
    deviation = random.normal(0, 1, len(bandwidth))
    for index in range(1, len(deviation) if noise.correlation else 0):
        fresh = np.sqrt(1 - noise.correlation**2) * deviation[index]
        deviation[index] = noise.correlation * deviation[index - 1] + fresh
    result: Floats = bandwidth * np.exp(noise.sigma * deviation - noise.sigma**2 / 2)
    still = random.random(len(bandwidth)) < noise.outliers
    result[still] *= random.uniform(0.05, 0.6, int(still.sum()))
    return result


def truth_of(levels: Sequence[Level], series: Series) -> tuple[Floats, Floats]:
    """What was really written by each change of level, noise included, and the mean bandwidth in between."""
    changes_s = np.cumsum([0.0, *(level.seconds for level in levels)])
    changes_s[-1] = series.time_ns[-1] / NS_PER_S
    ends_s = np.concatenate([[0.0], series.time_ns / NS_PER_S])
    done = np.interp(changes_s, ends_s, np.concatenate([[0.0], series.bytes_done]))
    return done[1:], np.diff(done) / np.diff(changes_s)
