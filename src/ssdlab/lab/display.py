"""What the lab tells whoever is watching a run."""

from pathlib import Path
from typing import Protocol

from ssdlab.engine.base import Progress
from ssdlab.method.plan import Plan, PlannedStep


class Display(Protocol):
    """Somebody watching; must return at once and never raise."""

    def run_starts(self, plan: Plan, bundle: Path) -> None:
        """The bundle exists and the first step is about to begin."""

    def step_starts(self, step: PlannedStep) -> None:
        """A step begins."""

    def progress(self, step: PlannedStep, progress: Progress) -> None:
        """A few times a second while a step runs."""

    def step_ends(self, step: PlannedStep, words: str) -> None:
        """A step is over; `words` say how, with its most telling number."""

    def warning(self, text: str) -> None:
        """Something the reader of the results must know."""
