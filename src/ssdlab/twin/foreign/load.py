"""What a job of fio did, told by its options and by nothing else; what a virtual drive could not do alike is left out, with the reason."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from ssdlab.job import Pattern
from ssdlab.message import Message, message
from ssdlab.units import KIB, clipped

_PATTERNS = {
    "read": (Pattern.SEQUENTIAL, 100),
    "write": (Pattern.SEQUENTIAL, 0),
    "rw": (Pattern.SEQUENTIAL, None),
    "readwrite": (Pattern.SEQUENTIAL, None),
    "randread": (Pattern.RANDOM, 100),
    "randwrite": (Pattern.RANDOM, 0),
    "randrw": (Pattern.RANDOM, None),
}
_ALONE = {"psync", "sync", "vsync", "pvsync", "pvsync2", "mmap"}
"""Engines that wait for each I/O, whatever `iodepth` says."""
_USUAL = {
    "zonemode": {"none"},
    "random_distribution": {"random"},
    "percentage_random": {"100"},
    "sync": {"0", "none"},
    "fsync": {"0"},
    "fdatasync": {"0"},
    "rate": {"0"},
    "rate_iops": {"0"},
    "thinktime": {"0"},
    "trim_percentage": {"0"},
    "sequential_read": {"0"},
}
"""Options that make another load of it unless they have one of these values."""
_OTHER = ("bssplit", "bsrange", "blocksize_range", "read_iolog", "verify", "rate_process", "latency_target", "flow")
_REPEATS = {"randrepeat", "allrandrepeat", "randseed", "random_generator"}
"""Options that may change where random I/Os go."""
_SIZE = re.compile(r"(\d{1,19})(?:([kmgt])(?:i?b)?|b)?", re.IGNORECASE)
_SIZE_MAX = 2**60
_BLOCK_MAX = 64 * KIB * KIB
_SECTOR = 512
_IN_FLIGHT_MAX = 65_536
"""As many as one queue of NVMe may have."""


class Draws(Enum):
    """Where random I/Os of one run go, seen from another run."""

    SAME = "same"
    """To the same places in the same order, as each job of fio goes unless it is told otherwise."""
    OWN = "own"


@dataclass(frozen=True, slots=True)
class ForeignLoad:
    """What I/O was done.

    Attributes:
        span: What of the drive it went over, from its beginning, bytes; None of all of it.
    """

    pattern: Pattern
    read_percent: int
    block_bytes: int
    queue_depth: int
    jobs: int
    span: int | None
    draws: Draws

    @property
    def in_flight(self) -> int:
        """I/Os at one time."""
        return self.queue_depth * self.jobs

    @property
    def name(self) -> str:
        """Of its kind, without how much of it was in flight."""
        order = "random" if self.pattern is Pattern.RANDOM else "sequential"
        return f"{order}.r{self.read_percent}.{self.block_bytes}"


def load_of(options: Mapping[str, str], entries: int) -> ForeignLoad | Message:
    """A load, or why it is none that could be done again.

    Args:
        options: Of the job.
        entries: How many jobs fio prints for it; without `group_reporting` one for each of its copies.
    """
    odd = next((name for name, usual in _USUAL.items() if options.get(name, min(usual)) not in usual), None)
    odd = odd or next((name for name in _OTHER if name in options), None)
    if odd is not None:
        return message("twin-foreign-option", option=odd, text=clipped(options[odd]))
    if options.get("direct", "0") != "1" and options.get("buffered", "1") != "0":
        return message("twin-foreign-cached")
    said = options.get("rw", options.get("readwrite", "read"))
    if said not in _PATTERNS:
        return message("twin-foreign-option", option="rw", text=clipped(said))
    try:
        return _load(options, *_PATTERNS[said], entries)
    except _OddValueError as error:
        return message("twin-foreign-value", option=error.option, text=clipped(options.get(error.option, "")))


class _OddValueError(Exception):
    """What an option says cannot be read, or no drive could do it."""

    def __init__(self, option: str) -> None:
        super().__init__(option)
        self.option = option


def _load(options: Mapping[str, str], pattern: Pattern, read_percent: int | None, entries: int) -> ForeignLoad:
    alone = options.get("ioengine", "psync") in _ALONE
    depth = 1 if alone else _whole(options, "iodepth", 1, _IN_FLIGHT_MAX)
    jobs = max(entries, _whole(options, "numjobs", 1, _IN_FLIGHT_MAX))
    if depth * jobs > _IN_FLIGHT_MAX:
        raise _OddValueError("iodepth")
    block = "blocksize" if "blocksize" in options else "bs"
    block_bytes = _bytes(options, block, 4 * KIB)
    if not 0 < block_bytes <= _BLOCK_MAX or block_bytes % _SECTOR:
        raise _OddValueError(block)
    if read_percent is None:
        mixed_writes = 100 - _whole(options, "rwmixwrite", 50, 100)
        read_percent = _whole(options, "rwmixread", mixed_writes, 100)
    draws = Draws.OWN if _REPEATS & options.keys() else Draws.SAME
    return ForeignLoad(pattern, read_percent, block_bytes, depth, jobs, _span(options, block_bytes), draws)


def _whole(options: Mapping[str, str], name: str, otherwise: int, most: int) -> int:
    text = options.get(name, str(otherwise))
    if not text.isascii() or not text.isdecimal() or len(text) > len(str(most)) or int(text) > most:
        raise _OddValueError(name)
    return int(text) if name.startswith("rwmix") else max(1, int(text))


def _bytes(options: Mapping[str, str], name: str, otherwise: int) -> int:
    found = _SIZE.fullmatch(options.get(name, str(otherwise)))
    if found is None:
        raise _OddValueError(name)
    size_bytes = int(found[1]) << 10 * " kmgt".index((found[2] or " ").lower())
    if size_bytes > _SIZE_MAX:
        raise _OddValueError(name)
    return size_bytes


def _span(options: Mapping[str, str], block_bytes: int) -> int | None:
    """Of a file or a part of a drive, which then has nothing else on it that is known of."""
    if options.get("size", "100%") == "100%":
        return None
    span = _bytes(options, "size", 0)
    if span < block_bytes:
        raise _OddValueError("size")
    return span
