"""What is known about who uses a block device: one immutable snapshot, taken by `block_snapshot`, judged by `guard`."""

from dataclasses import dataclass
from enum import Enum
from typing import NewType

from ssdlab.message import Message
from ssdlab.unknown import Unknown

DeviceNumber = NewType("DeviceNumber", str)
"""Major and minor number as the kernel writes them, `259:0`: a name may move, within one boot this does not."""


class Access(Enum):
    """What the kernel lets be done to a device."""

    READ_WRITE = "read-write"
    READ_ONLY = "read-only"


class Claim(Enum):
    """Answer to an attempt to open a device for oneself alone, for reading."""

    FREE = "free"
    TAKEN = "taken"


class HolderKind(Enum):
    """What the kernel has built on a device."""

    LVM = "lvm"
    LUKS = "encrypted"
    MULTIPATH = "multipath"
    DEVICE_MAPPER = "device-mapper"
    MD = "md"
    BCACHE = "bcache"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Holder:
    """A device that stands on another one."""

    name: str
    kind: HolderKind


@dataclass(frozen=True, slots=True)
class Signature:
    """What `blkid -p` found at the beginning of a device.

    Attributes:
        content: Type of file system, member or swap (`ext4`, `LVM2_member`), if any.
        table: Type of partition table (`gpt`, `dos`), if any.
        label: Name somebody gave it, if any.
    """

    content: str | None
    table: str | None
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A whole drive or one of its partitions."""

    name: str
    number: DeviceNumber
    size_bytes: int
    access: Access
    holders: tuple[Holder, ...]
    signature: Signature | Unknown | None
    """None: blkid looked and found nothing."""


@dataclass(frozen=True, slots=True)
class Mount:
    """A mounted file system and the device it says it is on."""

    number: DeviceNumber
    place: str
    namespace: Message | None = None
    """Another mount namespace than ours, by the process it was found through; None for ours."""


@dataclass(frozen=True, slots=True)
class Swap:
    """An active swap area on a device."""

    number: DeviceNumber
    path: str


@dataclass(frozen=True, slots=True)
class LoopUse:
    """A loop device that stands on this drive, or on the same file as this drive.

    Attributes:
        loop: The other loop device.
        backing: What both need.
    """

    loop: str
    backing: Message


@dataclass(frozen=True, slots=True)
class FileId:
    """A file, whatever its path: the device of its file system, and its inode."""

    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class Opener:
    """A program that may write to a device.

    Attributes:
        what: Name of the device, or path of the file below it.
        command: As the kernel calls the process.
    """

    what: str
    process: int
    command: str


class Relation(Enum):
    """Why another device has the same bytes."""

    PATH = "path"
    """It is another path to the drive, by its world-wide identifier."""
    LOOPED = "looped"
    """The drive stands on it."""
    MAPPED = "mapped"
    """The drive is a part or a mapping of it. Others may use other parts of it, so only who writes to the whole matters."""


@dataclass(frozen=True, slots=True)
class Relative:
    """Another device with the same bytes."""

    node: Node
    relation: Relation
    claim: Claim | Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Everything that may forbid testing one drive, as it was at one moment."""

    drive: Node
    partitions: tuple[Node, ...]
    mounts: tuple[Mount, ...]
    """Of every mount namespace that may be looked into; a mount in any other one shows as a taken claim."""
    swaps: tuple[Swap, ...] | Unknown
    loops: tuple[LoopUse, ...]
    openers: tuple[Opener, ...] | Unknown
    """Programs that have it open for writing, or anything that has its bytes."""
    relatives: tuple[Relative, ...]
    """Other devices with its bytes that nobody may use either."""
    claim: Claim | Unknown
    system: frozenset[DeviceNumber]
    """Every device below `/`, `/boot`, `/boot/efi`, `/efi` and `/usr`, through all layers."""

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The drive, then its partitions."""
        return (self.drive, *self.partitions)
