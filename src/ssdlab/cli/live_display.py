"""What `ssdlab run` shows in a terminal."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from ssdlab.cli.display import Pace, Place, heading, may_be_ended
from ssdlab.cli.language import sentence
from ssdlab.cli.outlive import lost_of
from ssdlab.cli.terminal import visible
from ssdlab.engine.base import Progress
from ssdlab.lab.display import Ending
from ssdlab.lab.lost import Lost
from ssdlab.message import Message, message
from ssdlab.method.plan import Plan
from ssdlab.step_spec import StepSpec


@contextmanager
def live_display(stream: TextIO, now_ns: Callable[[], int]) -> Iterator["LiveDisplay"]:
    """A display on a terminal; of the clock see `display_for`."""
    with Live(console=Console(file=stream, highlight=False), refresh_per_second=8, transient=True) as live:
        yield LiveDisplay(live, stream, now_ns)


class LiveDisplay:
    """One line that is redrawn, and a line for each step that is over, or for many of a kind."""

    def __init__(self, live: Live, stream: TextIO, now_ns: Callable[[], int]) -> None:
        self._now_ns = now_ns
        self._live = live
        self._stream = stream
        self._place: Place | None = None
        self._pace: Pace | None = None

    @property
    def lost(self) -> Lost | None:
        """See `Audience`."""
        return lost_of(self._stream)

    def run_starts(self, plan: Plan, bundle: Path) -> None:
        """See `Display`."""
        self.follows(plan.steps, heading(plan, bundle))

    def follows(self, steps: Sequence[StepSpec], heading: str) -> None:
        """See `FollowingDisplay`."""
        self._place = Place(steps, self._now_ns)
        self._live.console.print(Text(visible(heading)))

    def step_starts(self, step: StepSpec) -> None:
        """See `Display`."""
        if self._place is not None:
            self._place.begin(step)
        self._pace = Pace(step)
        self._draw()

    def progress(self, step: StepSpec, progress: Progress) -> None:
        """See `Display`."""
        if self._pace is not None and self._pace.step is step:
            self._pace.take(progress)
            self._draw()

    def step_ends(self, step: StepSpec, ending: Ending, words: Message) -> None:
        """See `Display`."""
        if self._place is None or (said := self._place.end(step, ending, words)) is None:
            return
        self._live.console.print(Text.assemble((self._place.closing_title(step), "bold"), visible(f"  {said}")))
        self._live.update("")

    def warning(self, text: Message) -> None:
        """See `Display`."""
        self._live.console.print(Text(visible(sentence(message("cli-warning", text=text))), style="yellow"))

    def _draw(self) -> None:
        if self._pace is None or self._place is None:
            return
        step = self._pace.step
        self._live.update(
            Text.assemble(
                (self._place.title(step), "bold"),
                f"  {self._place.name(step)}{self._pace.words()}{may_be_ended(step)}  ",
                (self._pace.sparkline(), "cyan"),
            )
        )
