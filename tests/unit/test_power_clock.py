"""The clock of a power meter is fitted by the marks of a run, or refused in words; what the fit says of its error is true."""

from dataclasses import replace

import numpy as np
import pytest
from tests.kit.power_logs import NS, ArrayLog, Recorded, Shape, recorded

from ssdlab.analysis.power.align import _Grid, _step, fit_clock
from ssdlab.analysis.power.samples import Floats, PowerLogError
from ssdlab.analysis.power.step_power import StepTime, run_power
from ssdlab.bundle.power import ClockFit, MarkPlace, StepPower, Timed
from ssdlab.unknown import Unknown

_SHAPES = {
    "as the specification has it": Shape(),
    "idle power that drifts": Shape(idle_drift=0.8),
    "a drive busy by itself": Shape(background=60),
    "marks partly cut": Shape(cut_s=0.55),
    "samples dropped": Shape(dropped=0.04),
    "100 samples a second": Shape(period_s=0.01),
    "a lot of noise": Shape(noise=0.3),
    "all of it": Shape(idle_drift=-0.5, background=30, cut_s=0.4, dropped=0.02),
}
_SEEDS_EACH = 8
_OFFSET_MS_MAX = 2.0


def _late_ms(run: Recorded) -> tuple[float, float]:
    """How far off the fit is between the marks, and what it says of that."""
    fit = fit_clock(run.log, run.marks)
    begin_s, end_s = run.marks[0].bursts[0].begin_ns / NS, run.marks[1].bursts[-1].end_ns / NS
    off = [abs(fit.meter_s(at) - run.offset_s - (1 + run.drift_ppm * 1e-6) * at) for at in (begin_s, end_s)]
    return max(off) * 1e3, fit.error_s * 1e3


@pytest.mark.parametrize("name", _SHAPES)
def test_offset_and_energy_are_found_whatever_the_drive_and_the_meter_do(name: str) -> None:
    for seed in range(_SEEDS_EACH):
        shape = _SHAPES[name]
        run = recorded(1000 * list(_SHAPES).index(name) + seed, shape, length_s=90)
        off_ms, said_ms = _late_ms(run)
        assert off_ms < _OFFSET_MS_MAX
        assert off_ms <= said_ms, seed
        fit = fit_clock(run.log, run.marks)
        times = [StepTime(f"s{at}", Timed.IO, round(b * NS), round(e * NS)) for at, (b, e) in enumerate(run.steps)]
        found = run_power(run.log, fit, times, 0, 100 * NS)
        for step, energy_j in zip(found.steps, run.energies_j, strict=True):
            if isinstance(step.energy_j, Unknown):
                # A step of few seconds of which many samples are missing.
                assert step.covered_share < 0.95
                continue
            assert step.energy_j == pytest.approx(energy_j, rel=0.01)


@pytest.mark.parametrize("seed", range(6))
def test_a_supply_that_smooths_its_power_shifts_the_edges_and_the_error_says_so(seed: int) -> None:
    off_ms, said_ms = _late_ms(recorded(seed, Shape(lag_s=0.003), length_s=60))
    assert off_ms <= said_ms


@pytest.mark.parametrize("seed", range(10))
def test_the_log_of_another_run_is_refused(seed: int) -> None:
    run, other = recorded(seed, Shape(), length_s=60), recorded(seed + 500, Shape(background=20), length_s=62)
    with pytest.raises(PowerLogError):
        fit_clock(other.log, run.marks)


@pytest.mark.parametrize("seed", range(10))
def test_a_log_without_marks_is_refused(seed: int) -> None:
    """A drive that is busy all the time, by bursts of any length."""
    rng = np.random.default_rng(seed)
    run = recorded(seed, Shape(), length_s=60)
    time_s = np.arange(0, 75, 0.001)
    power = 1.0 + np.repeat(rng.uniform(0, 5, 750) * rng.integers(0, 2, 750), 100) + rng.normal(0, 0.1, 75_000)
    with pytest.raises(PowerLogError):
        fit_clock(ArrayLog(time_s, power, 0.001), run.marks)


def test_a_log_that_ends_before_the_marks_is_refused() -> None:
    run = recorded(1, Shape(), length_s=60)
    keep = run.log.time_s < 45
    with pytest.raises(PowerLogError, match=r"marks of the run's end|covers"):
        fit_clock(ArrayLog(run.log.time_s[keep], run.log.power_w[keep], 0.001), run.marks)


def test_a_log_that_shows_the_run_twice_is_refused() -> None:
    run = recorded(2, Shape(), length_s=30)
    twice_s = np.concatenate([run.log.time_s, run.log.time_s - run.log.time_s[0] + run.log.time_s[-1] + 0.001])
    with pytest.raises(PowerLogError, match="more than one place"):
        fit_clock(ArrayLog(twice_s, np.tile(run.log.power_w, 2), 0.001), run.marks)


@pytest.mark.parametrize("power_w", [0.0, 5.0, float("nan")])
def test_a_meter_that_says_one_thing_is_refused(power_w: float) -> None:
    run = recorded(3, Shape(), length_s=30)
    with pytest.raises(PowerLogError):
        fit_clock(ArrayLog(run.log.time_s, np.full(len(run.log.time_s), power_w), 0.001), run.marks)


def test_a_meter_that_reaches_the_end_of_its_range_is_told() -> None:
    run = recorded(4, Shape(noise=0.01), length_s=40)
    limit = float(np.quantile(run.log.power_w, 0.9))
    clipped = replace(run, log=ArrayLog(run.log.time_s, np.minimum(run.log.power_w, limit), 0.001))
    fit = fit_clock(clipped.log, run.marks)
    times = [StepTime("s", Timed.IO, round(b * NS), round(e * NS)) for b, e in run.steps]
    assert max(step.highest_share for step in run_power(clipped.log, fit, times, 0, 40 * NS).steps) > 0.05


