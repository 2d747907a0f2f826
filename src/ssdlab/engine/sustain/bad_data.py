"""What of data that was read back is not what was written: ranges, their kinds, and the file a bundle keeps them in."""

from dataclasses import dataclass
from enum import Enum

from pydantic import TypeAdapter

BAD_FILE = "bad.json"
BAD_RANGES_MAX = 10_000
"""Ranges of wrong data that are kept one by one; of the others only the bytes are counted."""


class BadKind(Enum):
    """What is wrong with data that was read back."""

    ZERO = "zero"
    STALE = "stale"
    ELSEWHERE = "elsewhere"
    CORRUPTED = "corrupted"
    FOREIGN = "foreign"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class BadRange:
    """Bytes that are not what was written.

    Attributes:
        found_offset_bytes: Where the data that was found belongs, if it belongs elsewhere.
        found_generation: Of which pass of this run it is; None where it is of no pass, or of an earlier run.
        detail: Wrong bits, what the kernel said, or that it is of an earlier run.
    """

    offset_bytes: int
    length_bytes: int
    kind: BadKind
    found_offset_bytes: int | None
    found_generation: int | None
    detail: str


@dataclass(frozen=True, slots=True)
class Verified:
    """Outcome of reading everything back."""

    bad_bytes: int
    bad: tuple[BadRange, ...]
    """In the order of the range, at most `BAD_RANGES_MAX`."""

    @property
    def unreadable(self) -> bool:
        """Whether the drive did not give some of it."""
        return any(one.kind is BadKind.UNREADABLE for one in self.bad)


BAD_ADAPTER = TypeAdapter(tuple[BadRange, ...])
