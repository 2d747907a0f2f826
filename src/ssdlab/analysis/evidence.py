"""What a finished step left behind, read once from the bundle and handed to all metrics and checks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from ssdlab.bundle.model import RunInfo, Step, StepResult, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.engine.fio.document import FioDocument
from ssdlab.engine.fio.job_file import JSON_FILE
from ssdlab.engine.fio.output import read_report
from ssdlab.engine.fio.series import FioOutputError
from ssdlab.engine.result import Direction, Histogram, LatencyKind, SensorSeries, Series
from ssdlab.host.tune import Tuning
from ssdlab.job import IoLog, Job, StepKind
from ssdlab.message import message
from ssdlab.unknown import Unknown

if TYPE_CHECKING:
    from ssdlab.bundle.tables import LatencyCounts

_NO_SENSOR = Unknown(message("unknown-no-sensor-read"))
_NO_JSON = Unknown(message("unknown-no-fio-json"))
_NO_HOST = Unknown(message("unknown-host-settings"))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StepEvidence:
    """One finished step that did I/O."""

    run: RunInfo
    step: Step
    job: Job
    result: StepResult
    series: Mapping[Direction, Series]
    latency: Mapping[Direction, Mapping[LatencyKind, Histogram]]
    latency_counts: "Mapping[Direction, Callable[[], LatencyCounts]] | None" = None
    """Latencies of every single I/O, counted when asked for; None where they were not kept."""
    host: Tuning | Unknown = _NO_HOST
    """The host as it was when the step began."""
    sensors: SensorSeries | Unknown = _NO_SENSOR
    """What the drive's sensors said while the job ran."""
    fio: FioDocument | Unknown = _NO_JSON
    """fio's own JSON, without what the fields above say better."""
    before: StepKind | None = None
    """Kind of the step done before it; None where there was none."""

    def only(self, direction: Direction) -> "StepEvidence":
        """The same as if nothing had gone in the other directions; `fio` stays whole."""
        counts = self.latency_counts
        return replace(
            self,
            result=replace(self.result, directions={direction: self.result.directions[direction]}),
            series={direction: self.series[direction]},
            latency={direction: self.latency[direction]},
            latency_counts=None if counts is None else {direction: counts[direction]},
        )


def evidence_of(bundle: Bundle, step: Step) -> StepEvidence | None:
    """All that is known of a step; None where it did no I/O."""
    if step.job is None:
        return None
    result = bundle.result(step)
    return StepEvidence(
        run=bundle.run,
        step=step,
        job=step.job,
        result=result,
        series={direction: bundle.series(step, direction) for direction in result.directions},
        latency=bundle.histograms(step),
        latency_counts=_counts(bundle, step, tuple(result.directions)) if step.job.io_log is IoLog.EVERY_IO else None,
        host=bundle.host(step),
        sensors=bundle.sensors(step),
        fio=_report(bundle, step),
        before=_before(bundle, step),
    )


def _before(bundle: Bundle, step: Step) -> StepKind | None:
    """Steps that were skipped took no time."""
    done = [other for other in bundle.steps if other.index < step.index and other.status is StepStatus.FINISHED]
    return done[-1].kind if done else None


def _counts(
    bundle: Bundle, step: Step, directions: Sequence[Direction]
) -> "Mapping[Direction, Callable[[], LatencyCounts]]":
    return {direction: partial(bundle.latency_counts, step, [direction]) for direction in directions}


def _report(bundle: Bundle, step: Step) -> FioDocument | Unknown:
    if not bundle.holds(step, JSON_FILE):
        return _NO_JSON
    try:
        return read_report(bundle.file(step, JSON_FILE)).without_bins()
    except FioOutputError as error:
        return Unknown(error.message)
