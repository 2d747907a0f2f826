"""Steps with nothing between them: where the engine can, each begins as soon as the one before it is over, and is written down later."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress

from ssdlab.drive.access import Drive, DriveError
from ssdlab.engine.base import Chaining, Engine
from ssdlab.job import DriveState, Job, Resume, StepKind, Sync
from ssdlab.lab.lifecycle import Run
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


class RunningAhead:
    """Says in the journal which steps of a chain may begin before they are asked for, and counts what those wrote that have no result."""

    def __init__(
        self, chain: Sequence[PlannedStep], drive: Drive, run: Run, state_before: Callable[[PlannedStep], DriveState]
    ) -> None:
        self._chain = chain
        self._drive = drive
        self._run = run
        self._state_before = state_before

    @property
    def left_bytes(self) -> int | None:
        """See `Following`."""
        return self._run.watchdog.left_bytes

    def may_begin(self, place: int) -> bool:
        """See `Following`.

        Not where the drive is not what it was, or the journal cannot be written: the run hears of that when the step is asked for.
        """
        step = self._chain[place]
        try:
            self._drive.check()
            self._run.announce(step.index, self._state_before(step), most_written(step.job))
        except (DriveError, OSError):
            return False
        return True

    def withdrawn(self, place: int, written_bytes: int) -> None:
        """See `Following`; what a step wrote that had been asked for is told with its end."""
        step = self._chain[place]
        if step.index in self._run.announced:
            self._run.watchdog.discarded(written_bytes)
            # Where the line cannot be written, what was announced counts.
            with suppress(OSError):
                self._run.withdraw(step.index, written_bytes)
        else:
            self._run.watchdog.wrote(written_bytes)


def chained(engine: Engine, chain: Sequence[PlannedStep], ahead: RunningAhead) -> AbstractContextManager[None]:
    """Tell the engine what follows."""
    jobs = [step.job for step in chain if step.job is not None]
    return engine.chained(jobs, ahead) if isinstance(engine, Chaining) and len(jobs) > 1 else nullcontext()


def most_written(job: Job | None) -> int | None:
    """Bytes; None where only the time is limited."""
    return 0 if job is None or not job.writes else job.amount_bytes


def _may_follow(before: PlannedStep, step: PlannedStep) -> bool:
    """Whether it is sure to follow; what it changes and would have to find again after a stop begins anew.

    What ends by what is seen of it ends its chain: the engine would end all that follows with it.
    """
    decided = step.only_while is None and step.skip is None and before.enough is None
    return _is_measured(before) and _is_measured(step) and decided and step.resume is Resume.REDO


def _is_measured(step: PlannedStep) -> bool:
    return step.kind in _MEASURED and step.until is None and step.job is not None and step.job.sync is Sync.NONE
