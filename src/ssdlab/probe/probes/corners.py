"""Four corners: response times of random and sequential reads and writes by their size (METHODS B4).

The measurement by itself infers nothing; of two of them, months apart, it says how a drive has aged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Verb, joined
from ssdlab.job import Pattern
from ssdlab.message import message
from ssdlab.probe.answer import Answer, Grade, Replicated
from ssdlab.probe.probes.statistics import Floats, median_interval
from ssdlab.probe.script import (
    READ_REGION_BYTES,
    Ask,
    Design,
    Estimator,
    KnownDrive,
    Medium,
    Need,
    Probe,
    ProbeEvidence,
    working_region,
)
from ssdlab.units import KIB

SIZES_BYTES = tuple(4 * KIB << power for power in range(7))
_EACH = 201
_AGREE = 0.1
"""Share by which the halves of the data may differ."""
_RESAMPLES = 1000
_CHANGED = 0.05
"""Less of a change than this is none: two runs of one day differ by as much."""


class Corner(Enum):
    """What is asked, and in which order."""

    RANDOM_READ = "random read"
    SEQUENTIAL_READ = "sequential read"
    SEQUENTIAL_WRITE = "sequential write"
    RANDOM_WRITE = "random write"


_SHAPES = {
    Corner.RANDOM_READ: (Verb.READ, Pattern.RANDOM),
    Corner.SEQUENTIAL_READ: (Verb.READ, Pattern.SEQUENTIAL),
    Corner.SEQUENTIAL_WRITE: (Verb.WRITE, Pattern.SEQUENTIAL),
    Corner.RANDOM_WRITE: (Verb.WRITE, Pattern.RANDOM),
}


def _design(drive: KnownDrive) -> Design:
    region = working_region(drive, READ_REGION_BYTES)
    random = np.random.default_rng(drive.seed)

    def commands(corner: Corner, size: int) -> Commands:
        verb, pattern = _SHAPES[corner]
        places = region.length_bytes // size
        count = min(_EACH, places)
        if pattern is Pattern.RANDOM:
            chosen = random.permutation(places)[:count]
        else:
            chosen = random.integers(0, places - count + 1) + np.arange(count)
        return Commands.one_by_one(verb, chosen.astype(np.int64) * size, size)

    acts = tuple(
        Ask(corner.value, joined([commands(corner, SIZES_BYTES[at]) for at in random.permutation(len(SIZES_BYTES))]))
        for corner in Corner
    )

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        return tuple(_answer(corner, size, times) for (corner, size), times in corner_times(evidence).items())

    return Design(need=Need.SEQUENTIAL, region=region, acts=acts, estimate=estimate)


def corner_times(evidence: ProbeEvidence) -> dict[tuple[Corner, int], Floats]:
    """Response times in ns by corner and size."""
    found = {}
    for corner in Corner:
        samples = evidence.asked[corner.value]
        for size in SIZES_BYTES:
            # The first of a size may still have to do with the size before.
            found[corner, size] = samples.latency_ns[samples.commands.length_bytes == size][1:]
    return found


def corner_name(corner: Corner, size_bytes: int) -> str:
    """Of the answer."""
    return f"corners.{corner.value.replace(' ', '_')}.{size_bytes // KIB}KiB"


def _answer(corner: Corner, size_bytes: int, times_ns: Floats) -> Answer:
    value = float(np.median(times_ns))
    halves = [float(np.median(times_ns[start::2])) for start in (0, 1)]
    same = abs(halves[0] - halves[1]) <= _AGREE * value
    return Answer(
        name=corner_name(corner, size_bytes),
        value=value,
        unit="ns",
        interval=median_interval(times_ns),
        replicated=Replicated.YES if same else Replicated.NO,
        grade=Grade.A if same else Grade.C,
    )


@dataclass(frozen=True, slots=True)
class Aged:
    """One size in one corner at two dates; times are medians in ns.

    Attributes:
        ratio: Later time over earlier time.
        interval: Of the ratio.
        has_changed: Whether it surely did by 5 % and more.
    """

    corner: Corner
    size_bytes: int
    earlier_ns: float
    later_ns: float
    ratio: float
    interval: Interval
    has_changed: bool


def aged(earlier: ProbeEvidence, later: ProbeEvidence) -> Sequence[Aged]:
    """How much longer everything takes, with 95 % intervals of the bootstrap; in the order of corners and sizes."""
    before, after = corner_times(earlier), corner_times(later)
    return [_aged(corner, size, before[corner, size], after[corner, size]) for corner, size in before]


def _aged(corner: Corner, size_bytes: int, before_ns: Floats, after_ns: Floats) -> Aged:
    random = np.random.default_rng(size_bytes)
    first, last = (
        np.median(times[random.integers(0, len(times), (_RESAMPLES, len(times)))], axis=1)
        for times in (before_ns, after_ns)
    )
    low, high = np.percentile(last / first, [2.5, 97.5])
    earlier_ns, later_ns = float(np.median(before_ns)), float(np.median(after_ns))
    return Aged(
        corner=corner,
        size_bytes=size_bytes,
        earlier_ns=earlier_ns,
        later_ns=later_ns,
        ratio=later_ns / earlier_ns,
        interval=Interval(float(low), float(high)),
        has_changed=bool(low > 1 + _CHANGED or high < 1 / (1 + _CHANGED)),
    )


CORNERS = Probe(
    name="corners",
    question=message("probe-corners-question"),
    limits=message("probe-corners-limits"),
    design=_design,
    medium=Medium.FILE,
)
