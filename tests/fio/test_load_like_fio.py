"""Closed loops of the load engine and of fio on the same drive, one after the other: where the drive sets the pace they measure the same.

A host that is busy delays what both do, and not both alike; nothing makes an I/O faster than the drive is. The drive is therefore
so slow that a delay of the usual kind is less than what is held, the engines take turns, each in a session of its own, among which
kernels share processors, and the least disturbed run of each counts. What such a host makes of the tail is no matter for a test: `./dev bench load` prints p99 and p99.9.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest
from tests.kit.both_engines import IOPS_WITHIN, LATENCY_WITHIN, Measured, measured
from tests.kit.paced import paced_spec

from ssdlab.drive.kinds.nbd import NbdDrive
from ssdlab.drive.nbd_uri import read_nbd_uri
from ssdlab.drive.target import NbdTarget
from ssdlab.engine.base import Engine
from ssdlab.engine.load import LoadEngine
from ssdlab.job import Job, Pattern, Region
from ssdlab.lab.bench import Bench, open_bench
from ssdlab.units import KIB, MIB, NS_PER_MS, NS_PER_S

pytestmark = pytest.mark.fio

LATENCY_NS, COMMAND_NS = 400 * NS_PER_MS, NS_PER_MS
IOS = {1: 3, 32: 96, 256: 2048}
"""By depth: a second, and more at the depth of which fio counts the last I/Os together, when all are back: they must not be the middle."""
PAIRS_MAX = 10

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


def by(engine: Engine, job: Job, directory: Path) -> Measured:
    """What it makes of the job."""
    directions = engine.run(job, directory, lambda _: None).directions
    return measured(directions, {direction: one.latency for direction, one in directions.items()})


def by_load(socket: Path, job: Job, directory: Path) -> Measured:
    """What the load engine makes of it."""
    drive = NbdDrive(f"nbd+unix:///?socket={socket}", NbdTarget(socket, ""), erase=socket.name)
    return by(LoadEngine(drive), job, directory)


@pytest.fixture(scope="module")
def own_session() -> Iterator[ProcessPoolExecutor]:
    """A process in a session of its own, as fio has one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[2]))
        with ProcessPoolExecutor(1, get_context("spawn"), initializer=os.setsid) as pool:
            yield pool


def agree(pairs: list[tuple[Measured, Measured]]) -> bool:
    """Whether IOPS and the median latency of the load engine's best run are those of fio's; at depth 1 one is the inverse of the other."""
    ours, fios = zip(*pairs, strict=True)
    iops = max(one.iops for one in ours) / max(one.iops for one in fios)
    p50 = min(_p50_ns(one) for one in ours) / min(_p50_ns(one) for one in fios)
    return abs(iops - 1) < IOPS_WITHIN and abs(p50 - 1) < LATENCY_WITHIN


def _p50_ns(one: Measured) -> float:
    return one.percentiles_ns.get(50, NS_PER_S / one.iops)


@pytest.mark.parametrize("depth", IOS)
@pytest.mark.parametrize("read_percent", [100, 0, 70])
def test_both_measure_the_same_where_the_drive_sets_the_pace(
    bench: Bench, own_session: ProcessPoolExecutor, read_percent: int, depth: int, tmp_path: Path
) -> None:
    job = replace(JOB, read_percent=read_percent, queue_depth=depth, amount_bytes=IOS[depth] * JOB.block_bytes)
    socket, _ = read_nbd_uri(bench.drive.address.location)
    pairs = []
    for _ in range(PAIRS_MAX):
        ours = own_session.submit(by_load, socket, job, tmp_path).result()
        fios = by(bench.engine, job, tmp_path)
        pairs.append((ours, fios))
        for one in (ours, fios):
            assert one.ios == IOS[depth]
            # Four standard deviations of so many draws.
            spread = 4 * (one.ios * read_percent * (100 - read_percent)) ** 0.5 / 100
            assert abs(one.reads - one.ios * read_percent / 100) <= spread
            # No drive answers early; fio's bins are told by their middle.
            assert _p50_ns(one) > 0.99 * (LATENCY_NS + COMMAND_NS)
        if agree(pairs):
            return
    pytest.fail(f"they differ: {pairs}")
