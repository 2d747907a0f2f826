"""Several runs of one drive by one method as one set of metrics: what a first screen says of the drive."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from ssdlab.analysis.audit.rules.host import UNINTERRUPTED
from ssdlab.analysis.statistics.standing import REPEATS_WITHIN, Estimate, over_runs
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Metric, RunStatus
from ssdlab.bundle.quantities import CACHE_BYTES, DIRECT_BANDWIDTH
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit.passes import is_sustained
from ssdlab.probe.store.reader import is_probed
from ssdlab.report.first_screen.quoted import Metrics, metrics_of
from ssdlab.unknown import Unknown


def has_repeats(run: Bundle) -> bool:
    """Whether another run by the same method repeats it: a sustained write or a probe may have been asked for anything."""
    return not (is_sustained(run) or is_probed(run))


def repeats_of(first: Bundle, runs: Sequence[Bundle]) -> tuple[Bundle, ...]:
    """The run and those that repeat it within a week: the same drive, firmware, host and method; a copy of a run is no second run."""
    found = [first]
    for run in runs:
        if _repeats(run, first) and all(run.run != other.run for other in found):
            found.append(run)
    return tuple(found)


def _repeats(run: Bundle, first: Bundle) -> bool:
    apart = abs(datetime.fromisoformat(run.run.started_at) - datetime.fromisoformat(first.run.started_at))
    finished = run.status is first.status is RunStatus.FINISHED
    return finished and _has_serial(first) and _conditions(run) == _conditions(first) and apart <= REPEATS_WITHIN


def _has_serial(run: Bundle) -> bool:
    """Without one, two drives of a model cannot be told apart."""
    return isinstance(run.run.drive.serial, str) and bool(run.run.drive.serial.strip())


def _conditions(run: Bundle) -> tuple[object, ...]:
    """What repetitions have in common; of the engine the program, as in the library."""
    info = run.run
    return info.drive.serial, info.drive.firmware, info.host.hostname, info.suite.sha256, info.engine.partition("-")[0]


def metrics_over(runs: Sequence[Metrics]) -> Metrics:
    """Of each number of the first run the median of the runs that have it, found in the same state, with its interval."""
    if len(runs) == 1:
        return runs[0]
    return {
        key: _over(metric, [other[key] for other in runs[1:] if _has_alike(key, other, runs[0])])
        for key, metric in runs[0].items()
    }


def _has_alike(key: MetricKey, metrics: Metrics, first: Metrics) -> bool:
    """Whether a run has the number of the same thing: without a cache, the speed past it is that of the whole pass."""
    if key not in metrics:
        return False
    return key.quantity != DIRECT_BANDWIDTH or _has_cache(key, metrics) is _has_cache(key, first)


def _has_cache(key: MetricKey, metrics: Metrics) -> bool:
    size = metrics.get(MetricKey(key.point, CACHE_BYTES))
    return size is not None and not isinstance(size.value, Unknown)


def metrics_of_drive(runs: Sequence[Bundle]) -> Metrics:
    """Of runs that repeat each other."""
    return metrics_over([metrics_of(run.metrics) for run in runs])


def _over(first: Metric, others: Sequence[Metric]) -> Metric:
    if _estimate(first) is None:
        return first
    alike = [metric for metric in (first, *others) if metric.state is first.state and _enters(metric)]
    if len(alike) <= 1:
        return alike[0] if alike else first
    found = over_runs([estimate for metric in alike if (estimate := _estimate(metric)) is not None])
    failed = dict.fromkeys(check for metric in alike for check in metric.failed_checks)
    least, most = first.key.range
    low = None if found.low is None else max(least, found.low)
    high = None if found.high is None else min(most, found.high)
    return replace(first, value=found.value, low=low, high=high, failed_checks=tuple(failed))


def _enters(metric: Metric) -> bool:
    """Not what is no number, nor what was measured while the host stood still, which is not the drive's."""
    return _estimate(metric) is not None and UNINTERRUPTED not in metric.failed_checks


def _estimate(metric: Metric) -> Estimate | None:
    """None of what is no number."""
    if not isinstance(metric.value, int | float) or isinstance(metric.value, bool):
        return None
    return Estimate(float(metric.value), metric.low, metric.high)
