"""Latency metrics of a measured point (METHODS M): means and percentiles of all its I/Os, whatever their direction."""

from collections.abc import Iterator, Sequence

from ssdlab.analysis.evidence import Evidence
from ssdlab.analysis.naming import Naming
from ssdlab.analysis.percentile import exact_percentile_ns, latency_percentile_ns, merged
from ssdlab.bundle.model import Metric
from ssdlab.engine.result import Histogram, LatencyKind
from ssdlab.unknown import Unknown

PERCENTS = ("50", "90", "99", "99.9", "99.99", "99.999", "99.9999")


def latency_metrics(naming: Naming, runs: Sequence[Evidence]) -> Iterator[Metric]:
    """`lat_p50` to `lat_p99_9999` where every I/O was kept, `clat_mean`, `lat_mean` and those of `clat_p50` to `clat_p99_9999` that have ten samples above them.

    The bins of several runs and of both directions are added up, so a percentile is that of all I/Os.
    """
    note = _note(runs)
    yield from _exact_percentiles(naming, runs, note)
    for kind in (LatencyKind.CLAT, LatencyKind.LAT):
        found = _of_all(runs, kind)
        yield naming.metric(
            f"{kind.value}_mean", found if isinstance(found, Unknown) else found.mean_ns, "ns", note=note
        )
        if kind is LatencyKind.CLAT and not isinstance(found, Unknown):
            yield from _percentiles(naming, found, note)


def _exact_percentiles(naming: Naming, runs: Sequence[Evidence], note: str) -> Iterator[Metric]:
    """`lat_p50` to `lat_p99_9999` from every single I/O, where all of them were kept (METHODS C7, E4)."""
    from ssdlab.bundle.tables import merged_counts

    kept = [run.latency_counts for run in runs if run.latency_counts is not None]
    if len(kept) < len(runs):
        return
    counts = merged_counts([count() for of_run in kept for count in of_run.values()])
    words = ", ".join(part for part in (note, "of every single I/O, exact") if part)
    for percent in PERCENTS:
        value = exact_percentile_ns(counts, percent)
        if not isinstance(value, Unknown):
            yield naming.metric(f"lat_p{percent.replace('.', '_')}", value, "ns", note=words)


def _percentiles(naming: Naming, histogram: Histogram, note: str) -> Iterator[Metric]:
    for percent in PERCENTS:
        value = latency_percentile_ns(histogram, percent)
        if not isinstance(value, Unknown):
            yield naming.metric(f"clat_p{percent.replace('.', '_')}", value, "ns", note=note)


def _of_all(runs: Sequence[Evidence], kind: LatencyKind) -> Histogram | Unknown:
    histograms = [kinds[kind] for run in runs for kinds in run.latency.values() if kind in kinds]
    if not any(one.total for one in histograms):
        return Unknown(f"the engine reports no {kind.value}")
    return merged(histograms)


def _note(runs: Sequence[Evidence]) -> str:
    parts = [f"all I/Os of {len(runs)} runs"] if len(runs) > 1 else []
    if any(len(run.result.directions) > 1 for run in runs):
        parts.append("reads and writes together")
    return ", ".join(parts)
