"""Which share of the I/Os of a mix is of each kind, by the mix alone: what counts of them are held against."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

import numpy as np

from ssdlab.engine.result import IssuedCell
from ssdlab.job import MixPart, Pattern, Zipf

_CELLS = 10
"""As the engine counts (`load::CELLS`)."""


@dataclass(frozen=True, slots=True)
class MixClass:
    """I/Os that are counted together."""

    part: int
    """Position in the mix."""
    block_bytes: int
    cell: int | None
    """Class of places as in `IssuedCell`; None of a sequential part, whose next place is no draw."""


def class_of(mix: Sequence[MixPart], issued: IssuedCell) -> MixClass:
    """Where a count of the engine belongs."""
    drawn = mix[issued.part].order is not Pattern.SEQUENTIAL
    return MixClass(issued.part, issued.block_bytes, issued.cell if drawn else None)


def expected_shares(mix: Sequence[MixPart]) -> dict[MixClass, float]:
    """The share of each class; all come to 1."""
    whole = sum(part.weight for part in mix)
    return {
        MixClass(number, size.block_bytes, cell): part.weight / whole * size.weight / of_part * share
        for number, part in enumerate(mix)
        for of_part in [sum(size.weight for size in part.sizes)]
        for size in part.sizes
        for cell, share in _places(part, part.region.length_bytes // size.block_bytes)
    }


def _places(part: MixPart, blocks: int) -> Iterator[tuple[int | None, float]]:
    match part.order:
        case Zipf(exponent):
            yield from enumerate(_zipf_classes(exponent, blocks))
        case Pattern.SEQUENTIAL:
            yield None, 1.0
        case Pattern.RANDOM:
            # Of `cell = block * 10 // blocks`.
            ends = [-(-cell * blocks // _CELLS) for cell in range(_CELLS + 1)]
            yield from ((cell, (ends[cell + 1] - ends[cell]) / blocks) for cell in range(_CELLS))


def _zipf_classes(exponent: float, blocks: int) -> list[float]:
    """Share of the ranks above 2^(k-1) to 2^k for all classes but the last, which has all others."""
    hottest = min(1 << (_CELLS - 2), blocks)
    weights = np.arange(1, hottest + 1, dtype=np.float64) ** -exponent
    edges = [0, *(min(1 << k, hottest) for k in range(_CELLS - 1))]
    sums = [float(weights[begin:end].sum()) for begin, end in pairwise(edges)]
    sums.append(_zipf_rest(exponent, hottest, blocks))
    return [one / sum(sums) for one in sums]


def _zipf_rest(exponent: float, above: int, up_to: int) -> float:
    """Sum of `rank ** -exponent` for ranks above one up to another, by the Euler-Maclaurin formula about the middles."""
    if up_to <= above:
        return 0.0
    low, high = above + 0.5, up_to + 0.5
    power = 1 - exponent
    integral: float = log(high / low) if abs(power) < 1e-12 else (high**power - low**power) / power
    rest: float = integral + exponent * (high ** (-exponent - 1) - low ** (-exponent - 1)) / 24
    return rest
