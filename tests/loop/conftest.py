"""Loop devices on files of our own."""

import os
import pty
import struct
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.kit.processes import COMMAND, wait_until

SIZE_BYTES = 64 << 20


def tool(*command: str | Path) -> str:
    """Run a program that must succeed."""
    done = subprocess.run([str(one) for one in command], check=False, capture_output=True, text=True, timeout=240)
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
    if backing.exists() and backing.read_text().strip().removesuffix(" (deleted)") == str(file):
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
    undo.callback(remove_partition, loop, 1)
    return Path(f"{loop.path}p1")


def remove_partition(loop: Loop, number: int) -> None:
    """Once the kernel has let go of a file system that was unmounted a moment ago."""
    command = ["delpart", str(loop.path), str(number)]
    wait_until(
        lambda: subprocess.run(command, check=False, capture_output=True, timeout=240).returncode == 0,
        f"partition {number} of {loop.path} is removed",
    )


def content(loop: Loop) -> bytes:
    return loop.file.read_bytes()


def typed(command: list[str | Path], answer: str) -> tuple[int, str]:
    """Run a command at a terminal, type an answer when it asks, and return its status and all that was shown."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, *command], stdin=follower, stdout=subprocess.PIPE, stderr=follower, text=True
    ) as process:
        os.close(follower)
        seen = b""
        while b"to go on type" not in seen:
            seen += os.read(leader, 65536)
        os.write(leader, f"{answer}\n".encode())
        with suppress(OSError):
            while content := os.read(leader, 65536):
                seen += content
        assert process.stdout is not None
        process.stdout.read()
        status = process.wait(timeout=240)
    os.close(leader)
    return status, seen.decode()
