"""Metrics as the numbers of a figure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from ssdlab.bundle.model import Metric
from ssdlab.bundle.read import Bundle
from ssdlab.job import Job, Pattern
from ssdlab.units import MIB, format_quantity

FAILED_MARK = "✗"
"""Beside a number that failed a check."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A metric that has a number, and the text the report's table gives it."""

    value: float
    text: str
    low: float | None = None
    high: float | None = None
    state: str = "unknown"
    failed_checks: tuple[str, ...] = ()

    @property
    def marked_text(self) -> str:
        """The text, with a mark where a check failed."""
        return f"{self.text} {FAILED_MARK}" if self.failed_checks else self.text

    @property
    def words(self) -> str:
        """The text, with the names of the checks that failed."""
        return f"{self.text}, failed {', '.join(self.failed_checks)}" if self.failed_checks else self.text


def reading(bundle: Bundle, name: str) -> Reading | None:
    """A metric by name; None when it was not measured or is unknown."""
    return readings(bundle).get(name)


@lru_cache(maxsize=64)
def readings(bundle: Bundle) -> Mapping[str, Reading]:
    """All metrics that have a number, by name; read once a run, because every figure asks."""
    return MappingProxyType(readings_of(bundle.metrics))


def readings_of(metrics: Iterable[Metric]) -> dict[str, Reading]:
    """Those of them that have a number, by name."""
    return {metric.name: one for metric in metrics if (one := _read(metric)) is not None}


def speed_reading(iops: Reading, job: Job) -> Reading:
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


def _read(metric: Metric) -> Reading | None:
    if not isinstance(metric.value, int | float) or isinstance(metric.value, bool):
        return None
    return Reading(
        value=float(metric.value),
        text=format_quantity(metric.value, metric.unit, metric.low, metric.high),
        low=metric.low,
        high=metric.high,
        state=metric.state.value,
        failed_checks=metric.failed_checks,
    )
