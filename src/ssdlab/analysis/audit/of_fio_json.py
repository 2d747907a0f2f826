"""Anyone's fio JSON, with the logs of the same run if there are any, as what the audit looks at."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from ssdlab import _core
from ssdlab.analysis.audit.facts import AmountScale, DirectionFacts, Facts, LatencyFacts, Origin, Rates
from ssdlab.analysis.audit.logs import NO_LOGS, Logged, read_logged
from ssdlab.analysis.audit.of_step import (
    engine_of,
    flushes_of,
    job_times,
    rates_of,
    steady_claim,
    submission_of,
    time_on,
)
from ssdlab.analysis.audit.setup import EngineSetup, Flag, setup_of_options
from ssdlab.analysis.log.file import LogError, LogFile, LogFormat, explained
from ssdlab.engine.base import EngineError
from ssdlab.engine.fio.document import FioDirection, FioDocument, FioJob, FioLatency, measured
from ssdlab.engine.fio.output import read_report
from ssdlab.engine.fio.stored import in_memory
from ssdlab.engine.result import DeviceTraffic, Direction, Histogram, LatencyKind
from ssdlab.message import message
from ssdlab.units import NS_PER_MS, NS_PER_S
from ssdlab.unknown import Unknown

_SECTOR_BYTES = 512
_DISK_UTIL_NS = NS_PER_S
"""fio looks at the kernel's counters every quarter of a second; of a shorter job it prints old ones."""
_SUMMED_NS = 100 * NS_PER_MS
"""Times of jobs from here on are told from their sum whatever a millisecond of each is rounded to."""
_NOT_SAID = Unknown(message("audit-json-unsaid"))
_bin_index = lru_cache(maxsize=2 * _core.BIN_COUNT)(_core.bin_index)
"""All jobs have the same bins."""


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Entries of one job: one with `group_reporting`, else one for each copy."""

    entries: tuple[FioJob, ...]
    setup: EngineSetup | Unknown
    jobs: int | Unknown


def facts_of_files(files: Sequence[LogFile]) -> tuple[Facts, ...]:
    """What is known of every job in fio's JSON; logs belong to the one JSON they are given with.

    Raises:
        LogError: A file is not what fio wrote, there is no JSON, or it cannot be told which job a log is of.
    """
    reports = [one.path for one in files if one.form is LogFormat.JSON]
    logs = [one for one in files if one.form is not LogFormat.JSON]
    if not reports:
        raise LogError(message("log-no-json"), message("log-audit-begins-with-json"))
    if logs and len(reports) > 1:
        raise LogError(message("log-one-json"), message("foreign-one-json-then-next"))
    found = [(path, one) for path in reports for one in _facts_of_json(path, logs)]
    if len(reports) == 1:
        return tuple(one for _, one in found)
    return tuple(replace(one, subject=f"{path.name}: {one.subject}") for path, one in found)


def _facts_of_json(path: Path, logs: Sequence[LogFile]) -> tuple[Facts, ...]:
    with explained(path):
        content = _core.read_fio_file(path)
    try:
        report = read_report(content)
    except EngineError as error:
        raise LogError(message("log-of-file", path=str(path), fault=error.message), *error.hints) from error
    return facts_of_report(report, logs)


def facts_of_report(report: FioDocument, logs: Sequence[LogFile]) -> tuple[Facts, ...]:
    """What is known of every job in a report, with the logs of the same run.

    Raises:
        LogError: A log is damaged, or it cannot be told which job it is of.
    """
    return tuple(FactsOfReport(report, logs))


class FactsOfReport(Iterable[Facts]):
    """The same, made of one job after the other whenever they are gone through."""

    def __init__(self, report: FioDocument, logs: Sequence[LogFile]) -> None:
        """Read the logs.

        Raises:
            LogError: A log is damaged, or it cannot be told which job it is of.
        """
        self._report, self._device = report, _device(report)
        self._logged = _logged(report, logs) if logs else [NO_LOGS] * len(report.names())

    def __iter__(self) -> Iterator[Facts]:
        """In the order of the file."""
        jobs = zip(self._report.groups(), subjects_of(self._report), self._logged, strict=True)
        for entries, name, logged in jobs:
            yield _facts(self._report, _group(self._report, in_memory(entries)), name, logged, self._device)


def _logged(report: FioDocument, logs: Sequence[LogFile]) -> list[Logged]:
    groups = [_group(report, in_memory(entries)) for entries in report.groups()]
    return read_logged(logs, [group.jobs for group in groups], [group.setup for group in groups])


def subjects_of(report: FioDocument) -> list[str]:
    """What checks call each job; jobs may share a name, their place in the file then tells them apart."""
    names = [name or "job" for name in report.names()]
    count = Counter(names)
    return [name if count[name] == 1 else f"{name} ({at})" for at, name in enumerate(names, start=1)]


def _group(report: FioDocument, entries: tuple[FioJob, ...]) -> _Group:
    options = report.options_of(entries[0])
    jobs: int | Unknown = len(entries) if len(entries) > 1 else _jobs_behind(entries[0], options)
    if options is None:
        return _Group(entries, Unknown(message("audit-no-options")), jobs)
    setup = setup_of_options(options, Flag.UNSAID, jobs)
    behind = _jobs_behind(entries[0], options)
    if len(entries) == 1 and isinstance(setup.jobs, int) and isinstance(behind, int) and behind > setup.jobs:
        # fio prints the options of the first of those that `group_reporting` put together.
        merged = Unknown(message("audit-merged-jobs", jobs=setup.jobs, behind=behind))
        setup = replace(setup, jobs=merged)
    return _Group(entries, setup, setup.jobs)


def _jobs_behind(entry: FioJob, options: Mapping[str, str] | None) -> int | Unknown:
    """fio leaves `numjobs` of `[global]` out of its JSON, but prints the sum of all jobs' times beside the longest.

    The time of a verification is in the sum alone, and short times are whole milliseconds.
    """
    if entry.job_runtime is None or not entry.runtime_ns:
        return Unknown(message("audit-jobs-unsaid"))
    jobs = max(1, round(entry.job_runtime / (entry.runtime_ns // NS_PER_MS)))
    if jobs > 1 and (entry.runtime_ns < _SUMMED_NS or "verify" in (options or {})):
        return Unknown(message("audit-jobs-unsaid"))
    return jobs


def _facts(report: FioDocument, group: _Group, name: str, logged: Logged, device: DeviceTraffic | Unknown) -> Facts:
    entries = group.entries
    busy = [one.usr_cpu + one.sys_cpu for one in entries if one.usr_cpu is not None and one.sys_cpu is not None]
    return Facts(
        subject=name,
        origin=Origin.FOREIGN,
        engine=engine_of(report.version),
        setup=group.setup,
        asked=Unknown(message("audit-plan-unknown")),
        purpose=_NOT_SAID,
        scale=AmountScale.FULL,
        logical_block_bytes=_NOT_SAID,
        directions={one: found for one in Direction if (found := _direction(entries, one, logged)) is not None},
        error_count=sum(one.total_errors or (1 if one.error else 0) for one in entries),
        dropped=Unknown(message("audit-no-method")),
        busy_percent=sum(busy) / len(busy) if busy else _NOT_SAID,
        cpu_count=_NOT_SAID,
        elapsed_ns=_job_ns(entries, group),
        outside_ns=_elapsed_ns(entries),
        on_ns=time_on(entries, group.jobs) if isinstance(group.jobs, int) else group.jobs,
        job_times=job_times(entries, group.jobs) if isinstance(group.jobs, int) else group.jobs,
        device=device,
        fio_flushes=flushes_of(entries),
        sensed=Unknown(message("audit-no-sensor")),
        steady=steady_claim(entries[0], group.setup),
    )


def _job_ns(entries: tuple[FioJob, ...], group: _Group) -> int | Unknown:
    longest_ns = max(one.runtime_ns for one in entries)
    ramp = 0 if isinstance(group.setup, Unknown) else group.setup.ramp_ns
    return ramp if isinstance(ramp, Unknown) else longest_ns + ramp


def _elapsed_ns(entries: tuple[FioJob, ...]) -> int | Unknown:
    """fio counts these in whole seconds begun, by a clock it reads apart from that of the I/Os."""
    elapsed = [one.elapsed for one in entries if one.elapsed is not None]
    return max(elapsed) * NS_PER_S if elapsed else _NOT_SAID


def _direction(entries: tuple[FioJob, ...], direction: Direction, logged: Logged) -> DirectionFacts | None:
    parts = tuple(part for one in entries if (part := one.part(direction)).total_ios)
    if not parts:
        return None
    found = {kind: _latency(parts, kind) for kind in LatencyKind}
    return DirectionFacts(
        io_count=sum(one.total_ios for one in parts),
        io_bytes=sum(one.io_bytes for one in parts),
        short_ios=sum(one.short_ios for one in parts),
        runtime_ns=max(one.runtime for one in parts) * NS_PER_MS,
        logged_bytes=logged.bytes_of(direction),
        latency={kind: latency for kind, latency in found.items() if latency is not None},
        submission=submission_of(parts),
        windows=logged.windows_of(direction),
        rates=_rates(parts),
    )


def _rates(parts: tuple[FioDirection, ...]) -> Rates | Unknown:
    if len(parts) > 1:
        return Unknown(message("audit-rates-of-jobs"))
    return rates_of(parts[0])


def _latency(parts: tuple[FioDirection, ...], kind: LatencyKind) -> LatencyFacts | None:
    """Over all jobs: bins are merged, means weighted, percentiles only repeated where there is one job."""
    of_all = measured((one.clat_ns if kind is LatencyKind.CLAT else one.lat_ns, one.total_ios) for one in parts)
    if of_all is None:
        return None
    latencies = of_all.latencies
    return LatencyFacts(
        count=of_all.count,
        mean_ns=of_all.mean_ns,
        min_ns=min(latency.min for latency in latencies),
        max_ns=max(latency.max for latency in latencies),
        histogram=_histogram(latencies, kind),
        percentile_ns=latencies[0].percentile if len(latencies) == 1 else {},
    )


def _histogram(latencies: Sequence[FioLatency], kind: LatencyKind) -> Histogram | Unknown:
    if not all(one.bins for one in latencies):
        return Unknown(message("audit-no-bins-of", kind=kind.value))
    values = np.array([value for one in latencies for value in one.bins], dtype=np.int64)
    counts = np.array([count for one in latencies for count in one.bins.values()], dtype=np.int64)
    indices, of_bin = np.unique([_bin_index(value) for value in values.tolist()], return_inverse=True)
    return Histogram(
        bin_index=indices.astype(np.int64),
        count=np.bincount(of_bin, weights=counts).astype(np.int64),
        mean_ns=float(np.average(values, weights=counts)),
        min_ns=min(one.min for one in latencies),
        max_ns=max(one.max for one in latencies),
        stddev_ns=max(one.stddev for one in latencies),
    )


def _device(report: FioDocument) -> DeviceTraffic | Unknown:
    if len(report.names()) > 1:
        return Unknown(message("audit-device-shared"))
    if max(job.runtime_ns for job in report.jobs) < _DISK_UTIL_NS:
        return Unknown(message("audit-too-short-for-counters"))
    if len(report.disks) != 1:
        return Unknown(message("audit-no-single-device"))
    disk = report.disks[0]
    sectors = {Direction.READ: disk.read_sectors, Direction.WRITE: disk.write_sectors}
    counted = {one: count * _SECTOR_BYTES for one, count in sectors.items() if count is not None}
    return DeviceTraffic(
        device=disk.name,
        io_count={
            Direction.READ: disk.read_ios + disk.read_merges,
            Direction.WRITE: disk.write_ios + disk.write_merges,
        },
        moved_bytes=counted if len(counted) == len(sectors) else Unknown(message("audit-kernel-ios-only")),
    )
