"""A run on a block device that was killed goes on, whatever the drive is called by then."""

import os
import shutil
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.fio.processes import Ended, fio_below, ssdlab, ssdlab_started, wait_until
from tests.loop.conftest import Attach, Loop, tool

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
SYSTEM_PATH = f"{os.environ['PATH']}:/usr/sbin:/sbin"
ANOTHER = b"somebody else's data" * 1000


def killed(loop: Loop, directory: Path) -> Path:
    """A run that was killed in its reads; the fill before it is done."""
    suite = directory / "short.toml"
    suite.write_text(SUITE)
    command = ("run", suite, f"{loop.path}?purge=discard", "--lab", directory / "lab", "--erase", str(loop.file))
    with ssdlab_started(*command) as process:
        journals = directory / "lab" / "runs"
        wait_until(lambda: _steps_begun(journals) >= 3 or process.poll() is not None, "the reads begin")
        wait_until(lambda: fio_below(process.pid) is not None or process.poll() is not None, "fio works")
        assert process.poll() is None, process.communicate()[1]
        process.kill()
        process.wait(timeout=60)
    return newest_run(directory / "lab")


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
    blkid.write_text(f'#!/bin/sh\necho "$@" >>{asked}\nexec {shutil.which("blkid", path=SYSTEM_PATH)} "$@"\n')
    blkid.chmod(0o755)
    return os.environ | {"PATH": f"{blkid.parent}:{os.environ['PATH']}"}, asked


def test_the_drive_is_found_under_its_new_name_and_the_other_one_is_left_alone(
    attach: Attach, undo: ExitStack, tmp_path: Path
) -> None:
    loop, other = attach(tmp_path / "drive.img"), tmp_path / "other.img"
    path = killed(loop, tmp_path)
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
    assert "whether anybody else wrote to the drive meanwhile cannot be told" in ended.stderr
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
    path = killed(loop, tmp_path)
    tool("mkfs.ext4", "-q", "-F", "-L", "precious", loop.path)
    before = loop.file.read_bytes()
    refused = resumed(path)
    assert refused.status == 1
    assert f"may not be the run's own: `{loop.name}` holds ext4 called `precious`" in refused.stderr
    assert f"hint: if it may be lost: `--erase {loop.file}`" in refused.stderr
    assert loop.file.read_bytes() == before
    assert resumed(path, "--erase", str(loop.file)).status in {0, 3}
