"""fio's JSON: bins of all jobs and files are merged (json+), percentiles that fio printed are only repeated (json)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ssdlab import _core
from ssdlab.analysis.log.file import LogError, LogFormat, LogKind, explained
from ssdlab.analysis.log.summary import (
    DIRECTIONS,
    TOO_FEW,
    DirectionSummary,
    LogSummary,
    Precision,
    Value,
    bin_percentiles,
)
from ssdlab.analysis.statistics.percentile import PERCENTS, highest_percentile
from ssdlab.engine.fio.document import (
    DocumentError,
    FioDirection,
    FioJob,
    FioLatency,
    MergedLatency,
    measured,
)
from ssdlab.engine.fio.foreign_document import document_in
from ssdlab.engine.result import Direction
from ssdlab.message import message
from ssdlab.unknown import Unknown

_NO_BINS = Unknown(message("unknown-percentiles-of-jobs"))
_NOT_PRINTED = Unknown(message("unknown-not-printed"))


def summarise_json(paths: list[Path]) -> list[LogSummary]:
    """Summarise all jobs of all files, one summary a latency that fio measured.

    Raises:
        LogError: A file is not fio's JSON.
    """
    jobs = [job for path in paths for job in _jobs(path)]
    summaries = []
    for kind in (LogKind.LATENCY, LogKind.COMPLETION_LATENCY, LogKind.SUBMISSION_LATENCY):
        found = (_direction(kind, direction, [job.part(direction) for job in jobs]) for direction in DIRECTIONS)
        directions = tuple(one for one in found if one is not None)
        if directions:
            names = tuple(str(path) for path in paths)
            summaries.append(LogSummary(kind, LogFormat.JSON, Precision.BINS, names, directions, ()))
    return summaries


def _jobs(path: Path) -> Sequence[FioJob]:
    with explained(path):
        content = _core.read_fio_file(path)
    try:
        jobs = document_in(content).jobs
    except DocumentError as error:
        raise LogError(message("log-no-fio-json", path=str(path), error=str(error))) from error
    if any(_is_mixed_alone(job) for job in jobs):
        raise LogError(message("log-mixed-alone", path=str(path)), message("log-import-mixed", path=str(path)))
    return jobs


def _is_mixed_alone(job: FioJob) -> bool:
    return job.mixed is not None and job.mixed.total_ios > 0 and not any(job.part(one).total_ios for one in Direction)


def _latency(part: FioDirection, kind: LogKind) -> FioLatency:
    match kind:
        case LogKind.SUBMISSION_LATENCY:
            return part.slat_ns
        case LogKind.COMPLETION_LATENCY:
            return part.clat_ns
        case LogKind.LATENCY | LogKind.BANDWIDTH | LogKind.IOPS:
            return part.lat_ns


def _direction(kind: LogKind, direction: Direction, parts: list[FioDirection]) -> DirectionSummary | None:
    """None where no job measured it."""
    timed = [part for part in parts if _latency(part, kind).samples(part.total_ios)]
    of_all = measured((_latency(part, kind), part.total_ios) for part in timed)
    if of_all is None:
        return None
    return DirectionSummary(
        direction=direction,
        io_count=sum(part.total_ios for part in timed),
        io_bytes=sum(part.io_bytes for part in timed),
        window_count=None,
        mean=of_all.mean_ns,
        largest=max(latency.max for latency in of_all.latencies),
        percentiles=latency_percentiles(of_all),
        windows=None,
    )


def latency_percentiles(of_all: MergedLatency) -> tuple[Value, ...]:
    """Percentiles of a latency of one job or several together, by `PERCENTS`.

    Raises:
        LogError: The bins are not fio's.
    """
    if all(latency.bins for latency in of_all.latencies):
        bins, counts = _merged(of_all.latencies)
        return bin_percentiles(bins, counts)
    if len(of_all.latencies) > 1:
        return (_NO_BINS,) * len(PERCENTS)
    allowed = highest_percentile(of_all.count)
    printed = of_all.latencies[0].percentile
    return tuple(
        TOO_FEW if allowed is None or float(percent) > float(allowed) else printed.get(float(percent), _NOT_PRINTED)
        for percent in PERCENTS
    )


def _merged(latencies: Sequence[FioLatency]) -> tuple[list[int], list[int]]:
    """Bins of all of them, in which one may occur more than once, and their counts."""
    values = [value for one in latencies for value in one.bins]
    counts = [count for one in latencies for count in one.bins.values()]
    of_middle = _bins_by_middle()
    odd = next((value for value in values if value not in of_middle), None)
    if odd is not None:
        raise LogError(message("log-odd-bin", odd=odd, bins=_core.BIN_COUNT), message("log-which-fio"))
    return [of_middle[value] for value in values], counts


@cache
def _bins_by_middle() -> dict[int, int]:
    """Asked one by one for each job of a large file they take longer than all else that is done with its numbers."""
    return {_core.bin_mid(index): index for index in range(_core.BIN_COUNT)}


@dataclass(frozen=True, slots=True)
class JsonBins:
    """A latency distribution in json+; `bins` and `counts` have one length.

    Attributes:
        kind: Which latency.
        job: Name of the job; of all jobs together where there are several.
        direction: Read, write or trim.
        iops: As fio printed it, of all jobs together.
        bins: fio's bins; one may occur more than once.
        counts: I/Os in them.
    """

    kind: LogKind
    job: str
    direction: Direction
    iops: float
    bins: list[int]
    counts: list[int]


def json_bins(path: Path) -> list[JsonBins]:
    """The distributions of completion latency of all jobs together, or of the whole latency where fio has no other.

    Raises:
        LogError: The file is not fio's JSON, or has no bins.
    """
    jobs = list(_jobs(path))
    for kind in (LogKind.COMPLETION_LATENCY, LogKind.LATENCY):
        found = [one for direction in DIRECTIONS for one in _bins_of(jobs, kind, direction)]
        if found:
            return found
    raise LogError(message("log-no-bins", path=str(path)), message("log-run-with-json-plus"))


def job_bins(path: Path) -> list[JsonBins]:
    """Every distribution of every job by itself.

    Raises:
        LogError: The file is not fio's JSON, or has no bins.
    """
    kinds = (LogKind.LATENCY, LogKind.COMPLETION_LATENCY, LogKind.SUBMISSION_LATENCY)
    found = [
        one
        for job in _jobs(path)
        for kind in kinds
        for direction in DIRECTIONS
        for one in _bins_of([job], kind, direction)
    ]
    if not found:
        raise LogError(message("log-no-bins", path=str(path)), message("log-run-with-json-plus"))
    return found


def _bins_of(jobs: Sequence[FioJob], kind: LogKind, direction: Direction) -> list[JsonBins]:
    parts = [job.part(direction) for job in jobs]
    parts = [part for part in parts if _latency(part, kind).bins]
    if not parts:
        return []
    bins, counts = _merged([_latency(part, kind) for part in parts])
    return [JsonBins(kind, jobs[0].jobname, direction, sum(part.iops or 0.0 for part in parts), bins, counts)]
