"""From a finished step of a run to what the audit looks at."""

from dataclasses import replace

from ssdlab.analysis.audit_facts import (
    Attained,
    DirectionFacts,
    Facts,
    JobTimes,
    LatencyFacts,
    Origin,
    OwnWriter,
    Rates,
    Scale,
    SteadyClaim,
    VirtualTime,
    Windows,
)
from ssdlab.analysis.audit_json import JsonDirection, JsonJob
from ssdlab.analysis.audit_setup import Flag, Flushes, Setup, setup_of_job, setup_of_options
from ssdlab.analysis.evidence import Evidence
from ssdlab.analysis.sensed import sensed_of
from ssdlab.bundle.model import LatencyStats
from ssdlab.engine.fio_binary import FioVersion, version_of
from ssdlab.engine.result import Direction, Histogram, Series, job_of
from ssdlab.job import Job
from ssdlab.method.sustain import NAME as SUSTAIN
from ssdlab.units import NS_PER_MS, NS_PER_S
from ssdlab.unknown import Unknown

_NO_JSON = Unknown("there is no JSON of fio")
_NO_TIME = Unknown("the job took no time, so nothing of it is seen over time")


def facts_of(evidence: Evidence) -> Facts:
    """What is known of a step, from its result and from fio's own JSON where the bundle has it."""
    result, step = evidence.result, evidence.step
    engine = engine_of(result.engine)
    entry = _NO_JSON if isinstance(evidence.fio, Unknown) else evidence.fio.jobs[0]
    directions = {one: _direction(evidence, one, entry) for one in result.directions}
    clocked = step.started_ns is not None and step.ended_ns is not None
    user, system = result.cpu_user_percent, result.cpu_system_percent
    return Facts(
        subject=step.name,
        origin=Origin.LAB,
        engine=engine,
        setup=_setup(evidence),
        asked=evidence.job,
        purpose=step.kind,
        scale=Scale.FULL if evidence.run.comparable else Scale.SCALED_DOWN,
        logical_block_bytes=evidence.run.drive.logical_block_bytes,
        directions={one: facts for one, facts in directions.items() if job_of(evidence.job, one) is evidence.job},
        error_count=result.error_count,
        dropped=result.dropped,
        busy_percent=Unknown("the engine reports no processor time")
        if user is None or system is None
        else user + system,
        cpu_count=evidence.run.host.cpu_count or Unknown("the host does not say how many cores it has"),
        elapsed_ns=result.elapsed_ns,
        outside_ns=(step.ended_ns or 0) - (step.started_ns or 0)
        if clocked
        else Unknown("the run's clock was not recorded"),
        on_ns=_NO_JSON if isinstance(entry, Unknown) else time_on((entry,), _jobs_of(evidence.job)),
        job_times=_NO_JSON if isinstance(entry, Unknown) else job_times((entry,), _jobs_of(evidence.job)),
        device=result.device,
        sensed=sensed_of(evidence),
        steady=None if isinstance(entry, Unknown) else steady_claim(entry, _setup(evidence)),
        stopped=result.stopped,
        beside={one: facts for one, facts in directions.items() if job_of(evidence.job, one) is not evidence.job},
        host=evidence.host,
    )


def engine_of(name: str) -> FioVersion | VirtualTime | OwnWriter | Unknown:
    """What did the I/O, from its name in a result."""
    if name.startswith(f"{SUSTAIN}-"):
        return OwnWriter(name)
    if name.startswith("model-"):
        return VirtualTime(name)
    return version_of(name) or Unknown(f"engine `{name}` is not known")


def _setup(evidence: Evidence) -> Setup:
    """fio's own word for what it was asked, because that is what was done; else the plan's."""
    if not isinstance(evidence.fio, Unknown):
        options = evidence.fio.options_of(evidence.fio.jobs[0])
        if options is not None:
            return setup_of_options(options, Flag.OFF, evidence.job.jobs)
    if isinstance(engine_of(evidence.result.engine), OwnWriter):
        # ssdlab's own writer: one call after the other, the last one of a record with a flush in its time.
        flushes = Flushes.NONE if evidence.job.read_percent else Flushes.WITH_WRITES
        return replace(setup_of_job(evidence.job, "psync"), sqpoll=Flag.OFF, flushes=flushes)
    polled = "sqthread_poll" not in {one.option for one in evidence.result.dropped}
    virtual = evidence.result.engine.startswith("model-")
    setup = setup_of_job(evidence.job, "model" if virtual else "io_uring")
    return replace(setup, sqpoll=Flag.ON if polled and not virtual else Flag.OFF)


def _direction(evidence: Evidence, direction: Direction, entry: JsonJob | Unknown) -> DirectionFacts:
    totals, bins = evidence.result.directions[direction], evidence.latency[direction]
    part = entry if isinstance(entry, Unknown) else part_of(entry, direction)
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


def part_of(entry: JsonJob, direction: Direction) -> JsonDirection:
    """One direction of an entry of fio's JSON."""
    match direction:
        case Direction.READ:
            return entry.read
        case Direction.WRITE:
            return entry.write
        case Direction.TRIM:
            return entry.trim


def submission_of(parts: tuple[JsonDirection, ...]) -> LatencyFacts | Unknown:
    """Submission latency of one direction over all jobs."""
    counted = [(one.slat_ns, one.slat_ns.samples(one.total_ios)) for one in parts]
    total = sum(count for _, count in counted)
    if not total:
        return Unknown("fio measured no submission latency")
    return LatencyFacts(
        count=total,
        mean_ns=sum(one.mean * count for one, count in counted) / total,
        min_ns=min(one.min for one, count in counted if count),
        max_ns=max(one.max for one, _ in counted),
        histogram=Unknown("fio keeps no bins of it"),
        percentile_ns={},
    )


def rates_of(part: JsonDirection) -> Rates | Unknown:
    """Bandwidth and IOPS as fio printed them."""
    if part.bw_bytes is None or part.iops is None:
        return Unknown("this fio prints no rates in bytes")
    return Rates(part.bw_bytes, part.iops)


def _jobs_of(job: Job) -> int:
    return job.jobs + len(job.beside)


def time_on(entries: tuple[JsonJob, ...], jobs: int) -> int | Unknown:
    """How long each job was on, on the mean: of a group, fio prints the sum."""
    times_ms = [entry.job_runtime for entry in entries if entry.job_runtime is not None]
    if len(times_ms) < len(entries):
        return Unknown("this fio does not print how long a job was on")
    return sum(times_ms) * NS_PER_MS // jobs


def job_times(entries: tuple[JsonJob, ...], jobs: int) -> JobTimes | Unknown:
    """How long the jobs of a group ran, on the mean and at the longest.

    Of a group, fio prints the sum of all jobs' times, and beside it the longest time of a direction.
    """
    if jobs < 2:
        return Unknown("there is one job")
    runtimes = [entry.job_runtime for entry in entries if entry.job_runtime is not None]
    longest_ms = max(max(entry.read.runtime, entry.write.runtime, entry.trim.runtime) for entry in entries)
    if len(runtimes) < len(entries) or not longest_ms:
        return Unknown("this fio prints no time of each job")
    return JobTimes(sum(runtimes) * NS_PER_MS / jobs, longest_ms * NS_PER_MS)


def steady_claim(entry: JsonJob, setup: Setup | Unknown) -> SteadyClaim | None:
    """What fio's own steady state came to."""
    if entry.steadystate is None:
        return None
    samples = None if isinstance(setup, Unknown) else setup.steady_window_samples
    return SteadyClaim(
        Attained.YES if entry.steadystate.attained else Attained.NO, samples or Unknown("the JSON names no window")
    )
