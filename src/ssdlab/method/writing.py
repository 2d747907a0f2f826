"""What steps of several kinds write: part of a drive, every block of it once."""

from collections.abc import Iterator
from typing import Protocol

from ssdlab.job import Draw, Job, Pattern, Region
from ssdlab.message import Message, message, number, size
from ssdlab.method.draft import FILL_BYTES_MIN, StepContext
from ssdlab.units import Share


class Writes(Protocol):
    """How something is written."""

    @property
    def pattern(self) -> Pattern:
        """Order of offsets."""

    @property
    def block_bytes(self) -> int:
        """Size of each write."""

    @property
    def queue_depth(self) -> int:
        """Writes in flight."""


def written_faults(name: str, job: Writes, amount: int | Share, ground: StepContext) -> Iterator[Message]:
    """Why a part of this drive cannot be written whole."""
    fill_bytes, capacity_bytes = ground.amount_bytes(amount, job.block_bytes), ground.drive.capacity_bytes
    needed_bytes = max(FILL_BYTES_MIN, job.queue_depth * job.block_bytes)
    yield from block_faults(name, job.block_bytes, ground)
    if fill_bytes > capacity_bytes:
        yield message("suite-writes-beyond", step=name, amount=size(fill_bytes), capacity=size(capacity_bytes))
    if fill_bytes < needed_bytes:
        needed, given, capacity = size(needed_bytes), size(fill_bytes), size(capacity_bytes)
        yield message("suite-too-little-to-write", step=name, needed=needed, given=given, capacity=capacity)


def block_faults(name: str, block_bytes: int, ground: StepContext) -> Iterator[Message]:
    """Why this drive cannot do I/O of that size."""
    logical_bytes = ground.drive.logical_block_bytes
    if block_bytes % logical_bytes:
        block, logical = number(block_bytes, "d"), number(logical_bytes, "d")
        yield message("suite-no-whole-blocks", step=name, block=block, logical=logical)


def fill_job(name: str, job: Writes, region: Region) -> Job:
    """Every block of the region once."""
    return Job(
        name=name,
        pattern=job.pattern,
        draw=Draw.PERMUTATION,
        read_percent=0,
        block_bytes=job.block_bytes,
        queue_depth=job.queue_depth,
        region=region,
        amount_bytes=region.length_bytes,
        duration_ns=None,
        seed=0,
    )
