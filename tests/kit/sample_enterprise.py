"""Runs of the suite `enterprise` in memory: the steps as they are planned, the metrics made up and known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from tests.kit.metric_names import key
from tests.kit.planned_bundle import planned_bundle, with_suite
from tests.kit.sample_bundle import run_info

from ssdlab.analysis.statistics.percentile import PERCENTS
from ssdlab.bundle import layout
from ssdlab.bundle.dotted_names import key_of_name
from ssdlab.bundle.files import BundleFiles, Unlisted
from ssdlab.bundle.model import Metric, RunInfo, Step, StepResult, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.tables import write_every_io, write_series
from ssdlab.engine.result import Direction, DirectionResult, EveryIo, LatencyKind, RawResult, Series
from ssdlab.job import DriveState, IoLog, Job, Pattern, StepKind
from ssdlab.units import MIB, NS_PER_S
from ssdlab.unknown import Unknown

CAPACITY_BYTES = 3_840_755_982_336
DEPTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
QD1_IOS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a drive is to have measured; every number follows from these."""

    model: str = "Lab PM1 3.84TB"
    factor: float = 1.0
    """All speeds are those of the first drive times this."""
    consistency_percent: float = 98.0
    unit_bytes: int = 4096
    """Its indirection unit."""
    failed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Checks that failed, by metric."""


def enterprise_run(made: Made, suite: str = "enterprise", profile: str = "standard") -> RunInfo:
    """Which drive and suite."""
    info = run_info(CAPACITY_BYTES, made.model)
    drive = replace(info.drive, indirection_unit_bytes=made.unit_bytes)
    return with_suite(replace(info, drive=drive), suite, profile)


def enterprise_bundle(made: Made | None = None, suite: str = "enterprise", profile: str = "standard") -> Bundle:
    """A finished run without any files."""
    made = made or Made()
    bundle = planned_bundle(enterprise_run(made, suite, profile), suite, profile)
    return replace(bundle, metrics=tuple(_metrics(made, bundle.steps)))


def with_every_io(
    bundle: Bundle, path: Path, latency_ns: Mapping[int, Sequence[int]], timed: LatencyKind = LatencyKind.CLAT
) -> Bundle:
    """The run with the files of its points at QD1: all I/Os of a read share have these latencies, the mixed ones half and half."""
    kept = replace(bundle, path=path, files=BundleFiles(path, {}, Unlisted.READ))
    for step in kept.steps:
        if step.kind is StepKind.MEASURE and step.job is not None and step.job.io_log is IoLog.EVERY_IO:
            kept.directory(step).mkdir(parents=True)
            ios = _every_io(np.array(latency_ns[step.job.read_percent], dtype=np.int64))
            write_kept(kept.directory(step), _result_of(step.job, ios), timed)
    return kept


def depth_iops(job: Job, made: Made | None = None) -> float:
    """As many more as there are I/Os in flight, up to what the drive can."""
    factor = (made or Made()).factor
    if job.pattern is Pattern.SEQUENTIAL:
        limit = 50_000.0 if job.read_percent else 25_000.0
        return factor * min(8_000.0 * job.queue_depth, limit)
    first, limit = (15_000.0, 900_000.0) if job.read_percent == 100 else (60_000.0, 200_000.0)
    return factor * min(first * job.queue_depth, limit)


def clat_ns(job: Job, made: Made | None = None) -> float:
    """What follows by Little's law."""
    return job.queue_depth / depth_iops(job, made) * 1e9


def _metrics(made: Made, steps: Sequence[Step]) -> list[Metric]:
    found = []
    for step in steps:
        job = step.job
        if step.kind is not StepKind.MEASURE or job is None:
            continue
        values = {
            "iops": (depth_iops(job, made), "1/s"),
            "bandwidth": (depth_iops(job, made) * job.block_bytes, "B/s"),
            "consistency": (made.consistency_percent, "%"),
            "clat_mean": (clat_ns(job, made), "ns"),
        }
        for rank, percent in enumerate(PERCENTS):
            values[f"clat_p{percent.replace('.', '_')}"] = (clat_ns(job, made) * 2**rank, "ns")
        found += [
            Metric(
                key=key_of_name(f"{step.point.name}.{name}", step.point.name),
                value=value,
                unit=unit,
                state=step.state,
                step=step.point.name,
                failed_checks=made.failed.get(f"{step.point.name}.{name}", ()),
            )
            for name, (value, unit) in values.items()
        ]
    return found


