"""What operations of the flash scatter is told from what commands do, by reads that touch no flash."""

import numpy as np
import pytest

from ssdlab.probe.probes.statistics import Floats, spread
from ssdlab.twin.scatter import apart

READS = 8_000


def times(*sigmas: float, wanders: float = 0.0) -> tuple[Floats, Floats]:
    """Of reads of one page, whose logarithms are normal with each of these standard deviations, and of reads that have the first alone."""
    random = np.random.default_rng(5)
    slowly = np.repeat(random.normal(0, wanders, READS // 100), 100) if wanders else np.zeros(READS)
    of_page = sum((random.normal(0, sigma, READS) for sigma in sigmas), slowly)
    return 50e3 * np.exp(of_page), 9e3 * np.exp(random.normal(0, sigmas[0], 1_000))


def test_what_reads_of_a_page_scatter_more_is_of_operations() -> None:
    of_page, without_flash = times(0.1, 0.2)
    found = apart(of_page, without_flash, spread(np.log(of_page)))
    assert found.operations == pytest.approx(0.2, rel=0.05)
    assert found.commands == pytest.approx(0.1, rel=0.2)


def test_where_both_scatter_alike_all_of_it_is_of_commands() -> None:
    of_page, without_flash = times(0.2)
    whole = spread(np.log(of_page))
    found = apart(of_page, without_flash, whole)
    assert (found.commands, found.operations) == (whole, 0.0)


def test_where_nothing_scatters_nothing_is_told() -> None:
    found = apart(np.full(READS, 50e3), np.full(1_000, 9e3), 0.0)
    assert (found.commands, found.operations) == (0.0, 0.0)


def test_operations_of_a_drive_without_noise_scatter_alone() -> None:
    of_page, without_flash = times(0.0, 0.17)
    found = apart(of_page, without_flash, spread(np.log(of_page)))
    assert found.operations == pytest.approx(0.17, rel=0.05)


def test_a_speed_that_wanders_is_none_of_operations() -> None:
    of_page, without_flash = times(0.1, wanders=0.1)
    whole = spread(np.log(of_page))
    assert whole > 0.13
    assert apart(of_page, without_flash, whole).operations == 0.0
