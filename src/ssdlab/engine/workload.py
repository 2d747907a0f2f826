"""Jobs in the words of the model's driver and of the load engine, which are the same, and what both give back."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core
from ssdlab.engine.over_time import latency_windows
from ssdlab.engine.result import (
    Direction,
    DirectionResult,
    EveryIo,
    Histogram,
    IssuedCell,
    LatencyKind,
    Replayed,
    Series,
    job_of,
)
from ssdlab.job import WINDOW_NS, Access, IoLog, Job, MixPart, Pattern, Replay, ReplayPace, Spacing, Stream, Zipf
from ssdlab.units import NS_PER_S

WORKLOAD_FILE = "workload.json"


def timed_by(job: Job) -> LatencyKind:
    """The latency that the series and the single I/Os tell: in an open loop from when each was due."""
    return LatencyKind.CLAT if job.rate_iops is None else LatencyKind.LAT


def directions_of(job: Job, result: _core.WorkloadResult) -> Mapping[Direction, DirectionResult]:
    """Those that did anything."""
    parts = {Direction.READ: result.read, Direction.WRITE: result.write, Direction.TRIM: result.trim}
    return {
        direction: _direction_result(job_of(job, direction), direction, part, result.every_io)
        for direction, part in parts.items()
        if part.ios
    }


def issued_of(result: _core.WorkloadResult) -> tuple[IssuedCell, ...]:
    """Of a mix, what was done by kind."""
    return tuple(IssuedCell(*row) for row in result.issued or ())


def replayed_of(result: _core.WorkloadResult) -> Replayed | None:
    """Of a replay, what no other job has."""
    return None if result.replayed is None else Replayed(*result.replayed)


def workload_fields(job: Job) -> dict[str, object]:
    """A Job in the words of the model's driver (`vdrive::workload::Workload`), and of `load::Workload` where it follows a law or is a mix."""
    beside = [_beside_fields(stream) for stream in job.beside]
    access = {} if job.access is None else {"access": _access_fields(job.access)}
    # As the driver takes it where it is not said, and as all bundles have it whose arrivals were the only ones there are.
    arrivals = {} if job.arrivals is Spacing.POISSON else {"arrivals": job.arrivals.value}
    mix = {"mix": [_part_fields(part) for part in job.mix]} if job.mix else {}
    replay = {} if job.replay is None else {"replay": _replay_fields(job, job.replay)}
    return _fields_alone(job) | arrivals | access | mix | replay | ({"beside": beside} if beside else {})


def _replay_fields(job: Job, replay: Replay) -> dict[str, object]:
    """In the words of `replay::Replaying`."""
    paces: dict[ReplayPace, object] = {
        ReplayPace.TIMED: "timed",
        ReplayPace.IDLE: {"idle": {"gap_ns_max": replay.pause_ns_max}},
        ReplayPace.AS_FAST: {"as_fast": {"in_flight_max": job.in_flight}},
        ReplayPace.DEPENDENT: "dependent",
    }
    return {"trace": replay.path, "pace": paces[replay.pace]}


def _part_fields(part: MixPart) -> dict[str, object]:
    """In the words of `load::MixPart`."""
    order = {"zipf": part.order.exponent} if isinstance(part.order, Zipf) else _ORDERS[part.order]
    return {
        "weight": part.weight,
        "operation": part.action.value,
        "offset_bytes": part.region.offset_bytes,
        "length_bytes": part.region.length_bytes,
        "order": order,
        "sizes": [{"block_bytes": one.block_bytes, "weight": one.weight} for one in part.sizes],
    }


_ORDERS = {Pattern.SEQUENTIAL: "sequential", Pattern.RANDOM: "uniform"}


def _access_fields(access: Access) -> dict[str, object]:
    """In the words of `load::Access`."""
    if isinstance(access, Zipf):
        return {"zipf": access.exponent}
    zones = [{"blocks_percent": one.blocks_percent, "ios_percent": one.ios_percent} for one in access.zones]
    return {"zones": zones}


