"""fio's JSON in every form in which people have it, as a document of the fio of today.

Units by version: fio 2.21 began to print bytes instead of KiB, with `io_kbytes` beside them, and 2.99 nanoseconds in `clat_ns`
instead of microseconds in `clat` (`stat.c` of these releases).
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import Enum
from itertools import zip_longest
from typing import Any

from pydantic import ValidationError

from ssdlab import _core
from ssdlab.engine.fio.client_snapshots import last_of_each_host
from ssdlab.engine.fio.document import DocumentError, FioDocument, FioJob, document_error, parse_document, split_output
from ssdlab.engine.fio.document_places import (
    DIRECTIONS,
    VERSION,
    VERSION_KEY,
    Entries,
    Fields,
    start_of_document,
    without_nan,
)
from ssdlab.units import KIB, NS_PER_US

_ODD_FORMS = (b'"client_stats"', b'"mixed"')
NANOSECONDS = re.compile(rb'"[cs]?lat_ns"')
_LATENCIES = ("slat", "clat", "lat")
_LAYOUT = "FIO_IO_U_PLAT_BITS"
_MS_PER_S = 1000
_OF_PROCESS = ("ctx", "majf", "minf")
_OF_DISK = ("read_ios", "write_ios", "read_sectors", "write_sectors")
_LATE_S = 0.2
_SNAPSHOTS_APART_S = 0.9
"""fio prints them a second apart at least, but for the end of the run."""
_CLOCK_S = 2
"""How far the moment at which a run began can be told from its time and its duration, which older versions print in whole seconds."""


class Era(Enum):
    """Whose fields a direction of a job has."""

    FIO_2 = "microseconds"
    FIO_3 = "nanoseconds"


def document_in(output: bytes) -> FioDocument:
    """The document in a file that fio wrote: of any version, with other text around it, of several clients.

    Of the snapshots of `--status-interval` the last is meant, which counts all that the others do. Several runs that were written into one file are
    one document with the jobs of all of them.

    Raises:
        DocumentError: There is none, or one is cut off.
    """
    try:
        if _usual(output):
            document = parse_document(split_output(output)[0] or output)
            # What tells its time in seconds alone is of an older fio.
            if document.timestamp_ms is not None or b'"timestamp"' not in output:
                return document
    except DocumentError:
        # What follows the document, or comes before it, need not be in lines.
        if b'"fio version"' not in output:
            raise
    found = list(_documents(_text(output)))
    if not found:
        return parse_document(split_output(output)[0] or output)
    with in_words():
        runs = [FioDocument.model_validate(_today(fields)) for fields in last_snapshots(found)]
    return runs[0] if len(runs) == 1 else _together(runs)


@contextmanager
def in_words() -> Iterator[None]:
    """What is wrong with a document, as its own error.

    Raises:
        DocumentError: Something is.
    """
    try:
        yield
    except ValidationError as error:
        raise document_error(error) from error
    except (ValueError, TypeError, ArithmeticError, LookupError) as error:
        raise DocumentError(f"the document: {str(error)[:160]}") from error


def is_of_fio_2(version: str) -> bool:
    """Whether a release counts in microseconds."""
    found = re.search(r"(\d+)\.(\d+)", version)
    return found is not None and (int(found[1]), int(found[2])) < (2, 99)


def _usual(output: bytes) -> bool:
    """Whether pydantic alone can read it, which takes a fraction of the time and memory."""
    one = output.find(b'"fio version"')
    return (
        (one < 0 or output.find(b'"fio version"', one + 1) < 0)
        and output[:2] not in {b"\xff\xfe", b"\xfe\xff"}
        and not any(form in output for form in _ODD_FORMS)
        and (one < 0 or NANOSECONDS.search(output) is not None)
    )


def _text(output: bytes) -> str:
    """As text; PowerShell writes UTF-16."""
    encoding = "utf-16" if output[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    return output.decode(encoding, errors="replace")


def _documents(text: str) -> Iterator[Fields]:
    """Every document in a text, whatever stands around them."""
    decoder = json.JSONDecoder()
    text = without_nan(text)
    if (alone := _whole(text)) is not None:
        yield alone
        return
    end = 0
    while (at := text.find(VERSION, end)) >= 0:
        try:
            fields, end = decoder.raw_decode(text, start_of_document(text, end, at))
        except (ValueError, RecursionError) as error:
            raise DocumentError(f"the document: Invalid JSON: {str(error)[:160]}") from error
        if VERSION_KEY not in fields or end < at:
            raise DocumentError("the document: the braces around the version are those of no document")
        yield fields


def _whole(text: str) -> Fields | None:
    """The document if nothing stands around it; its keys may be in any order then."""
    with suppress(ValueError, RecursionError):
        found = json.loads(text)
        if isinstance(found, dict) and VERSION_KEY in found:
            return found
    return None


def last_snapshots(found: Iterable[Fields]) -> Iterator[Fields]:
    """The last of each run's snapshots."""
    before: Fields | None = None
    for fields in found:
        if before is not None and not _same_run(before, fields):
            yield before
        before = fields
    if before is not None:
        yield before


