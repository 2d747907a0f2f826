"""How far a twin is off, by kind of quantity."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import ceil

from ssdlab.twin.acts import Act
from ssdlab.twin.seen import PointSeen


class Kind(Enum):
    """What is predicted."""

    SPEED = "speed"
    """IOPS, bandwidths, times of passes."""
    LATENCY = "latency"
    """Means and medians."""
    TAIL = "tail"
    """Percentiles from 90 on."""


@dataclass(frozen=True, slots=True)
class Errors:
    """Of several predictions of one kind, each as a share of what was measured.

    Attributes:
        count: Of predictions.
        median: Of the errors without their signs.
        most: What nine of ten are within (nearest rank).
        worst: The largest.
    """

    count: int
    median: float
    most: float
    worst: float


def errors_of(shares: Sequence[float]) -> Errors | None:
    """None of no predictions."""
    if not shares:
        return None
    found = sorted(abs(one) for one in shares)
    count = len(found)
    return Errors(count, found[ceil(count / 2) - 1], found[ceil(0.9 * count) - 1], found[-1])


def stated_errors(held: Mapping[Kind, Errors], of_drift: float = 0.0) -> dict[Kind, float]:
    """What has to be reckoned with where something else is asked, as a share: the worst on points held out, and no less than other twins were off by.

    Args:
        held: Errors on points held out.
        of_drift: What the error of a drift by the hour comes to, as a share.
    """
    return {kind: max(found.worst, _ELSEWHERE[kind]) + of_drift for kind, found in held.items()}


def seen_errors(acts: Sequence[Act], twin: Mapping[int, PointSeen]) -> dict[Kind, Errors]:
    """Of points that were rehearsed."""
    shares: dict[Kind, list[float]] = {}
    for place, seen in twin.items():
        for kind, share in _of_point(acts[place].measured, seen):
            shares.setdefault(kind, []).append(share)
    return {kind: found for kind in Kind if (found := errors_of(shares.get(kind, []))) is not None}


def _of_point(measured: PointSeen, twin: PointSeen) -> Iterator[tuple[Kind, float]]:
    for direction, rate in measured.iops.items():
        yield Kind.SPEED, twin.iops.get(direction, 0.0) / rate - 1
        own = twin.latency_ns.get(direction, {})
        for name, value in measured.latency_ns.get(direction, {}).items():
            if name in own and value > 0:
                yield _KINDS[name], own[name] / value - 1


_KINDS = {"mean": Kind.LATENCY, "50": Kind.LATENCY, "90": Kind.TAIL, "99": Kind.TAIL, "99.9": Kind.TAIL}
_ELSEWHERE = {Kind.SPEED: 0.4, Kind.LATENCY: 0.5, Kind.TAIL: 1.0}
"""Points held out are of the sweeps that were fitted to. What another suite asks, such as random writes for hours, twins of drives that they were tried on were off by so much in one of twenty metrics."""
