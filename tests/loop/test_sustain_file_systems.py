"""`ssdlab sustain` on mounted file systems: it fills them, reads back, survives a kill, and leaves them as it found them."""

import subprocess
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from tests.kit.processes import ssdlab
from tests.kit.sustain_kill import killed_after
from tests.loop.conftest import Attach, Loop, content, tool, typed

from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import open_bundle
from ssdlab.host.restore import Restoration
from ssdlab.units import MIB

pytestmark = pytest.mark.loop

GOOD = "verified: every byte is what was written"
CHUNKS = ("--chunk", "1MiB", "--record", "4MiB")


@dataclass(frozen=True, slots=True)
class System:
    """A kind of file system: how it is made, mounted and checked."""

    make: tuple[str, ...]
    mount: tuple[str, ...]
    check: tuple[str, ...]


EXT4 = System(("mkfs.ext4", "-q"), ("mount",), ("fsck.ext4", "-n", "-f"))
EXFAT = System(("mkfs.exfat",), ("mount.exfat-fuse",), ("fsck.exfat", "-n"))
"""In user space, which every kernel that has FUSE can run."""
BOTH = pytest.mark.parametrize("system", [EXT4, pytest.param(EXFAT, marks=pytest.mark.exfat)], ids=["ext4", "exfat"])


def mounted(loop: Loop, system: System, place: Path, undo: ExitStack) -> None:
    """Make the file system, with a file of somebody else's on it."""
    tool(*system.make, loop.path)
    place.mkdir()
    tool(*system.mount, loop.path, place)
    undo.callback(lambda: place.is_mount() and tool("umount", place))
    (place / "mine.txt").write_text("precious")


def left_in(place: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in place.iterdir() if path.is_file()}


def unmount(place: Path) -> None:
    """A file system in user space goes on for a moment after it was let go of."""
    tool("umount", place)
    deadline = time.monotonic() + 30
    while subprocess.run(["pgrep", "-f", f"mount.exfat-fuse .* {place}"], capture_output=True, check=False).stdout:
        assert time.monotonic() < deadline
        time.sleep(0.05)


@BOTH
def test_a_full_file_system_is_read_back_and_left_as_it_was_found(
    system: System, loop: Loop, undo: ExitStack, tmp_path: Path
) -> None:
    place = tmp_path / "card"
    mounted(loop, system, place, undo)
    ended = ssdlab(
        "sustain", place, *CHUNKS, "--leave", "10MB", "--passes", "2", "--verify", "each-pass", "--lab", tmp_path
    )
    assert GOOD in ended.stderr, ended.stderr
    bundle = open_bundle(Path(ended.stdout.strip()))
    written = bundle.step("sustain.pass1").job
    assert written is not None
    assert written.amount_bytes is not None
    assert written.amount_bytes > 30 * MIB
    assert left_in(place) == {"mine.txt": "precious"}
    assert not (place / "ssdlab-sustain").exists()
    unmount(place)
    tool(*system.check, loop.path)


@BOTH
def test_more_than_the_file_system_holds_is_refused_and_nothing_stays(
    system: System, loop: Loop, undo: ExitStack, tmp_path: Path
) -> None:
    place = tmp_path / "card"
    mounted(loop, system, place, undo)
    ended = ssdlab("sustain", place, *CHUNKS, "--total", "1GiB", "--lab", tmp_path)
    assert ended.status == 2
    assert "1.00 GiB cannot be written where" in ended.stderr
    assert [path.name for path in place.iterdir() if path.name.startswith("ssdlab")] == []


def test_a_bundle_on_the_file_system_that_is_filled_needs_its_room(loop: Loop, undo: ExitStack, tmp_path: Path) -> None:
    place = tmp_path / "card"
    mounted(loop, EXT4, place, undo)
    ended = ssdlab("sustain", place, *CHUNKS, "--passes", "20", "--lab", place / "lab")
    assert ended.status == 1
    assert "free once the passes fill it, this run may need 40.0 MiB for its bundle" in ended.stderr
    assert left_in(place) == {"mine.txt": "precious"}
    assert not (place / "lab").exists()


