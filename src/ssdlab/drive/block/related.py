"""Devices that share their bytes with a drive under another name: a second path to it, and what a loop device or a mapping stands on."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ssdlab.drive.block.facts import Relation
from ssdlab.drive.block.loops import backing_of
from ssdlab.drive.block.node import wwid_of
from ssdlab.drive.block.sysfs import block, directory_of, drive_names, is_partition, partitions_of, size_bytes
from ssdlab.unknown import Unknown

_CONTROLLER = re.compile(r"nvme\d+")


@dataclass(frozen=True, slots=True)
class Related:
    """One of them, by its directory in sysfs."""

    directory: Path
    relation: Relation


def related(name: str) -> tuple[Related, ...]:
    """All of them, through every layer.

    Raises:
        OSError: One went away meanwhile.
    """
    start = block(name).resolve()
    seen = {start, *partitions_of(start)}
    found: list[Related] = []
    waiting = [start]
    while waiting:
        directory = waiting.pop()
        for other in (*_paths(directory), *_below(directory)):
            if other.directory not in seen:
                seen.add(other.directory)
                waiting.append(other.directory)
                found.append(other)
    return tuple(found)


def _paths(directory: Path) -> Iterator[Related]:
    """Other whole drives that say they are the same one; a number that makers reuse is at least not that of another size."""
    wwid = wwid_of(directory)
    if isinstance(wwid, Unknown):
        return
    for name in drive_names():
        other = block(name).resolve()
        if other != directory and wwid_of(other) == wwid and size_bytes(other) == size_bytes(directory):
            yield from _with_partitions(other, Relation.PATH)


def _below(directory: Path) -> Iterator[Related]:
    backing = backing_of(directory.name)
    if backing is not None and backing.device is not None:
        yield from _stood_on(directory_of(backing.device), Relation.LOOPED)
    for slave in (directory / "slaves").glob("*"):
        yield from _stood_on(slave.resolve(), Relation.MAPPED)


def _stood_on(directory: Path, relation: Relation) -> Iterator[Related]:
    if is_partition(directory):
        yield Related(directory, relation)
        # Its neighbours may be used; who writes to the whole writes to it, too.
        yield Related(directory.parent, Relation.MAPPED)
    else:
        yield from _with_partitions(directory, relation)


def _with_partitions(directory: Path, relation: Relation) -> Iterator[Related]:
    for node in (directory, *partitions_of(directory)):
        yield Related(node, relation)


def command_paths(directory: Path) -> Iterator[Path]:
    """Character devices that take commands for a whole drive: of its namespace and its controllers, or of SCSI."""
    device = (directory / "device").resolve()
    yield from directory.parent.glob(f"ng{directory.name.removeprefix('nvme')}")
    yield from (path for path in (device, *device.glob("nvme*")) if _CONTROLLER.fullmatch(path.name))
    yield from (*device.glob("scsi_generic/*"), *device.glob("bsg/*"))
