"""What forbids testing a drive, held against the real kernel and blkid on loop devices."""

import os
import struct
import subprocess
import time
import zlib
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.loop.conftest import Attach, Loop, partition, put, tool

from ssdlab.drive.block.guard import Fact, GuardVerdict, findings, verdict
from ssdlab.drive.block.snapshot import take_snapshot

pytestmark = pytest.mark.loop


def judged(loop: Loop) -> tuple[GuardVerdict, set[Fact]]:
    found = findings(take_snapshot(loop.name))
    return verdict(found), {one.fact for one in found}


def mount(undo: ExitStack, device: Path, place: Path) -> None:
    place.mkdir()
    tool("mount", device, place)
    undo.callback(tool, "umount", place)


def test_an_empty_drive_that_nobody_uses_is_free(loop: Loop) -> None:
    assert judged(loop) == (GuardVerdict.FREE, set())


def test_a_file_system_nobody_uses_may_be_lost_if_the_user_agrees(loop: Loop) -> None:
    tool("mkfs.ext4", "-q", "-L", "precious", loop.path)
    assert judged(loop) == (GuardVerdict.NEEDS_ERASE, {Fact.FILE_SYSTEM})
    assert str(findings(take_snapshot(loop.name))[0].message) == f"`{loop.name}` holds ext4 called `precious`"


def test_a_mounted_drive_is_refused(loop: Loop, undo: ExitStack, tmp_path: Path) -> None:
    tool("mkfs.ext4", "-q", loop.path)
    mount(undo, loop.path, tmp_path / "a place")
    assert judged(loop) == (GuardVerdict.REFUSED, {Fact.MOUNTED, Fact.CLAIMED, Fact.FILE_SYSTEM})
    assert str(findings(take_snapshot(loop.name))[0].message) == f"`{loop.name}` is mounted at {tmp_path}/a place"


def test_a_drive_is_no_longer_refused_once_it_is_unmounted(loop: Loop, undo: ExitStack, tmp_path: Path) -> None:
    tool("mkfs.ext4", "-q", loop.path)
    with ExitStack() as short:
        mount(short, loop.path, tmp_path / "place")
        assert judged(loop)[0] is GuardVerdict.REFUSED
    assert judged(loop) == (GuardVerdict.NEEDS_ERASE, {Fact.FILE_SYSTEM})


