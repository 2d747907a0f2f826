"""The one form of a probe: a design made from what is known, acts that need an engine, an estimator that needs none."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from ssdlab.drive.lateness import Late
from ssdlab.engine.commands import Commands, TimedCommands, Verb
from ssdlab.engine.result import RawResult
from ssdlab.engine.standstill import Standstill, stood_still
from ssdlab.errors import SsdlabError
from ssdlab.job import Job, Pattern, Region
from ssdlab.message import Message, message, number
from ssdlab.probe.answer import Answer
from ssdlab.units import GIB, KIB, MIB
from ssdlab.unknown import Unknown


class ProbeError(SsdlabError):
    """A probe cannot be done on this drive.

    Attributes:
        reason: Why.
    """

    def __init__(self, reason: Message, *hints: Message) -> None:
        super().__init__(reason, *hints)
        self.reason = reason


class Need(Enum):
    """State of its region that a probe starts from."""

    ANY = "any"
    MAPPED = "written"
    """Every block was written, in whatever order."""
    SEQUENTIAL = "written in order"
    """In one sequential pass, and nothing in it since."""
    FRESH = "purged"


class Medium(Enum):
    """What offsets mean."""

    DRIVE = "drive"
    """Places on the drive."""
    FILE = "file"
    """Places in a file, which the file system puts wherever it likes."""


class Estimator(Enum):
    """Which way of drawing conclusions."""

    ROBUST = "robust"
    PAPER = "paper"
    """As Ryu and Park print it: a reference, without any confidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownDrive:
    """What is known of a drive before a probe.

    Attributes:
        answers: Of probes before this one, by name.
        claims: What the drive says of itself.
    """

    capacity_bytes: int
    logical_block_bytes: int
    seed: int
    answers: Mapping[str, Answer] = field(default_factory=dict)
    claims: tuple[Answer, ...] = ()
    medium: Medium = Medium.DRIVE


@dataclass(frozen=True, slots=True)
class BulkLoad:
    """A job: for bulk, whose single commands do not matter."""

    name: str
    job: Job


@dataclass(frozen=True, slots=True, eq=False)
class ProbeEvidence:
    """What the acts gave, by their names.

    Attributes:
        late: How late a virtual drive's replies left the host: to single commands, or where there are none to jobs.
    """

    asked: Mapping[str, TimedCommands]
    loaded: Mapping[str, RawResult]
    late: Late | Unknown = Unknown(message("unknown-not-recorded"))  # noqa: RUF009 - a frozen value

    @property
    def stood_still(self) -> tuple[Standstill, ...]:
        """Where measuring did, and not because of the drive."""
        asked = [one.standstills for one in self.asked.values()]
        loaded = [one.standstills for one in self.loaded.values()]
        return tuple(stood for standstills in (*asked, *loaded) for stood in stood_still(standstills))


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """Commands, each of which is a sample.

    Attributes:
        needed: Whether it is worth asking, after what the acts before it gave; absent where it always is.
    """

    name: str
    commands: Commands
    needed: Callable[[ProbeEvidence], bool] | None = None


@dataclass(frozen=True, slots=True)
class Rest:
    """Silence."""

    duration_ns: int


@dataclass(frozen=True, slots=True)
class Purge:
    """The drive made fresh."""


Act = BulkLoad | Ask | Rest | Purge


Estimate = Callable[[ProbeEvidence, Estimator], tuple[Answer, ...]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Design:
    """What a probe does on one drive, and how it concludes.

    Attributes:
        region: What it touches; its need holds for all of it.
    """

    need: Need
    region: Region
    acts: tuple[Act, ...]
    estimate: Estimate

    @property
    def first_changed_byte(self) -> int:
        """From here on the drive is no longer as it was prepared; its end and beyond where nothing changes."""
        return min([_first_changed_byte(act) for act in self.acts], default=UNTOUCHED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A question to a drive.

    Attributes:
        name: As typed.
        question: In a few words.
        limits: When it cannot tell.
        design: Raises ProbeError where the drive is not fit for it.
        by_paper: Whether the source paper has an estimator of its own for it.
        after: Probes whose answers it builds on; they are done first.
        medium: `FILE` where it means something in a file, too.
    """

    name: str
    question: Message
    limits: Message
    design: Callable[[KnownDrive], Design]
    by_paper: bool = False
    after: tuple[str, ...] = ()
    medium: Medium = Medium.DRIVE

    def design_for(self, drive: KnownDrive) -> Design:
        """The design, if the drive is fit for it.

        Raises:
            ProbeError: It is not.
        """
        if drive.medium is Medium.FILE and self.medium is Medium.DRIVE:
            raise ProbeError(message("probe-places-in-file"), message("probe-give-the-drive"))
        return self.design(drive)


UNTOUCHED = 1 << 63
"""Beyond the end of every drive."""


def _first_changed_byte(act: Act) -> int:
    match act:
        case Rest():
            return UNTOUCHED
        case Purge():
            return 0
        case BulkLoad():
            return act.job.region.offset_bytes if act.job.writes else UNTOUCHED
        case Ask():
            changing = np.isin(act.commands.verb, [Verb.WRITE, Verb.WRITE_THROUGH, Verb.TRIM])
            return int(act.commands.offset_bytes[changing].min()) if changing.any() else UNTOUCHED


_FILL_BLOCK_BYTES = 128 * KIB
_REGION_BYTES_MAX = 4 * GIB
READ_REGION_BYTES = 512 * MIB
"""Large enough to hold every unit of the flash many times, small enough that few drives have to fetch mappings for it."""


COLLECTED_BYTES_MIN = 64 * MIB
"""What a smaller drive does about what a probe writes goes on all the while, and is not what the probe asks for."""


def too_small(least_bytes: int) -> ProbeError:
    """The refusal of a drive that has less than a probe takes."""
    return ProbeError(message("probe-drive-too-small"), message("probe-takes", size=number(least_bytes // MIB)))


def working_region(drive: KnownDrive, longest_bytes: int = _REGION_BYTES_MAX) -> Region:
    """The first part of the drive, at most that long and whole MiB.

    Raises:
        ProbeError: It has less than one.
    """
    length_bytes = min(drive.capacity_bytes, longest_bytes) // MIB * MIB
    if not length_bytes:
        raise too_small(MIB)
    return Region(0, length_bytes)


def whole_drive(drive: KnownDrive) -> Region:
    """All of the drive, but for what is beyond the last whole MiB.

    Raises:
        ProbeError: It has less than one.
    """
    return working_region(drive, drive.capacity_bytes)


def sequential_fill(
    name: str, region: Region, seed: int, block_bytes: int = _FILL_BLOCK_BYTES, queue_depth: int = 32
) -> BulkLoad:
    """The region written once in order."""
    return BulkLoad(
        name,
        Job(
            name=name,
            pattern=Pattern.SEQUENTIAL,
            read_percent=0,
            block_bytes=block_bytes,
            queue_depth=queue_depth,
            region=region,
            amount_bytes=region.length_bytes // block_bytes * block_bytes,
            duration_ns=None,
            seed=seed,
        ),
    )
