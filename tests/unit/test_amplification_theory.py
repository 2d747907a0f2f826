"""Theory of write amplification: its known values, its inverse, and what lies between mixed and separated data."""

import numpy as np
import pytest

from ssdlab.analysis.infer.amplification import (
    mixed_amplification,
    separated_amplification,
    shares_of,
    spare_of,
    uniform_amplification,
)
from ssdlab.job import Access, Zipf, Zones, ZoneShares

BLOCKS = 2**20
EIGHTY_TWENTY = Zones((ZoneShares(20, 80), ZoneShares(80, 20)))
NINETY_TEN = Zones((ZoneShares(10, 90), ZoneShares(90, 10)))
SKEWED: tuple[Access, ...] = (
    EIGHTY_TWENTY,
    NINETY_TEN,
    Zones((ZoneShares(50, 0), ZoneShares(50, 100))),
    Zipf(0.8),
    Zipf(1.0),
)
SPARES = (0.07, 0.15, 0.28, 1.0)


@pytest.mark.parametrize("spare", SPARES)
def test_uniform_writes_solve_the_published_equation(spare: float) -> None:
    valid = 1 - 1 / uniform_amplification(spare)
    assert valid == pytest.approx(np.exp(-(1 - valid) * (1 + spare)), rel=1e-9)
    assert 0 < valid < 1


@pytest.mark.parametrize("spare", SPARES)
def test_the_spare_space_is_found_from_the_amplification_it_causes(spare: float) -> None:
    assert spare_of(uniform_amplification(spare)) == pytest.approx(spare, rel=1e-6)


def test_writes_that_are_not_amplified_tell_nothing_of_the_spare_space() -> None:
    with pytest.raises(ValueError, match="tells nothing"):
        spare_of(1.0)


@pytest.mark.parametrize("spare", SPARES)
def test_uniform_writes_have_nothing_to_separate(spare: float) -> None:
    uniform = uniform_amplification(spare)
    shares = shares_of(None, BLOCKS)
    assert mixed_amplification(shares, spare) == pytest.approx(uniform, rel=1e-6)
    assert separated_amplification(shares, spare) == pytest.approx(uniform, rel=1e-6)


@pytest.mark.parametrize("access", SKEWED, ids=str)
@pytest.mark.parametrize("spare", SPARES)
def test_separated_data_are_amplified_less_than_uniform_and_mixed_ones_more(access: Access, spare: float) -> None:
    shares = shares_of(access, BLOCKS)
    assert 1 <= separated_amplification(shares, spare) < uniform_amplification(spare)
    assert mixed_amplification(shares, spare) > uniform_amplification(spare)


@pytest.mark.parametrize("access", [EIGHTY_TWENTY, NINETY_TEN], ids=str)
def test_no_other_split_of_the_spare_space_is_better(access: Zones) -> None:
    """Brute force: every hundredth of it for the first zone."""
    spare = 0.15
    first, second = access.zones
    every = [
        first.ios_percent / 100 * uniform_amplification(share * spare / (first.blocks_percent / 100))
        + second.ios_percent / 100 * uniform_amplification((1 - share) * spare / (second.blocks_percent / 100))
        for share in np.linspace(0.01, 0.99, 99)
    ]
    best = separated_amplification(shares_of(access, BLOCKS), spare)
    assert best <= min(every)
    assert best == pytest.approx(min(every), rel=1e-3)


def test_a_zone_that_is_not_written_leaves_its_spare_space_to_the_other() -> None:
    shares = shares_of(Zones((ZoneShares(50, 0), ZoneShares(50, 100))), BLOCKS)
    assert separated_amplification(shares, 0.15) == pytest.approx(uniform_amplification(0.30), rel=1e-3)


@pytest.mark.parametrize("exponent", [0.2, 0.8, 1.0])
def test_groups_of_zipf_hold_the_share_of_writes_that_the_law_gives_them(exponent: float) -> None:
    blocks = 10_000
    shares = shares_of(Zipf(exponent), blocks)
    weights = np.arange(1, blocks + 1) ** -exponent
    ends = np.round(np.cumsum(shares.blocks) * blocks).astype(int)
    exact = np.diff(np.cumsum(weights)[ends - 1], prepend=0) / weights.sum()
    assert shares.blocks.sum() == pytest.approx(1)
    # The first group is one block, of which the integral is a little off.
    assert shares.writes == pytest.approx(exact, rel=0.1, abs=0.005)
