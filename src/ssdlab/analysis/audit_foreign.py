"""Anyone's fio JSON, with the logs of the same run if there are any, as what the audit looks at."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ssdlab import _core
from ssdlab.analysis.audit_facts import DirectionFacts, Facts, LatencyFacts, Origin, Rates, Scale
from ssdlab.analysis.audit_json import FioReport, JsonDirection, JsonJob, JsonLatency, read_report
from ssdlab.analysis.audit_logs import Logged, read_logged
from ssdlab.analysis.audit_setup import Flag, Setup, setup_of_options
from ssdlab.analysis.audit_step import engine_of, job_times, part_of, rates_of, steady_claim, submission_of, time_on
from ssdlab.analysis.log_file import Form, LogError, LogFile, explained
from ssdlab.engine.base import EngineError
from ssdlab.engine.result import DeviceTraffic, Direction, Histogram, LatencyKind
from ssdlab.units import NS_PER_MS, NS_PER_S
from ssdlab.unknown import Unknown

_SECTOR_BYTES = 512
_DISK_UTIL_NS = NS_PER_S
"""fio looks at the kernel's counters every quarter of a second; of a shorter job it prints old ones."""
_NOT_SAID = Unknown("fio's JSON does not say it")


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Entries of one job: one with `group_reporting`, else one for each copy."""

    entries: tuple[JsonJob, ...]
    setup: Setup | Unknown
    jobs: int | Unknown


def facts_of_files(files: Sequence[LogFile]) -> tuple[Facts, ...]:
    """What is known of every job in fio's JSON; logs belong to the one JSON they are given with.

    Raises:
        LogError: A file is not what fio wrote, there is no JSON, or it cannot be told which job a log is of.
    """
    reports = [one.path for one in files if one.form is Form.JSON]
    logs = [one for one in files if one.form is not Form.JSON]
    if not reports:
        raise LogError("there is no JSON of fio among the files", "the audit begins with what fio says it did")
    if logs and len(reports) > 1:
        raise LogError("logs can be held against one JSON only", "give one JSON and its logs, then the next")
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
        raise LogError(f"`{path}`: {error.message}", *error.hints) from error
    groups = [_group(report, entries) for entries in report.groups()]
    logged = read_logged(logs, [one.jobs for one in groups], [one.setup for one in groups])
    unique = subjects_of(report)
    return tuple(_facts(report, group, name, own) for group, name, own in zip(groups, unique, logged, strict=True))


def subjects_of(report: FioReport) -> list[str]:
    """What checks call each job; jobs may share a name, their place in the file then tells them apart."""
    names = [entries[0].jobname or "job" for entries in report.groups()]
    return [name if names.count(name) == 1 else f"{name} ({at})" for at, name in enumerate(names, start=1)]


def _group(report: FioReport, entries: tuple[JsonJob, ...]) -> _Group:
    options = report.options_of(entries[0])
    jobs: int | Unknown = len(entries) if len(entries) > 1 else _jobs_behind(entries[0])
    if options is None:
        return _Group(entries, Unknown("the JSON has no options of the job"), jobs)
    setup = setup_of_options(options, Flag.UNSAID, jobs)
    return _Group(entries, setup, setup.jobs)


def _jobs_behind(entry: JsonJob) -> int | Unknown:
    """fio leaves `numjobs` of `[global]` out of its JSON, but prints the sum of all jobs' times beside the longest."""
    longest_ms = max(entry.read.runtime, entry.write.runtime, entry.trim.runtime)
    if entry.job_runtime is None or not longest_ms:
        return Unknown("the JSON does not say how many jobs stand behind it")
    return max(1, round(entry.job_runtime / longest_ms))


def _facts(report: FioReport, group: _Group, name: str, logged: Logged) -> Facts:
    entries = group.entries
    busy = [one.usr_cpu + one.sys_cpu for one in entries if one.usr_cpu is not None and one.sys_cpu is not None]
    return Facts(
        subject=name,
        origin=Origin.FOREIGN,
        engine=engine_of(report.version),
        setup=group.setup,
        asked=Unknown("nobody's plan is known"),
        purpose=_NOT_SAID,
        scale=Scale.FULL,
        logical_block_bytes=_NOT_SAID,
        directions={one: found for one in Direction if (found := _direction(entries, one, logged)) is not None},
        error_count=sum(one.total_errors or (1 if one.error else 0) for one in entries),
        dropped=Unknown("no method was promised"),
        busy_percent=sum(busy) / len(busy) if busy else _NOT_SAID,
        cpu_count=_NOT_SAID,
        elapsed_ns=_job_ns(entries, group),
        outside_ns=_elapsed_ns(entries),
        on_ns=time_on(entries, group.jobs) if isinstance(group.jobs, int) else group.jobs,
        job_times=job_times(entries, group.jobs) if isinstance(group.jobs, int) else group.jobs,
        device=_device(report),
        sensed=Unknown("fio reads no sensor"),
        steady=steady_claim(entries[0], group.setup),
    )


