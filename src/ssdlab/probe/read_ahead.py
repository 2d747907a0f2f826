"""Read-ahead: does a sequential reader find its data already there (P5)?"""

import numpy as np

from ssdlab.analysis.interval import Interval
from ssdlab.engine.commands import Commands, Verb
from ssdlab.probe.answer import STRONG, Answer, Grade, Reason, Replicated, not_identifiable
from ssdlab.probe.script import (
    READ_REGION_BYTES,
    Ask,
    Design,
    Estimator,
    Evidence,
    Medium,
    Need,
    Probe,
    Subject,
    working_region,
)
from ssdlab.probe.statistics import Floats, hodges_lehmann, spread
from ssdlab.units import KIB

PRESENT = "read_ahead.present"
RATIO = "read_ahead.time_ratio"

_PAGE_BYTES = 4 * KIB
_BLOCKS = 40
_READS = 64
_FIRST = 32
"""Reads of a sequential run that may still be waking the read-ahead."""
_FASTER = 0.7
"""Sequential reads that take a smaller share of the time are read ahead (published: 5.96 us against 56.95)."""


def _design(subject: Subject) -> Design:
    region = working_region(subject, READ_REGION_BYTES)
    random = np.random.default_rng(subject.seed)
    pages = region.length_bytes // _PAGE_BYTES
    starts = random.integers(0, pages - _READS, _BLOCKS)
    sequential = starts[:, None] + np.arange(_READS)[None, :]
    scattered = random.integers(0, pages, (_BLOCKS, _READS))
    offsets = np.stack([scattered, sequential], axis=1).reshape(-1) * _PAGE_BYTES
    acts = (Ask("reads", Commands.one_by_one(Verb.READ, offsets, _PAGE_BYTES)),)

    def estimate(evidence: Evidence, _: Estimator) -> tuple[Answer, ...]:
        times = evidence.asked["reads"].latency_ns.reshape(_BLOCKS, 2, _READS)
        return read_ahead(times[:, 0], times[:, 1, _FIRST:])

    return Design(need=Need.SEQUENTIAL, region=region, acts=acts, estimate=estimate)


def read_ahead(random_ns: Floats, sequential_ns: Floats) -> tuple[Answer, ...]:
    """From response times of random and of sequential reads: a row a block, the two blocks of a row done one after the other."""
    ratios = np.log(np.median(sequential_ns, axis=1) / np.median(random_ns, axis=1))
    centre, error = hodges_lehmann(ratios), max(spread(ratios), 1e-3) / np.sqrt(len(ratios))
    low, high = np.exp(centre - 1.96 * error), np.exp(centre + 1.96 * error)
    distance = abs(centre - np.log(_FASTER)) / error
    sides = {hodges_lehmann(ratios[start::2]) < np.log(_FASTER) for start in (0, 1)}
    replicated = Replicated.YES if len(sides) == 1 else Replicated.NO
    ratio = Answer(
        name=RATIO,
        value=float(np.exp(centre)),
        interval=Interval(float(low), float(high)),
        replicated=replicated,
        grade=Grade.B,
        note="time of a sequential read over that of a random one, 4 KiB each, one in flight",
    )
    if low < _FASTER < high:
        words = f"the ratio may be anything from {low:.2f} to {high:.2f}, and {_FASTER:g} parts the two"
        return (not_identifiable(PRESENT, Reason.NOISY, words), ratio)
    strong = distance >= STRONG and replicated is Replicated.YES
    return (
        Answer(
            name=PRESENT,
            value="yes" if high < _FASTER else "no",
            separation=float(distance),
            replicated=replicated,
            grade=Grade.A if strong else Grade.C,
        ),
        ratio,
    )


READ_AHEAD = Probe(
    name="read-ahead",
    question="Does the drive read ahead of a sequential reader?",
    limits="where flash and link are as fast as each other, data that is there already saves little",
    design=_design,
    medium=Medium.FILE,
)
