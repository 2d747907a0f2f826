"""How much like commands differ, and how much of that is of the flash: reads that touch none beside reads of one page, as the probe of noise did them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ssdlab.bundle.read import Bundle
from ssdlab.probe.probes.noise import NOISE, SIGMA, UNMAPPED, UnmappedReads, noise_times
from ssdlab.probe.probes.statistics import Floats, spread
from ssdlab.probe.store.reader import findings_of, is_probed

_SURELY = 3.0
"""Standard errors by which reads of flash have to scatter more than those that touch none."""
_LEAST = 0.005
"""By which they have to in any case: times are whole numbers, of which no drive is as even."""
_ERROR = 1.17
"""Of a spread by median absolute deviation, times itself over the root of the number of samples (Rousseeuw and Croux 1993)."""


@dataclass(frozen=True, slots=True)
class Scatter:
    """Standard deviations of logarithms of times.

    Attributes:
        commands: Of reads that touch no flash; with it, what a speed that wanders makes of reads that are far apart.
        operations: What a read of one page adds to that from one to the next; 0 where that is no more than chance.
    """

    commands: float
    operations: float


def scatter_of(bundles: Sequence[Bundle]) -> Scatter | None:
    """What the last probe of noise saw of a drive that answers reads of what it does not hold at once; None where nobody looked at both."""
    found: Scatter | None = None
    for bundle in filter(is_probed, bundles):
        for one in findings_of(bundle):
            answers = {answer.name: answer.value for answer in one.answers}
            whole = answers.get(SIGMA)
            is_fast = answers.get(UNMAPPED) == UnmappedReads.FAST.value
            if one.probe.name == NOISE.name and one.evidence is not None and is_fast and isinstance(whole, float):
                times = noise_times(one.evidence)
                found = None if times.trimmed_ns is None else apart(times.fixed_ns, times.trimmed_ns, whole)
    return found


def apart(of_page_ns: Floats, without_flash_ns: Floats, whole: float) -> Scatter:
    """The scatter of reads of one page, by what it is made of.

    Args:
        of_page_ns: Times of reads of one page, in order.
        without_flash_ns: Times of reads that touch no flash.
        whole: Scatter of the former, once they were settled.
    """
    commands = spread(np.log(without_flash_ns))
    # A speed that wanders is nearly the same from one read to the next.
    near = min(whole, spread(np.diff(np.log(of_page_ns))) / sqrt(2))
    if near - commands <= max(_SURELY * _ERROR * commands / sqrt(len(without_flash_ns)), _LEAST):
        return Scatter(whole, 0.0)
    operations = sqrt(near**2 - commands**2)
    return Scatter(sqrt(whole**2 - operations**2), operations)
