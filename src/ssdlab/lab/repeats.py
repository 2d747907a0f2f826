"""What the runs of each point have shown so far, and whether another is needed (METHODS 0)."""

from collections.abc import Iterable

from ssdlab.analysis.statistics.rate import Counted, total_iops
from ssdlab.analysis.statistics.repeat import RSE_RUNS, relative_standard_error_percent
from ssdlab.job import StepKind
from ssdlab.message import Message, message, number
from ssdlab.method.plan import PlannedStep, RseRule
from ssdlab.point import Point
from ssdlab.unknown import Unknown


class Runs:
    """The IOPS of every finished run, by point."""

    def __init__(self) -> None:
        self._iops: dict[Point, list[float]] = {}

    def take(self, step: PlannedStep, directions: Iterable[Counted]) -> None:
        """Take in what a run did; a ramp is none."""
        iops = total_iops(directions)
        if step.kind is not StepKind.RAMP and not isinstance(iops, Unknown):
            self._iops.setdefault(step.point, []).append(iops)

    def reason_to_skip(self, step: PlannedStep) -> Message | None:
        """Why a step is not needed, with the numbers; None where it is."""
        if step.skip is not None or step.only_while is None:
            return step.skip
        return _settled(self._iops.get(step.point, []), step.only_while)


def _settled(iops: list[float], rule: RseRule) -> Message | None:
    error_percent = relative_standard_error_percent(iops[-RSE_RUNS:])
    if len(iops) < rule.runs_min or isinstance(error_percent, Unknown) or error_percent >= rule.limit_percent:
        return None
    error, limit = number(error_percent, ".2g"), number(rule.limit_percent, "g")
    return message("suite-skip-settled", runs=RSE_RUNS, error=error, limit=limit)
