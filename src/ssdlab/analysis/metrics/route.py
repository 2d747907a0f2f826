"""By which way a drive came to be steady: what the suite asked for, and what became of it."""

from collections.abc import Iterator, Sequence

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.metrics.naming import Naming
from ssdlab.analysis.metrics.preconditioning import short_way_led
from ssdlab.bundle.model import Metric, Step
from ssdlab.bundle.quantities import ROUTE
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.message import message, number
from ssdlab.method.draft import Route
from ssdlab.method.kinds.steady_state import SteadyStateStep, pass_group
from ssdlab.method.short_way import STRETCH_SHARE


def route_metrics(said: SteadyStateStep, bundle: Bundle, finished: Sequence[StepEvidence]) -> Iterator[Metric]:
    """`precondition.rnd.route`, of a step that asks for the short way: `short`, or `long` with the reason why."""
    if said.route is Route.LONG:
        return
    passed = [step for step in bundle.finished() if step.group == pass_group(said)]
    for evidence in finished:
        naming = Naming(evidence.step.point, evidence.step.state, step=evidence.step.name)
        if not passed:
            yield naming.metric(ROUTE, Route.LONG.value, note=message("metric-short-way-unproven"))
            continue
        share = number(_passed_bytes(bundle, passed) / bundle.run.drive.capacity_bytes, ".0%")
        if short_way_led(evidence.result.stopped):
            note = message("metric-short-way", passed=share, share=number(STRETCH_SHARE, ".0%"))
            yield naming.metric(ROUTE, Route.SHORT.value, note=note)
        else:
            yield naming.metric(ROUTE, Route.LONG.value, note=message("metric-short-way-left", passed=share))


def _passed_bytes(bundle: Bundle, passed: Sequence[Step]) -> int:
    results = (bundle.result(step).directions for step in passed)
    return sum(one[Direction.WRITE].io_bytes for one in results if Direction.WRITE in one)
