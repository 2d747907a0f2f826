"""A run on a block device that was killed goes on, whatever the drive is called by then."""

import os
import shutil
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.kit.processes import Ended, fio_below, ssdlab, ssdlab_started, wait_until
from tests.loop.conftest import Attach, Loop, put, tool

from ssdlab.bundle import layout
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import open_bundle

pytestmark = [pytest.mark.loop, pytest.mark.fio]

SUITE = """\
[suite]
name = "short"
version = "1"
description = "A fill, and reads that take a while"

[[step]]
kind = "purge"

[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }

[[step]]
kind = "measure"
name = "reads"
job = { pattern = "random", read = "100%", bs = "4KiB", qd = 1, amount = "1TiB", limit = "3s" }
"""
ANOTHER = b"somebody else's data" * 1000


def stopped(loop: Loop, directory: Path, number: signal.Signals) -> Path:
    """A run that was stopped in its reads by a signal; the fill before it is done."""
    suite = directory / "short.toml"
    suite.write_text(SUITE)
    command = ("run", suite, f"{loop.path}?purge=discard", "--lab", directory / "lab", "--erase", str(loop.file))
    with ssdlab_started(*command) as process:
        journals = directory / "lab" / "runs"
        wait_until(lambda: _steps_begun(journals) >= 3 or process.poll() is not None, "the reads begin")
        wait_until(lambda: fio_below(process.pid) is not None or process.poll() is not None, "fio works")
        assert process.poll() is None, process.communicate()[1]
        process.send_signal(number)
        process.wait(timeout=240)
    return newest_run(directory / "lab")


def killed(loop: Loop, directory: Path) -> Path:
    """A run that had no time to note what it leaves on the drive."""
    return stopped(loop, directory, signal.SIGKILL)


def interrupted(loop: Loop, directory: Path) -> Path:
    """A run that noted what it left on the drive."""
    return stopped(loop, directory, signal.SIGINT)


def _steps_begun(runs: Path) -> int:
    return sum(one.read_text().count("step_started") for one in runs.glob(f"*/{layout.JOURNAL}"))


def resumed(path: Path, *arguments: str) -> Ended:
    return ssdlab("resume", path, *arguments)


def renamed(loop: Loop, undo: ExitStack) -> Loop:
    """The same drive under a name that nobody else takes."""
    tool("losetup", "--detach", loop.path)
    moved = Loop(Path(f"/dev/loop{1000 + os.getpid() % 900}"), loop.file)
    tool("losetup", moved.path, loop.file)
    undo.callback(tool, "losetup", "--detach", moved.path)
    return moved


def overheard(directory: Path) -> tuple[dict[str, str], Path]:
    """An environment in which `blkid` notes what it is asked, and where it does."""
    asked, blkid = directory / "asked", directory / "programs/blkid"
    blkid.parent.mkdir()
    blkid.write_text(f'#!/bin/sh\necho "$@" >>"{asked}"\nexec {shutil.which("blkid")} "$@"\n')
    blkid.chmod(0o755)
    return os.environ | {"PATH": f"{blkid.parent}:{os.environ['PATH']}"}, asked


def test_the_drive_is_found_under_its_new_name_and_the_other_one_is_left_alone(
    attach: Attach, undo: ExitStack, tmp_path: Path
) -> None:
    loop, other = attach(tmp_path / "drive.img"), tmp_path / "other.img"
    path = interrupted(loop, tmp_path)
    moved = renamed(loop, undo)
    other.write_bytes(ANOTHER.ljust(loop.file.stat().st_size, b"\0"))
    attach(other)
    with (tmp_path / "larger.img").open("wb") as file:
        file.truncate(96 << 20)
    larger = attach(tmp_path / "larger.img")
    before = loop.file.read_bytes()
    environment, asked = overheard(tmp_path)
    ended = ssdlab("resume", path, **environment)
    assert ended.status in {0, 3}, ended.stderr
    assert f"the drive that was `{loop.path}` is now `{moved.path}`" in ended.stderr
    assert "all blocks that the run noted at its end are as it left them\n" in ended.stderr
    assert open_bundle(path).status is RunStatus.FINISHED
    assert other.read_bytes() == ANOTHER.ljust(loop.file.stat().st_size, b"\0")
    # A drive that cannot be it by its size is asked nothing.
    named = asked.read_text().split()
    assert str(moved.path) in named
    assert str(larger.path) not in named
    # The fill was done, and is not done again.
    assert loop.file.read_bytes() == before
    assert [one.redone for one in open_bundle(path).resumptions] == [("reads",)]


