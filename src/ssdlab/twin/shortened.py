"""A plan cut down to what has to be done on a twin to know what the whole of it takes.

Steps that end by the clock last as long as they are told to, on any drive: of most of them a look is enough. Reads leave a drive as it was, and writes
leave one that was written until it was steady in a state that it is in already; all else is done as planned.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.job import Job, StepKind
from ssdlab.method.draft import PlannedStep
from ssdlab.method.plan import Plan
from ssdlab.units import NS_PER_S

LOOK_NS = 2 * NS_PER_S
"""Of a step that is cut short."""
_TIMED = {StepKind.RAMP, StepKind.MEASURE}


@dataclass(frozen=True, slots=True)
class ShortPlan:
    """A plan with steps cut short.

    Attributes:
        plan: What is done.
        planned_ns: How long each step that was cut short lasts in truth, by its name.
    """

    plan: Plan
    planned_ns: Mapping[str, int]

    def missed_ns(self, bundle: Bundle) -> dict[str, int]:
        """Time that was not spent, by the suite's step."""
        missed: dict[str, int] = {}
        for step in bundle.finished():
            if step.name in self.planned_ns:
                missed[step.group] = missed.get(step.group, 0) + self.planned_ns[step.name] - LOOK_NS
        return missed

    def missed_bytes(self, bundle: Bundle) -> int:
        """What the host would have written meanwhile, at the speed it had."""
        return sum(
            round(_written_bytes(bundle, step.name) * (self.planned_ns[step.name] / LOOK_NS - 1))
            for step in bundle.finished()
            if step.name in self.planned_ns
        )


def _written_bytes(bundle: Bundle, name: str) -> int:
    totals = bundle.result(bundle.step(name)).directions.get(Direction.WRITE)
    return 0 if totals is None else totals.io_bytes


def shortened(plan: Plan) -> ShortPlan:
    """Of each step that may be, no more than a look."""
    steps = tuple(_looks(plan.steps))
    planned_ns = {
        before.name: before.job.duration_ns
        for before, after in zip(plan.steps, steps, strict=True)
        if before is not after and before.job is not None and before.job.duration_ns is not None
    }
    return ShortPlan(replace(plan, steps=steps), planned_ns)


def whole(plan: Plan) -> ShortPlan:
    """A plan of which nothing is cut short."""
    return ShortPlan(plan, {})


def _looks(steps: tuple[PlannedStep, ...]) -> Iterator[PlannedStep]:
    is_steady = False
    for step in steps:
        if step.until is not None:
            is_steady = True
        elif step.kind not in _TIMED and step.kind is not StepKind.REST:
            is_steady = False
        job = step.job
        if job is not None and _is_by_the_clock(step, job) and (is_steady or not job.writes):
            yield replace(step, job=replace(job, duration_ns=LOOK_NS))
        else:
            yield step


def _is_by_the_clock(step: PlannedStep, job: Job) -> bool:
    """Whether it lasts as long as it is told to, and nothing is decided by what comes out."""
    if step.kind not in _TIMED or step.skip is not None or job.replay is not None or job.amount_bytes is not None:
        return False
    decides = step.only_while is not None or step.enough is not None
    return not decides and job.duration_ns is not None and job.duration_ns > LOOK_NS
