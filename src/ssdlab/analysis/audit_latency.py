"""Checks of the latencies: is the clock sane, are the distributions whole."""

from ssdlab import _core
from ssdlab.analysis.evidence import Evidence
from ssdlab.analysis.percentile import highest_percentile, latency_percentile_ns
from ssdlab.analysis.verdict import Rule, Verdict, for_each_direction, passed_if, totals_of
from ssdlab.bundle.model import Outcome
from ssdlab.engine.result import Direction, LatencyKind
from ssdlab.units import NS_PER_S, format_duration, format_si
from ssdlab.unknown import Unknown

_ROUNDING = 1.001
"""fio prints means with six digits; completion may exceed total latency by that, never by more."""
_LOW_END_SHARE = 0.5
"""METHODS 0: below this share of the total latency's median, the completion latency's is not credible."""
_QUEUE_WARN, _QUEUE_FAIL = 0.10, 0.25
"""Between a completion and the next submission fio spends a few microseconds that no latency counts: up to a tenth of the
queue on the fastest drives at QD1. A quarter is more than any host should need, and more in flight than asked is impossible."""


def _clat_within_lat(evidence: Evidence, direction: Direction) -> Verdict:
    latency = totals_of(evidence, direction).latency
    if LatencyKind.CLAT not in latency or LatencyKind.LAT not in latency:
        return Verdict(Outcome.UNKNOWN, "the engine reports only one of clat and lat")
    clat_ns, lat_ns = latency[LatencyKind.CLAT].mean_ns, latency[LatencyKind.LAT].mean_ns
    finding = f"mean clat {format_duration(clat_ns)}, mean lat {format_duration(lat_ns)}"
    return passed_if(clat_ns <= lat_ns * _ROUNDING, finding)


def _clat_low_end(evidence: Evidence, direction: Direction) -> Verdict:
    distributions = evidence.latency[direction]
    if LatencyKind.CLAT not in distributions or LatencyKind.LAT not in distributions:
        return Verdict(Outcome.UNKNOWN, "the engine reports only one of clat and lat")
    clat_ns = latency_percentile_ns(distributions[LatencyKind.CLAT], "50")
    lat_ns = latency_percentile_ns(distributions[LatencyKind.LAT], "50")
    if isinstance(clat_ns, Unknown) or isinstance(lat_ns, Unknown):
        return Verdict(Outcome.UNKNOWN, "too few I/Os for a median")
    finding = f"median clat {format_duration(clat_ns)}, median lat {format_duration(lat_ns)}"
    return passed_if(clat_ns >= _LOW_END_SHARE * lat_ns, finding, Outcome.WARN)


def _histogram_whole(evidence: Evidence, direction: Direction) -> Verdict:
    """Every I/O is in a bin, none in the last one, and the largest value lies in the last bin that is not empty."""
    io_count = totals_of(evidence, direction).io_count
    findings: list[str] = []
    whole, overflowed = True, False
    for kind, histogram in evidence.latency[direction].items():
        findings.append(f"{histogram.total} of {io_count} I/Os in the {kind.value} bins")
        last = int(histogram.bin_index[-1]) if histogram.total else 0
        if last == _core.BIN_COUNT - 1:
            overflowed = True
            findings.append(
                f"{int(histogram.count[-1])} of them above {_core.bin_low(last) / NS_PER_S:.1f} s, the last bin"
            )
        elif not _holds(last, histogram.max_ns):
            whole = False
            findings.append(f"the largest, {format_duration(histogram.max_ns)}, is not in the last bin used")
        whole = whole and histogram.total == io_count
    outcome = Outcome.FAIL if not whole else Outcome.WARN if overflowed else Outcome.PASS
    return Verdict(outcome, "; ".join(findings))


def _holds(bin_index: int, value_ns: int) -> bool:
    """Whether a value belongs to a bin; to the neighbours too, because fio bins values before it rounds them."""
    below, above = max(0, bin_index - 1), min(_core.BIN_COUNT - 1, bin_index + 1)
    return _core.bin_low(below) <= value_ns <= _core.bin_high(above)


def _percentile_samples(evidence: Evidence, direction: Direction) -> Verdict:
    io_count = totals_of(evidence, direction).io_count
    highest = highest_percentile(io_count)
    if highest is None:
        return Verdict(Outcome.WARN, f"{io_count} I/Os: too few even for a median")
    return Verdict(
        Outcome.PASS, f"{format_si(io_count)} I/Os: percentiles up to {highest} % have 10 samples above them"
    )


def _littles_law(evidence: Evidence, direction: Direction) -> Verdict | None:
    job, totals = evidence.job, totals_of(evidence, direction)
    if job.rate_iops is not None or len(evidence.result.directions) != 1:
        return None
    if LatencyKind.LAT not in totals.latency or not totals.runtime_ns:
        return Verdict(Outcome.UNKNOWN, "the engine reports no total latency or no run time")
    asked = job.queue_depth * job.jobs
    in_flight = totals.io_count / totals.runtime_ns * totals.latency[LatencyKind.LAT].mean_ns
    # While the queue fills and drains it is half full on average: at most this share of all I/Os.
    ends = asked / max(1, totals.io_count)
    deviation = max(0.0, abs(in_flight / asked - 1) - ends)
    finding = f"QD {asked} asked, IOPS x mean latency gives {in_flight:.3g}"
    if deviation <= _QUEUE_WARN:
        return Verdict(Outcome.PASS, finding)
    return Verdict(Outcome.WARN if deviation <= _QUEUE_FAIL else Outcome.FAIL, finding)


_NO_CLAT = "completion latency alone cannot be checked against total latency"

RULES = (
    Rule(
        name="latency.clat_within_lat",
        judge=for_each_direction(_clat_within_lat),
        meaning={
            Outcome.PASS: "completion latency lies within total latency, as it must",
            Outcome.FAIL: "fio's completion latencies are wrong (before 3.36 with sqthread_poll they are garbage): use lat",
            Outcome.UNKNOWN: _NO_CLAT,
        },
    ),
    Rule(
        name="latency.clat_low_end",
        judge=for_each_direction(_clat_low_end),
        meaning={
            Outcome.PASS: "completion latency is credible at its low end",
            Outcome.WARN: "completion latency undershoots, as it can when I/Os complete while they are submitted: use lat",
            Outcome.UNKNOWN: _NO_CLAT,
        },
    ),
    Rule(
        name="latency.histogram_whole",
        judge=for_each_direction(_histogram_whole),
        meaning={
            Outcome.PASS: "every I/O is in the latency distribution",
            Outcome.WARN: "the slowest I/Os are known only by the largest of them; percentiles that reach them are not given",
            Outcome.FAIL: "the latency distribution is not that of all I/Os: percentiles cannot be trusted",
        },
    ),
    Rule(
        name="latency.percentile_samples",
        judge=for_each_direction(_percentile_samples),
        meaning={
            Outcome.PASS: "higher percentiles are not given",
            Outcome.WARN: "no latency percentile is given",
        },
    ),
    Rule(
        name="queue.littles_law",
        judge=for_each_direction(_littles_law),
        meaning={
            Outcome.PASS: "as many I/Os were in flight as asked for",
            Outcome.WARN: "the queue was not quite as deep as asked: the host takes a noticeable part of the time",
            Outcome.FAIL: "the queue was not as deep as asked, or a clock is wrong: the numbers are not those of this queue depth",
            Outcome.UNKNOWN: "whether the queue was full is not known",
        },
    ),
)
