"""Checks of the latencies: is the clock sane, do the parts fit, are the distributions whole."""

from ssdlab import _core
from ssdlab.analysis.audit_facts import DirectionFacts, Facts, LatencyFacts, in_flight_at_ramp
from ssdlab.analysis.percentile import highest_percentile, latency_percentile_ns
from ssdlab.analysis.verdict import Rule, Verdict, compared, for_each_direction, not_applicable, passed_if, unknown
from ssdlab.bundle.model import Outcome
from ssdlab.engine.result import Direction, Histogram, LatencyKind
from ssdlab.job import StepKind
from ssdlab.units import NS_PER_S, format_duration, format_si
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


def _measured(facts: Facts, direction: Direction) -> Verdict:
    one = facts.directions[direction]
    kinds = ", ".join(kind.value for kind in one.latency)
    return passed_if(bool(one.latency), kinds or "fio measured none", otherwise=Outcome.WARN)


def _clat_within_lat(facts: Facts, direction: Direction) -> Verdict:
    latency = facts.directions[direction].latency
    if LatencyKind.CLAT not in latency or LatencyKind.LAT not in latency:
        return unknown("the engine reports only one of clat and lat")
    clat_ns, lat_ns = latency[LatencyKind.CLAT].mean_ns, latency[LatencyKind.LAT].mean_ns
    finding = f"mean clat {format_duration(clat_ns)}, mean lat {format_duration(lat_ns)}"
    numbers = (compared("clat_mean", clat_ns, "ns"), compared("lat_mean", lat_ns, "ns"))
    return passed_if(clat_ns <= lat_ns * _ROUNDING, finding, *numbers)


def _sum(facts: Facts, direction: Direction) -> Verdict:
    """fio counts both parts and the whole of each I/O, so their means add up."""
    one = facts.directions[direction]
    if isinstance(one.submission, Unknown):
        return not_applicable(one.submission.unknown)
    if LatencyKind.CLAT not in one.latency or LatencyKind.LAT not in one.latency:
        return unknown("the engine reports only one of clat and lat")
    slat_ns, clat_ns = one.submission.mean_ns, one.latency[LatencyKind.CLAT].mean_ns
    lat_ns = one.latency[LatencyKind.LAT].mean_ns
    finding = f"mean slat {format_duration(slat_ns)} + clat {format_duration(clat_ns)}, lat {format_duration(lat_ns)}"
    numbers = (
        compared("slat_mean", slat_ns, "ns"),
        compared("clat_mean", clat_ns, "ns"),
        compared("lat_mean", lat_ns, "ns"),
    )
    return passed_if(abs(slat_ns + clat_ns - lat_ns) <= _SUM_SHARE * lat_ns + _SUM_NS, finding, *numbers)


def _clat_low_end(facts: Facts, direction: Direction) -> Verdict:
    one = facts.directions[direction]
    if LatencyKind.CLAT not in one.latency or LatencyKind.LAT not in one.latency:
        return unknown("the engine reports only one of clat and lat")
    clat_ns, lat_ns = (_median_ns(one, kind) for kind in (LatencyKind.CLAT, LatencyKind.LAT))
    if isinstance(clat_ns, Unknown):
        return unknown(clat_ns.unknown)
    if isinstance(lat_ns, Unknown):
        return unknown(lat_ns.unknown)
    finding = f"median clat {format_duration(clat_ns)}, median lat {format_duration(lat_ns)}"
    numbers = (compared("clat_p50", clat_ns, "ns"), compared("lat_p50", lat_ns, "ns"))
    return passed_if(clat_ns >= _LOW_END_SHARE * lat_ns, finding, *numbers, otherwise=Outcome.WARN)


def _median_ns(one: DirectionFacts, kind: LatencyKind) -> int | Unknown:
    latency = one.latency[kind]
    if not isinstance(latency.histogram, Unknown):
        found = latency_percentile_ns(latency.histogram, "50")
        return Unknown("too few I/Os for a median") if isinstance(found, Unknown) else found
    if 50.0 in latency.percentile_ns:
        return latency.percentile_ns[50.0]
    return Unknown(f"fio printed no median of {kind.value} (`{kind.value}_percentiles=1`)")


