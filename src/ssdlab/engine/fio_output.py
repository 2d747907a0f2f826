"""fio's JSON and logs to a RawResult."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ssdlab import _core
from ssdlab.engine.fio_series import (
    FioOutputError,
    Logs,
    Totals,
    every_io_of,
    logged_bytes,
    read_logs,
    series_of,
    series_of_every_io,
)
from ssdlab.engine.over_time import completed_from
from ssdlab.engine.result import CpuUse, Direction, DirectionResult, Histogram, LatencyKind, job_of
from ssdlab.job import WINDOW_NS, IoLog, Job
from ssdlab.units import NS_PER_MS


class _Latency(BaseModel):
    min: int = 0
    max: int = 0
    mean: float = 0.0
    stddev: float = 0.0
    bins: dict[int, int] = Field(default_factory=dict)


class _Direction(BaseModel):
    io_bytes: int
    total_ios: int
    short_ios: int
    runtime: int
    clat_ns: _Latency = Field(default_factory=_Latency)
    lat_ns: _Latency = Field(default_factory=_Latency)


class _Flushes(BaseModel):
    lat_ns: _Latency = Field(default_factory=_Latency)


class _Job(BaseModel):
    error: int
    job_runtime: int
    job_start: int | None = None
    """Wall clock in ms when the job began; not every fio tells it."""
    usr_cpu: float
    sys_cpu: float
    read: _Direction
    write: _Direction
    trim: _Direction
    sync: _Flushes | None = None

    @property
    def io_count(self) -> int:
        """I/Os of all directions."""
        return self.read.total_ios + self.write.total_ios + self.trim.total_ios

    @property
    def runtime_ns(self) -> int:
        """Of the direction that was busy longest."""
        return max(self.read.runtime, self.write.runtime, self.trim.runtime) * NS_PER_MS


class FioOutput(BaseModel):
    """The part of fio's json+ output that results are made of; everything else stays in the kept file."""

    model_config = ConfigDict(populate_by_name=True)

    version: str = Field(alias="fio version")
    timestamp_ms: int
    """Wall clock when all jobs were over and their logs written."""
    jobs: tuple[_Job, ...] = Field(min_length=1, max_length=1)
    """Exactly one: `group_reporting` adds up the jobs of a group."""

    @property
    def job(self) -> _Job:
        """The group."""
        return self.jobs[0]

    def windows_after_ns(self, asked: Job, process_began_ns: int) -> int:
        """How long after fio was started its windows begin: it takes some tenths of a second until then.

        Args:
            asked: What it was asked to do.
            process_began_ns: Wall clock when fio was started.
        """
        if self.job.job_start is not None:
            begin_ns = self.job.job_start * NS_PER_MS
        elif asked.io_log is not IoLog.EVERY_IO:
            begin_ns = self.timestamp_ms * NS_PER_MS - self.job.runtime_ns
        else:
            # Writing that many lines takes fio longer than its start does.
            begin_ns = process_began_ns
        return max(0, begin_ns - process_began_ns)


def split_output(output: bytes) -> tuple[bytes, tuple[str, ...]]:
    """fio's JSON as fio wrote it, and the lines it printed before it into the same file."""
    start = output.find(b"{\n")
    if start < 0:
        return b"", tuple(output.decode(errors="replace").splitlines())
    return output[start:], tuple(line for line in output[:start].decode(errors="replace").splitlines() if line.strip())


def parse_output(json_text: bytes) -> FioOutput:
    """Read fio's JSON.

    Raises:
        FioOutputError: It is no JSON, or lacks what every fio since 3.28 writes.
    """
    try:
        return FioOutput.model_validate_json(json_text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the document"
        raise FioOutputError(
            f"fio's JSON cannot be read: {where}: {first['msg']}", "the file is kept in the bundle as fio wrote it"
        ) from error


def cpu_use(output: FioOutput) -> CpuUse:
    """fio's own processor time."""
    return CpuUse(output.job.usr_cpu, output.job.sys_cpu)


def directions(
    job: Job, output: FioOutput, directory: Path, histogram_ns: int = WINDOW_NS
) -> Mapping[Direction, DirectionResult]:
    """Everything fio says of each direction that did any I/O.

    Raises:
        FioOutputError: A log is missing or malformed.
    """
    parts = {Direction.READ: output.job.read, Direction.WRITE: output.job.write, Direction.TRIM: output.job.trim}
    busy = {direction: part for direction, part in parts.items() if part.total_ios}
    logs = read_logs(job, directory, histogram_ns) if busy else Logs({}, {})
    return {
        direction: _direction_result(job_of(job, direction), direction, part, logs.of(job, direction), histogram_ns)
        for direction, part in busy.items()
    }


def _direction_result(
    job: Job, direction: Direction, part: _Direction, logs: Logs, histogram_ns: int
) -> DirectionResult:
    latencies = logs.latency.get(direction, ())
    counts = logs.counts.get(direction, ())
    totals = Totals(part.io_bytes, part.runtime * NS_PER_MS, part.lat_ns.max)
    every_io = every_io_of(latencies) if job.io_log is IoLog.EVERY_IO else None
    if every_io is None:
        series = series_of(job, totals, counts, latencies, histogram_ns, logs.rates.get(direction, ()))
    else:
        series = series_of_every_io(job, totals, every_io)
    clat, over_time = _histogram(part.clat_ns), logs.over_time.get(direction)
    return DirectionResult(
        io_count=part.total_ios,
        io_bytes=part.io_bytes,
        short_ios=part.short_ios,
        runtime_ns=totals.runtime_ns,
        logged_bytes=logged_bytes(job, counts, latencies),
        latency={LatencyKind.CLAT: clat, LatencyKind.LAT: _histogram(part.lat_ns)},
        series=series,
        every_io=every_io,
        latency_windows=None if over_time is None else completed_from(clat, over_time, histogram_ns, totals.runtime_ns),
    )


def flush_latencies_ns(output: FioOutput) -> NDArray[np.float64]:
    """Latency of each flush, ascending: fio tells only how many took how long."""
    bins = {} if output.job.sync is None else output.job.sync.lat_ns.bins
    return np.repeat(np.array(sorted(bins), dtype=np.float64), [bins[value] for value in sorted(bins)])


def _histogram(latency: _Latency) -> Histogram:
    values = sorted(latency.bins)
    return Histogram(
        bin_index=np.array([_core.bin_index(value) for value in values], dtype=np.int64),
        count=np.array([latency.bins[value] for value in values], dtype=np.int64),
        mean_ns=latency.mean,
        min_ns=latency.min,
        max_ns=latency.max,
        stddev_ns=latency.stddev,
    )
