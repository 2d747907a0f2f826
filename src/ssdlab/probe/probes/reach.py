"""Reach of the mapping cache: how much of the drive can be read at random before mappings have to be fetched (P11, METHODS C3).

Ranges are taken at both ends of the drive: data that lies in faster cells at one of them looks like a reach, but only there. Ranges that
a read buffer holds are read fast as well: a reach that is as long as the buffer that the probe of it found is no answer.
"""

from collections.abc import Sequence
from enum import Enum

import numpy as np

from ssdlab.analysis.infer.reach import Limit, RangePoint, reach_of
from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.result import Direction, LatencyKind, RawResult
from ssdlab.job import Job, Pattern, Region
from ssdlab.message import message, number, size, verbatim
from ssdlab.probe.answer import Answer, Grade, Reason, Replicated, not_identifiable
from ssdlab.probe.probes.noise import OUTLIERS, SIGMA
from ssdlab.probe.probes.read_buffer import SIZE
from ssdlab.probe.script import BulkLoad, Design, Estimator, KnownDrive, Need, Probe, ProbeEvidence, whole_drive
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

_BUFFER_NEAR = 2.0
"""Ratio of a reach to the size of a buffer up to which they may be the same: random reads fill it otherwise than long ones."""


class End(Enum):
    """Of the drive, at which ranges lie."""

    FIRST = "first"
    LAST = "last"


def _design(drive: KnownDrive) -> Design:
    whole = whole_drive(drive).length_bytes
    ranges = np.geomspace(min(_FIRST_BYTES_MAX, whole / 64), whole, _POINTS) // MIB * MIB
    sizes = sorted({max(MIB, int(one)) for one in ranges})
    acts: list[BulkLoad] = []
    for end in End:
        for length in sizes:
            region = Region(0 if end is End.FIRST else whole - length, length)
            warm = max(1024, 2 * length // _MAP_PAGE_BYTES)
            acts.append(_reads(f"warm {end.value} {length}", region, warm, drive.seed))
            acts.append(_reads(_name(end, length), region, _READS, drive.seed + 1))

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        first, last = (range_points(evidence, end) for end in End)
        return (beside_buffer(reach(first, last, is_quiet(drive)), drive.answers.get(SIZE)),)

    return Design(need=Need.MAPPED, region=Region(0, whole), acts=tuple(acts), estimate=estimate)


def _name(end: End, size_bytes: int) -> str:
    return f"{end.value} {size_bytes}"


def range_points(evidence: ProbeEvidence, end: End) -> list[RangePoint]:
    """Random reads inside growing ranges at that end of the drive."""
    ranges_bytes = {result.job.region.length_bytes for result in evidence.loaded.values()}
    return [_point(range_bytes, evidence.loaded[_name(end, range_bytes)]) for range_bytes in sorted(ranges_bytes)]


def _reads(name: str, region: Region, count: int, seed: int) -> BulkLoad:
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
    return BulkLoad(name, job)


def _point(range_bytes: int, result: RawResult) -> RangePoint:
    read = result.directions[Direction.READ]
    latency = read.latency[LatencyKind.LAT]
    spread = latency.stddev_ns / latency.mean_ns if latency.mean_ns else Unknown(verbatim("no time passed"))
    return RangePoint(range_bytes, read.io_count * NS_PER_S / max(1, read.runtime_ns), spread)


class Quiet(Enum):
    """Whether the noise of single reads is known to be too small to bend the law of reads in a deep queue."""

    KNOWN = "known"
    UNKNOWN = "unknown"


def is_quiet(drive: KnownDrive) -> Quiet:
    """By what the probe of noise found, if it was done."""
    found = {name: answer.value for name in (SIGMA, OUTLIERS) if (answer := drive.answers.get(name)) is not None}
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
        return not_identifiable(BYTES, Reason.FLAT, found.reason, "B")
    one, other = each
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        return not_identifiable(BYTES, Reason.OTHER_LAW, message("probe-reach-one-end"), "B")
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
        note=message("probe-reach-note", drop=number(found.drop, ".0%"), limit=_LIMITS[found.limit]),
    )


def beside_buffer(found: Answer, buffer: Answer | None) -> Answer:
    """No answer where the reach may be that of a read buffer, as long as the probe of it found it."""
    held, covered = None if buffer is None else buffer.interval, found.interval
    if held is None or covered is None:
        return found
    if covered.low > _BUFFER_NEAR * held.high or _BUFFER_NEAR * covered.high < held.low:
        return found
    why = message("probe-reach-or-buffer", low=size(round(held.low)), high=size(round(held.high)))
    return not_identifiable(BYTES, Reason.AMBIGUOUS, why, "B")


_LIMITS = {
    Limit.FLASH: message("probe-reach-limit-flash"),
    Limit.COMMON: message("probe-reach-limit-common"),
    Limit.UNKNOWN: message("probe-reach-limit-unknown"),
}

REACH = Probe(
    name="reach",
    question=message("probe-reach-question"),
    limits=message("probe-reach-limits"),
    design=_design,
    after=("noise", "read-buffer"),
)
