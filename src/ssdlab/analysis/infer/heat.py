"""Whether the drive was throttled when its speed fell: then the fall says nothing of a cache."""

import numpy as np

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.result import SensorSeries
from ssdlab.message import Message, message, number, size_decimal
from ssdlab.units import NS_PER_S

_NEAR_NS = 3 * NS_PER_S
"""Sensors are asked about once a second, and say late what has happened."""
_HOT_C = 70.0
"""Consumer drives slow down from 70 to 85 degrees on; what is cooler has no reason to."""
_STAYS_NS = 60 * NS_PER_S
_STAYS_C = 3.0
"""A drive that slows down for its heat stays at its limit; one that leaves its cache has less to do and cools."""


def throttled_at(sensors: SensorSeries | None, fallen_ns: Interval, fallen_bytes: float) -> Message | None:
    """Why a fall of the speed at that time is heat, or may be; None where the sensors do not say so.

    Args:
        sensors: Of the step; None where there are none.
        fallen_ns: From when to when the speed may have fallen, since the job began.
        fallen_bytes: What was written by then.
    """
    if sensors is None or not len(sensors.time_ns):
        return None
    late_ns = max(_NEAR_NS, 2 * _interval_ns(sensors))
    near = (sensors.time_ns >= fallen_ns.low - late_ns) & (sensors.time_ns <= fallen_ns.high + late_ns)
    counted = np.diff(sensors.throttled_s, prepend=sensors.throttled_s[:1]) > 0
    if (near & ((sensors.throttle_level > 0) | counted)).any():
        return message("unknown-fall-throttled", candidate=size_decimal(fallen_bytes))
    celsius = sensors.temperature_c
    told = np.isfinite(celsius)
    after = told & (sensors.time_ns >= fallen_ns.high) & (sensors.time_ns <= fallen_ns.high + _STAYS_NS)
    if not (near & told).any() or not after.any():
        return None
    then = float(celsius[near & told].max())
    if then < max(_HOT_C, float(celsius[told].max()) - 1) or float(np.median(celsius[after])) < then - _STAYS_C:
        return None
    return message("unknown-fall-hot", candidate=size_decimal(fallen_bytes), celsius=number(then, ".0f"))


def _interval_ns(sensors: SensorSeries) -> int:
    return int(np.median(np.diff(sensors.time_ns))) if len(sensors.time_ns) > 1 else 0
