"""Streams that are hard to judge are not called steady far from where they go, unless it is said."""

import pytest
from tests.kit.adverse_dynamics import CAPACITIES, CAPACITY_BYTES, Dynamics, adverse_stream
from tests.study.passed import Study, runs_whole
from tests.study.steady_study import FINAL_COUNT, FINAL_FAMILY, Judged, Verdict, judged

COUNT = FINAL_COUNT if runs_whole(Study.STEADINESS) else 2 * len(Dynamics)
UNSAID_MAX = 1


@pytest.fixture(scope="module")
def found() -> tuple[Judged, ...]:
    return tuple(judged(number, FINAL_FAMILY) for number in range(COUNT))


def test_what_is_far_off_is_said(found: tuple[Judged, ...]) -> None:
    assert sum(one.verdict is Verdict.UNSAID for one in found) <= UNSAID_MAX


def test_a_drive_that_settles_is_called_steady(found: tuple[Judged, ...]) -> None:
    settled = [one for one in found if one.stream.dynamics is Dynamics.DECAY]
    assert settled
    assert all(one.verdict is Verdict.CLOSE for one in settled)


def test_held_never_ends_before_window(found: tuple[Judged, ...]) -> None:
    both = [(one.held, one.window) for one in found if one.held is not None]
    assert both
    assert all(window is not None and held.capacities >= window.capacities for held, window in both)


def test_a_stream_of_a_number_is_always_the_same() -> None:
    first, again = adverse_stream(5), adverse_stream(5)
    assert first.done_bytes.tolist() == again.done_bytes.tolist()
    assert first.detail != adverse_stream(5, family=2).detail


def test_all_that_a_suite_allows_and_the_truth_after_it_is_there() -> None:
    assert adverse_stream(4).done_bytes.sum() == pytest.approx(CAPACITIES * CAPACITY_BYTES, rel=0.01)
