"""What every engine offers, and what it may report while it works."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ssdlab.engine.commands import Commands, TimedCommands
from ssdlab.engine.result import EarlyStop, RawResult
from ssdlab.engine.sensing import Heed
from ssdlab.errors import SsdlabError
from ssdlab.job import Job


class EngineError(SsdlabError):
    """A job could not be run to its end."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a running job is, as well as the engine can tell."""

    share_done: float | None
    """0..1 of the job's amount or duration; None while unknown."""
    bandwidth_bytes_per_s: float | None
    """Over about the last second; None while unknown."""
    written_bytes: int | None = None
    """Written by the job so far; None where the drive itself counts better."""


Watch = Callable[[Progress], None]
"""Called a few times a second with the present progress; must return at once."""


class Judge(Protocol):
    """Watches the windows of a running job and may end it."""

    def feed(self, time_ns: NDArray[np.int64], done_bytes: NDArray[np.float64]) -> EarlyStop | None:
        """Take the windows that follow the last ones: when each ended since the job began, and bytes done in it.

        What it returns ends the job; it is not fed again after that.
        """


class Engine(Protocol):
    """Does the I/O of a run and owns its clock."""

    @property
    def name(self) -> str:
        """Engine and version, such as `fio-3.33`."""

    def now_ns(self) -> int:
        """Time since the engine was made, on the clock the drive lives on (real, or virtual)."""

    def rest(self, duration_ns: int, watch: Watch) -> None:
        """Let the drive idle; `watch` is called with no bytes so that a display can go on.

        Raises:
            KeyboardInterrupt: The operator stopped it.
        """

    def run(
        self, job: Job, directory: Path, watch: Watch, judge: Judge | None = None, heed: Heed | None = None
    ) -> RawResult:
        """Run one job to its end, or until `judge` ends it; `directory` is for the files the engine works with.

        `heed` is told what the drive's sensors say before the job and about once a second while it runs.

        Raises:
            EngineError: The job could not be run to its end; the text says why and what to do.
            KeyboardInterrupt: The operator stopped it; nothing of the job counts.
        """


@runtime_checkable
class Selective(Protocol):
    """An engine that has not all that jobs may ask for."""

    def require(self, jobs: Iterable[Job]) -> None:
        """Make sure that it can do them all; to be asked before anything on the drive is erased.

        Raises:
            EngineError: One asks for what it has not; the text says which and what.
        """


class Following(Protocol):
    """Who decides on jobs that may begin before they are asked for, and hears of those that were done in vain."""

    @property
    def left_bytes(self) -> int | None:
        """So much may the jobs write that are done from now on, all together; None: as much as they ask.

        Nobody may listen while one begins that was not asked for, so the engine itself ends what has written more.
        """

    def may_begin(self, place: int) -> bool:
        """Whether that job, counted from 0, may begin as soon as those before it are over; called while they are done.

        Where it says so, whatever must be on the medium before its first write is.
        """

    def withdrawn(self, place: int, written_bytes: int) -> None:
        """That job has no result, and never will have before it is asked for again; it wrote so much, or had not begun."""


@runtime_checkable
class Chaining(Protocol):
    """An engine that keeps open from job to job what it does them through."""

    def chained(self, jobs: Sequence[Job], following: Following) -> AbstractContextManager[None]:
        """Jobs that `run` will be asked for in this order, with nothing between them.

        None begins before it is asked for, or `following` says that it may. Those that began and were not asked for are ended and
        withdrawn at the end, and whenever another job is asked for than the next.
        """


@runtime_checkable
class Replays(Protocol):
    """An engine that also does commands one by one, each said in advance."""

    def replay(self, commands: Commands, directory: Path, watch: Watch) -> TimedCommands:
        """Give the drive commands one by one, and say when it did each; `directory` is for the files the engine works with.

        Raises:
            EngineError: They could not all be done, or this engine has no words for them.
            KeyboardInterrupt: The operator stopped it.
        """
