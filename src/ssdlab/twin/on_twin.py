"""A run on a twin of a drive, in virtual time, which nobody watches."""

from pathlib import Path

from ssdlab.bundle.read import Bundle
from ssdlab.engine.base import Progress
from ssdlab.errors import Interrupted
from ssdlab.lab.bench import Bench
from ssdlab.lab.display import Ending
from ssdlab.lab.lifecycle import RunFailed, RunStopped
from ssdlab.lab.run import execute
from ssdlab.message import Message
from ssdlab.method.plan import Plan, PlannedStep, expand
from ssdlab.method.suite import Suite


def run_on(bench: Bench, suite: Suite, profile: str, seed: int, lab: Path) -> Bundle:
    """Do a suite on the drive model on the bench; the bundle is below `lab`.

    Raises:
        SsdlabError: The suite cannot be done on it.
    """
    return do_on(bench, expand(suite, profile, bench.drive.identity, seed), lab)


def do_on(bench: Bench, plan: Plan, lab: Path) -> Bundle:
    """Do a plan that was made for the drive model on the bench; the bundle is below `lab`.

    Raises:
        KeyboardInterrupt, SsdlabError, OSError: What ended it before its end.
    """
    try:
        return execute(plan, bench, lab, _Unwatched())
    except (Interrupted, RunFailed, RunStopped) as error:
        # They name a bundle to go on with or to look at, and `lab` goes with the command.
        raise error.__cause__ or error from None


class _Unwatched:
    """Nobody watches a repetition."""

    def run_starts(self, plan: Plan, bundle: Path) -> None:
        pass

    def step_starts(self, step: PlannedStep) -> None:
        pass

    def progress(self, step: PlannedStep, progress: Progress) -> None:
        pass

    def step_ends(self, step: PlannedStep, ending: Ending, words: Message) -> None:
        pass

    def warning(self, text: Message) -> None:
        pass
