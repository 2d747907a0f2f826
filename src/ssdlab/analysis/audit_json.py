"""fio's JSON as the audit reads it: options, totals and latencies of every job, whoever ran it."""

from itertools import groupby

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ssdlab.engine.fio_output import split_output
from ssdlab.engine.fio_series import FioOutputError


class JsonLatency(BaseModel):
    """One latency of one direction; fio writes zeros where it did not measure it."""

    min: int = 0
    max: int = 0
    mean: float = 0.0
    stddev: float = 0.0
    count: int | None = Field(default=None, alias="N")
    bins: dict[int, int] = Field(default_factory=dict)
    percentile: dict[float, int] = Field(default_factory=dict)

    def samples(self, io_count: int) -> int:
        """I/Os it was measured of; older versions of fio do not print their number."""
        if self.count is not None:
            return self.count
        return io_count if self.max else 0


class JsonDirection(BaseModel):
    """Totals of one direction."""

    io_bytes: int = 0
    total_ios: int = 0
    short_ios: int = 0
    drop_ios: int = 0
    runtime: int = 0
    bw_bytes: int | None = None
    iops: float | None = None
    slat_ns: JsonLatency = Field(default_factory=JsonLatency)
    clat_ns: JsonLatency = Field(default_factory=JsonLatency)
    lat_ns: JsonLatency = Field(default_factory=JsonLatency)


class JsonSteady(BaseModel):
    """What fio says of its own steady state."""

    attained: int = 0
    criterion: str | float = ""


class JsonJob(BaseModel):
    """One entry of `jobs`: a job, or under `group_reporting` a group of them."""

    model_config = ConfigDict(populate_by_name=True)

    jobname: str = ""
    groupid: int = 0
    error: int = 0
    total_errors: int = Field(default=0, alias="total_err")
    elapsed: int | None = None
    job_runtime: int | None = None
    usr_cpu: float | None = None
    sys_cpu: float | None = None
    options: dict[str, str] | None = Field(default=None, alias="job options")
    read: JsonDirection = Field(default_factory=JsonDirection)
    write: JsonDirection = Field(default_factory=JsonDirection)
    trim: JsonDirection = Field(default_factory=JsonDirection)
    steadystate: JsonSteady | None = None


class JsonDisk(BaseModel):
    """What the kernel counted for a device from fio's start to its end, ramp included; older versions print no sectors."""

    name: str
    read_ios: int = 0
    write_ios: int = 0
    read_merges: int = 0
    write_merges: int = 0
    read_sectors: int | None = None
    write_sectors: int | None = None


class FioReport(BaseModel):
    """A whole file."""

    version: str = Field(alias="fio version")
    timestamp_ms: int | None = None
    global_options: dict[str, str] = Field(default_factory=dict, alias="global options")
    jobs: tuple[JsonJob, ...] = Field(min_length=1)
    disks: tuple[JsonDisk, ...] = Field(default=(), alias="disk_util")

    def options_of(self, job: JsonJob) -> dict[str, str] | None:
        """All options of a job; None where fio printed none."""
        return None if job.options is None else self.global_options | job.options

    def groups(self) -> tuple[tuple[JsonJob, ...], ...]:
        """Entries that are copies of one job (`numjobs` without `group_reporting`) together, in the order of the file."""

        def job_of(entry: JsonJob) -> tuple[int, str]:
            return entry.groupid, entry.jobname

        return tuple(tuple(entries) for _, entries in groupby(self.jobs, job_of))


def read_report(content: bytes) -> FioReport:
    """Read fio's JSON, also with lines that fio printed before it.

    Raises:
        FioOutputError: It is no JSON of a fio that prints latencies in nanoseconds (3.0 or newer).
    """
    json_text, _ = split_output(content)
    try:
        return FioReport.model_validate_json(json_text or content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the document"
        raise FioOutputError(
            f"this is not fio's JSON: {where}: {first['msg']}", "run fio with --output-format=json+"
        ) from error


def without_bins(report: FioReport) -> FioReport:
    """The same without latency bins and percentiles: those of a whole run take more memory than all else."""
    jobs = tuple(
        job.model_copy(update={name: _light(getattr(job, name)) for name in ("read", "write", "trim")})
        for job in report.jobs
    )
    return report.model_copy(update={"jobs": jobs})


def _light(part: JsonDirection) -> JsonDirection:
    kinds = ("slat_ns", "clat_ns", "lat_ns")
    light = {name: getattr(part, name).model_copy(update={"bins": {}, "percentile": {}}) for name in kinds}
    return part.model_copy(update=light)
