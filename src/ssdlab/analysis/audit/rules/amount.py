"""Checks of amounts: do all counts of bytes agree, did every I/O succeed, what was written."""

import numpy as np

from ssdlab import _core
from ssdlab.analysis.audit.facts import DirectionFacts, Facts, LatencyFacts, Origin, VirtualTime, in_flight_at_ramp
from ssdlab.analysis.audit.rule import (
    AuditRule,
    RuleResult,
    compared,
    for_each_direction,
    not_applicable,
    passed_if,
    together,
    unknown,
)
from ssdlab.analysis.audit.setup import CONTENTS, Contents
from ssdlab.bundle.model import Outcome
from ssdlab.engine.result import Direction, LatencyKind
from ssdlab.message import bandwidth, message, number, si, size
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

_LOG_SHARE = 0.01
"""Logs and totals that differ by more do not describe the same I/O."""
_RATE_SHARE = 0.005
"""fio counts run times in whole milliseconds; jobs shorter than 0.2 s are rounded by more than this, and are allowed it."""


def _logs_agree(facts: Facts, direction: Direction) -> RuleResult:
    """The engine logs a window when it is over, so what was done after the last whole window is missing from its logs."""
    one = facts.directions[direction]
    if isinstance(one.logged_bytes, Unknown):
        return not_applicable(one.logged_bytes)
    difference_bytes = one.logged_bytes - one.io_bytes
    unlogged_bytes = _unlogged_bytes_max(facts, one) if difference_bytes < 0 else 0
    share = difference_bytes / max(1, one.io_bytes)
    finding = message(
        "audit-logged", logged=size(one.logged_bytes), total=size(one.io_bytes), share=number(share, "+.2%")
    )
    numbers = [compared("logged", one.logged_bytes, "B"), compared("total", one.io_bytes, "B")]
    if isinstance(unlogged_bytes, Unknown):
        if abs(share) > _LOG_SHARE:
            return unknown(together(finding, message("audit-last-window-unknown", why=unlogged_bytes.reason)))
        unlogged_bytes = 0
    numbers.append(compared("last_window_max", unlogged_bytes, "B"))
    if unlogged_bytes:
        finding = message("audit-logged-but-last-window", compared=finding, unlogged=size(unlogged_bytes))
    return passed_if(abs(difference_bytes) <= _LOG_SHARE * one.io_bytes + unlogged_bytes, finding, *numbers)


def _unlogged_bytes_max(facts: Facts, one: DirectionFacts) -> float | Unknown:
    """What the last window can hold, however fast the drive suddenly was: as many of the briefest I/Os as there was time for.

    No more I/Os are in flight at a time than the queues are deep. All I/Os that were completed in a window, but for those in
    flight when it began, took their whole latency in it, so these latencies add up to no more than its length times the depth.
    """
    windows, setup = one.windows, facts.setup
    if isinstance(setup, Unknown):
        return setup
    if isinstance(setup.jobs, Unknown):
        return setup.jobs
    if isinstance(setup.block_bytes, Unknown):
        return setup.block_bytes
    depth = setup.queue_depth * setup.jobs
    if isinstance(windows, Unknown):
        return depth * setup.block_bytes
    measured = [one.latency[kind] for kind in (LatencyKind.LAT, LatencyKind.CLAT) if kind in one.latency]
    if not measured:
        return Unknown(message("audit-no-latency"))
    length_ns = max(windows.window_ns, int(windows.duration_ns[-1])) if len(windows.end_ns) else windows.window_ns
    return (depth + _ios_within(measured[0], depth * length_ns)) * setup.block_bytes


def _ios_within(latency: LatencyFacts, total_ns: int) -> float:
    """How many of the I/Os can at most have taken so long together."""
    if isinstance(latency.histogram, Unknown):
        return min(float(latency.count), total_ns / max(1, latency.min_ns))
    low_ns = [max(latency.min_ns, _core.bin_low(index)) for index in latency.histogram.bin_index.tolist()]
    count = latency.histogram.count
    together_ns = np.cumsum(np.array(low_ns, dtype=np.float64) * count)
    return float(np.interp(total_ns, np.append(0.0, together_ns), np.append(0, np.cumsum(count))))


def _series_agrees(facts: Facts, direction: Direction) -> RuleResult:
    one = facts.directions[direction]
    if facts.origin is Origin.FOREIGN:
        return not_applicable(message("audit-only-logged-windows"))
    if isinstance(one.windows, Unknown):
        return not_applicable(one.windows)
    if isinstance(one.windows.done_bytes, Unknown):
        return unknown(one.windows.done_bytes)
    counted_bytes = float(one.windows.done_bytes.sum())
    share = counted_bytes / max(1, one.io_bytes) - 1
    finding = message(
        "audit-in-windows", windows=size(counted_bytes), total=size(one.io_bytes), share=number(share, "+.2%")
    )
    numbers = (compared("windows", counted_bytes, "B"), compared("total", one.io_bytes, "B"))
    return passed_if(abs(share) <= _LOG_SHARE, finding, *numbers)


