"""What is kept of latencies agrees with every single I/O, on real runs of different shapes."""

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from math import ceil
from pathlib import Path

import numpy as np
import pytest
from tests.kit.sample_fio import sequential_fill

from ssdlab import _core
from ssdlab.analysis.statistics.percentile import latency_percentile_ns
from ssdlab.engine.fio.binary import find_fio
from ssdlab.engine.fio.document import split_output
from ssdlab.engine.fio.job_file import write_job_file
from ssdlab.engine.fio.output import directions, parse_output
from ssdlab.engine.result import Direction, DirectionResult, LatencyKind
from ssdlab.job import IoLog, Job, Pattern, Sync
from ssdlab.lab.bench import Bench, open_bench
from ssdlab.units import KIB, MIB, NS_PER_MS
from ssdlab.unknown import Unknown

pytestmark = pytest.mark.fio

PERCENTS = ("1", "10", "25", "50", "75", "90", "99", "99.9")
RANDOM = sequential_fill(
    name="random", pattern=Pattern.RANDOM, block_bytes=4 * KIB, queue_depth=1, amount_bytes=8 * MIB
)
SHAPES = [
    pytest.param(replace(RANDOM, read_percent=100), id="reads QD1"),
    pytest.param(replace(RANDOM, read_percent=70, queue_depth=32), id="mixed QD32"),
    pytest.param(replace(RANDOM, read_percent=50, queue_depth=4, jobs=3), id="mixed, three jobs"),
    pytest.param(replace(RANDOM, sync=Sync.SYNC, amount_bytes=2 * MIB), id="sync writes"),
    pytest.param(sequential_fill(queue_depth=64), id="fill"),
]


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with open_bench("virtual:demo?capacity=256MiB") as opened:
        yield opened


def run(bench: Bench, job: Job, directory: Path) -> dict[Direction, DirectionResult]:
    return dict(bench.engine.run(job, directory, lambda _: None).directions)


def nearest_rank(values: list[int], percent: str) -> int:
    """One line, as METHODS 0 says it; `ceil` of a float would be wrong for 99.9 % of 1000."""
    return sorted(values)[max(1, ceil(len(values) * round(float(percent) * 10) / 1000)) - 1]


@pytest.mark.parametrize("job", SHAPES)
def test_percentiles_of_the_bins_are_those_of_every_io_to_the_width_of_a_bin(
    bench: Bench, job: Job, tmp_path: Path
) -> None:
    for one in run(bench, replace(job, io_log=IoLog.EVERY_IO), tmp_path).values():
        assert one.every_io is not None
        exact, histogram = one.every_io.latency_ns.tolist(), one.latency[LatencyKind.CLAT]
        for percent in PERCENTS:
            found = latency_percentile_ns(histogram, percent)
            if isinstance(found, Unknown):
                assert len(exact) * (100 - float(percent)) / 100 < 11
                continue
            assert found == _core.bin_mid(_core.bin_index(nearest_rank(exact, percent)))
            assert found == pytest.approx(nearest_rank(exact, percent), rel=1 / 128)


@pytest.mark.parametrize("job", SHAPES)
def test_counts_and_moments_are_those_of_every_io(bench: Bench, job: Job, tmp_path: Path) -> None:
    for one in run(bench, replace(job, io_log=IoLog.EVERY_IO), tmp_path).values():
        assert one.every_io is not None
        every, histogram = one.every_io.latency_ns, one.latency[LatencyKind.CLAT]
        assert len(every) == one.io_count
        assert np.unique([_core.bin_index(value) for value in every], return_counts=True)[1].tolist() == (
            histogram.count.tolist()
        )
        assert (int(every.min()), int(every.max())) == (histogram.min_ns, histogram.max_ns)
        assert histogram.mean_ns == pytest.approx(every.mean(), rel=1e-6)
        assert histogram.stddev_ns == pytest.approx(every.std(ddof=1), rel=1e-4)


@pytest.mark.parametrize("io_log", IoLog)
@pytest.mark.parametrize("queue_depth", [1, 32])
def test_a_mixed_job_keeps_both_distributions_of_both_directions_whole(
    bench: Bench, io_log: IoLog, queue_depth: int, tmp_path: Path
) -> None:
    found = run(bench, replace(RANDOM, read_percent=70, queue_depth=queue_depth, io_log=io_log), tmp_path)
    kept = {
        (direction, kind): histogram.total
        for direction, one in found.items()
        for kind, histogram in one.latency.items()
    }
    assert kept == {
        (direction, kind): found[direction].io_count
        for direction in (Direction.READ, Direction.WRITE)
        for kind in LatencyKind
    }


@pytest.mark.parametrize("jobs", [1, 2])
def test_over_time_every_io_is_in_one_window_and_in_its_bin(bench: Bench, jobs: int, tmp_path: Path) -> None:
    job = replace(
        RANDOM,
        read_percent=60,
        queue_depth=8,
        jobs=jobs,
        amount_bytes=None,
        duration_ns=700 * NS_PER_MS,
        io_log=IoLog.DISTRIBUTION_OVER_TIME,
    )
    for one in run(bench, job, tmp_path).values():
        windows, histogram = one.latency_windows, one.latency[LatencyKind.CLAT]
        assert windows is not None
        merged = _core.BINS_MERGED_OVER_TIME
        columns = np.bincount(histogram.bin_index // merged, histogram.count, _core.BIN_COUNT // merged)
        in_windows = np.bincount(windows.bin_index // merged, windows.count, _core.BIN_COUNT // merged)
        assert in_windows.tolist() == columns.tolist()
        assert windows.time_ns[-1] <= one.runtime_ns
        # A window that fio ended some I/Os late has those of its neighbour; by the end of any window that evens out.
        ends = np.unique(windows.time_ns)
        counted = np.array([windows.count[windows.time_ns <= end].sum() for end in ends])
        done = np.interp(ends, one.series.time_ns, one.series.bytes_done / job.block_bytes)
        assert counted == pytest.approx(done, abs=0.25 * one.io_count)


def test_between_long_histograms_the_series_still_has_short_windows(bench: Bench, tmp_path: Path) -> None:
    job = replace(RANDOM, queue_depth=32, amount_bytes=None, duration_ns=2500 * NS_PER_MS)
    fio, histogram_ns = find_fio(), 1000 * NS_PER_MS
    (tmp_path / "job.fio").write_text(write_job_file(job, bench.drive.address, fio, histogram_ns).text)
    command = [str(fio.path), "--output-format=json+", "--output=fio.json", "job.fio"]
    subprocess.run(command, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    output = parse_output(split_output((tmp_path / "fio.json").read_bytes())[0])
    one = directions(job, output, tmp_path, histogram_ns)[Direction.WRITE]
    assert one.series.window_ns == 100 * NS_PER_MS
    # fio samples its bandwidth late on a busy host, but not each time as rarely as its histograms.
    assert int(np.diff(one.series.time_ns, prepend=0).min()) < histogram_ns // 2
    assert one.series.bytes_done[-1] == pytest.approx(one.io_bytes)
    assert one.logged_bytes == pytest.approx(one.io_bytes, rel=0.5)
