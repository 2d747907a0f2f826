"""What a drive says it is."""

from dataclasses import dataclass
from enum import Enum

from ssdlab.drive.details import Details
from ssdlab.host.link import PcieLink
from ssdlab.message import Message, message
from ssdlab.message_json import MessageField
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


class NameKind(Enum):
    """What a drive is called by, the best first."""

    SERIAL = "serial number"
    WWID = "world-wide identifier"
    BACKING_FILE = "path of the file below it"
    SLOT = "PCI address it is found at"

    @property
    def words(self) -> Message:
        """For a reader."""
        match self:
            case NameKind.SERIAL:
                return message("drive-name-serial")
            case NameKind.WWID:
                return message("drive-name-wwid")
            case NameKind.BACKING_FILE:
                return message("drive-name-backing-file")
            case NameKind.SLOT:
                return message("drive-name-slot")


@dataclass(frozen=True, slots=True)
class DriveName:
    """What `--erase` takes for a drive."""

    text: str
    """To be typed."""
    kind: NameKind
    """What it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockDetails:
    """All that a block device, the programs that know drives and the kernel say of it (METHODS D)."""

    called: DriveName | Unknown
    """What `--erase` takes, and a resumed run looks for."""
    wwid: str | Unknown
    """World-wide identifier: EUI-64, NGUID, UUID or WWN, with its kind before it."""
    medium: str | Unknown
    """`rotating` or `solid-state`, as the kernel believes."""
    physical_block_bytes: int | Unknown
    """What it writes at once without reading first, as the kernel believes."""
    link: PcieLink | Unknown
    """Speed and width, now and at best."""
    details: Details
    """What nvme-cli, smartctl and hdparm say of it, read; as in `ssdlab drives --json`."""


NO_BLOCK_DEVICE = Unknown(message("unknown-no-block-device"))


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
    description: MessageField
    purge_leaves: Freshness
    """What a purge can achieve on a target of this kind."""
    memory: Memory
    """What is left on it once ssdlab has ended, which decides what a resumed run must redo."""
    cannot_trim: MessageField | None = None
    """Why parts of it cannot be trimmed; absent where they can."""
    block: BlockDetails | Unknown = NO_BLOCK_DEVICE
    """What more is known of a block device; unknown for every other kind of target."""
