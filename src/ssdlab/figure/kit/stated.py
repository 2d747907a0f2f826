"""What only the operator knows of a test bench and of its drives, while something is drawn or written of their runs."""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from pathlib import Path
from types import MappingProxyType

from ssdlab.bundle.read import Bundle
from ssdlab.job import Pattern


class DriveClass(Enum):
    """What a drive is sold for."""

    CLIENT = "client"
    ENTERPRISE = "enterprise"
    INDUSTRIAL = "industrial"
    EXTERNAL = "external"


class StatedLoad(Enum):
    """The loads of datasheets."""

    SEQUENTIAL_READ = "sequential read"
    SEQUENTIAL_WRITE = "sequential write"
    RANDOM_READ = "random read"
    RANDOM_WRITE = "random write"

    @property
    def pattern(self) -> Pattern:
        """The order of its I/Os."""
        return Pattern.RANDOM if self in {StatedLoad.RANDOM_READ, StatedLoad.RANDOM_WRITE} else Pattern.SEQUENTIAL

    @property
    def read_percent(self) -> int:
        """All of its I/Os or none are reads."""
        return 100 if self in {StatedLoad.SEQUENTIAL_READ, StatedLoad.RANDOM_READ} else 0


class StatedState(Enum):
    """Where the speed of writes was measured that a datasheet states."""

    CACHE = "cache"
    """Within the SLC cache, or on a fresh drive."""
    SUSTAINED = "sustained"
    """Past the cache, or in steady state."""


class StatedQuantity(Enum):
    """What a datasheet states of a load, in the unit in which the value is kept."""

    SPEED = "B/s"
    IOPS = "1/s"
    CONSISTENCY = "%"
    LATENCY = "ns"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasheetValue:
    """A row of a datasheet."""

    load: StatedLoad
    quantity: StatedQuantity
    value: float
    """In the unit of the quantity."""
    block_bytes: int | None
    """None where any size of I/Os is meant."""
    queue_depth: int | None
    """None where it is that of the highest speed."""
    state: StatedState | None
    percentile: str | None
    """Of a latency: `99.99`; None where the mean is meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Datasheet:
    """What the vendor promises."""

    source: str | None
    endurance_bytes: int | None
    values: tuple[DatasheetValue, ...]


@dataclass(frozen=True, slots=True)
class Price:
    """What a drive cost."""

    amount: Decimal
    currency: str
    paid_on: date | None

    def per_gb(self, capacity_bytes: int) -> Decimal:
        """For each gigabyte (10^9 bytes) of capacity."""
        return self.amount * 10**9 / capacity_bytes


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture of a drive, re-encoded as JPEG."""

    jpeg: bytes
    width_px: int
    height_px: int

    @property
    def data_uri(self) -> str:
        """The picture itself, in place of an address."""
        return f"data:image/jpeg;base64,{b64encode(self.jpeg).decode()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedDrive:
    """What the operator says of one drive; None where nothing was said."""

    drive_class: DriveClass | None
    controller: str | None
    flash: str | None
    heatsink: str | None
    purged_by: str | None
    price: Price | None
    photo: Photo | None
    notes: str | None
    datasheet: Datasheet | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedBench:
    """What the operator says of the computer and the room; None where nothing was said."""

    cooling: str | None
    ambient_c: float | None
    power_supply: str | None
    case: str | None
    slot: str | None
    adapter: str | None
    memory: str | None
    boot_drive: str | None
    driver: str | None
    notes: str | None


@dataclass(frozen=True, slots=True)
class StatedFacts:
    """What is said of the drive and the bench of one run."""

    bench: StatedBench | None
    drive: StatedDrive | None


_NOTHING = StatedFacts(None, None)
_STATED: ContextVar[Mapping[Path, StatedFacts]] = ContextVar(
    "facts stated by the operator", default=MappingProxyType({})
)


@contextmanager
def facts_stated(by_run: Mapping[Path, StatedFacts]) -> Iterator[None]:
    """Whatever is drawn or written meanwhile shows these facts.

    Args:
        by_run: By the path of the run as it was opened.
    """
    token = _STATED.set(by_run)
    try:
        yield
    finally:
        _STATED.reset(token)


def stated_of(bundle: Bundle) -> StatedFacts:
    """What the operator says of the drive and the bench of a run; nothing where no file does."""
    return _STATED.get().get(bundle.path, _NOTHING)
