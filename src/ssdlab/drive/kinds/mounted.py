"""What can be said of files on a mounted file system as a drive under test."""

import os
from pathlib import Path

from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.message import Message, message
from ssdlab.unknown import Unknown


def mount_point(path: Path) -> Path:
    """Where the file system is mounted that holds a path."""
    while not path.is_mount():
        path = path.parent
    return path


def identity_of_files(
    target: str, place: Path, size_bytes: int, description: Message, cannot_trim: Message
) -> DriveIdentity:
    """Identity of files that ssdlab makes in a directory: of the drive below them nothing is known."""
    unknown = Unknown(message("unknown-below-file"))
    return DriveIdentity(
        target=target,
        model=unknown,
        serial=unknown,
        firmware=unknown,
        capacity_bytes=size_bytes,
        logical_block_bytes=os.statvfs(place).f_frsize,
        indirection_unit_bytes=unknown,
        description=description,
        purge_leaves=Freshness.UNPROVEN,
        memory=Memory.FORGETS,
        cannot_trim=cannot_trim,
    )
