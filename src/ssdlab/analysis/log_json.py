"""fio's JSON: bins of all jobs and files are merged (json+), percentiles that fio printed are only repeated (json)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel, Field, ValidationError

from ssdlab import _core
from ssdlab.analysis.log import (
    DIRECTIONS,
    PERCENTS,
    TOO_FEW,
    DirectionSummary,
    LogSummary,
    Precision,
    Value,
    bin_percentiles,
)
from ssdlab.analysis.log_file import Form, LogError, LogKind, explained
from ssdlab.analysis.percentile import highest_percentile
from ssdlab.engine.fio_output import split_output
from ssdlab.engine.result import Direction
from ssdlab.unknown import Unknown

_NO_BINS = Unknown("percentiles of several jobs cannot be made from theirs: run fio with --output-format=json+")
_NOT_PRINTED = Unknown("fio did not print it: run fio with --output-format=json+")


class _Latency(BaseModel):
    min: int = 0
    max: int = 0
    mean: float = 0.0
    count: int | None = Field(default=None, alias="N")
    bins: dict[int, int] = Field(default_factory=dict)
    percentile: dict[str, int] = Field(default_factory=dict)


class _Direction(BaseModel):
    io_bytes: int = 0
    iops: float = 0.0
    total_ios: int = 0
    lat_ns: _Latency = Field(default_factory=_Latency)
    clat_ns: _Latency = Field(default_factory=_Latency)
    slat_ns: _Latency = Field(default_factory=_Latency)

    def latency(self, kind: LogKind) -> _Latency:
        match kind:
            case LogKind.SUBMISSION_LATENCY:
                return self.slat_ns
            case LogKind.COMPLETION_LATENCY:
                return self.clat_ns
            case _:
                return self.lat_ns

    def samples(self, kind: LogKind) -> int:
        """I/Os with this latency; fio writes 0 for all of a latency that it did not measure."""
        latency = self.latency(kind)
        if latency.count is not None:
            return latency.count
        return self.total_ios if latency.max else 0


class _Job(BaseModel):
    name: str = Field(default="", alias="jobname")
    read: _Direction = Field(default_factory=_Direction)
    write: _Direction = Field(default_factory=_Direction)
    trim: _Direction = Field(default_factory=_Direction)

    def part(self, direction: Direction) -> _Direction:
        match direction:
            case Direction.READ:
                return self.read
            case Direction.WRITE:
                return self.write
            case Direction.TRIM:
                return self.trim


class _Output(BaseModel):
    jobs: tuple[_Job, ...]


def summarise_json(paths: list[Path]) -> list[LogSummary]:
    """Summarise all jobs of all files, one summary a latency that fio measured.

    Raises:
        LogError: A file is not fio's JSON.
    """
    jobs = [job for path in paths for job in _jobs(path)]
    summaries = []
    for kind in (LogKind.LATENCY, LogKind.COMPLETION_LATENCY, LogKind.SUBMISSION_LATENCY):
        parts = [(one, [job.part(one) for job in jobs if job.part(one).samples(kind)]) for one in DIRECTIONS]
        measured = tuple(_direction(kind, one, with_any) for one, with_any in parts if with_any)
        if measured:
            names = tuple(str(path) for path in paths)
            summaries.append(LogSummary(kind, Form.JSON, Precision.BINS, names, measured, ()))
    return summaries


def _jobs(path: Path) -> Iterable[_Job]:
    with explained(path):
        content = _core.read_fio_file(path)
    text, _ = split_output(content)
    try:
        return _Output.model_validate_json(text or content).jobs
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the document"
        raise LogError(f"`{path}` is not fio's JSON: {where}: {first['msg']}") from error


def _direction(kind: LogKind, direction: Direction, parts: list[_Direction]) -> DirectionSummary:
    latencies = [part.latency(kind) for part in parts]
    samples = [part.samples(kind) for part in parts]
    total = sum(samples)
    return DirectionSummary(
        direction=direction,
        io_count=sum(part.total_ios for part in parts),
        io_bytes=sum(part.io_bytes for part in parts),
        window_count=None,
        mean=sum(one.mean * count for one, count in zip(latencies, samples, strict=True)) / total,
        largest=max(one.max for one in latencies),
        percentiles=latency_percentiles(latencies, total),
        windows=None,
    )


class Latency(Protocol):
    """What fio prints of one latency."""

    bins: dict[int, int]

    @property
    def percentile(self) -> Mapping[str, int] | Mapping[float, int]:
        """Those fio printed, by per cent."""


def latency_percentiles(latencies: Sequence[Latency], total: int) -> tuple[Value, ...]:
    """Percentiles of a latency of one job or several together, by `PERCENTS`.

    Raises:
        LogError: The bins are not fio's.
    """
    if all(one.bins for one in latencies):
        bins, counts = _merged(latencies)
        return bin_percentiles(bins, counts)
    if len(latencies) > 1:
        return (_NO_BINS,) * len(PERCENTS)
    allowed = highest_percentile(total)
    printed = {float(share): value for share, value in latencies[0].percentile.items()}
    return tuple(
        TOO_FEW if allowed is None or float(percent) > float(allowed) else printed.get(float(percent), _NOT_PRINTED)
        for percent in PERCENTS
    )


def _merged(latencies: Sequence[Latency]) -> tuple[list[int], list[int]]:
    """Bins of all of them, in which one may occur more than once, and their counts."""
    values = [value for one in latencies for value in one.bins]
    counts = [count for one in latencies for count in one.bins.values()]
    bins = [_core.bin_index(value) for value in values]
    odd = next((value for value, index in zip(values, bins, strict=True) if _core.bin_mid(index) != value), None)
    if odd is not None:
        raise LogError(
            f"{odd} ns is not the middle of one of fio's {_core.BIN_COUNT} bins", "which fio wrote this JSON?"
        )
    return bins, counts


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
    raise LogError(f"`{path}` has no bins", "run fio with --output-format=json+")


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
        raise LogError(f"`{path}` has no bins", "run fio with --output-format=json+")
    return found


def _bins_of(jobs: list[_Job], kind: LogKind, direction: Direction) -> list[JsonBins]:
    parts = [job.part(direction) for job in jobs]
    parts = [part for part in parts if part.latency(kind).bins]
    if not parts:
        return []
    bins, counts = _merged([part.latency(kind) for part in parts])
    return [JsonBins(kind, jobs[0].name, direction, sum(part.iops for part in parts), bins, counts)]
