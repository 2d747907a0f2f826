"""The drives beside each other in a figure: one name, one colour and one symbol each, the first the device under test."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum

from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit.called import key_of
from ssdlab.figure.kit.say import say
from ssdlab.figure.kit.subject import caveat, drive_name, is_virtual, states_words, subtitle
from ssdlab.job import DriveState
from ssdlab.message import Listed, Separator, message

DRIVES_MAX = 8
"""Lines a reader can tell apart."""
DRIVES_MIN = 2
"""To stand beside each other."""


class Rank(Enum):
    """Part of a drive in a figure."""

    UNDER_TEST = "under test"
    COMPARED = "compared"

    @property
    def opacity(self) -> float:
        """Of its bars beside those of others."""
        return 1.0 if self is Rank.UNDER_TEST else 0.62


@dataclass(frozen=True, slots=True, eq=False)
class DrawnDrive:
    """A drive as a line or bar of a figure."""

    label: str
    """Unique in the figure."""
    slot: int
    """Place of its colour and symbol, from 1."""

    @property
    def rank(self) -> Rank:
        """Its part: the first is the device under test."""
        return Rank.UNDER_TEST if self.slot == 1 else Rank.COMPARED


@dataclass(frozen=True, slots=True, eq=False)
class DrawnRun(DrawnDrive):
    """One of its runs."""

    bundle: Bundle


@dataclass(frozen=True, slots=True, eq=False)
class _Among:
    """Runs of which a figure shows some."""

    drives: tuple[DrawnRun, ...]
    left_out: tuple[str, ...]


_AMONG: ContextVar[_Among | None] = ContextVar("runs of which a figure shows some", default=None)


@contextmanager
def drawn_among(bundles: Sequence[Bundle], left_out: Sequence[Bundle]) -> Iterator[tuple[str, ...]]:
    """Drives that are drawn meanwhile have the names, colours and symbols they have among all of these.

    Yields:
        The names of those that are left out, which subtitles tell.
    """
    drives = drives_of(bundles)
    names = tuple(drive.label for drive in drives if drive.bundle in left_out)
    token = _AMONG.set(_Among(drives, names))
    try:
        yield names
    finally:
        _AMONG.reset(token)


def drives_of(bundles: Sequence[Bundle]) -> tuple[DrawnRun, ...]:
    """The runs with names that tell them apart: where one name would be shared, the day of the run and its number follow it."""
    among = _AMONG.get()
    if among is None:
        return _told_apart(bundles)
    return tuple(drive for drive in among.drives if drive.bundle in bundles)


def _told_apart(bundles: Sequence[Bundle]) -> tuple[DrawnRun, ...]:
    names = [drive_name(bundle.run.drive) for bundle in bundles]
    shared: list[str] = []
    labels: list[str] = []
    for name, bundle in zip(names, bundles, strict=True):
        label = name if names.count(name) == 1 else f"{name}, {bundle.run.started_at[:10]}"
        copies = shared.count(label)
        shared.append(label)
        labels.append(say(message("figure-drive-run", drive=label, run=copies + 1)) if copies else label)
    return tuple(
        DrawnRun(label, slot, bundle) for slot, (label, bundle) in enumerate(zip(labels, bundles, strict=True), 1)
    )


def subtitle_of(bundles: Sequence[Bundle], states: Sequence[DriveState], *more: str) -> tuple[str, ...]:
    """What a figure says of one run or of several: who, in which state, and that numbers are a model's or not comparable."""
    if len(bundles) == 1:
        first, *rest = subtitle(bundles[0], states)
        return (" · ".join((first, *more)), *rest)
    drives = len({key_of(bundle.run.drive) for bundle in bundles})
    counted = message("figure-runs-of-drives", runs=len(bundles), drives=drives)
    parts = [say(message("figure-drives", count=drives) if drives == len(bundles) else counted)]
    if (among := _AMONG.get()) is not None:
        parts.append(say(message("figure-without", left_out=Listed(among.left_out, Separator.AND))))
    if count := sum(is_virtual(bundle.run) for bundle in bundles):
        every = count == len(bundles)
        parts.append(say(message("figure-virtual-drives") if every else message("figure-some-virtual", count=count)))
    parts += states_words(states)
    warnings = [warning for warning in dict.fromkeys(caveat(bundle.run) for bundle in bundles) if warning]
    return (" · ".join((*parts, *more)), *warnings)