def _job_ns(entries: tuple[JsonJob, ...], group: _Group) -> int | Unknown:
    longest_ms = max(max(one.read.runtime, one.write.runtime, one.trim.runtime) for one in entries)
    ramp = 0 if isinstance(group.setup, Unknown) else group.setup.ramp_ns
    return ramp if isinstance(ramp, Unknown) else longest_ms * NS_PER_MS + ramp


def _elapsed_ns(entries: tuple[JsonJob, ...]) -> int | Unknown:
    """fio counts these in whole seconds begun, by a clock it reads apart from that of the I/Os."""
    elapsed = [one.elapsed for one in entries if one.elapsed is not None]
    return max(elapsed) * NS_PER_S if elapsed else _NOT_SAID


def _direction(entries: tuple[JsonJob, ...], direction: Direction, logged: Logged) -> DirectionFacts | None:
    parts = tuple(part for one in entries if (part := part_of(one, direction)).total_ios)
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


def _rates(parts: tuple[JsonDirection, ...]) -> Rates | Unknown:
    if len(parts) > 1:
        return Unknown("each job has rates of its own")
    return rates_of(parts[0])


def _latency(parts: tuple[JsonDirection, ...], kind: LatencyKind) -> LatencyFacts | None:
    """Over all jobs: bins are merged, means weighted, percentiles only repeated where there is one job."""
    all_parts = [(one.clat_ns if kind is LatencyKind.CLAT else one.lat_ns, one.total_ios) for one in parts]
    counted = [(latency, latency.samples(io_count)) for latency, io_count in all_parts]
    total = sum(count for _, count in counted)
    if not total:
        return None
    measured = [latency for latency, count in counted if count]
    return LatencyFacts(
        count=total,
        mean_ns=sum(latency.mean * count for latency, count in counted) / total,
        min_ns=min(latency.min for latency in measured),
        max_ns=max(latency.max for latency in measured),
        histogram=_histogram(measured, kind),
        percentile_ns=measured[0].percentile if len(measured) == 1 else {},
    )


def _histogram(measured: Sequence[JsonLatency], kind: LatencyKind) -> Histogram | Unknown:
    if not all(one.bins for one in measured):
        return Unknown(f"the JSON has no bins of {kind.value}")
    values = np.array([value for one in measured for value in one.bins], dtype=np.int64)
    counts = np.array([count for one in measured for count in one.bins.values()], dtype=np.int64)
    indices, of_bin = np.unique([_core.bin_index(int(value)) for value in values], return_inverse=True)
    return Histogram(
        bin_index=indices.astype(np.int64),
        count=np.bincount(of_bin, weights=counts).astype(np.int64),
        mean_ns=float(np.average(values, weights=counts)),
        min_ns=min(one.min for one in measured),
        max_ns=max(one.max for one in measured),
        stddev_ns=max(one.stddev for one in measured),
    )


def _device(report: FioReport) -> DeviceTraffic | Unknown:
    if len(report.groups()) > 1:
        return Unknown("several jobs shared the device, which fio counts for all together")
    longest_ms = max(part_of(job, one).runtime for job in report.jobs for one in Direction)
    if longest_ms * NS_PER_MS < _DISK_UTIL_NS:
        return Unknown("the job was too short for fio to look at the kernel's counters")
    if len(report.disks) != 1:
        return Unknown("fio counted no single block device")
    disk = report.disks[0]
    sectors = {Direction.READ: disk.read_sectors, Direction.WRITE: disk.write_sectors}
    counted = {one: count * _SECTOR_BYTES for one, count in sectors.items() if count is not None}
    return DeviceTraffic(
        device=disk.name,
        io_count={
            Direction.READ: disk.read_ios + disk.read_merges,
            Direction.WRITE: disk.write_ios + disk.write_merges,
        },
        moved_bytes=counted
        if len(counted) == len(sectors)
        else Unknown("this fio prints the kernel's I/Os, not bytes"),
    )
