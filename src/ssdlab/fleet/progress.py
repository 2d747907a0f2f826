"""How far a run on this host is, as its bundle says."""

from dataclasses import dataclass

from ssdlab.bundle.layout import step_directory
from ssdlab.bundle.model import StepStatus
from ssdlab.bundle.read import open_bundle
from ssdlab.errors import SsdlabError
from ssdlab.fleet.place import RunPlace


@dataclass(frozen=True, slots=True)
class StepsDone:
    """Steps of a run."""

    done: int
    steps: int


def finished_directories(place: RunPlace) -> frozenset[str]:
    """What finished steps of a run left, which nothing but a repetition of the step changes.

    Raises:
        SsdlabError: It is being begun, or resumed.
        OSError: Likewise.
    """
    path = place.bundle
    if path is None:
        return frozenset()
    found = open_bundle(path)
    directories = (step_directory(found.run, step) for step in found.finished())
    return frozenset(one for one in directories if (path / one).is_dir())


def progress_of(place: RunPlace) -> StepsDone | None:
    """How many of its steps are over; None before it is begun."""
    path = place.bundle
    if path is None:
        return None
    try:
        steps = open_bundle(path).steps
    except (SsdlabError, OSError):
        # It is being begun, or resumed.
        return None
    over = sum(step.status in {StepStatus.FINISHED, StepStatus.SKIPPED} for step in steps)
    return StepsDone(over, len(steps))
