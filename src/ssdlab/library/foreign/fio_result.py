"""Anyone's fio JSON, and the folders bench-fio makes of them."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from ssdlab.analysis.audit_foreign import subjects_of
from ssdlab.analysis.audit_json import FioReport, JsonDirection, JsonJob, JsonLatency, read_report
from ssdlab.analysis.log import PERCENTS
from ssdlab.analysis.log_file import LogError
from ssdlab.analysis.log_json import latency_percentiles
from ssdlab.engine.base import EngineError
from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError, Number, Reader
from ssdlab.unknown import Unknown

_MS_PER_S = 1000
_WHERE = {"filename", "directory", "write_bw_log", "write_lat_log", "write_iops_log", "write_hist_log", "output"}
"""Options that say where files are and nothing of the method."""


def _is_fio(begin: bytes) -> bool:
    return b'"fio version"' in begin


def _read(name: str, content: bytes) -> Foreign:
    report = _report(name, content)
    numbers = tuple(
        number
        for subject, group in zip(subjects_of(report), report.groups(), strict=True)
        for number in _group_numbers(f"fio.{_word(subject)}", group, subject)
    )
    if not numbers:
        raise ForeignError(f"`{name}` is fio's, and no job in it did any I/O")
    return _foreign("fio", report, method=_method([report]), numbers=numbers)


def read_bench_fio(name: str, files: Sequence[tuple[str, bytes]]) -> Foreign:
    """Read a folder of bench-fio: the JSON files with their names.

    Raises:
        ForeignError: One of them is not fio's JSON, or none did any I/O.
    """
    reports = [_report(file, content) for file, content in sorted(files)]
    if not reports:
        raise ForeignError(f"the directory `{name}` has no JSON of fio in it", "give what bench-fio wrote, or a FILE")
    numbers = tuple(
        number
        for (file, _), report in zip(sorted(files), reports, strict=True)
        for subject, group in zip(subjects_of(report), report.groups(), strict=True)
        for number in _group_numbers(f"bench_fio.{_load(report, group)}", group, f"{file}: {subject}")
    )
    if not numbers:
        raise ForeignError(f"no job in `{name}` did any I/O")
    return _foreign("bench-fio", reports[0], method=_method(reports), numbers=numbers)


def _report(name: str, content: bytes) -> FioReport:
    try:
        return read_report(content)
    except EngineError as error:
        raise ForeignError(f"`{name}`: {error.message}", *error.hints) from error


def _foreign(program: str, report: FioReport, *, method: str, numbers: tuple[Number, ...]) -> Foreign:
    options = report.options_of(report.jobs[0]) or {}
    return Foreign(
        program=program,
        program_version=report.version.removeprefix("fio-"),
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
        return Unknown(f"the file says {timestamp_ms} ms after 1970, which is no date")


def _method(reports: Sequence[FioReport]) -> str:
    """Two results of the same options are of one method, whatever their files are called."""
    said = [
        {name: text for name, text in (report.options_of(job) or {}).items() if name not in _WHERE}
        for report in reports
        for job in report.jobs
    ]
    return f"options {hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:8]}"


def _word(subject: str) -> str:
    """`job (2)` as `job_2`."""
    text = subject.replace(" (", "_").removesuffix(")")
    return "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in text)


def _load(report: FioReport, group: Sequence[JsonJob]) -> str:
    """`4k.randread.q16.j2`, from the options and not from the names of files."""
    options = report.options_of(group[0]) or {}
    pattern = options.get("rw", options.get("readwrite", "unknown"))
    mix = f"{options['rwmixread']}" if pattern in {"rw", "readwrite", "randrw"} and "rwmixread" in options else ""
    depth, jobs = options.get("iodepth", "1"), options.get("numjobs", "1")
    return f"{options.get('bs', '4k')}.{pattern}{mix}.q{depth}.j{jobs}"


def _group_numbers(prefix: str, group: Sequence[JsonJob], subject: str) -> Iterator[Number]:
    directions = {name: [getattr(job, name) for job in group] for name in ("read", "write", "trim")}
    for name, parts in directions.items():
        if any(part.total_ios for part in parts):
            for number in _direction_numbers(f"{prefix}.{name}", parts):
                yield replace(number, subject=subject)


def _direction_numbers(prefix: str, parts: Sequence[JsonDirection]) -> Iterator[Number]:
    yield Number(name=f"{prefix}.iops", value=sum(part.iops or 0.0 for part in parts), unit="1/s")
    yield Number(name=f"{prefix}.bandwidth", value=float(sum(_bandwidth(part) for part in parts)), unit="B/s")
    for kind in ("clat", "lat"):
        latencies = [(getattr(part, f"{kind}_ns"), part.total_ios) for part in parts]
        yield from _latency_numbers(f"{prefix}.{kind}", latencies)


def _bandwidth(part: JsonDirection) -> float:
    if part.bw_bytes is not None:
        return part.bw_bytes
    return part.io_bytes * _MS_PER_S / part.runtime if part.runtime else 0.0


def _latency_numbers(prefix: str, latencies: Sequence[tuple[JsonLatency, int]]) -> Iterator[Number]:
    counted = [(latency, count) for latency, ios in latencies if (count := latency.samples(ios))]
    total = sum(count for _, count in counted)
    if not total:
        return
    mean = sum(latency.mean * count for latency, count in counted) / total
    yield Number(name=f"{prefix}_mean", value=mean, unit="ns")
    try:
        percentiles = latency_percentiles([latency for latency, _ in counted], total)
    except LogError as error:
        raise ForeignError(error.message, *error.hints) from error
    for percent, value in zip(PERCENTS, percentiles, strict=True):
        if not isinstance(value, Unknown):
            yield Number(name=f"{prefix}_p{percent.replace('.', '_')}", value=value, unit="ns")


READERS = (Reader("fio, JSON or json+", _is_fio, _read),)
