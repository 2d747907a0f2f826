"""Random drives of some dozen MiB, on which whole suites take seconds: with and without an SLC cache, with little and much spare space."""

from dataclasses import dataclass

import numpy as np

_SUPERBLOCK_MIB = 6
_KEPT_FREE = 6
"""Superblocks at which collection begins."""


@dataclass(frozen=True, slots=True)
class SmallDrive:
    """A drive and what is true of it.

    Attributes:
        text: Its specification.
        spare_percent: Flash on which data can lie beyond the capacity, of the capacity.
    """

    text: str
    spare_percent: float


def small_drive(number: int, least_mib: int = 72) -> SmallDrive:
    """The drive of that number: always the same one.

    Args:
        number: By which it is drawn.
        least_mib: How large it is at least; at most two and a half times that.
    """
    random = np.random.default_rng([2041, number])
    capacity_mib = _SUPERBLOCK_MIB * int(random.uniform(1, 2.5) * least_mib / _SUPERBLOCK_MIB)
    data_mib = capacity_mib + _SUPERBLOCK_MIB * int(np.ceil(random.uniform(0.1, 0.4) * capacity_mib / _SUPERBLOCK_MIB))
    cache_mib = _SUPERBLOCK_MIB * int(random.integers(0, 3))
    sense_us, program_us = random.uniform(30, 90), random.uniform(300, 900)
    text = f"""\
name = "small-{number}"
description = "A small drive drawn at random"
seed = {number}
[geometry]
capacity = "{capacity_mib} MiB"
raw = "{data_mib + _KEPT_FREE * _SUPERBLOCK_MIB + 3 * cache_mib} MiB"
superblock = "{_SUPERBLOCK_MIB} MiB"
channels = {int(random.choice([2, 4]))}
dies = 4
bits_per_cell = 3
stripe_unit = "64 KiB"
page = "16 KiB"
[timing]
sense = ["{sense_us:.0f}us", "{1.1 * sense_us:.0f}us", "{1.2 * sense_us:.0f}us"]
sense_slc = "{0.6 * sense_us:.0f}us"
program = "{program_us:.0f}us"
program_slc = "{program_us / 4:.0f}us"
erase = "2ms"
channel = "{int(random.choice([400, 800]))} MB/s"
link_read = "3 GB/s"
link_write = "2 GB/s"
command = "2us"
read_overhead = "10us"
write_overhead = "10us"
unmapped_read = "10us"
trim = "10us"
suspend = "20us"
[buffer]
kind = "protected"
size = "2 MiB"
[slc]
static = "{cache_mib} MiB"
max = "{cache_mib} MiB"
after = "direct"
[collection]
start = {_KEPT_FREE}
hard = 3
[noise]
sigma = {float(random.choice([0.0, 0.02, 0.05]))}
"""
    return SmallDrive(text, 100 * (data_mib / capacity_mib - 1))
