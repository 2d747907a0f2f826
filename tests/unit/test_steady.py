"""Is it steady? The criteria on streams whose answer is known, and the sums against naive ones."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ssdlab.analysis.steady import Criterion, Finding, Firing, Ground, SteadyJudge, fio_slope_percent
from ssdlab.analysis.written_curve import WrittenCurve
from ssdlab.engine.result import EarlyStop
from ssdlab.units import MIB, NS_PER_S

WINDOW_NS = NS_PER_S // 10
CAPACITY_BYTES = 10**11
"""At 100 MB/s a capacity takes a thousand seconds."""
RATE = 1e8
GROUND = Ground(CAPACITY_BYTES, 4096, 2 * CAPACITY_BYTES, measured_ns=100 * NS_PER_S)

FilledWindows = tuple[NDArray[np.int64], NDArray[np.float64]]


def windows_of(rate_bytes_per_s: NDArray[np.float64]) -> FilledWindows:
    """Windows of 100 ms at these rates."""
    return (np.arange(len(rate_bytes_per_s)) + 1) * WINDOW_NS, rate_bytes_per_s * WINDOW_NS / NS_PER_S


def seconds(count: int) -> NDArray[np.float64]:
    """Middles of the windows of so many seconds."""
    return (np.arange(count * 10) + 0.5) / 10


def judged(rate_bytes_per_s: NDArray[np.float64], ground: Ground = GROUND) -> dict[Criterion, Finding]:
    judge = SteadyJudge(ground)
    judge.feed(*windows_of(rate_bytes_per_s))
    return {finding.criterion: finding for finding in judge.findings}


def capacities_at(firing: Firing | None) -> float:
    assert firing is not None
    return firing.at_bytes / CAPACITY_BYTES


def decaying(start: float, capacities: float, length_s: int = 20_000) -> NDArray[np.float64]:
    """From `start` times the last rate towards it, by one e-fold in so many capacities of the last rate."""
    return RATE * (1 + (start - 1) * np.exp(-seconds(length_s) / (1000 * capacities)))


class TestWindow:
    def test_a_constant_rate_is_steady_as_soon_as_enough_is_written(self) -> None:
        found = judged(np.full(30_000, RATE))[Criterion.WINDOW]
        assert found.first == Firing(CAPACITY_BYTES, 1000 * NS_PER_S)
        assert found.after_minimum == Firing(2 * CAPACITY_BYTES, 2000 * NS_PER_S)

    def test_nothing_is_steady_before_a_capacity_is_written(self) -> None:
        assert judged(np.full(9_990, RATE))[Criterion.WINDOW].first is None

    @pytest.mark.parametrize("start", [0.5, 2, 5, 15])
    def test_what_is_left_of_a_decay_by_one_e_fold_a_capacity_is_a_little_over_one_percent(self, start: float) -> None:
        rate = decaying(start, capacities=1)
        fired = judged(rate)[Criterion.WINDOW].after_minimum
        assert fired is not None
        left = rate[fired.at_ns // WINDOW_NS] / RATE - 1
        assert 0.010 < abs(left) < 0.013

    def test_a_fall_by_a_third_a_capacity_is_never_steady(self) -> None:
        assert judged(RATE * np.exp(-seconds(4000) / 3000))[Criterion.WINDOW].first is None

    def test_a_sawtooth_as_long_as_a_capacity_is_never_steady(self) -> None:
        tooth = 1 + seconds(20_000) % 1000 / 1000
        assert judged(RATE * tooth)[Criterion.WINDOW].first is None

    def test_two_levels_that_outlast_a_measurement_are_never_steady(self) -> None:
        levels = np.where(seconds(20_000) % 400 < 200, 1.0, 2.0)
        assert judged(RATE * levels)[Criterion.WINDOW].first is None

    def test_two_levels_that_change_every_second_are_steady(self) -> None:
        levels = np.where(seconds(4_000) % 2 < 1, 1.0, 2.0)
        assert judged(RATE * levels)[Criterion.WINDOW].after_minimum is not None

    def test_a_drive_that_stood_still_is_steady_a_capacity_later(self) -> None:
        rate = np.concatenate([np.full(15_000, RATE), np.zeros(2_000), np.full(15_000, RATE)])
        fired = judged(rate)[Criterion.WINDOW].after_minimum
        assert 2.4 < capacities_at(fired) < 2.51


class TestSnia:
    def test_five_rounds_of_half_an_hour_are_needed(self) -> None:
        found = judged(np.full(100_000, RATE / 10))[Criterion.SNIA]
        assert found.first == Firing(9 * CAPACITY_BYTES // 10, 9000 * NS_PER_S)

    @pytest.mark.parametrize(("per_round", "steady"), [(0.020, True), (0.030, False)])
    def test_the_best_line_may_rise_by_a_tenth_over_the_rounds(self, per_round: float, *, steady: bool) -> None:
        rising = 1 + per_round * seconds(9_000) / 1800
        assert (judged(RATE * rising)[Criterion.SNIA].first is not None) is steady

    @pytest.mark.parametrize(("higher", "steady"), [(0.20, True), (0.22, False)])
    def test_rounds_may_differ_by_a_fifth_of_their_mean(self, higher: float, *, steady: bool) -> None:
        third_round = (seconds(9_000) > 3600) & (seconds(9_000) <= 5400)
        assert (judged(np.where(third_round, (1 + higher) * RATE, RATE))[Criterion.SNIA].first is not None) is steady


class TestFio:
    def test_it_accepts_a_fall_to_a_third_within_its_thirty_seconds(self) -> None:
        falling = RATE * np.linspace(3, 1, 300)
        assert judged(falling)[Criterion.FIO].first == Firing(round(60e8), 30 * NS_PER_S)

    def test_it_refuses_only_what_changes_by_a_tenth_of_the_mean_a_second(self) -> None:
        step = np.concatenate([np.full(299, RATE / 1e4), np.full(1, RATE * 100)])
        assert judged(step)[Criterion.FIO].first is None

    def test_its_number_is_that_of_fio(self) -> None:
        """From fio's own samples fio's own slope, as its JSON has both."""
        path = Path(__file__).parents[1] / "data" / "fio-3.33" / "steadystate.json"
        steady = json.loads(path.read_bytes())["steadystate"]
        samples = np.array(steady["data"]["iops"], dtype=np.float64)
        assert len(samples) == steady["duration"] == 30
        assert fio_slope_percent(samples) == pytest.approx(abs(float(steady["criterion"].rstrip("%"))), abs=1e-6)


class TestJudge:
    def test_it_ends_the_stream_with_the_criterion_it_was_given(self) -> None:
        for criterion, at_bytes in ((Criterion.WINDOW, 2 * CAPACITY_BYTES), (Criterion.FIO, 2 * CAPACITY_BYTES)):
            stopped = SteadyJudge(GROUND, criterion).feed(*windows_of(np.full(30_000, RATE)))
            assert stopped == EarlyStop(criterion.value, at_bytes, 2000 * NS_PER_S)

    def test_it_does_not_end_a_stream_that_is_not_steady(self) -> None:
        assert SteadyJudge(GROUND).feed(*windows_of(RATE * np.exp(-seconds(4000) / 3000))) is None

    @given(st.lists(st.integers(1, 400), min_size=1, max_size=40), st.integers(0, 2**32 - 1))
    def test_how_the_windows_arrive_changes_nothing(self, lengths: list[int], seed: int) -> None:
        ground = Ground(MIB * 100, 4096, MIB * 200, measured_ns=3 * NS_PER_S)
        count = sum(lengths)
        rate = np.random.default_rng(seed).normal(10, 0.3, count) * MIB
        time_ns, done_bytes = windows_of(rate)
        at_once, bit_by_bit = SteadyJudge(ground), SteadyJudge(ground)
        at_once.feed(time_ns, done_bytes)
        for part in np.split(np.arange(count), np.cumsum(lengths)[:-1]):
            bit_by_bit.feed(time_ns[part], done_bytes[part])
        assert bit_by_bit.findings == at_once.findings


rates = st.lists(st.floats(0, 1e9), min_size=2, max_size=300)


class TestCurve:
    @given(rates, st.data())
    def test_the_excursion_is_that_of_the_least_squares_line(self, rate: list[float], data: st.DataObject) -> None:
        begin = data.draw(st.integers(0, len(rate) - 2))
        end = data.draw(st.integers(begin + 2, len(rate)))
        part = np.array(rate[begin:end])
        curve = WrittenCurve()
        curve.append(*windows_of(np.array(rate)))
        got = curve.excursion(np.array([begin / 10]), np.array([end / 10]))[0]
        if part.mean() < 1:
            return
        count = len(part)
        # The line through the rate as a step function is flatter than that through the windows' middles by this factor.
        slope = np.polyfit(np.arange(count), part, 1)[0] * (1 - 1 / count**2)
        assert got == pytest.approx(abs(slope) * count / part.mean(), rel=1e-6, abs=1e-5)

    @given(rates, st.integers(2, 6))
    def test_the_spread_is_that_of_the_means_of_the_parts(self, rate: list[float], parts: int) -> None:
        repeated = np.repeat(np.array(rate), parts)
        curve = WrittenCurve()
        curve.append(*windows_of(repeated))
        means = repeated.reshape(parts, -1).mean(axis=1)
        if means.mean() < 1:
            return
        got = curve.spread(np.array([0.0]), np.array([curve.end_s]), parts)[0]
        assert got == pytest.approx((means.max() - means.min()) / means.mean(), rel=1e-6, abs=1e-6)

    @given(rates, st.floats(0, 1))
    def test_the_time_of_a_byte_is_when_it_was_written(self, rate: list[float], share: float) -> None:
        curve = WrittenCurve()
        curve.append(*windows_of(np.array(rate)))
        wanted = np.array([share * curve.end_bytes])
        assert curve.bytes_at(curve.time_at(wanted))[0] == pytest.approx(wanted[0], rel=1e-9, abs=1e-3)
