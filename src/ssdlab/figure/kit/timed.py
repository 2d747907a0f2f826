"""Which latency the series and the single I/Os of runs tell: completion latency, in bundles of earlier versions with submission."""

from collections.abc import Collection

from ssdlab.engine.result import LatencyKind
from ssdlab.message import Message, message

_TITLES = {
    LatencyKind.CLAT: message("figure-completion-latency"),
    LatencyKind.LAT: message("figure-total-latency"),
}


def kind_word(kinds: Collection[LatencyKind]) -> str:
    """`clat`, `lat`, or `both` where some tell the one and some the other: by it messages choose their words."""
    found = set(kinds)
    return found.pop().value if len(found) == 1 else "both"


def one_kind(kinds: Collection[LatencyKind]) -> LatencyKind | None:
    """What all runs of a line tell; None where an older version began them and another went on: they are not of one line."""
    found = set(kinds)
    return found.pop() if len(found) == 1 else None


def latency_title(kinds: Collection[LatencyKind]) -> Message:
    """What an axis is named."""
    found = set(kinds)
    return _TITLES[found.pop()] if len(found) == 1 else message("figure-latency")


def labelled(label: str, kind: LatencyKind, kinds: Collection[LatencyKind]) -> str:
    """The label of a line; where lines differ in what they tell, those with submission say so."""
    return f"{label}, {kind.value}" if kind is LatencyKind.LAT and len(set(kinds)) > 1 else label
