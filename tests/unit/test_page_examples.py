"""What a page shows is held against what is printed at any hour, on any host."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st
from tests.kit.page_examples import Example, without_numbers

SHOWN = Example("ssdlab show", "134 MB, fio-3.33, 2026-11-23T14:11:36+00:00\n12.5 MiB/s in 1.63 s ...\n")


@given(moment=st.integers(10**9, 10**10).map(lambda second: datetime.fromtimestamp(second, UTC)))
def test_the_hour_at_which_a_run_began_is_no_difference(moment: datetime) -> None:
    assert without_numbers(f"begun {moment:%Y-%m-%dT%H:%M:%S}+00:00") == "begun #"
    assert without_numbers(f"runs/{moment:%Y%m%dT%H%M%S}Z-fill") == "runs/#-fill"


def test_a_faster_host_is_no_difference() -> None:
    assert SHOWN.tells("135 MB, fio-3.41, 2026-11-23T20:49:48+00:00\n1.2 GiB/s in 129 ms at once\n") == "at once"


def test_other_words_are_a_difference() -> None:
    assert SHOWN.tells("135 MB, fio-3.41, 2026-11-23T20:49:48+00:00\nabout 1.2 GiB/s in 129 ms\n") is None


def test_digits_within_a_word_stay() -> None:
    assert without_numbers("p99 of md5sum") == "p99 of md5sum"
