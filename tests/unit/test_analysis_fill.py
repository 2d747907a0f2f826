"""Metrics of the fill, from evidence and from bundles on disk."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.kit.drawn_fills import drawn_fill
from tests.kit.fill_evidence import evidence_of_fill, fill_result, fill_step, run_info
from tests.kit.synthetic_fill import ORDINARY, QUIET, WINDOW_NS, Level, Noise, bandwidth_of, noisy, series_of, truth_of

from ssdlab.analysis.conclude import conclude
from ssdlab.analysis.infer.phases import Cache, phases_of
from ssdlab.analysis.infer.plateau import Plateau
from ssdlab.analysis.infer.policy import AfterCache, policy_of
from ssdlab.analysis.metrics.fill import bandwidth_p1, fill_metrics
from ssdlab.bundle.journal import Event
from ssdlab.bundle.model import Metric, Step, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.write import BundleWriter
from ssdlab.engine.result import Direction, LatencyKind, Series
from ssdlab.job import DriveState
from ssdlab.message import message
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

GB = 1e9
MIB_S = 1024**2
FIRST = (Level(250 * GB, 12_200 * MIB_S), Level(406 * GB, 1_200 * MIB_S), Level(344 * GB, 1_500 * MIB_S))
SECOND = (Level(8 * GB, 12_200 * MIB_S), Level(992 * GB, 1_700 * MIB_S))
FLAT = (Level(800 * GB, 1.353 * GB),)


def series(levels: Sequence[Level], noise: Noise = QUIET, seed: int = 1) -> Series:
    return series_of(noisy(bandwidth_of(levels), noise, seed))


def metrics_of(levels: Sequence[Level], noise: Noise = QUIET) -> dict[str, Metric]:
    return {
        metric.name.removeprefix("fill.pass1."): metric
        for metric in fill_of(series(levels, noise))
        if metric.name.startswith("fill.pass1.")
    }


def fill_of(*passes: Series) -> tuple[Metric, ...]:
    """Metrics of a fill of which all passes are finished."""
    states = (DriveState.FOB, DriveState.FILLED_ONCE)
    evidence = [evidence_of_fill(one, f"fill.pass{index + 1}", states[index]) for index, one in enumerate(passes)]
    return tuple(fill_metrics("fill", [one.step for one in evidence], evidence))


def number(metric: Metric) -> float:
    assert isinstance(metric.value, int | float)
    return metric.value


def level_of(plateau: Plateau | Unknown) -> float:
    assert isinstance(plateau, Plateau)
    return plateau.bandwidth_bytes_per_s


def test_a_drive_that_folds_first_has_all_three_phases() -> None:
    metrics = metrics_of(FIRST)
    assert number(metrics["cache_bytes"]) == pytest.approx(250 * GB, rel=0.01)
    assert number(metrics["cache_bandwidth"]) == pytest.approx(12_200 * MIB_S, rel=0.01)
    assert number(metrics["folding_bandwidth"]) == pytest.approx(1_200 * MIB_S, rel=0.01)
    assert number(metrics["direct_bandwidth"]) == pytest.approx(1_500 * MIB_S, rel=0.01)
    assert number(metrics["duration"]) == pytest.approx(561, abs=1)
    assert number(metrics["bandwidth_mean"]) == pytest.approx(1000 * GB / 561, rel=0.01)


def test_metric_names_and_units_are_those_of_the_method() -> None:
    assert {name: metric.unit for name, metric in metrics_of(FIRST).items()} == {
        "duration": "s",
        "cache_bytes": "B",
        "cache_bandwidth": "B/s",
        "folding_bandwidth": "B/s",
        "direct_bandwidth": "B/s",
        "bandwidth_mean": "B/s",
        "bandwidth_p1": "B/s",
    }


def test_a_drive_that_writes_directly_first_folds_last() -> None:
    metrics = metrics_of((Level(280 * GB, 4.5 * GB), Level(220 * GB, 2 * GB), Level(500 * GB, 0.5 * GB)))
    assert number(metrics["direct_bandwidth"]) == pytest.approx(2 * GB, rel=0.01)
    assert number(metrics["folding_bandwidth"]) == pytest.approx(0.5 * GB, rel=0.01)
    assert str(metrics["folding_bandwidth"].note) == "direct came first, folding last"


def test_a_drive_with_one_speed_after_the_cache_has_no_folding() -> None:
    metrics = metrics_of(SECOND)
    assert number(metrics["cache_bytes"]) == pytest.approx(8 * GB, rel=0.02)
    assert number(metrics["direct_bandwidth"]) == pytest.approx(1_700 * MIB_S, rel=0.01)
    assert metrics["folding_bandwidth"].value == Unknown(message("unknown-no-slower-phase"))


def test_a_flat_drive_has_an_unknown_cache_and_one_speed() -> None:
    metrics = metrics_of(FLAT, ORDINARY)
    for name in ("cache_bytes", "cache_bandwidth", "folding_bandwidth"):
        value = metrics[name].value
        assert isinstance(value, Unknown)
        assert (
            str(value.reason)
            == "no cache found: the speed never falls by 10% for good; one of less than 0.3 s would not show"
        )
        assert metrics[name].low is None
    assert number(metrics["direct_bandwidth"]) == pytest.approx(1.353 * GB, rel=0.01)
    assert str(metrics["direct_bandwidth"].note) == "the whole pass"


def test_a_cache_after_a_slow_start_counts_from_where_its_speed_is_reached() -> None:
    levels = (Level(0.7 * GB, 0.17 * GB), Level(17 * GB, 4 * GB), Level(600 * GB, 0.17 * GB))
    metrics = metrics_of(levels)
    assert number(metrics["cache_bytes"]) == pytest.approx(17 * GB, rel=0.01)
    assert str(metrics["cache_bytes"].note) == "bytes written at the speed of the cache, after 700 MB written slower"


def test_a_stall_at_the_beginning_is_said_beside_the_cache() -> None:
    bandwidth = noisy(bandwidth_of((Level(100 * GB, 4 * GB), Level(400 * GB, 1 * GB))), QUIET, 1)
    found = fill_of(series_of(np.concatenate([np.full(400, 0.02 * GB), bandwidth])))
    metrics = {metric.name.removeprefix("fill.pass1."): metric for metric in found}
    assert number(metrics["cache_bytes"]) == pytest.approx(100.8 * GB, rel=0.01)
    assert "800 MB of them in a stall at the beginning" in str(metrics["cache_bytes"].note)
    assert number(metrics["cache_bandwidth"]) == pytest.approx(4 * GB, rel=0.01)
    assert str(metrics["cache_bandwidth"].note) == "without the stall at the beginning"


TEETH = {
    "a tooth a tenth of a per cent": ([2.1 * GB] * 8 + [0.9 * GB] * 16) * 250,
    "a tooth a per cent": ([2.1 * GB] * 100 + [0.9 * GB] * 200) * 100,
    "a tooth ten per cent": ([2.1 * GB] * 120 + [0.9 * GB] * 240) * 10,
}


@pytest.mark.parametrize("name", TEETH)
@pytest.mark.parametrize("seed", range(3))
def test_a_rhythm_of_the_drive_is_no_cache(name: str, seed: int) -> None:
    phases = phases_of(series_of(noisy(np.array(TEETH[name]), QUIET, seed)))
    assert isinstance(phases.cache, Unknown)
    assert level_of(phases.direct) == pytest.approx(1.3 * GB, rel=0.02)


def test_a_speed_that_is_back_most_of_the_time_is_no_cache() -> None:
    pauses = np.concatenate([np.full(800, 2.1 * GB), np.tile([0.9 * GB] * 200 + [2.1 * GB] * 400, 8)])
    assert isinstance(phases_of(series_of(noisy(pauses, QUIET, 1))).cache, Unknown)


@pytest.mark.parametrize("name", TEETH)
@pytest.mark.parametrize("seed", range(3))
def test_a_rhythm_after_the_cache_is_one_phase(name: str, seed: int) -> None:
    bandwidth = np.concatenate([np.full(2000, 2.6 * GB), TEETH[name]])
    phases = phases_of(series_of(noisy(bandwidth, QUIET, seed)))
    assert isinstance(phases.cache, Cache)
    assert phases.cache.size_bytes == pytest.approx(520 * GB, rel=0.02)
    assert isinstance(phases.folding, Unknown)
    assert level_of(phases.direct) == pytest.approx(1.3 * GB, rel=0.05)


def test_an_empty_series_gives_unknown_phases() -> None:
    assert phases_of(series_of(np.array([]))).cache == Unknown(message("unknown-no-windows"))


def test_intervals_of_levels_hold_the_truth_nine_times_in_ten() -> None:
    held, count = 0, 30
    for seed in range(count):
        run = series(FIRST, Noise(0.25, 0.02, correlation=0.5), seed)
        metric = next(one for one in fill_of(run) if one.name == "fill.pass1.folding_bandwidth")
        assert metric.low is not None
        assert metric.high is not None
        held += metric.low <= 1_200 * MIB_S * (1 - 0.02 * 0.675) <= metric.high
    assert held >= 0.85 * count


def test_a_level_with_pauses_lies_inside_its_interval() -> None:
    """A drive that stands still has few windows for much time, which its mean over time counts as the interval must."""
    whole = series_of(noisy(np.concatenate([np.full(300, 2.1 * GB), np.full(900, 0.9 * GB)]), QUIET, 1))
    lengths = np.ones(1200, dtype=np.int64)
    lengths[320:1200:10] = 4
    rates = whole.bandwidth_bytes_per_s / lengths
    run = replace(whole, time_ns=np.cumsum(lengths) * WINDOW_NS, bandwidth_bytes_per_s=rates)
    metric = next(one for one in fill_of(run) if one.name == "fill.pass1.folding_bandwidth")
    assert isinstance(metric.value, float)
    assert metric.low is not None
    assert metric.high is not None
    assert metric.low <= metric.value <= metric.high


def test_the_slowest_hundredth_is_the_nearest_rank_of_the_windows() -> None:
    value, note = bandwidth_p1(series_of(np.random.default_rng(1).permutation(np.arange(1.0, 251.0))))
    assert value == 3.0
    assert str(note) == "third slowest of 250 windows of 100 ms"


def test_the_slowest_hundredth_leaves_out_a_sliver_at_the_end() -> None:
    whole = series_of(np.append(np.full(100, 5.0), 1.0))
    sliver = replace(whole, time_ns=np.append(whole.time_ns[:-1], whole.time_ns[-2] + 40_000_000))
    assert bandwidth_p1(whole)[0] == 5.0
    value, note = bandwidth_p1(sliver)
    assert (value, str(note)) == (5.0, "slowest of 100 windows of 100 ms")
    half = replace(whole, time_ns=np.append(whole.time_ns[:-1], whole.time_ns[-2] + 50_000_000))
    assert str(bandwidth_p1(half)[1]) == "second slowest of 101 windows of 100 ms"


def test_too_few_windows_have_no_slowest_hundredth() -> None:
    value, _ = bandwidth_p1(series_of(np.full(10, 5.0)))
    assert value == Unknown(message("unknown-few-samples-above", above=9, needed=10))


def both_passes() -> tuple[Metric, ...]:
    return fill_of(series(FIRST), series(SECOND))


def test_both_passes_together_rank_the_drive() -> None:
    metrics = {metric.name: metric for metric in both_passes()}
    assert number(metrics["fill.bandwidth_mean"]) == pytest.approx(2000 * GB / (561 + 565), rel=0.01)
    # Every moment counts the same: 256 x 128 KiB in flight at each speed for as long as it lasts.
    assert number(metrics["fill.latency_mean_over_time"]) == pytest.approx(21.05e6, rel=0.03)
    # Every I/O counts the same: by Little's law the bytes in flight over the mean bandwidth.
    little_ns = 256 * 128 * 1024 / number(metrics["fill.bandwidth_mean"]) * NS_PER_S
    assert number(metrics["fill.latency_mean_over_ios"]) == pytest.approx(little_ns, rel=0.01)


def test_the_two_mean_latencies_say_which_is_which() -> None:
    notes = {metric.name: str(metric.note) for metric in both_passes()}
    assert notes["fill.latency_mean_over_time"].startswith(
        "clat, mean of the window means: every moment counts the same"
    )
    assert notes["fill.latency_mean_over_ios"].startswith("clat, mean of all I/Os: every I/O counts the same")


def test_passes_that_tell_two_latencies_have_no_mean_of_both() -> None:
    first = evidence_of_fill(series(FIRST), "fill.pass1")
    older = replace(first, result=replace(first.result, timed=LatencyKind.LAT))
    both = [older, evidence_of_fill(series(SECOND), "fill.pass2", DriveState.FILLED_ONCE)]
    metrics = {metric.name: metric for metric in fill_metrics("fill", [one.step for one in both], both)}
    for name in ("fill.latency_mean_over_time", "fill.latency_mean_over_ios"):
        assert metrics[name].value == Unknown(message("unknown-several-latency-kinds"))


def latency_over_time(one: Series) -> float:
    metrics = {metric.name: metric for metric in fill_of(one)}
    return number(metrics["fill.latency_mean_over_time"])


def test_a_long_window_counts_for_as_long_as_it_lasts() -> None:
    even = series_of(np.full(100, 1e9))
    time_ns = even.time_ns.copy()
    time_ns[50:] += 9 * even.window_ns
    latency = np.full(100, 10e6)
    latency[50] = 120e6
    stalled = replace(even, time_ns=time_ns, latency_ns_mean=latency)
    assert latency_over_time(stalled) == pytest.approx((99 * 10e6 + 10 * 120e6) / 109)


def test_windows_without_a_completion_have_no_say_in_the_mean_latency() -> None:
    even = series_of(np.full(100, 1e9))
    latency = np.full(100, 10e6)
    latency[50] = np.nan
    assert latency_over_time(replace(even, latency_ns_mean=latency)) == pytest.approx(10e6)


def bundle_of(path: Path, passes: Sequence[Series], planned: Sequence[Series]) -> Bundle:
    """A run of two passes that ended after some of them."""
    steps = [fill_step(index, f"fill.pass{index}", one) for index, one in enumerate(planned, start=1)]
    plan = [replace(step, status=StepStatus.PLANNED, started_ns=None, ended_ns=None) for step in steps]
    capacity_bytes = plan[0].job.region.length_bytes if plan[0].job is not None else 0
    writer = BundleWriter(path, run_info(capacity_bytes), plan)
    clock_ns = 0
    for step, one in zip(plan, passes, strict=False):
        clock_ns = _write_pass(writer, step, one, clock_ns)
    writer.run_ended(clock_ns, Event.RUN_FINISHED if len(passes) == len(planned) else Event.RUN_INTERRUPTED, None)
    writer.close()
    return open_bundle(path)


def _write_pass(writer: BundleWriter, step: Step, one: Series, clock_ns: int) -> int:
    assert step.job is not None
    writer.step_started(step.index, clock_ns, DriveState.FOB if step.index == 1 else DriveState.FILLED_ONCE)
    ended_ns = clock_ns + int(one.time_ns[-1])
    writer.step_finished(step.index, ended_ns, fill_result(step.job, one))
    return ended_ns


def test_a_whole_bundle_gives_every_metric_and_a_clean_audit(tmp_path: Path) -> None:
    passes = (series(FIRST), series(SECOND))
    metrics, audit = conclude(bundle_of(tmp_path / "run", passes, passes))
    assert len(metrics) == 2 * 7 + 4
    assert [metric.name for metric in metrics][-4:] == [
        "fill.bandwidth_mean",
        "fill.latency_mean_over_time",
        "fill.latency_mean_over_ios",
        "fill.after_cache",
    ]
    assert not {"warn", "fail"} & {check.outcome.value for check in audit}
    assert {check.step for check in audit} == {"fill.pass1", "fill.pass2"}
    assert {metric.state for metric in metrics if metric.step == "fill.pass2"} == {DriveState.FILLED_ONCE}


def test_a_bundle_read_twice_gives_the_same_numbers(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path / "run", (series(FIRST, ORDINARY),), (series(FIRST, ORDINARY),))
    assert conclude(bundle) == conclude(bundle)


def test_a_partial_bundle_gives_the_metrics_of_what_is_finished(tmp_path: Path) -> None:
    first, second = series(FIRST), series(SECOND)
    metrics, audit = conclude(bundle_of(tmp_path / "run", (first,), (first, second)))
    values = {metric.name: metric.value for metric in metrics}
    assert isinstance(values["fill.pass1.cache_bytes"], float)
    assert values["fill.bandwidth_mean"] == Unknown(message("unknown-passes-finished", done=1, planned=2))
    assert not any(name.startswith("fill.pass2") for name in values)
    assert {check.step for check in audit} == {"fill.pass1"}


def test_a_bundle_without_a_finished_pass_has_no_conclusions(tmp_path: Path) -> None:
    assert conclude(bundle_of(tmp_path / "run", (), (series(FLAT),))) == ((), ())


def test_a_failed_check_marks_the_numbers_of_its_step_and_of_the_whole(tmp_path: Path) -> None:
    first, second = series(FIRST), series(SECOND)
    longer = series((*SECOND[:-1], Level(1100 * GB, 1_700 * MIB_S)))
    metrics, _ = conclude(bundle_of(tmp_path / "run", (first, second), (first, longer)))
    marks = {metric.name: metric.failed_checks for metric in metrics}
    assert marks["fill.pass1.cache_bytes"] == ()
    assert marks["fill.pass2.cache_bytes"] == ("coverage.fill",)
    assert marks["fill.bandwidth_mean"] == ("coverage.fill",)
    assert isinstance(next(one.value for one in metrics if one.name == "fill.pass2.cache_bytes"), float)


def test_truth_of_the_synthetic_series_is_what_was_written() -> None:
    run = series(FIRST)
    changes_bytes, _ = truth_of(FIRST, run)
    assert changes_bytes[0] == pytest.approx(250 * GB, rel=0.01)
    assert Direction.WRITE in evidence_of_fill(run).series


def stalled(levels: Sequence[Level], at_s: Sequence[float], remains: float, noise: Noise = QUIET) -> Series:
    """The levels with stalls of four seconds at those times, in which so much of the speed remains."""
    bandwidth = bandwidth_of(levels)
    for begin_s in sorted(at_s, reverse=True):
        begin = int(begin_s * NS_PER_S / WINDOW_NS)
        # What a stall does not write is written after it.
        paused = np.full(40, remains * bandwidth[begin])
        bandwidth = np.concatenate([bandwidth[:begin], paused, bandwidth[begin:]])
    return series_of(noisy(bandwidth, noise, 1))


def test_the_speed_of_a_cache_is_that_outside_its_stalls_which_are_named() -> None:
    levels = (Level(100 * GB, 4 * GB), Level(400 * GB, 1 * GB))
    metrics = {one.name: one for one in fill_of(stalled(levels, (8, 15), 0.0))}
    speed = metrics["fill.pass1.cache_bandwidth"]
    assert number(speed) == pytest.approx(4 * GB, rel=0.01)
    assert speed.low is not None
    assert speed.high is not None
    assert speed.low <= 4 * GB <= speed.high
    assert "without 2 stalls in it" in str(speed.note)
    assert number(metrics["fill.pass1.cache_bytes"]) == pytest.approx(100 * GB, rel=0.01)


def test_a_sharp_fall_ends_a_cache_though_the_direct_speed_slopes_behind_the_folding() -> None:
    bandwidth = bandwidth_of((Level(20 * GB, 4 * GB), Level(20 * GB, 0.8 * GB), Level(80 * GB, 2 * GB)))
    sloping = slice(300, len(bandwidth))
    bandwidth[sloping] *= np.linspace(1, 0.7, len(bandwidth) - sloping.start)
    cache = phases_of(series_of(noisy(bandwidth, QUIET, 1))).cache
    assert isinstance(cache, Cache)
    assert cache.size_bytes == pytest.approx(20 * GB, rel=0.01)


def test_a_slope_with_a_stall_and_dips_in_it_has_no_end_of_a_cache() -> None:
    fill = drawn_fill(453, 52027)
    assert isinstance(phases_of(fill.series, fill.capacity_bytes, fill.sensors).cache, Unknown)


@pytest.mark.parametrize("remains", [0.2, 0.25])
def test_a_stall_is_left_out_whole_where_the_windows_scatter(remains: float) -> None:
    run = stalled((Level(100 * GB, 4 * GB), Level(400 * GB, 1 * GB)), (8, 15), remains, Noise(0.25))
    metrics = {one.name: one for one in fill_of(run)}
    speed = metrics["fill.pass1.cache_bandwidth"]
    # As far as the mean of so many windows goes.
    assert number(speed) == pytest.approx(4 * GB, rel=3 * 0.25 / 250**0.5)
    assert "without 2 stalls in it" in str(speed.note)
    cache = phases_of(run).cache
    assert isinstance(cache, Cache)
    assert 7.4 * NS_PER_S <= sum(int(run.duration_ns[stall].sum()) for stall in cache.stalls) <= 8.4 * NS_PER_S


def test_no_speed_is_said_of_a_cache_that_has_a_stall_beside_each_of_its_windows() -> None:
    levels = (Level(0.3 * GB, 2 * GB), Level(500 * GB, 0.55 * GB))
    metrics = {one.name: one for one in fill_of(stalled(levels, (0.1,), 0.0))}
    assert isinstance(metrics["fill.pass1.cache_bandwidth"].value, Unknown)
    assert number(metrics["fill.pass1.cache_bytes"]) < 1 * GB


def test_three_stalls_in_a_cache_are_no_sawtooth() -> None:
    levels = (Level(96 * GB, 4.8 * GB), Level(387 * GB, 0.6 * GB))
    run = stalled(levels, (11, 13, 16), 0.15)
    phases = phases_of(run, run_bytes := round(float(run.bytes_done[-1])))
    assert isinstance(phases.cache, Cache)
    assert phases.cache.size_bytes == pytest.approx((96 + 3 * 4 * 0.15 * 4.8) * GB, rel=0.01)
    policy = policy_of(run, phases, run_bytes, None)
    assert isinstance(policy, Unknown) or policy.after is not AfterCache.SAWTOOTH
