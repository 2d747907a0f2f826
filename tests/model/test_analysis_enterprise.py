"""What a run of the suite `enterprise` gives: every metric it promises, and the same numbers as a count of its single I/Os."""

import io
from collections.abc import Sequence
from fractions import Fraction
from math import ceil

import duckdb
import numpy as np
import pytest
from numpy.typing import NDArray

from ssdlab.analysis.audit.run import failed
from ssdlab.analysis.statistics.percentile import PERCENTS
from ssdlab.bundle.model import Metric, Outcome
from ssdlab.bundle.read import Bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.engine.result import Direction, LatencyKind
from ssdlab.job import DriveState, IoLog, StepKind
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import NS_PER_MS

DEPTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
SEQUENTIAL, RANDOM = ("read", "write", "r95w5"), ("read", "write", "r70w30", "r50w50", "read512")
MIXED = ("r95w5", "r70w30", "r50w50")
QUANTITIES = ("iops", "bandwidth", "clat_mean", "lat_mean")
KEPT = [f"rnd.{workload}.q1" for workload in RANDOM]
WINDOW_NS = 100 * NS_PER_MS
LONGER = 'time = "1/100"'
"""Of the profile: a consistency needs ten windows above the slowest thousandth."""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    text = load_suite("enterprise").text.replace('time = "1/250"', LONGER).replace('at_most = "2x"', 'at_most = "23x"')
    with open_bench("model:plp-enterprise-3t84?capacity=2GiB") as bench:
        plan = expand(parse_suite(text, "enterprise"), "quick", bench.drive.identity, seed=1)
        return execute(plan, bench, tmp_path_factory.mktemp("lab"), PlainDisplay(io.StringIO()))


@pytest.fixture(scope="module")
def metrics(bundle: Bundle) -> dict[str, Metric]:
    return {metric.name: metric for metric in bundle.metrics}


class TestMetrics:
    def test_every_point_has_its_rates_latencies_and_consistency(self, metrics: dict[str, Metric]) -> None:
        for group, workloads in (("seq", SEQUENTIAL), ("rnd", RANDOM)):
            for point in (f"{group}.{workload}.q{depth}" for workload in workloads for depth in DEPTHS):
                for quantity in (*QUANTITIES, "consistency", "clat_p50", "clat_p99"):
                    assert isinstance(metrics[f"{point}.{quantity}"].value, int | float), f"{point}.{quantity}"
                assert metrics[f"{point}.iops"].state is DriveState.STEADY

    def test_preconditioning_says_when_the_drive_was_steady(self, metrics: dict[str, Metric]) -> None:
        for name, rate in (("seq", "bandwidth"), ("rnd", "iops")):
            prefix = f"precondition.{name}"
            assert metrics[f"{prefix}.criterion"].value == "held"
            assert {f"{prefix}.steady_at_bytes.{one}" for one in ("window", "snia", "fio")} <= metrics.keys()
            assert isinstance(metrics[f"{prefix}.steady_{rate}"].value, float)

    def test_the_directions_of_a_mixed_point_add_up(self, metrics: dict[str, Metric]) -> None:
        mixed = [name for name in metrics if name.split(".")[1:2] and name.split(".")[1] in MIXED]
        points = {".".join(name.split(".")[:3]) for name in mixed}
        assert len(points) == len(MIXED) * len(DEPTHS)
        for point in points:
            read, write, both = (metrics[f"{point}{part}.iops"].value for part in (".read", ".write", ""))
            assert read + write == pytest.approx(both)  # type: ignore[operator]

    def test_the_ramp_counts_for_nothing(self, metrics: dict[str, Metric]) -> None:
        assert not [name for name in metrics if ".ramp" in name]

    def test_nothing_is_asked_of_the_percentiles_of_a_ramp(self, bundle: Bundle) -> None:
        asked = {check.step: check.outcome for check in bundle.audit if check.name == "latency.percentile_samples"}
        ramps = {asked[step.name] for step in bundle.finished() if step.kind is StepKind.RAMP}
        measured = {asked[step.name] for step in bundle.finished() if step.kind is StepKind.MEASURE}
        assert (ramps, measured) == ({Outcome.NOT_APPLICABLE}, {Outcome.PASS})

    def test_no_check_of_the_audit_fails(self, bundle: Bundle) -> None:
        assert failed(bundle.audit) == ()