def _totals_agree(facts: Facts, direction: Direction) -> RuleResult:
    """Bytes, I/Os and rates that fio prints side by side."""
    one = facts.directions[direction]
    numbers = [compared("total", one.io_bytes, "B"), compared("ios", one.io_count)]
    block = facts.setup if isinstance(facts.setup, Unknown) else facts.setup.block_bytes
    totals = message("audit-totals", ios=si(one.io_count), total=size(one.io_bytes))
    faults = []
    if not isinstance(block, Unknown):
        numbers.append(compared("block", block, "B"))
        totals = message("audit-totals-of-blocks", totals=totals, block=size(block))
        if abs(one.io_count * block - one.io_bytes) > block * (1 + one.short_ios + in_flight_at_ramp(facts)):
            faults.append(message("audit-mean-length", length=size(one.io_bytes / max(1, one.io_count))))
    if not isinstance(one.rates, Unknown) and one.runtime_ns:
        rate = one.io_bytes / one.runtime_ns * NS_PER_S
        numbers.append(compared("bandwidth", one.rates.bandwidth_bytes_per_s, "B/s"))
        allowed = _RATE_SHARE + NS_PER_S / 1000 / one.runtime_ns
        if abs(one.rates.bandwidth_bytes_per_s - rate) > allowed * rate:
            printed = bandwidth(one.rates.bandwidth_bytes_per_s)
            faults.append(message("audit-bandwidth-differs", printed=printed, computed=bandwidth(rate)))
        if abs(one.rates.iops * one.runtime_ns / NS_PER_S - one.io_count) > allowed * one.io_count + 1:
            faults.append(message("audit-iops-differ", iops=number(one.rates.iops, ".0f"), ios=one.io_count))
    return passed_if(not faults, together(totals, *faults), *numbers)


def _no_errors(facts: Facts) -> RuleResult:
    count = facts.error_count
    return passed_if(count == 0, message("audit-errors", count=count), compared("errors", count))


def _no_short_ios(facts: Facts, direction: Direction) -> RuleResult:
    one = facts.directions[direction]
    finding = message("audit-short", short=one.short_ios, ios=one.io_count)
    numbers = (compared("short", one.short_ios), compared("ios", one.io_count))
    return passed_if(one.short_ios == 0, finding, *numbers, otherwise=Outcome.WARN)


_OUTCOMES = {
    Contents.FRESH: Outcome.PASS,
    Contents.SHAPED: Outcome.PASS,
    Contents.SCRAMBLED: Outcome.WARN,
    Contents.REPEATED: Outcome.FAIL,
    Contents.CONSTANT: Outcome.FAIL,
}


def _contents(facts: Facts) -> RuleResult:
    setup = facts.setup
    if isinstance(facts.engine, VirtualTime):
        return not_applicable(message("audit-virtual-no-data"))
    if isinstance(setup, Unknown):
        return unknown(setup)
    if not setup.writes:
        return not_applicable(message("audit-writes-nothing"))
    if isinstance(setup.contents, Unknown):
        return unknown(setup.contents)
    return RuleResult(_OUTCOMES[setup.contents], CONTENTS[setup.contents])


RULES = (
    AuditRule(
        name="bytes.logs_agree",
        judge=for_each_direction(_logs_agree),
        meaning={
            Outcome.PASS: message("audit-bytes-logs-agree-pass"),
            Outcome.FAIL: message("audit-bytes-logs-agree-fail"),
            Outcome.UNKNOWN: message("audit-bytes-logs-agree-unknown"),
        },
        remedy=message("audit-bytes-logs-agree-remedy"),
    ),
    AuditRule(
        name="bytes.series_agrees",
        judge=for_each_direction(_series_agrees),
        meaning={
            Outcome.PASS: message("audit-bytes-series-agrees-pass"),
            Outcome.FAIL: message("audit-bytes-series-agrees-fail"),
            Outcome.UNKNOWN: message("audit-bytes-series-agrees-unknown"),
        },
        remedy=message("audit-bytes-series-agrees-remedy"),
    ),
    AuditRule(
        name="bytes.totals_agree",
        judge=for_each_direction(_totals_agree),
        meaning={
            Outcome.PASS: message("audit-bytes-totals-agree-pass"),
            Outcome.FAIL: message("audit-bytes-totals-agree-fail"),
        },
        remedy=message("audit-bytes-totals-agree-remedy"),
    ),
    AuditRule(
        name="io.errors",
        judge=_no_errors,
        meaning={
            Outcome.PASS: message("audit-io-errors-pass"),
            Outcome.FAIL: message("audit-io-errors-fail"),
        },
        remedy=message("audit-io-errors-remedy"),
    ),
    AuditRule(
        name="io.short",
        judge=for_each_direction(_no_short_ios),
        meaning={
            Outcome.PASS: message("audit-io-short-pass"),
            Outcome.WARN: message("audit-io-short-warn"),
        },
        remedy=message("audit-io-short-remedy"),
    ),
    AuditRule(
        name="data.contents",
        judge=_contents,
        meaning={
            Outcome.PASS: message("audit-data-contents-pass"),
            Outcome.WARN: message("audit-data-contents-warn"),
            Outcome.FAIL: message("audit-data-contents-fail"),
            Outcome.UNKNOWN: message("audit-data-contents-unknown"),
        },
        remedy=message("audit-data-contents-remedy"),
    ),
)
