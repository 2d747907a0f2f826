"""Checks of the load: did it last as long, go as deep and come as fast as asked, from all jobs alike."""

from math import sqrt

from ssdlab.analysis.audit.facts import Attained, DirectionFacts, Facts, RateAim, VirtualTime
from ssdlab.analysis.audit.rule import (
    AuditRule,
    RuleResult,
    compared,
    for_known_setup,
    not_applicable,
    passed_if,
    together,
    unknown,
)
from ssdlab.analysis.audit.rules.host import cpu_headroom
from ssdlab.analysis.audit.setup import ARRIVALS, FLUSHES, Arrivals, EngineSetup, Flag, Flushes
from ssdlab.analysis.infer.steady import Criterion
from ssdlab.bundle.model import Outcome
from ssdlab.engine.punctuality import Punctuality
from ssdlab.engine.result import LatencyKind
from ssdlab.job import StepKind
from ssdlab.message import Message, duration, message, number
from ssdlab.units import NS_PER_MS, NS_PER_S
from ssdlab.unknown import Unknown

_QUEUE_WARN, _QUEUE_FAIL = 0.10, 0.25
"""Between a completion and the next submission fio spends a few microseconds that no latency counts: up to a tenth of the
queue on the fastest drives at QD1. A quarter is more than any host should need, and more in flight than asked is impossible."""
_SHORT_SHARE = 0.01
_RATE_SHARE = 0.02
"""A Poisson stream of 10 000 I/Os varies by 1 %."""
_BY_CHANCE = 4
"""Standard deviations: of a stream of few I/Os."""
_BURSTS_NS = 1.5 * 1.5 * NS_PER_MS
"""Bursts of 2 ms at 2.5 times the rate and lulls of 6 ms at half of it: twice the variance of the rate, over its square, times how
long a state is remembered."""
_LONGEST_GAP = 20
"""Mean gaps: of random arrivals one in 500 million is longer."""
_LONGEST_LULL = 40
"""The same in lulls of half the rate."""
_LATE_SHARE = 0.05
"""Of the mean response latency: the generator may be late by so much in 99 of 100 I/Os."""
_JOB_SHARE = 0.05
_JOB_START_NS = 100 * NS_PER_MS
"""What starting one after the other may take."""


def _littles_law(facts: Facts, setup: EngineSetup) -> RuleResult:
    if (open_loop := _time_outside(setup)) is not None:
        return not_applicable(open_loop)
    if isinstance(facts.engine, VirtualTime) and not facts.runtime_ns:
        return not_applicable(message("audit-nothing-waited"))
    if isinstance(setup.jobs, Unknown):
        return unknown(setup.jobs)
    found = [_in_flight(one, facts.runtime_ns) for one in facts.directions.values()]
    in_flight = sum(one for one in found if one is not None)
    if not found or None in found:
        return unknown(message("audit-no-lat-or-runtime"))
    asked = setup.queue_depth * setup.jobs
    deviation = max(0.0, abs(in_flight / asked - 1) - _share_not_full(facts, asked))
    finding = message("audit-in-flight", asked=asked, in_flight=number(in_flight, ".3g"))
    numbers = (compared("queue_depth", asked), compared("in_flight", in_flight))
    if deviation <= _QUEUE_WARN:
        return RuleResult(Outcome.PASS, finding, numbers)
    return RuleResult(Outcome.WARN if deviation <= _QUEUE_FAIL else Outcome.FAIL, finding, numbers)


def _share_not_full(facts: Facts, asked: int) -> float:
    """Share of a job, at most, in which its queue fills and drains: half full on average, and drained as the last I/Os take long."""
    filling = asked / max(1, sum(one.io_count for one in facts.directions.values()))
    longest_ns = max((one.latency[LatencyKind.LAT].max_ns for one in facts.directions.values()), default=0)
    return filling + longest_ns / max(1, facts.runtime_ns)


