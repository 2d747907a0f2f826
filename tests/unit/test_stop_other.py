"""Stopping a run that another process does: only who has its journal to itself is signalled, and the journal says who asked."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest
from tests.kit.web_lab import GoingRun

from ssdlab.bundle import layout
from ssdlab.bundle.stop_asked import AskedIn, StopAsked, note_stop_asked, stop_asked_of
from ssdlab.lab.begin import asked_to_stop
from ssdlab.lab.stop_other import CannotStop, stop_other, writer_of


@pytest.fixture
def going(tmp_path: Path) -> Iterator[GoingRun]:
    run = GoingRun(tmp_path / "run")
    yield run
    run.close()


@pytest.fixture
def heard() -> Iterator[list[int]]:
    """Signals that came to this process, which writes the run."""
    came: list[int] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    before = signal.signal(signal.SIGTERM, hear)
    yield came
    signal.signal(signal.SIGTERM, before)


def test_the_writer_of_a_run_is_told_to_end_and_knows_who_asked(going: GoingRun, heard: list[int]) -> None:
    stop_other(going.path, os.getpid(), AskedIn.BROWSER)
    assert heard == [signal.SIGTERM]
    told = asked_to_stop(going.path)
    assert told is not None
    assert told.id == "lab-by-operator-in-browser"


@pytest.fixture
def stranger() -> Iterator[int]:
    """A process that has nothing to do with the run."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process.pid
        assert process.poll() is None
        process.communicate()


def test_no_process_is_signalled_that_does_not_write_the_run(going: GoingRun, heard: list[int], stranger: int) -> None:
    for process_id in (stranger, 0, -1, 1, 1 << 22):
        with pytest.raises(CannotStop):
            stop_other(going.path, process_id, AskedIn.BROWSER)
    assert not (going.path / layout.STOP_ASKED).exists()
    assert heard == []


def test_the_writer_is_found_by_its_lock_from_the_first_moment_to_the_last(going: GoingRun) -> None:
    assert writer_of(going.path) == os.getpid()
    going.close()
    assert writer_of(going.path) is None


def test_who_only_reads_a_journal_does_not_write_it(going: GoingRun, heard: list[int]) -> None:
    going.close()
    with (going.path / layout.JOURNAL).open("rb"), pytest.raises(CannotStop):
        stop_other(going.path, os.getpid(), AskedIn.BROWSER)
    assert heard == []


def test_what_an_earlier_process_or_nobody_was_asked_is_not_meant(going: GoingRun) -> None:
    assert asked_to_stop(going.path) is None
    note_stop_asked(going.path, StopAsked(os.getpid() + 1, AskedIn.BROWSER))
    assert asked_to_stop(going.path) is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"process_id":1,"asked_in":"moon"}', b"\xff" * 5000])
def test_a_torn_or_strange_file_says_nothing(going: GoingRun, content: bytes) -> None:
    (going.path / layout.STOP_ASKED).write_bytes(content)
    assert stop_asked_of(going.path, 1) is None


def test_a_link_in_its_place_is_not_followed(going: GoingRun, tmp_path: Path) -> None:
    note_stop_asked(tmp_path, StopAsked(7, AskedIn.BROWSER))
    (going.path / layout.STOP_ASKED).symlink_to(tmp_path / layout.STOP_ASKED)
    assert stop_asked_of(going.path, 7) is None
