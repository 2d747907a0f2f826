"""From a finished step of a run to what the audit looks at."""

from dataclasses import replace

from ssdlab.analysis.audit.facts import (
    AmountScale,
    Attained,
    DirectionFacts,
    Facts,
    JobTimes,
    LatencyFacts,
    Origin,
    OwnLoad,
    OwnWriter,
    RateAim,
    Rates,
    SteadyClaim,
    VirtualTime,
    Windows,
)
from ssdlab.analysis.audit.sensed import sensed_of
from ssdlab.analysis.audit.setup import EngineSetup, Flag, Flushes, HostCache, setup_of_job, setup_of_options
from ssdlab.analysis.evidence import StepEvidence
from ssdlab.bundle.model import LatencyStats, Step, StepResult
from ssdlab.engine.fio.binary import FioVersion, version_of
from ssdlab.engine.fio.document import FioDirection, FioJob, measured
from ssdlab.engine.result import Direction, Histogram, Series, job_of
from ssdlab.job import Job
from ssdlab.message import message
from ssdlab.method.sustain import NAME as SUSTAIN
from ssdlab.point import CoordinateAxis
from ssdlab.units import NS_PER_MS, NS_PER_S
from ssdlab.unknown import Unknown

_NO_JSON = Unknown(message("audit-no-json"))
_NO_TIME = Unknown(message("audit-nothing-over-time"))


def facts_of(evidence: StepEvidence) -> Facts:
    """What is known of a step, from its result and from fio's own JSON where the bundle has it."""
    result, step = evidence.result, evidence.step
    engine = engine_of(result.engine)
    entry = _NO_JSON if isinstance(evidence.fio, Unknown) else evidence.fio.jobs[0]
    directions = {one: _direction(evidence, one, entry) for one in result.directions}
    user, system = result.cpu_user_percent, result.cpu_system_percent
    return Facts(
        subject=step.name,
        origin=Origin.LAB,
        engine=engine,
        setup=_setup(evidence),
        asked=evidence.job,
        purpose=step.kind,
        scale=AmountScale.FULL if evidence.run.comparable else AmountScale.SCALED_DOWN,
        logical_block_bytes=evidence.run.drive.logical_block_bytes,
        directions={one: facts for one, facts in directions.items() if job_of(evidence.job, one) is evidence.job},
        error_count=result.error_count,
        dropped=result.dropped,
        busy_percent=Unknown(message("audit-no-processor-time")) if user is None or system is None else user + system,
        cpu_count=evidence.run.host.cpu_count or Unknown(message("audit-cores-unsaid")),
        elapsed_ns=result.elapsed_ns,
        outside_ns=_outside_ns(step, result),
        on_ns=_NO_JSON if isinstance(entry, Unknown) else time_on((entry,), _jobs_of(evidence.job)),
        job_times=_NO_JSON if isinstance(entry, Unknown) else job_times((entry,), _jobs_of(evidence.job)),
        device=result.device,
        sensed=sensed_of(evidence),
        steady=None if isinstance(entry, Unknown) else steady_claim(entry, _setup(evidence)),
        stopped=result.stopped,
        point_end=result.point_end,
        before=evidence.before,
        fio_flushes=_NO_JSON if isinstance(entry, Unknown) else flushes_of((entry,)),
        beside={one: facts for one, facts in directions.items() if job_of(evidence.job, one) is not evidence.job},
        standstills=result.standstills,
        punctuality=result.punctuality,
        gap_ns=result.gap_ns,
        host=evidence.host,
        rate_aim=RateAim.KEPT if step.point.value(CoordinateAxis.OFFERED) is None else RateAim.SOUGHT,
        issued=result.issued,
    )


def _outside_ns(step: Step, result: StepResult) -> int | Unknown:
    """From its line in the journal, or from its first I/O where that came before the line, to its end."""
    if step.started_ns is None or step.ended_ns is None:
        return Unknown(message("audit-clock-unrecorded"))
    began_ns = step.started_ns if isinstance(result.began_ns, Unknown) else min(step.started_ns, result.began_ns)
    return step.ended_ns - began_ns


def engine_of(name: str) -> FioVersion | VirtualTime | OwnWriter | OwnLoad | Unknown:
    """What did the I/O, from its name in a result."""
    if name.startswith(f"{SUSTAIN}-"):
        return OwnWriter(name)
    if name.startswith("model-"):
        return VirtualTime(name)
    if name.startswith("load-"):
        return OwnLoad(name)
    return version_of(name) or Unknown(message("audit-engine-unknown", engine=name))


