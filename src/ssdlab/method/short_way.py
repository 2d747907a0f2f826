"""The pass of the short way to steady state: one filling of a purged drive that leaves it nearly as long random writing would.

Where random writes have gone on for long, the blocks of flash that were written longest ago hold the least that is still valid, because
what was on them has been overwritten since, and the share falls from the newest to the oldest by `exp(-age)`. On a fresh drive every page
that the host writes takes the place of one that collection would have moved, so a drive that is filled slowly, with random writes
over what is there in between, gets the same ages and shares without any collection. That is the idea of fio's `sprandom`; here it is plain
jobs, so any engine does it: the drive is filled part by part, and after each part the parts so far are overwritten at random.

How much is overwritten depends on the spare space of the drive, which nobody knows: the pass takes little (`ASSUMED_SPARE`) and goes on in
pieces until the drive is seen to collect. Blocks written long ago would have been overwritten more on a drive with more spare space, so the
pieces fall on the older parts more (`_PIECE_SHARES`).
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import exp, log

from ssdlab.job import Draw, Job, Pattern, Region, StepKind
from ssdlab.units import KIB
from ssdlab.unknown import Unknown

ASSUMED_SPARE = 0.18
"""Of the capacity. A drive with less collects before the pass ends and is nearly in balance then; what is too early to judge is not flat."""
SPARE_MAX = 0.62
"""Of the capacity: so far the pass goes on in pieces while nothing is collected. Drives with more are rare, and have to be written so much
longer after it."""
PIECE_SHARE = 0.04
"""Of the capacity: so much is overwritten at a time."""
_PIECE_SHARES = ((1.0, 0.33), (0.75, 0.43), (0.5, 0.18), (0.25, 0.06))
"""Up to which share of the drive, which was filled in order, and how much of a piece. If the pass itself had been made for more spare space the
shares were 0.56, 0.28, 0.13 and 0.03; by the time of the piece more is written and all of it older. Chosen so that the speed after the pass is
as even as can be on eight drives of `docs/short-way.md` that have neither cache nor noise."""
STRETCH_SHARE = 0.20
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
    """Its jobs in order: fills, which all are done, and overwrites, which end once the drive collects.

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
        overwritten += _overwritten_share(part) * length_bytes * unit_share(job, unit_bytes)
        unit = job.block_bytes * job.jobs
        amount_bytes = int(overwritten / unit) * unit
        if amount_bytes >= _OVERWRITE_SHARE_MIN * length_bytes:
            overwritten -= amount_bytes
            yield StepKind.RAMP, _overwrite(job, f"overwrite{part}", end, amount_bytes)
    for piece in range(round((SPARE_MAX - ASSUMED_SPARE) / PIECE_SHARE)):
        yield from _piece(job, piece, PIECE_SHARE * length_bytes * unit_share(job, unit_bytes))


def _piece(job: Job, piece: int, piece_bytes: float) -> Iterator[tuple[StepKind, Job]]:
    unit = job.block_bytes * job.jobs
    for number, (up_to, share) in enumerate(_PIECE_SHARES):
        amount_bytes = int(share * piece_bytes / unit) * unit
        if amount_bytes:
            end_bytes = int(up_to * job.region.length_bytes / job.block_bytes) * job.block_bytes
            yield StepKind.RAMP, _overwrite(job, f"more{piece}.{number}", end_bytes, amount_bytes)


def unit_share(job: Job, unit_bytes: int | Unknown) -> float:
    """Of the drive's indirection unit that a block of the job is, one at most: as much flash as the unit becomes invalid by each."""
    return 1.0 if isinstance(unit_bytes, Unknown) else min(1.0, job.block_bytes / unit_bytes)


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


def _overwrite(job: Job, name: str, end_bytes: int, amount_bytes: int) -> Job:
    return replace(
        job,
        name=f"{job.name}.{name}",
        region=Region(0, end_bytes),
        amount_bytes=amount_bytes,
        duration_ns=None,
    )
