"""Read-ahead: does a sequential reader find its data already there (P5)?

It does, too, where the controller keeps what it read, and reads more of it at a time than the reader asks for: a page of flash. Such
neighbours are there for a reader in falling order as well, for whom hardly any drive reads ahead, so that he is watched beside the other.
"""

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


_RUNS, _FALLING = "reads", "falling"


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
    last = random.integers(_READS, pages, _BLOCKS)
    falling = (last[:, None] - np.arange(_READS)[None, :]).reshape(-1) * _PAGE_BYTES
    acts = (
        Ask(_RUNS, Commands.one_by_one(Verb.READ, offsets, _PAGE_BYTES)),
        Ask(_FALLING, Commands.one_by_one(Verb.READ, falling, _PAGE_BYTES), needed=_seems_read_ahead),
    )

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        present, ratio = read_ahead(*_in_order(evidence))
        if _FALLING in evidence.asked:
            fallen_ns = evidence.asked[_FALLING].latency_ns.reshape(_BLOCKS, _READS)[:, _FIRST:]
            present = beside_falling(present, *_in_order(evidence), fallen_ns)
        return (as_sure_as(present, region.length_bytes), ratio)

    return Design(need=Need.SEQUENTIAL, region=region, acts=acts, estimate=estimate)


def _in_order(evidence: ProbeEvidence) -> tuple[Floats, Floats]:
    """Times of random reads, and of sequential ones that may find their data there."""
    times = evidence.asked[_RUNS].latency_ns.reshape(_BLOCKS, 2, _READS)
    return times[:, 0], times[:, 1, _FIRST:]


def _seems_read_ahead(evidence: ProbeEvidence) -> bool:
    present, _ = read_ahead(*_in_order(evidence))
    return present.value == Presence.YES.value


def beside_falling(present: Answer, random_ns: Floats, sequential_ns: Floats, falling_ns: Floats) -> Answer:
    """No answer where reads in falling order save as much as those in rising order do.

    Args:
        present: By random and rising reads alone.
        random_ns: Response times of random reads, ns.
        sequential_ns: Of reads in rising order.
        falling_ns: Of reads in falling order.
    """
    if present.value != Presence.YES.value:
        return present
    # No read counts for more than a random one: some wait for something else.
    usual_ns = float(np.median(random_ns))
    rising, falling = (float(np.minimum(one, usual_ns).mean()) for one in (sequential_ns, falling_ns))
    if rising < _FASTER * falling:
        return present
    why = message("probe-read-ahead-neighbours", ratio=number(falling / usual_ns, ".2f"))
    return not_identifiable(PRESENT, Reason.AMBIGUOUS, why)


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
