"""Runs on a block device from end to end: what opens it, what refuses it, what stops a run on it."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.processes import OVER, Ended, ssdlab
from tests.kit.suites import write_short
from tests.loop.conftest import Attach, Loop, content, partition, tool, typed

from ssdlab.bundle.model import StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.drive.access import DriveError
from ssdlab.drive.kinds.block import BlockDevice
from ssdlab.drive.target import BlockTarget
from ssdlab.engine.result import DeviceTraffic, Direction

pytestmark = [pytest.mark.loop, pytest.mark.fio]


def run_on(loop: Loop, lab: Path, *arguments: str) -> Ended:
    return ssdlab("run", write_short(lab), str(loop.path), "--lab", lab / "lab", *arguments)


def said(ended: Ended, loop: Loop) -> str:
    """What a refusal says, with the names of this test's drive and file taken out."""
    assert (ended.status, ended.stdout) == (1, "")
    # The file first: its path may hold what the drive is called.
    words = ended.stderr.replace(str(loop.file), "FILE").replace(str(loop.path), "/dev/loopN")
    return words.replace(loop.name, "loopN")


@pytest.fixture
def opened(loop: Loop) -> Iterator[BlockDevice]:
    with closing(BlockDevice(str(loop.path), BlockTarget(loop.path), str(loop.file))) as drive:
        yield drive


def test_a_drive_named_by_what_stands_in_for_its_serial_is_filled(loop: Loop, tmp_path: Path) -> None:
    ended = run_on(loop, tmp_path, "--erase", str(loop.file))
    assert ended.status in OVER, ended.stderr
    bundle: Bundle = open_bundle(Path(ended.stdout.strip()))
    fill = next(step for step in bundle.finished() if step.name == "fill.pass1")
    device = bundle.result(fill).device
    assert isinstance(device, DeviceTraffic)
    assert isinstance(device.moved_bytes, dict)
    assert (device.device, device.moved_bytes[Direction.WRITE]) == (loop.name, 64 << 20)
    assert content(loop).count(bytes(4096)) == 0


def test_a_drive_that_is_not_named_is_left_alone(loop: Loop, tmp_path: Path) -> None:
    tool("mkfs.ext4", "-q", "-L", "precious", loop.path)
    before = content(loop)
    assert said(run_on(loop, tmp_path), loop) == snapshot("""\
error: everything on `/dev/loopN` (64.0 MiB) would be lost, and it was not named to be erased

hint: on it: `loopN` holds ext4 called `precious`
hint: if that is meant: `--erase FILE` (it tells no serial number; this is the path of the file below it)
""")
    assert content(loop) == before


def test_another_name_does_not_help(loop: Loop, tmp_path: Path) -> None:
    assert said(run_on(loop, tmp_path, "--erase", str(loop.path)), loop) == snapshot("""\
error: everything on `/dev/loopN` (64.0 MiB) would be lost, and it is not the `/dev/loopN` that was named to be erased

hint: if that is meant: `--erase FILE` (it tells no serial number; this is the path of the file below it)
""")
    assert not any(content(loop))


def test_a_drive_in_use_is_refused_whatever_was_agreed(loop: Loop, tmp_path: Path) -> None:
    tool("mkswap", loop.path)
    assert said(run_on(loop, tmp_path, "--erase", str(loop.file)), loop) == snapshot("""\
error: `/dev/loopN` may not be tested: `loopN` is a swap area, which the next start may use

hint: if nothing needs it any more, wipe the mark: `wipefs --all`
""")


def test_while_it_is_held_nobody_else_can_claim_it(loop: Loop, opened: BlockDevice) -> None:
    with pytest.raises(OSError, match="busy"):
        os.open(loop.path, os.O_RDONLY | os.O_EXCL)
    opened.check()


def test_a_drive_somebody_holds_is_refused(loop: Loop, opened: BlockDevice) -> None:
    with pytest.raises(DriveError, match="open exclusively"):
        BlockDevice(str(loop.path), BlockTarget(loop.path), str(loop.file))


