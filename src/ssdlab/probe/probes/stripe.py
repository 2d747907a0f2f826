"""Stripe: how many bytes go to one unit before the next one's turn, and after how many the first comes again (P3).

Eight pages at a fixed distance are read at once. At a multiple of the stripe all of them lie in one unit and wait for each other;
at a chunk or more, short of that, each lies in a unit of its own. How long eight reads in one unit take is known from eight reads of
one page, so that waits for something that units share, such as a channel, are not taken for it.

Flash is laid out in whole pages of 4 KiB and more. Every such distance up to 1 MiB is tried: on a coarser grid only every second or
fourth multiple of a stripe that is off the grid would show, and the stripe would come out as many times too wide.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Issue, Verb
from ssdlab.message import message, number, size
from ssdlab.probe.answer import (
    NOISE_MAX,
    STRONG,
    VISIBLE,
    Answer,
    Grade,
    Reason,
    Replicated,
    not_identifiable,
)
from ssdlab.probe.probes.statistics import MEDIAN_EFFICIENCY, Floats, spread
from ssdlab.probe.script import (
    READ_REGION_BYTES,
    Ask,
    Design,
    Estimator,
    KnownDrive,
    Need,
    Probe,
    ProbeError,
    ProbeEvidence,
    working_region,
)
from ssdlab.units import KIB, MIB

WIDTH = "stripe.width"

_READS = 8
_PAGE_BYTES = 4 * KIB
_LARGEST_BYTES = 4 * MIB
_FINE_BYTES = MIB
"""A stripe off the coarse grid that is wider than this has at most one multiple on it, and one is no answer."""
_DISTANCES_BYTES = np.concatenate(
    [np.arange(0, _FINE_BYTES, 4 * KIB), np.arange(_FINE_BYTES, _LARGEST_BYTES + 1, 16 * KIB)], dtype=np.int64
)
_BATCHES = "eight at once"
_ROUNDS = 31
_NEAR_TOP = 0.6
"""A distance that puts all reads into one unit takes at least so much of the way from the usual time to the longest. Half of them in
one and half in another take three sevenths of it."""
_WIDER_MIN = 0.15
"""Logarithm by which reads at two distances that both put them into one unit may differ."""
_WIDER_MAX = 16
"""Multiples of a width that are looked at for that."""
_PARTS_MAX = 16
"""Parts of a width that are looked at for being the width."""
_PEAK_MIN = 1.5
"""And so many times the time of the others."""


@dataclass(frozen=True, slots=True, eq=False)
class BatchTimes:
    """Time of the slowest of eight reads: a row a round, a column a distance. At distance 0 all eight are of one page."""

    distance_bytes: NDArray[np.int64]
    slowest_ns: Floats


def _design(drive: KnownDrive) -> Design:
    region = working_region(drive, READ_REGION_BYTES)
    reach = _READS * _LARGEST_BYTES
    if region.length_bytes < 2 * reach:
        raise ProbeError(message("probe-stripe-too-small"), message("probe-takes", size=number(2 * reach // MIB)))
    random = np.random.default_rng(drive.seed)
    columns = np.stack([random.permutation(len(_DISTANCES_BYTES)) for _ in range(_ROUNDS)])
    chosen = _DISTANCES_BYTES[columns].ravel()
    bases = random.integers(0, (region.length_bytes - reach) // (256 * KIB), len(chosen)) * 256 * KIB
    offsets = (bases[:, None] + chosen[:, None] * np.arange(_READS)[None, :]).ravel().astype(np.int64)
    commands = Commands.one_by_one(Verb.READ, offsets, _PAGE_BYTES)
    issue = np.where(np.arange(len(offsets)) % _READS == 0, Issue.ALONE, Issue.WHEN_ROOM).astype(np.uint8)
    acts = (Ask(_BATCHES, replace(commands, issue=issue, queue_depth=_READS)),)

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        slowest = evidence.asked[_BATCHES].latency_ns.reshape(*columns.shape, _READS).max(axis=2)
        times = np.take_along_axis(slowest, np.argsort(columns, axis=1), axis=1)
        return (stripe(BatchTimes(_DISTANCES_BYTES, times)),)

    return Design(need=Need.SEQUENTIAL, region=region, acts=acts, estimate=estimate)


def stripe(times: BatchTimes) -> Answer:
    """Width of the stripe: the smallest distance whose multiples all stand out, up to the largest distance."""
    distances, medians = times.distance_bytes, np.median(times.slowest_ns, axis=0)
    noise = spread(np.log(times.slowest_ns / medians).ravel())
    width = _width_bytes(distances, medians)
    if width is None:
        return not_identifiable(WIDTH, Reason.FLAT, message("probe-stripe-flat"), "B")
    multiples = _multiples(distances, width)
    peaks, others = medians[multiples], medians[~multiples]
    error = MEDIAN_EFFICIENCY * max(noise, 0.01) / np.sqrt(len(times.slowest_ns))
    separation = float((np.log(peaks).min() - np.log(np.median(others))) / error)
    if separation < VISIBLE or len(peaks) < 2:
        return not_identifiable(WIDTH, Reason.AMBIGUOUS, message("probe-stripe-one-distance"), "B")
    narrower = _narrower_bytes(distances, medians, width)
    if narrower is not None:
        why = message("probe-stripe-or-narrower", width=size(width), narrower=size(narrower))
        return not_identifiable(WIDTH, Reason.NOISY, why, "B")
    wider = _wider_bytes(distances, medians, width, float(error))
    if wider is not None:
        why = message("probe-stripe-or-wider", width=size(width), wider=size(wider))
        return not_identifiable(WIDTH, Reason.AMBIGUOUS, why, "B")
    halves = [_width_bytes(distances, np.median(times.slowest_ns[start::2], axis=0)) for start in (0, 1)]
    if halves != [width, width]:
        return not_identifiable(WIDTH, Reason.NOISY, message("probe-halves-differ-in-distance"), "B")
    strong = separation >= STRONG and noise <= NOISE_MAX
    return Answer(
        name=WIDTH,
        value=width,
        unit="B",
        interval=Interval(float(width), float(width)),
        separation=separation,
        replicated=Replicated.YES,
        grade=Grade.A if strong else Grade.B,
        note=message("probe-stripe-note", times=number(float(np.median(peaks) / np.median(others)), ".1f")),
    )


def _multiples(distances: NDArray[np.int64], width: int) -> NDArray[np.bool_]:
    """Distances at which all reads lie in one unit, if that is the width; eight of one page always do, and tell nothing of it."""
    return np.asarray((distances % width == 0) & (distances > 0))


def _width_bytes(distances: NDArray[np.int64], medians: Floats) -> int | None:
    """The first peak of all lies at it, so shorter ones, whose multiples include the valleys between, drop out.

    Nothing takes longer than eight reads in one unit. Of a width off the coarse grid most multiples are not tried, and a distance at which
    most of them meet may stand out at those that are: then others, that are no multiples of it, stand out more.
    """
    top = float(medians.max())
    for width in distances[(distances > distances[1]) & (2 * distances <= distances[-1])].tolist():
        multiples = _multiples(distances, width)
        usual = float(np.median(medians[~multiples]))
        peaks = medians[multiples]
        stand_out = peaks.min() > usual + _NEAR_TOP * (top - usual) and np.median(peaks) > _PEAK_MIN * usual
        beside = medians[~multiples & (distances > 0)]
        if stand_out and np.log(beside.max() / np.median(peaks)) <= _WIDER_MIN:
            return int(width)
    return None


def _narrower_bytes(distances: NDArray[np.int64], medians: Floats, width: int) -> int | None:
    """A part of the width at most of whose multiples reads wait, too: noise kept it from being the width at some of them."""
    top, usual = float(medians.max()), float(np.median(medians[~_multiples(distances, width)]))
    for parts in range(_PARTS_MAX, 1, -1):
        narrower = width // parts
        between = _multiples(distances, narrower) & ~_multiples(distances, width) if width % parts == 0 else None
        if between is None or between.sum() < 2:
            continue
        if np.median(medians[between]) > usual + _NEAR_TOP * (top - usual):
            return narrower
    return None


def _wider_bytes(distances: NDArray[np.int64], medians: Floats, width: int, error: float) -> int | None:
    """A multiple of the width at which reads take longer still: then it may be the width, and this one the distance of a shared channel."""
    multiples = _multiples(distances, width)
    for wider in range(2 * width, (_WIDER_MAX + 1) * width, width):
        at_wider = _multiples(distances, wider)
        high, low = medians[at_wider], medians[multiples & ~at_wider]
        if len(high) < 2:
            continue
        chance = STRONG * error * np.sqrt(1 / len(high) + 1 / len(low))
        if np.log(np.median(high) / np.median(low)) > max(_WIDER_MIN, chance):
            return wider
    return None


STRIPE = Probe(
    name="stripe",
    question=message("probe-stripe-question"),
    limits=message("probe-stripe-limits"),
    design=_design,
)
