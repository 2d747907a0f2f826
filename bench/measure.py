"""What the benches share: a measurement with its target, fio by hand, release builds."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SSDLAB = Path(sys.executable).with_name("ssdlab")


class Aim(Enum):
    """Which side of the target is good."""

    AT_LEAST = ">="
    AT_MOST = "<="
    NONE = ""
    """For context: a number beside ours, with no target."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One line of the bench."""

    what: str
    value: float
    unit: str
    aim: Aim
    target: float
    detail: str

    @property
    def met(self) -> bool:
        """Whether the target is met."""
        match self.aim:
            case Aim.AT_LEAST:
                return self.value >= self.target
            case Aim.AT_MOST:
                return self.value <= self.target
            case Aim.NONE:
                return True

    def line(self) -> str:
        """As printed."""
        verdict = "" if self.aim is Aim.NONE else f"{self.aim.value} {self.target:g} {'ok' if self.met else 'MISSED'}"
        return f"{self.what:58} {self.value:12.4g} {self.unit:12} {verdict:18} {self.detail}"


def fio_iops(*options: str) -> float:
    """Total IOPS of one fio run with these options.

    Raises:
        subprocess.CalledProcessError: fio failed.
    """
    command = ["fio", "--name=bench", "--output-format=json", "--thread=1", *options]
    with tempfile.TemporaryDirectory() as directory:
        said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=directory).stdout
    job = json.loads(said[said.index("{") :])["jobs"][0]
    return float(job["read"]["iops"] + job["write"]["iops"])


def release_binary(package: str, *target: str) -> Path:
    """Build a binary or example of a crate in release and return its path.

    Raises:
        subprocess.CalledProcessError: The build failed.
    """
    command = ["cargo", "build", "--release", "--locked", "-q", "-p", package, *target, "--message-format=json"]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    executables = [json.loads(line).get("executable") for line in built.splitlines()]
    return Path(next(path for path in reversed(executables) if path))


@contextmanager
def served(command: list[str | Path], ready: Path) -> Iterator[subprocess.Popen[str]]:
    """A server of our own that is ended again; it accepts once its socket exists."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, text=True) as server:
        try:
            while not ready.exists():
                if server.poll() is not None:
                    raise RuntimeError(f"{command[0]} ended with status {server.returncode}")
                os.sched_yield()
            yield server
        finally:
            server.terminate()
