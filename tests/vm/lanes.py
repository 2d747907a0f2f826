"""Runs all tests that need a booted kernel, several machines side by side: `python -m tests.vm.lanes`."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from tests.vm.guest import HERE, REPOSITORY

_TASKS = (
    ("test_runs.py", "-k", "enterprise"),
    ("test_load_paced.py",),
    ("test_power_cut.py", "-k", "one-run"),
    ("test_power_cut.py", "-k", "another-run"),
    ("test_ends.py",),
    ("test_runs.py", "-k", "client"),
    ("test_adaptive.py",),
    ("test_guest.py", "test_drives.py", "test_guard.py", "test_resumed_content.py", "test_purge.py", "test_tune.py"),
)
"""What takes longest, and what shares a machine."""


def machines() -> int:
    """As many at the same time as keep all processors busy: each has one, and rests a sixth of its time."""
    return (os.cpu_count() or 1) + 1


def tasks() -> list[tuple[str, ...]]:
    """All tests, the longest first."""
    named = {word for task in _TASKS for word in task}
    return [*_TASKS, *((path.name,) for path in sorted(HERE.glob("test_*.py")) if path.name not in named)]


@dataclass(frozen=True, slots=True)
class Done:
    """A task and what came of it."""

    task: Sequence[str]
    status: int
    output: str
    duration_s: float
    processor_s: float
    """Of its machines above all: what it takes on a host that has other work, too."""


def do(task: Sequence[str]) -> Done:
    """Run the tests of a task."""
    words = [str(HERE / word) if word.endswith(".py") else word for word in task]
    # A test that is stopped must not leave its machine behind, and pytest's own end takes it along.
    command = [
        "setpriv",
        "--pdeathsig",
        "TERM",
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-m",
        "vm",
        "-p",
        "no:cacheprovider",
    ]
    began_s = time.monotonic()
    with subprocess.Popen(
        [*command, *words], cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        output = "" if process.stdout is None else process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Done(task, process.returncode, output, time.monotonic() - began_s, used.ru_utime + used.ru_stime)


def main() -> None:
    """Run all, say what came of each as it ends, and fail if one failed."""
    status = 0
    with ThreadPoolExecutor(machines()) as lanes:
        try:
            for ended in as_completed([lanes.submit(do, task) for task in tasks()]):
                done = ended.result()
                took = f"{done.duration_s:.0f} s, {done.processor_s:.0f} s of processor time"
                print(f"== {' '.join(done.task)}: {took}\n{done.output}", flush=True)
                status = max(status, abs(done.status))
        except KeyboardInterrupt:
            # What runs has heard it, too; what has not begun need not.
            lanes.shutdown(cancel_futures=True)
            status = 130
    sys.exit(status)


if __name__ == "__main__":
    main()
