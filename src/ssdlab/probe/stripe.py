"""Stripe: how many bytes go to one unit before the next one's turn, and after how many the first comes again (P3).

Eight pages at a fixed distance are read at once. At a multiple of the stripe all of them lie in one unit and wait for each other;
at a chunk or more, short of that, each lies in a unit of its own.
"""

from dataclasses import dataclass, replace

import numpy as np

from ssdlab.analysis.interval import Interval
from ssdlab.engine.commands import Commands, Issue, Verb
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
from ssdlab.probe.script import (
    READ_REGION_BYTES,
    Ask,
    Design,
    Estimator,
    Evidence,
    Need,
    Probe,
    ProbeError,
    Subject,
    working_region,
)
from ssdlab.probe.statistics import MEDIAN_EFFICIENCY, Floats, spread
from ssdlab.units import KIB, MIB

WIDTH = "stripe.width"

_READS = 8
_PAGE_BYTES = 4 * KIB
_STEP_BYTES = 16 * KIB
_LARGEST_BYTES = 4 * MIB
_ROUNDS = 31
_NEAR_TOP = 0.72
"""A distance that puts all reads into one unit takes at least this share of the longest time."""
_PEAK_MIN = 1.5
"""And so many times the time of the others."""


@dataclass(frozen=True, slots=True, eq=False)
class BatchTimes:
    """Time of the slowest of eight reads: a row a round, a column a distance."""

    distance_bytes: np.typing.NDArray[np.int64]
    slowest_ns: Floats


def _design(subject: Subject) -> Design:
    region = working_region(subject, READ_REGION_BYTES)
    reach = _READS * _LARGEST_BYTES
    if region.length_bytes < 2 * reach:
        raise ProbeError("the drive is too small for reads far apart", f"it takes {2 * reach // MIB} MiB")
    distances = np.arange(_STEP_BYTES, _LARGEST_BYTES + 1, _STEP_BYTES, dtype=np.int64)
    random = np.random.default_rng(subject.seed)
    chosen = np.concatenate([random.permutation(distances) for _ in range(_ROUNDS)])
    bases = random.integers(0, (region.length_bytes - reach) // (256 * KIB), len(chosen)) * 256 * KIB
    offsets = (bases[:, None] + chosen[:, None] * np.arange(_READS)[None, :]).ravel().astype(np.int64)
    commands = Commands.one_by_one(Verb.READ, offsets, _PAGE_BYTES)
    issue = np.where(np.arange(len(offsets)) % _READS == 0, Issue.ALONE, Issue.WHEN_ROOM).astype(np.uint8)
    acts = (Ask("batches", replace(commands, issue=issue, queue_depth=_READS)),)

    def estimate(evidence: Evidence, _: Estimator) -> tuple[Answer, ...]:
        slowest = evidence.asked["batches"].latency_ns.reshape(-1, _READS).max(axis=1)
        times = np.empty((_ROUNDS, len(distances)))
        for row in range(_ROUNDS):
            part = slice(row * len(distances), (row + 1) * len(distances))
            times[row, chosen[part] // _STEP_BYTES - 1] = slowest[part]
        return (stripe(BatchTimes(distances, times)),)

    return Design(need=Need.SEQUENTIAL, region=region, acts=acts, estimate=estimate)


def stripe(times: BatchTimes) -> Answer:
    """Width of the stripe: the smallest distance whose multiples all stand out, up to the largest distance."""
    medians = np.median(times.slowest_ns, axis=0)
    noise = spread(np.log(times.slowest_ns / medians).ravel())
    found = _period(medians)
    if found is None:
        words = "at no distance, with all of its multiples, do eight reads take longer than at the others"
        return not_identifiable(WIDTH, Reason.FLAT, words, "B")
    peaks, others = _parts(medians, found)
    error = MEDIAN_EFFICIENCY * max(noise, 0.01) / np.sqrt(len(times.slowest_ns))
    separation = float((np.log(peaks).min() - np.log(np.median(others))) / error)
    if separation < VISIBLE or len(peaks) < 2:
        words = "only one distance stands out, which may be chance"
        return not_identifiable(WIDTH, Reason.AMBIGUOUS, words, "B")
    halves = [_period(np.median(times.slowest_ns[start::2], axis=0)) for start in (0, 1)]
    same = halves == [found, found]
    if not same:
        words = "the halves of the data say different distances"
        return not_identifiable(WIDTH, Reason.NOISY, words, "B")
    strong = separation >= STRONG and noise <= NOISE_MAX
    width = int(times.distance_bytes[found - 1])
    return Answer(
        name=WIDTH,
        value=width,
        unit="B",
        interval=Interval(float(width), float(width)),
        separation=separation,
        replicated=Replicated.YES,
        grade=Grade.A if strong else Grade.B,
        note=f"eight reads at this distance take {float(np.median(peaks) / np.median(others)):.1f} times as long as at others",
    )


def _parts(medians: Floats, period: int) -> tuple[Floats, Floats]:
    is_peak = np.arange(1, len(medians) + 1) % period == 0
    return medians[is_peak], medians[~is_peak]


def _period(medians: Floats) -> int | None:
    """In steps. The first peak of all lies at it, so shorter ones, whose multiples include the valleys between, drop out."""
    top = float(medians.max())
    for period in range(2, len(medians) // 2 + 1):
        peaks, others = _parts(medians, period)
        if peaks.min() > _NEAR_TOP * top and np.median(peaks) > _PEAK_MIN * np.median(others):
            return period
    return None


STRIPE = Probe(
    name="stripe",
    question="After how many bytes does the next data go to the same unit again?",
    limits="it takes data written in order; a layout by hash, or one stripe of more than 2 MiB, shows nothing",
    design=_design,
)
