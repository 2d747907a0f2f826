"""The profiles of a desktop benchmark as fio measured them (METHODS C9)."""

from collections.abc import Iterator, Sequence

from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.figure.drives import drives_of, subtitle_of
from ssdlab.figure.model import Figure
from ssdlab.figure.profiles import Heading, Profile, Scores, profile_figures
from ssdlab.figure.readings import Reading, readings
from ssdlab.figure.suite_steps import measure_steps, measured_points
from ssdlab.method.schema import MeasureStep, Take

_DIRECTIONS = {100: Direction.READ, 0: Direction.WRITE}


def desktop(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """The figures of profiles of each step that takes the best run."""
    for step in profile_steps(bundles[0]):
        drives = [(drive, values) for drive in drives_of(bundles) if (values := profile_values(drive.bundle, step))]
        states = [value.state for _, values in drives for value in values.values()]
        heading = Heading(
            name=step.name.replace("_", "-"),
            title="Desktop benchmark profiles",
            subtitle=subtitle_of([drive.bundle for drive, _ in drives], states) if drives else (),
            how=f"Through fio, best of {step.repeat.runs_max} runs.",
            table="best run of each profile",
        )
        yield from profile_figures([Scores(drive.label, drive.slot, values) for drive, values in drives], heading)


def profile_steps(bundle: Bundle) -> list[MeasureStep]:
    """Steps of a suite that are measured as desktop benchmarks do."""
    return [step for step in measure_steps(bundle) if step.take is Take.BEST and step.sweep.mix is not None]


def profile_values(bundle: Bundle, step: MeasureStep) -> dict[tuple[Profile, Direction], Reading]:
    """The best run of each profile."""
    known = readings(bundle)
    return {
        (Profile(job.pattern, job.block_bytes, job.queue_depth, job.jobs), _DIRECTIONS[job.read_percent]): known[
            f"{name}.bandwidth"
        ]
        for name, job in measured_points(bundle, step.name).items()
        if job.read_percent in _DIRECTIONS and f"{name}.bandwidth" in known
    }
