"""The source paper's own estimator of the management block (Ryu and Park, figure 6), kept as a reference.

Two slips of the print are mended, or it could not run: the sum over chunks begins anew at each shift, and shifts are counted in
shifts and not in bytes. Its defects are left in (docs/concepts/black-box.md): means instead of medians, so that one outlier moves
them; a first sample that can never become the largest; and a greatest common divisor of the shifts that straddle, which is 1 as
soon as two such shifts follow each other.
"""

from dataclasses import dataclass
from math import gcd

from ssdlab.probe.probes.statistics import Floats


@dataclass(frozen=True, slots=True, eq=False)
class PaperArm:
    """Response times of writes of one size: a row a chunk, a column a shift."""

    shift_bytes: int
    response_ns: Floats


def management_block_by_paper(arm: PaperArm) -> int:
    """Size in bytes; 0 where no shift stands out, of which the paper says nothing."""
    means = arm.response_ns.mean(axis=0)
    largest, smallest = 0.0, float("inf")
    for mean in means:
        if mean < smallest:
            smallest = float(mean)
        elif mean > largest:
            largest = float(mean)
    average = float(means.mean())
    above, below = largest - average, average - smallest
    dips = [at for at, mean in enumerate(means) if above < below and mean < (average + smallest) / 2]
    spikes = [at for at, mean in enumerate(means) if above > below and mean > (average + largest) / 2]
    return arm.shift_bytes * gcd(*(dips or spikes))
