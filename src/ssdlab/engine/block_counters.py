"""What the kernel counts for a block device (`/sys/dev/block/*/stat`), to hold fio's own counts against."""

import os
from dataclasses import dataclass
from pathlib import Path

from ssdlab.drive.access import FioAddress, IoPath
from ssdlab.engine.result import DeviceTraffic, Direction, Forcing
from ssdlab.message import message
from ssdlab.unknown import Unknown

_SECTOR_BYTES = 512
"""Unit of the kernel's counters, whatever the device's own sector."""
_FLUSHES_COLUMN = 15
"""Since Linux 5.5."""
_FIRST_COLUMN = {Direction.READ: 0, Direction.WRITE: 4, Direction.TRIM: 11}
"""Documentation/block/stat.rst: I/Os, merges and sectors stand side by side; trims came with Linux 4.18."""

_NVME_SUBSYSTEMS = "nvme-subsystem"
"""Where sysfs has namespaces that the kernel reaches by several paths."""
_NOT_COUNTED = Unknown(message("unknown-multipath-not-counted"))
_NO_SINGLE_DEVICE = Unknown(message("unknown-no-single-block-device"))


@dataclass(frozen=True, slots=True)
class BlockCounters:
    """Counters of one device at one moment, since it appeared."""

    device: str
    io_count: dict[Direction, int]
    moved_bytes: dict[Direction, int]
    flushes: int | Unknown
    forcing: Forcing | Unknown


def counters_of(address: FioAddress) -> BlockCounters | Unknown:
    """Counters of the device fio reaches, or of that below the file it writes to."""
    place = counters_place(address)
    if isinstance(place, Unknown):
        return place
    try:
        return counters_in(place, place.read_text())
    except OSError:
        return _NO_SINGLE_DEVICE


def counters_place(address: FioAddress) -> Path | Unknown:
    """The file in which the kernel tells them."""
    if address.io_path is IoPath.NBD:
        return Unknown(message("unknown-nbd-no-block-device"))
    try:
        status = Path(address.location).stat()
    except OSError as error:
        return Unknown(message("unknown-kernel-counters", error=str(error)))
    number = status.st_rdev or status.st_dev
    return Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}") / "stat"


def kernel_written(address: FioAddress) -> int | Unknown:
    """Bytes written to the device so far, by the kernel's count."""
    counters = counters_of(address)
    return counters if isinstance(counters, Unknown) else counters.moved_bytes[Direction.WRITE]


def counters_in(place: Path, text: str | None) -> BlockCounters | Unknown:
    """What that file said; None where it could not be read.

    Of an NVMe drive with native multipath older kernels (6.1, seen) count nothing at all, not even what they read when they found the drive.
    """
    directory = place.parent
    try:
        columns = [int(word) for word in (text or "-").split()]
    except ValueError:
        return _NO_SINGLE_DEVICE
    if not any(columns) and _NVME_SUBSYSTEMS in directory.resolve().parts:
        return _NOT_COUNTED
    there = {one: column for one, column in _FIRST_COLUMN.items() if column + 2 < len(columns)}
    return BlockCounters(
        device=directory.resolve().name,
        io_count={one: columns[column] + columns[column + 1] for one, column in there.items()},
        moved_bytes={one: columns[column + 2] * _SECTOR_BYTES for one, column in there.items()},
        flushes=columns[_FLUSHES_COLUMN]
        if len(columns) > _FLUSHES_COLUMN
        else Unknown(message("unknown-kernel-counts-no-flushes")),
        forcing=_forcing(directory),
    )


def _forcing(directory: Path) -> Forcing | Unknown:
    """Of a device, or of the one that a partition is of."""
    for place in (directory, directory.resolve().parent):
        try:
            cache = (place / "queue/write_cache").read_text().strip()
            fua = (place / "queue/fua").read_text().strip()
        except OSError:
            continue
        if cache == "write through":
            return Forcing.NOTHING
        return Forcing.FORCED_WRITES if fua == "1" else Forcing.FLUSHES
    return Unknown(message("unknown-kernel-write-cache"))


def traffic_between(before: BlockCounters | Unknown, after: BlockCounters | Unknown) -> DeviceTraffic | Unknown:
    """What was counted between two moments."""
    if isinstance(before, Unknown):
        return before
    if isinstance(after, Unknown):
        return after
    return DeviceTraffic(
        device=after.device,
        io_count={one: count - before.io_count[one] for one, count in after.io_count.items()},
        moved_bytes={one: count - before.moved_bytes[one] for one, count in after.moved_bytes.items()},
        flushes=after.flushes
        if isinstance(after.flushes, Unknown) or isinstance(before.flushes, Unknown)
        else after.flushes - before.flushes,
        forcing=after.forcing,
    )
