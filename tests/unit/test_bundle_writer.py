"""Only the process that has the journal to itself is told to end, whatever a bundle says."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.kit.small_bundle import write_small

from ssdlab.bundle import layout
from ssdlab.bundle.writer import ask_to_end

HOLDS = """\
import fcntl, signal, sys
file = open(sys.argv[1], "ab")
if sys.argv[2] == "locks":
    fcntl.flock(file, fcntl.LOCK_EX)
print("ready", flush=True)
signal.pause()
"""


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    write_small(tmp_path / "run")
    return tmp_path / "run"


@contextmanager
def holding(bundle: Path, how: str) -> Iterator["subprocess.Popen[str]"]:
    """A process that has the journal open."""
    command = [sys.executable, "-c", HOLDS, str(bundle / layout.JOURNAL), how]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()


def test_who_has_the_journal_to_itself_is_told_to_end(bundle: Path) -> None:
    with holding(bundle, "locks") as writer:
        assert ask_to_end(bundle)
        assert writer.wait(60) == -signal.SIGTERM


def test_who_only_reads_it_is_left_alone_and_so_is_whom_the_bundle_names(bundle: Path) -> None:
    with holding(bundle, "reads") as reader:
        line = f'{{"at_ms":1,"clock_ns":1,"process_id":{reader.pid}}}\n'
        (bundle / layout.LIVE).write_text(line)
        assert not ask_to_end(bundle)
        assert reader.poll() is None


def test_of_two_runs_one_ends(bundle: Path, tmp_path: Path) -> None:
    write_small(tmp_path / "other")
    with holding(bundle, "locks") as writer, holding(tmp_path / "other", "locks") as other:
        assert ask_to_end(bundle)
        assert writer.wait(60) == -signal.SIGTERM
        assert other.poll() is None


def test_where_there_is_no_journal_nobody_is_told(tmp_path: Path) -> None:
    assert not ask_to_end(tmp_path)