def test_a_drive_that_is_not_here_is_waited_for_by_nobody(attach: Attach, tmp_path: Path) -> None:
    loop = attach(tmp_path / "drive.img")
    path = killed(loop, tmp_path)
    tool("losetup", "--detach", loop.path)
    ended = resumed(path)
    assert (ended.status, ended.stdout) == (1, "")
    assert f"is not here: the one with the path of the file below it `{loop.file}`" in ended.stderr


def test_what_somebody_put_on_it_meanwhile_is_lost_only_if_agreed(loop: Loop, tmp_path: Path) -> None:
    path = interrupted(loop, tmp_path)
    tool("mkfs.ext4", "-q", "-F", "-L", "precious", loop.path)
    before = loop.file.read_bytes()
    refused = resumed(path)
    assert refused.status == 1
    assert (
        f"may not be the run's own: blocks that the run noted at its end hold something else now; `{loop.name}` holds ext4"
        in refused.stderr
    )
    assert f"hint: if it may be lost: `--erase {loop.file}`" in refused.stderr
    assert loop.file.read_bytes() == before
    assert resumed(path, "--erase", str(loop.file)).status in {0, 3}


def test_what_bears_no_mark_is_lost_only_if_agreed_and_the_run_begins_again_at_its_purge(
    loop: Loop, tmp_path: Path
) -> None:
    path = interrupted(loop, tmp_path)
    put(loop, 1 << 20, ANOTHER)
    before = loop.file.read_bytes()
    refused = resumed(path)
    assert refused.status == 1
    assert "may not be the run's own: blocks that the run noted at its end hold something else now\n" in refused.stderr
    assert loop.file.read_bytes() == before
    assert resumed(path, "--erase", str(loop.file)).status in {0, 3}
    assert [one.redone for one in open_bundle(path).resumptions] == [("purge", "fill.pass1", "reads")]


def test_another_file_in_the_place_of_the_drives_own_is_lost_only_if_agreed(attach: Attach, tmp_path: Path) -> None:
    loop = attach(tmp_path / "drive.img")
    path = interrupted(loop, tmp_path)
    tool("losetup", "--detach", loop.path)
    loop.file.write_bytes(ANOTHER.ljust(loop.file.stat().st_size, b"\0"))
    attach(loop.file)
    before = loop.file.read_bytes()
    refused = resumed(path)
    assert refused.status == 1
    assert "blocks that the run noted at its end hold something else now" in refused.stderr
    assert loop.file.read_bytes() == before


def test_after_a_kill_nobody_can_tell_whose_content_it_is(loop: Loop, tmp_path: Path) -> None:
    path = killed(loop, tmp_path)
    before = loop.file.read_bytes()
    refused = resumed(path)
    assert refused.status == 1
    assert "whether anybody else wrote to the drive meanwhile cannot be told: " in refused.stderr
    assert "; the run was cut off before it could note what it left there\n" in refused.stderr
    assert f"hint: if it may be lost: `--erase {loop.file}`" in refused.stderr
    assert loop.file.read_bytes() == before
    assert resumed(path, "--erase", str(loop.file)).status in {0, 3}
    assert [one.redone for one in open_bundle(path).resumptions] == [("reads",)]
