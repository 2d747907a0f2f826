"""Whether a drive still holds what was left on it, by a digest of sampled blocks: what a run writes is random, so no block tells whose it is."""

import hashlib
import mmap
import os
from pathlib import Path

from ssdlab.drive.access import DriveError
from ssdlab.drive.samples import sampled
from ssdlab.message import message
from ssdlab.os_errors import reason_of
from ssdlab.units import KIB, MIB
from ssdlab.unknown import Unknown

SAMPLES = 256
_SEED = 0
"""The same places every time."""
_MARKED_BYTES = (0, 4 * KIB, 8 * KIB, 32 * KIB, 64 * KIB, MIB)
"""Where partition tables and superblocks begin (libblkid, `superblocks/*.c`), from either end; the first partition begins at 1 MiB."""


def content_of(path: Path, capacity_bytes: int, logical_block_bytes: int) -> str | Unknown:
    """SHA-256 of blocks spread over a whole drive, of both its ends, and of where file systems have their marks.

    They are read past the page cache, which may hold what is no longer on the drive.
    """
    try:
        samples = sampled(capacity_bytes, logical_block_bytes, _SEED, SAMPLES)
        size_bytes = samples.size_bytes
        ends = {end for begin in _MARKED_BYTES for end in (begin, capacity_bytes - size_bytes - begin)}
        offsets = {offset for offset in ends if offset >= 0 and not offset % logical_block_bytes}
        return _digest(path, sorted({*samples.offsets, *offsets}), size_bytes)
    except DriveError as error:
        return Unknown(error.message)
    except OSError as error:
        return Unknown(message("unknown-unreadable", error=reason_of(error)))


def _digest(path: Path, offsets: list[int], size_bytes: int) -> str:
    digest = hashlib.sha256()
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECT | os.O_CLOEXEC)
    try:
        with mmap.mmap(-1, size_bytes) as buffer:
            for offset in offsets:
                # What is cut short by the end of the drive counts by its length.
                length = os.preadv(descriptor, [buffer], offset)
                digest.update(f"{offset}:{length}:".encode() + buffer[:length])
    finally:
        os.close(descriptor)
    return digest.hexdigest()
