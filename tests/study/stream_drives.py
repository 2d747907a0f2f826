"""Random drives without and with a write stream for hot data, against which the verdict on hot and cold data is held.

What is true of a drive is a setting of its specification; nothing here looks at what is measured.
"""

from dataclasses import dataclass

import numpy as np

from ssdlab.units import KIB, MIB, NS_PER_MS, NS_PER_S

CAPACITY_BYTES = 256 * MIB
_STRIPE_BYTES = 16 * KIB
_SUPERBLOCK_KIB = [256, 384, 512]
"""Hundreds of superblocks, as a real drive has: with fewer each of them shows in the speed."""
_PASS_S = (6.0, 15.0)
"""To write the capacity once without amplification. A drive of real size takes longer; what is judged by seconds sees a part of a pass there,
and some passes here."""
_MEASURED_PASSES = 0.3
"""What must be alike is as long as that: five minutes on a drive of 1 TB at 1 GB/s."""


@dataclass(frozen=True, slots=True)
class StreamDrive:
    """A drive and the truth about it.

    Attributes:
        streams: 1: hot and cold data lie together; 2: the drive keeps them apart.
        spare_percent: Flash on which data lie beyond the capacity, in shares of that.
        cache_superblocks: Of the SLC cache; 0 where there is none.
        measured_ns: What the patterns of a run on it are to be measured for.
        words: What else was drawn, for people.
    """

    number: int
    text: str
    streams: int
    spare_percent: float
    cache_superblocks: int
    measured_ns: int
    words: str


def stream_drive(number: int) -> StreamDrive:
    """The drive of that number: always the same one. Even numbers have one stream, odd ones two."""
    random = np.random.default_rng([2311, number])
    streams = 1 + number % 2
    dies, bits = int(random.choice([2, 4, 8])), int(random.choice([1, 2, 3]))
    row_bytes = dies * bits * _STRIPE_BYTES
    superblock_bytes = max(1, int(random.choice(_SUPERBLOCK_KIB)) * KIB // row_bytes) * row_bytes
    spare = random.uniform(0.07, 0.28)
    data_superblocks = -(-round(CAPACITY_BYTES * (1 + spare)) // superblock_bytes)
    start = int(random.integers(4, 9))
    hard = int(random.integers(2, start))
    # A cell of one bit has no other mode.
    cached = streams == 1 and bits > 1 and random.random() < 1 / 3
    cache = int(random.integers(2, 9)) if cached else 0
    pass_s = random.uniform(*_PASS_S)
    program_ns = round(pass_s * NS_PER_S * dies * bits * _STRIPE_BYTES / CAPACITY_BYTES)
    sigma, pace = float(random.choice([0.0, 0.1, 0.3])), float(random.choice([0.0, 0.02, 0.05]))
    kind = str(random.choice(["protected", "volatile"]))
    superblocks = data_superblocks + start + 2 * (streams - 1)
    text = f"""\
name = "stream-drive-{number}"
description = "For the verdict on hot and cold data"
seed = {number + 1}
[geometry]
capacity = {CAPACITY_BYTES}
raw = {superblocks * superblock_bytes}
superblock = {superblock_bytes}
channels = {min(dies, 4)}
dies = {dies}
bits_per_cell = {bits}
stripe_unit = {_STRIPE_BYTES}
page = {_STRIPE_BYTES}
[timing]
sense = [{", ".join(['"50us"'] * bits)}]
program = "{program_ns}ns"
program_slc = "200us"
erase = "{int(random.integers(1, 6))}ms"
channel = "{int(random.integers(400, 1201))} MB/s"
link_read = "3 GB/s"
link_write = "3 GB/s"
write_overhead = "{int(random.integers(5, 21))}us"
[buffer]
kind = "{kind}"
size = "{int(random.choice([2, 4, 8]))} MiB"
[slc]
static = {cache * superblock_bytes // bits}
max = {cache * superblock_bytes // bits}
[collection]
start = {start}
hard = {hard}
streams = {streams}
[spread]
flash = {sigma}
[pace]
sigma = {pace}
"""
    words = f"{dies} dies, {bits} bits, superblocks {superblock_bytes // KIB} KiB, {start}/{hard}, {kind}, noise {sigma:g}/{pace:g}"
    measured_ns = round(_MEASURED_PASSES * pass_s * NS_PER_S / NS_PER_MS) * NS_PER_MS
    spare_percent = 100 * (data_superblocks * superblock_bytes / CAPACITY_BYTES - 1)
    return StreamDrive(number, text, streams, spare_percent, cache, measured_ns, words)
