"""Checks of amounts: do all counts of bytes agree, did every I/O succeed, what was written."""

import numpy as np

from ssdlab import _core
from ssdlab.analysis.audit_facts import DirectionFacts, Facts, LatencyFacts, Origin, VirtualTime, in_flight_at_ramp
from ssdlab.analysis.audit_setup import Contents
from ssdlab.analysis.verdict import Rule, Verdict, compared, for_each_direction, not_applicable, passed_if, unknown
from ssdlab.bundle.model import Outcome
from ssdlab.engine.result import Direction, LatencyKind
from ssdlab.units import NS_PER_S, format_bandwidth, format_bytes, format_si
from ssdlab.unknown import Unknown

_LOG_SHARE = 0.01
"""Logs and totals that differ by more do not describe the same I/O."""
_RATE_SHARE = 0.005
"""fio counts run times in whole milliseconds; jobs shorter than 0.2 s are rounded by more than this, and are allowed it."""


def _logs_agree(facts: Facts, direction: Direction) -> Verdict:
    """The engine logs a window when it is over, so what was done after the last whole window is missing from its logs."""
    one = facts.directions[direction]
    if isinstance(one.logged_bytes, Unknown):
        return not_applicable(one.logged_bytes.unknown)
    difference_bytes = one.logged_bytes - one.io_bytes
    unlogged_bytes = _unlogged_bytes_max(facts, one) if difference_bytes < 0 else 0
    share = difference_bytes / max(1, one.io_bytes)
    finding = f"logs {format_bytes(one.logged_bytes)}, total {format_bytes(one.io_bytes)} ({share:+.2%})"
    numbers = [compared("logged", one.logged_bytes, "B"), compared("total", one.io_bytes, "B")]
    if isinstance(unlogged_bytes, Unknown):
        if abs(share) > _LOG_SHARE:
            return unknown(f"{finding}; what the last window can hold is not known: {unlogged_bytes.unknown}")
        unlogged_bytes = 0
    numbers.append(compared("last_window_max", unlogged_bytes, "B"))
    if unlogged_bytes:
        finding += f", up to {format_bytes(unlogged_bytes)} in the last window"
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
        return Unknown("no latency was measured")
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


def _series_agrees(facts: Facts, direction: Direction) -> Verdict:
    one = facts.directions[direction]
    if facts.origin is Origin.FOREIGN:
        return not_applicable("there are no windows but those of fio's logs")
    if isinstance(one.windows, Unknown):
        return not_applicable(one.windows.unknown)
    if isinstance(one.windows.done_bytes, Unknown):
        return unknown(one.windows.done_bytes.unknown)
    counted_bytes = float(one.windows.done_bytes.sum())
    share = counted_bytes / max(1, one.io_bytes) - 1
    finding = f"windows {format_bytes(counted_bytes)}, total {format_bytes(one.io_bytes)} ({share:+.2%})"
    numbers = (compared("windows", counted_bytes, "B"), compared("total", one.io_bytes, "B"))
    return passed_if(abs(share) <= _LOG_SHARE, finding, *numbers)


def _totals_agree(facts: Facts, direction: Direction) -> Verdict:
    """Bytes, I/Os and rates that fio prints side by side."""
    one = facts.directions[direction]
    faults, numbers = [], [compared("total", one.io_bytes, "B"), compared("ios", one.io_count)]
    block = Unknown("") if isinstance(facts.setup, Unknown) else facts.setup.block_bytes
    words = f"{format_si(one.io_count)} I/Os, {format_bytes(one.io_bytes)}"
    if not isinstance(block, Unknown):
        numbers.append(compared("block", block, "B"))
        words += f", blocks of {format_bytes(block)}"
        if abs(one.io_count * block - one.io_bytes) > block * (1 + one.short_ios + in_flight_at_ramp(facts)):
            faults.append(f"the I/Os are {format_bytes(one.io_bytes / max(1, one.io_count))} long on the mean")
    if not isinstance(one.rates, Unknown) and one.runtime_ns:
        rate = one.io_bytes / one.runtime_ns * NS_PER_S
        numbers.append(compared("bandwidth", one.rates.bandwidth_bytes_per_s, "B/s"))
        allowed = _RATE_SHARE + NS_PER_S / 1000 / one.runtime_ns
        if abs(one.rates.bandwidth_bytes_per_s - rate) > allowed * rate:
            faults.append(
                f"fio prints {format_bandwidth(one.rates.bandwidth_bytes_per_s)}, bytes over time give {format_bandwidth(rate)}"
            )
        if abs(one.rates.iops * one.runtime_ns / NS_PER_S - one.io_count) > allowed * one.io_count + 1:
            faults.append(f"{one.rates.iops:.0f} IOPS do not give {one.io_count} I/Os")
    return passed_if(not faults, "; ".join([words, *faults]), *numbers)