def _every_io(latency_ns: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> EveryIo:
    zeros = np.zeros(len(latency_ns), dtype=np.int64)
    return EveryIo(time_ns=np.cumsum(latency_ns), latency_ns=latency_ns, offset_bytes=zeros)


def _result_of(job: Job, ios: EveryIo) -> RawResult:
    shares = {Direction.READ: job.read_percent, Direction.WRITE: 100 - job.read_percent}
    parts = [direction for direction, percent in shares.items() if percent]
    directions = {}
    for place, direction in enumerate(parts):
        own = slice(place, None, len(parts))
        directions[direction] = _direction(EveryIo(ios.time_ns[own], ios.latency_ns[own], ios.offset_bytes[own]))
    return RawResult(
        job=job, engine="fio-3.41", elapsed_ns=NS_PER_S, directions=directions, error_count=0, dropped=(), cpu=None
    )


def _direction(ios: EveryIo) -> DirectionResult:
    nothing = np.array([], dtype=np.float64)
    return DirectionResult(
        io_count=len(ios.time_ns),
        io_bytes=len(ios.time_ns) * 4096,
        short_ios=0,
        runtime_ns=NS_PER_S,
        logged_bytes=0,
        latency={},
        series=Series(100_000_000, nothing.astype(np.int64), nothing, nothing, nothing, nothing),
        every_io=ios,
    )


def mib_per_s(job: Job, made: Made | None = None) -> float:
    """The bandwidth of a point."""
    return depth_iops(job, made) * job.block_bytes / MIB


def with_only(bundle: Bundle, path: Path, beginning: str) -> Bundle:
    """The run as if it had come no further than the steps of that name, with the files a report reads of them."""
    steps = tuple(
        one if one.name.startswith(beginning) else replace(one, status=StepStatus.PLANNED) for one in bundle.steps
    )
    kept = replace(bundle, path=path, files=BundleFiles(path, {}, Unlisted.READ), steps=steps)
    for step in kept.finished():
        kept.directory(step).mkdir(parents=True)
        _write_summary(kept.directory(step), LatencyKind.CLAT)
    return kept


def write_kept(directory: Path, result: RawResult, timed: LatencyKind = LatencyKind.CLAT) -> None:
    """The files of a step that figures of single I/Os read."""
    write_every_io(result, directory / layout.EVERY_IO)
    _write_summary(directory, timed)


def _write_summary(directory: Path, timed: LatencyKind) -> None:
    result = StepResult(
        engine="fio-3.41",
        elapsed_ns=NS_PER_S,
        error_count=0,
        directions={},
        dropped=(),
        notes=(),
        cpu_user_percent=None,
        cpu_system_percent=None,
        timed=timed,
    )
    (directory / layout.RESULT).write_bytes(layout.RESULT_ADAPTER.dump_json(result))


def written_series(speeds: Sequence[float], capacity_bytes: float = CAPACITY_BYTES) -> Series:
    """Full windows of that many bytes a second, so long that they write the drive ten times; then a short one that drains."""
    window_ns = round(10 * capacity_bytes / sum(speeds) * NS_PER_S)
    bandwidth = np.array([*speeds, 1.0])
    ends = np.arange(1, len(bandwidth) + 1, dtype=np.int64) * window_ns
    ends[-1] -= window_ns // 2
    latency = np.full(len(bandwidth), 500_000.0)
    return Series(window_ns, ends, bandwidth, bandwidth / 4096, latency, 20 * latency)


def with_series(
    bundle: Bundle, path: Path, series: Series, metrics: Mapping[str, tuple[float | str | Unknown, str]]
) -> Bundle:
    """The run with these windows in every step that writes until steady, and metrics by name with their units."""
    kept = replace(bundle, path=path, files=BundleFiles(path, {}, Unlisted.READ))
    for step in kept.steps:
        if step.kind is StepKind.PRECONDITION and step.job is not None:
            kept.directory(step).mkdir(parents=True)
            empty = _result_of(step.job, EveryIo(*(np.array([], dtype=np.int64) for _ in range(3))))
            parts = {direction: replace(one, series=series) for direction, one in empty.directions.items()}
            write_series(replace(empty, directions=parts), kept.directory(step) / layout.SERIES)
            _write_summary(kept.directory(step), LatencyKind.CLAT)
    more = tuple(
        Metric(
            key=key(name),
            value=value,
            unit=unit,
            state=DriveState.FOB,
            step=name.rpartition(".")[0],
        )
        for name, (value, unit) in metrics.items()
    )
    return replace(kept, metrics=(*kept.metrics, *more))
