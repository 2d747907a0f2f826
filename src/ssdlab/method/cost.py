"""What a plan costs before it is run: bytes written, time, and space on the host."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ssdlab.job import HISTOGRAM_WINDOWS_MAX, WINDOW_NS, Action, IoLog, Job, ReplayPace, Resume, StepKind
from ssdlab.message import Message
from ssdlab.method.draft import PassNeed, PlannedStep, RseRule
from ssdlab.units import KIB, MIB, NS_PER_S, NS_PER_US

_SLOWEST_BYTES_PER_S = 30_000_000
"""Sustained write of the slowest internal drives known (Intel 600p after its cache): bounds how long a plan can log."""
_LOG_BYTES_PER_WINDOW = 130
"""A window while its step runs: a line in each of fio's three latency logs and its bandwidth log, 17 to 26 bytes were measured,
with twelve digits more for a job of years and a stall of minutes."""
_LOG_BYTES_PER_HISTOGRAM = 1700
"""Likewise a line of its histogram log: 1440 were measured, two for each of the 464 bins and the counts."""
_KEPT_BYTES_PER_WINDOW = 40
"""The same window as a row of Parquet: 17 to 24 were measured, of 40 before compression."""
_BYTES_PER_DISTRIBUTION = 512
"""Latency distribution of a window as Parquet: 15 to 131 were measured, with up to 74 bins in use."""
_DISTRIBUTIONS_MAX = 4096
"""A long job has longer windows instead of more (`fiolog::OverTime`)."""
_LOG_BYTES_PER_IO = 90
"""Where every I/O is kept: a line with its offset in each of two logs of fio's, `lat` and `clat`."""
_KEPT_BYTES_PER_IO = 25
"""The same I/O as a row of Parquet."""
_BYTES_PER_JOB = 512 * KIB
"""Job file, fio's JSON with its latency bins, histogram and result."""
_LIKELY_BYTES_PER_JOB = 60_000
"""The same with its part of the audit, the journal and the metrics, and few bins: 44 000 to 66 000 were measured in runs of 188 to 539 jobs,
and 52 000 where fio did them."""
_LIKELY_BYTES_PER_WINDOW = 20
_LIKELY_BYTES_PER_DISTRIBUTION = 70
"""In the middle of what was measured."""
_BYTES_PER_STEP = 2 * KIB
"""Its part of the plan and its lines of the journal."""
_SHORTEST_IO_NS = 5 * NS_PER_US
"""No drive completes a single I/O faster; bounds how many a job can log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """A drive about which only this is assumed."""

    bandwidth_bytes_per_s: float
    latency_ns: int
    """Of one I/O; as many as the queue holds are done side by side until the bandwidth is reached."""

    def rate_bytes_per_s(self, job: Job) -> float:
        """How fast it does a job."""
        if job.action is Action.TRIM:
            return job.block_bytes * NS_PER_S / self.latency_ns
        return min(self.bandwidth_bytes_per_s, job.in_flight * job.block_bytes * NS_PER_S / self.latency_ns)

    def duration_ns(self, job: Job) -> int:
        """How long a job takes on it."""
        limits_ns = [] if job.duration_ns is None else [job.duration_ns]
        if job.amount_bytes is not None:
            limits_ns.append(round(job.amount_bytes / self.rate_bytes_per_s(job) * NS_PER_S))
        return max(min(limits_ns), _recorded_ns(job))


def _recorded_ns(job: Job) -> int:
    """A trace at its times lasts as long as it was recorded; how long it lasts otherwise, its thoughts included, is not known."""
    if job.replay is None or job.replay.pace is not ReplayPace.TIMED:
        return 0
    return job.replay.arrivals_ns or 0


SLOW = Assumed(bandwidth_bytes_per_s=100 * MIB, latency_ns=150 * NS_PER_US)
FAST = Assumed(bandwidth_bytes_per_s=1000 * MIB, latency_ns=50 * NS_PER_US)
"""A slow drive and a fast one, between which most lie at random; in order, and out of a cache, new ones are faster yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Several planned steps together, such as all that came from one step of the suite."""

    group: str
    steps: tuple[PlannedStep, ...]

    @property
    def needed(self) -> "Cost":
        """Without what may turn out to be unneeded."""
        return Cost(group=self.group, steps=tuple(step for step in self.steps if not _may_be_left_out(step)))

    @property
    def jobs(self) -> tuple[Job, ...]:
        """All that do I/O."""
        return tuple(step.job for step in self.steps if step.job is not None and step.skip is None)

    @property
    def bytes_to_write(self) -> int:
        """Bytes of all jobs that end by an amount, the share of their writes only; those that have a limit of time, too, may write less."""
        return sum(_write_bytes(job, job.amount_bytes or 0) for job in self.jobs if job.action is Action.READ_WRITE)

    def amounts_at(self, assumed: Assumed) -> int:
        """The same on a drive like that: what a limit of time leaves of an amount."""
        return sum(_amount_bytes_at(job, assumed) for job in self.jobs if job.action is Action.READ_WRITE)

    @property
    def bytes_to_write_min(self) -> int:
        """Bytes that are written whatever happens: a job with a limit of time may end before its amount, one until steady early."""
        return sum(_write_bytes_min(step) for step in self.needed.steps if step.skip is None)

    @property
    def timed_write_ns(self) -> int:
        """How long jobs write that end by time alone: how much they write depends on the drive."""
        return sum(job.duration_ns or 0 for job in self._timed_writes)

    def bytes_to_write_at(self, assumed: Assumed) -> int:
        """Bytes written to a drive like that, by jobs of either kind."""
        return self.amounts_at(assumed) + sum(
            round(assumed.rate_bytes_per_s(job) * assumed.duration_ns(job) / NS_PER_S * (100 - job.read_percent) / 100)
            for job in self._timed_writes
        )

    @property
    def _timed_writes(self) -> Sequence[Job]:
        """Also what is usually asked for; streams beside reads are left out there, whose pace is told by the method."""
        own = [job for job in self.jobs if job.writes and job.amount_bytes is None]
        return [*own, *(job for job in self.asked_jobs if job.read_percent < 100)]

    @property
    def rest_ns(self) -> int:
        """All rests together."""
        return sum(step.rest_ns for step in self.steps if step.skip is None)

    def duration_ns(self, assumed: Assumed) -> int:
        """Rests included; a purge's own time, mostly seconds, is not."""
        return self.rest_ns + sum(assumed.duration_ns(job) for job in (*self.jobs, *self.asked_jobs))

    @property
    def asked_jobs(self) -> tuple[Job, ...]:
        """What searches usually ask for, in all."""
        return tuple(job for step in self.steps if step.search and step.skip is None for job in step.search.usual_jobs)

    @property
    def resume(self) -> Resume:
        """What the step takes that takes most."""
        back = any(step.resume is Resume.FROM_PURGE for step in self.steps)
        return Resume.FROM_PURGE if back else Resume.REDO

    @property
    def rules(self) -> tuple[RseRule, ...]:
        """Rules that are asked while it runs, one a point."""
        return tuple(dict.fromkeys(step.only_while for step in self.steps if step.only_while is not None))

    @property
    def skips(self) -> tuple[Message, ...]:
        """Why steps are skipped whatever happens."""
        return tuple(dict.fromkeys(step.skip for step in self.steps if step.skip is not None))

    @property
    def points(self) -> tuple[str, ...]:
        """What is measured, in order."""
        return tuple(dict.fromkeys(step.point.name for step in self.steps if step.kind is StepKind.MEASURE))


