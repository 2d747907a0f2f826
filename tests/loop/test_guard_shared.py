"""What others do with a drive's bytes by another name, or without asking for it alone, held against the real kernel."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.loop.conftest import Attach, Loop, partition, remove_partition, tool

from ssdlab.drive.access import DriveError
from ssdlab.drive.block.guard import Weight, findings
from ssdlab.drive.block.openers import Watched, open_files, openers
from ssdlab.drive.block.snapshot import take_snapshot
from ssdlab.drive.block.sysfs import device_number
from ssdlab.drive.kinds.block import BlockDevice
from ssdlab.drive.target import BlockTarget
from ssdlab.unknown import Unknown

pytestmark = pytest.mark.loop

_WAIT = "print(os.getpid(), flush=True); sys.stdin.read(); os._exit(0)"
OPENED = f"import os, sys; os.open(sys.argv[1], os.O_RDWR); {_WAIT}"
MAPPED = f"""
import mmap, os, sys
descriptor = os.open(sys.argv[1], os.O_RDWR)
mapped = mmap.mmap(descriptor, 4096)
os.close(descriptor)
{_WAIT}
"""
LEFT_TO_A_THREAD = f"""
import ctypes, os, sys, threading
os.open(sys.argv[1], os.O_RDWR)
def stay(): {_WAIT}
threading.Thread(target=stay).start()
ctypes.CDLL(None).pthread_exit(None)
"""
LEFT_WHEN_TOLD = f"""
import ctypes, os, sys, threading
os.open(sys.argv[1], os.O_RDWR)
print(os.getpid(), flush=True)
sys.stdin.readline()
def stay(): {_WAIT}
threading.Thread(target=stay).start()
ctypes.CDLL(None).pthread_exit(None)
"""
AS_NOBODY = """
import os
from ssdlab.drive.block.openers import open_files
from ssdlab.message import verbatim
str(verbatim("the catalogue is read while it may be"))
os.setuid(65534)
print(open_files().reason)
"""


@contextmanager
def stranger(code: str, path: Path) -> Iterator[str]:
    """A program that ssdlab did not start, as a refusal names it; it has done what it does, and waits."""
    command = ["setsid", "--fork", sys.executable, "-S", "-c", code, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        number = process.stdout.readline().strip()
        name = (Path("/proc") / number / "comm").read_text().strip()
        yield f"is open for writing in process {number} (`{name}`)"
        process.communicate()


def refusals(loop: Loop) -> list[str]:
    return [str(one.message) for one in findings(take_snapshot(loop.name)) if one.weight is Weight.FORBIDS]


def mounted(undo: ExitStack, device: Path, place: Path) -> None:
    tool("mkfs.ext4", "-q", device)
    place.mkdir()
    tool("mount", device, place)
    undo.callback(tool, "umount", place)


@pytest.mark.parametrize("code", [OPENED, MAPPED, LEFT_TO_A_THREAD], ids=["open", "mapped", "left to a thread"])
def test_a_drive_that_a_program_may_write_to_is_refused(loop: Loop, code: str) -> None:
    with stranger(code, loop.path) as who:
        assert refusals(loop) == [f"`{loop.name}` {who}"]
    assert refusals(loop) == []


def test_a_drive_left_to_a_thread_while_it_is_looked_at_is_still_open(loop: Loop) -> None:
    command = ["setsid", "--fork", sys.executable, "-S", "-c", LEFT_WHEN_TOLD, str(loop.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        number = process.stdout.readline().strip()
        before = open_files()
        assert not isinstance(before, Unknown)
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline().strip() == number
        while any((Path("/proc") / number / "fd").iterdir()):
            time.sleep(0.01)
        watched = Watched({device_number(loop.path.stat().st_rdev): loop.name}, {}, {})
        assert [one.process for one in openers(watched, before)] == [int(number)]
        process.communicate()


def test_a_drive_on_whose_partition_a_program_may_write_is_refused(loop: Loop, undo: ExitStack) -> None:
    part = partition(loop, undo)
    with stranger(OPENED, part) as who:
        assert refusals(loop) == [f"`{part.name}` {who}"]


def test_a_drive_by_a_device_file_of_another_name_is_the_same_drive(loop: Loop, undo: ExitStack) -> None:
    node = Path("/dev") / f"ssdlab-test-{loop.name}"
    number = loop.path.stat().st_rdev
    tool("mknod", node, "b", str(number >> 8), str(number & 255))
    undo.callback(node.unlink)
    with stranger(OPENED, node) as who:
        assert refusals(loop) == [f"`{loop.name}` {who}"]


def test_a_drive_that_a_virtual_machine_has_is_refused(loop: Loop, undo: ExitStack, tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    drive = f"driver=host_device,filename={loop.path},node-name=disk"
    tool("qemu-storage-daemon", "--daemonize", "--pidfile", mark, "--blockdev", drive)
    number = mark.read_text().strip()
    undo.callback(tool, "kill", number)
    (said,) = refusals(loop)
    assert said.startswith(f"`{loop.name}` is open for writing in process {number} (`qemu-")


def test_a_drive_whose_file_a_program_may_write_to_is_refused(loop: Loop, tmp_path: Path) -> None:
    other_name = tmp_path / "other.img"
    other_name.hardlink_to(loop.file)
    with stranger(OPENED, other_name) as who:
        assert refusals(loop) == [f"`{loop.file}` {who}"]


def test_what_ssdlab_itself_starts_is_no_stranger(loop: Loop) -> None:
    command = [sys.executable, "-S", "-c", OPENED, str(loop.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        assert refusals(loop) == []
        process.communicate()


def test_who_may_not_look_into_processes_learns_nothing_and_is_refused() -> None:
    done = subprocess.run([sys.executable, "-c", AS_NOBODY], check=True, capture_output=True, text=True, timeout=240)
    assert done.stdout.endswith("has open cannot be seen: permission denied\n")


def test_a_run_ends_when_a_program_may_write_to_its_drive_between_two_steps(loop: Loop) -> None:
    device = BlockDevice(str(loop.path), BlockTarget(loop.path), str(loop.file))
    try:
        device.check()
        with stranger(OPENED, loop.path) as who, pytest.raises(DriveError) as refused:
            device.check()
        assert str(refused.value) == f"somebody began to use `{loop.path}`: `{loop.name}` {who}"
        device.check()
    finally:
        device.close()


def test_a_loop_device_upon_an_unused_device_is_free(loop: Loop, attach: Attach) -> None:
    assert refusals(attach(loop.path)) == []


def test_a_loop_device_upon_a_mounted_device_is_refused(
    loop: Loop, attach: Attach, undo: ExitStack, tmp_path: Path
) -> None:
    upon = attach(loop.path)
    mounted(undo, loop.path, tmp_path / "place")
    below = f"`{loop.name}`, on which it stands,"
    assert refusals(upon) == [
        f"{below} is mounted at {tmp_path}/place",
        f"the kernel or a program has {below} open exclusively",
    ]


def test_a_loop_device_upon_a_drive_with_a_mounted_partition_is_refused(
    loop: Loop, attach: Attach, undo: ExitStack, tmp_path: Path
) -> None:
    part, upon = partition(loop, undo), attach(loop.path)
    mounted(undo, part, tmp_path / "place")
    assert f"`{part.name}`, on which it stands, is mounted at {tmp_path}/place" in refusals(upon)


def test_a_loop_device_upon_a_partition_whose_neighbour_is_mounted_is_free(
    loop: Loop, attach: Attach, undo: ExitStack, tmp_path: Path
) -> None:
    first = partition(loop, undo)
    tool("addpart", loop.path, "2", "40960", "32768")
    undo.callback(remove_partition, loop, 2)
    upon = attach(first)
    mounted(undo, Path(f"{loop.path}p2"), tmp_path / "place")
    assert refusals(upon) == []
    # Who writes to the whole drive writes to every part of it.
    with stranger(OPENED, loop.path) as who:
        assert refusals(upon) == [f"`{loop.name}` {who}"]


def test_a_stack_of_loop_devices_upon_what_another_uses_is_refused(
    loop: Loop, attach: Attach, undo: ExitStack, tmp_path: Path
) -> None:
    middle = attach(loop.path)
    top = attach(middle.path)
    assert refusals(top) == []
    beside = attach(loop.path)
    assert refusals(top) == [f"`{beside.name}` uses `{loop.path}` too"]


def test_a_loop_device_below_another_is_refused_whatever_became_of_its_file(
    loop: Loop, attach: Attach, tmp_path: Path
) -> None:
    name = tmp_path / "other.img"
    name.hardlink_to(loop.file)
    other = attach(name)
    loop.file.unlink()
    loop.file.write_bytes(b"another file under the same name")
    assert refusals(loop) == [f"`{other.name}` uses its file `{loop.file} (deleted)` too"]


def test_what_is_at_rest_beyond_the_beginning_of_a_loop_device_is_refused(loop: Loop, attach: Attach) -> None:
    tool("mkswap", loop.path)
    upon = attach(loop.path, "--offset", str(1 << 20))
    (said,) = refusals(upon)
    assert said.startswith(f"`{loop.name}`, on which it stands, is a swap area")
