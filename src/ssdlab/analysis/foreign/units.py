"""Units in which foreign series are written; never guessed, only read where the file says them."""

import re
from enum import Enum

from ssdlab.units import GIB, KIB, MB, MIB, NS_PER_MS, NS_PER_S, NS_PER_US


class RateUnit(Enum):
    """What a value counts a second."""

    BYTES = "B/s"
    KILOBYTES = "KB/s"
    KIBIBYTES = "KiB/s"
    MEGABYTES = "MB/s"
    MEBIBYTES = "MiB/s"
    GIGABYTES = "GB/s"
    GIBIBYTES = "GiB/s"
    IOPS = "IOPS"

    @property
    def in_bytes(self) -> int | None:
        """Bytes in one of it; None of I/Os, which have a size of their own."""
        return _BYTES.get(self)


_BYTES = {
    RateUnit.BYTES: 1,
    RateUnit.KILOBYTES: 1000,
    RateUnit.KIBIBYTES: KIB,
    RateUnit.MEGABYTES: MB,
    RateUnit.MEBIBYTES: MIB,
    RateUnit.GIGABYTES: 1000 * MB,
    RateUnit.GIBIBYTES: GIB,
}


class TimeUnit(Enum):
    """What times are counted in."""

    NANOSECONDS = "ns"
    MICROSECONDS = "us"
    MILLISECONDS = "ms"
    SECONDS = "s"
    MINUTES = "min"
    HOURS = "h"

    @property
    def in_ns(self) -> int:
        """Nanoseconds in one of it."""
        return _NS[self]


_NS = {
    TimeUnit.NANOSECONDS: 1,
    TimeUnit.MICROSECONDS: NS_PER_US,
    TimeUnit.MILLISECONDS: NS_PER_MS,
    TimeUnit.SECONDS: NS_PER_S,
    TimeUnit.MINUTES: 60 * NS_PER_S,
    TimeUnit.HOURS: 3600 * NS_PER_S,
}
_SECONDS = {"sec", "secs", "second", "seconds"}
_IN_BRACKETS = re.compile(r"[(\[]\s*([^)\]]+?)\s*[)\]]")


def rate_unit_in(title: str) -> RateUnit | None:
    """The unit that the title of a column says, `Write (MB/s)` or `iops`; upper and lower case tell bits from bytes and count."""
    for word in (title.strip(), *_IN_BRACKETS.findall(title), *title.split()[-1:]):
        found = next((unit for unit in RateUnit if word == unit.value), None)
        if found is not None or word.upper() == RateUnit.IOPS.value:
            return found or RateUnit.IOPS
    return None


def time_unit_in(title: str) -> TimeUnit | None:
    """Likewise `time_ms`, `Time (s)` or `seconds`."""
    for word in (title.strip(), *_IN_BRACKETS.findall(title), *re.split(r"[_\s]", title.strip())[-1:]):
        if word.lower() in _SECONDS:
            return TimeUnit.SECONDS
        found = next((unit for unit in TimeUnit if unit.value == word), None)
        if found is not None:
            return found
    return None
