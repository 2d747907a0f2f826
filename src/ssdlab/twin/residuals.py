"""How far a twin is from what was measured, as numbers of about the same weight."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ssdlab.twin.acts import Act
from ssdlab.twin.seen import PointSeen

_WEIGHTS = {"mean": 0.5, "50": 1.0, "90": 0.5, "99": 0.5, "99.9": 0.2}
_FEW_IN_FLIGHT = 4
"""With more, means say what the speed says, and the rest depends on more than one quantity."""
_OF_MANY = 0.4
"""Weight of latencies with more in flight."""
_BIN_WEIGHT = 0.3
_FALLEN_OUT = 5.0
"""Logarithm, in place of what the twin never got to."""


def residuals(acts: Sequence[Act], twin: Mapping[int, PointSeen]) -> NDArray[np.float64]:
    """Of all acts that were rehearsed, weighted logarithms of twin over measured, always as many and in the same order."""
    parts = [_of_act(acts[place], found) for place, found in sorted(twin.items())]
    return np.concatenate([np.asarray(part, dtype=np.float64) for part in parts] or [np.array([])])


def _of_act(act: Act, twin: PointSeen) -> list[float]:
    measured = act.measured
    if measured.written_ns is not None and twin.written_ns is not None:
        return _of_pass(measured.written_ns, twin.written_ns)
    return _of_point(act, measured, twin)


def _of_pass(measured: NDArray[np.float64], twin: NDArray[np.float64]) -> list[float]:
    """By the time at each share, and by the time from each to the next: the first are even where a cache ends, the second tell where."""
    both = np.isfinite(measured) & np.isfinite(twin)
    until = np.log(twin[both] / measured[both])
    pace = np.log(_steps(twin[both]) / _steps(measured[both]))
    # A mean over many shares, not a sum: a pass is one thing that was seen.
    scale = 3.0 / float(np.sqrt(max(1, int(np.count_nonzero(both)))))
    return [*(scale * until), *(scale * _BIN_WEIGHT * np.clip(pace, -2, 2))]


def _steps(times: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.maximum(np.diff(times, prepend=0.0), 1.0)


def _of_point(act: Act, measured: PointSeen, twin: PointSeen) -> list[float]:
    found: list[float] = []
    share = {direction: rate / sum(measured.iops.values()) for direction, rate in measured.iops.items()}
    for direction, rate in measured.iops.items():
        weight = float(np.sqrt(share[direction]))
        found.append(weight * _log(twin.iops.get(direction), rate))
        latency = twin.latency_ns.get(direction, {})
        among = weight if act.work.in_flight <= _FEW_IN_FLIGHT else weight * _OF_MANY
        for name, value in measured.latency_ns.get(direction, {}).items():
            found.append(among * _WEIGHTS[name] * _log(latency.get(name, value), value))
    return found


def _log(twin: float | None, measured: float) -> float:
    if twin is None or twin <= 0 or measured <= 0:
        return _FALLEN_OUT
    return float(np.log(twin / measured))
