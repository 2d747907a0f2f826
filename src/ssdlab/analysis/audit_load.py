"""Checks of the load: did it last as long, go as deep and come as fast as asked, from all jobs alike."""

from ssdlab.analysis.audit_facts import Attained, DirectionFacts, Facts, VirtualTime
from ssdlab.analysis.audit_setup import Arrivals, Flag, Flushes, Setup
from ssdlab.analysis.verdict import Rule, Verdict, compared, for_known_setup, not_applicable, passed_if, unknown
from ssdlab.bundle.model import Outcome
from ssdlab.engine.result import LatencyKind
from ssdlab.job import StepKind
from ssdlab.units import NS_PER_MS, NS_PER_S, format_duration
from ssdlab.unknown import Unknown

_QUEUE_WARN, _QUEUE_FAIL = 0.10, 0.25
"""Between a completion and the next submission fio spends a few microseconds that no latency counts: up to a tenth of the
queue on the fastest drives at QD1. A quarter is more than any host should need, and more in flight than asked is impossible."""
_SHORT_SHARE = 0.01
_RATE_SHARE = 0.02
"""A Poisson stream of 10 000 I/Os varies by 1 %."""
_JOB_SHARE = 0.05
_JOB_START_NS = 100 * NS_PER_MS
"""What starting one after the other may take."""


def _littles_law(facts: Facts, setup: Setup) -> Verdict:
    if (open_loop := _time_outside(setup)) is not None:
        return not_applicable(open_loop)
    if isinstance(facts.engine, VirtualTime) and not facts.runtime_ns:
        return not_applicable("the job took no time, so nothing waited")
    if isinstance(setup.jobs, Unknown):
        return unknown(setup.jobs.unknown)
    found = [_in_flight(one, facts.runtime_ns) for one in facts.directions.values()]
    in_flight = sum(one for one in found if one is not None)
    if not found or None in found:
        return unknown("the engine reports no total latency or no run time")
    asked = setup.queue_depth * setup.jobs
    deviation = max(0.0, abs(in_flight / asked - 1) - _share_not_full(facts, asked))
    finding = f"QD {asked} asked, IOPS x mean latency gives {in_flight:.3g}"
    numbers = (compared("queue_depth", asked), compared("in_flight", in_flight))
    if deviation <= _QUEUE_WARN:
        return Verdict(Outcome.PASS, finding, numbers)
    return Verdict(Outcome.WARN if deviation <= _QUEUE_FAIL else Outcome.FAIL, finding, numbers)


def _share_not_full(facts: Facts, asked: int) -> float:
    """Share of a job, at most, in which its queue fills and drains: half full on average, and drained as the last I/Os take long."""
    filling = asked / max(1, sum(one.io_count for one in facts.directions.values()))
    longest_ns = max((one.latency[LatencyKind.LAT].max_ns for one in facts.directions.values()), default=0)
    return filling + longest_ns / max(1, facts.runtime_ns)


def _time_outside(setup: Setup) -> str | None:
    """Why the queue need not be full all the time; None where it must be."""
    if setup.arrivals is not Arrivals.CLOSED_LOOP:
        return f"I/Os come {setup.arrivals.value}"
    if setup.ioengine == "null":
        return "ioengine=null takes no time"
    if setup.writes and setup.flushes is Flushes.BETWEEN:
        return f"writes are flushed {setup.flushes.value}"
    return None


def _in_flight(one: DirectionFacts, runtime_ns: int) -> float | None:
    if LatencyKind.LAT not in one.latency or not runtime_ns:
        return None
    return one.io_count / runtime_ns * one.latency[LatencyKind.LAT].mean_ns