def _ordered(facts: Facts, direction: Direction) -> Verdict:
    """Smallest, mean, percentiles and largest of each latency."""
    words, faults, numbers = [], [], []
    for kind, one in facts.directions[direction].latency.items():
        percentiles = [one.percentile_ns[share] for share in sorted(one.percentile_ns)]
        words.append(f"{kind.value} {format_duration(one.min_ns)} to {format_duration(one.max_ns)}")
        numbers += [
            compared(f"{kind.value}_min", one.min_ns, "ns"),
            compared(f"{kind.value}_mean", one.mean_ns, "ns"),
            compared(f"{kind.value}_max", one.max_ns, "ns"),
        ]
        if not one.min_ns <= one.mean_ns <= one.max_ns:
            faults.append(f"the mean of {kind.value}, {format_duration(one.mean_ns)}, is outside")
        if percentiles != sorted(percentiles):
            faults.append(f"percentiles of {kind.value} do not rise")
        if percentiles and percentiles[-1] > one.max_ns * _BIN_SHARE + 1:
            faults.append(f"a percentile of {kind.value}, {format_duration(percentiles[-1])}, is above the largest")
    if not words:
        return not_applicable("no latency was measured")
    return passed_if(not faults, "; ".join([*words, *faults]), *numbers)


def _histogram_whole(facts: Facts, direction: Direction) -> Verdict:
    """Every I/O is in a bin, none in the last one, and the largest value lies in the last bin that is not empty."""
    one = facts.directions[direction]
    if not one.latency:
        return not_applicable("no latency was measured")
    findings: list[str] = []
    numbers = [compared("ios", one.io_count)]
    whole, overflowed = True, False
    for kind, latency in one.latency.items():
        if isinstance(latency.histogram, Unknown):
            continue
        total = latency.histogram.total
        findings.append(f"{total} of {one.io_count} I/Os in the {kind.value} bins")
        numbers.append(compared(f"{kind.value}_in_bins", total))
        last = int(latency.histogram.bin_index[-1]) if total else 0
        if last == _core.BIN_COUNT - 1:
            overflowed = True
            findings.append(_beyond(latency.histogram, last))
        elif not _holds(last, latency.max_ns):
            whole = False
            findings.append(f"the largest, {format_duration(latency.max_ns)}, is not in the last bin used")
        whole = whole and abs(total - one.io_count) <= in_flight_at_ramp(facts)
    if not findings:
        return unknown("the JSON has no latency bins")
    outcome = Outcome.FAIL if not whole else Outcome.WARN if overflowed else Outcome.PASS
    return Verdict(outcome, "; ".join(findings), tuple(numbers))


def _beyond(histogram: Histogram, last: int) -> str:
    return f"{int(histogram.count[-1])} of them above {_core.bin_low(last) / NS_PER_S:.1f} s, the last bin"


def _holds(bin_index: int, value_ns: int) -> bool:
    """Whether a value belongs to a bin; to the neighbours too, because fio bins values before it rounds them."""
    below, above = max(0, bin_index - 1), min(_core.BIN_COUNT - 1, bin_index + 1)
    return _core.bin_low(below) <= value_ns <= _core.bin_high(above)


def _percentile_samples(facts: Facts, direction: Direction) -> Verdict:
    if facts.purpose is StepKind.RAMP:
        return not_applicable("no percentile is given of a ramp")
    io_count = facts.directions[direction].io_count
    highest = highest_percentile(io_count)
    numbers = (compared("ios", io_count), compared("highest", highest or "none", "%"))
    if highest is None:
        return Verdict(Outcome.WARN, f"{io_count} I/Os: too few even for a median", numbers)
    finding = f"{format_si(io_count)} I/Os: percentiles up to {highest} % have 10 samples above them"
    return Verdict(Outcome.PASS, finding, numbers)


_LATE_MEAN_SHARE = 0.1
_LATE_TAIL_SHARE = 0.5
"""Half of the slowest replies' time: a percentile is no sum, so not all of what is late at its rank is in it."""


def _host_on_time(facts: Facts) -> Verdict:
    """What a virtual drive's server was late, against what the I/Os took: on the mean, and at the 99th percentile.

    A reply leaves after the moment that the model decided by as much as the host held its server up. Means add, so the share of the
    mean is the share of every rate, too. Percentiles do not, but the tail cannot be told from the host's where that is as long.
    """
    late = facts.sensed if isinstance(facts.sensed, Unknown) else facts.sensed.late
    if isinstance(late, Unknown):
        return not_applicable(late.unknown)
    measured = [found for one in (facts.directions, facts.beside) for found in one.values() if found.latency]
    latencies = [one.latency.get(LatencyKind.LAT, next(iter(one.latency.values()))) for one in measured]
    count = sum(one.count for one in latencies)
    if not count:
        return unknown("no latency was measured that replies could be held against")
    mean_ns = sum(one.count * one.mean_ns for one in latencies) / count
    finding = (
        f"replies left {format_duration(late.mean_ns)} late on the mean, {late.mean_ns / mean_ns:.1%} of the latency"
    )
    numbers = [compared("late_mean", late.mean_ns, "ns"), compared("lat_mean", mean_ns, "ns")]
    on_time = late.mean_ns <= _LATE_MEAN_SHARE * mean_ns
    tails = [_percentile_ns(one, "99") for one in latencies]
    known = [one for one in tails if not isinstance(one, Unknown)]
    if known and not isinstance(late.p99_ns, Unknown):
        tail_ns = min(known)
        finding += f"; 99 % by {format_duration(late.p99_ns)}, {late.p99_ns / tail_ns:.1%} of that percentile"
        numbers += [compared("late_p99", late.p99_ns, "ns"), compared("lat_p99", tail_ns, "ns")]
        on_time = on_time and late.p99_ns <= _LATE_TAIL_SHARE * tail_ns
    return passed_if(on_time, finding, *numbers, otherwise=Outcome.WARN)


