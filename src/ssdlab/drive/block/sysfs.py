"""Where the kernel tells of block devices, and how a device is named there."""

import os
import stat
from pathlib import Path

from ssdlab.drive.block.facts import DeviceNumber
from ssdlab.host.kernel import SECTOR_BYTES

SYSFS = Path("/sys")
PROC = Path("/proc")


def drive_names() -> tuple[str, ...]:
    """Every whole block device that has a size and is shown to users."""
    names = sorted(path.name for path in (SYSFS / "block").iterdir())
    return tuple(name for name in names if said(block(name) / "hidden") != "1" and size_bytes(block(name)) > 0)


def device_path(name: str) -> Path:
    """Device file of a name in sysfs, which writes `!` for `/`."""
    return Path("/dev") / name.replace("!", "/")


def block(name: str) -> Path:
    """Directory of a whole drive."""
    return SYSFS / "block" / name


def said(path: Path) -> str | None:
    """Content of a file, if it is there."""
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return None


def size_bytes(directory: Path) -> int:
    """Of a device by its directory."""
    return int(said(directory / "size") or "0") * SECTOR_BYTES


def number_in(directory: Path) -> DeviceNumber:
    """Of a device by its directory.

    Raises:
        OSError: It went away.
    """
    return DeviceNumber((directory / "dev").read_text().strip())


def device_number(number: int) -> DeviceNumber:
    """A number as stat(2) gives it, as the kernel writes it."""
    return DeviceNumber(f"{os.major(number)}:{os.minor(number)}")


def number_of(path: str) -> DeviceNumber | None:
    """Number of a block device by the path of its file."""
    if not path.startswith("/"):
        return None
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return device_number(status.st_rdev) if stat.S_ISBLK(status.st_mode) else None


def directory_of(number: DeviceNumber) -> Path:
    """Directory of a drive or a partition by its number."""
    return (SYSFS / "dev/block" / number).resolve()


def is_partition(directory: Path) -> bool:
    """Whether it is part of another device."""
    return (directory / "partition").exists()


def partitions_of(directory: Path) -> tuple[Path, ...]:
    """Those the kernel knows of a whole drive."""
    return tuple(sorted(path.parent for path in directory.glob("*/partition")))
