"""Steps as they are planned: what a plan and a bundle say of one alike."""

from dataclasses import dataclass

from ssdlab.job import DriveState, Job, StepKind
from ssdlab.point import Point


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSpec:
    """One step of a run: what a plan says of it, and what a bundle keeps beside what became of it."""

    index: int
    """Position in the plan, from 1; steps that were asked for while the run went on are counted after all others."""
    name: str
    """Dotted and unique in the run, such as `fill.pass1`."""
    group: str
    """Name of the suite's step it comes from, such as `fill`."""
    point: Point
    """Where it measures: what its metrics are of."""
    run: int = 1
    """Which repetition of the point, from 1."""
    kind: StepKind
    state: DriveState
    """State of the drive when the step begins; in a plan, if all goes as planned."""
    job: Job | None
    """Absent for steps that do no fio I/O."""
    rest_ns: int
    """Planned rest, for rest steps; 0 otherwise."""
