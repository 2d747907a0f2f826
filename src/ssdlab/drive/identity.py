"""What a drive says it is."""

from dataclasses import dataclass

from ssdlab.unknown import Unknown


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
    description: str
