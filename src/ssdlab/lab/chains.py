"""Steps with nothing between them: where the engine can, they go through what it opens once."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext

from ssdlab.engine.base import Chaining, Engine
from ssdlab.job import Resume, StepKind, Sync
from ssdlab.method.plan import PlannedStep

_MEASURED = {StepKind.RAMP, StepKind.MEASURE}


def chains_of(steps: Sequence[PlannedStep]) -> Iterator[Sequence[PlannedStep]]:
    """All steps in order, those together that may follow each other at once; most are alone."""
    chain: list[PlannedStep] = []
    for step in steps:
        if chain and not _may_follow(chain[-1], step):
            yield chain
            chain = []
        chain.append(step)
    if chain:
        yield chain


def chained(engine: Engine, chain: Sequence[PlannedStep]) -> AbstractContextManager[None]:
    """Tell the engine what follows."""
    jobs = [step.job for step in chain if step.job is not None]
    return engine.chained(jobs) if isinstance(engine, Chaining) and len(jobs) > 1 else nullcontext()


def _may_follow(before: PlannedStep, step: PlannedStep) -> bool:
    """Whether it is sure to follow; what it changes and would have to find again after a stop begins anew."""
    decided = step.only_while is None and step.skip is None
    return _is_measured(before) and _is_measured(step) and decided and step.resume is Resume.REDO


def _is_measured(step: PlannedStep) -> bool:
    return step.kind in _MEASURED and step.until is None and step.job is not None and step.job.sync is Sync.NONE
