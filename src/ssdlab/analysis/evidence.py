"""What a finished step left behind, read once from the bundle and handed to all metrics and checks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ssdlab.analysis.audit_json import FioReport, read_report, without_bins
from ssdlab.bundle.model import RunInfo, Step, StepResult
from ssdlab.bundle.read import Bundle
from ssdlab.engine.fio_job import JSON_FILE
from ssdlab.engine.fio_series import FioOutputError
from ssdlab.engine.result import Direction, EveryIo, Histogram, LatencyKind, Series
from ssdlab.job import IoLog, Job
from ssdlab.unknown import Unknown

_NO_JSON = Unknown("there is no JSON of fio")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Evidence:
    """One finished step that did I/O."""

    run: RunInfo
    step: Step
    job: Job
    result: StepResult
    series: Mapping[Direction, Series]
    latency: Mapping[Direction, Mapping[LatencyKind, Histogram]]
    every_io: Callable[[], tuple[EveryIo, ...]] | None = None
    """Every single I/O, one entry a direction, read when asked for; None where they were not kept."""
    fio: FioReport | Unknown = _NO_JSON
    """fio's own JSON, without what the fields above say better."""


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
        latency={
            direction: {kind: bundle.histogram(step, direction, kind) for kind in totals.latency}
            for direction, totals in result.directions.items()
        },
        every_io=_every_io(bundle, step, tuple(result.directions)) if step.job.io_log is IoLog.EVERY_IO else None,
        fio=_report(bundle, step),
    )


def _every_io(bundle: Bundle, step: Step, directions: tuple[Direction, ...]) -> Callable[[], tuple[EveryIo, ...]]:
    return lambda: tuple(bundle.every_io(step, direction) for direction in directions)


def _report(bundle: Bundle, step: Step) -> FioReport | Unknown:
    path = bundle.directory(step) / JSON_FILE
    if not path.exists():
        return _NO_JSON
    try:
        return without_bins(read_report(path.read_bytes()))
    except FioOutputError as error:
        return Unknown(error.message)
