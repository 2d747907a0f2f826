"""A metric as it is quoted: its value with the ends of its interval, taken from the metric itself and never from a text."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Metric
from ssdlab.job import DriveState, Job, Pattern
from ssdlab.message import (
    Listed,
    Message,
    Number,
    QuantityForm,
    ShownQuantity,
    Value,
    as_written,
    message,
    message_of,
    verbatim,
)
from ssdlab.report.drive_facts import Shown
from ssdlab.report.metric_tables import marked, yes_or_no
from ssdlab.units import MB, ends_beside_value, format_quantity_short, resolved_ends
from ssdlab.unknown import Unknown

Metrics = Mapping[MetricKey, Metric]
BYTES_PER_S = "B/s"


_SIZES = {QuantityForm.BYTES_DECIMAL: QuantityForm.BYTES}
"""Sizes are binary beside either unit of speed, as in the tables."""
_BINARY = {**_SIZES, QuantityForm.BANDWIDTH_DECIMAL: QuantityForm.BANDWIDTH}
_DECIMAL = {**_SIZES, QuantityForm.BANDWIDTH: QuantityForm.BANDWIDTH_DECIMAL}


class DecimalMetrics(dict[MetricKey, Metric]):
    """Metrics whose speeds are quoted in MB/s."""


@dataclass(frozen=True, slots=True)
class QuotedMetric:
    """A metric that has a value, in the unit it is quoted in."""

    name: str
    value: float | int | bool | str
    unit: str
    low: float | None
    high: float | None
    state: DriveState
    failed_checks: tuple[str, ...]
    note: Message | None = None
    """What a reader must know beside the name."""

    @property
    def text(self) -> Shown:
        """The value, marked where a check failed."""
        match self.value:
            case bool():
                shown: Shown = yes_or_no(self.value)
            case str():
                shown = as_written(self.value)
            case int() | float():
                shown = format_quantity_short(self.value, self.unit, self.low, self.high)
        return marked(shown, self.failed_checks)

    @property
    def interval(self) -> Message | None:
        """The 95 % interval; None where there is none, or none wider than the digits shown."""
        if isinstance(self.value, bool | str) or self.low is None or self.high is None:
            return None
        ends = resolved_ends(self.value, self.unit, self.low, self.high)
        return None if ends is None else message("report-interval", low=ends[0], high=ends[1])

    @property
    def inline(self) -> Message:
        """The value, and its interval in parentheses, which is in the same unit."""
        shown = self.text
        if isinstance(self.value, bool | str) or self.low is None or self.high is None or self.interval is None:
            return shown if isinstance(shown, Message) else verbatim(shown)
        low, high = ends_beside_value(self.value, self.unit, self.low, self.high)
        return message("verdict-measured", value=shown, low=low, high=high)

    @property
    def decimal(self) -> "QuotedMetric":
        """A bandwidth in millions of bytes a second, as cameras and desktop benchmarks count; all else as it is."""
        if self.unit != BYTES_PER_S or isinstance(self.value, bool | str):
            return self
        low, high = (None if end is None else end / MB for end in (self.low, self.high))
        return replace(self, value=self.value / MB, unit="MB/s", low=low, high=high)


def metrics_of(metrics: tuple[Metric, ...]) -> Metrics:
    """The metrics by what they are of."""
    return {metric.key: metric for metric in metrics}


def quoted(metrics: Metrics, key: MetricKey, job: Job | None = None) -> QuotedMetric | None:
    """A metric that has a value; None where it was not measured or is Unknown.

    Args:
        metrics: Of the run.
        key: What it is of.
        job: Whose pattern decides the unit of I/Os a second: of sequential ones it is a bandwidth.
    """
    metric = metrics.get(key)
    if metric is None or isinstance(metric.value, Unknown):
        return None
    value, unit, low, high = metric.value, metric.unit, metric.low, metric.high
    if job is not None and job.pattern is Pattern.SEQUENTIAL and isinstance(value, int | float):
        block = job.block_bytes
        value, unit = value * block, BYTES_PER_S
        low, high = (None if end is None else end * block for end in (low, high))
    found = QuotedMetric(metric.name, value, unit, low, high, metric.state, metric.failed_checks, metric.note)
    return found.decimal if isinstance(metrics, DecimalMetrics) else found


def reason(metrics: Metrics, key: MetricKey) -> Message | None:
    """Why a metric is Unknown, its speeds in the unit of those beside it; None where it has a value or was not asked for."""
    metric = metrics.get(key)
    if metric is None or not isinstance(metric.value, Unknown):
        return None
    return in_units(metric.value.reason, _DECIMAL if isinstance(metrics, DecimalMetrics) else _BINARY)


def in_units(told: Message, forms: Mapping[QuantityForm, QuantityForm]) -> Message:
    """The same with its quantities in other forms."""
    return message_of(told.id, {name: _in_forms(value, forms) for name, value in told.pairs}, told.english)


def _in_forms(value: Value, forms: Mapping[QuantityForm, QuantityForm]) -> Value:
    match value:
        case ShownQuantity():
            return replace(value, form=forms.get(value.form, value.form))
        case Listed():
            return replace(value, items=tuple(_in_forms(item, forms) for item in value.items))
        case Message():
            return in_units(value, forms)
        case str() | int() | Number():
            return value
