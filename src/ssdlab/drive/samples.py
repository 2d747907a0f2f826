"""Did a purge erase anything? Marks are written to sampled blocks before it, and looked for after it.

What was all zeros before proves nothing when it is zeros afterwards; a mark that nobody else can have written does.
With 4,096 independent samples a purge that leaves one block in a thousand is found out with a probability of 98 %.
"""

import hashlib
import itertools
import mmap
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from ssdlab.drive.access import DriveError
from ssdlab.message import Message, commas, listed, message, number
from ssdlab.os_errors import reason_of

SAMPLES = 4096
_READ_BACK = 256
_SAMPLE_BYTES_MIN = 4096


@dataclass(frozen=True, slots=True)
class SampledBlocks:
    """Blocks spread over a drive, and the seed of what is written to them."""

    offsets: tuple[int, ...]
    size_bytes: int
    seed: int

    @property
    def total_bytes(self) -> int:
        """Of all of them."""
        return len(self.offsets) * self.size_bytes

    def mark(self, offset: int) -> bytes:
        """What the block at an offset is marked with: 64 bytes that no other block has, over and over."""
        return hashlib.blake2b(f"{self.seed}:{offset}".encode()).digest() * (self.size_bytes // 64)

    def some(self, count: int) -> "SampledBlocks":
        """About that many of them, from all over the drive, the last one included."""
        stride = max(1, len(self.offsets) // count)
        return replace(self, offsets=self.offsets[::-stride])


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """How many sampled blocks read as what."""

    marks: int
    zeros: int
    ones: int
    other: int
    unreadable: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.marks + self.zeros + self.ones + self.other + self.unreadable

    @property
    def words(self) -> Message:
        """For a reader: of each kind how many, where there are any."""
        counted = (
            (self.marks, message("drive-seen-marks", count=self._share(self.marks))),
            (self.zeros, message("drive-seen-zeros", count=self._share(self.zeros))),
            (self.ones, message("drive-seen-ones", count=self._share(self.ones))),
            (self.other, message("drive-seen-other", count=self._share(self.other))),
            (self.unreadable, message("drive-seen-unreadable", count=self._share(self.unreadable))),
        )
        return listed(commas(*(words for count, words in counted if count)))

    def _share(self, count: int) -> Message:
        return message("drive-seen-all") if count == self.total else message("drive-seen-some", count=number(count))


def sampled(capacity_bytes: int, logical_block_bytes: int, seed: int, count: int = SAMPLES) -> SampledBlocks:
    """The first block, the last, and one drawn from each of equal parts between; all blocks of a small drive.

    Raises:
        DriveError: There is not even one.
    """
    size_bytes = max(_SAMPLE_BYTES_MIN, logical_block_bytes)
    last = capacity_bytes - size_bytes
    if last < 0:
        raise DriveError(message("drive-too-small-to-sample", capacity=number(capacity_bytes, "d")))
    draw = random.Random(seed)  # noqa: S311 - places to look at, no secrets
    before = last // size_bytes
    parts = min(count - 1, before)
    edges = [before * part // parts for part in range(parts + 1)] if parts else []
    drawn = [low if low == 0 else draw.randrange(low, high) for low, high in itertools.pairwise(edges)]
    return SampledBlocks((*(block * size_bytes for block in drawn), last), size_bytes, seed)


@contextmanager
def direct(path: Path) -> Iterator[int]:
    """Open a block device past the page cache, which a purge does not empty.

    Raises:
        DriveError: It cannot be opened.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_DIRECT | os.O_CLOEXEC)
    except OSError as error:
        raise DriveError(message("drive-not-opened", error=reason_of(error))) from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def write_marks(descriptor: int, samples: SampledBlocks) -> None:
    """Mark every sampled block, and make sure of some that the drive has stored the marks.

    Raises:
        DriveError: It takes no writes, or reads back something else.
    """
    with mmap.mmap(-1, samples.size_bytes) as buffer:
        try:
            for offset in samples.offsets:
                buffer[:] = samples.mark(offset)
                os.pwritev(descriptor, [buffer], offset)
            os.fsync(descriptor)
        except OSError as error:
            raise DriveError(message("drive-no-marks", error=reason_of(error))) from error
    seen = look(descriptor, samples.some(_READ_BACK))
    if seen.marks != seen.total:
        raise DriveError(
            message("drive-forgets-marks", total=number(seen.total), seen=seen.words), message("drive-broken")
        )


def look(descriptor: int, samples: SampledBlocks) -> Seen:
    """Read every sampled block."""
    counts = {"marks": 0, "zeros": 0, "ones": 0, "other": 0, "unreadable": 0}
    with mmap.mmap(-1, samples.size_bytes) as buffer:
        for offset in samples.offsets:
            try:
                complete = os.preadv(descriptor, [buffer], offset) == samples.size_bytes
            except OSError:
                complete = False
            counts[_kind(buffer[:], samples, offset) if complete else "unreadable"] += 1
    return Seen(**counts)


def _kind(content: bytes, samples: SampledBlocks, offset: int) -> str:
    if content == samples.mark(offset):
        return "marks"
    uniform = {bytes(len(content)): "zeros", b"\xff" * len(content): "ones"}
    return uniform.get(content, "other")
