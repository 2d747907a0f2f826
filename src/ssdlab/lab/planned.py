"""A planned step as the bundle keeps it."""

from ssdlab.bundle.model import Step, StepStatus
from ssdlab.method.plan import PlannedStep


def as_step(step: PlannedStep, asked_by: int | None = None) -> Step:
    """A step before anything was done.

    Args:
        step: As planned.
        asked_by: Index of the search that asks for it.
    """
    return Step(
        index=step.index,
        name=step.name,
        group=step.group,
        point=step.point,
        run=step.run,
        kind=step.kind,
        status=StepStatus.PLANNED,
        state=step.state,
        job=step.job,
        rest_ns=step.rest_ns,
        started_ns=None,
        ended_ns=None,
        reason=None,
        asked_by=asked_by,
    )
