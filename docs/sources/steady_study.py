"""When would each criterion have ended the writing, and how wrong is what is measured then?"""

import json
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from sources.steady_drives import CAPACITY_BYTES, TIME, Begin, SteadyDrive
from ssdlab import _core
from ssdlab.analysis.infer.steady import Criterion, Firing, SteadyContext, SteadyJudge
from ssdlab.analysis.statistics.written_curve import WrittenCurve
from ssdlab.units import KIB, NS_PER_MS, NS_PER_S, Share

MINIMUM, MOST, TRUTH = 2, 23, 8
"""Capacities: least and most that is written before measuring, and those whose mean is taken as the truth."""
MEASURED_NS = 300 * NS_PER_S
"""Of the suite; scaled like the drive."""
WINDOW_NS = NS_PER_MS
_WINDOWS_AT_ONCE = 2000


class Method(Enum):
    """When to stop writing and begin to measure."""

    GO = "2 x and go"
    FIO = "fio"
    SNIA = "snia"
    WINDOW = "window"
    HELD = "held"


_CRITERIA = {
    Method.FIO: Criterion.FIO,
    Method.SNIA: Criterion.SNIA,
    Method.WINDOW: Criterion.WINDOW,
    Method.HELD: Criterion.HELD,
}


@dataclass(frozen=True, slots=True)
class Measured:
    """What one method comes to."""

    capacities: float
    """Written before measuring."""
    bytes_per_s: float
    """Mean over the measurement that follows."""
    apart: float
    """Share by which that differs from the mean over the next eight capacities."""


class _Watcher:
    """Judges a stream on the model, and lets it go on until there is enough of it for every method."""

    def __init__(self, ground: SteadyContext) -> None:
        self.judge = SteadyJudge(ground)
        self.curve = WrittenCurve()
        self._ground = ground
        self._waiting: list[NDArray[np.uint64]] = []
        self._windows = 0

    def __call__(self, ios_of_windows: bytes) -> bool:
        """Take in the I/Os of some windows; true once the stream may end."""
        self._waiting.append(np.frombuffer(ios_of_windows, dtype=np.uint64))
        if sum(map(len, self._waiting)) < _WINDOWS_AT_ONCE:
            return False
        done_bytes = np.concatenate(self._waiting).astype(np.float64) * self._ground.block_bytes
        self._waiting = []
        time_ns = (self._windows + 1 + np.arange(len(done_bytes))) * WINDOW_NS
        self._windows += len(done_bytes)
        self.judge.feed(time_ns, done_bytes)
        self.curve.append(time_ns, done_bytes)
        return self.curve.end_bytes >= (self._last() + TRUTH) * self._ground.capacity_bytes

    def _last(self) -> float:
        """Capacities written when the last method stops, or when all of them have to."""
        stops = [finding.after_minimum for finding in self.judge.findings]
        capacity_bytes = self._ground.capacity_bytes
        return min(MOST, max(MOST if one is None else one.at_bytes / capacity_bytes for one in stops))


def study(drive: SteadyDrive) -> dict[Method, Measured | None]:
    """Write to a drive at random until every method has stopped; None for one that finds no end within 23 capacities."""
    core = _core.ModelDrive(drive.text)
    now_ns = 0
    if drive.begin is Begin.FILLED:
        now_ns = core.run(workload("sequential", 128 * KIB, CAPACITY_BYTES, MINIMUM, drive.seed), 0).end_ns
    return watched(core, now_ns, CAPACITY_BYTES, drive.block_bytes, TIME)[1]


def watched(
    core: _core.ModelDrive, now_ns: int, capacity_bytes: int, block_bytes: int, time: Share
) -> tuple[WrittenCurve, dict[Method, Measured | None]]:
    """One continuous stream of random writes, and what each method comes to on it."""
    ground = SteadyContext(capacity_bytes, block_bytes, MINIMUM * capacity_bytes, time.of(MEASURED_NS), time)
    watcher = _Watcher(ground)
    core.run(workload("random", block_bytes, capacity_bytes, MOST + TRUTH + 1, 1), now_ns, None, watcher)
    stops = {finding.criterion: finding.after_minimum for finding in watcher.judge.findings}
    found: dict[Method, Measured | None] = {
        method: _measured(watcher.curve, ground, stops[criterion]) for method, criterion in _CRITERIA.items()
    }
    at_minimum = float(watcher.curve.time_at(np.array([float(ground.minimum_bytes)]))[0])
    go = _measured(watcher.curve, ground, Firing(ground.minimum_bytes, round(at_minimum * NS_PER_S)))
    return watcher.curve, {Method.GO: go, **found}


def _measured(curve: WrittenCurve, ground: SteadyContext, stop: Firing | None) -> Measured | None:
    if stop is None or stop.at_bytes > MOST * ground.capacity_bytes:
        return None
    begin_s, measured_s = stop.at_ns / NS_PER_S, ground.measured_ns / NS_PER_S
    value = (float(curve.bytes_at(np.array([begin_s + measured_s]))[0]) - stop.at_bytes) / measured_s
    truth_bytes = float(TRUTH * ground.capacity_bytes)
    end_s = float(curve.time_at(np.array([stop.at_bytes + truth_bytes]))[0])
    return Measured(stop.at_bytes / ground.capacity_bytes, value, value / (truth_bytes / (end_s - begin_s)) - 1)


def workload(pattern: str, block_bytes: int, capacity_bytes: int, capacities: int, seed: int) -> str:
    """Writes in the words of the model's driver."""
    return json.dumps(
        {
            "pattern": pattern,
            "draw": "independent",
            "action": "read_write",
            "read_percent": 0,
            "block_bytes": block_bytes,
            "queue_depth": 256,
            "jobs": 1,
            "region_offset_bytes": 0,
            "region_length_bytes": capacity_bytes,
            "amount_bytes": capacities * capacity_bytes,
            "duration_ns": None,
            "rate_iops": None,
            "sync": "none",
            "seed": seed,
            "window_ns": WINDOW_NS,
            "log_every_io": "no",
        }
    )
