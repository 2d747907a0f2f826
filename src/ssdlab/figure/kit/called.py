"""What the drives of a page are called: by words that were asked for, or by their models and what tells them apart."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

from ssdlab.drive.identity import DriveIdentity
from ssdlab.units import format_bytes_decimal

DriveKey = tuple[str, str, int]
"""What a drive keeps from run to run: model, serial number, capacity; what the user typed in place of what it does not tell."""

_TAIL_MIN = 4
"""Characters of a serial number that are told at least; more where fewer would not tell drives apart."""
_CALLED: ContextVar[Mapping[DriveKey, str]] = ContextVar(
    "names of the drives of the page", default=MappingProxyType({})
)


@contextmanager
def drives_called(names: Mapping[DriveKey, str]) -> Iterator[None]:
    """Whatever is drawn or written meanwhile calls the drives so."""
    token = _CALLED.set(names)
    try:
        yield
    finally:
        _CALLED.reset(token)


def called(drive: DriveIdentity) -> str | None:
    """The name of a drive on this page; None where its own will do."""
    return _CALLED.get().get(key_of(drive))


def key_of(drive: DriveIdentity) -> DriveKey:
    """By which it is known."""
    return (_told(drive.model) or drive.target, _told(drive.serial) or drive.target, drive.capacity_bytes)


def names_apart(drives: Iterable[DriveIdentity]) -> dict[DriveKey, str]:
    """Names for drives of one model: with their capacity, their firmware or the end of their serial number, whichever tells them apart."""
    first: dict[DriveKey, DriveIdentity] = {}
    for drive in drives:
        first.setdefault(key_of(drive), drive)
    by_model: dict[str, list[DriveIdentity]] = {}
    for drive in first.values():
        by_model.setdefault(_told(drive.model), []).append(drive)
    return {
        key_of(drive): f"{model}, {part}"
        for model, alike in by_model.items()
        if model and len(alike) > 1
        for drive, part in zip(alike, _telling(alike), strict=True)
    }


def _telling(alike: list[DriveIdentity]) -> list[str]:
    """Of each drive the shortest part in which all of them differ."""
    capacities = [format_bytes_decimal(drive.capacity_bytes) for drive in alike]
    firmwares = [f"FW {_told(drive.firmware)}" for drive in alike]
    serials = _tails([_told(drive.serial) or drive.target for drive in alike])
    return next((parts for parts in (capacities, firmwares) if len(set(parts)) == len(alike)), serials)


def _tails(serials: list[str]) -> list[str]:
    """The ends that are long enough to differ; whole ones are not marked as cut."""
    longest = max(map(len, serials))
    length = next(
        (end for end in range(_TAIL_MIN, longest) if len({serial[-end:] for serial in serials}) == len(set(serials))),
        longest,
    )
    return [f"S/N {serial}" if len(serial) <= length else f"S/N …{serial[-length:]}" for serial in serials]


def _told(text: object) -> str:
    """Empty where the drive does not say it."""
    return " ".join(text.split()) if isinstance(text, str) else ""
