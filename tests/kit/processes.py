"""Processes as the tests see them: started, watched through /proc, waited for with a deadline, never slept for."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ssdlab.errors import ExitStatus

LIMIT_S = 240
"""Nothing here takes long; a busy machine may make it seem so."""

COMMAND = (sys.executable, "-m", "ssdlab.cli")


def wait_until(true: Callable[[], bool], what: str, limit_s: float = LIMIT_S) -> None:
    """Ask again and again until it is so."""
    end_s = time.monotonic() + limit_s
    while not true():
        assert time.monotonic() < end_s, f"not within {limit_s} s: {what}"
        time.sleep(0.01)


OVER = {ExitStatus.DONE, ExitStatus.AUDIT_FAILED}
"""How a run ends that was finished: the audit fails where the host stood still meanwhile, and must."""


def in_one_of(attempts: int, right: Callable[[], bool]) -> bool:
    """Whether it comes right once: a host that stands still spoils one attempt or another, a fault of ours each of them."""
    return any(right() for _ in range(attempts))


def _parent_and_state(process_id: int) -> tuple[int, str]:
    # The name of the program stands in brackets and may hold anything; what follows it is plain.
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return int(fields[1]), fields[0]


def descendants(process_id: int) -> dict[int, str]:
    """Living children, their children and so on: process id to name."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent, state = _parent_and_state(int(entry.name))
            except OSError:
                continue
            if state != "Z":
                parents[int(entry.name)] = parent
    found: dict[int, str] = {}
    generation = {process_id}
    while generation := {one for one, parent in parents.items() if parent in generation}:
        found |= {one: _name(one) for one in generation}
    return found


def _name(process_id: int) -> str:
    try:
        return Path(f"/proc/{process_id}/comm").read_text().strip()
    except OSError:
        return ""


def is_gone(process_id: int) -> bool:
    """Whether it has ended; one that nobody has waited for yet has ended too."""
    try:
        return _parent_and_state(process_id)[1] == "Z"
    except OSError:
        return True


def fio_below(process_id: int) -> int | None:
    """The fio that this process has started, once it really is fio."""
    return next((one for one, name in descendants(process_id).items() if name == "fio"), None)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended and what it said."""

    status: int
    stdout: str
    stderr: str


def ssdlab(*arguments: str | Path, **environment: str) -> Ended:
    """Run a command to its end."""
    done = subprocess.run(
        [*COMMAND, *arguments], check=False, capture_output=True, text=True, timeout=800, env=environment or None
    )
    return Ended(done.returncode, done.stdout, done.stderr)


@contextmanager
def ssdlab_started(*arguments: str | Path) -> Iterator["subprocess.Popen[str]"]:
    """A command that goes on while the test looks at it, in a session of its own as in a terminal of its own."""
    with subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def memory_export(
    directory: Path, size: str, *, read_only: bool = False
) -> Iterator[tuple[Path, "subprocess.Popen[bytes]"]]:
    """An empty NBD export of somebody else's making: nbdkit, in memory; its socket and its process."""
    access = ["-r"] if read_only else []
    with nbdkit_export(directory, *access, "memory", size) as export:
        yield export


@contextmanager
def nbdkit_export(directory: Path, *arguments: str) -> Iterator[tuple[Path, "subprocess.Popen[bytes]"]]:
    """An export of any of nbdkit's plugins."""
    socket, ready = directory / "nbd", directory / "pid"
    command: list[str | Path] = ["nbdkit", "-f", "-U", socket, "-P", ready, *arguments]
    with subprocess.Popen(command) as server:
        try:
            wait_until(lambda: ready.exists() or server.poll() is not None, "nbdkit is ready")
            assert server.poll() is None
            yield socket, server
        finally:
            server.kill()