def _same_run(fields: Fields, after: Fields) -> bool:
    """Whether two documents that follow each other tell of one run, by when it began."""
    if _names(fields) != _names(after):
        return False
    begins = [[job.get("job_start") for job in _heads(one)] for one in (fields, after)]
    if all(isinstance(begin, int) for begin in begins[0] + begins[1]):
        return begins[0] == begins[1]
    (time_s, elapsed_s), (time_after_s, elapsed_after_s) = _moment(fields), _moment(after)
    if time_s is not None and time_after_s is not None and elapsed_s and elapsed_after_s:
        apart_s = (time_after_s - elapsed_after_s) - (time_s - elapsed_s)
        change = _change(fields, after)
        shrank = elapsed_after_s < elapsed_s or change is _Change.SHRANK
        # Runs need not stand in a file in the order in which they were: the newest may be the first.
        if shrank or apart_s < -_CLOCK_S:
            return False
        # So two hosts end that were started together, or the last snapshot and the end of one run.
        at_once = abs(time_after_s - time_s) < _SNAPSHOTS_APART_S and change is not _Change.NONE
        fits_between = _runtime_s(after) <= time_after_s - time_s + _clock_s(after)
        may_be_same, may_be_next = apart_s <= _CLOCK_S, fits_between and apart_s >= elapsed_s - _CLOCK_S - 1
        if may_be_same is not may_be_next and not at_once:
            return may_be_same
    raise DocumentError(
        "the document: there are several, and they do not say whether they are of one run; give the last alone"
    )


def _moment(fields: Fields) -> tuple[float | None, int]:
    """When a document was written, and how long its run had lasted then."""
    return _seconds(fields), max((_count(job.get("elapsed")) for job in _heads(fields)), default=0)


def _runtime_s(fields: Fields) -> float:
    """How long the I/O of a document took, which fio says to the millisecond."""
    parts = (job.get(name) for job in _heads(fields) for name in DIRECTIONS)
    return max((_count(part.get("runtime")) for part in parts if isinstance(part, dict)), default=0) / _MS_PER_S


def _clock_s(fields: Fields) -> float:
    """How far the moment at which a document was written may be off."""
    return _LATE_S if isinstance(fields.get("timestamp_ms"), int) else 1.0 + _LATE_S


class _Change(Enum):
    """What became of what fio counts from one document to another."""

    NONE = "the same"
    GREW = "more of some"
    SHRANK = "less of some, as of no later snapshot of a run"


def _change(fields: Fields, after: Fields) -> _Change:
    found = _Change.NONE
    nothing: dict[tuple[str, ...], int] = {}
    for before, later in zip_longest(_counts(fields), _counts(after), fillvalue=nothing):
        if any(later.get(name, 0) < count for name, count in before.items()):
            return _Change.SHRANK
        if before != later:
            found = _Change.GREW
    return found


def _counts(fields: Fields) -> Iterator[dict[tuple[str, ...], int]]:
    """Of each job and of the devices what no later snapshot of a run has less of.

    These are amounts, bins, the longest latency, and the negative of the shortest.
    """
    for job in _jobs(fields):
        found: dict[tuple[str, ...], int] = {(name,): _count(job.get(name)) for name in _OF_PROCESS}
        for direction in DIRECTIONS:
            part = job.get(direction)
            if isinstance(part, dict):
                found |= {(direction, *name): count for name, count in _counts_of(part).items()}
        yield found
    disks = fields.get("disk_util")
    of_disks = [disk for disk in disks if isinstance(disk, dict)] if isinstance(disks, list) else []
    yield {(str(disk.get("name")), name): _count(disk.get(name)) for disk in of_disks for name in _OF_DISK}


def _counts_of(part: Fields) -> dict[tuple[str, ...], int]:
    found: dict[tuple[str, ...], int] = {(name,): _count(part.get(name)) for name in ("total_ios", "io_bytes")}
    for name in (*_LATENCIES, *_ns_names()):
        latency = part.get(name)
        if isinstance(latency, dict) and _count(latency.get("max")):
            found |= {(name, "max"): _count(latency.get("max")), (name, "min"): -_count(latency.get("min"))}
            bins = latency.get("bins")
            found |= {(name, str(key)): _count(count) for key, count in bins.items()} if isinstance(bins, dict) else {}
    return found


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _names(fields: Fields) -> list[object]:
    told = ("jobname", "groupid", "hostname", "job options")
    return [tuple(job.get(name) for name in told) for job in _heads(fields)]


def _heads(fields: Fields) -> Sequence[Fields]:
    """The jobs, of those in a file what is in memory."""
    jobs = _jobs(fields)
    return jobs.heads if isinstance(jobs, Entries) else jobs


def _seconds(fields: Fields) -> float | None:
    if isinstance(milliseconds := fields.get("timestamp_ms"), int):
        return milliseconds / _MS_PER_S
    seconds = fields.get("timestamp")
    return seconds if isinstance(seconds, int) else None


