"""What measuring through ssdlab costs: the same job file, run by ssdlab and by hand, in interleaved rounds."""

import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

from measure import Aim, Measurement
from ssdlab.engine.fio.text import JOB_FILE
from ssdlab.engine.result import Direction
from ssdlab.job import Job, Pattern, Region
from ssdlab.lab.bench import Bench, open_bench
from ssdlab.units import KIB, MIB, NS_PER_S

ROUNDS = 9


def through_ssdlab() -> Iterator[Measurement]:
    """4 KiB random reads on a drive that is the limit itself, and on one that takes no time, where the host is.

    On the second one two runs by hand differ by more than 1 %, so it stands there for the eye and has no target.
    """
    yield from _on("virtual:demo?capacity=256MiB", Aim.AT_LEAST)
    yield from _on("virtual:zero?capacity=256MiB", Aim.NONE)


def _on(target: str, aim: Aim) -> Iterator[Measurement]:
    with open_bench(target) as bench, tempfile.TemporaryDirectory() as directory:
        _ours(bench, _job("fill", Pattern.SEQUENTIAL, 0, 128 * KIB, 32), Path(directory))
        for depth in (1, 32):
            job = _job("read", Pattern.RANDOM, 100, 4 * KIB, depth)
            ours, by_hand = _interleaved(
                partial(_ours, bench, job, Path(directory)), partial(_by_hand, Path(directory))
            )
            detail = f"{median(ours):,.0f} / {median(by_hand):,.0f} IOPS"
            what = f"4 KiB randread QD{depth}, ssdlab / by hand, {target.partition('?')[0]}"
            yield Measurement(what, median(ours) / median(by_hand), "x", aim, 0.99, detail)


def _interleaved(first: Callable[[], float], second: Callable[[], float]) -> tuple[list[float], list[float]]:
    """Results of both, which take turns in going first: what comes second finds a warmer machine."""
    results: tuple[list[float], list[float]] = ([], [])
    first()  # writes the job file that the other one repeats
    for number in range(ROUNDS):
        order = (0, 1) if number % 2 else (1, 0)
        for which in order:
            results[which].append((first, second)[which]())
    return results


def _job(name: str, pattern: Pattern, read_percent: int, block_bytes: int, depth: int) -> Job:
    return Job(
        name=name,
        pattern=pattern,
        read_percent=read_percent,
        block_bytes=block_bytes,
        queue_depth=depth,
        region=Region(0, 256 * MIB),
        amount_bytes=256 * MIB if read_percent == 0 else None,
        duration_ns=None if read_percent == 0 else 2 * NS_PER_S,
        seed=1,
    )


def _ours(bench: Bench, job: Job, directory: Path) -> float:
    result = bench.engine.run(job, directory, lambda _: None)
    direction = result.directions[Direction.READ if job.read_percent else Direction.WRITE]
    return direction.io_count * NS_PER_S / direction.runtime_ns


def _by_hand(directory: Path) -> float:
    with tempfile.TemporaryDirectory() as by_hand:
        command = ["fio", "--output-format=json+", str(directory / JOB_FILE)]
        said = subprocess.run(command, cwd=by_hand, capture_output=True, text=True, check=True).stdout
    read = json.loads(said[said.index("{") :])["jobs"][0]["read"]
    return float(read["total_ios"]) * 1000 / float(read["runtime"])
