"""Checks of the latencies: is the clock sane, do the parts fit, are the distributions whole."""

from ssdlab import _core
from ssdlab.analysis.audit.facts import DirectionFacts, Facts, LatencyFacts, OwnLoad, VirtualTime, in_flight_at_ramp
from ssdlab.analysis.audit.rule import (
    AuditRule,
    RuleResult,
    compared,
    for_each_direction,
    not_applicable,
    passed,
    passed_if,
    together,
    unknown,
)
from ssdlab.analysis.audit.setup import ARRIVALS, Arrivals
from ssdlab.analysis.statistics.percentile import highest_percentile, latency_percentile_ns
from ssdlab.bundle.model import Outcome
from ssdlab.engine.result import Direction, Histogram, LatencyKind
from ssdlab.job import StepKind
from ssdlab.message import Message, commas, duration, message, number, si
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

_ROUNDING = 1.001
"""fio prints means with six digits; completion may exceed total latency by that, never by more."""
_LOW_END_SHARE = 0.5
"""METHODS 0: below this share of the total latency's median, the completion latency's is not credible."""
_SUM_SHARE = 0.01
_SUM_NS = 100.0
"""A reading of the clock between the parts."""
_BIN_SHARE = 1.008
"""fio prints the middle of a bin as a percentile, up to half a bin above the largest value."""


def _measured(facts: Facts, direction: Direction) -> RuleResult:
    one = facts.directions[direction]
    if not one.latency:
        return RuleResult(Outcome.WARN, message("audit-none-measured"))
    return passed(message("audit-measured", kinds=commas(*(kind.value for kind in one.latency))))


def _clat_within_lat(facts: Facts, direction: Direction) -> RuleResult:
    latency = facts.directions[direction].latency
    if LatencyKind.CLAT not in latency or LatencyKind.LAT not in latency:
        return unknown(message("audit-clat-or-lat-only"))
    clat_ns, lat_ns = latency[LatencyKind.CLAT].mean_ns, latency[LatencyKind.LAT].mean_ns
    finding = message("audit-mean-clat-and-lat", clat=duration(clat_ns), lat=duration(lat_ns))
    numbers = (compared("clat_mean", clat_ns, "ns"), compared("lat_mean", lat_ns, "ns"))
    return passed_if(clat_ns <= lat_ns * _ROUNDING, finding, *numbers)


def _sum(facts: Facts, direction: Direction) -> RuleResult:
    """fio counts both parts and the whole of each I/O, so their means add up."""
    one = facts.directions[direction]
    if isinstance(one.submission, Unknown):
        return not_applicable(one.submission)
    if LatencyKind.CLAT not in one.latency or LatencyKind.LAT not in one.latency:
        return unknown(message("audit-clat-or-lat-only"))
    slat_ns, clat_ns = one.submission.mean_ns, one.latency[LatencyKind.CLAT].mean_ns
    lat_ns = one.latency[LatencyKind.LAT].mean_ns
    finding = message("audit-latency-parts", slat=duration(slat_ns), clat=duration(clat_ns), lat=duration(lat_ns))
    numbers = (
        compared("slat_mean", slat_ns, "ns"),
        compared("clat_mean", clat_ns, "ns"),
        compared("lat_mean", lat_ns, "ns"),
    )
    return passed_if(abs(slat_ns + clat_ns - lat_ns) <= _SUM_SHARE * lat_ns + _SUM_NS, finding, *numbers)


def _clat_low_end(facts: Facts, direction: Direction) -> RuleResult:
    one = facts.directions[direction]
    arrivals = _arrivals(facts)
    if isinstance(facts.engine, VirtualTime | OwnLoad) and arrivals is not Arrivals.CLOSED_LOOP:
        # There `lat` counts from when an I/O was due, and what waits in the host is no fault of the measurement.
        return not_applicable(message("audit-arrivals", arrivals=ARRIVALS[arrivals]))
    if LatencyKind.CLAT not in one.latency or LatencyKind.LAT not in one.latency:
        return unknown(message("audit-clat-or-lat-only"))
    clat_ns, lat_ns = (_median_ns(one, kind) for kind in (LatencyKind.CLAT, LatencyKind.LAT))
    if isinstance(clat_ns, Unknown):
        return unknown(clat_ns)
    if isinstance(lat_ns, Unknown):
        return unknown(lat_ns)
    finding = message("audit-median-clat-and-lat", clat=duration(clat_ns), lat=duration(lat_ns))
    numbers = (compared("clat_p50", clat_ns, "ns"), compared("lat_p50", lat_ns, "ns"))
    return passed_if(clat_ns >= _LOW_END_SHARE * lat_ns, finding, *numbers, otherwise=Outcome.WARN)


def _arrivals(facts: Facts) -> Arrivals:
    return Arrivals.CLOSED_LOOP if isinstance(facts.setup, Unknown) else facts.setup.arrivals


