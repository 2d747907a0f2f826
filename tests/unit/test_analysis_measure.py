"""Measured points, repeated ones, the weighted curve, the active range: from evidence to metrics."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from tests.kit.fill_evidence import evidence_of_fill
from tests.kit.plans import HEADER
from tests.kit.synthetic_fill import series_of

from ssdlab import _core
from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.metrics.measure import measure_metrics
from ssdlab.analysis.statistics.percentile import PERCENTS
from ssdlab.bundle.dotted_names import point_of_name
from ssdlab.bundle.model import DirectionTotals, LatencyStats, Metric, Step, StepStatus
from ssdlab.bundle.tables import LatencyCounts
from ssdlab.engine.result import Direction, Histogram, LatencyKind, PointEnd, PointEnding
from ssdlab.job import DriveState, IoLog, Job, Pattern, Region, StepKind
from ssdlab.message import message, number
from ssdlab.method.kinds.measure import MeasureStep
from ssdlab.method.suite import parse_suite
from ssdlab.units import GIB, KIB, NS_PER_S
from ssdlab.unknown import Unknown

RATIO = """
[[step]]
kind = "measure"
name = "ratio"
job.rnd = { pattern = "random", bs = "4KiB", amount = "1GiB" }
sweep = { qd = [1, 2], read = "0%..100% step 50%" }
repeat = { times = 3, at_most = 5, until_rse = "5%" }
weighted = { qd = { 1 = "75%", 2 = "25%" }, rank_over = "mixed" }
"""
TIMES = """
[[step]]
kind = "measure"
name = "speed"
job = { pattern = "random", bs = "4KiB", qd = 1, read = "0%", amount = "1GiB" }
repeat = { times = 3 }
take = "TAKE"
"""
ONCE = """
[[step]]
kind = "measure"
name = "sync"
job = { pattern = "random", bs = "4KiB", qd = 1, read = "0%", amount = "1GiB" }
"""
RANGE = """
[[step]]
kind = "measure"
name = "active"
job = { pattern = "random", bs = "4KiB", qd = 256, read = "100%", amount = "1GiB" }
sweep = { range = "1GiB..100% doubling" }
"""


def said(text: str) -> MeasureStep:
    step = parse_suite(HEADER + text, "test").steps[0]
    assert isinstance(step, MeasureStep)
    return step


def histogram(latency_ns: int, count: int) -> Histogram:
    return Histogram(
        bin_index=np.array([_core.bin_index(latency_ns)]),
        count=np.array([count]),
        mean_ns=latency_ns,
        min_ns=latency_ns,
        max_ns=latency_ns,
        stddev_ns=0.0,
    )


def measured(
    point: str, iops: float, run: int = 1, *, queue_depth: int = 1, read_percent: int = 0, latency_ns: int = 1000
) -> StepEvidence:
    """Ten seconds at a steady rate, as one direction."""
    direction = Direction.READ if read_percent else Direction.WRITE
    series = series_of(np.full(100, iops * 4 * KIB))
    job = Job(
        name=point,
        pattern=Pattern.RANDOM,
        read_percent=read_percent,
        block_bytes=4 * KIB,
        queue_depth=queue_depth,
        region=Region(0, 8 * GIB),
        amount_bytes=GIB,
        duration_ns=None,
        seed=1,
    )
    count = round(iops * 10)
    bins = histogram(latency_ns, count)
    stats = LatencyStats(mean_ns=latency_ns, min_ns=latency_ns, max_ns=latency_ns, stddev_ns=0.0)
    kinds = (LatencyKind.CLAT, LatencyKind.LAT)
    totals = DirectionTotals(
        io_count=count,
        io_bytes=count * 4 * KIB,
        short_ios=0,
        runtime_ns=10 * NS_PER_S,
        logged_bytes=count * 4 * KIB,
        latency=dict.fromkeys(kinds, stats),
    )
    filled = evidence_of_fill(series_of(np.full(100, 1e9)))
    step = replace(
        filled.step,
        name=f"{point}.run{run}",
        group=point.partition(".")[0],
        point=point_of_name(point),
        run=run,
        kind=StepKind.MEASURE,
        state=DriveState.PRECONDITIONED,
        job=job,
    )
    return replace(
        filled,
        step=step,
        job=job,
        result=replace(filled.result, directions={direction: totals}),
        series={direction: series},
        latency={direction: dict.fromkeys(kinds, bins)},
    )


def metrics_of(step: MeasureStep, runs: Sequence[StepEvidence], unfinished: Sequence[Step] = ()) -> dict[str, Metric]:
    plan = [*(run.step for run in runs), *unfinished]
    return {metric.name: metric for metric in measure_metrics(step, plan, runs)}


def unfinished(like: StepEvidence, status: StepStatus) -> Step:
    return replace(like.step, status=status)


def test_of_a_point_measured_until_its_rate_is_known_the_ramp_counts_in_latencies_alone_which_say_so() -> None:
    ramped = measured("sync", 500)
    rates = np.full(100, 500 * 4.0 * KIB)
    rates[:30] *= 3
    end = PointEnd(
        because=PointEnding.ENOUGH,
        within=0.01,
        seen_ns=10 * NS_PER_S,
        ramp_ns=3 * NS_PER_S,
        bytes_per_s=500 * 4.0 * KIB,
        low=499 * 4.0 * KIB,
        high=501 * 4.0 * KIB,
        rhythm_ns=None,
        drift=None,
    )
    series = dict.fromkeys(ramped.series, series_of(rates))
    metrics = metrics_of(said(ONCE), [replace(ramped, series=series, result=replace(ramped.result, point_end=end))])
    assert metrics["sync.consistency"].value == pytest.approx(100)
    assert "70 windows" in str(metrics["sync.consistency"].note)
    for name in ("clat_mean", "lat_mean", "clat_p50"):
        assert "with its ramp, the first 3.00 s" in str(metrics[f"sync.{name}"].note)
    assert metrics_of(said(ONCE), [measured("sync", 500)])["sync.clat_mean"].note is None


def test_a_single_point_has_rates_latencies_and_only_percentiles_with_ten_samples_above() -> None:
    metrics = metrics_of(said(ONCE), [measured("sync", 500)])
    assert {name: (round(float(metric.value)), metric.unit) for name, metric in metrics.items()} == snapshot(  # type: ignore[arg-type]
        {
            "sync.iops": (500, "1/s"),
            "sync.bandwidth": (2048000, "B/s"),
            "sync.consistency": (100, "%"),
            "sync.clat_mean": (1000, "ns"),
            "sync.clat_p50": (1004, "ns"),
            "sync.clat_p90": (1004, "ns"),
            "sync.clat_p99": (1004, "ns"),
            "sync.lat_mean": (1000, "ns"),
        }
    )


def test_reads_and_writes_of_a_mixed_point_count_together() -> None:
    reads, writes = (measured("sync", 300, read_percent=50), measured("sync", 200, latency_ns=3500))
    mixed = replace(
        reads,
        result=replace(reads.result, directions={**reads.result.directions, **writes.result.directions}),
        series={**reads.series, **writes.series},
        latency={**reads.latency, **writes.latency},
    )
    metrics = metrics_of(said(ONCE), [mixed])
    assert metrics["sync.iops"].value == pytest.approx(500)
    assert metrics["sync.clat_mean"].value == pytest.approx((300 * 1000 + 200 * 3500) / 500)
    assert metrics["sync.clat_p50"].value == pytest.approx(1000, rel=0.01)
    assert metrics["sync.clat_p90"].value == pytest.approx(3500, rel=0.01)
    assert str(metrics["sync.clat_p90"].note) == "reads and writes together"


def mixed_point() -> StepEvidence:
    reads, writes = (measured("sync", 300, read_percent=50), measured("sync", 200, latency_ns=3500))
    shorter = {one: replace(totals, runtime_ns=9 * NS_PER_S) for one, totals in writes.result.directions.items()}
    return replace(
        reads,
        result=replace(reads.result, directions={**reads.result.directions, **shorter}),
        series={**reads.series, **writes.series},
        latency={**reads.latency, **writes.latency},
    )


def test_a_mixed_point_also_gives_each_direction_and_their_rates_add_up() -> None:
    metrics = metrics_of(said(ONCE), [mixed_point()])
    parts = {name: round(float(one.value)) for name, one in metrics.items() if ".read." in name or ".write." in name}  # type: ignore[arg-type]
    assert parts == snapshot(
        {
            "sync.read.iops": 300,
            "sync.read.bandwidth": 1228800,
            "sync.read.clat_mean": 1000,
            "sync.read.clat_p50": 1004,
            "sync.read.clat_p90": 1004,
            "sync.read.clat_p99": 1004,
            "sync.read.lat_mean": 1000,
            "sync.write.iops": 200,
            "sync.write.bandwidth": 819200,
            "sync.write.clat_mean": 3500,
            "sync.write.clat_p50": 3504,
            "sync.write.clat_p90": 3504,
            "sync.write.clat_p99": 3504,
            "sync.write.lat_mean": 3500,
        }
    )
    for quantity in ("iops", "bandwidth"):
        found = [metrics[f"sync.{part}{quantity}"].value for part in ("read.", "write.", "")]
        assert found[0] + found[1] == pytest.approx(found[2])  # type: ignore[operator]
    assert {metrics[name].step for name in parts} == {"sync"}


def test_a_point_of_one_direction_has_no_parts() -> None:
    assert not [name for name in metrics_of(said(ONCE), [measured("sync", 500)]) if ".write." in name]


@pytest.mark.parametrize("timed", LatencyKind)
def test_each_direction_of_a_mixed_point_has_its_own_exact_percentiles_named_for_what_was_kept(
    timed: LatencyKind,
) -> None:
    point = mixed_point()
    counts = {
        Direction.READ: lambda: LatencyCounts(np.arange(100, 400), np.full(300, 1)),
        Direction.WRITE: lambda: LatencyCounts(np.arange(1000, 1200), np.full(200, 1)),
    }
    metrics = metrics_of(
        said(ONCE),
        [
            replace(
                point,
                job=replace(point.job, io_log=IoLog.EVERY_IO),
                result=replace(point.result, timed=timed),
                latency_counts=counts,
            )
        ],
    )
    medians = {part: metrics[f"sync{part}.{timed.value}_p50"].value for part in ("", ".read", ".write")}
    assert medians == {"": 349, ".read": 249, ".write": 1099}


@pytest.mark.parametrize(("take", "value"), [("median", 120), ("trimmed_mean", 115), ("best", 200)])
def test_several_runs_are_taken_as_the_suite_says(take: str, value: float) -> None:
    runs = [measured("speed", iops, run) for run, iops in enumerate((110, 100, 120, 200), start=1)]
    metrics = metrics_of(said(TIMES.replace("TAKE", take)), runs)
    assert metrics["speed.iops"].value == pytest.approx(value)
    assert metrics["speed.bandwidth"].value == pytest.approx(value * 4 * KIB)


@pytest.mark.parametrize("take", ["median", "trimmed_mean", "best"])
def test_the_only_run_of_a_quick_profile_is_the_value(take: str) -> None:
    metrics = metrics_of(said(TIMES.replace("TAKE", take)), [measured("speed", 110, 1)])
    assert metrics["speed.iops"].value == pytest.approx(110)
    assert str(metrics["speed.iops"].note) == "one run"


def test_the_median_and_the_error_are_those_of_the_last_three_runs() -> None:
    runs = [measured("speed", iops, run) for run, iops in enumerate((999, 1, 98, 100, 102), start=1)]
    metrics = metrics_of(said(TIMES.replace("TAKE", "median")), runs)
    assert metrics["speed.iops"].value == pytest.approx(100)
    assert str(metrics["speed.iops"].note) == "median of the last 3 of 5 runs"
    assert metrics["speed.rse"].value == pytest.approx(100 * 2 / (3**0.5 * 100))


@pytest.mark.parametrize(("last", "words"), [(101, "below 5 %"), (160, "not below 5 %")])
def test_an_error_above_the_limit_is_said(last: float, words: str) -> None:
    runs = [measured("ratio.rnd.q1.r0", iops, run) for run, iops in enumerate((100, 99, last), start=1)]
    note = str(metrics_of(said(RATIO), runs)["ratio.rnd.q1.r0.rse"].note)
    assert note == f"relative standard error of the last 3 of 3 runs, {words}"


def test_a_point_of_which_runs_are_missing_is_unknown() -> None:
    runs = [measured("speed", 100, 1), measured("speed", 101, 2)]
    metrics = metrics_of(
        said(TIMES.replace("TAKE", "median")), runs, [unfinished(measured("speed", 0, 3), StepStatus.PLANNED)]
    )
    assert metrics["speed.iops"].value == Unknown(message("unknown-runs-finished", done=2, planned=3))


def test_runs_left_out_by_rule_are_not_missing() -> None:
    runs = [measured("speed", iops, run) for run, iops in enumerate((100, 101, 102), start=1)]
    metrics = metrics_of(
        said(TIMES.replace("TAKE", "median")), runs, [unfinished(measured("speed", 0, 4), StepStatus.SKIPPED)]
    )
    assert metrics["speed.iops"].value == pytest.approx(101)


def test_points_that_keep_every_io_have_the_percentiles_of_all_runs() -> None:
    runs = [
        measured("speed", iops, run, latency_ns=latency)
        for run, iops, latency in ((1, 60, 1000), (2, 30, 4000), (3, 10, 9000))
    ]
    kept = [replace(run, job=replace(run.job, io_log=IoLog.EVERY_IO)) for run in runs]
    step = said(TIMES.replace("TAKE", "median"))
    assert "speed.clat_p50" not in metrics_of(step, runs)
    metrics = metrics_of(step, kept)
    assert metrics["speed.clat_p50"].value == pytest.approx(1000, rel=0.01)
    assert metrics["speed.clat_p90"].value == pytest.approx(4000, rel=0.01)
    assert str(metrics["speed.clat_p90"].note) == "all I/Os of 3 runs"


def curve(drop: str = "") -> dict[str, Metric]:
    rates = {(1, 0): 100, (1, 50): 60, (1, 100): 40, (2, 0): 180, (2, 50): 100, (2, 100): 80}
    runs = [
        measured(f"ratio.rnd.q{depth}.r{share}", rate, run, queue_depth=depth, read_percent=share)
        for (depth, share), rate in rates.items()
        for run in (1, 2, 3)
        if f"ratio.rnd.q{depth}.r{share}" != drop
    ]
    return metrics_of(said(RATIO), runs)


def test_the_weighted_curve_weighs_the_queue_depths() -> None:
    metrics = curve()
    found = {name: metric.value for name, metric in metrics.items() if "weighted" in name}
    assert found == {
        "ratio.rnd.weighted.r0.iops": pytest.approx(0.75 * 100 + 0.25 * 180),
        "ratio.rnd.weighted.r50.iops": pytest.approx(0.75 * 60 + 0.25 * 100),
        "ratio.rnd.weighted.r100.iops": pytest.approx(0.75 * 40 + 0.25 * 80),
    }
    assert str(metrics["ratio.rnd.weighted.r50.iops"].note) == "75 % QD1 + 25 % QD2"


def test_a_point_whose_interval_ends_at_zero_counts_with_all_that_it_may_be_off() -> None:
    rates = {1: (1, 60, 200), 2: (100, 100, 100.001)}
    runs = [
        measured(f"ratio.rnd.q{depth}.r50", rate, run, queue_depth=depth, read_percent=50)
        for depth, of_runs in rates.items()
        for run, rate in enumerate(of_runs, start=1)
    ]
    metrics = metrics_of(said(RATIO), runs)
    point, weighted = metrics["ratio.rnd.q1.r50.iops"], metrics["ratio.rnd.weighted.r50.iops"]
    assert point.low == 0.0
    assert point.high is not None
    assert weighted.high is not None
    assert weighted.low == 0.0
    assert weighted.high - 70 == pytest.approx(0.75 * (point.high - 60), rel=0.01)


def test_the_ranking_value_leaves_out_pure_reads_and_writes() -> None:
    assert curve()["ratio.rnd.rank.iops"].value == pytest.approx(0.75 * 60 + 0.25 * 100)


def test_the_ranking_value_over_all_shares_is_the_mean_of_the_curve() -> None:
    step = said(RATIO.replace('"mixed"', '"all"'))
    runs = [
        measured(f"ratio.rnd.q{depth}.r{share}", rate, run, queue_depth=depth, read_percent=share)
        for depth in (1, 2)
        for share, rate in ((0, 90), (50, 60), (100, 30))
        for run in (1, 2, 3)
    ]
    assert metrics_of(step, runs)["ratio.rnd.rank.iops"].value == pytest.approx(60)


def test_a_missing_point_makes_the_curve_and_the_rank_unknown() -> None:
    metrics = curve(drop="ratio.rnd.q2.r50")
    assert metrics["ratio.rnd.weighted.r50.iops"].value == Unknown(
        message("unknown-point-not-measured", depth="2", share="50")
    )
    assert metrics["ratio.rnd.weighted.r0.iops"].value == pytest.approx(120)
    assert metrics["ratio.rnd.rank.iops"].value == Unknown(message("unknown-points-known", known=0, planned=1))


def ranges(reach_gib: float) -> list[StepEvidence]:
    found = []
    for size in (1, 2, 4, 8, 16, 32, 64, 128):
        rate = 5000 / (1 + 2 * max(0.0, 1 - reach_gib / size))
        one = measured(f"active.{size}GiB", rate, queue_depth=256, read_percent=100)
        job = replace(one.job, region=Region(0, size * GIB))
        found.append(replace(one, job=job, step=replace(one.step, job=job)))
    return found


def test_the_active_range_has_its_rates_and_the_reach() -> None:
    metrics = metrics_of(said(RANGE), ranges(16))
    assert list(metrics) == [f"active.{size}GiB.iops" for size in (1, 2, 4, 8, 16, 32, 64, 128)] + [
        "active.reach_bytes"
    ]
    assert metrics["active.reach_bytes"].value == pytest.approx(16 * GIB, rel=0.1)
    assert str(metrics["active.reach_bytes"].note).startswith(
        "reads over the whole drive are 64% slower; inside it link or controller are the limit and hide the first misses"
    )


def test_no_drop_within_the_drive_is_a_result() -> None:
    value = metrics_of(said(RANGE), ranges(1000))["active.reach_bytes"].value
    assert value == Unknown(message("unknown-no-drop", least=number(0.1, ".0%")))


def test_the_reach_is_unknown_until_every_range_is_measured() -> None:
    runs = ranges(16)
    metrics = metrics_of(said(RANGE), runs[:-1], [unfinished(runs[-1], StepStatus.PLANNED)])
    assert metrics["active.reach_bytes"].value == Unknown(message("unknown-ranges-measured", done=7, planned=8))


def test_nothing_measured_gives_no_metric() -> None:
    for text in (RATIO, ONCE, RANGE):
        assert measure_metrics(said(text), [], []) == ()


def with_every_io(run: StepEvidence, latencies_ns: Sequence[int]) -> StepEvidence:
    found = np.array(latencies_ns, dtype=np.int64)
    counts = {next(iter(run.result.directions)): lambda: LatencyCounts(*np.unique(found, return_counts=True))}
    result = replace(run.result, timed=LatencyKind.CLAT)
    return replace(run, job=replace(run.job, io_log=IoLog.EVERY_IO), result=result, latency_counts=counts)


@given(st.lists(st.integers(1, 10**9), min_size=21, max_size=3000))
def test_percentiles_of_single_ios_are_those_of_the_sorted_list(latencies_ns: list[int]) -> None:
    metrics = metrics_of(said(ONCE), [with_every_io(measured("sync", 500), latencies_ns)])
    exact = {name: metric.value for name, metric in metrics.items() if name.startswith("sync.clat_p")}
    ordered, count = sorted(latencies_ns), len(latencies_ns)
    ranks = {f"sync.clat_p{p.replace('.', '_')}": ceil(Fraction(p) * count / 100) for p in PERCENTS}
    assert exact == {name: ordered[rank - 1] for name, rank in ranks.items() if count - rank >= 10}
