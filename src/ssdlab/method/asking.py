"""What a planned step knows that asks for its measurements while the run goes on."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Self

from ssdlab.job import DriveState, Job


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingRule(ABC):
    """How it goes about it; each kind of step that asks has its own."""

    template: Job
    """What each of its measurements is, but for its name, its seed and what is varied."""

    @property
    @abstractmethod
    def usual_jobs(self) -> tuple[Job, ...]:
        """What it comes to on most drives: for plans, which must say how long a run takes before it is begun."""

    @abstractmethod
    def seeded(self, seed: int) -> Self:
        """The same with another seed."""

    def state_after(self, before: DriveState) -> DriveState:
        """The state it leaves the drive in: what only reads changes nothing, and what writes to a steady drive goes on with what made it so."""
        return before if not self.template.writes or before is DriveState.STEADY else DriveState.UNKNOWN
