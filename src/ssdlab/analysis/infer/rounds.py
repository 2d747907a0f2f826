"""Which cell comes next in rounds of measurements, and when they end (SNIA PTS): the same for a running step and for an analysis."""

from collections.abc import Mapping, Sequence

from ssdlab.analysis.infer.snia import SniaWindow, snia_window
from ssdlab.analysis.statistics.percentile import merged
from ssdlab.analysis.statistics.rate import Counted, total_bandwidth, total_iops
from ssdlab.engine.result import Direction, Histogram, LatencyKind
from ssdlab.message import message
from ssdlab.method.kinds.rounds import Cell, CellOfRound, RoundsRule, TrackedQuantity
from ssdlab.unknown import Unknown

Round = Mapping[Cell, float]
"""What was tracked of each cell."""


def tracked_value(
    quantity: TrackedQuantity,
    directions: Sequence[Counted],
    latency: Sequence[Mapping[LatencyKind, Histogram]],
) -> float | Unknown:
    """What a cell came to in one round: I/Os or bytes a second of all directions, or the mean latency in ns of all I/Os."""
    match quantity:
        case TrackedQuantity.IOPS:
            return total_iops(directions)
        case TrackedQuantity.BANDWIDTH:
            return total_bandwidth(directions)
        case TrackedQuantity.LATENCY:
            found = [kinds[LatencyKind.LAT] for kinds in latency if LatencyKind.LAT in kinds]
            if not any(one.total for one in found):
                return Unknown(message("unknown-no-latency-kind", kind=LatencyKind.LAT.value))
            return merged(found).mean_ns


def of_directions(
    quantity: TrackedQuantity,
    directions: Mapping[Direction, Counted],
    latency: Mapping[Direction, Mapping[LatencyKind, Histogram]],
) -> float | Unknown:
    """The same of what lies by direction."""
    return tracked_value(quantity, tuple(directions.values()), tuple(latency.values()))


def window_of(cell: Cell, rounds: Sequence[Round]) -> SniaWindow | None:
    """The last five rounds of a cell; None before there are so many that have it."""
    return snia_window([one[cell] for one in rounds if cell in one])


def is_steady(tracked: Sequence[Cell], rounds: Sequence[Round]) -> bool:
    """Whether all tracked cells are flat in the last five rounds."""
    windows = [window_of(cell, rounds) for cell in tracked]
    return all(one is not None and one.is_flat for one in windows)


def next_cell(rule: RoundsRule, rounds: Sequence[Round]) -> CellOfRound | None:
    """What comes after these rounds, of which only the last may be unfinished; None once the drive is steady, or after the most rounds."""
    whole = [one for one in rounds if len(one) == len(rule.cells)]
    if len(whole) < len(rounds):
        done = rounds[-1]
        return CellOfRound(len(rounds), next(cell for cell in rule.cells if cell not in done))
    if len(whole) >= rule.rounds_max or is_steady(rule.tracked, whole):
        return None
    return CellOfRound(len(rounds) + 1, rule.cells[0])
