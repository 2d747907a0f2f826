"""Metrics of the fill (METHODS C2, M): one set a pass, and what both passes together rank the drive by."""

import re
from collections.abc import Sequence

import numpy as np

from ssdlab.analysis.consistency import mean_over_time
from ssdlab.analysis.evidence import Evidence
from ssdlab.analysis.interval import Interval, mean_interval
from ssdlab.analysis.percentile import nearest_rank
from ssdlab.analysis.phases import Cache, Phases, phases_of
from ssdlab.analysis.plateau import Plateau, inside
from ssdlab.bundle.model import DirectionTotals, Metric, Step
from ssdlab.engine.result import Direction, LatencyKind, Series
from ssdlab.job import StepKind
from ssdlab.units import NS_PER_S, format_bytes_decimal
from ssdlab.unknown import Unknown

_PASS = re.compile(r"(?P<fill>.+)\.pass\d+")


def pass_metrics(evidence: Evidence) -> tuple[Metric, ...]:
    """Metrics of one finished pass; what the pass does not show is Unknown with the reason."""
    name, state = evidence.step.name, evidence.step.state
    totals, series = evidence.result.directions[Direction.WRITE], evidence.series[Direction.WRITE]
    phases = phases_of(series)

    def metric(
        what: str, value: float | Unknown, unit: str, interval: Interval | None = None, note: str = ""
    ) -> Metric:
        return Metric(
            name=f"{name}.{what}",
            value=value,
            unit=unit,
            state=state,
            step=name,
            low=None if interval is None else interval.low,
            high=None if interval is None else interval.high,
            note=note,
        )

    def level(what: str, plateau: Plateau | Unknown, note: str = "") -> Metric:
        if isinstance(plateau, Unknown):
            return metric(what, plateau, "B/s")
        windows = series.bandwidth_bytes_per_s[inside(plateau.start, plateau.end)]
        return metric(what, plateau.bandwidth_bytes_per_s, "B/s", mean_interval(windows), note)

    slowest, slowest_note = bandwidth_p1(series)
    return (
        metric("duration", totals.runtime_ns / NS_PER_S, "s"),
        metric("cache_bytes", *_cache_bytes(phases.cache)),
        level("cache_bandwidth", phases.cache.plateau if isinstance(phases.cache, Cache) else phases.cache),
        level("folding_bandwidth", phases.folding, phases.note),
        level("direct_bandwidth", phases.direct, _direct_note(phases)),
        metric("bandwidth_mean", _bandwidth_mean([totals]), "B/s", note="all bytes over all time"),
        metric("bandwidth_p1", slowest, "B/s", note=slowest_note),
    )


def fill_metrics(plan: Sequence[Step], finished: Sequence[Evidence]) -> tuple[Metric, ...]:
    """Metrics of all passes of each fill together; Unknown until every planned pass is finished.

    A fill is known by the names of its passes: `fill.pass1` and `fill.pass2` belong to `fill`.
    """
    fills: dict[str, list[Step]] = {}
    for step in plan:
        if step.kind is StepKind.FILL and (match := _PASS.fullmatch(step.name)):
            fills.setdefault(match["fill"], []).append(step)
    by_name = {evidence.step.name: evidence for evidence in finished}
    metrics: list[Metric] = []
    for fill, steps in fills.items():
        passes = [by_name[step.name] for step in steps if step.name in by_name]
        if passes:
            metrics += _whole_fill(fill, passes, len(steps))
    return tuple(metrics)


def _whole_fill(fill: str, passes: Sequence[Evidence], planned: int) -> list[Metric]:
    totals = [one.result.directions[Direction.WRITE] for one in passes]
    over_time = _latency_mean_over_time([one.series[Direction.WRITE] for one in passes])
    values: dict[str, tuple[float | Unknown, str, str]] = {
        "bandwidth_mean": (_bandwidth_mean(totals), "B/s", "all bytes over all time, rests left out"),
        "latency_mean_over_time": (over_time, "ns", "mean of the window means: every moment counts the same"),
        "latency_mean_over_ios": (_latency_mean_over_ios(totals), "ns", "mean of all I/Os: every I/O counts the same"),
    }
    missing = Unknown(f"{len(passes)} of {planned} passes finished")
    complete = len(passes) == planned
    return [
        Metric(
            name=f"{fill}.{what}",
            value=value if complete else missing,
            unit=unit,
            state=passes[0].step.state,
            step=fill,
            note=f"{note}; {planned} passes, the state is that before the first" if planned > 1 else note,
        )
        for what, (value, unit, note) in values.items()
    ]


def bandwidth_p1(series: Series) -> tuple[float | Unknown, str]:
    """Slowest 1 % of the windows: nearest rank of their bandwidths in ascending order, and a note on which one that is.

    The last window is as long as what was left to do. It counts only if it lasts at least half of a nominal one: the rate of
    a sliver says more of the moment the job ended than of the drive.
    """
    rates = series.bandwidth_bytes_per_s
    if len(rates) and series.duration_ns[-1] * 2 < series.window_ns:
        rates = rates[:-1]
    rank = max(1, -(-len(rates) // 100))
    return nearest_rank(rates, "1"), f"{rank}. slowest of {len(rates)} windows of {series.window_ns / 1e6:g} ms"


def _cache_bytes(cache: Cache | Unknown) -> tuple[float | Unknown, str, Interval | None, str]:
    if isinstance(cache, Unknown):
        return cache, "B", None, ""
    interval = Interval(
        max(0.0, cache.cliff.low_bytes - cache.rise.high_bytes), cache.cliff.high_bytes - cache.rise.low_bytes
    )
    slow_start = f", after {format_bytes_decimal(cache.rise.done_bytes)} written slower" if cache.plateau.start else ""
    return cache.size_bytes, "B", interval, f"bytes written at the speed of the cache{slow_start}"


def _direct_note(phases: Phases) -> str:
    if isinstance(phases.cache, Unknown):
        return "the whole pass"
    if isinstance(phases.folding, Unknown):
        return "the only phase after the cache: direct writing or folding, one level cannot tell"
    return phases.note


def _bandwidth_mean(totals: Sequence[DirectionTotals]) -> float | Unknown:
    runtime_ns = sum(one.runtime_ns for one in totals)
    if runtime_ns == 0:
        return Unknown("the engine reports no run time")
    return sum(one.io_bytes for one in totals) / runtime_ns * NS_PER_S


def _latency_mean_over_time(passes: Sequence[Series]) -> float | Unknown:
    """Mean over the windows, each with the weight of its length; windows in which nothing completed have no latency."""
    latency_ns = np.concatenate([one.latency_ns_mean for one in passes])
    return mean_over_time(latency_ns, np.concatenate([one.duration_ns for one in passes]))


def _latency_mean_over_ios(totals: Sequence[DirectionTotals]) -> float | Unknown:
    counted = [(one.io_count, one.latency[LatencyKind.LAT].mean_ns) for one in totals if LatencyKind.LAT in one.latency]
    count = sum(one for one, _ in counted)
    if count == 0 or len(counted) < len(totals):
        return Unknown("the engine reports no total latency")
    return sum(one * mean_ns for one, mean_ns in counted) / count
