"""fio's JSON and logs to a RawResult."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from ssdlab import _core
from ssdlab.engine.fio.document import (
    DocumentError,
    FioDirection,
    FioDocument,
    FioJob,
    FioLatency,
    parse_document,
)
from ssdlab.engine.fio.foreign_document import document_in
from ssdlab.engine.fio.series import (
    FioOutputError,
    FioTotals,
    Logs,
    every_io_of,
    logged_bytes,
    read_logs,
    series_of,
    series_of_every_io,
)
from ssdlab.engine.fio.stored import StoredBytes
from ssdlab.engine.fio.stored_document import KeptJobs, document_of
from ssdlab.engine.over_time import completed_from
from ssdlab.engine.result import CpuUse, Direction, DirectionResult, Histogram, LatencyKind, job_of
from ssdlab.job import WINDOW_NS, IoLog, Job, Sync
from ssdlab.message import message
from ssdlab.units import NS_PER_MS

_OF_DOCUMENT = ("version", "timestamp_ms")
_OF_JOB = ("error", "job_runtime", "usr_cpu", "sys_cpu", "read", "write", "trim")
_OF_DIRECTION = ("io_bytes", "total_ios", "short_ios", "runtime")


@dataclass(frozen=True, slots=True)
class FioOutput:
    """What fio wrote of the one job or group it was asked for: `group_reporting` adds up the jobs of a group."""

    version: str
    timestamp_ms: int
    """Wall clock when all jobs were over and their logs written."""
    job: FioJob
    cpu: CpuUse
    """fio's own processor time."""

    def windows_after_ns(self, asked: Job, process_began_ns: int) -> int | None:
        """How long after fio was started its windows begin: it takes some tenths of a second until then. None where nothing tells it.

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
            return None
        return max(0, begin_ns - process_began_ns)


def parse_output(json_text: bytes) -> FioOutput:
    """Read the JSON of a fio that ssdlab started.

    Raises:
        FioOutputError: It is no JSON, is not of one job, or lacks what every fio since 3.28 writes.
    """
    try:
        document = parse_document(json_text)
    except DocumentError as error:
        raise _unreadable(str(error)) from error
    if len(document.jobs) != 1:
        raise _unreadable(f"jobs: there are {len(document.jobs)} instead of one")
    job = document.jobs[0]
    user, system = job.usr_cpu, job.sys_cpu
    missing = next(_missing(document), None)
    if missing is not None or document.timestamp_ms is None or user is None or system is None:
        raise _unreadable(f"{missing}: Field required")
    return FioOutput(document.version, document.timestamp_ms, job, CpuUse(user, system))


def read_report(output: bytes | StoredBytes, keep: KeptJobs = KeptJobs.AS_FITS) -> FioDocument:
    """Anyone's JSON of any fio since 2.1, in every form of `document_in`.

    Raises:
        FioOutputError: It is none, does not say which fio wrote it, or has no job.
        OSError: It cannot be read.
    """
    try:
        document = document_in(output) if isinstance(output, bytes) else document_of(output, keep)
    except DocumentError as error:
        raise _foreign(str(error)) from error
    unset = next(_unset(document, "", ("version",)), None)
    if unset is not None:
        raise _foreign(f"{unset}: Field required")
    if not document.jobs:
        raise _foreign("jobs: there is none")
    return document


def _foreign(why: str) -> FioOutputError:
    return FioOutputError(message("engine-no-fio-json", why=why), message("engine-hint-json"))


def _missing(document: FioDocument) -> Iterator[str]:
    """What a stranger's JSON may lack."""
    job = document.jobs[0]
    yield from _unset(document, "", _OF_DOCUMENT)
    yield from _unset(job, "jobs.0.", _OF_JOB)
    for direction in Direction:
        yield from _unset(job.part(direction), f"jobs.0.{direction.value}.", _OF_DIRECTION)


def _unset(part: BaseModel, where: str, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if name not in part.model_fields_set or getattr(part, name) is None:
            yield where + (type(part).model_fields[name].alias or name)


def _unreadable(why: str) -> FioOutputError:
    return FioOutputError(message("engine-json-unreadable", why=why), message("engine-hint-json-kept"))


def directions(
    job: Job, output: FioOutput, directory: Path, histogram_ns: int = WINDOW_NS
) -> Mapping[Direction, DirectionResult]:
    """Everything fio says of each direction that did any I/O.

    Raises:
        FioOutputError: A log is missing or malformed.
    """
    busy = {direction: part for direction in Direction if (part := output.job.part(direction)).total_ios}
    logs = read_logs(job, directory, histogram_ns) if busy else Logs({}, {})
    results = {
        direction: _direction_result(job_of(job, direction), direction, part, logs.of(job, direction), histogram_ns)
        for direction, part in busy.items()
    }
    if (
        job.sync is Sync.SYNC
        and output.job.sync is not None
        and output.job.sync.total_ios
        and Direction.WRITE in results
    ):
        results[Direction.WRITE] = _untimed(results[Direction.WRITE])
    return results


def _untimed(writes: DirectionResult) -> DirectionResult:
    """Durable writes whose flushes fio timed apart: how long the two took together is not known, and the writes alone mislead."""
    unknown = np.full_like(writes.series.latency_ns_mean, np.nan)
    series = replace(writes.series, latency_ns_mean=unknown, latency_ns_max=unknown)
    return replace(writes, latency={}, series=series, every_io=None, latency_windows=None)


def _direction_result(
    job: Job, direction: Direction, part: FioDirection, logs: Logs, histogram_ns: int
) -> DirectionResult:
    latencies = logs.latency.get(direction, ())
    counts = logs.counts.get(direction, ())
    totals = FioTotals(part.io_bytes, part.runtime * NS_PER_MS, part.clat_ns.max)
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


def _histogram(latency: FioLatency) -> Histogram:
    values = sorted(latency.bins)
    return Histogram(
        bin_index=np.array([_core.bin_index(value) for value in values], dtype=np.int64),
        count=np.array([latency.bins[value] for value in values], dtype=np.int64),
        mean_ns=latency.mean,
        min_ns=latency.min,
        max_ns=latency.max,
        stddev_ns=latency.stddev,
    )