def _time_outside(setup: EngineSetup) -> Message | None:
    """Why the queue need not be full all the time; None where it must be."""
    if setup.arrivals is not Arrivals.CLOSED_LOOP:
        return message("audit-arrivals", arrivals=ARRIVALS[setup.arrivals])
    if setup.ioengine == "null":
        return message("audit-null-takes-no-time")
    if setup.writes and setup.flushes is Flushes.BETWEEN:
        return message("audit-flushed", flushes=FLUSHES[setup.flushes])
    return None


def _in_flight(one: DirectionFacts, runtime_ns: int) -> float | None:
    if LatencyKind.LAT not in one.latency or not runtime_ns:
        return None
    return one.io_count / runtime_ns * one.latency[LatencyKind.LAT].mean_ns


def _duration(facts: Facts, setup: EngineSetup) -> RuleResult:
    """A job ends by amount or by time; the first of both where it has both."""
    if isinstance(setup.duration_ns, Unknown):
        return unknown(setup.duration_ns)
    if not facts.runtime_ns:
        return not_applicable(message("audit-no-time") if facts.io_bytes else message("audit-no-io"))
    if facts.purpose is StepKind.FILL:
        return not_applicable(message("audit-fill-covers"))
    if facts.steady is not None and facts.steady.outcome is Attained.YES:
        return not_applicable(message("audit-ended-by-fio"))
    if facts.stopped is not None:
        by_criterion = _way_of(facts, message("audit-ended-by-criterion", criterion=facts.stopped.criterion))
        by_operator = message("audit-ended-by-operator")
        return not_applicable(by_criterion if facts.stopped.is_verdict else by_operator)
    return _end_of_job(facts, setup, setup.duration_ns)


def _way_of(facts: Facts, ended: Message) -> Message:
    """Of writing until steady that a pass came before, also by which way it ended: on no other is there a ramp before."""
    if facts.stopped is None or facts.purpose is not StepKind.PRECONDITION or facts.before is not StepKind.RAMP:
        return ended
    if facts.stopped.criterion == Criterion.WINDOW.value:
        return message("audit-ended-by-short-way", ended=ended)
    return message("audit-ended-by-long-way", ended=ended)


def _end_of_job(facts: Facts, setup: EngineSetup, asked_ns: int | None) -> RuleResult:
    amount_bytes = _amount_bytes(setup)
    lasted_ns, done_bytes = _lasted_ns(facts), facts.moved_bytes
    numbers = [compared("lasted", lasted_ns, "ns")]
    finding = message("audit-lasted", lasted=duration(lasted_ns))
    if asked_ns is not None:
        numbers.append(compared("asked", asked_ns, "ns"))
        finding = message("audit-lasted-of", lasted=duration(lasted_ns), asked=duration(asked_ns))
        if lasted_ns >= asked_ns * (1 - _SHORT_SHARE) - NS_PER_MS - _longest_gap_ns(setup):
            return RuleResult(Outcome.PASS, finding, tuple(numbers))
    if isinstance(amount_bytes, Unknown):
        return unknown(together(finding, message("audit-amount-unknown", why=amount_bytes.reason)))
    numbers += [compared("done", done_bytes, "B"), compared("amount", amount_bytes, "B")]
    share = number(done_bytes / max(1, amount_bytes), ".2%")
    finding = message("audit-share-of-amount", lasted=finding, share=share)
    complete = done_bytes >= amount_bytes * (1 - _SHORT_SHARE)
    if asked_ns is None or setup.amount_bytes is not None:
        return passed_if(complete, finding, *numbers)
    ended_early = Outcome.WARN if complete and setup.time_based is not Flag.ON else Outcome.FAIL
    return RuleResult(ended_early, finding, tuple(numbers))


def _longest_gap_ns(setup: EngineSetup) -> float:
    """How long before the end of its time the last I/O of an open loop may have come."""
    if setup.arrivals is Arrivals.CLOSED_LOOP or isinstance(setup.jobs, Unknown):
        return 0.0
    if setup.rate_iops is None or isinstance(setup.rate_iops, Unknown):
        return 0.0
    gaps = _LONGEST_LULL if setup.arrivals is Arrivals.BURSTS else _LONGEST_GAP
    return gaps * NS_PER_S / max(1, setup.rate_iops * setup.jobs)


