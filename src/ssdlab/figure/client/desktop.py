"""The profiles of a desktop benchmark as fio measured them (METHODS C9)."""

from collections.abc import Iterator, Sequence

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.figure.kit.drives import drives_of, subtitle_of
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.profiles import BandwidthUnit, BarsHeading, LoadProfile, Scores, profile_figures
from ssdlab.figure.kit.readings import MetricReading, readings
from ssdlab.figure.kit.say import say
from ssdlab.figure.kit.suite_steps import measure_steps, measured_points
from ssdlab.message import message
from ssdlab.method.kinds.measure import MeasureStep, Take

_DIRECTIONS = {100: Direction.READ, 0: Direction.WRITE}


def desktop(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """The figures of profiles of each step that takes the best run."""
    for step in profile_steps(bundles[0]):
        drives = [(drive, values) for drive in drives_of(bundles) if (values := profile_values(drive.bundle, step))]
        states = [value.state for _, values in drives for value in values.values()]
        heading = BarsHeading(
            name=step.name.replace("_", "-"),
            title=say(message("figure-desktop-title")),
            subtitle=subtitle_of([drive.bundle for drive, _ in drives], states) if drives else (),
            how=say(message("figure-desktop-how", runs=step.repeat.runs_max)),
            table=message("figure-table-desktop"),
            unit=BandwidthUnit.BINARY,
        )
        yield from profile_figures([Scores(drive.label, drive.slot, values) for drive, values in drives], heading)


def profile_steps(bundle: Bundle) -> list[MeasureStep]:
    """Steps of a suite that are measured as desktop benchmarks do."""
    return [
        step for step in measure_steps(bundle) if step.take is Take.BEST and step.sweep.named_read_percent is not None
    ]


def profile_values(bundle: Bundle, step: MeasureStep) -> dict[tuple[LoadProfile, Direction], MetricReading]:
    """The best run of each profile."""
    known = readings(bundle)
    return {
        (LoadProfile(job.pattern, job.block_bytes, job.queue_depth, job.jobs), _DIRECTIONS[job.read_percent]): known[
            key
        ]
        for point, job in measured_points(bundle, step.name).items()
        if job.read_percent in _DIRECTIONS and (key := MetricKey(point, BANDWIDTH)) in known
    }
