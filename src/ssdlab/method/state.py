"""The state a planned step leaves the drive in; what has no word of its own is unknown, never guessed."""

from ssdlab.drive.identity import DriveIdentity, Freshness
from ssdlab.job import Draw, DriveState, Job, Pattern, Resume, StepKind
from ssdlab.method.draft import PlannedStep

_AFTER_WHOLE_FILL = {
    DriveState.FOB: DriveState.FILLED_ONCE,
    DriveState.FILLED_ONCE: DriveState.FILLED_TWICE,
    DriveState.FILLED_TWICE: DriveState.FILLED_TWICE,
}
_KEPT_BY_MEASURING = frozenset({DriveState.PRECONDITIONED, DriveState.RANDOM_WRITTEN, DriveState.PARTLY_FILLED})
"""States in which writing again what is written already, inside a region made for that, belongs to the state; such a step may also be redone alone."""


def state_after(step: PlannedStep, state: DriveState, drive: DriveIdentity) -> DriveState:
    """State the step leaves behind, whatever it was before; a step that is skipped leaves it."""
    if step.skip is not None:
        return state
    match step.kind:
        case StepKind.PURGE:
            after = DriveState.FOB if drive.purge_leaves is Freshness.FRESH else DriveState.UNKNOWN
        case StepKind.REST:
            after = state
        case StepKind.PRECONDITION:
            after = DriveState.STEADY
        case StepKind.SEARCH:
            after = DriveState.UNKNOWN if step.search is None else step.search.state_after(state)
        case StepKind.FILL:
            after = DriveState.UNKNOWN if step.job is None else _after_fill(step.job, state, drive)
        case StepKind.TRIM:
            after = DriveState.PRECONDITIONED if state is DriveState.RANDOM_WRITTEN else DriveState.UNKNOWN
        case StepKind.MEASURE | StepKind.RAMP:
            after = state if _keeps(step, state) else DriveState.UNKNOWN
    return after


def _after_fill(job: Job, state: DriveState, drive: DriveIdentity) -> DriveState:
    if _covers(job, drive):
        return _AFTER_WHOLE_FILL.get(state, DriveState.UNKNOWN)
    return _AFTER_PART.get((job.pattern, state), DriveState.UNKNOWN)


def _keeps(step: PlannedStep, state: DriveState) -> bool:
    """What only reads changes nothing; measuring on a steady drive goes straight on with what made it steady (METHODS E)."""
    return (
        _only_reads(step) or state is DriveState.STEADY or (state in _KEPT_BY_MEASURING and step.resume is Resume.REDO)
    )


def _only_reads(step: PlannedStep) -> bool:
    return step.job is not None and not step.job.writes


_AFTER_PART = {
    (Pattern.SEQUENTIAL, DriveState.FOB): DriveState.PARTLY_FILLED,
    (Pattern.RANDOM, DriveState.FILLED_TWICE): DriveState.RANDOM_WRITTEN,
}


def _covers(job: Job, drive: DriveIdentity) -> bool:
    """Whether every block is written, and not even one more would fit; independent draws leave a third of them out."""
    if job.pattern is Pattern.RANDOM and job.draw is Draw.INDEPENDENT:
        return False
    return drive.capacity_bytes - job.region.length_bytes < job.block_bytes