def _lasted_ns(facts: Facts) -> int:
    """With the start of the job: fio holds `runtime` against a clock that runs before its first I/O, and a busy host comes between."""
    if isinstance(facts.on_ns, Unknown):
        return facts.runtime_ns
    return max(facts.runtime_ns, min(facts.on_ns, facts.runtime_ns + _JOB_START_NS))


def _amount_bytes(setup: EngineSetup) -> int | Unknown:
    """Of all jobs together."""
    each = setup.region_bytes if setup.amount_bytes is None else setup.amount_bytes
    if isinstance(each, Unknown):
        return each
    return setup.jobs if isinstance(setup.jobs, Unknown) else each * setup.jobs


def _ramp(facts: Facts, setup: EngineSetup) -> RuleResult:
    if isinstance(setup.ramp_ns, Unknown) or isinstance(setup.duration_ns, Unknown):
        return unknown(message("audit-ramp-unknown"))
    if not setup.ramp_ns:
        return not_applicable(message("audit-no-ramp"))
    finding = message("audit-ramp", ramp=duration(setup.ramp_ns), measured=duration(facts.runtime_ns))
    numbers = (compared("ramp", setup.ramp_ns, "ns"), compared("measured", facts.runtime_ns, "ns"))
    asked_ns = setup.duration_ns
    if asked_ns is not None and facts.runtime_ns > asked_ns + setup.ramp_ns / 2:
        return RuleResult(Outcome.FAIL, message("audit-ramp-of-asked", ramp=finding, asked=duration(asked_ns)), numbers)
    longer = asked_ns is not None and setup.ramp_ns > asked_ns
    return passed_if(not longer, finding, *numbers, otherwise=Outcome.WARN)


def _arrivals(facts: Facts, setup: EngineSetup) -> RuleResult:
    if setup.arrivals in {Arrivals.CLOSED_LOOP, Arrivals.THINKING}:
        return not_applicable(message("audit-no-rate"))
    if isinstance(setup.jobs, Unknown) or setup.rate_iops is None or isinstance(setup.rate_iops, Unknown):
        return unknown(message("audit-rate-unknown"))
    asked = setup.rate_iops * setup.jobs
    done = sum(one.io_count for one in facts.directions.values()) * NS_PER_S / max(1, facts.runtime_ns)
    finding = message("audit-rate", done=number(done, ".0f"), asked=asked, arrivals=ARRIVALS[setup.arrivals])
    numbers = (compared("asked", asked, "1/s"), compared("done", done, "1/s"))
    by_chance = _BY_CHANCE * _scatter(setup.arrivals, asked, facts.runtime_ns)
    kept = done >= asked * (1 - max(_RATE_SHARE, by_chance))
    told, independent = facts.punctuality, setup.arrivals is not Arrivals.EVEN
    if isinstance(told, Unknown):
        return passed_if(kept and independent, finding, *numbers, otherwise=Outcome.WARN)
    punctual = _punctual(facts, told)
    if kept and not told.unsubmitted:
        reached = RuleResult(Outcome.PASS, finding)
    else:
        reached = _beyond(facts, finding, told.unsubmitted, punctual)
    return passed_if(
        independent and reached.outcome is punctual.outcome is Outcome.PASS,
        together(reached.finding, punctual.finding),
        *numbers,
        *punctual.numbers,
        compared("unsubmitted", told.unsubmitted),
        *reached.numbers,
        otherwise=Outcome.WARN,
    )


def _scatter(arrivals: Arrivals, asked_iops: int, runtime_ns: int) -> float:
    """Standard deviation of how many come in that time, of the mean; Fischer & Meier-Hellstern (1993) has that of bursts."""
    by_chance = 1 / max(1.0, asked_iops * runtime_ns / NS_PER_S)
    bursts = _BURSTS_NS / max(1, runtime_ns) if arrivals is Arrivals.BURSTS else 0.0
    return sqrt(by_chance + bursts)


