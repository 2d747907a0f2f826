"""Is it steady? The criteria on streams whose answer is known, and the sums against naive ones."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.kit.synthetic_fill import Noise, noisy

from ssdlab.analysis.infer.steady import (
    Criterion,
    CriterionResult,
    Firing,
    SteadyContext,
    SteadyJudge,
    _Fio,
    fio_slope_percent,
)
from ssdlab.analysis.infer.written_past import WrittenPast
from ssdlab.analysis.statistics.written_curve import WrittenCurve
from ssdlab.engine.result import EarlyStop
from ssdlab.units import MIB, NS_PER_S

WINDOW_NS = NS_PER_S // 10
CAPACITY_BYTES = 10**11
"""At 100 MB/s a capacity takes a thousand seconds."""
RATE = 1e8
GROUND = SteadyContext(CAPACITY_BYTES, 4096, 2 * CAPACITY_BYTES, measured_ns=100 * NS_PER_S)

FilledWindows = tuple[NDArray[np.int64], NDArray[np.float64]]


def windows_of(rate_bytes_per_s: NDArray[np.float64]) -> FilledWindows:
    """Windows of 100 ms at these rates."""
    return (np.arange(len(rate_bytes_per_s)) + 1) * WINDOW_NS, rate_bytes_per_s * WINDOW_NS / NS_PER_S


def seconds(count: int) -> NDArray[np.float64]:
    """Middles of the windows of so many seconds."""
    return (np.arange(count * 10) + 0.5) / 10


def judged(rate_bytes_per_s: NDArray[np.float64], ground: SteadyContext = GROUND) -> dict[Criterion, CriterionResult]:
    judge = SteadyJudge(ground)
    judge.feed(*windows_of(rate_bytes_per_s))
    return {finding.criterion: finding for finding in judge.findings}


def capacities_at(firing: Firing | None) -> float:
    assert firing is not None
    return firing.at_bytes / CAPACITY_BYTES


def decaying(start: float, capacities: float, length_s: int = 20_000) -> NDArray[np.float64]:
    """From `start` times the last rate towards it, by one e-fold in so many capacities of the last rate."""
    return RATE * (1 + (start - 1) * np.exp(-seconds(length_s) / (1000 * capacities)))


def levels(*capacities_and_speeds: tuple[float, float]) -> NDArray[np.float64]:
    """So many capacities at each of these speeds, in times of the rate."""
    return np.concatenate(
        [np.full(round(10_000 * length / speed), RATE * speed) for length, speed in capacities_and_speeds]
    )


def settling(start: float, capacities: float, at_last: float, drift: float = 0.0) -> list[tuple[float, float]]:
    """By what is written: levels from `start` times the last speed by one e-fold in so many capacities, which drifts."""
    written = np.arange(0.01, at_last, 0.02)
    speeds = (1 + (start - 1) * np.exp(-written / capacities)) * np.exp(drift * (written - at_last))
    return [(0.02, float(speed)) for speed in speeds]


def past_of(rate_bytes_per_s: NDArray[np.float64]) -> WrittenPast:
    """Seen from the end."""
    curve = WrittenCurve()
    curve.append(*windows_of(rate_bytes_per_s))
    return WrittenPast(curve, curve.end_s, CAPACITY_BYTES)


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


class TestHeld:
    def test_a_constant_rate_is_steady_after_a_capacity_and_a_half(self) -> None:
        found = judged(np.full(30_000, RATE))[Criterion.HELD]
        assert found.first == Firing(3 * CAPACITY_BYTES // 2, 1500 * NS_PER_S)
        assert found.after_minimum == Firing(2 * CAPACITY_BYTES, 2000 * NS_PER_S)

    @pytest.mark.parametrize("start", [0.5, 2])
    def test_a_decay_is_steady_within_a_capacity_of_window(self, start: float) -> None:
        found = judged(decaying(start, capacities=1))
        early, late = (capacities_at(found[one].after_minimum) for one in (Criterion.WINDOW, Criterion.HELD))
        assert 0.5 <= late - early < 1

    @pytest.mark.parametrize("period", [4.0, 6.0, 8.0])
    def test_a_wave_of_several_capacities_never_is(self, period: float) -> None:
        wave = RATE * (1 - 0.2 * np.cos(2 * np.pi * seconds(20_000) / (1000 * period)))
        found = judged(wave)
        assert found[Criterion.WINDOW].after_minimum is not None
        assert found[Criterion.HELD].after_minimum is None

    def test_a_second_speed_that_may_come_back_is_waited_for(self) -> None:
        speed = np.where(seconds(20_000) % 4371 < 1800, 1.0, 0.7)
        found = judged(RATE * speed)
        assert found[Criterion.WINDOW].after_minimum is not None
        assert found[Criterion.HELD].after_minimum is None

    def test_a_plateau_left_across_the_speed_of_now_counts_whole(self) -> None:
        """Means that straddle 1.08 times the speed and 0.9 times it are like now."""
        assert not past_of(levels((0.4, 5), (6, 1.08), (0.5, 0.9), (2.5, 1))).is_behind

    def test_levels_that_cross_the_speed_of_now_again_and_again_are_waited_for(self) -> None:
        found = judged(levels((0.3, 5), *(5 * [(1.2, 1.1), (0.3, 0.85), (1.6, 1), (0.3, 0.85)])))
        assert found[Criterion.HELD].after_minimum is None

    def test_a_drift_is_said(self) -> None:
        judge = SteadyJudge(GROUND)
        fired = judge.feed(*windows_of(RATE * np.exp(seconds(3000) * 1e-5)))
        assert fired is not None
        outlook = judge.outlook(fired.at_ns)
        assert outlook is not None
        assert outlook.drifts
        assert outlook.drift == pytest.approx(0.01, rel=0.1)
        assert outlook.flat_capacities == pytest.approx(2.0, abs=0.1)

    @pytest.mark.parametrize("speed", [1.0, 0.7, 1.1, 1 / 3])
    def test_of_a_series_without_noise_rounding_is_no_drift(self, speed: float) -> None:
        assert not past_of(levels((3, speed))).outlook(100).drifts

    @pytest.mark.parametrize(("correlation", "share_max"), [(0.0, 0.06), (0.9, 0.06), (0.97, 0.08), (0.99, 0.13)])
    def test_noise_with_a_memory_is_seldom_a_drift(self, correlation: float, share_max: float) -> None:
        """Of windows a twentieth of a step long. Noise that remembers half a capacity can hardly be told from a drift over two."""
        rate, drifts, seeds = np.full(400, RATE), 0, 600
        for seed in range(seeds):
            curve = WrittenCurve()
            curve.append(np.arange(1, 401) * NS_PER_S, noisy(rate, Noise(0.02, correlation=correlation), seed))
            drifts += WrittenPast(curve, curve.end_s, 200 * round(RATE)).outlook(100).drifts
        assert drifts / seeds <= share_max

    @pytest.mark.parametrize(("start", "capacities"), [(2, 0.6), (5, 1.0), (3, 0.8), (0.5, 0.9)])
    def test_what_is_left_of_the_settling_is_no_drift(self, start: float, capacities: float) -> None:
        outlook = past_of(levels(*settling(start, capacities, at_last=4.5))).outlook(100)
        assert not outlook.drifts
        assert abs(outlook.drift) <= 0.002

    @pytest.mark.parametrize("drift", [0.03, 0.01, -0.01])
    def test_a_drift_behind_the_settling_is_found(self, drift: float) -> None:
        outlook = past_of(levels(*settling(2.3, 0.7, at_last=3.5, drift=drift))).outlook(100)
        assert outlook.drift == pytest.approx(drift, abs=0.005)
        assert abs(outlook.drift - drift) <= outlook.drift_reach

    def test_a_burst_at_the_end_of_the_settling_is_waited_for(self) -> None:
        """Nothing was like now between the two."""
        assert not past_of(levels(*settling(2.4, 0.9, at_last=2.9), (0.6, 0.4), (2.1, 1))).is_behind

    def test_a_slow_beginning_is_no_settling(self) -> None:
        assert not past_of(levels((0.4, 0.4), (1.6, 1))).is_behind

    def test_stretches_as_long_as_a_measurement_that_differ_are_said(self) -> None:
        judge = SteadyJudge(GROUND)
        fired = judge.feed(*windows_of(RATE * (1 + 0.08 * np.sign(np.sin(2 * np.pi * seconds(3000) / 200)))))
        assert fired is not None
        outlook = judge.outlook(fired.at_ns)
        # Of stretches that begin a quarter of one apart, the best fitting is off by an eighth at most.
        assert outlook is not None
        assert outlook.apart is not None
        assert 0.06 <= outlook.apart <= 0.081

    @pytest.mark.parametrize("written_s", [50, 150, 450])
    def test_before_half_a_capacity_is_written_there_is_no_outlook(self, written_s: int) -> None:
        judge = SteadyJudge(GROUND)
        judge.feed(*windows_of(np.full(10 * written_s, RATE)))
        assert judge.outlook(written_s * NS_PER_S) is None

    def test_after_half_a_capacity_there_is_an_outlook(self) -> None:
        judge = SteadyJudge(GROUND)
        judge.feed(*windows_of(np.full(5500, RATE)))
        assert judge.outlook(550 * NS_PER_S) is not None


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
        ground = SteadyContext(MIB * 100, 4096, MIB * 200, measured_ns=3 * NS_PER_S)
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


def test_looks_that_can_find_nothing_are_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the first time and the minimum: a slow drive has millions of looks there, each of them dear."""
    looked: list[int] = []
    holds = _Fio.holds

    def counted(rule: _Fio, curve: WrittenCurve, looks: NDArray[np.int64]) -> NDArray[np.bool_]:
        looked.append(len(looks))
        return holds(rule, curve, looks)

    monkeypatch.setattr(_Fio, "holds", counted)
    time_ns, done_bytes = windows_of(np.full(30_000, RATE))
    judge = SteadyJudge(GROUND)
    for begin in range(0, len(time_ns), 100):
        judge.feed(time_ns[begin : begin + 100], done_bytes[begin : begin + 100])
    found = {one.criterion: one for one in judge.findings}[Criterion.FIO]
    assert capacities_at(found.first) == pytest.approx(0.03)
    assert capacities_at(found.after_minimum) == pytest.approx(2)
    # Ten seconds of looks at a time, around the two moments, of 2000 in all.
    assert sum(looked) <= 50