def _duration(facts: Facts, setup: Setup) -> Verdict:
    """A job ends by amount or by time; the first of both where it has both."""
    if isinstance(setup.duration_ns, Unknown):
        return unknown(setup.duration_ns.unknown)
    if not facts.runtime_ns:
        return not_applicable("the job took no time" if facts.io_bytes else "no I/O was done")
    if facts.purpose is StepKind.FILL:
        return not_applicable("a fill is judged by what it covers")
    if facts.steady is not None and facts.steady.outcome is Attained.YES:
        return not_applicable("fio ended the job at its own steady state")
    if facts.stopped is not None:
        by_criterion = f"the job was to be ended by the criterion `{facts.stopped.criterion}`, and was"
        by_operator = "the operator ended the job, as its suite allows"
        return not_applicable(by_criterion if facts.stopped.is_verdict else by_operator)
    return _end_of_job(facts, setup, setup.duration_ns)


def _end_of_job(facts: Facts, setup: Setup, asked_ns: int | None) -> Verdict:
    amount_bytes = _amount_bytes(setup)
    lasted_ns, done_bytes = _lasted_ns(facts), facts.io_bytes
    numbers = [compared("lasted", lasted_ns, "ns")]
    finding = f"lasted {format_duration(lasted_ns)}"
    if asked_ns is not None:
        numbers.append(compared("asked", asked_ns, "ns"))
        finding += f" of {format_duration(asked_ns)}"
        if lasted_ns >= asked_ns * (1 - _SHORT_SHARE) - NS_PER_MS:
            return Verdict(Outcome.PASS, finding, tuple(numbers))
    if isinstance(amount_bytes, Unknown):
        return unknown(f"{finding}; how much was to be done is not known: {amount_bytes.unknown}")
    numbers += [compared("done", done_bytes, "B"), compared("amount", amount_bytes, "B")]
    finding += f", {done_bytes / max(1, amount_bytes):.2%} of the amount"
    complete = done_bytes >= amount_bytes * (1 - _SHORT_SHARE)
    if asked_ns is None or setup.amount_bytes is not None:
        return passed_if(complete, finding, *numbers)
    ended_early = Outcome.WARN if complete and setup.time_based is not Flag.ON else Outcome.FAIL
    return Verdict(ended_early, finding, tuple(numbers))


def _lasted_ns(facts: Facts) -> int:
    """With the start of the job: fio holds `runtime` against a clock that runs before its first I/O, and a busy host comes between."""
    if isinstance(facts.on_ns, Unknown):
        return facts.runtime_ns
    return max(facts.runtime_ns, min(facts.on_ns, facts.runtime_ns + _JOB_START_NS))


def _amount_bytes(setup: Setup) -> int | Unknown:
    """Of all jobs together."""
    each = setup.region_bytes if setup.amount_bytes is None else setup.amount_bytes
    if isinstance(each, Unknown):
        return each
    return setup.jobs if isinstance(setup.jobs, Unknown) else each * setup.jobs


def _ramp(facts: Facts, setup: Setup) -> Verdict:
    if isinstance(setup.ramp_ns, Unknown) or isinstance(setup.duration_ns, Unknown):
        return unknown("how long the ramp was only fio knows")
    if not setup.ramp_ns:
        return not_applicable("there was no ramp")
    finding = f"a ramp of {format_duration(setup.ramp_ns)}, then {format_duration(facts.runtime_ns)} measured"
    numbers = (compared("ramp", setup.ramp_ns, "ns"), compared("measured", facts.runtime_ns, "ns"))
    asked_ns = setup.duration_ns
    if asked_ns is not None and facts.runtime_ns > asked_ns + setup.ramp_ns / 2:
        return Verdict(Outcome.FAIL, f"{finding}, of {format_duration(asked_ns)} asked", numbers)
    longer = asked_ns is not None and setup.ramp_ns > asked_ns
    return passed_if(not longer, finding, *numbers, otherwise=Outcome.WARN)


