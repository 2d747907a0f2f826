"""How late a replay is at 5,000 I/Os a second, as the engine says it; and how far fio's replay of the same is behind at its end."""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep

from measure import SSDLAB, Aim, Measurement

RATE_IOPS = 5_000
SECONDS = 10
IOS = RATE_IOPS * SECONDS
LATE_US_MAX = 200.0
BLOCKS, BLOCK_BYTES = 4096, 4096
"""The first quarter of the drive."""
TARGET = "virtual:zero?capacity=64MiB"
SUITE = """\
[suite]
name = "replayed"
version = "1"
engine = "load"
[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 8 }
[[step]]
kind = "replay"
trace = "work.ssdtrace"
"""


def replay() -> Iterator[Measurement]:
    """On a drive that takes no time."""
    with tempfile.TemporaryDirectory() as text:
        directory = Path(text)
        _trace(directory)
        late = _punctuality(directory)
        detail = f"mean {late['late_mean_ns'] / 1000:.0f} us, largest {late['late_max_ns'] / 1000:.0f} us"
        yield Measurement(
            "replay at 5,000/s, 99 % late by", late["late_p99_ns"] / 1000, "us", Aim.AT_MOST, LATE_US_MAX, detail
        )
        behind_ms = (_fio_ms(directory) / 1000 - SECONDS) * 1000
        yield Measurement("fio's replay of it, behind at its end", behind_ms, "ms", Aim.NONE, 0, "read_iolog")


def _ran(directory: Path, *words: str) -> str:
    return subprocess.run([SSDLAB, *words], cwd=directory, capture_output=True, text=True, check=True).stdout


def _trace(directory: Path) -> None:
    gap_us = 1_000_000 // RATE_IOPS
    lines = (f"0,R,{at * 7919 % BLOCKS * BLOCK_BYTES},{BLOCK_BYTES},{at * gap_us}\n" for at in range(IOS))
    (directory / "recorded.csv").write_text("".join(lines))
    _ran(directory, "trace", "import", "recorded.csv", "-o", "work.ssdtrace")
    _ran(directory, "trace", "export", "work.ssdtrace", "-o", "work.log", "--file-name", "nbd")


def _punctuality(directory: Path) -> dict[str, float]:
    (directory / "suite.toml").write_text(SUITE)
    run = directory / _ran(directory, "run", "suite.toml", TARGET, "--lab", "lab").strip()
    (result,) = run.glob("*replay/result.json")
    found: dict[str, float] = json.loads(result.read_text())["punctuality"]
    return found


def _fio_ms(directory: Path) -> float:
    with _served(directory) as socket:
        command = [
            "fio",
            "--name=replayed",
            "--output-format=json",
            "--ioengine=nbd",
            f"--uri=nbd+unix:///?socket={socket}",
            "--read_iolog=work.log",
            "--iodepth=64",
            "--size=64m",
        ]
        said = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=True).stdout
    return float(json.loads(said[said.index("{") :])["jobs"][0]["read"]["runtime"])


@contextmanager
def _served(directory: Path) -> Iterator[Path]:
    socket = directory / "socket"
    command = [SSDLAB, "vdrive", "serve", TARGET.removeprefix("virtual:"), "--socket", str(socket)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        while not socket.exists():
            sleep(0.05)
        try:
            yield socket
        finally:
            server.terminate()