def _setup(evidence: StepEvidence) -> EngineSetup:
    """fio's own word for what it was asked, because that is what was done; else the plan's."""
    if not isinstance(evidence.fio, Unknown):
        options = evidence.fio.options_of(evidence.fio.jobs[0])
        if options is not None:
            return setup_of_options(options, Flag.OFF, evidence.job.jobs)
    if isinstance(engine_of(evidence.result.engine), OwnWriter):
        # ssdlab's own writer: one call after the other, the last one of a record with a flush in its time.
        flushes = Flushes.NONE if evidence.job.read_percent else Flushes.WITH_WRITES
        return replace(setup_of_job(evidence.job, "psync"), sqpoll=Flag.OFF, flushes=flushes)
    if isinstance(engine_of(evidence.result.engine), OwnLoad):
        behind_nbd = "ioengine=io_uring" in {dropped.option for dropped in evidence.result.dropped}
        if behind_nbd:
            return setup_of_job(evidence.job, "nbd")
        # It opens drives of this host for direct I/O only.
        return replace(setup_of_job(evidence.job, "io_uring"), host_cache=HostCache.BYPASSED)
    polled = "sqthread_poll" not in {one.option for one in evidence.result.dropped}
    virtual = evidence.result.engine.startswith("model-")
    setup = setup_of_job(evidence.job, "model" if virtual else "io_uring")
    return replace(setup, sqpoll=Flag.ON if polled and not virtual else Flag.OFF)


def _direction(evidence: StepEvidence, direction: Direction, entry: FioJob | Unknown) -> DirectionFacts:
    totals, bins = evidence.result.directions[direction], evidence.latency[direction]
    part = entry if isinstance(entry, Unknown) else entry.part(direction)
    return DirectionFacts(
        io_count=totals.io_count,
        io_bytes=totals.io_bytes,
        short_ios=totals.short_ios,
        runtime_ns=totals.runtime_ns,
        logged_bytes=totals.logged_bytes,
        latency={kind: _latency(stats, bins[kind]) for kind, stats in totals.latency.items()},
        submission=part if isinstance(part, Unknown) else submission_of((part,)),
        windows=_windows(evidence.series[direction]) if totals.runtime_ns else _NO_TIME,
        rates=part if isinstance(part, Unknown) else rates_of(part),
    )


def _latency(stats: LatencyStats, histogram: Histogram) -> LatencyFacts:
    return LatencyFacts(
        count=histogram.total,
        mean_ns=stats.mean_ns,
        min_ns=stats.min_ns,
        max_ns=stats.max_ns,
        histogram=histogram,
        percentile_ns={},
    )


def _windows(series: Series) -> Windows:
    return Windows(series.window_ns, series.time_ns, series.bandwidth_bytes_per_s * series.duration_ns / NS_PER_S)


def submission_of(parts: tuple[FioDirection, ...]) -> LatencyFacts | Unknown:
    """Submission latency of one direction over all jobs."""
    of_all = measured((part.slat_ns, part.total_ios) for part in parts)
    if of_all is None:
        return Unknown(message("audit-no-submission-latency"))
    return LatencyFacts(
        count=of_all.count,
        mean_ns=of_all.mean_ns,
        min_ns=min(latency.min for latency in of_all.latencies),
        max_ns=max(latency.max for latency in of_all.latencies),
        histogram=Unknown(message("audit-no-bins-of-submission")),
        percentile_ns={},
    )


def rates_of(part: FioDirection) -> Rates | Unknown:
    """Bandwidth and IOPS as fio printed them."""
    if part.bw_bytes is None or part.iops is None:
        return Unknown(message("audit-no-rates-in-bytes"))
    return Rates(part.bw_bytes, part.iops)


def _jobs_of(job: Job) -> int:
    return job.jobs + len(job.beside)


def time_on(entries: tuple[FioJob, ...], jobs: int) -> int | Unknown:
    """How long each job was on, on the mean: of a group, fio prints the sum."""
    times_ms = [entry.job_runtime for entry in entries if entry.job_runtime is not None]
    if len(times_ms) < len(entries):
        return Unknown(message("audit-no-job-runtime"))
    return sum(times_ms) * NS_PER_MS // jobs


def job_times(entries: tuple[FioJob, ...], jobs: int) -> JobTimes | Unknown:
    """How long the jobs of a group ran, on the mean and at the longest.

    Of a group, fio prints the sum of all jobs' times, and beside it the longest time of a direction.
    """
    if jobs < 2:
        return Unknown(message("audit-one-job"))
    runtimes = [entry.job_runtime for entry in entries if entry.job_runtime is not None]
    longest_ns = max(entry.runtime_ns for entry in entries)
    if len(runtimes) < len(entries) or not longest_ns:
        return Unknown(message("audit-no-time-of-jobs"))
    return JobTimes(sum(runtimes) * NS_PER_MS / jobs, longest_ns)


def flushes_of(entries: tuple[FioJob, ...]) -> int:
    """Flushes that fio counted; it prints none where it sent none."""
    return sum(0 if entry.sync is None else entry.sync.total_ios for entry in entries)


def steady_claim(entry: FioJob, setup: EngineSetup | Unknown) -> SteadyClaim | None:
    """What fio's own steady state came to."""
    if entry.steadystate is None:
        return None
    samples = None if isinstance(setup, Unknown) else setup.steady_window_samples
    return SteadyClaim(
        Attained.YES if entry.steadystate.attained else Attained.NO, samples or Unknown(message("audit-no-window"))
    )
