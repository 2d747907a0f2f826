"""Closed loops of the load engine and of fio on the same drive: both do the same I/Os, and neither measures more than the drive can do.

How near they are to what the drive can do is up to the host; `./dev bench load` prints IOPS and percentiles of both.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.kit.both_engines import measured
from tests.kit.paced import paced_spec

from ssdlab.engine.load import LoadEngine
from ssdlab.job import Job, Pattern, Region
from ssdlab.lab.bench import Bench, open_bench
from ssdlab.units import KIB, MIB, NS_PER_MS, NS_PER_S, NS_PER_US

pytestmark = pytest.mark.fio

LATENCY_NS, COMMAND_NS = 50 * NS_PER_MS, 100 * NS_PER_US
IOS = {1: 20, 32: 640, 256: 5120}
"""By depth: a second."""

JOB = Job(
    name="closed",
    pattern=Pattern.RANDOM,
    read_percent=100,
    block_bytes=4 * KIB,
    queue_depth=1,
    region=Region(0, 64 * MIB),
    amount_bytes=4 * KIB,
    duration_ns=None,
    seed=7,
)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """The drive, written all over."""
    directory = tmp_path_factory.mktemp("paced")
    spec = directory / "paced.toml"
    spec.write_text(paced_spec(LATENCY_NS, COMMAND_NS))
    with open_bench(f"virtual:{spec}") as opened:
        fill = replace(JOB, pattern=Pattern.SEQUENTIAL, read_percent=0, block_bytes=MIB, amount_bytes=64 * MIB)
        LoadEngine(opened.drive).run(replace(fill, queue_depth=64), directory, lambda _: None)
        yield opened


@pytest.mark.parametrize("depth", IOS)
@pytest.mark.parametrize("read_percent", [100, 0, 70])
def test_both_do_the_same_and_no_more_than_the_drive_can(
    bench: Bench, read_percent: int, depth: int, tmp_path: Path
) -> None:
    job = replace(JOB, read_percent=read_percent, queue_depth=depth, amount_bytes=IOS[depth] * JOB.block_bytes)
    fastest_ns = LATENCY_NS + COMMAND_NS
    for engine in (LoadEngine(bench.drive), bench.engine):
        directions = engine.run(job, tmp_path, lambda _: None).directions
        one = measured(directions, {direction: result.latency for direction, result in directions.items()})
        assert one.ios == IOS[depth]
        # Four standard deviations of so many draws.
        spread = 4 * (one.ios * read_percent * (100 - read_percent)) ** 0.5 / 100
        assert abs(one.reads - one.ios * read_percent / 100) <= spread
        assert one.iops < 1.01 * depth * NS_PER_S / fastest_ns
        # fio's bins are told by their middle.
        assert one.percentiles_ns[50] > 0.99 * fastest_ns