def every_io(bundle: Bundle, point: str, directions: Sequence[Direction]) -> dict[str, NDArray[np.int64]]:
    """The table as it stands on disk."""
    path = bundle.directory(bundle.step(point)) / "io.parquet"
    rows = duckdb.read_parquet(str(path)).fetchnumpy()
    chosen = np.isin(rows["direction"].astype(str), [one.value for one in directions])
    return {name: rows[name][chosen] for name in ("time_ns", "latency_ns")}


def parts_of(bundle: Bundle, point: str) -> dict[str, list[Direction]]:
    directions = list(bundle.result(bundle.step(point)).directions)
    alone = {f".{one.value}": [one] for one in directions} if len(directions) > 1 else {}
    return {"": directions, **alone}


def naive_percentile(values: NDArray[np.int64], percent: str) -> int | None:
    """METHODS 0: nearest rank, and at least ten samples above."""
    rank = max(1, ceil(Fraction(percent) / 100 * len(values)))
    return int(np.sort(values)[rank - 1]) if len(values) - rank >= 10 else None


class TestAgainstSingleIos:
    def test_they_are_kept_where_the_suite_says(self, bundle: Bundle) -> None:
        steps = [step for step in bundle.finished() if step.job is not None and step.job.io_log is IoLog.EVERY_IO]
        assert [step.name for step in steps] == KEPT
        assert {step.kind for step in steps} == {StepKind.MEASURE}

    @pytest.mark.parametrize("point", KEPT)
    def test_tail_percentiles_are_those_of_the_sorted_latencies(
        self, bundle: Bundle, metrics: dict[str, Metric], point: str
    ) -> None:
        for part, directions in parts_of(bundle, point).items():
            latency_ns = every_io(bundle, point, directions)["latency_ns"]
            found = {percent: metrics.get(f"{point}{part}.clat_p{percent.replace('.', '_')}") for percent in PERCENTS}
            naive = {percent: naive_percentile(latency_ns, percent) for percent in PERCENTS}
            assert {percent: None if one is None else one.value for percent, one in found.items()} == naive
            assert naive["99.9"] is not None

    @pytest.mark.parametrize("point", KEPT)
    def test_means_and_counts_are_theirs(self, bundle: Bundle, metrics: dict[str, Metric], point: str) -> None:
        result = bundle.result(bundle.step(point))
        for direction, totals in result.directions.items():
            latency_ns = every_io(bundle, point, [direction])["latency_ns"]
            assert len(latency_ns) == totals.io_count
            assert float(latency_ns.sum()) / len(latency_ns) == pytest.approx(
                totals.latency[LatencyKind.LAT].mean_ns, rel=1e-12
            )
        latency_ns = every_io(bundle, point, list(result.directions))["latency_ns"]
        assert metrics[f"{point}.lat_mean"].value == pytest.approx(float(latency_ns.mean()), rel=1e-12)

    @pytest.mark.parametrize("point", KEPT)
    def test_consistency_is_that_of_a_count_by_window(
        self, bundle: Bundle, metrics: dict[str, Metric], point: str
    ) -> None:
        time_ns = every_io(bundle, point, list(Direction))["time_ns"]
        whole = int(time_ns.max()) // WINDOW_NS
        # A window includes its last instant.
        counts = np.bincount((time_ns - 1) // WINDOW_NS, minlength=whole)[:whole]
        naive = np.sort(counts)[ceil(len(counts) / 1000) - 1] / counts.mean() * 100
        assert metrics[f"{point}.consistency"].value == pytest.approx(float(naive), rel=1e-12)
