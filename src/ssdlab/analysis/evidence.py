"""What a finished step left behind, read once from the bundle and handed to all metrics and checks."""

from collections.abc import Mapping
from dataclasses import dataclass

from ssdlab.analysis.audit_json import FioReport, read_report, without_bins
from ssdlab.bundle.model import RunInfo, Step, StepResult
from ssdlab.bundle.read import Bundle
from ssdlab.engine.fio_job import JSON_FILE
from ssdlab.engine.fio_series import FioOutputError
from ssdlab.engine.result import Direction, Histogram, LatencyKind, Series
from ssdlab.job import Job
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
        fio=_report(bundle, step),
    )


def _report(bundle: Bundle, step: Step) -> FioReport | Unknown:
    path = bundle.directory(step) / JSON_FILE
    if not path.exists():
        return _NO_JSON
    try:
        return without_bins(read_report(path.read_bytes()))
    except FioOutputError as error:
        return Unknown(error.message)
