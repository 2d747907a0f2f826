"""What two engines measured of the same load, and by how much it differs."""

from collections.abc import Mapping
from dataclasses import dataclass

from ssdlab import _core
from ssdlab.bundle.model import DirectionTotals
from ssdlab.engine.result import Direction, DirectionResult, Histogram, LatencyKind
from ssdlab.units import NS_PER_S


@dataclass(frozen=True, slots=True)
class Measured:
    """By one engine, of all directions together.

    Attributes:
        percentiles_ns: By percent; those with fewer than ten I/Os above them are left out.
    """

    ios: int
    reads: int
    iops: float
    percentiles_ns: Mapping[float, float]


def measured(
    directions: Mapping[Direction, DirectionResult | DirectionTotals],
    histograms: Mapping[Direction, Mapping[LatencyKind, Histogram]],
) -> Measured:
    """Of what an engine, or a bundle, tells."""
    counts = {direction: one.io_count for direction, one in directions.items()}
    bins: dict[int, int] = {}
    for kinds in histograms.values():
        histogram = kinds[LatencyKind.CLAT]
        for index, count in zip(histogram.bin_index.tolist(), histogram.count.tolist(), strict=True):
            bins[index] = bins.get(index, 0) + count
    indices = sorted(bins)
    percents = (50.0, 99.0, 99.9)
    found = _core.histogram_percentiles(indices, [bins[index] for index in indices], list(percents))
    ios = sum(counts.values())
    seconds = max(one.runtime_ns for one in directions.values()) / NS_PER_S
    told = {percent: ns for percent, ns in zip(percents, found, strict=True) if ns is not None}
    return Measured(ios, counts.get(Direction.READ, 0), ios / seconds, told)
