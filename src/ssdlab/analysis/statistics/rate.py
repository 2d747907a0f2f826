"""The one rate of a job: all it did, in whichever direction, over the time it took."""

from collections.abc import Iterable
from typing import Protocol

from ssdlab.message import message
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown


class Counted(Protocol):
    """One direction of a job: both `DirectionResult` and `DirectionTotals` are such."""

    @property
    def io_count(self) -> int:
        """I/Os that completed."""

    @property
    def io_bytes(self) -> int:
        """Bytes they moved."""

    @property
    def runtime_ns(self) -> int:
        """How long this direction was busy."""


def total_iops(directions: Iterable[Counted]) -> float | Unknown:
    """I/Os a second of all directions together; a mixed job's directions run side by side, so the longest is its time."""
    found = tuple(directions)
    longest_ns = max((one.runtime_ns for one in found), default=0)
    if not longest_ns:
        return Unknown(message("unknown-no-run-time"))
    return sum(one.io_count for one in found) / longest_ns * NS_PER_S


def total_bandwidth(directions: Iterable[Counted]) -> float | Unknown:
    """Bytes a second of all directions together, likewise."""
    found = tuple(directions)
    longest_ns = max((one.runtime_ns for one in found), default=0)
    if not longest_ns:
        return Unknown(message("unknown-no-run-time"))
    return sum(one.io_bytes for one in found) / longest_ns * NS_PER_S
