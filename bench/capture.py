"""What capturing costs: IOPS and memory of fio with all that ssdlab logs, against the same job without, in interleaved rounds."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from measure import Aim, Measurement
from ssdlab.drive.access import FioAddress, IoPath
from ssdlab.engine.fio.binary import find_fio
from ssdlab.engine.fio.job_file import write_job_file
from ssdlab.job import IoLog, Job, Pattern, Region
from ssdlab.lab.bench import open_bench
from ssdlab.units import KIB, MIB, NS_PER_S

ROUNDS = 7
ROUNDS_ON_A_DRIVE = 21
"""More and shorter ones: server and fio share the processors, and on a busy machine a round differs from the next by a third."""
PACE_IOPS = 500_000
TARGET = 0.98
_OF_CAPTURE = ("write_", "log_", "disable_slat", "lat_percentiles", "clat_percentiles")
"""What a job file asks of fio only to record; fio counts some of it anyway."""


@dataclass(frozen=True, slots=True)
class Done:
    """One fio process."""

    iops: float
    memory_bytes: int


def capture() -> Iterator[Measurement]:
    """On a drive that is the limit and on the null engine, which takes no time, so that all that is measured is fio's own.

    Paced at half a million a second, as by a fast drive, there is a target. Every single I/O, which only a step that asks for it
    pays, and the null engine without a pace stand there for the eye.
    """
    for what, rate_iops, io_log, aim in (
        ("windows, null paced", PACE_IOPS, IoLog.DISTRIBUTION_OVER_TIME, Aim.AT_LEAST),
        ("every I/O, null paced", PACE_IOPS, IoLog.EVERY_IO, Aim.NONE),
        ("windows, null unpaced", None, IoLog.DISTRIBUTION_OVER_TIME, Aim.NONE),
    ):
        job = replace(_job(), rate_iops=rate_iops, io_log=io_log)
        yield from _compared(what, _on_null(_text(job, FioAddress(IoPath.FILE, "/none"))), aim)
    with open_bench("virtual:demo?capacity=256MiB") as bench, tempfile.TemporaryDirectory() as directory:
        fill = replace(_job(), pattern=Pattern.SEQUENTIAL, read_percent=0, amount_bytes=256 * MIB, duration_ns=None)
        bench.engine.run(replace(fill, block_bytes=128 * KIB), Path(directory), lambda _: None)
        reads = replace(_job(), queue_depth=32, duration_ns=NS_PER_S, io_log=IoLog.DISTRIBUTION_OVER_TIME)
        text = _text(reads, bench.drive.address)
        yield from _compared("windows, virtual:demo QD32", text, Aim.AT_LEAST, ROUNDS_ON_A_DRIVE)


def _job() -> Job:
    return Job(
        name="capture",
        pattern=Pattern.RANDOM,
        read_percent=100,
        block_bytes=4 * KIB,
        queue_depth=1,
        region=Region(0, 256 * MIB),
        amount_bytes=None,
        duration_ns=2 * NS_PER_S,
        seed=1,
    )


def _text(job: Job, address: FioAddress) -> str:
    return write_job_file(job, address, find_fio()).text


def _on_null(text: str) -> str:
    """The same job on an engine that takes no time.

    Without `rate_process=poisson`: fio draws whole microseconds, and of half a million a second becomes 644,000.
    """
    of_path = (
        "ioengine=",
        "filename=",
        "direct=",
        "registerfiles",
        "fixedbufs",
        "sqthread_poll",
        "hipri",
        "rate_process",
    )
    lines = [line for line in text.splitlines() if not line.startswith(of_path)]
    return "\n".join([*lines, "ioengine=null", ""])


def _without_capture(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith(_OF_CAPTURE)) + "\n"


def _compared(what: str, text: str, aim: Aim, rounds: int = ROUNDS) -> Iterator[Measurement]:
    on: list[Done] = []
    off: list[Done] = []
    for number in range(rounds):
        turns = [(on, text, "json+"), (off, _without_capture(text), "json")]
        for results, job_file, output_format in turns if number % 2 else reversed(turns):
            results.append(_run(job_file, output_format))
    iops_on, iops_off = (median(one.iops for one in results) for results in (on, off))
    spread = max(one.iops for one in off) / min(one.iops for one in off) - 1
    # Of neighbours in time: on a shared machine rounds differ far more than the two of one round.
    ratio = median(one.iops / other.iops for one, other in zip(on, off, strict=True))
    detail = f"{iops_on:,.0f} / {iops_off:,.0f} IOPS; without capture the rounds differ by {spread:.1%}"
    yield Measurement(f"capture on / off: {what}", ratio, "x", aim, TARGET, detail)
    memory_on, memory_off = (max(one.memory_bytes for one in results) / MIB for results in (on, off))
    detail = f"{memory_off:.0f} MiB without"
    yield Measurement(f"peak memory of fio with capture: {what}", memory_on, "MiB", Aim.NONE, 0, detail)


def _run(job_file: str, output_format: str) -> Done:
    """fio with that job file, and how much memory it had at most."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "job.fio").write_text(job_file)
        command = ["fio", f"--output-format={output_format}", "--output=fio.json", "job.fio"]
        process = subprocess.Popen(command, cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        said = (directory / "fio.json").read_text()
    read = json.loads(said[said.index("{\n") :])["jobs"][0]["read"]
    return Done(read["total_ios"] * 1000 / read["runtime"], used.ru_maxrss * KIB)