def _may_be_left_out(step: PlannedStep) -> bool:
    return step.only_while is not None or step.needs is PassNeed.FRESH_SPACE


def _write_bytes_min(step: PlannedStep) -> int:
    job = step.job
    if job is None or job.action is not Action.READ_WRITE or job.amount_bytes is None or job.duration_ns is not None:
        return 0
    amount_bytes = job.amount_bytes if step.until is None else min(step.until.least_bytes, job.amount_bytes)
    return _write_bytes(job, amount_bytes)


def _write_bytes(job: Job, amount_bytes: int) -> int:
    """Of so much; a trace, which has I/Os of many lengths, tells itself what it writes."""
    if job.replay is not None:
        return job.replay.write_bytes
    return amount_bytes * (100 - job.read_percent) // 100


def _amount_bytes_at(job: Job, assumed: Assumed) -> int:
    amount_bytes = job.amount_bytes or 0
    if job.duration_ns is not None:
        amount_bytes = min(amount_bytes, round(assumed.rate_bytes_per_s(job) * job.duration_ns / NS_PER_S))
    return _write_bytes(job, amount_bytes)


def grouped(steps: Iterable[PlannedStep]) -> tuple[Cost, ...]:
    """The planned steps by the suite's step they came from, in order."""
    groups: dict[str, list[PlannedStep]] = {}
    for step in steps:
        groups.setdefault(step.group, []).append(step)
    return tuple(Cost(group=group, steps=tuple(found)) for group, found in groups.items())


