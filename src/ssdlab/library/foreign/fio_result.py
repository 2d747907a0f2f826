"""Anyone's fio JSON, and the folders bench-fio makes of them."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from operator import itemgetter
from pathlib import Path

from ssdlab.analysis.audit.of_fio_json import subjects_of
from ssdlab.analysis.log.file import LogError, LogUnit
from ssdlab.analysis.log.json_summary import latency_percentiles
from ssdlab.analysis.statistics.percentile import PERCENTS
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Check
from ssdlab.bundle.quantities import BANDWIDTH, CLAT, CLAT_MEAN, IOPS, LAT, LAT_MEAN, Quantity
from ssdlab.engine.base import EngineError
from ssdlab.engine.fio.document import FioDirection, FioDocument, FioJob, MergedLatency, measured
from ssdlab.engine.fio.output import read_report
from ssdlab.engine.fio.stored import StoredBytes, in_memory
from ssdlab.engine.fio.stored_document import SMALL_BYTES, KeptJobs
from ssdlab.engine.result import Direction
from ssdlab.library.foreign import fio_logs
from ssdlab.library.foreign.result import (
    NOT_SAID,
    Foreign,
    ForeignError,
    ForeignNumber,
    NumbersOnDemand,
    Reader,
    checked,
)
from ssdlab.message import message
from ssdlab.point import CoordinateAxis, Point, labelled
from ssdlab.unknown import Unknown

_MS_PER_S = 1000
_WHERE = {"filename", "directory", "write_bw_log", "write_lat_log", "write_iops_log", "write_hist_log", "output"}
"""Options that say where files are and nothing of the method."""


def _is_fio(begin: bytes) -> bool:
    # PowerShell writes UTF-16.
    return b'"fio version"' in begin.replace(b"\0", b"")


def _read(name: str, content: bytes) -> Foreign:
    return read_with_logs(name, StoredBytes(content), (), None)


def read_with_logs(name: str, content: StoredBytes, logs: Sequence[Path], log_unit: LogUnit | None) -> Foreign:
    """A result with the logs of its run if there are any, and what the audit says of it.

    Args:
        name: Of the file.
        content: The JSON.
        logs: Of the same run.
        log_unit: What was said of their latencies.

    Raises:
        ForeignError: A file is damaged, or the JSON and what was said contradict each other.
    """
    report = report_in(name, content)
    said = fio_logs.unit_beside(report)
    if logs and log_unit is not None and log_unit is not said:
        raise ForeignError(
            message("foreign-contradiction", path=name, what="unit", said=said.value, told=log_unit.value),
            message("foreign-leave-option-out", what="unit"),
        )
    numbers, notes = fio_logs.log_numbers(logs, said)
    foreign = of_report(name, report, notes, numbers)
    return checked(name, replace(foreign, audit=fio_logs.audit_of_report(name, report, logs)))


def of_report(
    name: str, report: FioDocument, cautions: tuple[str, ...] = (), of_logs: tuple[ForeignNumber, ...] = ()
) -> Foreign:
    """A result of one run, or of several in one file.

    Args:
        name: Of the file.
        report: What fio says.
        cautions: What must be known of how it says it.
        of_logs: Numbers of its logs.

    Raises:
        ForeignError: None of its jobs did any I/O.
    """
    subjects = subjects_of(report)
    jobs = [
        _NumberedJob(labelled("fio", word), group, subject)
        for subject, word, group in zip(subjects, _words(subjects), report.groups(), strict=True)
    ]
    numbers = _numbers_of(name, jobs)
    if not numbers:
        raise ForeignError(message("foreign-fio-no-io", name=name))
    if of_logs:
        numbers = _followed_by(name, numbers, of_logs)
    foreign = _foreign("fio", report, method=_method([report]), numbers=numbers)
    return replace(foreign, cautions=(*foreign.cautions, *cautions))


def read_bench_fio(name: str, files: Sequence[tuple[str, StoredBytes]]) -> Foreign:
    """Read a folder of bench-fio: the JSON files with their names, and what the audit says of each.

    Raises:
        ForeignError: One of them is not fio's JSON, or none did any I/O.
    """
    names = sorted(file for file, _ in files)
    size_bytes = sum(content.size_bytes for _, content in files)
    keep = KeptJobs.AS_FITS if size_bytes <= SMALL_BYTES else KeptJobs.PLACES
    ordered = sorted(files, key=itemgetter(0))
    reports = [report_in(file, content, keep) for file, content in ordered]
    if not reports:
        raise ForeignError(message("foreign-no-fio-json", name=name), message("foreign-give-bench-fio"))
    loads = [
        _JobOfFile(file, subject, _load(report, group), group)
        for file, report in zip(names, reports, strict=True)
        for subject, group in zip(subjects_of(report), report.groups(), strict=True)
    ]
    jobs = [
        _NumberedJob(point, job.group, f"{job.file}: {job.subject}")
        for job, point in zip(loads, _points_apart(loads), strict=True)
    ]
    numbers = _numbers_of(name, jobs)
    if not numbers:
        raise ForeignError(message("foreign-no-job-io", name=name))
    audits = [fio_logs.audit_of_report(file, report, ()) for file, report in zip(names, reports, strict=True)]
    foreign = _foreign("bench-fio", reports[0], method=_method(reports), numbers=numbers)
    return checked(name, replace(foreign, audit=_ChecksOfFiles(audits)))


@dataclass(frozen=True, slots=True)
class _NumberedJob:
    """A job and what its numbers are called."""

    point: Point
    group: Sequence[FioJob]
    subject: str

    def numbers(self) -> Iterator[ForeignNumber]:
        """All of them."""
        return _group_numbers(self.point, in_memory(self.group), self.subject)


def _numbers_of(name: str, jobs: Sequence[_NumberedJob]) -> Sequence[ForeignNumber]:
    """Those of all jobs, made when they are asked for where the jobs are not in memory either."""

    def made() -> Iterator[ForeignNumber]:
        return (number for job in jobs for number in job.numbers())

    if all(isinstance(job.group, tuple) for job in jobs):
        return tuple(made())
    return NumbersOnDemand(name, made)


def _followed_by(
    name: str, numbers: Sequence[ForeignNumber], others: tuple[ForeignNumber, ...]
) -> Sequence[ForeignNumber]:
    if isinstance(numbers, tuple):
        return numbers + others
    return NumbersOnDemand(name, lambda: chain(numbers, others))


@dataclass(frozen=True, slots=True, eq=False)
class _ChecksOfFiles(Iterable[Check]):
    """Those of the jobs of every file of a folder."""

    audits: Sequence[fio_logs.ChecksOfJobs]

    def __iter__(self) -> Iterator[Check]:
        for audit in self.audits:
            yield from (replace(check, step=f"{audit.name}: {check.step}") for check in audit)


def report_in(name: str, content: StoredBytes, keep: KeptJobs = KeptJobs.AS_FITS) -> FioDocument:
    """What a file of fio's says.

    Raises:
        ForeignError: It is not fio's JSON.
        OSError: It cannot be read.
    """
    try:
        return read_report(content, keep)
    except EngineError as error:
        raise ForeignError(message("log-of-file", path=name, fault=error.message), *error.hints) from error


def _foreign(program: str, report: FioDocument, *, method: str, numbers: Sequence[ForeignNumber]) -> Foreign:
    options = report.options_of(report.jobs[0]) or {}
    return Foreign(
        program=program,
        program_version=report.version.removeprefix("fio-") or NOT_SAID,
        method=method,
        numbers=numbers,
        measured_at=_moment(report.timestamp_ms),
        settings=tuple(options.items()),
        cautions=("nothing is known of what the drive went through before",),
    )


def _moment(timestamp_ms: int | None) -> str | Unknown:
    if timestamp_ms is None:
        return NOT_SAID
    try:
        return datetime.fromtimestamp(timestamp_ms / _MS_PER_S, UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return Unknown(message("unknown-no-date-ms", time_ms=str(timestamp_ms)))


def _method(reports: Sequence[FioDocument]) -> str:
    """Two results of the same options are of one method, whatever their files are called."""
    said = (
        {name: text for name, text in (report.options_of(job) or {}).items() if name not in _WHERE}
        for report in reports
        for job in report.jobs
    )
    # The digest of a list in JSON, of which one entry is in memory at a time.
    digest, any_said = hashlib.sha256(b"["), False
    for place, options in enumerate(said):
        digest.update(b", " * bool(place) + json.dumps(options, sort_keys=True).encode())
        any_said = any_said or bool(options)
    digest.update(b"]")
    return f"options {digest.hexdigest()[:8]}" if any_said else "options not said"


@dataclass(frozen=True, slots=True)
class _JobOfFile:
    """A job in a folder of results."""

    file: str
    subject: str
    point: Point
    """By its options."""
    group: Sequence[FioJob]


def _points_apart(jobs: Sequence[_JobOfFile]) -> Iterator[Point]:
    """The points of the jobs; those of one load in several files or jobs have the names of these, too."""
    count = Counter(job.point for job in jobs)
    shared = [job for job in jobs if count[job.point] > 1]
    words = dict(zip(map(id, shared), _words([f"{job.file}_{job.subject}" for job in shared]), strict=True))
    for job in jobs:
        word = words.get(id(job))
        yield job.point if word is None else job.point.at(CoordinateAxis.LABEL, word)


def _words(subjects: Sequence[str]) -> list[str]:
    """A word for each of them, which no other has: `a b` and `a_b` would share one, so their places tell them apart."""
    words = [_word(subject) for subject in subjects]
    count, taken = Counter(words), set(words)
    for at, word in enumerate(words):
        if count[word] > 1:
            numbered = f"{word}_{at + 1}"
            while numbered in taken:
                numbered += "_"
            taken.add(numbered)
            words[at] = numbered
    return words


def _word(subject: str) -> str:
    """`job (2)` as `job_2`."""
    text = subject.replace(" (", "_").removesuffix(")")
    return "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in text)


def _load(report: FioDocument, group: Sequence[FioJob]) -> Point:
    """`4k.randread.q16.j2`, from the options and not from the names of files."""
    options = report.options_of(group[0]) or {}
    pattern = options.get("rw", options.get("readwrite", "unknown"))
    mix = f"{options['rwmixread']}" if pattern in {"rw", "readwrite", "randrw"} and "rwmixread" in options else ""
    depth, jobs = options.get("iodepth", "1"), options.get("numjobs", "1")
    return labelled("bench_fio", options.get("bs", "4k"), f"{pattern}{mix}", f"q{depth}", f"j{jobs}")


def _group_numbers(point: Point, group: Sequence[FioJob], subject: str) -> Iterator[ForeignNumber]:
    for direction in Direction:
        parts = [job.part(direction) for job in group]
        if any(part.total_ios for part in parts):
            yield from _direction_numbers(point, direction, parts, subject)
    mixed = [job.mixed for job in group if job.mixed is not None]
    if any(part.total_ios for part in mixed):
        yield from _direction_numbers(point.at(CoordinateAxis.LABEL, "mixed"), None, mixed, subject)


def _direction_numbers(
    point: Point, direction: Direction | None, parts: Sequence[FioDirection], subject: str
) -> Iterator[ForeignNumber]:
    def number(quantity: Quantity, value: float, unit: str, percent: str | None = None) -> ForeignNumber:
        return ForeignNumber(
            key=MetricKey(point, quantity, percent, direction), value=value, unit=unit, subject=subject
        )

    yield number(IOPS, sum(part.iops or 0.0 for part in parts), "1/s")
    rates = [_bandwidth(part) for part in parts]
    known = [rate for rate in rates if rate is not None]
    if len(known) == len(rates):
        yield number(BANDWIDTH, float(sum(known)), "B/s")
    for quantity, of_mean, latencies in (
        (CLAT, CLAT_MEAN, [(part.clat_ns, part.total_ios) for part in parts]),
        (LAT, LAT_MEAN, [(part.lat_ns, part.total_ios) for part in parts]),
    ):
        of_all = measured(latencies)
        if of_all is not None:
            yield number(of_mean, of_all.mean_ns, "ns")
            for percent, value in _percentiles(of_all):
                yield number(quantity, value, "ns", percent)


def _bandwidth(part: FioDirection) -> float | None:
    """None where nothing in the file says it."""
    if part.bw_bytes is not None:
        return part.bw_bytes
    return part.io_bytes * _MS_PER_S / part.runtime if part.runtime and part.io_bytes else None


def _percentiles(of_all: MergedLatency) -> Iterator[tuple[str, float]]:
    try:
        percentiles = latency_percentiles(of_all)
    except LogError as error:
        raise ForeignError(error.message, *error.hints) from error
    for percent, value in zip(PERCENTS, percentiles, strict=True):
        if not isinstance(value, Unknown):
            yield percent, value


READERS = (Reader("fio, JSON or json+", _is_fio, _read),)