def test_a_link_that_is_set_to_another_drive_stops_the_run(attach: Attach, tmp_path: Path) -> None:
    one, other = attach(tmp_path / "one.img"), attach(tmp_path / "other.img")
    link = tmp_path / "link"
    link.symlink_to(one.path)
    with closing(BlockDevice(str(link), BlockTarget(link), str(one.file))) as drive:
        assert drive.address.location == str(one.path)
        drive.check()
        link.unlink()
        link.symlink_to(other.path)
        with pytest.raises(DriveError, match="no longer the drive it was"):
            drive.check()


def test_a_drive_that_changes_its_size_stops_the_run(loop: Loop, opened: BlockDevice) -> None:
    os.truncate(loop.file, 32 << 20)
    tool("losetup", "--set-capacity", loop.path)
    with pytest.raises(DriveError, match="size `33554432` instead of `67108864`"):
        opened.check()


def test_a_drive_that_somebody_begins_to_use_stops_the_run(attach: Attach, loop: Loop, opened: BlockDevice) -> None:
    attach(loop.file)
    with pytest.raises(DriveError, match="began to use"):
        opened.check()


def test_a_partition_is_refused_by_naming_its_drive(loop: Loop, undo: ExitStack) -> None:
    part = partition(loop, undo)
    with pytest.raises(DriveError) as error:
        BlockDevice(str(part), BlockTarget(part), str(loop.file))
    assert str(error.value) == f"`{part}` is a partition of `{loop.path}`, and only whole drives are tested"


def test_a_drive_with_long_logical_blocks_is_written_in_them(attach: Attach, tmp_path: Path) -> None:
    file = tmp_path / "drive.img"
    with file.open("wb") as new:
        new.truncate(256 << 20)
    loop = attach(file, "--sector-size", "4096")
    suite = tmp_path / "short.toml"
    suite.write_text(SHORT_BLOCKS)
    ended = ssdlab("run", suite, str(loop.path), "--lab", tmp_path / "lab", "--erase", str(loop.file))
    assert ended.status in OVER, ended.stderr
    bundle = open_bundle(Path(ended.stdout.strip()))
    assert bundle.run.drive.logical_block_bytes == 4096
    steps = {step.name: step for step in bundle.steps}
    assert steps["used.trim"].status is StepStatus.FINISHED
    assert str(steps["short"].reason) == "its blocks are smaller than the drive's logical blocks of 4.00 KiB"


SHORT_BLOCKS = """\
[suite]
name = "short"
version = "1"
description = "Blocks of 512 bytes beside a trim"

[[step]]
kind = "purge"

[[step]]
kind = "precondition"
name = "used"
random = { amount = "64MiB", bs = "4KiB", qd = 8 }
trim = "25%"

[[step]]
kind = "measure"
name = "short"
job = { pattern = "random", read = "100%", bs = "512B", qd = 1, amount = "1MiB", limit = "1s" }
"""


def test_a_plan_says_what_a_run_takes_and_what_is_lost(loop: Loop, tmp_path: Path) -> None:
    tool("mkfs.ext4", "-q", "-L", "precious", loop.path)
    ended = ssdlab("plan", "fill", str(loop.path))
    assert ended.status == 0
    assert ended.stderr == (
        f"a run erases `{loop.path}` (64.0 MiB) and takes `--erase {loop.file}`; "
        f"lost with it: `{loop.name}` holds ext4 called `precious`\n"
    )


def test_a_plan_says_what_a_run_would_be_refused_for(loop: Loop) -> None:
    tool("mkswap", loop.path)
    ended = ssdlab("plan", "fill", str(loop.path))
    assert ended.status == 0
    assert ended.stderr.startswith(
        f"a run would be refused now: `{loop.path}` may not be tested: `{loop.name}` is a swap area"
    )


def test_at_a_terminal_the_name_is_typed(loop: Loop, tmp_path: Path) -> None:
    tool("mkfs.ext4", "-q", "-L", "precious", loop.path)
    command: list[str | Path] = ["run", write_short(tmp_path), str(loop.path), "--lab", tmp_path / "lab"]
    before = content(loop)
    status, seen = typed(command, "yes")
    assert status == 1
    assert f"everything on `{loop.path}` (64.0 MiB) will be lost" in seen
    assert f"`{loop.name}` holds ext4 called `precious`" in seen
    assert "is not the `yes` that was named to be erased" in seen
    assert content(loop) == before
    assert typed(command, str(loop.file))[0] in OVER
    assert content(loop) != before
