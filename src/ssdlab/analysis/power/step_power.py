"""What each step of a run drew, once the meter's clock is that of the run; one pass over the log."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ssdlab.analysis.power.samples import GAP_PERIODS, Floats, PowerChunk, PowerLog
from ssdlab.bundle.power import ClockFit, StepPower, Timed
from ssdlab.message import message, number
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

_COVERED_MIN = 0.95
_CELL_S = 0.01
WINDOW_S = 0.1
_WINDOWS_MAX = 1 << 23


@dataclass(frozen=True, slots=True)
class StepTime:
    """When a step was, on the run's clock."""

    step: str
    timed: Timed
    begin_ns: int
    end_ns: int
    beside_ns: int = 0
    """How much of it was no I/O, nobody knows when: the start and end of the engine."""


@dataclass(frozen=True, slots=True, eq=False)
class PowerWindows:
    """Power over the run's time; arrays of one length.

    Attributes:
        time_ns: int64, end of each window, on the run's clock.
        power_w_mean, power_w_max: float64; NaN where there is no sample.
    """

    time_ns: "np.ndarray[tuple[int], np.dtype[np.int64]]"
    power_w_mean: Floats
    power_w_max: Floats


@dataclass(frozen=True, slots=True, eq=False)
class RunPower:
    """All that is taken of a log."""

    steps: tuple[StepPower, ...]
    windows: PowerWindows
    sample_count: int
    missing_share: float