def _percentile_ns(latency: LatencyFacts, percent: str) -> int | Unknown:
    if not isinstance(latency.histogram, Unknown):
        return latency_percentile_ns(latency.histogram, percent)
    return latency.percentile_ns.get(float(percent), Unknown(f"fio printed no percentile {percent}"))


_NO_CLAT = "completion latency alone cannot be checked against total latency"

RULES = (
    Rule(
        name="latency.measured",
        judge=for_each_direction(_measured),
        meaning={
            Outcome.PASS: "latency was measured",
            Outcome.WARN: "there is no latency to judge the drive by, and Little's law cannot be asked",
        },
        mend="leave out `gtod_reduce` and `disable_lat`",
    ),
    Rule(
        name="latency.clat_within_lat",
        judge=for_each_direction(_clat_within_lat),
        meaning={
            Outcome.PASS: "completion latency lies within total latency, as it must",
            Outcome.FAIL: "fio's completion latencies are wrong (before 3.36 with sqthread_poll they are garbage): use lat",
            Outcome.UNKNOWN: _NO_CLAT,
        },
        mend="use lat; measure again with fio 3.36 or newer, or without `sqthread_poll`",
    ),
    Rule(
        name="latency.sum",
        judge=for_each_direction(_sum),
        meaning={
            Outcome.PASS: "submission and completion add up to the total",
            Outcome.FAIL: "the parts of the latency do not add up: one of fio's clocks is wrong",
            Outcome.UNKNOWN: _NO_CLAT,
        },
        mend="use lat; measure again with another version of fio",
    ),
    Rule(
        name="latency.clat_low_end",
        judge=for_each_direction(_clat_low_end),
        meaning={
            Outcome.PASS: "completion latency is credible at its low end",
            Outcome.WARN: "completion latency undershoots, as it can when I/Os complete while they are submitted: use lat",
            Outcome.UNKNOWN: _NO_CLAT,
        },
        mend="use lat; ask fio for it with `lat_percentiles=1`",
    ),
    Rule(
        name="latency.ordered",
        judge=for_each_direction(_ordered),
        meaning={
            Outcome.PASS: "smallest, mean, percentiles and largest stand in order",
            Outcome.FAIL: "smallest, mean, percentiles and largest contradict each other: they are not of one set of I/Os",
        },
        mend="use the JSON as fio wrote it, and never percentiles that were averaged",
    ),
    Rule(
        name="latency.histogram_whole",
        judge=for_each_direction(_histogram_whole),
        meaning={
            Outcome.PASS: "every I/O is in the latency distribution",
            Outcome.WARN: "the slowest I/Os are known only by the largest of them; percentiles that reach them are not given",
            Outcome.FAIL: "the latency distribution is not that of all I/Os: percentiles cannot be trusted",
            Outcome.UNKNOWN: "whether the percentiles are those of all I/Os is not known",
        },
        mend="run fio with --output-format=json+; for I/Os above 17 s only their largest latency is known",
    ),
    Rule(
        name="latency.percentile_samples",
        judge=for_each_direction(_percentile_samples),
        meaning={
            Outcome.PASS: "higher percentiles are not given",
            Outcome.WARN: "no latency percentile is given",
        },
        mend="measure longer",
    ),
    Rule(
        name="latency.host_on_time",
        judge=_host_on_time,
        meaning={
            Outcome.PASS: "the virtual drive replied when its model said",
            Outcome.WARN: "a part of these latencies is the host's, which let the virtual drive's server wait: the drive is faster",
            Outcome.UNKNOWN: "how much of the time was the host's is not known",
        },
        mend="stop what else runs on the host, or take `model:` in place of `virtual:`, whose time is never late",
    ),
)
