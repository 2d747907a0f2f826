"""Metrics as the numbers of a figure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Metric
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit.say import say
from ssdlab.job import DriveState, Job, Pattern
from ssdlab.message import commas, message
from ssdlab.units import MIB, format_quantity

FAILED_MARK = "✗"
"""Beside a number that failed a check."""


@dataclass(frozen=True, slots=True)
class MetricReading:
    """A metric that has a number, and the text the report's table gives it."""

    value: float
    text: str
    low: float | None = None
    high: float | None = None
    state: DriveState = DriveState.UNKNOWN
    failed_checks: tuple[str, ...] = ()

    @property
    def marked_text(self) -> str:
        """The text, with a mark where a check failed."""
        return self.marked(self.text)

    def marked(self, text: str) -> str:
        """Another text of the same number, likewise."""
        return f"{text} {FAILED_MARK}" if self.failed_checks else text

    @property
    def words(self) -> str:
        """The text, with the names of the checks that failed."""
        return self.words_of(self.text)

    def words_of(self, text: str) -> str:
        """Another text of the same number, likewise."""
        if not self.failed_checks:
            return text
        return say(message("figure-checks-failed", value=text, checks=commas(*self.failed_checks)))


def reading(bundle: Bundle, key: MetricKey) -> MetricReading | None:
    """A metric; None when it was not measured or is unknown."""
    return readings(bundle).get(key)


@lru_cache(maxsize=64)
def readings(bundle: Bundle) -> Mapping[MetricKey, MetricReading]:
    """All metrics that have a number; read once a run, because every figure asks."""
    return MappingProxyType(readings_of(bundle.metrics))


def readings_of(metrics: Iterable[Metric]) -> dict[MetricKey, MetricReading]:
    """Those of them that have a number."""
    return {metric.key: one for metric in metrics if (one := _read(metric)) is not None}


def speed_reading(iops: MetricReading, job: Job) -> MetricReading:
    """I/Os a second in the unit of the job's pattern: those of sequential jobs as bandwidth."""
    if job.pattern is Pattern.RANDOM:
        return iops
    value = iops.value * job.block_bytes
    low, high = (None if one is None else one * job.block_bytes for one in (iops.low, iops.high))
    return replace(iops, value=value, text=format_quantity(value, "B/s", low, high), low=low, high=high)


@dataclass(frozen=True, slots=True)
class SpeedUnit:
    """The unit of an axis of speeds."""

    label: str
    factor: float
    """Of the unit of readings in one of it."""


IOPS = SpeedUnit("IOPS", 1)
MIB_PER_S = SpeedUnit("MiB/s", MIB)


def speed_unit(job: Job) -> SpeedUnit:
    """Of what `speed_reading` gives."""
    return IOPS if job.pattern is Pattern.RANDOM else MIB_PER_S


def _read(metric: Metric) -> MetricReading | None:
    if not isinstance(metric.value, int | float) or isinstance(metric.value, bool):
        return None
    return MetricReading(
        value=float(metric.value),
        text=format_quantity(metric.value, metric.unit, metric.low, metric.high),
        low=metric.low,
        high=metric.high,
        state=metric.state,
        failed_checks=metric.failed_checks,
    )