def _arrivals(facts: Facts, setup: Setup) -> Verdict:
    if setup.arrivals not in {Arrivals.EVEN, Arrivals.POISSON}:
        return not_applicable("no rate was asked for")
    if isinstance(setup.jobs, Unknown) or setup.rate_iops is None or isinstance(setup.rate_iops, Unknown):
        return unknown("the rate is one of bytes, or of each direction")
    asked = setup.rate_iops * setup.jobs
    done = sum(one.io_count for one in facts.directions.values()) * NS_PER_S / max(1, facts.runtime_ns)
    finding = f"{done:.0f} of {asked} IOPS, {setup.arrivals.value}"
    numbers = (compared("asked", asked, "1/s"), compared("done", done, "1/s"))
    kept = done >= asked * (1 - _RATE_SHARE)
    return passed_if(kept and setup.arrivals is Arrivals.POISSON, finding, *numbers, otherwise=Outcome.WARN)


def _jobs_alike(facts: Facts) -> Verdict:
    if isinstance(facts.job_times, Unknown):
        return not_applicable(facts.job_times.unknown)
    mean_ns, longest_ns = facts.job_times.mean_ns, facts.job_times.longest_ns
    finding = f"jobs ran {format_duration(mean_ns)} on the mean, {format_duration(longest_ns)} at the longest"
    numbers = (compared("mean", mean_ns, "ns"), compared("longest", longest_ns, "ns"))
    return passed_if(
        longest_ns - mean_ns <= _JOB_SHARE * longest_ns + _JOB_START_NS, finding, *numbers, otherwise=Outcome.WARN
    )


_SETUP_UNKNOWN = "the options of the job are not known"

RULES = (
    Rule(
        name="queue.littles_law",
        judge=for_known_setup(_littles_law),
        meaning={
            Outcome.PASS: "as many I/Os were in flight as asked for",
            Outcome.WARN: "the queue was not quite as deep as asked: the host takes a noticeable part of the time",
            Outcome.FAIL: "the queue was not as deep as asked, or a clock is wrong: the numbers are not those of this queue depth",
            Outcome.UNKNOWN: "whether the queue was full is not known",
        },
        mend="use an engine that does not wait (`io_uring`, `libaio` with `direct=1`); `psync` has a queue of one whatever is asked",
    ),
    Rule(
        name="load.duration",
        judge=for_known_setup(_duration),
        meaning={
            Outcome.PASS: "the job came to the end it was given",
            Outcome.WARN: "the amount ran out before the time: the number is one of a moment, often inside a cache",
            Outcome.FAIL: "the job ended before its time and its amount: something stopped it",
            Outcome.UNKNOWN: "whether the job came to its end is not known",
        },
        mend="set `time_based=1` beside `runtime`, or a larger `size`; ask what ended the job",
    ),
    Rule(
        name="load.ramp",
        judge=for_known_setup(_ramp),
        meaning={
            Outcome.PASS: "the ramp is in none of the numbers, and nothing of it can be seen in the logs",
            Outcome.WARN: "fio does odd things with a ramp longer than the job, and hides more than it measures",
            Outcome.FAIL: "the ramp is in the numbers",
            Outcome.UNKNOWN: "whether the ramp is in the numbers is not known",
        },
        mend="keep the ramp shorter than the job, or leave it out and cut the series afterwards",
    ),
    Rule(
        name="load.rate",
        judge=for_known_setup(_arrivals),
        meaning={
            Outcome.PASS: "I/Os came at the rate asked for, whatever was late",
            Outcome.WARN: "waiting is not in the latencies, or the rate was missed: under load latency is under-reported",
            Outcome.UNKNOWN: "whether the rate was kept is not known",
        },
        mend="set `rate_process=poisson` and a rate that the drive keeps",
    ),
    Rule(
        name="load.jobs_alike",
        judge=_jobs_alike,
        meaning={
            Outcome.PASS: "all jobs ran beside each other",
            Outcome.WARN: "for a part of the time only some jobs ran: the rates are means of different loads",
        },
        mend="end jobs by time (`time_based=1`) and measure after a ramp",
    ),
)
