"""fio's JSON, whoever ran fio: a document, its jobs, what each direction of a job did, and how long that took.

Every field but the jobs may be missing, as versions of fio differ; a reader that cannot do without one asks for it itself.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, GetPydanticSchema, ValidationError

from ssdlab.engine.result import Direction
from ssdlab.units import NS_PER_MS

_Nanoseconds = Annotated[int, Field(ge=0, le=2**63 - 1)]
_Count = Annotated[int, Field(ge=0, le=2**48)]
"""A million I/Os a second for nine years; the sum of all bins is far from overflowing."""
_Bytes = Annotated[int, Field(ge=0, le=2**63 - 1)]
_Whole = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]
"""What fio counts in; longer numbers are damage, with which nothing can be computed."""
_Rate = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class DocumentError(Exception):
    """This is no JSON of fio; the text says where, and what is wrong there."""


class FioLatency(BaseModel):
    """One latency of one direction; fio writes zeros where it did not measure it."""

    min: _Whole = 0
    max: _Nanoseconds = 0
    mean: _Rate = 0.0
    stddev: float = 0.0
    count: _Count | None = Field(default=None, alias="N")
    bins: dict[_Nanoseconds, _Count] = Field(default_factory=dict)
    percentile: dict[float, _Nanoseconds] = Field(default_factory=dict)

    def samples(self, io_count: int) -> int:
        """I/Os it was measured of; older versions of fio do not print their number."""
        if self.count is not None:
            return self.count
        return io_count if self.max else 0


class FioDirection(BaseModel):
    """What one direction of a job did."""

    io_bytes: _Bytes = 0
    total_ios: _Count = 0
    short_ios: _Count = 0
    drop_ios: _Count = 0
    runtime: _Count = 0
    bw_bytes: _Bytes | None = None
    iops: _Rate | None = None
    slat_ns: FioLatency = Field(default_factory=FioLatency)
    clat_ns: FioLatency = Field(default_factory=FioLatency)
    lat_ns: FioLatency = Field(default_factory=FioLatency)


class FioSteady(BaseModel):
    """What fio says of its own steady state."""

    attained: _Whole = 0
    criterion: str | float = ""


class FioFlushes(BaseModel):
    """What the flushes of a job took."""

    lat_ns: FioLatency = Field(default_factory=FioLatency)
    total_ios: _Count = 0


class FioJob(BaseModel):
    """One entry of `jobs`: a job, or under `group_reporting` a group of them."""

    model_config = ConfigDict(populate_by_name=True)

    jobname: str = ""
    groupid: _Whole = 0
    error: _Whole = 0
    total_errors: _Whole = Field(default=0, alias="total_err")
    elapsed: _Count | None = None
    job_runtime: _Count | None = None
    usr_cpu: float | None = None
    sys_cpu: float | None = None
    options: dict[str, str] | None = Field(default=None, alias="job options")
    read: FioDirection = Field(default_factory=FioDirection)
    write: FioDirection = Field(default_factory=FioDirection)
    trim: FioDirection = Field(default_factory=FioDirection)
    mixed: FioDirection | None = None
    """All directions as one, with `unified_rw_reporting`."""
    steadystate: FioSteady | None = None
    job_start: _Whole | None = None
    """Wall clock in ms when the job began; not every fio tells it."""
    sync: FioFlushes | None = None

    def part(self, direction: Direction) -> FioDirection:
        """What it did in one direction."""
        match direction:
            case Direction.READ:
                return self.read
            case Direction.WRITE:
                return self.write
            case Direction.TRIM:
                return self.trim

    @property
    def io_count(self) -> int:
        """I/Os of all directions."""
        return sum(self.part(direction).total_ios for direction in Direction) or (
            0 if self.mixed is None else self.mixed.total_ios
        )

    @property
    def runtime_ns(self) -> int:
        """Of the direction that was busy longest."""
        mixed_ms = 0 if self.mixed is None else self.mixed.runtime
        return max(mixed_ms, *(self.part(direction).runtime for direction in Direction)) * NS_PER_MS


class KnownJobs(Sequence[FioJob]):
    """Jobs that are read whenever they are asked for, and of which their groups and names are known without."""

    keys: Sequence[tuple[int, str]]
    """Group and name of each."""


class FioDisk(BaseModel):
    """What the kernel counted for a device from fio's start to its end, ramp included; older versions print no sectors."""

    name: str
    read_ios: _Whole = 0
    write_ios: _Whole = 0
    read_merges: _Whole = 0
    write_merges: _Whole = 0
    read_sectors: _Whole | None = None
    write_sectors: _Whole | None = None