def _median_ns(one: DirectionFacts, kind: LatencyKind) -> int | Unknown:
    latency = one.latency[kind]
    if not isinstance(latency.histogram, Unknown):
        found = latency_percentile_ns(latency.histogram, "50")
        return Unknown(message("audit-too-few-for-median")) if isinstance(found, Unknown) else found
    if 50.0 in latency.percentile_ns:
        return latency.percentile_ns[50.0]
    return Unknown(message("audit-no-median", kind=kind.value))


def _ordered(facts: Facts, direction: Direction) -> RuleResult:
    """Smallest, mean, percentiles and largest of each latency."""
    ranges, faults, numbers = [], [], []
    for kind, one in facts.directions[direction].latency.items():
        percentiles = [one.percentile_ns[share] for share in sorted(one.percentile_ns)]
        low, high = duration(one.min_ns), duration(one.max_ns)
        ranges.append(message("audit-latency-range", kind=kind.value, low=low, high=high))
        numbers += [
            compared(f"{kind.value}_min", one.min_ns, "ns"),
            compared(f"{kind.value}_mean", one.mean_ns, "ns"),
            compared(f"{kind.value}_max", one.max_ns, "ns"),
        ]
        if not one.min_ns <= one.mean_ns <= one.max_ns:
            faults.append(message("audit-mean-outside", kind=kind.value, mean=duration(one.mean_ns)))
        if percentiles != sorted(percentiles):
            faults.append(message("audit-percentiles-fall", kind=kind.value))
        if percentiles and percentiles[-1] > one.max_ns * _BIN_SHARE + 1:
            highest = duration(percentiles[-1])
            faults.append(message("audit-percentile-above-largest", kind=kind.value, percentile=highest))
    if not ranges:
        return not_applicable(message("audit-no-latency"))
    return passed_if(not faults, together(*ranges, *faults), *numbers)


def _histogram_whole(facts: Facts, direction: Direction) -> RuleResult:
    """Every I/O is in a bin, none in the last one, and the largest value lies in the last bin that is not empty."""
    one = facts.directions[direction]
    if not one.latency:
        return not_applicable(message("audit-no-latency"))
    findings: list[Message] = []
    numbers = [compared("ios", one.io_count)]
    whole, overflowed = True, False
    for kind, latency in one.latency.items():
        if isinstance(latency.histogram, Unknown):
            continue
        total = latency.histogram.total
        findings.append(message("audit-in-bins", total=total, ios=one.io_count, kind=kind.value))
        numbers.append(compared(f"{kind.value}_in_bins", total))
        last = int(latency.histogram.bin_index[-1]) if total else 0
        if last == _core.BIN_COUNT - 1:
            overflowed = True
            findings.append(_beyond(latency.histogram, last))
        elif not _holds(last, latency.max_ns):
            whole = False
            findings.append(message("audit-largest-not-in-bin", largest=duration(latency.max_ns)))
        whole = whole and abs(total - one.io_count) <= in_flight_at_ramp(facts)
    if not findings:
        return unknown(message("audit-no-bins-in-json"))
    outcome = Outcome.FAIL if not whole else Outcome.WARN if overflowed else Outcome.PASS
    return RuleResult(outcome, together(*findings), tuple(numbers))


def _beyond(histogram: Histogram, last: int) -> Message:
    seconds = number(_core.bin_low(last) / NS_PER_S, ".1f")
    return message("audit-beyond-bins", count=int(histogram.count[-1]), seconds=seconds)


def _holds(bin_index: int, value_ns: int) -> bool:
    """Whether a value belongs to a bin; to the neighbours too, because fio bins values before it rounds them."""
    below, above = max(0, bin_index - 1), min(_core.BIN_COUNT - 1, bin_index + 1)
    return _core.bin_low(below) <= value_ns <= _core.bin_high(above)


def _percentile_samples(facts: Facts, direction: Direction) -> RuleResult:
    if facts.purpose is StepKind.RAMP:
        return not_applicable(message("audit-no-percentile-of-ramp"))
    io_count = facts.directions[direction].io_count
    highest = highest_percentile(io_count)
    numbers = (compared("ios", io_count), compared("highest", highest or "none", "%"))
    if highest is None:
        return RuleResult(Outcome.WARN, message("audit-too-few-ios", ios=io_count), numbers)
    finding = message("audit-highest-percentile", ios=si(io_count), highest=highest)
    return RuleResult(Outcome.PASS, finding, numbers)


_LATE_MEAN_SHARE = 0.1
_LATE_TAIL_SHARE = 0.5
"""Half of the slowest replies' time: a percentile is no sum, so not all of what is late at its rank is in it."""


