"""Loop devices on files of our own."""

import os
import struct
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

SIZE_BYTES = 64 << 20


def tool(*command: str | Path) -> str:
    """Run a program that must succeed."""
    done = subprocess.run([str(one) for one in command], check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@dataclass(frozen=True, slots=True)
class Loop:
    """One loop device and the file below it."""

    path: Path
    file: Path

    @property
    def name(self) -> str:
        return self.path.name


Attach = Callable[..., Loop]


@pytest.fixture
def undo() -> Iterator[ExitStack]:
    """What a test set up is taken down in the opposite order, whatever happens."""
    with ExitStack() as stack:
        yield stack


def _detach(path: Path, file: Path) -> None:
    """Unless the test has done it, and the device may be anybody's by now."""
    backing = Path("/sys/block") / path.name / "loop/backing_file"
    if backing.exists() and backing.read_text().strip() == str(file):
        tool("losetup", "--detach", path)


@pytest.fixture
def attach(undo: ExitStack) -> Attach:
    """Make a loop device of a file, with further options of losetup."""

    def attached(file: Path, *options: str) -> Loop:
        if not file.exists():
            with file.open("wb") as new:
                new.truncate(SIZE_BYTES)
        path = tool("losetup", "--find", "--show", *options, file)
        undo.callback(_detach, Path(path), file)
        return Loop(Path(path), file)

    return attached


@pytest.fixture
def loop(attach: Attach, tmp_path: Path) -> Loop:
    """An empty loop device."""
    return attach(tmp_path / "drive.img")


def put(loop: Loop, offset: int, data: bytes) -> None:
    """Write into the drive, past the page cache of its file."""
    with loop.path.open("r+b") as device:
        device.seek(offset)
        device.write(data)
        device.flush()
        os.fsync(device.fileno())


def partition(loop: Loop, undo: ExitStack) -> Path:
    """A partition table of the oldest kind with one partition of 16 MiB."""
    entry = struct.pack("<B3sB3sII", 0, bytes(3), 0x83, bytes(3), 2048, 32768)
    put(loop, 446, entry + bytes(48) + b"\x55\xaa")
    # Told to the kernel by hand: some kernels cannot read this table.
    tool("addpart", loop.path, "1", "2048", "32768")
    undo.callback(tool, "delpart", loop.path, "1")
    return Path(f"{loop.path}p1")