def test_a_mount_in_another_namespace_counts(loop: Loop, undo: ExitStack, tmp_path: Path) -> None:
    tool("mkfs.ext4", "-q", loop.path)
    place = tmp_path / "place"
    place.mkdir()
    script = f"mount {loop.path} '{place}' && echo mounted && exec cat"
    with subprocess.Popen(
        ["unshare", "--mount", "sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "mounted\n"
        # Told before the shell became what it executes.
        comm = Path(f"/proc/{other.pid}/comm")
        while comm.read_text() != "cat\n":
            time.sleep(0.01)
        found = findings(take_snapshot(loop.name))
        other.communicate()
    assert (
        str(found[0].message)
        == f"`{loop.name}` is mounted at {place} in the mount namespace of process {other.pid} (`cat`)"
    )
    assert verdict(found) is GuardVerdict.REFUSED


def test_an_unused_partition_may_be_lost_if_the_user_agrees(loop: Loop, undo: ExitStack) -> None:
    partition(loop, undo)
    assert judged(loop) == (GuardVerdict.NEEDS_ERASE, {Fact.PARTITIONS})


def test_a_mounted_partition_forbids_the_whole_drive(loop: Loop, undo: ExitStack, tmp_path: Path) -> None:
    part = partition(loop, undo)
    tool("mkfs.ext4", "-q", part)
    mount(undo, part, tmp_path / "place")
    assert judged(loop) == (GuardVerdict.REFUSED, {Fact.MOUNTED, Fact.CLAIMED, Fact.FILE_SYSTEM, Fact.PARTITIONS})


def test_active_swap_is_refused(loop: Loop, undo: ExitStack) -> None:
    tool("mkswap", loop.path)
    tool("swapon", "--priority", "0", loop.path)
    undo.callback(tool, "swapoff", loop.path)
    assert judged(loop) == (GuardVerdict.REFUSED, {Fact.SWAP, Fact.CLAIMED, Fact.MEMBER})


def test_a_swap_area_at_rest_is_refused(loop: Loop) -> None:
    tool("mkswap", loop.path)
    assert judged(loop) == (GuardVerdict.REFUSED, {Fact.MEMBER})


def test_a_physical_volume_of_lvm_is_refused(loop: Loop) -> None:
    # lib/label/label.h of LVM2: the sum covers the sector behind itself.
    body = struct.pack("<I8s32s", 32, b"LVM2 001", b"a" * 32).ljust(512 - 20, b"\0")
    checksum = zlib.crc32(body, 0xF597A6CF ^ 0xFFFFFFFF) ^ 0xFFFFFFFF
    put(loop, 512, struct.pack("<8sQI", b"LABELONE", 1, checksum) + body)
    assert judged(loop) == (GuardVerdict.REFUSED, {Fact.MEMBER})


def test_a_member_of_an_md_array_is_refused(loop: Loop) -> None:
    # drivers/md/md_p.h of Linux, version 1.2: 4 KiB from the start, which it repeats in sectors.
    superblock = bytearray(1024)
    struct.pack_into("<II", superblock, 0, 0xA92B4EFC, 1)
    struct.pack_into("<Q", superblock, 144, 8)
    put(loop, 4096, bytes(superblock))
    assert judged(loop) == (GuardVerdict.REFUSED, {Fact.MEMBER})


def test_a_luks_container_is_refused(loop: Loop) -> None:
    put(loop, 0, b"LUKS\xba\xbe" + struct.pack(">H", 1))
    assert judged(loop) == (GuardVerdict.REFUSED, {Fact.MEMBER})


def test_a_member_of_a_zfs_pool_is_refused(loop: Loop) -> None:
    uberblocks = b"".join(struct.pack("<QQ", 0x00BAB10C, 5000).ljust(1024, b"\0") for _ in range(128))
    put(loop, 128 << 10, uberblocks)
    put(loop, (256 + 128) << 10, uberblocks)
    assert judged(loop) == (GuardVerdict.REFUSED, {Fact.MEMBER})


def test_a_drive_of_a_btrfs_is_refused_at_rest_and_mounted(loop: Loop, undo: ExitStack, tmp_path: Path) -> None:
    tool("mkfs.btrfs", "-q", "-M", "-f", loop.path)
    assert judged(loop) == (GuardVerdict.REFUSED, {Fact.MEMBER})
    mount(undo, loop.path, tmp_path / "place")
    assert judged(loop) == (GuardVerdict.REFUSED, {Fact.MOUNTED, Fact.CLAIMED, Fact.MEMBER})


def test_a_read_only_drive_is_refused(attach: Attach, tmp_path: Path) -> None:
    assert judged(attach(tmp_path / "drive.img", "--read-only")) == (GuardVerdict.REFUSED, {Fact.READ_ONLY})


def test_a_drive_that_somebody_opened_for_himself_alone_is_refused(loop: Loop, undo: ExitStack) -> None:
    undo.callback(os.close, os.open(loop.path, os.O_RDONLY | os.O_EXCL))
    assert judged(loop) == (GuardVerdict.REFUSED, {Fact.CLAIMED})


def test_a_drive_that_somebody_only_reads_is_free(loop: Loop, undo: ExitStack) -> None:
    undo.callback(os.close, os.open(loop.path, os.O_RDONLY))
    assert judged(loop) == (GuardVerdict.FREE, set())


def test_a_drive_below_a_loop_device_is_refused(loop: Loop, attach: Attach) -> None:
    above = attach(loop.path)
    assert judged(loop) == (GuardVerdict.REFUSED, {Fact.LOOP})
    assert judged(above)[0] is GuardVerdict.FREE


def test_two_loop_devices_of_one_file_are_refused(loop: Loop, attach: Attach) -> None:
    again = attach(loop.file)
    assert judged(loop) == (GuardVerdict.REFUSED, {Fact.LOOP})
    assert judged(again) == (GuardVerdict.REFUSED, {Fact.LOOP})


def test_looking_leaves_every_byte_as_it_was(loop: Loop) -> None:
    tool("mkfs.ext4", "-q", loop.path)
    before = loop.file.read_bytes()
    judged(loop)
    assert loop.file.read_bytes() == before
    assert tool("losetup", "--noheadings", "--output", "RO", loop.path) == "0"
