"""Record the first set of traces: `uv run python docs/record_traces.py`, some minutes.

fio plays each program on a virtual drive in real time, over NBD, and the drive writes down what it is asked. What each of them is like is
told in `docs/reference/trace-set.md`. Recorded anew they have other times: scores of another recording are not to be compared.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ssdlab.trace.look import profile_of
from ssdlab.trace.make import Wanted, cut_trace, import_trace, merge_traces

TRACES = Path(__file__).parent / "traces"
DRIVE = "mlc-1tb?capacity=8GiB"
LICENCE = "CC0-1.0"
_TAKES = 3
_REST_S = 1.0
"""Until the drive has nothing more to do by itself."""
_FOREVER_NS = 2**63 - 1
_SSDLAB = Path(sys.executable).with_name("ssdlab")


@dataclass(frozen=True, slots=True)
class Program:
    """What fio plays.

    Attributes:
        at: Where on the drive it works, so that no two of the set share a place; all of it fits on three quarters of 8 GiB.
        ios: Of each thread.
        threads: Each recorded by itself and made one trace of, with a stream for each.
    """

    name: str
    at: str
    ios: int
    options: str
    threads: int = 1


SET = (
    Program(
        "start",
        "0",
        2500,
        "--rw=randread --size=1g --bssplit=4k/50:16k/25:64k/15:128k/10 --random_distribution=zipf:0.9 --thinktime=150us",
    ),
    Program("office", "1g", 1200, "--rw=randrw --rwmixread=70 --size=512m --bs=4k --fsync=32 --thinktime=2ms"),
    Program("journal", "1536m", 2000, "--rw=write --size=64m --bs=4k --fsync=1 --thinktime=300us"),
    Program("copy", "1600m", 1600, "--rw=rw --rwmixread=50 --size=512m --bs=256k --iodepth=4"),
    Program(
        "unpack",
        "2112m",
        2000,
        "--rw=randwrite --size=512m --bssplit=4k/45:16k/20:64k/15:256k/20 --iodepth=4 --fsync=100 --thinktime=1ms --thinktime_blocks=16",
    ),
    Program(
        "load",
        "2624m",
        1500,
        "--rw=randread --size=1g --bs=512k --blockalign=512k --iodepth=8 --thinktime=8ms --thinktime_blocks=32",
    ),
    Program(
        "build",
        "3648m",
        2400,
        "--rw=randrw --rwmixread=60 --size=512m --bssplit=4k/60:16k/25:64k/15 --thinktime=3ms --thinktime_blocks=24",
    ),
    Program(
        "database",
        "4160m",
        800,
        "--rw=randrw --rwmixread=75 --size=512m --bs=8k --random_distribution=zipf:0.9 --fsync=16 --thinktime=400us",
        threads=4,
    ),
)
"""From what a desktop does to what keeps a drive busy."""


@contextmanager
def _served(directory: Path, recording: Path) -> Iterator[str]:
    """The drive's NBD URI, while it writes down what it is asked."""
    command: list[str | Path] = [
        _SSDLAB,
        "vdrive",
        "serve",
        DRIVE,
        "--socket",
        directory / "nbd",
        "--record",
        recording,
    ]
    command += ["--store", directory / "store"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout is None or not (ready := process.stdout.readline().split()):
                raise RuntimeError("the drive did not start")
            yield ready[1]
        finally:
            process.terminate()
            process.wait()


def _least_disturbed(program: Program, thread: int, directory: Path) -> Path:
    """The shortest of some recordings of one thread: the host adds to the pauses of a program and takes nothing from them."""
    takes = [directory / f"{thread}-{take}" for take in range(_TAKES)]
    for place in takes:
        place.mkdir()
    traces = [_recorded(program, thread, place) for place in takes]
    return min(traces, key=lambda trace: profile_of(trace).arrivals_ns or 0)


def _recorded(program: Program, thread: int, directory: Path) -> Path:
    """One thread's trace. What it reads was written before, which is cut off."""
    recording, whole, trace = (directory / f"{program.name}.{end}" for end in ("ioreq", "whole", "ssdtrace"))
    with _served(directory, recording) as uri:
        job = [f"--name={program.name}", "--ioengine=nbd", f"--uri={uri}", f"--offset={program.at}"]
        size = next(option for option in program.options.split() if option.startswith("--size="))
        _fio(*job, "--rw=write", "--bs=1m", "--iodepth=8", size)
        time.sleep(_REST_S)
        begins_ns = time.time_ns()
        seed = [f"--randseed={11 + thread}", "--norandommap", f"--number_ios={program.ios}", "--io_size=64g"]
        _fio(*job, *seed, *program.options.split())
    (directory / "store").unlink()
    _, meta = import_trace([recording], Wanted(licence=LICENCE), whole)
    if meta.started_unix_ns is None:
        raise RuntimeError("a recording of ours has a date")
    cut_trace(whole, begins_ns - meta.started_unix_ns, _FOREVER_NS, trace)
    return trace


def _fio(*options: str) -> None:
    subprocess.run(["fio", *options, "--output-format=terse"], check=True, stdout=subprocess.DEVNULL)


def main() -> int:
    """Record all of them, or those that are named."""
    for program in SET:
        if sys.argv[1:] and program.name not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as place:
            directory, out = Path(place), TRACES / f"{program.name}.ssdtrace"
            parts = [_least_disturbed(program, thread, directory) for thread in range(program.threads)]
            if len(parts) > 1:
                merge_traces(parts, out)
            else:
                parts[0].replace(out)
        print(f"{out.name}: {out.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