def host_bytes_max(steps: Iterable[PlannedStep]) -> int:
    """Space a bundle of these steps needs at most, raw logs of the running step included, even on a very slow drive."""
    planned = tuple(map(_told_in_time, steps))
    cost = Cost(group="", steps=planned)
    jobs = [*cost.jobs, *cost.asked_jobs]
    kept_bytes = sum(_BYTES_PER_JOB + _kept_bytes_max(job) for job in jobs) + len(planned) * _BYTES_PER_STEP
    return kept_bytes + max((_log_bytes_max(job) for job in jobs), default=0)


def bundle_bytes_at(steps: Iterable[PlannedStep], assumed: Assumed) -> int:
    """Space a bundle of these steps is likely to take on a drive like that, once the raw logs are gone."""
    cost = Cost(group="", steps=tuple(map(_told_in_time, steps)))
    return sum(_LIKELY_BYTES_PER_JOB + _kept_bytes_at(job, assumed) for job in (*cost.jobs, *cost.asked_jobs))


def _kept_bytes_at(job: Job, assumed: Assumed) -> int:
    windows = assumed.duration_ns(job) // WINDOW_NS
    kept_bytes = windows * _LIKELY_BYTES_PER_WINDOW
    match job.io_log:
        case IoLog.WINDOWS:
            return kept_bytes
        case IoLog.DISTRIBUTION_OVER_TIME:
            return kept_bytes + min(windows, _DISTRIBUTIONS_MAX) * _LIKELY_BYTES_PER_DISTRIBUTION
        case IoLog.EVERY_IO:
            done_bytes = assumed.rate_bytes_per_s(job) * assumed.duration_ns(job) / NS_PER_S
            return kept_bytes + round(done_bytes / job.block_bytes) * _KEPT_BYTES_PER_IO


def _told_in_time(step: PlannedStep) -> PlannedStep:
    """A point goes on for a percentile only until so many I/Os are done, so the fastest drive logs most without it."""
    tail = None if step.enough is None else step.enough.tail
    if tail is None or step.job is None:
        return step
    shorter = replace(step.job, duration_ns=tail.mean_limit_ns)
    return replace(step, job=shorter) if _ios_max(shorter) >= tail.ios else step


def _kept_bytes_max(job: Job) -> int:
    windows = _windows_max(job)
    over_time_bytes = min(windows, _DISTRIBUTIONS_MAX) * _BYTES_PER_DISTRIBUTION
    return (
        windows * _KEPT_BYTES_PER_WINDOW
        + _ios_max(job) * _KEPT_BYTES_PER_IO
        + (over_time_bytes if job.io_log is IoLog.DISTRIBUTION_OVER_TIME else 0)
    )


def _log_bytes_max(job: Job) -> int:
    """fio writes logs for each of its jobs."""
    logs, windows = job.jobs + len(job.beside), _windows_max(job)
    histograms = min(windows, HISTOGRAM_WINDOWS_MAX)
    per_log = windows * _LOG_BYTES_PER_WINDOW + histograms * _LOG_BYTES_PER_HISTOGRAM
    return logs * per_log + _ios_max(job) * _LOG_BYTES_PER_IO


def _windows_max(job: Job) -> int:
    longest_ns = job.duration_ns or (job.amount_bytes or 0) * NS_PER_S // _SLOWEST_BYTES_PER_S
    return longest_ns // WINDOW_NS


def _ios_max(job: Job) -> int:
    """I/Os that are kept one by one."""
    if job.io_log is not IoLog.EVERY_IO:
        return 0
    limits = [] if job.amount_bytes is None else [job.amount_bytes // job.block_bytes]
    if job.duration_ns is not None:
        limits.append(job.duration_ns * job.in_flight // _SHORTEST_IO_NS)
    return min(limits)
