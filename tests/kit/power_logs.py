"""Synthetic runs with power marks, and what a meter with a clock of its own would record of them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ssdlab.analysis.power.samples import Floats, PowerChunk
from ssdlab.bundle.power import MarkPlace, PowerBurst, PowerMarks

NS = 1_000_000_000


@dataclass(frozen=True, slots=True, eq=False)
class ArrayLog:
    """A log in memory."""

    time_s: Floats
    power_w: Floats
    period_s: float

    def chunks(self) -> Iterator[PowerChunk]:
        for begin in range(0, len(self.time_s), 50_000):
            part = slice(begin, begin + 50_000)
            yield PowerChunk(self.time_s[part], self.power_w[part])


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What is odd about a log."""

    noise: float = 0.05
    """Of the mean power, standard deviation of a sample."""
    period_s: float = 0.001
    idle_drift: float = 0.0
    """How much of itself the idle power changes over the run."""
    background: int = 0
    """Bursts that the drive makes by itself, anywhere."""
    cut_s: float = 0.0
    """By which the log begins too late, counted from the first burst, and ends too early."""
    dropped: float = 0.0
    """Share of samples that are missing, in stretches of 5 ms."""
    lag_s: float = 0.0
    """Time constant with which the power follows the load."""


def marks_at(rng: np.random.Generator, begin_s: float, place: MarkPlace) -> PowerMarks:
    bursts, at_s = [], begin_s
    for _ in range(5):
        length_s = 0.2 + rng.uniform(0, 0.004)
        bursts.append(PowerBurst(round(at_s * NS), round((at_s + length_s) * NS)))
        at_s += length_s + 0.05 * rng.integers(5, 16)
    return PowerMarks(place, tuple(bursts))


@dataclass(frozen=True, slots=True, eq=False)
class Recorded:
    """A run and its log, with the truth."""

    marks: tuple[PowerMarks, PowerMarks]
    steps: tuple[tuple[float, float], ...]
    """Begin and end of each, in seconds of the run's clock."""
    energies_j: tuple[float, ...]
    log: ArrayLog
    offset_s: float
    drift_ppm: float


def recorded(
    seed: int, shape: Shape, offset_s: float = 3.7, drift_ppm: float = 50.0, length_s: float = 180.0
) -> Recorded:
    """A run of a few steps between two sets of marks."""
    rng = np.random.default_rng(seed)
    idle_w, load_w = rng.uniform(0.3, 5.0), rng.uniform(3.0, 15.0)
    start = marks_at(rng, 2.0 + rng.uniform(0, 2), MarkPlace.START)
    end = marks_at(rng, length_s, MarkPlace.END)
    truth_s = 0.0001
    run_s = np.arange(0, length_s + 12, truth_s)
    power = idle_w * (1 + shape.idle_drift * run_s / length_s)
    for one in (*start.bursts, *end.bursts):
        power[(run_s >= one.begin_ns / NS) & (run_s < one.end_ns / NS)] += load_w * rng.uniform(0.5, 0.6)
    cuts = np.sort(rng.uniform(12, length_s - 5, 8))
    steps = tuple((float(a), float(b)) for a, b in zip(cuts[::2], cuts[1::2], strict=True) if b - a > 2)
    for begin_s, end_s in steps:
        inside = (run_s >= begin_s) & (run_s < end_s)
        power[inside] += load_w * rng.uniform(0.4, 1.0) * (1 + 0.2 * np.sin(run_s[inside] * rng.uniform(0.5, 30)))
    for at_s in rng.uniform(0, length_s + 10, shape.background):
        power[(run_s >= at_s) & (run_s < at_s + rng.uniform(0.02, 0.6))] += load_w * rng.uniform(0.1, 0.5)
    if shape.lag_s:
        response = np.exp(-np.arange(0, 8 * shape.lag_s, truth_s) / shape.lag_s)
        size = 1 << (len(power) + len(response)).bit_length()
        smoothed = np.fft.irfft(np.fft.rfft(power - idle_w, size) * np.fft.rfft(response / response.sum(), size), size)
        power = smoothed[: len(power)] + idle_w
    energy = np.concatenate([[0.0], np.cumsum(power) * truth_s])
    edges_s = np.concatenate([run_s, [run_s[-1] + truth_s]])
    energies = tuple(float(np.interp(e, edges_s, energy) - np.interp(b, edges_s, energy)) for b, e in steps)
    return Recorded(
        (start, end),
        steps,
        energies,
        _metered(rng, shape, edges_s, energy, start, end, offset_s, drift_ppm),
        offset_s,
        drift_ppm,
    )


def _metered(
    rng: np.random.Generator,
    shape: Shape,
    edges_s: Floats,
    energy: Floats,
    start: PowerMarks,
    end: PowerMarks,
    offset_s: float,
    drift_ppm: float,
) -> ArrayLog:
    """Samples that are means over a period of the meter's own clock."""
    rate = 1 + drift_ppm * 1e-6
    first_s = start.bursts[0].begin_ns / NS + shape.cut_s if shape.cut_s else 0.5 + rng.uniform(0, 0.01)
    last_s = end.bursts[-1].end_ns / NS - shape.cut_s if shape.cut_s else edges_s[-1] - 0.5
    first, last = (
        np.ceil((offset_s + rate * first_s) / shape.period_s),
        np.floor((offset_s + rate * last_s) / shape.period_s),
    )
    time_s = np.arange(first, last + 1) * shape.period_s
    at = np.interp((time_s - offset_s) / rate, edges_s, energy)
    watts = np.diff(at) / (shape.period_s / rate)
    watts += rng.normal(0, shape.noise * float(watts.mean()), len(watts))
    time_s = time_s[:-1]
    if shape.dropped:
        length = max(1, round(0.005 / shape.period_s))
        lost = np.zeros(len(time_s), dtype=bool)
        for begin in rng.integers(0, len(time_s), round(shape.dropped * len(time_s) / length)).tolist():
            lost[begin : begin + length] = True
        time_s, watts = time_s[~lost], watts[~lost]
    return ArrayLog(time_s, watts, shape.period_s)
