"""What else a host does while it should do nothing: two looks at the kernel's counters, and what lies between them."""

import os
from dataclasses import dataclass
from pathlib import Path

from ssdlab.host.kernel import SECTOR_BYTES, Kernel
from ssdlab.message import message
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class HostCounters:
    """The kernel's counters at one moment, since its start."""

    busy_ticks: int | Unknown
    """Of all processors; time in which a virtual machine was not given one is busy too."""
    all_ticks: int | Unknown
    swapped_pages: int | Unknown
    """In and out."""
    moved_bytes: int | Unknown
    """By the drive, read and written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """What happened between two moments."""

    cpu_busy_percent: float | Unknown
    swapped_bytes: int | Unknown
    moved_bytes: int | Unknown
    """By the drive, read and written, though nobody measures."""
    memory_available_bytes: int | Unknown


def counters(kernel: Kernel, drive: Path | Unknown) -> HostCounters:
    """Read them.

    Args:
        kernel: The kernel asked.
        drive: Directory of a block device in sysfs.
    """
    ticks = _ticks(kernel)
    return HostCounters(
        busy_ticks=ticks if isinstance(ticks, Unknown) else sum(ticks) - ticks[3] - ticks[4],
        all_ticks=ticks if isinstance(ticks, Unknown) else sum(ticks),
        swapped_pages=_swapped(kernel),
        moved_bytes=drive if isinstance(drive, Unknown) else _moved(kernel, drive),
    )


def between(kernel: Kernel, before: HostCounters, after: HostCounters) -> Activity:
    """What was counted meanwhile, and the memory there is now."""
    busy, everything = _more(before.busy_ticks, after.busy_ticks), _more(before.all_ticks, after.all_ticks)
    pages = _more(before.swapped_pages, after.swapped_pages)
    percent: float | Unknown
    if isinstance(busy, Unknown) or isinstance(everything, Unknown):
        percent = Unknown(message("unknown-processors-busy"))
    else:
        percent = 100 * busy / max(everything, 1)
    return Activity(
        cpu_busy_percent=percent,
        swapped_bytes=pages if isinstance(pages, Unknown) else pages * os.sysconf("SC_PAGE_SIZE"),
        moved_bytes=_more(before.moved_bytes, after.moved_bytes),
        memory_available_bytes=_memory_available(kernel),
    )


def _more(before: int | Unknown, after: int | Unknown) -> int | Unknown:
    if isinstance(before, Unknown):
        return before
    return after if isinstance(after, Unknown) else after - before


def _ticks(kernel: Kernel) -> tuple[int, ...] | Unknown:
    """user, nice, system, idle, iowait, irq, softirq, steal (proc(5)); guests are in the first two already."""
    said = kernel.says(kernel.proc / "stat")
    if isinstance(said, Unknown):
        return said
    return tuple(int(word) for word in said.splitlines()[0].split()[1:9])


def _swapped(kernel: Kernel) -> int | Unknown:
    said = kernel.says(kernel.proc / "vmstat")
    if isinstance(said, Unknown):
        return said
    counts = dict(line.split(maxsplit=1) for line in said.splitlines())
    return int(counts.get("pswpin", 0)) + int(counts.get("pswpout", 0))


def _moved(kernel: Kernel, drive: Path) -> int | Unknown:
    """Columns 3 and 7 are the sectors read and written (Documentation/block/stat.rst)."""
    said = kernel.says(drive / "stat")
    if isinstance(said, Unknown):
        return said
    columns = said.split()
    return (int(columns[2]) + int(columns[6])) * SECTOR_BYTES


def _memory_available(kernel: Kernel) -> int | Unknown:
    said = kernel.says(kernel.proc / "meminfo")
    if isinstance(said, Unknown):
        return said
    for line in said.splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return Unknown(message("unknown-memory-available"))
