"""Thermal: at which temperature a drive slows itself down, by how much, and when it goes on (P16).

Reads alone are asked for, at the speed of the drive and for as long as it takes to heat it, because writes slow down at the end of a
cache, too. What falls at a temperature and comes back at a lower one is a limit of heat.
"""

from dataclasses import dataclass

import numpy as np

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.result import Direction, RawResult
from ssdlab.job import Job, Pattern, Region
from ssdlab.message import message, number
from ssdlab.probe.answer import Answer, Grade, Reason, Replicated, not_identifiable
from ssdlab.probe.probes.statistics import Floats
from ssdlab.probe.script import (
    Act,
    BulkLoad,
    Design,
    Estimator,
    KnownDrive,
    Need,
    Probe,
    ProbeEvidence,
    Rest,
    working_region,
)
from ssdlab.units import MIB, NS_PER_S

ONSET = "thermal.onset"
RECOVERY = "thermal.recovery"
SPEED = "thermal.speed_share"

_BLOCK_BYTES = MIB
_DEPTH = 8
_COOL_NS = 5 * NS_PER_S
_HEAT_NS = 300 * NS_PER_S
_PAUSE_NS = 300 * NS_PER_S
_SLOWER = 0.9
"""Of the speed while cool: less than this for a second and more is slowed down."""
_SMOOTHED = 11
"""Windows of 100 ms in a running median."""
_LASTING = 10
"""Windows in a second."""
_ALIKE = 0.05
"""Share by which the speeds before and after may differ."""
_WARMER_MIN_C = 3.0
"""Less warming says nothing."""
_RESOLUTION_C = 1.0
"""Of the sensors of real drives."""
_AGAIN_C = 3.0
"""Two falls at temperatures that differ by no more are the same limit."""


@dataclass(frozen=True, slots=True, eq=False)
class HeatTimes:
    """One stretch of reading; a row a window.

    Attributes:
        temperature_c: At the end of each window, NaN where it is not told.
    """

    time_s: Floats
    bytes_per_s: Floats
    temperature_c: Floats


def _design(drive: KnownDrive) -> Design:
    region = working_region(drive)
    acts: tuple[Act, ...] = (
        _reads("cool", region, _COOL_NS, drive.seed),
        _reads("heating", region, _HEAT_NS, drive.seed),
        Rest(_PAUSE_NS),
        _reads("cooled", region, _COOL_NS, drive.seed),
    )

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        return thermal(*(heat_times(evidence.loaded[name]) for name in ("cool", "heating", "cooled")))

    return Design(need=Need.MAPPED, region=region, acts=acts, estimate=estimate)


def _reads(name: str, region: Region, duration_ns: int, seed: int) -> BulkLoad:
    job = Job(
        name=name,
        pattern=Pattern.SEQUENTIAL,
        read_percent=100,
        block_bytes=_BLOCK_BYTES,
        queue_depth=_DEPTH,
        region=region,
        amount_bytes=None,
        duration_ns=duration_ns,
        seed=seed,
    )
    return BulkLoad(name, job)


def heat_times(result: RawResult) -> HeatTimes:
    """Speed and temperature of each window of a job."""
    series = result.directions[Direction.READ].series
    temperature = np.full(len(series.time_ns), np.nan)
    if result.sensed is not None:
        told = np.isfinite(result.sensed.series.temperature_c)
        if told.any():
            rows = result.sensed.series
            temperature = np.interp(series.time_ns, rows.time_ns[told], rows.temperature_c[told])
    return HeatTimes(series.time_ns / NS_PER_S, series.bandwidth_bytes_per_s, temperature)


def thermal(cool: HeatTimes, heating: HeatTimes, cooled: HeatTimes) -> tuple[Answer, ...]:
    """Temperature of the falls, of the rises, and the speed in between."""
    if not np.isfinite(heating.temperature_c).all():
        return (not_identifiable(ONSET, Reason.NOT_SUPPORTED, message("probe-thermal-not-told"), "°C"),)
    whole, again = float(np.median(cool.bytes_per_s)), float(np.median(cooled.bytes_per_s))
    first, highest = float(cool.temperature_c[0]), float(heating.temperature_c.max())
    slow = _lasting(_running_median(heating.bytes_per_s) < _SLOWER * whole)
    if not slow.any():
        why = message("probe-thermal-flat", highest=number(highest, ".0f"), first=number(first, ".0f"))
        return (not_identifiable(ONSET, Reason.FLAT, why, "°C"),)
    if abs(again / whole - 1) > _ALIKE:
        return (not_identifiable(ONSET, Reason.OTHER_LAW, message("probe-thermal-stayed-slow"), "°C"),)
    if highest - first < _WARMER_MIN_C or slow[0]:
        return (not_identifiable(ONSET, Reason.FLAT, message("probe-thermal-slow-before"), "°C"),)
    changes = np.diff(slow.astype(np.int8))
    falls, rises = (heating.temperature_c[np.flatnonzero(changes == step) + 1] for step in (1, -1))
    share = Answer(
        name=SPEED,
        value=float(np.median(heating.bytes_per_s[slow]) / whole),
        grade=Grade.B,
        note=message("probe-thermal-speed-note"),
    )
    return (_temperature(ONSET, falls, heating), _temperature(RECOVERY, rises, heating), share)


def _temperature(name: str, seen_c: Floats, heating: HeatTimes) -> Answer:
    """Median of the temperatures at changes of one kind."""
    if not len(seen_c):
        return not_identifiable(name, Reason.FLAT, message("probe-thermal-no-recovery"), "°C")
    centre = float(np.median(seen_c))
    # A running median sees a change half its length late, and sensors are read once a second.
    slope = float(np.abs(np.gradient(heating.temperature_c, heating.time_s)).max())
    reach = max(_RESOLUTION_C, 1.5 * slope)
    same = len(seen_c) > 1 and float(np.ptp(seen_c)) <= _AGAIN_C
    return Answer(
        name=name,
        value=centre,
        unit="°C",
        interval=Interval(centre - reach, centre + reach),
        replicated=Replicated.YES if same else Replicated.NOT_TRIED if len(seen_c) == 1 else Replicated.NO,
        grade=Grade.A if same else Grade.B if len(seen_c) == 1 else Grade.C,
        note=message("probe-thermal-seen", times=len(seen_c)),
    )


def _lasting(slow: np.typing.NDArray[np.bool_]) -> np.typing.NDArray[np.bool_]:
    """Only what is slow for a second at least, and did not begin in the last one, whose last window is a short one."""
    kept = slow.copy()
    edges = np.flatnonzero(np.diff(slow.astype(np.int8), prepend=0, append=0))
    for begin, end in edges.reshape(-1, 2).tolist():
        if end - begin < _LASTING:
            kept[begin:end] = False
    return kept


def _running_median(values: Floats) -> Floats:
    reach = _SMOOTHED // 2
    padded = np.pad(values, reach, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, _SMOOTHED)
    return np.asarray(np.median(windows, axis=1), dtype=np.float64)


THERMAL = Probe(
    name="thermal",
    question=message("probe-thermal-question"),
    limits=message("probe-thermal-limits"),
    design=_design,
)
