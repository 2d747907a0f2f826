"""The drives beside each other in a figure: one name, one colour and one symbol each, the first the device under test."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ssdlab.bundle.read import Bundle
from ssdlab.figure.subject import caveat, drive_name, is_virtual, subtitle

DRIVES_MAX = 8
"""Lines a reader can tell apart."""


class Rank(Enum):
    """Part of a drive in a figure."""

    UNDER_TEST = "under test"
    COMPARED = "compared"


@dataclass(frozen=True, slots=True, eq=False)
class Drive:
    """One run as a line or bar of a figure."""

    label: str
    """Unique in the figure."""
    slot: int
    """Place of its colour and symbol, from 1."""
    bundle: Bundle

    @property
    def rank(self) -> Rank:
        """Its part: the first is the device under test."""
        return Rank.UNDER_TEST if self.slot == 1 else Rank.COMPARED


def drives_of(bundles: Sequence[Bundle]) -> tuple[Drive, ...]:
    """The runs with names that tell them apart: where one name would be shared, the day of the run and its number follow it."""
    names = [drive_name(bundle.run.drive) for bundle in bundles]
    labels: list[str] = []
    for name, bundle in zip(names, bundles, strict=True):
        label = name if names.count(name) == 1 else f"{name}, {bundle.run.started_at[:10]}"
        copies = sum(one == label or one.startswith(f"{label}, run ") for one in labels)
        labels.append(f"{label}, run {copies + 1}" if copies else label)
    return tuple(
        Drive(label, slot, bundle) for slot, (label, bundle) in enumerate(zip(labels, bundles, strict=True), 1)
    )


def subtitle_of(bundles: Sequence[Bundle], states: Sequence[str], *more: str) -> tuple[str, ...]:
    """What a figure says of one run or of several: who, in which state, and that numbers are a model's or not comparable."""
    if len(bundles) == 1:
        first, *rest = subtitle(bundles[0], list(states))
        return (" · ".join((first, *more)), *rest)
    known = [state for state in dict.fromkeys(states) if state != "unknown"]
    parts = [f"{len(bundles)} drives"]
    if count := sum(is_virtual(bundle.run) for bundle in bundles):
        parts.append("virtual drives" if count == len(bundles) else f"{count} of them virtual")
    if known:
        parts.append(f"drive state: {', then '.join(known)}")
    warnings = [warning for warning in dict.fromkeys(caveat(bundle.run) for bundle in bundles) if warning]
    return (" · ".join((*parts, *more)), *warnings)
