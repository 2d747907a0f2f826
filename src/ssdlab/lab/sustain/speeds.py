"""How fast a drive was written and read before, as far as the lab knows: to say how long it will take now."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.quantities import BANDWIDTH_MEAN
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.drive.identity import DriveIdentity
from ssdlab.errors import SsdlabError
from ssdlab.method.sustain import NAME
from ssdlab.point import CoordinateAxis


@dataclass(frozen=True, slots=True)
class Speeds:
    """Means over whole passes.

    Attributes:
        date: When that run began, ISO 8601.
        read_bytes_per_s: That of writing where nothing was read.
    """

    date: str
    write_bytes_per_s: float
    read_bytes_per_s: float


def earlier_speeds(lab: Path, drive: DriveIdentity) -> Speeds | None:
    """Of the newest finished sustained write to the same drive; None where the lab has none, or the drive no name."""
    if not isinstance(drive.serial, str):
        return None
    found = [one for path in sorted((lab / "runs").glob(f"*-{NAME}-*")) for one in _speeds(path, drive)]
    return max(found, key=lambda one: one.date, default=None)


def _speeds(path: Path, drive: DriveIdentity) -> Iterator[Speeds]:
    try:
        bundle = open_bundle(path)
    except SsdlabError:
        return
    before = bundle.run.drive
    if bundle.status is not RunStatus.FINISHED or (before.model, before.serial) != (drive.model, drive.serial):
        return
    written, read = (_means(bundle, axis) for axis in (CoordinateAxis.PASS, CoordinateAxis.READING))
    if written:
        speed = sum(written) / len(written)
        yield Speeds(bundle.run.started_at, speed, sum(read) / len(read) if read else speed)


def _means(bundle: Bundle, axis: CoordinateAxis) -> list[float]:
    return [
        float(one.value)
        for one in bundle.metrics
        if one.key.quantity == BANDWIDTH_MEAN
        and one.key.point.value(axis) is not None
        and isinstance(one.value, int | float)
    ]
