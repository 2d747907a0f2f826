"""What a finished step left behind, read once from the bundle and handed to all metrics and checks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ssdlab.analysis.audit_json import FioReport, read_report, without_bins
from ssdlab.bundle.layout import EVERY_IO
from ssdlab.bundle.model import RunInfo, Step, StepResult
from ssdlab.bundle.read import Bundle
from ssdlab.drive.tune import Tuning
from ssdlab.engine.fio_job import JSON_FILE
from ssdlab.engine.fio_series import FioOutputError
from ssdlab.engine.result import Direction, Histogram, LatencyKind, SensorSeries, Series
from ssdlab.job import IoLog, Job
from ssdlab.unknown import Unknown

if TYPE_CHECKING:
    from ssdlab.bundle.tables import LatencyCounts

_NO_SENSOR = Unknown("no sensor was read")
_NO_JSON = Unknown("there is no JSON of fio")
_NO_HOST = Unknown("the run does not say how the host was set up")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Evidence:
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
    fio: FioReport | Unknown = _NO_JSON
    """fio's own JSON, without what the fields above say better."""

    def only(self, direction: Direction) -> "Evidence":
        """The same as if nothing had gone in the other directions; `fio` stays whole."""
        counts = self.latency_counts
        return replace(
            self,
            result=replace(self.result, directions={direction: self.result.directions[direction]}),
            series={direction: self.series[direction]},
            latency={direction: self.latency[direction]},
            latency_counts=None if counts is None else {direction: counts[direction]},
        )


def evidence_of(bundle: Bundle, step: Step) -> Evidence | None:
    """All that is known of a step; None where it did no I/O."""
    if step.job is None:
        return None
    result = bundle.result(step)
    return Evidence(
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
    )


def _counts(
    bundle: Bundle, step: Step, directions: Sequence[Direction]
) -> "Mapping[Direction, Callable[[], LatencyCounts]]":
    return {direction: partial(_count, bundle.directory(step) / EVERY_IO, direction) for direction in directions}


def _count(path: Path, direction: Direction) -> "LatencyCounts":
    from ssdlab.bundle.tables import read_latency_counts

    return read_latency_counts(path, [direction])


def _report(bundle: Bundle, step: Step) -> FioReport | Unknown:
    path = bundle.directory(step) / JSON_FILE
    if not path.exists():
        return _NO_JSON
    try:
        return without_bins(read_report(path.read_bytes()))
    except FioOutputError as error:
        return Unknown(error.message)
