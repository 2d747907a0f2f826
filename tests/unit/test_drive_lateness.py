"""How late a virtual drive's replies were: the difference of two looks at its server's account."""

import pytest

from ssdlab.drive.lateness import Late, Lateness, between, late_of
from ssdlab.message import message
from ssdlab.unknown import Unknown

NOBODY_KNOWS = Unknown(message("unknown-virtual-never-late"))


def account(bins: dict[int, int]) -> Lateness:
    return Lateness(
        count=sum(bins.values()), total_ns=sum(late_ns * count for late_ns, count in bins.items()), bins=bins
    )


def test_what_was_late_before_does_not_count() -> None:
    before = account({1_000: 5_000, 90_000_000: 40})
    after = account({1_000: 6_000, 50_000: 1_950, 700_000: 50, 90_000_000: 40})
    assert late_of(between(before, after)) == Late(count=3_000, mean_ns=44_500, p50_ns=50_000, p99_ns=700_000)


def test_a_percentile_has_ten_replies_above_it() -> None:
    late = late_of(account({1_000: 999}))
    assert isinstance(late, Late)
    assert late.p50_ns == 1_000
    assert late.p99_ns == Unknown(message("unknown-few-replies-above", least=10, replies=999))


def test_without_replies_there_is_nothing_to_be_late() -> None:
    assert late_of(between(account({1_000: 3}), account({1_000: 3}))) == Unknown(message("unknown-no-reply-left"))


@pytest.mark.parametrize("ends", [(NOBODY_KNOWS, account({})), (account({}), NOBODY_KNOWS)])
def test_what_one_end_does_not_know_is_not_known(ends: tuple[Lateness | Unknown, Lateness | Unknown]) -> None:
    assert late_of(between(*ends)) == NOBODY_KNOWS


def test_replies_of_several_jobs_are_taken_together() -> None:
    assert account({1_000: 3}).and_of(account({1_000: 1, 5_000: 2})) == account({1_000: 4, 5_000: 2})