def _no_errors(facts: Facts) -> Verdict:
    count = facts.error_count
    return passed_if(count == 0, f"{count} errors", compared("errors", count))


def _no_short_ios(facts: Facts, direction: Direction) -> Verdict:
    one = facts.directions[direction]
    finding = f"{one.short_ios} of {one.io_count} I/Os were short"
    numbers = (compared("short", one.short_ios), compared("ios", one.io_count))
    return passed_if(one.short_ios == 0, finding, *numbers, otherwise=Outcome.WARN)


_CONTENTS = {
    Contents.FRESH: Outcome.PASS,
    Contents.SHAPED: Outcome.PASS,
    Contents.SCRAMBLED: Outcome.WARN,
    Contents.REPEATED: Outcome.FAIL,
    Contents.CONSTANT: Outcome.FAIL,
}


def _contents(facts: Facts) -> Verdict:
    setup = facts.setup
    if isinstance(facts.engine, VirtualTime):
        return not_applicable("virtual time: no data are written")
    if isinstance(setup, Unknown):
        return unknown(setup.unknown)
    if not setup.writes:
        return not_applicable("the job writes nothing")
    if isinstance(setup.contents, Unknown):
        return unknown(setup.contents.unknown)
    return Verdict(_CONTENTS[setup.contents], setup.contents.value)


RULES = (
    Rule(
        name="bytes.logs_agree",
        judge=for_each_direction(_logs_agree),
        meaning={
            Outcome.PASS: "the engine's logs and its totals describe the same I/O",
            Outcome.FAIL: "the logs are not those of this I/O: what is seen over time cannot be trusted",
        },
        mend="give all logs of this one run; let a job last at least a hundred windows",
    ),
    Rule(
        name="bytes.series_agrees",
        judge=for_each_direction(_series_agrees),
        meaning={
            Outcome.PASS: "the windows add up to the total",
            Outcome.FAIL: "the windows do not add up to the total: what is seen over time cannot be trusted",
        },
        mend="take what is seen over time from histogram logs: fio's bandwidth logs lose and double windows under load",
    ),
    Rule(
        name="bytes.totals_agree",
        judge=for_each_direction(_totals_agree),
        meaning={
            Outcome.PASS: "bytes, I/Os and rates of the engine fit together",
            Outcome.FAIL: "bytes, I/Os and rates do not fit together: one of them is not of this load",
        },
        mend="use the JSON as fio wrote it; look for partial blocks at the end of the region",
    ),
    Rule(
        name="io.errors",
        judge=_no_errors,
        meaning={
            Outcome.PASS: "every I/O succeeded",
            Outcome.FAIL: "the drive or the path to it failed: the numbers are not those of a working drive",
        },
        mend="look at `dmesg` and the drive's error log; leave out `continue_on_error`",
    ),
    Rule(
        name="io.short",
        judge=for_each_direction(_no_short_ios),
        meaning={
            Outcome.PASS: "every I/O moved all its bytes",
            Outcome.WARN: "short I/Os count as whole ones in IOPS and latency",
        },
        mend="keep the region inside the file or device, and a multiple of the block size",
    ),
    Rule(
        name="data.contents",
        judge=_contents,
        meaning={
            Outcome.PASS: "what was written could be neither compressed nor deduplicated, beyond what was asked",
            Outcome.WARN: "almost all of each block repeats: a drive or enclosure that compresses was not measured",
            Outcome.FAIL: "there was hardly any data: whatever compresses or deduplicates had nothing to do",
            Outcome.UNKNOWN: "whether a drive that compresses had anything to do is not known",
        },
        mend="write with `refill_buffers=1`, and see that the processor keeps up (`host.cpu`)",
    ),
)
