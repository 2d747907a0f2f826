"""The one form of a probe: a design made from what is known, acts that need an engine, an estimator that needs none."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from ssdlab.engine.commands import Commands, Samples
from ssdlab.engine.result import RawResult
from ssdlab.errors import SsdlabError
from ssdlab.job import Job, Pattern, Region
from ssdlab.probe.answer import Answer
from ssdlab.units import GIB, KIB, MIB


class ProbeError(SsdlabError):
    """A probe cannot be done on this drive."""


class Need(Enum):
    """State of its region that a probe starts from."""

    ANY = "any"
    MAPPED = "written"
    """Every block was written, in whatever order."""
    SEQUENTIAL = "written in order"
    """In one sequential pass, and nothing in it since."""
    FRESH = "purged"


class Estimator(Enum):
    """Which way of drawing conclusions."""

    ROBUST = "robust"
    PAPER = "paper"
    """As Ryu and Park print it: a reference, without any confidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is known of a drive before a probe.

    Attributes:
        answers: Of probes before this one, by name.
    """

    capacity_bytes: int
    logical_block_bytes: int
    seed: int
    answers: Mapping[str, Answer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Load:
    """A job: for bulk, whose single commands do not matter."""

    name: str
    job: Job


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """Commands, each of which is a sample."""

    name: str
    commands: Commands


@dataclass(frozen=True, slots=True)
class Rest:
    """Silence."""

    duration_ns: int


Act = Load | Ask | Rest


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What the acts gave, by their names."""

    asked: Mapping[str, Samples]
    loaded: Mapping[str, RawResult]


Estimate = Callable[[Evidence, Estimator], tuple[Answer, ...]]


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
    def writes(self) -> bool:
        """Whether it changes what is on the drive, its preparation aside."""
        return any(
            act.job.writes if isinstance(act, Load) else act.commands.writes
            for act in self.acts
            if not isinstance(act, Rest)
        )


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
    """

    name: str
    question: str
    limits: str
    design: Callable[[Subject], Design]
    by_paper: bool = False
    after: tuple[str, ...] = ()


_FILL_BLOCK_BYTES = 128 * KIB
_REGION_BYTES_MAX = 4 * GIB


def working_region(subject: Subject, longest_bytes: int = _REGION_BYTES_MAX) -> Region:
    """The first part of the drive, at most that long and whole MiB."""
    return Region(0, min(subject.capacity_bytes, longest_bytes) // MIB * MIB)


def sequential_fill(name: str, region: Region, seed: int, block_bytes: int = _FILL_BLOCK_BYTES) -> Load:
    """The region written once in order."""
    return Load(
        name,
        Job(
            name=name,
            pattern=Pattern.SEQUENTIAL,
            read_percent=0,
            block_bytes=block_bytes,
            queue_depth=32,
            region=region,
            amount_bytes=region.length_bytes // block_bytes * block_bytes,
            duration_ns=None,
            seed=seed,
        ),
    )
