"""In a guest: closed loops on a drive, by the load engine and by fio in turns; prints JSON.

`python -m tests.vm.closed_loops DRIVE SERIAL TURNS`, or the description of a virtual drive in place of drive and serial number.
"""

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
from tests.kit.watches import unwatched

from ssdlab.drive.kinds.block import BlockDevice
from ssdlab.drive.target import BlockTarget
from ssdlab.engine.base import Engine
from ssdlab.engine.fio.binary import FioVersion, find_fio
from ssdlab.engine.fio.engine import FioEngine
from ssdlab.engine.load import LoadEngine
from ssdlab.engine.result import Direction, RawResult
from ssdlab.job import IoLog, Job, Pattern, Region
from ssdlab.lab.bench import open_bench
from ssdlab.units import KIB, MIB, NS_PER_S

IOS = {1: 1_000, 32: 12_000, 256: 12_000}
"""Of each load, by depth. Where many are in flight ten are slower than the slowest thousandth, without the first and the last round of the
depth; one by one so many would take hours of the guest's time."""
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
    amount_bytes=16 * 4 * KIB,
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


def turns(engines: Mapping[str, Engine], count: int) -> Iterator[Turn]:
    """Of all loads, each engine in turn."""
    with tempfile.TemporaryDirectory() as place:
        # Once each has run, nothing of it has to be read any more while something is measured.
        for engine in engines.values():
            engine.run(_JOB, Path(place), unwatched)
        for queue_depth, read_percent in product(IOS, READ_PERCENTS):
            amount_bytes = IOS[queue_depth] * _JOB.block_bytes
            job = replace(_JOB, read_percent=read_percent, queue_depth=queue_depth, amount_bytes=amount_bytes)
            for name in list(engines) * count:
                yield _turn(name, job, engines[name].run(job, Path(place), unwatched))


def turns_on_device(path: Path, serial: str, count: int) -> Iterator[Turn]:
    """On a drive of the kernel's."""
    with closing(BlockDevice(str(path), BlockTarget(path), serial)) as drive:
        fio = FioEngine(replace(find_fio(), version=_UNPOLLED), drive)
        yield from turns({"load": LoadEngine(drive), "fio": fio}, count)


def turns_on_virtual(spec: Path, count: int) -> Iterator[Turn]:
    """On a virtual drive, written first: what it never held it reads in no time."""
    with open_bench(f"virtual:{spec}") as bench:
        load = LoadEngine(bench.drive)
        fill = replace(_JOB, pattern=Pattern.SEQUENTIAL, read_percent=0, block_bytes=MIB, io_log=IoLog.WINDOWS)
        with tempfile.TemporaryDirectory() as place:
            load.run(replace(fill, amount_bytes=fill.region.length_bytes), Path(place), unwatched)
        yield from turns({"load": load, "fio": bench.engine}, count)


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
    """All of them."""
    *drive, count = sys.argv[1:]
    match drive:
        case [path, serial]:
            found = turns_on_device(Path(path), serial, int(count))
        case [spec]:
            found = turns_on_virtual(Path(spec), int(count))
        case _:
            sys.exit(__doc__)
    json.dump([asdict(one) for one in found], sys.stdout)


if __name__ == "__main__":
    main()
