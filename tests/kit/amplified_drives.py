"""Drives without a cache, of one write stream or two, and runs of `write_amplification` on them."""

from ssdlab.method.builtin import load_suite

CAPACITY_MIB = 256
RESERVED = 4
"""Superblocks that stay free: data never lie on them."""


_OPEN_MORE = 1
"""Of flash without data: a second write stream has two more superblocks open, half full in the mean."""


LARGE_KIB = 2048
"""A superblock of hundreds of pages, as theory has it."""
MANY_KIB = 256
"""A superblock of which there are a thousand, as on a real drive: none of them shows in the speed."""


def data_kib(spare_percent: int, superblock_kib: int = LARGE_KIB) -> int:
    """Flash on which data lie, in whole superblocks."""
    return CAPACITY_MIB * 1024 * (100 + spare_percent) // 100 // superblock_kib * superblock_kib


def spare_of_data(spare_percent: int) -> float:
    """The same beyond the capacity, in shares of that, with large superblocks."""
    return data_kib(spare_percent) / 1024 / CAPACITY_MIB - 1


def plain_drive(spare_percent: int, superblock_kib: int = LARGE_KIB, streams: int = 1) -> str:
    """Spare space of so many per cent of the capacity, beside what stays free in any case."""
    reserved = RESERVED + _OPEN_MORE * (streams - 1)
    return f"""\
name = "plain"
description = "Random writes and nothing else"
[geometry]
capacity = "{CAPACITY_MIB} MiB"
raw = "{data_kib(spare_percent, superblock_kib) + reserved * superblock_kib} KiB"
superblock = "{superblock_kib} KiB"
channels = 4
dies = 4
bits_per_cell = 1
stripe_unit = "16 KiB"
page = "16 KiB"
[timing]
sense = ["20us"]
program = "2ms"
erase = "1ms"
channel = "unlimited"
link_read = "unlimited"
link_write = "unlimited"
[buffer]
kind = "protected"
size = "1 MiB"
[collection]
start = 4
hard = 2
streams = {streams}
"""


def patterns(cold: str = "[]", hot: str = "[]", zipf: str = "[]", measured: str = "5s") -> str:
    """The built-in suite with these patterns alone, each written for three to twelve capacities and measured for so long."""
    lines = load_suite("write-amplification").text.splitlines()
    replaced = {"cold = ": f"cold = {cold}", "hot = ": f"hot = {hot}", "zipf = ": f"zipf = {zipf}"}
    replaced |= {'measured = "5min"': f'measured = "{measured}"'}
    return "\n".join(next((new for old, new in replaced.items() if line.startswith(old)), line) for line in lines)
