"""What sensors said of a step, for the audit; and what they say of its writes: write amplification."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ssdlab.analysis.audit.facts import Span, StepSensors
from ssdlab.analysis.evidence import StepEvidence
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Metric, SensedStep, Step
from ssdlab.bundle.quantities import WRITE_AMPLIFICATION
from ssdlab.drive.sense.reading import SensorReading
from ssdlab.job import StepKind
from ssdlab.message import message
from ssdlab.unknown import Unknown

_SHARE_MIN = 0.01
"""Of the capacity: of less, what the drive still holds back or does afterwards decides, and not the step."""
_UNITS_MIN = 10
"""Of fewer of the units that the drive counts in, the quotient says little, and of one of them nothing."""


def sensed_of(evidence: StepEvidence) -> StepSensors | Unknown:
    """What the audit looks at; Unknown where nobody asked."""
    said = evidence.result.sensed
    if isinstance(said, Unknown):
        return said
    return StepSensors(
        temperature_celsius=_span(evidence, said),
        throttled_s=_grown(said.before.throttled_s, said.after.throttled_s),
        link_before=said.before.link,
        link_after=said.after.link,
        errors_logged=_grown(said.before.error_log_entries, said.after.error_log_entries),
        messages=said.messages,
        late=said.late,
        forced=_forced(said),
    )


def _forced(said: SensedStep) -> float | Unknown:
    flushes = _grown(said.before.flushes, said.after.flushes)
    writes = _grown(said.before.forced_writes, said.after.forced_writes)
    if isinstance(flushes, Unknown):
        return flushes
    return writes if isinstance(writes, Unknown) else flushes + writes


def _span(evidence: StepEvidence, said: SensedStep) -> Span | Unknown:
    ends = [one.temperature_c for one in (said.before, said.after) if not isinstance(one.temperature_c, Unknown)]
    series = np.array([]) if isinstance(evidence.sensors, Unknown) else evidence.sensors.temperature_c
    known = [*ends, *series[np.isfinite(series)].tolist()]
    if not known:
        return (
            said.before.temperature_c
            if isinstance(said.before.temperature_c, Unknown)
            else Unknown(message("audit-never-told"))
        )
    return Span(min(known), max(known))


def _grown(before: float | Unknown, after: float | Unknown) -> float | Unknown:
    """How much a counter grew."""
    if isinstance(before, Unknown):
        return before
    return after if isinstance(after, Unknown) else after - before


def amplification_metrics(finished: Sequence[StepEvidence]) -> Iterator[Metric]:
    """Bytes programmed into flash per byte that the host wrote, for each point that wrote enough to tell.

    What the drive does of its own accord in a rest belongs to no point. The interval is that of the units the host's bytes are
    counted in.
    """
    counted = [one for one in finished if _is_counted(one.step)]
    for point in dict.fromkeys(one.step.point for one in counted):
        runs = [one for one in counted if one.step.point == point]
        told = [one.result.sensed for one in runs if not isinstance(one.result.sensed, Unknown)]
        growths = [_growth(one.before, one.after) for one in told]
        known = [one for one in growths if one is not None]
        host_bytes = sum(one.host_bytes for one in known)
        media_bytes, unit_bytes = sum(one.media_bytes for one in known), sum(one.unit_bytes for one in known)
        least_bytes = max(_SHARE_MIN * runs[0].run.drive.capacity_bytes, _UNITS_MIN * unit_bytes)
        if len(known) < len(runs) or host_bytes < least_bytes:
            continue
        is_exact = unit_bytes == len(known)
        yield Metric(
            key=MetricKey(point, WRITE_AMPLIFICATION),
            value=media_bytes / host_bytes,
            unit=WRITE_AMPLIFICATION.unit,
            state=runs[0].step.state,
            step=point.name,
            low=None if is_exact else media_bytes / (host_bytes + unit_bytes),
            high=None if is_exact else media_bytes / (host_bytes - unit_bytes),
            note=message("metric-own-counters"),
        )


def _is_counted(step: Step) -> bool:
    """A fill that only prepares a point is none of it."""
    if step.kind is StepKind.FILL:
        return step.point.name == step.name
    return step.kind in (StepKind.PRECONDITION, StepKind.MEASURE)


@dataclass(frozen=True, slots=True)
class _Growth:
    """What host and media were given during one job."""

    host_bytes: float
    media_bytes: float
    unit_bytes: int


def _growth(before: SensorReading, after: SensorReading) -> _Growth | None:
    """None where one of the counters is not known."""
    host = _grown(before.host_written_bytes, after.host_written_bytes)
    media = _grown(before.media_written_bytes, after.media_written_bytes)
    if isinstance(host, Unknown) or isinstance(media, Unknown) or isinstance(after.host_unit_bytes, Unknown):
        return None
    return _Growth(host, media, after.host_unit_bytes)
