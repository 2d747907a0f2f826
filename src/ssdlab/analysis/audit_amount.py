"""Checks of amounts: do all counts of bytes agree, was all written that should be, did every I/O succeed."""

from ssdlab.analysis.evidence import Evidence
from ssdlab.analysis.verdict import Rule, Verdict, for_each_direction, passed_if, totals_of
from ssdlab.bundle.model import Outcome
from ssdlab.engine.result import Direction
from ssdlab.job import Draw, Pattern, StepKind
from ssdlab.units import NS_PER_S, format_bytes

_LOG_SHARE = 0.01
"""Logs and totals that differ by more do not describe the same I/O."""


def _logs_agree(evidence: Evidence, direction: Direction) -> Verdict:
    """The engine logs a window when it is over, so what was done after the last whole window is missing from its logs."""
    totals = totals_of(evidence, direction)
    difference_bytes = totals.logged_bytes - totals.io_bytes
    unlogged_bytes = _unlogged_bytes_max(evidence, direction) if difference_bytes < 0 else 0
    share = difference_bytes / max(1, totals.io_bytes)
    finding = f"logs {format_bytes(totals.logged_bytes)}, total {format_bytes(totals.io_bytes)} ({share:+.2%})"
    if unlogged_bytes:
        finding += f", up to {format_bytes(unlogged_bytes)} in the last window"
    return passed_if(abs(difference_bytes) <= _LOG_SHARE * totals.io_bytes + unlogged_bytes, finding)


def _unlogged_bytes_max(evidence: Evidence, direction: Direction) -> float:
    """What can have been done in the last window: all that was in flight, and more at the speed of the fastest other window.

    A job of one window has no line in a log at all.
    """
    job, series = evidence.job, evidence.series[direction]
    if len(series.time_ns) < 2:
        return totals_of(evidence, direction).io_bytes
    fastest = float(series.bandwidth_bytes_per_s[:-1].max())
    return job.queue_depth * job.jobs * job.block_bytes + fastest * float(series.duration_ns[-1]) / NS_PER_S


def _series_agrees(evidence: Evidence, direction: Direction) -> Verdict:
    totals, series = totals_of(evidence, direction), evidence.series[direction]
    counted_bytes = float(series.bytes_done[-1]) if len(series.time_ns) else 0.0
    share = counted_bytes / max(1, totals.io_bytes) - 1
    finding = f"windows {format_bytes(counted_bytes)}, total {format_bytes(totals.io_bytes)} ({share:+.2%})"
    return passed_if(abs(share) <= _LOG_SHARE, finding)


def _fill_covers(evidence: Evidence) -> Verdict | None:
    """Whether every block of the region was written; sequential passes and permutations visit each block once."""
    if evidence.step.kind is not StepKind.FILL:
        return None
    job, written = evidence.job, evidence.result.directions.get(Direction.WRITE)
    written_bytes = 0 if written is None else written.io_bytes
    wanted_bytes = job.region.length_bytes
    finding = (
        f"{format_bytes(written_bytes)} of {format_bytes(wanted_bytes)} written ({written_bytes / wanted_bytes:.4%})"
    )
    if job.pattern is Pattern.RANDOM and job.draw is Draw.INDEPENDENT:
        return Verdict(Outcome.FAIL, f"{finding}, at offsets drawn independently, which leaves blocks out")
    return passed_if(written_bytes >= wanted_bytes, finding)


def _no_errors(evidence: Evidence) -> Verdict:
    count = evidence.result.error_count
    return passed_if(count == 0, f"{count} errors")


def _no_short_ios(evidence: Evidence, direction: Direction) -> Verdict:
    totals = totals_of(evidence, direction)
    return passed_if(totals.short_ios == 0, f"{totals.short_ios} of {totals.io_count} I/Os were short", Outcome.WARN)


RULES = (
    Rule(
        name="bytes.logs_agree",
        judge=for_each_direction(_logs_agree),
        meaning={
            Outcome.PASS: "the engine's logs and its totals describe the same I/O",
            Outcome.FAIL: "the logs are not those of this I/O: what is seen over time cannot be trusted",
        },
    ),
    Rule(
        name="bytes.series_agrees",
        judge=for_each_direction(_series_agrees),
        meaning={
            Outcome.PASS: "the windows add up to the total",
            Outcome.FAIL: "the windows do not add up to the total: what is seen over time cannot be trusted",
        },
    ),
    Rule(
        name="coverage.fill",
        judge=_fill_covers,
        meaning={
            Outcome.PASS: "every block was written",
            Outcome.FAIL: "the drive was not written whole: it is not in the state later steps take it to be in",
        },
    ),
    Rule(
        name="io.errors",
        judge=_no_errors,
        meaning={
            Outcome.PASS: "every I/O succeeded",
            Outcome.FAIL: "the drive or the path to it failed: the numbers are not those of a working drive",
        },
    ),
    Rule(
        name="io.short",
        judge=for_each_direction(_no_short_ios),
        meaning={
            Outcome.PASS: "every I/O moved all its bytes",
            Outcome.WARN: "short I/Os count as whole ones in IOPS and latency",
        },
    ),
)