def test_marks_of_which_only_the_beginnings_agree_are_refused() -> None:
    """A drive that stays busy behind each burst, and a meter that misses the end of the last."""
    run = recorded(9, Shape(noise=0.01), length_s=30)
    power_w = run.log.power_w.copy()
    for marks in run.marks:
        for burst in marks.bursts:
            begin_s, end_s = (run.offset_s + ns / NS for ns in (burst.begin_ns, burst.end_ns))
            inside = (run.log.time_s > begin_s + 0.05) & (run.log.time_s < end_s - 0.05)
            power_w[(run.log.time_s > end_s - 0.01) & (run.log.time_s < end_s + 0.06)] = power_w[inside].mean()
        power_w[np.abs(run.log.time_s - end_s) < 0.095] = np.nan
    with pytest.raises(PowerLogError, match="5 beginnings and 0 ends"):
        fit_clock(ArrayLog(run.log.time_s, power_w, 0.001), run.marks)


def test_no_edge_is_found_where_it_is_foretold_before_the_log_begins() -> None:
    grid = _Grid(0.0, 0.001, np.where(np.arange(2000) < 1000, 1.0, 5.0))
    assert _step(grid, 1.0, 0.1, 1.0) is not None
    assert _step(grid, -0.5, 0.1, 1.0) is None


def test_a_log_sampled_too_slowly_is_refused() -> None:
    run = recorded(5, Shape(period_s=0.05), length_s=30)
    with pytest.raises(PowerLogError, match="every 50"):
        fit_clock(run.log, run.marks)


def test_a_run_without_marks_at_its_end_is_refused() -> None:
    run = recorded(6, Shape(), length_s=30)
    with pytest.raises(PowerLogError, match="no power marks at its end"):
        fit_clock(run.log, [one for one in run.marks if one.place is MarkPlace.START])


def test_a_step_shorter_than_the_clock_is_known_has_no_energy() -> None:
    run = recorded(7, Shape(), length_s=30)
    fit = fit_clock(run.log, run.marks)
    (step,) = run_power(run.log, fit, [StepTime("s", Timed.IO, 15 * NS, 15 * NS + 2_000_000)], 0, 30 * NS).steps
    assert isinstance(step.energy_j, Unknown)
    assert isinstance(step.max_1s_w, Unknown)
    assert isinstance(step.max_100us_w, Unknown)


def test_the_highest_100_microseconds_need_samples_as_short() -> None:
    run = recorded(8, Shape(noise=0.0), length_s=30)
    fit = fit_clock(run.log, run.marks)
    time_s = np.arange(0, 4, 1e-5)
    power = np.where((time_s > 2) & (time_s < 2.0002), 9.0, 1.0)
    same = replace(fit, offset_s=0.0, drift_ppm=0.0)
    found = run_power(ArrayLog(time_s, power, 1e-5), same, [StepTime("s", Timed.IO, NS, 3 * NS)], 0, 4 * NS)
    assert found.steps[0].max_100us_w == pytest.approx(9.0)
    assert found.steps[0].max_1s_w == pytest.approx(1 + 8 * 0.0002, rel=1e-3)
    assert found.steps[0].energy_j == pytest.approx(2 + 8 * 0.0002, rel=1e-4)


_SAME_CLOCK = ClockFit(
    offset_s=0.0, drift_ppm=0.0, error_s=1e-4, drift_error_ppm=0.0, edges_used=20, edges=20, asymmetry_s=0.0
)


def _second(time_s: Floats, power_w: Floats, period_s: float = 1e-5) -> StepPower:
    """What a log says of a step of a second."""
    times = [StepTime("s", Timed.IO, 0, NS)]
    return run_power(ArrayLog(time_s, power_w, period_s), _SAME_CLOCK, times, 0, NS).steps[0]


@pytest.mark.parametrize("at_s", [0.3, 0.5], ids=["within a piece of the log", "from piece to piece"])
@pytest.mark.parametrize("hole", ["no samples", "samples without a value"])
def test_samples_before_and_behind_a_gap_are_no_100_microseconds(at_s: float, hole: str) -> None:
    time_s = np.linspace(0.0, 1.0, 100_000, endpoint=False)
    power = np.where(np.abs(time_s - at_s) < 0.00605, 9.0, 1.0)
    lost = np.abs(time_s - at_s) < 0.006
    if hole == "no samples":
        time_s, power = time_s[~lost], power[~lost]
    power = np.where(np.abs(time_s - at_s) < 0.006, np.nan, power)
    assert np.nansum(power == 9.0) == 10
    assert _second(time_s, power).max_100us_w == pytest.approx(5.0)


@pytest.mark.parametrize("apart_s", [0.4e-5, 0.5e-5, 1.06e-5])
def test_samples_that_are_not_as_far_apart_as_told_have_no_100_microseconds(apart_s: float) -> None:
    time_s = np.arange(0.0, 1.1, apart_s)
    assert isinstance(_second(time_s, np.ones(len(time_s))).max_100us_w, Unknown)


def test_what_of_a_step_was_no_io_is_in_doubt() -> None:
    time_s = np.linspace(0.0, 1.0, 100_000, endpoint=False)
    log = ArrayLog(time_s, np.where(time_s < 0.25, 1.0, 5.0), 1e-5)
    steps = (StepTime("io", Timed.IO, 0, NS), StepTime("step", Timed.STEP, 0, NS, NS // 4))
    io, step = run_power(log, _SAME_CLOCK, steps, 0, NS).steps
    assert io.energy_high_j - io.energy_low_j < 0.01
    assert step.energy_high_j - step.energy_low_j == pytest.approx(2 * 0.25 * 4.0, abs=0.01)