class _StepSums:
    """Of one step, as samples come."""

    def __init__(self, time: StepTime, fit: ClockFit, period_s: float) -> None:
        self.time = time
        self.begin_s, self.end_s = fit.meter_s(time.begin_ns / NS_PER_S), fit.meter_s(time.end_ns / NS_PER_S)
        self._period_s = period_s
        self._error_s = fit.error_s
        self._rate = 1 + fit.drift_ppm * 1e-6
        self._energy_j = self._covered_s = 0.0
        self._at_edges_w: list[float] = []
        self._samples = self._at_highest = 0
        self._highest_w, self._lowest_w = -math.inf, math.inf
        cells = math.ceil((self.end_s - self.begin_s) / _CELL_S) if period_s <= WINDOW_S else 0
        self._cells_j, self._cells_s = np.zeros(cells), np.zeros(cells)
        self._short = round(1e-4 / period_s) if period_s <= 5e-5 else 0
        self._tail_s: Floats = np.zeros(0)
        self._tail_w: Floats = np.zeros(0)
        self._highest_short_w = -math.inf
        self._short_windows = self._crowded_windows = 0

    def take(self, time_s: Floats, power_w: Floats) -> None:
        """Samples with values, in order."""
        first = int(np.searchsorted(time_s, self.begin_s - self._period_s, side="right"))
        last = int(np.searchsorted(time_s, self.end_s, side="left"))
        if first >= last:
            return
        at_s, watts = time_s[first:last], power_w[first:last]
        inside_s = np.minimum(at_s + self._period_s, self.end_s) - np.maximum(at_s, self.begin_s)
        self._energy_j += float(inside_s @ watts)
        self._covered_s += float(inside_s.sum())
        self._samples += len(watts)
        highest = float(watts.max())
        if highest > self._highest_w:
            self._highest_w, self._at_highest = highest, 0
        self._at_highest += int((watts == self._highest_w).sum())
        self._lowest_w = min(self._lowest_w, float(watts.min()))
        reach_s = max(self._error_s, self._period_s)
        near = (np.abs(at_s - self.begin_s) <= reach_s) | (np.abs(at_s - self.end_s) <= reach_s)
        self._at_edges_w += [float(watts[near].min()), float(watts[near].max())] if near.any() else []
        if len(self._cells_j):
            cells = np.clip(((at_s - self.begin_s) / _CELL_S).astype(np.int64), 0, len(self._cells_j) - 1)
            self._cells_j += np.bincount(cells, inside_s * watts, len(self._cells_j))
            self._cells_s += np.bincount(cells, inside_s, len(self._cells_j))
        if self._short:
            self._take_short(at_s, watts)

    def _take_short(self, at_s: Floats, watts: Floats) -> None:
        """Of so many samples that last 100 us, unless there is a gap among them."""
        times_s, values = np.concatenate([self._tail_s, at_s]), np.concatenate([self._tail_w, watts])
        between = self._short - 1
        self._tail_s, self._tail_w = times_s[-between:], values[-between:]
        if len(values) < self._short:
            return
        periods = (times_s[between:] - times_s[:-between]) / self._period_s
        self._short_windows += len(periods)
        self._crowded_windows += int((periods < between + 1 - GAP_PERIODS).sum())
        is_whole = np.abs(periods - between) <= GAP_PERIODS - 1
        if is_whole.any():
            sums = np.cumsum(np.concatenate([[0.0], values]))
            means = (sums[self._short :] - sums[: -self._short]) / self._short
            self._highest_short_w = max(self._highest_short_w, float(means[is_whole].max()))

    def done(self, highest_w: float) -> StepPower:
        """What it came to, given the highest sample of all steps."""
        length_s = self.end_s - self.begin_s
        covered = min(1.0, self._covered_s / length_s) if length_s > 0 else 0.0
        energy_j, mean_w = self._energy(covered, length_s)
        # What lies at its ends may be another step's, and what is missing or stood beside the I/O may have been anything in between.
        swing_w = max(self._highest_w - self._lowest_w, 0.0) if self._samples else 0.0
        edge_w = max(self._at_edges_w, default=0.0) - min(self._at_edges_w, default=0.0)
        beside_s = self.time.beside_ns / NS_PER_S
        doubt_j = ((1 - covered) * length_s + beside_s) * swing_w + 2 * self._error_s * edge_w
        known_j = 0.0 if isinstance(energy_j, Unknown) else energy_j
        return StepPower(
            step=self.time.step,
            timed=self.time.timed,
            begin_ns=self.time.begin_ns,
            end_ns=self.time.end_ns,
            energy_j=energy_j,
            energy_low_j=max(0.0, known_j - doubt_j),
            energy_high_j=known_j + doubt_j,
            covered_share=covered,
            highest_share=self._at_highest / self._samples if self._samples and self._highest_w == highest_w else 0.0,
            mean_w=mean_w,
            max_1s_w=self._highest_second(covered, length_s),
            max_100us_w=self._highest_100us(covered),
        )

    @property
    def highest_w(self) -> float:
        """Its highest sample."""
        return self._highest_w

    def _energy(self, covered: float, length_s: float) -> tuple[float | Unknown, float | Unknown]:
        if length_s < 20 * self._error_s or length_s < 10 * self._period_s:
            length, error = number(length_s * 1e3, ".3g"), number(self._error_s * 1e3, ".2g")
            short = Unknown(message("unknown-power-step-short", length_ms=length, error_ms=error))
            return short, short
        if covered < _COVERED_MIN:
            missing = _missing(covered)
            return missing, missing
        mean_w = self._energy_j / self._covered_s
        return mean_w * length_s / self._rate, mean_w

    def _highest_second(self, covered: float, length_s: float) -> float | Unknown:
        if self._period_s > WINDOW_S:
            return Unknown(message("unknown-power-period", period_ms=number(self._period_s * 1e3, ".3g")))
        if length_s < 1:
            return Unknown(message("unknown-power-under-second"))
        if covered < _COVERED_MIN:
            return _missing(covered)
        cells = round(1 / _CELL_S)
        joules, seconds = (np.concatenate([[0.0], np.cumsum(one)]) for one in (self._cells_j, self._cells_s))
        windows_s = seconds[cells:] - seconds[:-cells]
        is_whole = windows_s > _COVERED_MIN - self._period_s
        if not is_whole.any():
            return _missing(covered)
        return float(((joules[cells:] - joules[:-cells])[is_whole] / windows_s[is_whole]).max())

    def _highest_100us(self, covered: float) -> float | Unknown:
        if not self._short:
            return Unknown(message("unknown-power-100us", period_us=number(self._period_s * 1e6, ".3g")))
        is_found = math.isfinite(self._highest_short_w)
        is_crowded = self._crowded_windows > (1 - _COVERED_MIN) * self._short_windows
        if is_crowded or (not is_found and self._short_windows and covered >= _COVERED_MIN):
            return Unknown(message("unknown-power-uneven", period_us=number(self._period_s * 1e6, ".3g")))
        return self._highest_short_w if is_found else _missing(covered)


