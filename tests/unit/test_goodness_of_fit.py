"""Counts against shares by chi-square, with values of published tables."""

import pytest

from ssdlab.analysis.infer.mixture import expected_shares
from ssdlab.analysis.statistics.goodness_of_fit import chi_squared_tail, fit
from ssdlab.job import MixAction, MixPart, MixSize, Region, Zipf


@pytest.mark.parametrize(
    ("chi_squared", "degrees", "p"),
    [
        (3.841, 1, 0.05),
        (5.991, 2, 0.05),
        (16.919, 9, 0.05),
        (18.307, 10, 0.05),
        (23.209, 10, 0.01),
        (149.449, 100, 0.001),
    ],
)
def test_the_tail_is_that_of_the_tables(chi_squared: float, degrees: int, p: float) -> None:
    assert chi_squared_tail(chi_squared, degrees) == pytest.approx(p, rel=2e-3)


def test_equal_counts_fit_equal_shares() -> None:
    found = fit({"a": 500, "b": 500}, {"a": 0.5, "b": 0.5})
    assert (found.chi_squared, found.degrees, found.p) == (0, 1, 1)


def test_a_wrong_share_does_not_fit() -> None:
    assert fit({"a": 560, "b": 440}, {"a": 0.5, "b": 0.5}).p == pytest.approx(1.48e-4, rel=0.01)


def test_what_has_no_share_must_not_come() -> None:
    assert fit({"a": 999, "b": 1}, {"a": 1.0}).p == 0


def test_rare_kinds_are_counted_together() -> None:
    assert fit({"a": 996, "b": 4}, {"a": 0.99, "b": 0.004, "c": 0.003, "d": 0.003}).degrees == 1


def test_the_classes_of_zipfs_law_are_its_sums() -> None:
    part = MixPart(1, MixAction.READ, Region(0, 1_000_000 * 4096), Zipf(0.99), (MixSize(4096, 1),))
    shares = {kind.cell: share for kind, share in expected_shares([part]).items()}
    weights = [rank**-0.99 for rank in range(1, 1_000_001)]
    for cell, (first, last) in {0: (1, 1), 1: (2, 2), 4: (9, 16), 8: (129, 256), 9: (257, 1_000_000)}.items():
        assert shares[cell] == pytest.approx(sum(weights[first - 1 : last]) / sum(weights), rel=1e-9)
