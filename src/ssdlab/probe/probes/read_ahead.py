"""Read-ahead: does a sequential reader find its data already there (P5)?"""

from dataclasses import replace

import numpy as np

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Verb
from ssdlab.message import message, number, size
from ssdlab.probe.answer import STRONG, Answer, Grade, Presence, Reason, Replicated, not_identifiable
from ssdlab.probe.probes.statistics import Floats, hodges_lehmann, spread
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
    too_small,
    working_region,
)
from ssdlab.units import KIB, MIB

PRESENT = "read_ahead.present"
RATIO = "read_ahead.time_ratio"

_PAGE_BYTES = 4 * KIB
_BLOCKS = 40
_READS = 64
_FIRST = 32
"""Reads of a sequential run that may still be waking the read-ahead."""
_NEAR_PAGES = 512
"""Within 2 MiB: half of what a page of a table of four-byte entries maps."""
_SURE_BYTES = 64 * MIB
"""Of less a write buffer may hold all, and reads from it take as long in any order."""
_FASTER = 0.7
"""Sequential reads that take a smaller share of the time are read ahead (published: 5.96 us against 56.95)."""


def _design(drive: KnownDrive) -> Design:
    region = working_region(drive, READ_REGION_BYTES)
    random = np.random.default_rng(drive.seed)
    pages = region.length_bytes // _PAGE_BYTES
    if pages < _NEAR_PAGES:
        raise too_small(_NEAR_PAGES * _PAGE_BYTES)
    starts = random.integers(0, pages - _READS, _BLOCKS)
    sequential = starts[:, None] + np.arange(_READS)[None, :]
    # Near each other, so that they find their mappings where sequential reads find theirs.
    near = np.stack([random.permutation(_NEAR_PAGES)[:_READS] for _ in range(_BLOCKS)])
    scattered = random.integers(0, pages // _NEAR_PAGES, (_BLOCKS, 1)) * _NEAR_PAGES + near
    offsets = np.stack([scattered, sequential], axis=1).reshape(-1) * _PAGE_BYTES
    acts = (Ask("reads", Commands.one_by_one(Verb.READ, offsets, _PAGE_BYTES)),)

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        times = evidence.asked["reads"].latency_ns.reshape(_BLOCKS, 2, _READS)
        present, ratio = read_ahead(times[:, 0], times[:, 1, _FIRST:])
        return (as_sure_as(present, region.length_bytes), ratio)

    return Design(need=Need.SEQUENTIAL, region=region, acts=acts, estimate=estimate)


def as_sure_as(present: Answer, region_bytes: int) -> Answer:
    """A `no` that is a hint alone where the reads may have come from a buffer."""
    if region_bytes >= _SURE_BYTES or present.value != Presence.NO.value:
        return present
    return replace(present, grade=Grade.C, note=message("probe-read-ahead-small-region", least=size(_SURE_BYTES)))


def read_ahead(random_ns: Floats, sequential_ns: Floats) -> tuple[Answer, Answer]:
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
        note=message("probe-read-ahead-ratio-note"),
    )
    if low < _FASTER < high:
        why = message(
            "probe-ratio-undecided",
            low=number(float(low), ".2f"),
            high=number(float(high), ".2f"),
            border=number(_FASTER, "g"),
        )
        return (not_identifiable(PRESENT, Reason.NOISY, why), ratio)
    strong = distance >= STRONG and replicated is Replicated.YES
    return (
        Answer(
            name=PRESENT,
            value=(Presence.YES if high < _FASTER else Presence.NO).value,
            separation=float(distance),
            replicated=replicated,
            grade=Grade.A if strong else Grade.C,
        ),
        ratio,
    )


READ_AHEAD = Probe(
    name="read-ahead",
    question=message("probe-read-ahead-question"),
    limits=message("probe-read-ahead-limits"),
    design=_design,
    medium=Medium.FILE,
)
