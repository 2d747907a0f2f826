"""The pass of the short way to steady state: one filling of a purged drive that leaves it nearly as long random writing would.

Where random writes have gone on for long, the blocks of flash that were written longest ago hold the least that is still valid, because
what was on them has been overwritten since, and the share falls from the newest to the oldest by `exp(-age)`. On a fresh drive every page
that the host writes takes the place of one that collection would have moved, so a drive that is filled slowly, with random writes
over what is there in between, gets the same ages and shares without any collection. That is the idea of fio's `sprandom`; here it is plain
jobs, so any engine does it: the drive is filled part by part, and after each part the parts so far are overwritten at random.

How much is overwritten depends on the spare space of the drive, which nobody knows: see `ASSUMED_SPARE`.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import exp, log

from ssdlab.job import Draw, Job, Pattern, Region, StepKind
from ssdlab.units import KIB
from ssdlab.unknown import Unknown

ASSUMED_SPARE = 0.26
"""Of the capacity. A drive with less collects before the pass ends and is nearly in balance then; one with more has to be written so much
longer. Both come to the balance in the random writes that follow, and what is too early to judge is not flat."""
STRETCH_SHARE = 0.22
"""Of the capacity: so much of random writes is to be even."""
AGAIN_SHARE = 0.02
"""Of the capacity: after so much more the stretch up to there is to be even, too."""
LIMIT_SHARE = 1.0
"""Of the capacity: so long after the pass the last stretch is judged; what is not flat by then goes the long way."""
PARTS = 32
"""Of the drive, filled one after the other; oldest and newest data of a part differ in age by a thirtieth of the pass."""
_FILL_BLOCK_BYTES = 128 * KIB
"""Parts are filled in order, which no drive has to read for; where they lie makes no difference to random writes."""
_OVERWRITE_SHARE_MIN = 1 / 500
"""Of the capacity: less is left to the next part, so that no job is over before anything is seen of it."""


def short_pass(job: Job, unit_bytes: int | Unknown) -> Iterator[tuple[StepKind, Job]]:
    """Its jobs in order.

    Args:
        job: The random writes that follow it: their region, blocks and queue depth are those of the pass.
        unit_bytes: The drive's indirection unit, where it says: a write of less makes as much of the flash invalid as one of it.
    """
    length_bytes, overwritten = job.region.length_bytes, 0.0
    fill_bytes = max(_FILL_BLOCK_BYTES, job.block_bytes) // job.block_bytes * job.block_bytes
    borders = [length_bytes * part // PARTS // fill_bytes * fill_bytes for part in range(PARTS)] + [length_bytes]
    for part, (begin, end) in enumerate(pairwise(borders), start=1):
        if end > begin:
            yield StepKind.FILL, _fill(job, part, Region(begin, end - begin), fill_bytes)
        overwritten += _overwritten_share(part) * length_bytes * _shrink(job, unit_bytes)
        unit = job.block_bytes * job.jobs
        amount_bytes = int(overwritten / unit) * unit
        if amount_bytes >= _OVERWRITE_SHARE_MIN * length_bytes:
            overwritten -= amount_bytes
            yield StepKind.RAMP, _overwrite(job, part, end, amount_bytes)


def passed_bytes(job: Job, unit_bytes: int | Unknown) -> int:
    """What the pass writes in all."""
    return sum(one.amount_bytes or 0 for _, one in short_pass(job, unit_bytes))


def stretch_bytes(length_bytes: int, block_bytes: int) -> int:
    """What is judged at least, in whole blocks."""
    return int((STRETCH_SHARE + AGAIN_SHARE) * length_bytes) // block_bytes * block_bytes


def amplification(spare: float) -> float:
    """Bytes written to flash for each byte of endless random writes, where collection takes what was written longest ago.

    Shares of valid data fall as `exp(-age / amplification)` over ages up to `1 + spare` and are `1 / (1 + spare)` in the mean
    (Desnoyers, "Analytic modeling of SSD write performance", SYSTOR 2012).

    Args:
        spare: Share of the capacity that is there beside it.
    """
    low, high = 1e-9, 50.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 - exp(-middle)) / middle > 1 / (1 + spare) else (low, middle)
    return (1 + spare) / low


def spare_at(factor: float) -> float:
    """The spare space at which endless random writes are amplified by that factor, above one; the inverse of `amplification`."""
    return factor * log(factor / (factor - 1)) - 1


def _overwritten_share(part: int) -> float:
    """Of the capacity, after that part: so that each byte there is overwritten as often as in the balance, by what is written to flash."""
    factor, before, now = amplification(ASSUMED_SPARE), (part - 1) / PARTS, part / PARTS
    return factor * log((factor - before) / (factor - now)) - (now - before)


def _shrink(job: Job, unit_bytes: int | Unknown) -> float:
    return 1.0 if isinstance(unit_bytes, Unknown) else min(1.0, job.block_bytes / unit_bytes)


def _fill(job: Job, part: int, region: Region, block_bytes: int) -> Job:
    # The last part may end in the middle of a large block, and every block of it is to be written.
    whole = region.length_bytes % block_bytes == 0
    return replace(
        job,
        name=f"{job.name}.fill{part}",
        pattern=Pattern.SEQUENTIAL,
        draw=Draw.PERMUTATION,
        block_bytes=block_bytes if whole else job.block_bytes,
        jobs=1,
        region=region,
        amount_bytes=region.length_bytes,
        duration_ns=None,
    )


def _overwrite(job: Job, part: int, end_bytes: int, amount_bytes: int) -> Job:
    return replace(
        job,
        name=f"{job.name}.overwrite{part}",
        region=Region(0, end_bytes),
        amount_bytes=amount_bytes,
        duration_ns=None,
    )
