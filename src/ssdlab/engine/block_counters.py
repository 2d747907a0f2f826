"""What the kernel counts for a block device (`/sys/dev/block/*/stat`), to hold fio's own counts against."""

import os
from dataclasses import dataclass
from pathlib import Path

from ssdlab.drive.access import FioAddress, IoPath
from ssdlab.engine.result import DeviceTraffic, Direction
from ssdlab.unknown import Unknown

_SECTOR_BYTES = 512
"""Unit of the kernel's counters, whatever the device's own sector."""
_FIRST_COLUMN = {Direction.READ: 0, Direction.WRITE: 4, Direction.TRIM: 11}
"""Documentation/block/stat.rst: I/Os, merges and sectors stand side by side; trims came with Linux 4.18."""


@dataclass(frozen=True, slots=True)
class Counters:
    """Counters of one device at one moment, since it appeared."""

    device: str
    io_count: dict[Direction, int]
    moved_bytes: dict[Direction, int]


def counters_of(address: FioAddress) -> Counters | Unknown:
    """Counters of the device fio reaches, or of that below the file it writes to."""
    if address.io_path is IoPath.NBD:
        return Unknown("the drive is behind NBD, no block device of this host is involved")
    try:
        status = Path(address.location).stat()
    except OSError as error:
        return Unknown(f"the kernel's counters cannot be read: {error}")
    number = status.st_rdev or status.st_dev
    return _read(Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}"))


def kernel_written(address: FioAddress) -> int | Unknown:
    """Bytes written to the device so far, by the kernel's count."""
    counters = counters_of(address)
    return counters if isinstance(counters, Unknown) else counters.moved_bytes[Direction.WRITE]


def _read(directory: Path) -> Counters | Unknown:
    try:
        columns = [int(word) for word in (directory / "stat").read_text().split()]
    except (OSError, ValueError):
        return Unknown("the file system is on no single block device whose counters the kernel shows")
    there = {one: column for one, column in _FIRST_COLUMN.items() if column + 2 < len(columns)}
    return Counters(
        device=directory.resolve().name,
        io_count={one: columns[column] + columns[column + 1] for one, column in there.items()},
        moved_bytes={one: columns[column + 2] * _SECTOR_BYTES for one, column in there.items()},
    )


def traffic_between(before: Counters | Unknown, after: Counters | Unknown) -> DeviceTraffic | Unknown:
    """What was counted between two moments."""
    if isinstance(before, Unknown):
        return before
    if isinstance(after, Unknown):
        return after
    return DeviceTraffic(
        device=after.device,
        io_count={one: count - before.io_count[one] for one, count in after.io_count.items()},
        moved_bytes={one: count - before.moved_bytes[one] for one, count in after.moved_bytes.items()},
    )