class FioDocument(BaseModel):
    """All that one fio wrote at its end."""

    model_config = ConfigDict(populate_by_name=True)

    version: str = Field(default="", alias="fio version")
    """Empty where it is missing, with which only the reading of distributions is content."""
    timestamp_ms: _Whole | None = None
    """Wall clock when all jobs were over and their logs written."""
    global_options: dict[str, str] = Field(default_factory=dict, alias="global options")
    jobs: Annotated[Sequence[FioJob], GetPydanticSchema(lambda _, schema: schema(tuple[FioJob, ...]))]
    disks: tuple[FioDisk, ...] = Field(default=(), alias="disk_util")

    def options_of(self, job: FioJob) -> dict[str, str] | None:
        """All options of a job; None where fio printed none."""
        return None if job.options is None else self.global_options | job.options

    def groups(self) -> tuple[Sequence[FioJob], ...]:
        """Entries that are copies of one job (`numjobs` without `group_reporting`) together, in the order of the file."""
        ends = accumulate((len(tuple(same)) for _, same in groupby(self._keys())), initial=0)
        return tuple(self.jobs[begin:end] for begin, end in pairwise(ends))

    def names(self) -> list[str]:
        """Of the jobs of `groups`."""
        return [name for (_, name), _ in groupby(self._keys())]

    def _keys(self) -> Sequence[tuple[int, str]]:
        if isinstance(self.jobs, KnownJobs):
            return self.jobs.keys
        return [(entry.groupid, entry.jobname) for entry in self.jobs]

    def without_bins(self) -> "FioDocument":
        """The same without latency bins and percentiles: those of a whole run take more memory than all else."""
        jobs = tuple(
            job.model_copy(update={one.value: _without_bins(job.part(one)) for one in Direction}) for job in self.jobs
        )
        return self.model_copy(update={"jobs": jobs})


def _without_bins(part: FioDirection) -> FioDirection:
    kinds = {"slat_ns": part.slat_ns, "clat_ns": part.clat_ns, "lat_ns": part.lat_ns}
    nothing: dict[str, object] = {"bins": {}, "percentile": {}}
    return part.model_copy(update={name: kind.model_copy(update=nothing) for name, kind in kinds.items()})


def split_output(output: bytes) -> tuple[bytes, tuple[str, ...]]:
    """fio's JSON as fio wrote it, and the lines it printed before it into the same file."""
    start = output.find(b"{\n")
    if start < 0:
        return b"", tuple(output.decode(errors="replace").splitlines())
    return output[start:], tuple(line for line in output[:start].decode(errors="replace").splitlines() if line.strip())


def parse_document(json_text: bytes) -> FioDocument:
    """A document by itself.

    Raises:
        DocumentError: It is none.
    """
    try:
        return FioDocument.model_validate_json(json_text)
    except ValidationError as error:
        raise document_error(error) from error


def document_error(error: ValidationError) -> DocumentError:
    """What is wrong first, and where."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "the document"
    return DocumentError(f"{where}: {first['msg']}")


@dataclass(frozen=True, slots=True)
class MergedLatency:
    """One latency of several jobs together; bins and percentiles stay those of each job.

    Attributes:
        latencies: Of the jobs that measured it.
        count: I/Os it was measured of.
        mean_ns: Of all these.
    """

    latencies: tuple[FioLatency, ...]
    count: int
    mean_ns: float


def measured(latencies: Iterable[tuple[FioLatency, int]]) -> MergedLatency | None:
    """The latencies of several jobs, each with the job's number of I/Os; None where no job measured it."""
    counted = [(latency, count) for latency, io_count in latencies if (count := latency.samples(io_count))]
    total = sum(count for _, count in counted)
    if not total:
        return None
    mean_ns = sum(latency.mean * count for latency, count in counted) / total
    return MergedLatency(tuple(latency for latency, _ in counted), total, mean_ns)
