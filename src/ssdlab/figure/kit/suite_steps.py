"""What the suite says of its steps: a bundle holds the text it ran with."""

from collections.abc import Iterator, Mapping, Sequence

from ssdlab.bundle.read import Bundle
from ssdlab.job import Job, StepKind
from ssdlab.method.faults import SuiteError
from ssdlab.method.kinds.measure import MeasureStep
from ssdlab.method.published import Published
from ssdlab.method.schema import AnyStep
from ssdlab.method.suite import Suite, parse_suite
from ssdlab.point import CoordinateAxis, Point


def suite_steps(bundle: Bundle) -> tuple[AnyStep, ...]:
    """The steps that the suite has under the profile that ran; none when this version cannot read its text any more, and then there are no figures of them."""
    suite = _suite(bundle)
    return () if suite is None else suite.steps_under(bundle.run.profile)


def published_by(bundle: Bundle) -> Published | None:
    """The published method that the suite follows."""
    suite = _suite(bundle)
    return None if suite is None else suite.published


def _suite(bundle: Bundle) -> Suite | None:
    try:
        return parse_suite(bundle.run.suite.text, "the suite of the bundle")
    except SuiteError:
        return None


def measure_steps(bundle: Bundle) -> Iterator[MeasureStep]:
    """Those that measure."""
    return (step for step in suite_steps(bundle) if isinstance(step, MeasureStep))


def measured_points(bundle: Bundle, group: str) -> dict[Point, Job]:
    """Every point of that step that was measured at least once, in the order of the plan, with its job.

    What a profile has measured again at the end of the step is the same point, and not among them.
    """
    return {
        step.point: step.job
        for step in bundle.finished()
        if step.group == group and step.kind is StepKind.MEASURE and step.job is not None and not _is_again(step.point)
    }


def _is_again(point: Point) -> bool:
    return point.value(CoordinateAxis.RUN) is not None


def points_of_any(bundles: Sequence[Bundle], group: str) -> dict[Point, Job]:
    """Likewise those that any of the runs has."""
    return {point: job for bundle in bundles for point, job in measured_points(bundle, group).items()}


def points_of_job(points: Mapping[Point, Job], of_job: Point) -> dict[Point, Job]:
    """Those of one job of a step."""
    return {point: job for point, job in points.items() if of_job.holds(point)}
