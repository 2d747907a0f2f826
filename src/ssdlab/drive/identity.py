"""What a drive says it is."""

from dataclasses import dataclass
from enum import Enum

from ssdlab.unknown import Unknown


class Freshness(Enum):
    """What a purge achieved."""

    FRESH = "fresh"
    """Fresh out of the box: no host data and no mapping left."""
    UNPROVEN = "unproven"
    """Emptied as far as this kind of target allows; what the medium below did with it cannot be known."""


class Memory(Enum):
    """What is left on the drive once ssdlab has ended."""

    KEEPS = "keeps"
    """What was written: a stopped run goes on where it stopped."""
    FORGETS = "forgets"
    """Nothing, the drive was made for the run: a resumed run begins again at its last purge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveIdentity:
    """The drive under test as it named itself."""

    target: str
    """What the user typed."""
    model: str | Unknown
    serial: str | Unknown
    firmware: str | Unknown
    capacity_bytes: int
    """User capacity: bytes the operating system can address."""
    logical_block_bytes: int
    indirection_unit_bytes: int | Unknown
    """Smallest part the drive maps (NVMe's NPWG): a smaller write is read, modified and written back."""
    description: str
    purge_leaves: Freshness
    """What a purge can achieve on a target of this kind."""
    memory: Memory
    """What is left on it once ssdlab has ended, which decides what a resumed run must redo."""
    cannot_trim: str | None = None
    """Why parts of it cannot be trimmed; absent where they can."""
