"""What write amplification theory expects of a drive that cleans large blocks, by how its spare space is used.

Sources: P. Desnoyers, "Analytic Models of SSD Write Performance", ACM Transactions on Storage 10(2), 2014 (uniform writes, and hot and
cold data apart with the best share of the spare space each); R. Stoica and A. Ailamaki, PVLDB 6(9), 2013, for frequencies of many groups.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.job import Access, Zipf

Floats = NDArray[np.float64]

_HALVINGS = 100
_ZIPF_ZONES = 64
"""Groups of ranks that grow by a constant factor: with more of them the results change by less than a thousandth."""


@dataclass(frozen=True, slots=True, eq=False)
class WriteShares:
    """Groups of blocks, each written evenly.

    Attributes:
        blocks: float64, share of the blocks of each; all come to 1.
        writes: float64, share of the writes of each, likewise.
    """

    blocks: Floats
    writes: Floats


def shares_of(access: Access | None, blocks: int) -> WriteShares:
    """Where the writes of a pattern over so many blocks go."""
    if access is None:
        return WriteShares(np.ones(1), np.ones(1))
    if isinstance(access, Zipf):
        return _zipf_shares(access.exponent, blocks)
    parts = [(one.blocks_percent / 100, one.ios_percent / 100) for one in access.zones]
    return WriteShares(np.array([one for one, _ in parts]), np.array([one for _, one in parts]))


def _zipf_shares(exponent: float, blocks: int) -> WriteShares:
    edges = np.unique(np.round(np.geomspace(1, blocks + 1, _ZIPF_ZONES + 1))) - 0.5
    sums = np.log(edges) if abs(exponent - 1) < 1e-9 else edges ** (1 - exponent) / (1 - exponent)
    writes = np.diff(sums)
    return WriteShares(np.diff(edges) / blocks, writes / writes.sum())


def uniform_amplification(spare: float) -> float:
    """Of uniform random writes: `1 / (1 - u)` with `u = exp(-(1 - u) (1 + spare))`, where spare is a share of the user's capacity."""
    low, high = 0.0, 1.0 - 1e-12
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        # Towards 1 there is always the other solution, of a drive without any room.
        low, high = (middle, high) if np.exp(-(1 - middle) * (1 + spare)) > middle else (low, middle)
    return 1 / (1 - (low + high) / 2)


def spare_of(amplification: float) -> float:
    """The spare space, a share of the user's capacity, with which uniform random writes are amplified so.

    Raises:
        ValueError: They are not amplified at all.
    """
    if amplification <= 1:
        raise ValueError(f"a write amplification of {amplification} tells nothing of the spare space")
    return amplification * float(np.log(amplification / (amplification - 1))) - 1


def mixed_amplification(shares: WriteShares, spare: float) -> float:
    """Of a drive that writes all data, also what cleaning moves, into one stream and cleans its oldest block.

    Of a group that gets the share w of the writes and s of the blocks, exp(-w t / s) is still valid when its block is cleaned, after t
    capacities were written; what is written of all groups meanwhile fills the drive once.
    """
    low, high = 0.0, 1.0 + spare
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _written_a_cycle(shares, middle) < 1 + spare else (low, middle)
    return (1 + spare) / ((low + high) / 2)


def _written_a_cycle(shares: WriteShares, capacities: float) -> float:
    """By the host and by cleaning, in capacities."""
    hits = shares.writes * capacities / shares.blocks
    each = np.where(hits > 1e-9, hits / -np.expm1(-np.maximum(hits, 1e-9)), 1.0)
    return float((shares.blocks * each).sum())


def separated_amplification(shares: WriteShares, spare: float) -> float:
    """The least of a drive that keeps every group apart and gives each its best share of the spare space."""
    hot = shares.writes > 0
    blocks, writes = shares.blocks[hot], shares.writes[hot]
    least, most = -60.0, 60.0
    for _ in range(_HALVINGS):
        middle = (least + most) / 2
        used = float((blocks * (_room_of(_valid_at(np.exp(middle) * blocks / writes)) - 1)).sum())
        least, most = (middle, most) if used > spare else (least, middle)
    valid = _valid_at(np.exp((least + most) / 2) * blocks / writes)
    return float((writes / (1 - valid)).sum())


def _room_of(valid: Floats) -> Floats:
    """Physical space of a group, in shares of its data, at which so much of a block is valid when it is cleaned."""
    room: Floats = -np.log(valid) / (1 - valid)
    return room


def _valid_at(price: Floats) -> Floats:
    """How much of a block is valid when it is cleaned, where a little more room spares so many writes for each that the host does.

    Of `1 / (1 - u)` by `-ln(u) / (1 - u)`: the quotient of both derivatives, which rises with `u`.
    """
    low, high = np.full_like(price, 1e-300), np.full_like(price, 1 - 1e-9)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        gain = 1 / ((1 - middle) / middle + np.log(middle))
        low, high = np.where(gain < price, middle, low), np.where(gain < price, high, middle)
    valid: Floats = (low + high) / 2
    return valid