def _beyond(facts: Facts, rate: Message, unsubmitted: int, punctual: RuleResult) -> RuleResult:
    """More than was done: what a step that looks for it found, if it was the drive that did not do more."""
    left = message("audit-unsubmitted", count=unsubmitted)
    finding = together(rate, left) if unsubmitted else rate
    if facts.rate_aim is RateAim.KEPT or punctual.outcome is not Outcome.PASS:
        return RuleResult(Outcome.WARN, finding)
    headroom = cpu_headroom(facts)
    if headroom.outcome not in {Outcome.PASS, Outcome.NOT_APPLICABLE}:
        return RuleResult(Outcome.WARN, together(finding, headroom.finding), headroom.numbers)
    return RuleResult(Outcome.PASS, together(finding, message("audit-beyond-drive")))


def _punctual(facts: Facts, told: Punctuality) -> RuleResult:
    """Whether the generator was the slower one."""
    late_ns = told.late_max_ns if isinstance(told.late_p99_ns, Unknown) else told.late_p99_ns
    response_ns = [one.latency[LatencyKind.LAT].mean_ns for one in facts.directions.values()]
    finding = message("audit-generator-late", late=duration(late_ns))
    is_late = late_ns > _LATE_SHARE * min(response_ns, default=0.0)
    if is_late:
        finding = message(
            "audit-late-generator", late=duration(late_ns), response=duration(min(response_ns, default=0.0))
        )
    return passed_if(not is_late, finding, compared("late_p99", late_ns, "ns"), otherwise=Outcome.WARN)


def _jobs_alike(facts: Facts) -> RuleResult:
    if isinstance(facts.job_times, Unknown):
        return not_applicable(facts.job_times)
    mean_ns, longest_ns = facts.job_times.mean_ns, facts.job_times.longest_ns
    finding = message("audit-job-times", mean=duration(mean_ns), longest=duration(longest_ns))
    numbers = (compared("mean", mean_ns, "ns"), compared("longest", longest_ns, "ns"))
    return passed_if(
        longest_ns - mean_ns <= _JOB_SHARE * longest_ns + _JOB_START_NS, finding, *numbers, otherwise=Outcome.WARN
    )


RULES = (
    AuditRule(
        name="queue.littles_law",
        judge=for_known_setup(_littles_law),
        meaning={
            Outcome.PASS: message("audit-queue-littles-law-pass"),
            Outcome.WARN: message("audit-queue-littles-law-warn"),
            Outcome.FAIL: message("audit-queue-littles-law-fail"),
            Outcome.UNKNOWN: message("audit-queue-littles-law-unknown"),
        },
        remedy=message("audit-queue-littles-law-remedy"),
    ),
    AuditRule(
        name="load.duration",
        judge=for_known_setup(_duration),
        meaning={
            Outcome.PASS: message("audit-load-duration-pass"),
            Outcome.WARN: message("audit-load-duration-warn"),
            Outcome.FAIL: message("audit-load-duration-fail"),
            Outcome.UNKNOWN: message("audit-load-duration-unknown"),
        },
        remedy=message("audit-load-duration-remedy"),
    ),
    AuditRule(
        name="load.ramp",
        judge=for_known_setup(_ramp),
        meaning={
            Outcome.PASS: message("audit-load-ramp-pass"),
            Outcome.WARN: message("audit-load-ramp-warn"),
            Outcome.FAIL: message("audit-load-ramp-fail"),
            Outcome.UNKNOWN: message("audit-load-ramp-unknown"),
        },
        remedy=message("audit-load-ramp-remedy"),
    ),
    AuditRule(
        name="load.rate",
        judge=for_known_setup(_arrivals),
        meaning={
            Outcome.PASS: message("audit-load-rate-pass"),
            Outcome.WARN: message("audit-load-rate-warn"),
            Outcome.UNKNOWN: message("audit-load-rate-unknown"),
        },
        remedy=message("audit-load-rate-remedy"),
    ),
    AuditRule(
        name="load.jobs_alike",
        judge=_jobs_alike,
        meaning={
            Outcome.PASS: message("audit-load-jobs-alike-pass"),
            Outcome.WARN: message("audit-load-jobs-alike-warn"),
        },
        remedy=message("audit-load-jobs-alike-remedy"),
    ),
)
