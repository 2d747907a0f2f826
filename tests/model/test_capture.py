"""Whatever a built-in suite asks for, the whole latency distribution of it is kept."""

from dataclasses import replace
from math import ceil
from pathlib import Path

import pytest
from tests.kit.plans import drive
from tests.kit.sample_fio import FIO_3_33, FIO_3_41, NBD, sequential_fill

from ssdlab.analysis.statistics.percentile import latency_percentile_ns
from ssdlab.engine.fio.binary import FioBinary
from ssdlab.engine.fio.job_file import write_job_file
from ssdlab.engine.result import Direction, LatencyKind
from ssdlab.job import Action, IoLog, Job, Pattern, Region
from ssdlab.lab.bench import open_bench
from ssdlab.method.builtin import builtin_names, load_suite
from ssdlab.method.plan import expand
from ssdlab.units import GIB, KIB, MIB, NS_PER_MS
from ssdlab.unknown import Unknown

CAPACITY_BYTES = 64 * GIB
SHORT_NS = 20 * NS_PER_MS
NARROW = Region(0, 64 * MIB)


def shapes_of(suite: str) -> list[Job]:
    """Each kind of job that the suite has or asks for, once, on the first 64 MiB and for a moment."""
    plan = expand(load_suite(suite), "quick", drive(CAPACITY_BYTES), seed=1)
    planned = [step.job for step in plan.steps if step.job is not None]
    asked = [job for step in plan.steps if step.search is not None for job in step.search.usual_jobs]
    shapes = (
        replace(
            job,
            name="shape",
            region=NARROW,
            mix=tuple(replace(part, region=NARROW) for part in job.mix),
            amount_bytes=None,
            duration_ns=SHORT_NS,
            seed=1,
        )
        for job in (*planned, *asked)
    )
    return list(dict.fromkeys(shapes))


def directions_of(job: Job) -> set[Direction]:
    if job.action is Action.TRIM:
        return {Direction.TRIM}
    kinds = {Direction.READ: job.read_percent > 0, Direction.WRITE: job.read_percent < 100}
    beside = {Direction(stream.kind.value) for stream in job.beside}
    return beside | {direction for direction, is_done in kinds.items() if is_done}


@pytest.mark.parametrize("suite", builtin_names())
def test_every_job_of_a_suite_keeps_both_distributions_of_each_direction_whole(suite: str, tmp_path: Path) -> None:
    shapes = shapes_of(suite)
    assert shapes
    with open_bench(f"model:demo?capacity={CAPACITY_BYTES}B") as bench:
        for job in shapes:
            found = bench.engine.run(job, tmp_path, lambda _: None).directions
            assert set(found) == directions_of(job)
            for one in found.values():
                totals = {kind: histogram.total for kind, histogram in one.latency.items()}
                assert totals == dict.fromkeys(LatencyKind, one.io_count), job


@pytest.mark.parametrize("percent", ["0", "50", "90", "99", "99.9", "99.99"])
@pytest.mark.parametrize(("queue_depth", "read_percent"), [(1, 100), (1, 0), (32, 70), (256, 50)])
def test_percentiles_of_the_models_bins_are_those_of_every_io(
    queue_depth: int, read_percent: int, percent: str, tmp_path: Path
) -> None:
    job = sequential_fill(
        pattern=Pattern.RANDOM,
        block_bytes=4 * KIB,
        queue_depth=queue_depth,
        read_percent=read_percent,
        io_log=IoLog.EVERY_IO,
    )
    with open_bench("model:chaos?capacity=1GiB") as bench:
        for one in bench.engine.run(job, tmp_path, lambda _: None).directions.values():
            assert one.every_io is not None
            exact = sorted(one.every_io.latency_ns.tolist())
            rank = max(1, ceil(len(exact) * round(float(percent) * 100) / 10_000))
            found = latency_percentile_ns(one.latency[LatencyKind.LAT], percent)
            if len(exact) - rank < 10:
                assert isinstance(found, Unknown)
            else:
                assert found == pytest.approx(exact[rank - 1], rel=1 / 128)


@pytest.mark.parametrize("fio", [FIO_3_33, FIO_3_41], ids=lambda fio: str(fio.version))
@pytest.mark.parametrize("suite", builtin_names())
def test_fio_is_never_told_to_leave_a_distribution_out(suite: str, fio: FioBinary) -> None:
    # What fio has no words for is refused as a whole: `test_fio_wordless` holds it to that.
    for job in (job for job in shapes_of(suite) if job.access is None and not job.mix):
        lines = write_job_file(job, NBD, fio).text.splitlines()
        assert {"clat_percentiles=1", "lat_percentiles=1"} <= set(lines)
        assert not {"disable_clat=1", "disable_lat=1", "gtod_reduce=1"} & set(lines)
        assert ("write_hist_log=log" in lines) == (job.io_log is not IoLog.EVERY_IO)
