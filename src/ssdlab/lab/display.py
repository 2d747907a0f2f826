"""What the lab tells whoever is watching a run."""

from enum import Enum
from pathlib import Path
from typing import Protocol

from ssdlab.engine.base import Progress
from ssdlab.message import Message
from ssdlab.method.plan import Plan, PlannedStep


class Ending(Enum):
    """How a step that went well is over."""

    DONE = "done"
    SKIPPED = "skipped"


class Display(Protocol):
    """Somebody watching; must return at once and never raise."""

    def run_starts(self, plan: Plan, bundle: Path) -> None:
        """The bundle exists and the first step is about to begin."""

    def step_starts(self, step: PlannedStep) -> None:
        """A step begins."""

    def progress(self, step: PlannedStep, progress: Progress) -> None:
        """A few times a second while a step runs."""

    def step_ends(self, step: PlannedStep, ending: Ending, words: Message) -> None:
        """A step is over; `words` say its most telling number, or why it was not needed."""

    def warning(self, text: Message) -> None:
        """Something the reader of the results must know."""