def test_damage_below_a_file_system_is_found(attach: Attach, undo: ExitStack, tmp_path: Path) -> None:
    loop, place = attach(tmp_path / "drive.img"), tmp_path / "card"
    mounted(loop, EXT4, place, undo)
    wrote = ssdlab("sustain", place, *CHUNKS, "--total", "16MiB", "--write-only", "--tag", "shelf", "--lab", tmp_path)
    assert GOOD in wrote.stderr, wrote.stderr
    unmount(place)
    image = bytearray(loop.file.read_bytes())
    with (loop.file).open("r+b") as file:
        # The data of the first mebibytes has no pattern, so that the place of any of its sectors tells where it is.
        part = sector_of_data(image)
        file.seek(part)
        file.write(bytes(512))
    tool(*EXT4.mount, loop.path, place)
    again = ssdlab("sustain", place, *CHUNKS, "--verify-tag", "shelf", "--lab", tmp_path / "elsewhere")
    assert again.status == 3, again.stderr
    assert "verified: 512 bytes are not what was written" in again.stderr


def sector_of_data(image: bytearray) -> int:
    """Of the file's data: the last block of the drive that is no zero and looks random."""
    blocks = (at for at in range(len(image) - 4096, 0, -4096) if len(set(image[at : at + 4096])) == 256)
    return next(blocks)


@BOTH
def test_a_kill_at_fifty_moments_leaves_every_record_that_was_shown_and_a_clean_file_system(
    system: System, loop: Loop, undo: ExitStack, tmp_path: Path
) -> None:
    """Twenty-five moments on each of the two."""
    place = tmp_path / "card"
    mounted(loop, system, place, undo)
    random = np.random.default_rng(9)
    for number in range(25):
        csv = tmp_path / f"{number}.csv"
        shown = killed_after(place, tmp_path / "lab", csv, int(random.integers(1, 40)), total="16MiB")
        assert len(csv.read_text().splitlines()) - 1 >= len(shown) >= 1
    ended = ssdlab("sustain", place, *CHUNKS, "--total", "4MiB", "--lab", tmp_path / "lab")
    assert "that a run before had left" in ended.stderr
    assert left_in(place) == {"mine.txt": "precious"}
    unmount(place)
    tool(*system.check, loop.path)


def test_data_on_a_loop_device_is_read_again_by_its_tag_alone(loop: Loop, tmp_path: Path) -> None:
    erase = ("--erase", str(loop.file))
    wrote = ssdlab("sustain", loop.path, *CHUNKS, "--write-only", "--tag", "shelf", *erase, "--lab", tmp_path / "here")
    assert GOOD in wrote.stderr, wrote.stderr
    again = ssdlab("sustain", loop.path, *CHUNKS, "--verify-tag", "shelf", "--lab", tmp_path / "elsewhere")
    assert GOOD in again.stderr, again.stderr
    assert "nothing is written" in again.stderr
    other = ssdlab("sustain", loop.path, *CHUNKS, "--verify-tag", "drawer", *erase, "--lab", tmp_path / "elsewhere")
    assert other.status == 3
    assert f"verified: {64 * MIB:,} bytes are not what was written" in other.stderr


def test_a_block_device_has_its_host_set_up_noted_and_put_back(loop: Loop, tmp_path: Path) -> None:
    ssdlab("sustain", loop.path, *CHUNKS, "--erase", str(loop.file), "--lab", tmp_path)
    (path,) = (tmp_path / "runs").iterdir()
    bundle = open_bundle(path)
    (host,) = bundle.hosts
    assert {one.knob for one in host.tuning.applied}
    assert isinstance(host.restoration, Restoration)
    assert bundle.status is RunStatus.FINISHED


def test_at_a_terminal_what_will_be_done_is_said_and_the_name_is_typed(loop: Loop, tmp_path: Path) -> None:
    tool("mkfs.ext4", "-q", "-L", "precious", loop.path)
    command: list[str | Path] = ["sustain", str(loop.path), *CHUNKS, "--lab", tmp_path]
    before = content(loop)
    status, seen = typed(command, "yes")
    assert status == 1
    assert seen.index("writes 64.0 MiB") < seen.index(f"what is on `{loop.path}` is lost") < seen.index("to go on type")
    assert f"`{loop.name}` holds ext4 called `precious`" in seen
    assert content(loop) == before
    status, seen = typed(command, str(loop.file))
    assert "pass 1: " in seen
    assert content(loop) != before
