"""In a guest: closed loops on a drive, by the load engine and by fio in turns; prints JSON.

`python -m tests.vm.closed_loops DRIVE SERIAL TURNS`, or `deep READ_PERCENT...` in place of the turns.
"""

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
from tests.kit.watches import unwatched
from tests.vm.paced_drive import SIZE_MIB

from ssdlab.analysis.statistics.percentile import merged
from ssdlab.analysis.statistics.response import responses_of
from ssdlab.drive.kinds.block import BlockDevice
from ssdlab.drive.target import BlockTarget
from ssdlab.engine.base import Engine
from ssdlab.engine.fio.binary import FioVersion, find_fio
from ssdlab.engine.fio.engine import FioEngine
from ssdlab.engine.load import LoadEngine
from ssdlab.engine.result import Direction, LatencyKind, RawResult
from ssdlab.job import IoLog, Job, Pattern, Region
from ssdlab.units import KIB, MIB, NS_PER_S

DEPTHS = (1, 32, 256)
IOS = 1_000
"""Of each load. Of 2,048 and more fio, which logs each of them here, took a round longer at depth 32 and two at 256: most likely it lets all
in flight end as it makes room in its log, at first for 1,024."""
DEEP = "deep"
DEEP_IOS = 300_000
"""Of loads at the largest depth, whose latencies are counted in bins and not kept one by one: of so many the first round, which is submitted
all at once, is less than a thousandth."""
DEEP_BLOCK_BYTES = 512
"""So that the drive has a block for each: fio lets all in flight end whenever it has been at every block once."""
PERCENTS = (50.0, 99.0, 99.9)
READ_PERCENTS = (100, 0, 70)
_UNPOLLED = FioVersion(3, 35)
"""The last that is not asked for a polling thread of the kernel, which the only processor has no room for."""
_JOB = Job(
    name="closed",
    pattern=Pattern.RANDOM,
    read_percent=100,
    block_bytes=4 * KIB,
    queue_depth=1,
    region=Region(0, 64 * MIB),
    amount_bytes=IOS * 4 * KIB,
    duration_ns=None,
    seed=7,
    io_log=IoLog.EVERY_IO,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """What one engine measured of one load.

    Attributes:
        percentiles_ns: In the order of `PERCENTS`.
    """

    engine: str
    read_percent: int
    queue_depth: int
    ios: int
    reads: int
    iops: float
    percentiles_ns: tuple[float, ...]


def turns(path: Path, serial: str, count: int) -> Iterator[Turn]:
    """Of all loads, each engine in turn."""
    with closing(BlockDevice(str(path), BlockTarget(path), serial)) as drive, tempfile.TemporaryDirectory() as place:
        engines: dict[str, Engine] = {
            "load": LoadEngine(drive),
            "fio": FioEngine(replace(find_fio(), version=_UNPOLLED), drive),
        }
        # Once each has run, nothing of it has to be read any more while something is measured.
        for engine in engines.values():
            engine.run(replace(_JOB, amount_bytes=16 * _JOB.block_bytes), Path(place), unwatched)
        for queue_depth, read_percent in product(DEPTHS, READ_PERCENTS):
            job = replace(_JOB, read_percent=read_percent, queue_depth=queue_depth)
            for name in list(engines) * count:
                yield _turn(name, job, engines[name].run(job, Path(place), unwatched))


def deep_turns(path: Path, serial: str, read_percents: Sequence[int]) -> Iterator[Turn]:
    """Of the loads at the largest depth, by fio, the load engine and fio again, with every I/O counted from the first to the last."""
    with closing(BlockDevice(str(path), BlockTarget(path), serial)) as drive, tempfile.TemporaryDirectory() as place:
        fio = FioEngine(replace(find_fio(), version=_UNPOLLED), drive)
        engines: tuple[Engine, ...] = (fio, LoadEngine(drive), fio)
        deep = replace(
            _JOB,
            queue_depth=max(DEPTHS),
            block_bytes=DEEP_BLOCK_BYTES,
            region=Region(0, SIZE_MIB * MIB),
            amount_bytes=DEEP_IOS * DEEP_BLOCK_BYTES,
            io_log=IoLog.WINDOWS,
        )
        for read_percent, engine in product(read_percents, engines):
            job = replace(deep, read_percent=read_percent)
            yield _counted(engine.run(job, Path(place), unwatched))


def _counted(result: RawResult) -> Turn:
    """Percentiles of both directions together, by fio's bins."""
    latency = merged([one.latency[LatencyKind.CLAT] for one in result.directions.values()])
    found = responses_of([latency], (), 0)
    assert found is not None
    return Turn(
        engine=result.engine.partition("-")[0],
        read_percent=result.job.read_percent,
        queue_depth=result.job.queue_depth,
        ios=latency.total,
        reads=sum(one.io_count for direction, one in result.directions.items() if direction is Direction.READ),
        iops=latency.total * NS_PER_S / max(one.runtime_ns for one in result.directions.values()),
        percentiles_ns=tuple(found.tail_ns(f"{percent:g}") for percent in PERCENTS),
    )


def _turn(engine: str, job: Job, result: RawResult) -> Turn:
    """Percentiles are without the first round, which is submitted all at once, and the last, for all of which fio waits before it looks at any."""
    logs = [one.every_io for one in result.directions.values() if one.every_io is not None]
    time_ns = np.concatenate([log.time_ns for log in logs])
    latency_ns = np.concatenate([log.latency_ns for log in logs])
    kept = np.argsort(time_ns, kind="stable")[job.queue_depth : -job.queue_depth]
    return Turn(
        engine=engine,
        read_percent=job.read_percent,
        queue_depth=job.queue_depth,
        ios=len(time_ns),
        reads=sum(one.io_count for direction, one in result.directions.items() if direction is Direction.READ),
        iops=len(time_ns) * NS_PER_S / max(one.runtime_ns for one in result.directions.values()),
        percentiles_ns=tuple(np.percentile(latency_ns[kept], PERCENTS).tolist()),
    )


def main() -> None:
    """All of them, or those at depth that are counted in bins."""
    path, serial, what, *read_percents = sys.argv[1:]
    if what == DEEP:
        found = deep_turns(Path(path), serial, [int(one) for one in read_percents])
    else:
        found = turns(Path(path), serial, int(what))
    json.dump([asdict(turn) for turn in found], sys.stdout)


if __name__ == "__main__":
    main()
