"""What finished passes of a fill leave behind, consistent in every count, from series with known levels."""

from dataclasses import replace

import numpy as np
from tests.kit.synthetic_fill import BLOCK_BYTES, IN_FLIGHT_BYTES

from ssdlab import _core
from ssdlab.analysis.evidence import StepEvidence
from ssdlab.bundle.dotted_names import point_of_name
from ssdlab.bundle.model import (
    SCHEMA_VERSION,
    DirectionTotals,
    HostFacts,
    LatencyStats,
    RunInfo,
    Step,
    StepResult,
    StepStatus,
    SuiteText,
)
from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.engine.result import (
    CpuUse,
    Direction,
    DirectionResult,
    Histogram,
    LatencyKind,
    RawResult,
    Series,
)
from ssdlab.job import DriveState, Job, Pattern, Region, StepKind
from ssdlab.message import verbatim
from ssdlab.units import GIB

OVERHEAD_NS = 400_000_000
"""What a step takes beyond its job."""


def run_info(capacity_bytes: int) -> RunInfo:
    return RunInfo(
        schema=SCHEMA_VERSION,
        started_at="2026-01-20T09:30:00+00:00",
        drive=DriveIdentity(
            target="virtual:test",
            model="Test",
            serial="1",
            firmware="1",
            capacity_bytes=capacity_bytes,
            logical_block_bytes=512,
            indirection_unit_bytes=4096,
            description=verbatim(""),
            purge_leaves=Freshness.FRESH,
            memory=Memory.KEEPS,
        ),
        host=HostFacts(hostname="h", kernel="6", os="Debian", cpu="cpu", cpu_count=8, memory_bytes=GIB),
        suite=SuiteText(name="fill", version="1", text="", sha256=""),
        profile="standard",
        comparable=True,
        seed=1,
        engine="fio-3.41",
        ssdlab_version="0.1.0",
    )


def written_bytes(series: Series) -> int:
    """What the series adds up to, in whole blocks."""
    return round(float(series.bytes_done[-1]) / BLOCK_BYTES) * BLOCK_BYTES


def fill_job(name: str, series: Series) -> Job:
    amount_bytes = written_bytes(series)
    return Job(
        name=name,
        pattern=Pattern.SEQUENTIAL,
        read_percent=0,
        block_bytes=BLOCK_BYTES,
        queue_depth=IN_FLIGHT_BYTES // BLOCK_BYTES,
        region=Region(0, amount_bytes),
        amount_bytes=amount_bytes,
        duration_ns=None,
        seed=1,
    )


def histogram_of(series: Series, count: int) -> Histogram:
    """All I/Os of a window have its mean latency."""
    known = np.isfinite(series.latency_ns_mean) & (series.iops > 0)
    weights = (series.iops * series.duration_ns)[known]
    counts = np.floor(weights / weights.sum() * count).astype(np.int64)
    counts[0] += count - counts.sum()
    latency = series.latency_ns_mean[known]
    bins = np.array([_core.bin_index(int(value)) for value in latency])
    indices = np.unique(bins)
    return Histogram(
        bin_index=indices,
        count=np.array([counts[bins == index].sum() for index in indices], dtype=np.int64),
        mean_ns=float(np.average(latency, weights=counts)),
        min_ns=int(latency.min()),
        max_ns=int(latency.max()),
        stddev_ns=float(latency.std()),
    )


def fill_result(job: Job, series: Series) -> RawResult:
    count = written_bytes(series) // BLOCK_BYTES
    histogram = histogram_of(series, count)
    runtime_ns = int(series.time_ns[-1])
    return RawResult(
        job=job,
        engine="fio-3.41",
        elapsed_ns=runtime_ns,
        directions={
            Direction.WRITE: DirectionResult(
                io_count=count,
                io_bytes=count * BLOCK_BYTES,
                short_ios=0,
                runtime_ns=runtime_ns,
                logged_bytes=count * BLOCK_BYTES,
                latency={LatencyKind.CLAT: histogram, LatencyKind.LAT: histogram},
                series=series,
            )
        },
        error_count=0,
        dropped=(),
        cpu=CpuUse(5.0, 20.0),
    )


def fill_step(index: int, name: str, series: Series, state: DriveState = DriveState.FOB) -> Step:
    return Step(
        index=index,
        name=name,
        group=name.partition(".")[0],
        point=point_of_name(name),
        kind=StepKind.FILL,
        status=StepStatus.FINISHED,
        state=state,
        job=fill_job(name, series),
        rest_ns=0,
        started_ns=0,
        ended_ns=int(series.time_ns[-1]) + OVERHEAD_NS,
        reason=None,
    )


def evidence_of_fill(series: Series, name: str = "fill.pass1", state: DriveState = DriveState.FOB) -> StepEvidence:
    """One pass that went well."""
    step = fill_step(1, name, series, state)
    assert step.job is not None
    raw = fill_result(step.job, series)
    written = raw.directions[Direction.WRITE]
    histogram = written.latency[LatencyKind.LAT]
    stats = LatencyStats(
        mean_ns=histogram.mean_ns, min_ns=histogram.min_ns, max_ns=histogram.max_ns, stddev_ns=histogram.stddev_ns
    )
    totals = DirectionTotals(
        io_count=written.io_count,
        io_bytes=written.io_bytes,
        short_ios=0,
        runtime_ns=written.runtime_ns,
        logged_bytes=written.logged_bytes,
        latency={LatencyKind.CLAT: stats, LatencyKind.LAT: stats},
    )
    return StepEvidence(
        run=run_info(written.io_bytes),
        step=step,
        job=step.job,
        result=StepResult(
            engine=raw.engine,
            elapsed_ns=raw.elapsed_ns,
            error_count=0,
            directions={Direction.WRITE: totals},
            dropped=(),
            notes=(),
            cpu_user_percent=5.0,
            cpu_system_percent=20.0,
            standstills=(),
            timed=raw.timed,
        ),
        series={Direction.WRITE: series},
        latency={Direction.WRITE: dict(written.latency)},
    )


def with_totals(evidence: StepEvidence, **changes: object) -> StepEvidence:
    """The same with other scalars of its writes."""
    totals = replace(evidence.result.directions[Direction.WRITE], **changes)  # type: ignore[arg-type]
    return with_result(evidence, directions={Direction.WRITE: totals})


def with_result(evidence: StepEvidence, **changes: object) -> StepEvidence:
    """The same with another result."""
    return replace(evidence, result=replace(evidence.result, **changes))  # type: ignore[arg-type]
