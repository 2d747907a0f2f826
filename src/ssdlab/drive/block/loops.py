"""Loop devices: what each stands on, and which of them share their bytes with a drive."""

import fcntl
import os
import struct
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ssdlab.drive.block.facts import DeviceNumber, FileId, LoopUse
from ssdlab.drive.block.sysfs import SYSFS, block, device_number, device_path, number_of, said
from ssdlab.message import message

_LOOP_GET_STATUS64 = 0x4C05
_STATUS = struct.Struct("<QQQ")
"""The beginning of `struct loop_info64` in <linux/loop.h>: the file's device and inode, its own number if it is a device."""
_STATUS_BYTES = 232


@dataclass(frozen=True, slots=True)
class Backing:
    """What a loop device stands on.

    Attributes:
        path: As the kernel tells it: it may be another file by now, or of another mount namespace.
        device: If it is a block device.
        file: If it is a file that can be told from others.
    """

    path: str
    device: DeviceNumber | None
    file: FileId | None


def backing_of(name: str) -> Backing | None:
    """None of what is no loop device, or has no file."""
    path = said(block(name) / "loop/backing_file")
    if path is None:
        return None
    with suppress(OSError):
        return _asked(name, path)
    device = number_of(path)
    return Backing(path, device, _file_id(path) if device is None else None)


def _asked(name: str, path: str) -> Backing:
    """By what the loop device has open, whatever its path leads to by now."""
    descriptor = os.open(device_path(name), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = fcntl.ioctl(descriptor, _LOOP_GET_STATUS64, bytes(_STATUS_BYTES))
    finally:
        os.close(descriptor)
    device, inode, own_number = _STATUS.unpack_from(status)
    if own_number:
        return Backing(path, device_number(own_number), None)
    return Backing(path, None, FileId(device, inode))


def _file_id(path: str) -> FileId | None:
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return FileId(status.st_dev, status.st_ino)


def loop_uses(own: Collection[str], numbers: Collection[DeviceNumber], files: Collection[Backing]) -> Iterator[LoopUse]:
    """Loop devices that stand on one of the devices or files, but for our own."""
    for path in sorted((SYSFS / "block").glob("loop*")):
        backing = None if path.name in own else backing_of(path.name)
        if backing is None:
            continue
        if backing.device in numbers:
            yield LoopUse(path.name, message("guard-device", name=backing.path))
        elif (ours := next((file for file in files if _same(file, backing)), None)) is not None:
            yield LoopUse(path.name, message("guard-its-file", path=ours.path))


def _same(ours: Backing, other: Backing) -> bool:
    if ours.file is None or other.file is None:
        return ours.path == other.path
    return ours.file == other.file
