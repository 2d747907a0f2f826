"""When a point is long enough: ramp, rhythm, interval, floor, drift, and what is said at the limit."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.kit.rhythmic_points import Unrest, rhythmic_drive

from ssdlab.analysis.adaptive.past import NO_PAST, DrivePast, last_written
from ssdlab.analysis.adaptive.ramp import ramp_windows
from ssdlab.analysis.adaptive.rhythm import longest_rhythm
from ssdlab.analysis.adaptive.rule import PointAim, PointJudge, look_at
from ssdlab.analysis.adaptive.words import end_words
from ssdlab.engine.result import PointEnd, PointEnding
from ssdlab.job import WINDOW_NS
from ssdlab.units import NS_PER_S

Floats = NDArray[np.float64]
LIMIT = 3000
"""Windows of five minutes."""
LIMIT_NS = LIMIT * WINDOW_NS
RATE = 1e8


def noise(seed: int, count: int, sigma: float = 0.05) -> Floats:
    return 1 + sigma * np.random.default_rng(seed).normal(size=count)


def square(count: int, period: int, height: float) -> Floats:
    return np.where(np.arange(count) % period < period // 2, 1 + height, 1 - height)


def ended(rates: Floats, aim: PointAim) -> PointEnd:
    """How a point at these rates ends, whose windows come ten at a time."""
    judge = PointJudge(aim)
    for begin in range(0, min(len(rates), LIMIT), 10):
        part = rates[begin : min(begin + 10, LIMIT)]
        time_ns = (begin + 1 + np.arange(len(part))) * WINDOW_NS
        if judge.feed(time_ns, part * WINDOW_NS / NS_PER_S) is not None:
            break
    end = judge.end()
    assert end is not None
    return end


def reads(within: float = 0.01) -> PointAim:
    return PointAim(within=within, limit_ns=LIMIT_NS, write_share=0.0)


def writes(past: Floats, within: float = 0.01) -> PointAim:
    return PointAim(within=within, limit_ns=LIMIT_NS, write_share=1.0, past=DrivePast(RATE * past, WINDOW_NS))


def test_a_point_without_rhythm_ends_as_soon_as_its_mean_is_known() -> None:
    found = [ended(RATE * noise(seed, LIMIT), reads()) for seed in range(40)]
    assert {end.because for end in found} == {PointEnding.ENOUGH}
    assert all(10 * NS_PER_S <= end.seen_ns <= 60 * NS_PER_S for end in found)
    assert sum(holds(end, RATE) for end in found) >= 35
    assert all(abs(end.bytes_per_s / RATE - 1) <= 0.02 for end in found)


def test_noisier_points_last_longer() -> None:
    quiet, noisy = (
        np.median([ended(RATE * noise(seed, LIMIT, sigma), reads()).seen_ns for seed in range(9)])
        for sigma in (0.02, 0.2)
    )
    assert noisy > 2 * quiet


def test_no_point_ends_before_ten_seconds() -> None:
    assert ended(np.full(LIMIT, RATE), reads()).seen_ns >= 10 * NS_PER_S


def test_a_writing_point_lasts_until_stretches_of_its_past_as_long_differ_by_as_little_as_was_asked_for() -> None:
    past = square(12_000, 300, 0.2) * noise(1, 12_000, 0.02)
    for phase in range(0, 300, 50):
        rates = RATE * square(LIMIT + phase, 300, 0.2)[phase:] * noise(2, LIMIT, 0.02)
        end = ended(rates, writes(past, within=0.05))
        assert end.rhythm_ns == pytest.approx(30 * NS_PER_S, rel=0.05)
        assert (end.because, end.low is not None) == (PointEnding.ENOUGH, True)
        assert holds(end, RATE)


def holds(end: PointEnd, truth: float) -> bool:
    return end.low is not None and end.high is not None and end.low <= truth <= end.high


def test_a_rhythm_longer_than_the_point_is_said_and_widens_its_interval() -> None:
    past = square(36_000, 9000, 0.2) * noise(3, 36_000, 0.02)
    end = ended(RATE * 1.2 * noise(4, LIMIT, 0.02), writes(past))
    assert end.is_shorter_than_rhythm
    assert end.low is None or end.low <= RATE
    assert "[longer]" not in str(end_words(end))
    assert "less than two of its periods" in str(end_words(end))


def test_a_point_whose_drive_varies_more_slowly_than_its_limit_ends_before_and_says_what_it_did_not_reach() -> None:
    slow = square(36_000, 9000, 0.1) * noise(3, 36_000, 0.02)
    end = ended(RATE * noise(4, LIMIT, 0.02), writes(slow))
    assert end.because is PointEnding.NO_NARROWER
    assert end.seen_ns < LIMIT_NS / 4
    assert end.reach is not None
    assert end.reach > end.within
    assert "hardly have narrowed" in str(end_words(end))


def test_a_point_goes_on_while_its_interval_still_narrows() -> None:
    end = ended(RATE * noise(4, LIMIT, 0.4), writes(noise(3, 36_000, 0.4)))
    assert end.because in {PointEnding.NO_NARROWER, PointEnding.NOT_REACHED}
    assert end.seen_ns > LIMIT_NS / 2


def test_a_point_that_reads_does_not_ask_how_the_drive_writes() -> None:
    past = DrivePast(RATE * square(36_000, 9000, 0.2), WINDOW_NS)
    end = ended(RATE * noise(5, LIMIT), PointAim(within=0.01, limit_ns=LIMIT_NS, write_share=0.0, past=past))
    assert (end.because, end.rhythm_ns) == (PointEnding.ENOUGH, None)


def test_a_point_that_writes_to_a_drive_of_which_nothing_is_known_goes_on_to_its_limit() -> None:
    end = ended(RATE * noise(6, LIMIT), PointAim(within=0.01, limit_ns=LIMIT_NS, write_share=0.3))
    assert (end.because, end.seen_ns) == (PointEnding.WHOLE, LIMIT * WINDOW_NS)
    assert "too little is known" in str(end_words(end))


@pytest.mark.parametrize("shown", [square(3000, 6000, 0.2), square(3000, 1000, 0.2)], ids=["one speed", "both"])
def test_a_point_that_writes_to_a_drive_known_for_a_few_minutes_goes_on_to_its_limit(shown: Floats) -> None:
    end = ended(RATE * 1.2 * noise(11, LIMIT, 0.02), writes(shown * noise(12, 3000, 0.02)))
    assert (end.because, end.seen_ns) == (PointEnding.WHOLE, LIMIT_NS)
    assert "too little is known" in str(end_words(end))


def test_a_slower_writer_sees_a_rhythm_of_bytes_later() -> None:
    past = DrivePast(RATE * square(12_000, 300, 0.2), WINDOW_NS)
    whole, third = past.rhythm_ns(RATE), past.rhythm_ns(0.3 * RATE)
    assert whole is not None
    assert third is not None
    assert third / whole == pytest.approx(1 / 0.3, rel=0.02)


def test_what_drifts_never_is_enough_and_is_said_to_drift() -> None:
    drifting = RATE * np.linspace(1, 1.1, LIMIT) * noise(7, LIMIT, 0.02)
    end = ended(drifting, reads())
    assert end.because is PointEnding.NOT_REACHED or end.seen_ns < 30 * NS_PER_S
    look = look_at(drifting, reads())
    assert look is not None
    assert look.drift is not None
    counted = (look.windows - look.ramp) / LIMIT
    assert look.drift == pytest.approx(0.1 * counted / look.mean * RATE, rel=0.2)


@pytest.mark.parametrize("seed", range(10))
def test_noise_is_no_drift(seed: int) -> None:
    look = look_at(RATE * noise(seed, LIMIT), reads())
    assert look is not None
    assert look.drift is None


def test_a_ramp_is_found_and_does_not_count() -> None:
    rates = RATE * noise(8, LIMIT, 0.02)
    rates[:40] *= 3
    end = ended(rates, reads())
    assert 40 <= end.ramp_ns // WINDOW_NS <= 60
    assert end.bytes_per_s == pytest.approx(RATE, rel=0.01)
    assert end.seen_ns >= 3 * end.ramp_ns


@given(st.integers(0, 200), st.floats(0.5, 1e12))
def test_what_is_alike_has_no_ramp_whatever_its_size(count: int, value: float) -> None:
    assert ramp_windows(np.full(count, value)) == 0


@given(st.lists(st.floats(0, 1e10), max_size=300))
def test_a_ramp_is_at_most_half_of_the_series(values: list[float]) -> None:
    assert 0 <= ramp_windows(np.array(values)) <= len(values) / 2 + 5


SHAPES: dict[str, Callable[[Floats], Floats]] = {
    "sine": lambda turns: np.sin(2 * np.pi * turns),
    "square": lambda turns: np.where(turns % 1 < 0.3, 1.0, -1.0),
    "saw": lambda turns: 2 * (turns % 1) - 1,
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("period", [17, 100, 333, 1500])
def test_a_rhythm_is_found_under_noise_and_a_drift(shape: str, period: int) -> None:
    at = np.arange(12_000)
    series = 1 + 0.1 * SHAPES[shape](at / period) + 0.05 * at / 12_000
    assert longest_rhythm(series * noise(9, 12_000, 0.05)) == pytest.approx(period, rel=0.1)


def test_the_longer_of_two_rhythms_is_told() -> None:
    at = np.arange(12_000)
    series = 1 + 0.1 * np.sin(2 * np.pi * at / 30) + 0.1 * np.sin(2 * np.pi * at / 1111)
    assert longest_rhythm(series) == pytest.approx(1111, rel=0.1)


def test_noise_seldom_has_a_rhythm() -> None:
    assert sum(longest_rhythm(noise(seed, 3000)) is not None for seed in range(100)) <= 5


@pytest.mark.parametrize("series", [np.array([]), np.ones(5), np.ones(5000)])
def test_what_does_not_vary_has_no_rhythm(series: Floats) -> None:
    assert longest_rhythm(series) is None


def test_a_last_window_that_is_shorter_says_nothing() -> None:
    judge = PointJudge(reads())
    judge.feed((np.arange(100) + 1) * WINDOW_NS, np.full(100, RATE / 10))
    judge.feed(np.array([100 * WINDOW_NS + 1]), np.array([0.0]))
    end = judge.end()
    assert end is not None
    assert end.bytes_per_s == pytest.approx(RATE)
    assert end.seen_ns == 100 * WINDOW_NS


def test_of_a_few_windows_and_of_a_drive_that_stands_still_nothing_is_told() -> None:
    short = PointJudge(reads())
    assert short.end() is None
    short.feed((np.arange(5) + 1) * WINDOW_NS, np.full(5, 1.0))
    assert short.end() is None
    still = PointJudge(reads())
    assert still.feed((np.arange(200) + 1) * WINDOW_NS, np.zeros(200)) is None
    assert still.end() is None


def test_of_preconditioning_the_end_alone_is_the_past() -> None:
    assert list(last_written(np.array([5.0, 1.0, 2.0, 3.0]), 4.9)) == [2.0, 3.0]
    assert list(last_written(np.array([1.0, 2.0]), 100)) == [1.0, 2.0]
    assert not len(last_written(np.array([]), 100))


def test_a_point_that_outgrows_its_past_forgets_nothing() -> None:
    past = DrivePast(RATE * (1 + 0.1 * np.sin(2 * np.pi * np.arange(4800) / 4000)), WINDOW_NS)
    third, longer = (past.spread(windows * WINDOW_NS, RATE) for windows in (1600, 3000))
    assert third is not None
    assert third == longer
    assert third.reach > 0.05
    assert NO_PAST.spread(100 * WINDOW_NS, RATE) is None
    assert DrivePast(np.ones(2), WINDOW_NS).spread(WINDOW_NS, RATE) is None


@pytest.mark.parametrize("windows", [20, 100, 400])
def test_stretches_of_independent_windows_scatter_as_the_mean_of_so_many(windows: int) -> None:
    found = [DrivePast(RATE * noise(seed, 6000), WINDOW_NS).spread(windows * WINDOW_NS, RATE) for seed in range(30)]
    squares = [one.value**2 for one in found if one is not None]
    assert np.sqrt(np.mean(squares)) == pytest.approx(0.05 / np.sqrt(windows), rel=0.15)


@given(st.integers(0, 1000), st.integers(1, 100), st.floats(1e-3, 1e6))
def test_how_stretches_scatter_asks_for_no_unit_and_is_more_for_a_slower_writer(
    seed: int, windows: int, scale: float
) -> None:
    rates = noise(seed, 2000)
    one, scaled = (DrivePast(size * rates, WINDOW_NS).spread(windows * WINDOW_NS, size) for size in (1.0, scale))
    slower = DrivePast(rates, WINDOW_NS).spread(windows * WINDOW_NS, 1e-9)
    assert one is not None
    assert scaled is not None
    assert slower is not None
    assert scaled.value == pytest.approx(one.value, rel=1e-6)
    assert scaled.degrees == one.degrees
    assert slower.degrees >= one.degrees


def test_a_drive_that_drifted_before_has_no_interval_and_says_so() -> None:
    past = np.linspace(1.05, 1.0, 12_000) * noise(21, 12_000, 0.02)
    end = ended(RATE * noise(22, LIMIT, 0.02), writes(past))
    assert (end.because, end.low, end.high, end.reach) == (PointEnding.NOT_REACHED, None, None, None)
    assert end.past_drift == pytest.approx(-0.05, rel=0.1)
    assert "unknown, because the speed drifts" in str(end_words(end))


def test_a_past_is_longer_by_the_points_that_took_all_of_their_limit_whatever_their_level() -> None:
    past = DrivePast(RATE * noise(23, 500), WINDOW_NS)
    longer = past.with_point(0.1 * RATE * noise(24, 3000)).with_point(np.array([])).with_point(np.zeros(9))
    assert longer.length_ns == 3500 * WINDOW_NS
    assert longer.bytes_per_s.mean() == pytest.approx(past.bytes_per_s.mean())
    assert NO_PAST.with_point(np.ones(9)) is NO_PAST


@pytest.mark.parametrize("kind", Unrest)
def test_drawn_drives_are_the_same_each_time(kind: Unrest) -> None:
    number = list(Unrest).index(kind)
    one, again = rhythmic_drive(number), rhythmic_drive(number)
    assert one.unrest is kind
    assert np.array_equal(one.bytes_per_s, again.bytes_per_s)