def _host_on_time(facts: Facts) -> RuleResult:
    """What a virtual drive's server was late, against what the I/Os took: on the mean, and at the 99th percentile.

    A reply leaves after the moment that the model decided by as much as the host held its server up. Means add, so the share of the
    mean is the share of every rate, too. Percentiles do not, but the tail cannot be told from the host's where that is as long.
    """
    late = facts.sensed if isinstance(facts.sensed, Unknown) else facts.sensed.late
    if isinstance(late, Unknown):
        return not_applicable(late)
    measured = [found for one in (facts.directions, facts.beside) for found in one.values() if found.latency]
    latencies = [one.latency.get(LatencyKind.LAT, next(iter(one.latency.values()))) for one in measured]
    count = sum(one.count for one in latencies)
    if not count:
        return unknown(message("audit-no-latency-beside-replies"))
    mean_ns = sum(one.count * one.mean_ns for one in latencies) / count
    share = number(late.mean_ns / mean_ns, ".1%")
    finding = message("audit-replies-late", late=duration(late.mean_ns), share=share)
    numbers = [compared("late_mean", late.mean_ns, "ns"), compared("lat_mean", mean_ns, "ns")]
    on_time = late.mean_ns <= _LATE_MEAN_SHARE * mean_ns
    tails = [_percentile_ns(one, "99") for one in latencies]
    known = [one for one in tails if not isinstance(one, Unknown)]
    if known and not isinstance(late.p99_ns, Unknown):
        tail_ns = min(known)
        share = number(late.p99_ns / tail_ns, ".1%")
        finding = together(finding, message("audit-replies-late-tail", late=duration(late.p99_ns), share=share))
        numbers += [compared("late_p99", late.p99_ns, "ns"), compared("lat_p99", tail_ns, "ns")]
        on_time = on_time and late.p99_ns <= _LATE_TAIL_SHARE * tail_ns
    return passed_if(on_time, finding, *numbers, otherwise=Outcome.WARN)


def _percentile_ns(latency: LatencyFacts, percent: str) -> int | Unknown:
    if not isinstance(latency.histogram, Unknown):
        return latency_percentile_ns(latency.histogram, percent)
    return latency.percentile_ns.get(float(percent), Unknown(message("audit-no-percentile", percent=percent)))


RULES = (
    AuditRule(
        name="latency.measured",
        judge=for_each_direction(_measured),
        meaning={
            Outcome.PASS: message("audit-latency-measured-pass"),
            Outcome.WARN: message("audit-latency-measured-warn"),
        },
        remedy=message("audit-latency-measured-remedy"),
    ),
    AuditRule(
        name="latency.clat_within_lat",
        judge=for_each_direction(_clat_within_lat),
        meaning={
            Outcome.PASS: message("audit-latency-clat-within-lat-pass"),
            Outcome.FAIL: message("audit-latency-clat-within-lat-fail"),
            Outcome.UNKNOWN: message("audit-clat-unchecked"),
        },
        remedy=message("audit-latency-clat-within-lat-remedy"),
    ),
    AuditRule(
        name="latency.sum",
        judge=for_each_direction(_sum),
        meaning={
            Outcome.PASS: message("audit-latency-sum-pass"),
            Outcome.FAIL: message("audit-latency-sum-fail"),
            Outcome.UNKNOWN: message("audit-clat-unchecked"),
        },
        remedy=message("audit-latency-sum-remedy"),
    ),
    AuditRule(
        name="latency.clat_low_end",
        judge=for_each_direction(_clat_low_end),
        meaning={
            Outcome.PASS: message("audit-latency-clat-low-end-pass"),
            Outcome.WARN: message("audit-latency-clat-low-end-warn"),
            Outcome.UNKNOWN: message("audit-clat-unchecked"),
        },
        remedy=message("audit-latency-clat-low-end-remedy"),
    ),
    AuditRule(
        name="latency.ordered",
        judge=for_each_direction(_ordered),
        meaning={
            Outcome.PASS: message("audit-latency-ordered-pass"),
            Outcome.FAIL: message("audit-latency-ordered-fail"),
        },
        remedy=message("audit-latency-ordered-remedy"),
    ),
    AuditRule(
        name="latency.histogram_whole",
        judge=for_each_direction(_histogram_whole),
        meaning={
            Outcome.PASS: message("audit-latency-histogram-whole-pass"),
            Outcome.WARN: message("audit-latency-histogram-whole-warn"),
            Outcome.FAIL: message("audit-latency-histogram-whole-fail"),
            Outcome.UNKNOWN: message("audit-latency-histogram-whole-unknown"),
        },
        remedy=message("audit-latency-histogram-whole-remedy"),
    ),
    AuditRule(
        name="latency.percentile_samples",
        judge=for_each_direction(_percentile_samples),
        meaning={
            Outcome.PASS: message("audit-latency-percentile-samples-pass"),
            Outcome.WARN: message("audit-latency-percentile-samples-warn"),
        },
        remedy=message("audit-latency-percentile-samples-remedy"),
    ),
    AuditRule(
        name="latency.host_on_time",
        judge=_host_on_time,
        meaning={
            Outcome.PASS: message("audit-latency-host-on-time-pass"),
            Outcome.WARN: message("audit-latency-host-on-time-warn"),
            Outcome.UNKNOWN: message("audit-latency-host-on-time-unknown"),
        },
        remedy=message("audit-latency-host-on-time-remedy"),
    ),
)
