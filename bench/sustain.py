"""What ssdlab's own writer of sustained writes costs: the rate of its passes against fio's on the same virtual drive."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from measure import Aim, Measurement
from ssdlab import _core
from ssdlab.engine.result import Direction
from ssdlab.job import Job, Pattern, Region
from ssdlab.lab.bench import Bench, open_bench
from ssdlab.units import MIB, NS_PER_S

ROUNDS = 3
CHUNK_BYTES = 64 * MIB
DEPTH = 16
"""I/Os of 1 MiB in flight, as many as the writer has; fio never lets them run dry, the writer does after each chunk."""
SIZE_BYTES = 512 * MIB
LEAST = 0.95
SEED = 7


def sustain() -> Iterator[Measurement]:
    """Writes and reads of a whole drive: on one that is the limit itself, and on one that takes no time, where the host is."""
    with tempfile.TemporaryDirectory() as directory:
        spec = Path(directory, "steady.toml")
        text = (
            _core.spec_text("zero")
            .replace('"unlimited"', '"250 MB/s"')
            .replace('channel = "250 MB/s"', 'channel = "unlimited"')
        )
        spec.write_text(text)
        yield from _on(f"virtual:{spec}?capacity=512MiB", "a drive of 250 MB/s", Aim.AT_LEAST)
        yield from _on("virtual:zero?capacity=512MiB", "a drive that takes no time", Aim.NONE)


def _on(target: str, name: str, aim: Aim) -> Iterator[Measurement]:
    with open_bench(target) as bench:
        medium = _core.SustainMedium.nbd(Path(bench.drive.address.location.partition("socket=")[2]), "")
        for direction in (Direction.WRITE, Direction.READ):
            # fio's data is not the writer's: written anew before it is read.
            _ours(medium, Direction.WRITE)
            ours, fios = [], []
            for _ in range(ROUNDS):
                ours.append(_ours(medium, direction))
                fios.append(_fio(bench, direction))
            detail = f"{median(ours) / 1e6:,.0f} / {median(fios) / 1e6:,.0f} MB/s"
            what = f"sustain {direction.value}s / fio's, {name}"
            yield Measurement(what, median(ours) / median(fios), "x", aim, LEAST, detail)


def _ours(medium: _core.SustainMedium, direction: Direction) -> float:
    ended_ns = 0

    def told(_offset: int, _length: int, _begun_ns: int, now_ns: int) -> bool:
        nonlocal ended_ns
        ended_ns = now_ns
        return True

    if direction is Direction.WRITE:
        medium.write(0, SIZE_BYTES, CHUNK_BYTES, SIZE_BYTES, SEED, 1, told)
    else:
        found, _ = medium.check(0, SIZE_BYTES, CHUNK_BYTES, SEED, 1, 1, told)
        if found:
            raise RuntimeError(f"the drive gave other data back: {found[0].kind} at {found[0].offset_bytes}")
    return SIZE_BYTES * NS_PER_S / ended_ns


def _fio(bench: Bench, direction: Direction) -> float:
    job = Job(
        name=direction.value,
        pattern=Pattern.SEQUENTIAL,
        read_percent=100 if direction is Direction.READ else 0,
        block_bytes=MIB,
        queue_depth=DEPTH,
        region=Region(0, SIZE_BYTES),
        amount_bytes=SIZE_BYTES,
        duration_ns=None,
        seed=SEED,
    )
    with tempfile.TemporaryDirectory() as directory:
        part = bench.engine.run(job, Path(directory), lambda _: None).directions[direction]
    return part.io_bytes * NS_PER_S / part.runtime_ns
