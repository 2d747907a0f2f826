"""What a copy of a bundle says of itself that its owner made for others."""

from dataclasses import dataclass
from enum import Enum


class PrivateKind(Enum):
    """What a private value is."""

    SERIAL = "serial numbers"
    IDENTIFIER = "world-wide identifiers"
    HOST = "host and user names"
    PATH = "paths and targets"
    ADDRESS = "network addresses"
    FILE = "names and checksums of files"
    KERNEL = "lines of the kernel's log"
    OPTION = "options of fio and other programs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """What its owner changed; the numbers and the audit are the run's.

    Attributes:
        hashed: Values that another name stands for; of one owner the same name is the same value.
        left_out: Values that nothing stands for.
        files_left_out: How many.
    """

    hashed: dict[PrivateKind, int]
    left_out: dict[PrivateKind, int]
    files_left_out: int
