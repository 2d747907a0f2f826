"""Latency metrics of a measured point (METHODS M): means and percentiles of all its I/Os, whatever their direction."""

from collections.abc import Iterator, Sequence

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.statistics.percentile import PERCENTS, exact_percentile_ns, latency_percentile_ns, merged
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import CLAT, CLAT_MEAN, LAT, LAT_MEAN
from ssdlab.engine.result import Histogram, LatencyKind
from ssdlab.message import Message, commas, duration, message
from ssdlab.unknown import Unknown

_MEANS = {LatencyKind.CLAT: CLAT_MEAN, LatencyKind.LAT: LAT_MEAN}
_PERCENTILES = {LatencyKind.CLAT: CLAT, LatencyKind.LAT: LAT}


def latency_metrics(naming: Naming, runs: Sequence[StepEvidence]) -> Iterator[Metric]:
    """`clat_mean`, `lat_mean` and those of `clat_p50` to `clat_p99_9999` that have ten samples above them.

    Percentiles are exact where every I/O was kept; else the bins of several runs and of both directions are added up, so a percentile
    is that of all I/Os. Bundles of earlier versions kept single I/Os with their submission: `lat_p50` to `lat_p99_9999` beside the bins.
    """
    note = _note(runs)
    kept = _kept(runs)
    if kept is not None:
        yield from _exact_percentiles(naming, runs, note, kept)
    for kind, mean in _MEANS.items():
        found = _of_all(runs, kind)
        yield naming.metric(mean, found if isinstance(found, Unknown) else found.mean_ns, note=note)
        if kind is LatencyKind.CLAT and kept is not kind and not isinstance(found, Unknown):
            yield from _percentiles(naming, found, note)


def _kept(runs: Sequence[StepEvidence]) -> LatencyKind | None:
    """The latency of which every single I/O of all runs was kept."""
    kinds = {None if run.latency_counts is None else run.result.timed for run in runs}
    return kinds.pop() if len(kinds) == 1 else None


def _exact_percentiles(
    naming: Naming, runs: Sequence[StepEvidence], note: Message | None, kind: LatencyKind
) -> Iterator[Metric]:
    """From every single I/O (METHODS C7, E4)."""
    from ssdlab.bundle.tables import merged_counts

    kept = [run.latency_counts for run in runs if run.latency_counts is not None]
    counts = merged_counts([count() for of_run in kept for count in of_run.values()])
    exact = message("metric-every-io")
    words = exact if note is None else message("metric-remarks", remarks=commas(note, exact))
    for percent in PERCENTS:
        value = exact_percentile_ns(counts, percent)
        if not isinstance(value, Unknown):
            yield naming.metric(_PERCENTILES[kind], value, note=words, percent=percent)


def _percentiles(naming: Naming, histogram: Histogram, note: Message | None) -> Iterator[Metric]:
    for percent in PERCENTS:
        value = latency_percentile_ns(histogram, percent)
        if not isinstance(value, Unknown):
            yield naming.metric(CLAT, value, note=note, percent=percent)


def _of_all(runs: Sequence[StepEvidence], kind: LatencyKind) -> Histogram | Unknown:
    histograms = [kinds[kind] for run in runs for kinds in run.latency.values() if kind in kinds]
    if not any(one.total for one in histograms):
        return Unknown(message("unknown-no-latency-kind", kind=kind.value))
    return merged(histograms)


def _note(runs: Sequence[StepEvidence]) -> Message | None:
    parts = [message("metric-all-ios", runs=len(runs))] if len(runs) > 1 else []
    if any(len(run.result.directions) > 1 for run in runs):
        parts.append(message("metric-both-directions"))
    ramps_ns = [end.ramp_ns for run in runs if (end := run.result.point_end) is not None and end.ramp_ns]
    if ramps_ns:
        # Distributions are of whole jobs; rate and consistency are not.
        parts.append(message("metric-ramp-included", ramp=duration(max(ramps_ns))))
    return message("metric-remarks", remarks=commas(*parts)) if parts else None