def _beside_fields(stream: Stream) -> dict[str, object]:
    return {
        "kind": stream.kind.value,
        "block_bytes": stream.block_bytes,
        "rate_bytes_per_s": stream.rate_bytes_per_s,
        "flush_every": stream.flush_every,
        "memory": stream.caching.value,
    }


def _fields_alone(job: Job) -> dict[str, object]:
    return {
        "pattern": job.pattern.value,
        "draw": job.draw.value,
        "action": job.action.value,
        "read_percent": job.read_percent,
        "block_bytes": job.block_bytes,
        "queue_depth": job.queue_depth,
        "jobs": job.jobs,
        "region_offset_bytes": job.region.offset_bytes,
        "region_length_bytes": job.region.length_bytes,
        "amount_bytes": job.amount_bytes,
        "duration_ns": job.duration_ns,
        "rate_iops": job.rate_iops,
        "sync": job.sync.value,
        "seed": job.seed,
        "window_ns": WINDOW_NS,
        "log_every_io": "yes" if job.io_log is IoLog.EVERY_IO else "no",
        "latency_over_time": "yes" if job.io_log is IoLog.DISTRIBUTION_OVER_TIME else "no",
    }


_CODES = {Direction.READ: 0, Direction.WRITE: 1, Direction.TRIM: 2}


def _direction_result(
    job: Job, direction: Direction, part: _core.WorkloadDirection, every_io: _core.WorkloadIos | None
) -> DirectionResult:
    return DirectionResult(
        io_count=part.ios,
        io_bytes=part.bytes,
        short_ios=0,
        runtime_ns=part.runtime_ns,
        logged_bytes=part.bytes,
        latency={LatencyKind.CLAT: histogram_of(part.clat), LatencyKind.LAT: histogram_of(part.lat)},
        series=_series(part.bytes / part.ios if job.is_of_many_lengths else job.block_bytes, part.windows),
        every_io=None if every_io is None else _every_io(every_io, _CODES[direction]),
        latency_windows=None
        if part.clat_over_time is None
        else latency_windows(part.clat_over_time, WINDOW_NS, part.runtime_ns),
    )


def integers(column: bytes) -> NDArray[np.int64]:
    """A column of numbers below 2^63."""
    return np.frombuffer(column, dtype=np.int64)


def histogram_of(latency: _core.WorkloadLatency) -> Histogram:
    """A distribution as results have it."""
    return Histogram(
        bin_index=integers(latency.bin_index),
        count=integers(latency.count),
        mean_ns=latency.mean_ns or 0.0,
        min_ns=latency.min_ns or 0,
        max_ns=latency.max_ns or 0,
        stddev_ns=latency.stddev_ns or 0.0,
    )


def _series(block_bytes: float, windows: _core.WorkloadWindows) -> Series:
    """Windows count I/Os; of a mix each is taken to be of the mean length."""
    time_ns = integers(windows.end_ns)
    ios = integers(windows.ios).astype(np.float64)
    seconds = np.diff(time_ns, prepend=np.int64(0)) / NS_PER_S
    rate = np.divide(ios, seconds, out=np.zeros_like(ios), where=seconds > 0)
    return Series(
        window_ns=WINDOW_NS,
        time_ns=time_ns,
        bandwidth_bytes_per_s=rate * block_bytes,
        iops=rate,
        latency_ns_mean=np.frombuffer(windows.lat_mean_ns, dtype=np.float64),
        latency_ns_max=np.frombuffer(windows.lat_max_ns, dtype=np.float64),
    )


def _every_io(ios: _core.WorkloadIos, code: int) -> EveryIo:
    chosen = np.frombuffer(ios.direction, dtype=np.uint8) == code
    # All of one direction, as of most jobs, need no second copy of perhaps 30 million.
    which = slice(None) if chosen.all() else chosen
    return EveryIo(
        time_ns=integers(ios.time_ns)[which],
        latency_ns=integers(ios.latency_ns)[which],
        offset_bytes=integers(ios.offset_bytes)[which],
    )
