"""Checks of the instrument: fio, its options, the processor, the clock."""

import re

import numpy as np

from ssdlab.analysis.evidence import Evidence
from ssdlab.analysis.verdict import Rule, Verdict, for_each_direction, passed_if, totals_of
from ssdlab.bundle.model import Outcome
from ssdlab.engine.result import Direction, LatencyKind
from ssdlab.units import NS_PER_S, NS_PER_US, format_duration

_SQPOLL_SINCE = (3, 36)
"""METHODS 0: before it completion latencies under `sqthread_poll` are or can be wrong."""
_PATH_OPTIONS = frozenset({"ioengine=io_uring", "hipri", "sqthread_poll", "registerfiles", "fixedbufs"})
"""Options that save host time on each I/O, together some ten microseconds."""
_PATH_COST_NS = 10 * NS_PER_US
_PATH_SHARE = 0.10
"""They matter once that is more than this share of the mean latency."""
_LOG_OPTIONS = frozenset({"log_window_value=both"})
"""Options that change what is recorded, not what is measured."""
_CPU_BUSY_PERCENT = 90.0
_LATE_SHARE = 0.01
_OVERHEAD_NS = 30 * NS_PER_S
"""What starting fio and laying out its files may take on a slow host."""


def _fio_version(evidence: Evidence) -> Verdict:
    engine = evidence.result.engine
    if engine.startswith("model-"):
        return Verdict(Outcome.PASS, f"{engine}: virtual time, no fio")
    match = re.match(r"fio-(\d+)\.(\d+)", engine)
    if match is None:
        return Verdict(Outcome.UNKNOWN, f"engine `{engine}`")
    version = (int(match[1]), int(match[2]))
    polled = "sqthread_poll" not in {one.option for one in evidence.result.dropped}
    finding = f"fio {match[1]}.{match[2]}, sqthread_poll {'on' if polled else 'off'}"
    return passed_if(not polled or version >= _SQPOLL_SINCE, finding)


def _options_dropped(evidence: Evidence) -> Verdict:
    dropped = evidence.result.dropped
    if not dropped:
        return Verdict(Outcome.PASS, "none")
    finding = "; ".join(f"{one.option}: {one.reason}" for one in dropped)
    harmless = all(
        one.option in _LOG_OPTIONS or (one.option in _PATH_OPTIONS and _path_cost_is_small(evidence)) for one in dropped
    )
    return passed_if(harmless, finding, Outcome.WARN)


def _path_cost_is_small(evidence: Evidence) -> bool:
    """Whether the host's ten microseconds vanish in the latency of every direction."""
    means = [
        totals.latency[LatencyKind.LAT].mean_ns
        for totals in evidence.result.directions.values()
        if LatencyKind.LAT in totals.latency
    ]
    return bool(means) and _PATH_SHARE * min(means) >= _PATH_COST_NS


def _cpu_headroom(evidence: Evidence) -> Verdict:
    user, system = evidence.result.cpu_user_percent, evidence.result.cpu_system_percent
    if evidence.result.engine.startswith("model-"):
        return Verdict(Outcome.PASS, "virtual time: no processor is involved")
    if user is None or system is None:
        return Verdict(Outcome.UNKNOWN, "the engine reports no processor time")
    busy, jobs, cores = user + system, evidence.job.jobs, evidence.run.host.cpu_count
    finding = f"fio used {busy:.0f} % of a core (jobs: {jobs}), the host has {cores}"
    saturated = busy >= _CPU_BUSY_PERCENT or busy * jobs >= _CPU_BUSY_PERCENT * cores
    return passed_if(not saturated, finding, Outcome.WARN)


def _windows_regular(evidence: Evidence, direction: Direction) -> Verdict:
    """Windows end with a completion, so one that lasts twice as long is a time in which nothing completed.

    The last window is left out: it ends with the job and takes in what was in flight when fio stopped logging.
    """
    series, totals = evidence.series[direction], totals_of(evidence, direction)
    if not len(series.time_ns):
        return Verdict(Outcome.FAIL, "there are no windows")
    inner_ns = series.duration_ns[:-1]
    long_ns = inner_ns[inner_ns > 2 * series.window_ns]
    missing_ns = totals.runtime_ns - int(series.time_ns[-1])
    finding = f"{len(series.time_ns)} windows of {format_duration(series.window_ns)}, {len(long_ns)} over twice as long"
    if len(long_ns):
        finding += f" (the longest {format_duration(int(long_ns.max()))}, {format_duration(int(long_ns.sum()))} in all)"
    if np.any(series.duration_ns <= 0):
        return Verdict(Outcome.FAIL, f"{finding}; windows overlap")
    if missing_ns > max(_LATE_SHARE * totals.runtime_ns, 2 * series.window_ns):
        return Verdict(Outcome.FAIL, f"{finding}; the last {format_duration(missing_ns)} are missing")
    return passed_if(not len(long_ns), finding, Outcome.WARN)


def _clocks_agree(evidence: Evidence) -> Verdict:
    """The engine's clock against the run's; a suspended host stops one of them."""
    step, elapsed_ns = evidence.step, evidence.result.elapsed_ns
    if step.started_ns is None or step.ended_ns is None:
        return Verdict(Outcome.UNKNOWN, "the run's clock was not recorded")
    outside_ns = step.ended_ns - step.started_ns - elapsed_ns
    finding = f"the job took {format_duration(elapsed_ns)}, the step {format_duration(step.ended_ns - step.started_ns)}"
    rounding_ns = _LATE_SHARE * elapsed_ns + 0.1 * NS_PER_S
    return passed_if(-rounding_ns <= outside_ns <= _OVERHEAD_NS + _LATE_SHARE * elapsed_ns, finding, Outcome.WARN)


RULES = (
    Rule(
        name="fio.version",
        judge=_fio_version,
        meaning={
            Outcome.PASS: "no known fault of this fio touches these numbers",
            Outcome.FAIL: "completion latencies of this fio are wrong with sqthread_poll: it needs 3.36 or newer",
            Outcome.UNKNOWN: "which faults the engine has is not known",
        },
    ),
    Rule(
        name="options.dropped",
        judge=_options_dropped,
        meaning={
            Outcome.PASS: "no option was left out that these numbers depend on",
            Outcome.WARN: "the method could not be followed to the letter: compare only with runs that dropped the same",
        },
    ),
    Rule(
        name="host.cpu",
        judge=_cpu_headroom,
        meaning={
            Outcome.PASS: "the processor did not limit the drive",
            Outcome.WARN: "the host may have limited the drive: the numbers are a lower bound",
            Outcome.UNKNOWN: "whether the host limited the drive is not known",
        },
    ),
    Rule(
        name="series.regular",
        judge=for_each_direction(_windows_regular),
        meaning={
            Outcome.PASS: "the series has no gaps",
            Outcome.WARN: "the drive or the host stood still for a while: the series shows it as one long window",
            Outcome.FAIL: "a part of the job is not in the series: what is seen over time cannot be trusted",
        },
    ),
    Rule(
        name="clock.agrees",
        judge=_clocks_agree,
        meaning={
            Outcome.PASS: "the job took as long on the run's clock as on the engine's",
            Outcome.WARN: "one of the clocks stood still or the host was suspended: look at durations with care",
            Outcome.UNKNOWN: "durations cannot be checked against a second clock",
        },
    ),
)