def _jobs(fields: Fields) -> Sequence[Fields]:
    entries = fields.get("jobs", fields.get("client_stats"))
    if isinstance(entries, Entries):
        return entries
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise DocumentError("jobs: Field required")
    return entries


def _today(fields: Fields) -> Fields:
    """As fio writes it today."""
    jobs = last_of_each_host(_jobs(fields)) if "client_stats" in fields else _jobs(fields)
    era = era_of(fields)
    return with_todays_fields({**fields, "jobs": [job_of_today(job, era) for job in jobs]})


def era_of(fields: Fields) -> Era:
    """By the version that a document tells."""
    return Era.FIO_2 if is_of_fio_2(str(fields.get(VERSION_KEY, ""))) else Era.FIO_3


def with_todays_fields(fields: Fields) -> Fields:
    """All but the jobs."""
    made = dict(fields)
    if isinstance(of_clients := fields.get("global options"), list):
        made["global options"] = _shared([one for one in of_clients if isinstance(one, dict)])
    if isinstance(seconds := fields.get("timestamp"), int):
        made.setdefault("timestamp_ms", seconds * _MS_PER_S)
    return made


def _shared(options: Sequence[Fields]) -> Fields:
    """Global options that all clients have: newer versions list those of each."""
    if not options:
        return {}
    first, *others = options
    return {name: text for name, text in first.items() if all(other.get(name) == text for other in others)}


def job_of_today(job: Mapping[str, Any], era: Era) -> Fields:
    """A job as fio writes it today."""
    changed = {name: _direction(job[name], era) for name in DIRECTIONS if isinstance(job.get(name), dict)}
    return _known({**job, **changed})


def _direction(part: Fields, era: Era) -> Fields:
    made = _known(part)
    if era is Era.FIO_3 and not any(isinstance(made.get(name), dict) for name in _LATENCIES):
        return made | {name: _known(made[name]) for name in _ns_names() if isinstance(made.get(name), dict)}
    for name in _LATENCIES:
        if isinstance(found := made.pop(name, None), dict):
            made[f"{name}_ns"] = _nanoseconds(_known(found))
    if "io_kbytes" not in made and isinstance(kib := made.get("io_bytes"), int):
        made["io_bytes"] = kib * KIB
    if "total_ios" not in made and isinstance(rate := made.get("iops"), int | float):
        # Before 2.2 fio printed no count; that which its rate says is used for weights only.
        made["total_ios"] = round(rate * made.get("runtime", 0) / _MS_PER_S) or int(rate > 0)
    return made


def _ns_names() -> Iterator[str]:
    return (f"{name}_ns" for name in _LATENCIES)


def _known(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if value is not None}


def _nanoseconds(latency: Mapping[str, Any]) -> Fields:
    made = dict(latency)
    for name in ("min", "max", "mean", "stddev"):
        if isinstance(value := latency.get(name), int | float):
            made[name] = value * NS_PER_US
    if isinstance(percentile := latency.get("percentile"), dict):
        made["percentile"] = {
            percent: value * NS_PER_US
            for percent, value in percentile.items()
            # fio 2 filled the list up with zeros.
            if isinstance(value, int) and float(percent) > 0
        }
    if isinstance(bins := latency.get("bins"), dict):
        made["bins"] = _bins_of_today(bins)
    return made


def _bins_of_today(bins: Mapping[str, int]) -> dict[int, int]:
    """Bins of microseconds in those of nanoseconds, which move a latency by less than their width of 0.8 %."""
    made: dict[int, int] = {}
    for microseconds, count in _bins_by_microseconds(bins):
        value = _core.bin_mid(_core.bin_index(min(microseconds * NS_PER_US, 2**63 - 1)))
        made[value] = made.get(value, 0) + count
    return made


def _bins_by_microseconds(bins: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    """Until 2.20 fio named bins by their place, listed the empty ones too, and said beside them how they are laid out, which is as today."""
    if _LAYOUT not in bins:
        yield from ((int(microseconds), count) for microseconds, count in bins.items())
        return
    for key, count in bins.items():
        if key.isdecimal() and count:
            yield _core.bin_mid(int(key)), count


def _together(runs: Sequence[FioDocument]) -> FioDocument:
    """Runs after each other in one file: each keeps its options, and its groups apart from those of the others."""
    jobs = []
    first_group = 0
    for run in runs:
        jobs += [renumbered(job, run, first_group) for job in run.jobs]
        first_group = max((job.groupid for job in jobs), default=0) + 1
    return runs[0].model_copy(update={"jobs": tuple(jobs), "global_options": {}, "disks": ()})


def renumbered(job: FioJob, run: FioDocument, first_group: int) -> FioJob:
    """A job beside those of other runs: with all its options, and in a group of its run alone."""
    return job.model_copy(update={"groupid": job.groupid + first_group, "options": run.options_of(job)})
