"""What a finished step left behind, read once from the bundle and handed to all metrics and checks."""

from collections.abc import Mapping
from dataclasses import dataclass

from ssdlab.bundle.model import RunInfo, Step, StepResult
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction, Histogram, LatencyKind, Series
from ssdlab.job import Job


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Evidence:
    """One finished step that did I/O."""

    run: RunInfo
    step: Step
    job: Job
    result: StepResult
    series: Mapping[Direction, Series]
    latency: Mapping[Direction, Mapping[LatencyKind, Histogram]]


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
    )