def _missing(covered: float) -> Unknown:
    return Unknown(message("unknown-power-missing", percent=number(100 * (1 - covered), ".2g")))


class _Windows:
    """Power over the time of the run, in windows of one length."""

    def __init__(self, begin_ns: int, end_ns: int, fit: ClockFit) -> None:
        length_s = max((end_ns - begin_ns) / NS_PER_S, WINDOW_S)
        self._width_s = max(WINDOW_S, length_s / _WINDOWS_MAX)
        self._begin_s = begin_ns / NS_PER_S
        self._fit = fit
        count = math.ceil(length_s / self._width_s)
        self._total, self._count, self._max = np.zeros(count), np.zeros(count), np.full(count, -np.inf)

    def take(self, time_s: Floats, power_w: Floats) -> None:
        """Samples with values, in order."""
        run_s = (time_s - self._fit.offset_s) / (1 + self._fit.drift_ppm * 1e-6)
        at = np.floor((run_s - self._begin_s) / self._width_s).astype(np.int64)
        inside = (at >= 0) & (at < len(self._total))
        at, watts = at[inside], power_w[inside]
        if not len(at):
            return
        first = int(at[0])
        part = np.bincount(at - first, watts)
        self._total[first : first + len(part)] += part
        self._count[first : first + len(part)] += np.bincount(at - first)
        np.maximum.at(self._max, at, watts)

    def done(self) -> PowerWindows:
        """All of them."""
        ends_s = self._begin_s + (np.arange(len(self._total)) + 1) * self._width_s
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = self._total / self._count
        highest = np.where(self._count > 0, self._max, np.nan)
        return PowerWindows(np.round(ends_s * NS_PER_S).astype(np.int64), mean, highest)


def run_power(log: PowerLog, fit: ClockFit, steps: Sequence[StepTime], begin_ns: int, end_ns: int) -> RunPower:
    """What the steps drew, and the power from one moment of the run to another.

    Raises:
        PowerLogError: The file is damaged.
    """
    sums = [_StepSums(step, fit, log.period_s) for step in steps]
    windows = _Windows(begin_ns, end_ns, fit)
    begin_s, end_s = fit.meter_s(begin_ns / NS_PER_S), fit.meter_s(end_ns / NS_PER_S)
    samples = inside = 0
    for chunk in log.chunks():
        known = _known(chunk)
        samples += len(known.time_s)
        inside += int(((known.time_s >= begin_s) & (known.time_s < end_s)).sum())
        windows.take(known.time_s, known.power_w)
        for one in sums:
            if len(known.time_s) and one.begin_s <= known.time_s[-1] + log.period_s and one.end_s >= known.time_s[0]:
                one.take(known.time_s, known.power_w)
    highest_w = max((one.highest_w for one in sums), default=-math.inf)
    missing = max(0.0, 1 - inside * log.period_s / (end_s - begin_s))
    return RunPower(tuple(one.done(highest_w) for one in sums), windows.done(), samples, missing)


def _known(chunk: PowerChunk) -> PowerChunk:
    known = np.isfinite(chunk.power_w)
    return chunk if known.all() else PowerChunk(chunk.time_s[known], chunk.power_w[known])
