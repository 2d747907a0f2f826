"""Reach of the mapping cache: how much of the drive can be read at random before mappings have to be fetched (P11, METHODS C3).

Ranges are taken at both ends of the drive: data that lies in faster cells at one of them looks like a reach, but only there.
"""

from collections.abc import Sequence
from enum import Enum

import numpy as np

from ssdlab.analysis.interval import Interval
from ssdlab.analysis.reach import RangePoint, reach_of
from ssdlab.engine.result import Direction, LatencyKind, RawResult
from ssdlab.job import Job, Pattern, Region
from ssdlab.probe.answer import Answer, Grade, Reason, Replicated, not_identifiable
from ssdlab.probe.noise import OUTLIERS, SIGMA
from ssdlab.probe.script import Design, Estimator, Evidence, Load, Need, Probe, Subject
from ssdlab.units import GIB, KIB, MIB, NS_PER_S
from ssdlab.unknown import Unknown

BYTES = "reach.bytes"

_BLOCK_BYTES = 4 * KIB
_DEPTH = 256
_POINTS = 13
_FIRST_BYTES_MAX = GIB
_READS = 65_536
_MAP_PAGE_BYTES = 4 * MIB
"""Of the drive, whose mappings share a page of the table: 4 KiB of four-byte entries."""
_SIGMA_MAX = 0.05
_OUTLIERS_MAX = 0.001
_ALIKE = 0.15
"""Logarithm of the ratio of the two ends' reaches up to which an answer can have grade A."""


class End(Enum):
    """Of the drive, at which ranges lie."""

    FIRST = "first"
    LAST = "last"


def _design(subject: Subject) -> Design:
    whole = subject.capacity_bytes // MIB * MIB
    ranges = np.geomspace(min(_FIRST_BYTES_MAX, whole / 64), whole, _POINTS) // MIB * MIB
    sizes = sorted({max(MIB, int(one)) for one in ranges})
    acts: list[Load] = []
    for end in End:
        for size in sizes:
            region = Region(0 if end is End.FIRST else whole - size, size)
            acts.append(
                _reads(f"warm {end.value} {size}", region, max(1024, 2 * size // _MAP_PAGE_BYTES), subject.seed)
            )
            acts.append(_reads(_name(end, size), region, _READS, subject.seed + 1))

    def estimate(evidence: Evidence, _: Estimator) -> tuple[Answer, ...]:
        first, last = (range_points(evidence, end) for end in End)
        return (reach(first, last, is_quiet(subject)),)

    return Design(need=Need.MAPPED, region=Region(0, whole), acts=tuple(acts), estimate=estimate)


def _name(end: End, size_bytes: int) -> str:
    return f"{end.value} {size_bytes}"


def range_points(evidence: Evidence, end: End) -> list[RangePoint]:
    """Random reads inside growing ranges at that end of the drive."""
    sizes = [int(name.split()[-1]) for name in evidence.loaded if name.startswith(f"{end.value} ")]
    return [_point(size, evidence.loaded[_name(end, size)]) for size in sizes]


def _reads(name: str, region: Region, count: int, seed: int) -> Load:
    job = Job(
        name="reads",
        pattern=Pattern.RANDOM,
        read_percent=100,
        block_bytes=_BLOCK_BYTES,
        queue_depth=_DEPTH,
        region=region,
        amount_bytes=count * _BLOCK_BYTES,
        duration_ns=None,
        seed=seed,
    )
    return Load(name, job)


def _point(range_bytes: int, result: RawResult) -> RangePoint:
    read = result.directions[Direction.READ]
    latency = read.latency[LatencyKind.LAT]
    spread = latency.stddev_ns / latency.mean_ns if latency.mean_ns else Unknown("no time passed")
    return RangePoint(range_bytes, read.io_count * NS_PER_S / max(1, read.runtime_ns), spread)


class Quiet(Enum):
    """Whether the noise of single reads is known to be too small to bend the law of reads in a deep queue."""

    KNOWN = "known"
    UNKNOWN = "unknown"


def is_quiet(subject: Subject) -> Quiet:
    """By what the probe of noise found, if it was done."""
    found = {name: answer.value for name in (SIGMA, OUTLIERS) if (answer := subject.answers.get(name)) is not None}
    sigma, outliers = found.get(SIGMA), found.get(OUTLIERS)
    if isinstance(sigma, float) and isinstance(outliers, float) and sigma < _SIGMA_MAX and outliers < _OUTLIERS_MAX:
        return Quiet.KNOWN
    return Quiet.UNKNOWN


def reach(first: Sequence[RangePoint], last: Sequence[RangePoint], quiet: Quiet) -> Answer:
    """Reach from the mean of the ranges at both ends; each end must give one that agrees with the other's."""
    each = [reach_of(points) for points in (first, last)]
    together = [
        RangePoint(one.range_bytes, (one.iops + other.iops) / 2, one.latency_spread)
        for one, other in zip(first, last, strict=True)
    ]
    found = reach_of(together)
    if isinstance(found, Unknown):
        return not_identifiable(BYTES, Reason.FLAT, found.unknown, "B")
    one, other = each
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        words = "reads fall at one end of the drive only: faster cells lie there, and not a limit of the mapping"
        return not_identifiable(BYTES, Reason.OTHER_LAW, words, "B")
    same = one.interval.low <= other.interval.high and other.interval.low <= one.interval.high
    # Noise hides whether reads wait in one queue, and one queue hides the first misses.
    hidden = [] if quiet is Quiet.KNOWN else [found.hidden_bytes, one.hidden_bytes, other.hidden_bytes]
    interval = Interval(
        min(*(each_one.interval.low for each_one in (found, one, other)), *hidden),
        max(each_one.interval.high for each_one in (found, one, other)),
    )
    sharp = (
        quiet is Quiet.KNOWN and interval.high < 1.5 * interval.low and abs(np.log(one.bytes / other.bytes)) < _ALIKE
    )
    return Answer(
        name=BYTES,
        value=round(found.bytes),
        unit="B",
        interval=interval,
        replicated=Replicated.YES if same else Replicated.NO,
        grade=(Grade.A if sharp else Grade.B) if same else Grade.C,
        note=f"beyond it the speed falls by {found.drop:.0%} up to the whole drive; limited by {found.limit.value} inside",
    )


REACH = Probe(
    name="reach",
    question="How much of the drive does the mapping cache cover?",
    limits="a cache that covers the drive, or misses that hide behind a slower link, show no fall",
    design=_design,
    after=("noise",),
)
