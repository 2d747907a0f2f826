"""Directories for the time of a command, also of one that was killed."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ssdlab.scratch import Scratch, remove_left_behind, scratch

KEEPING = (
    "import sys, time; from pathlib import Path; from ssdlab.scratch import Scratch; "
    "print(Scratch(Path(sys.argv[1])).path, flush=True); time.sleep(600)"
)


def owner(place: Path) -> "tuple[subprocess.Popen[str], Path]":
    process = subprocess.Popen([sys.executable, "-c", KEEPING, str(place)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout as said:
        return process, Path(said.readline().strip())


def test_what_a_killed_command_left_goes_at_the_next_start_and_not_before(tmp_path: Path) -> None:
    process, left = owner(tmp_path)
    try:
        (left / "file").touch()
        remove_left_behind(tmp_path)
        assert (left / "file").exists()
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    remove_left_behind(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_any_command_is_a_next_start(tmp_path: Path) -> None:
    process, _ = owner(tmp_path)
    process.kill()
    process.wait()
    subprocess.run(
        [sys.executable, "-m", "ssdlab.cli", "--version"], check=True, env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    (tmp_path / "ssdlab-results").mkdir()
    (tmp_path / "ssdlab-abcd1234").mkdir()
    (tmp_path / "ssdlab-abcd1234" / "precious").touch()
    (tmp_path / "ssdlab-fault-x.txt").touch()
    before = sorted(tmp_path.rglob("*"))
    remove_left_behind(tmp_path)
    assert sorted(tmp_path.rglob("*")) == before


def test_directories_without_end_do_not_stop_the_next_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_end(_: Path) -> None:
        raise RecursionError

    left = Scratch(tmp_path)
    assert left._lock is not None
    os.close(left._lock)
    monkeypatch.setattr(shutil, "rmtree", without_end)
    remove_left_behind(tmp_path)
    assert left.path.exists()


def test_a_link_by_such_a_name_leads_nowhere(tmp_path: Path) -> None:
    precious = Scratch(tmp_path / "..", "precious-")
    try:
        (precious.path / "file").touch()
        (tmp_path / "ssdlab-abcd1234").symlink_to(precious.path)
        other = tmp_path / "ssdlab-abcd5678"
        other.mkdir()
        (other / ".ssdlab-owner").symlink_to(precious.path / "file")
        remove_left_behind(tmp_path)
        assert (precious.path / "file").exists()
        assert other.exists()
    finally:
        precious.close()


def test_it_goes_with_its_context(tmp_path: Path) -> None:
    with scratch(tmp_path, ".adding-") as made:
        assert made.name.startswith(".adding-")
        (made / "file").touch()
    assert list(tmp_path.iterdir()) == []
