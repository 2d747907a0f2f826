"""The end of a region, trimmed in whole commands."""

from ssdlab.job import Action, Job, Pattern, Region
from ssdlab.units import MIB

_TRIM_BYTES = 64 * MIB
"""Length of each trim command where there is room: there are then few of them, and every kernel takes them."""
_TRIMS_MIN = 64
ALIGNMENT_BYTES = MIB
"""Regions begin and end on whole MiB, so that no block of any size and no mapping unit lies across a border."""


def end_of(region: Region, wanted_bytes: int) -> Region:
    """The last part of a region, in whole trim commands; less than a MiB after the last whole one stays."""
    block_bytes = _block_bytes(wanted_bytes)
    end_bytes = region.end_bytes // ALIGNMENT_BYTES * ALIGNMENT_BYTES
    length_bytes = wanted_bytes // block_bytes * block_bytes
    return Region(end_bytes - length_bytes, length_bytes)


def trim_job(name: str, region: Region) -> Job:
    """Every block of such a part once."""
    return Job(
        name=name,
        pattern=Pattern.SEQUENTIAL,
        action=Action.TRIM,
        read_percent=0,
        block_bytes=_block_bytes(region.length_bytes),
        queue_depth=1,
        region=region,
        amount_bytes=region.length_bytes,
        duration_ns=None,
        seed=0,
    )


def _block_bytes(length_bytes: int) -> int:
    """The same before and after a length is cut to whole commands."""
    return _TRIM_BYTES if length_bytes >= _TRIMS_MIN * _TRIM_BYTES else ALIGNMENT_BYTES
