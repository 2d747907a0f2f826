"""The weighted curve over the share of reads, and the value it ranks drives by (METHODS C6)."""

from collections.abc import Iterator, Mapping
from statistics import fmean

from ssdlab.analysis.naming import Naming
from ssdlab.bundle.model import Metric
from ssdlab.job import DriveState, Job
from ssdlab.method.schema import MeasureStep, RankOver, Weighted
from ssdlab.unknown import Unknown

Rates = Mapping[str, tuple[Job, float | Unknown]]
"""Job and I/Os a second of each point, by its name."""


def weighted_metrics(step: MeasureStep, weighted: Weighted, rates: Rates, state: DriveState) -> Iterator[Metric]:
    """`<step>.<job>.weighted.r<share>.iops` and `<step>.<job>.rank.iops`; Unknown where a point is missing."""
    for label in step.jobs:
        prefix = ".".join(part for part in (step.name, label) if part)
        points = {
            (job.read_percent, job.queue_depth): rate
            for name, (job, rate) in rates.items()
            if name.startswith(f"{prefix}.")
        }
        curve = {share: _weighted(weighted, points, share) for share in step.sweep.read_percent or ()}
        naming = Naming(prefix, state)
        for share, value in curve.items():
            yield naming.metric(f"weighted.r{share}.iops", value, "1/s", note=_words(weighted))
        yield naming.metric("rank.iops", _rank(weighted, curve), "1/s", note=_RANKED[weighted.rank_over])


_RANKED = {
    RankOver.MIXED: "mean of the weighted curve without pure reads and pure writes",
    RankOver.ALL: "mean of the whole weighted curve",
}


def _words(weighted: Weighted) -> str:
    parts = sorted(weighted.share_of_depth.items())
    return " + ".join(f"{100 * part.numerator / part.denominator:g} % QD{depth}" for depth, part in parts)


def _weighted(weighted: Weighted, points: Mapping[tuple[int, int], float | Unknown], share: int) -> float | Unknown:
    total = 0.0
    for depth, part in weighted.share_of_depth.items():
        rate = points.get((share, depth), Unknown(f"QD{depth} at {share} % reads is not measured"))
        if isinstance(rate, Unknown):
            return rate
        total += rate * part.numerator / part.denominator
    return total


def _rank(weighted: Weighted, curve: Mapping[int, float | Unknown]) -> float | Unknown:
    counted = [value for share, value in curve.items() if weighted.rank_over is RankOver.ALL or 0 < share < 100]
    known = [value for value in counted if not isinstance(value, Unknown)]
    if not known or len(known) < len(counted):
        return Unknown(f"{len(known)} of {len(counted)} points of the weighted curve are known")
    return fmean(known)
