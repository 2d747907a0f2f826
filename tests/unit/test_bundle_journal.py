"""The journal: whatever comes while a line is written, the lines after it are sound."""

import errno
import fcntl
import os
import signal
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.kit.sample_bundle import fill_plan, run_info

from ssdlab.bundle.journal import Event, Journal, RunBusyError, read_journal
from ssdlab.bundle.seal import LineState
from ssdlab.bundle.write import BundleWriter
from ssdlab.job import DriveState
from ssdlab.units import GIB, NS_PER_S


def with_one_line(path: Path) -> Journal:
    journal = Journal(path)
    journal.append(Event.DISPLAY_LOST, 1, reason="gone")
    return journal


def is_sound(path: Path, *clocks_ns: int) -> bool:
    entries, faults = read_journal(path)
    sound = all(entry.standing is LineState.SOUND for entry in entries)
    return sound and not faults and [entry.clock_ns for entry in entries] == list(clocks_ns)


def interrupted_after(real: Callable[..., object]) -> Callable[..., object]:
    def interrupted(*arguments: object) -> object:
        answer = real(*arguments)
        signal.raise_signal(signal.SIGINT)
        return answer

    return interrupted


@pytest.mark.parametrize("name", ["write", "fsync"])
def test_ctrl_c_while_a_line_is_written_comes_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = tmp_path / "journal.jsonl"
    with with_one_line(path) as journal:
        monkeypatch.setattr(os, name, interrupted_after(getattr(os, name)))
        with pytest.raises(KeyboardInterrupt):
            journal.append(Event.DISPLAY_LOST, 2, reason="gone")
        monkeypatch.undo()
        journal.append(Event.RUN_INTERRUPTED, 3, reason="stopped")
    assert is_sound(path, 1, 2, 3)


def test_what_a_full_disk_took_of_a_line_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.jsonl"
    real = os.write
    room_bytes = [20]

    def fills(descriptor: int, data: bytes) -> int:
        if not room_bytes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(descriptor, data[: room_bytes.pop()])

    with with_one_line(path) as journal:
        monkeypatch.setattr(os, "write", fills)
        with pytest.raises(OSError, match="No space"):
            journal.append(Event.DISPLAY_LOST, 2, reason="gone")
        monkeypatch.undo()
        journal.append(Event.RUN_FAILED, 3, reason="full")
    assert is_sound(path, 1, 3)


def test_a_step_whose_last_line_was_written_when_ctrl_c_came_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(BundleWriter(tmp_path / "run", run_info(GIB), fill_plan(GIB, NS_PER_S))) as writer:
        writer.step_started(1, 100, DriveState.UNKNOWN)
        monkeypatch.setattr(os, "fsync", interrupted_after(os.fsync))
        with pytest.raises(KeyboardInterrupt):
            writer.step_finished(1, 150, None)
        assert writer.is_finished(1)


def test_a_look_at_whether_it_is_being_written_keeps_nobody_from_writing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal"
    with_one_line(path).close()
    with path.open("rb") as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        monkeypatch.setattr("time.sleep", lambda _: fcntl.flock(looking, fcntl.LOCK_UN))
        with closing(Journal(path)) as journal:
            journal.append(Event.DISPLAY_LOST, 2, reason="gone")
    assert is_sound(path, 1, 2)


def test_who_writes_it_keeps_others_from_it(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with closing(with_one_line(path)), pytest.raises(RunBusyError):
        Journal(path)
