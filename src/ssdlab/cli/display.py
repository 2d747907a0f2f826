"""What `ssdlab run` shows on stderr: a live line in a terminal, plain lines everywhere else."""

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from ssdlab.engine.base import Progress
from ssdlab.lab.display import Display
from ssdlab.method.plan import Plan, PlannedStep
from ssdlab.units import NS_PER_S, format_bandwidth, format_bytes, format_duration

_BARS = "▁▂▃▄▅▆▇█"
_SPARKS = 24
_PLAIN_EVERY_S = 30


@contextmanager
def display_for(stream: TextIO) -> Iterator[Display]:
    """The display that suits the stream: live in a terminal, else plain lines."""
    console = Console(file=stream, highlight=False)
    if not console.is_terminal:
        yield PlainDisplay(stream)
        return
    with Live(console=console, refresh_per_second=8, transient=True) as live:
        yield LiveDisplay(live)


class Pace:
    """Where a step is: share done, bandwidth now and lately, time left."""

    def __init__(self, step: PlannedStep) -> None:
        self.step = step
        self.share_done = 0.0
        self.bandwidth_bytes_per_s: float | None = None
        self.sparks: deque[float] = deque(maxlen=_SPARKS)
        self._started_s = time.monotonic()

    def take(self, progress: Progress) -> None:
        """Take in the newest progress."""
        if progress.share_done is not None:
            self.share_done = min(1.0, progress.share_done)
        self.bandwidth_bytes_per_s = progress.bandwidth_bytes_per_s
        if progress.bandwidth_bytes_per_s is not None:
            self.sparks.append(progress.bandwidth_bytes_per_s)

    def words(self) -> str:
        """Everything in one line."""
        parts = [f"{self.share_done:4.0%}"]
        job = self.step.job
        if job is not None and job.amount_bytes is not None:
            parts.append(f"{format_bytes(job.amount_bytes * self.share_done)} of {format_bytes(job.amount_bytes)}")
        if self.bandwidth_bytes_per_s is not None:
            parts.append(format_bandwidth(self.bandwidth_bytes_per_s))
        if (left_ns := self._left_ns()) is not None:
            parts.append(f"{format_duration(left_ns)} left")
        return ", ".join(parts)

    def sparkline(self) -> str:
        """The last bandwidths as bars, the highest of them full."""
        top = max(self.sparks, default=0.0)
        return "".join(_BARS[int(one / top * (len(_BARS) - 1))] for one in self.sparks) if top else ""

    def _left_ns(self) -> float | None:
        """Time left if the drive goes on as it does now; the speed so far is misleading after a cache has ended."""
        job = self.step.job
        if self.step.rest_ns:
            return self.step.rest_ns * (1 - self.share_done)
        if job is not None and job.amount_bytes is not None and self.bandwidth_bytes_per_s:
            return job.amount_bytes * (1 - self.share_done) / self.bandwidth_bytes_per_s * NS_PER_S
        if not self.share_done:
            return None
        elapsed_s = time.monotonic() - self._started_s
        return elapsed_s * (1 - self.share_done) / self.share_done * NS_PER_S


class LiveDisplay:
    """One line that is redrawn, and a line for each step that is over."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._count = 0
        self._pace: Pace | None = None

    def run_starts(self, plan: Plan, bundle: Path) -> None:
        """See `Display`."""
        self._count = len(plan.steps)
        self._live.console.print(Text(_heading(plan, bundle)))

    def step_starts(self, step: PlannedStep) -> None:
        """See `Display`."""
        self._pace = Pace(step)
        self._draw()

    def progress(self, step: PlannedStep, progress: Progress) -> None:
        """See `Display`."""
        if self._pace is not None and self._pace.step is step:
            self._pace.take(progress)
            self._draw()

    def step_ends(self, step: PlannedStep, words: str) -> None:
        """See `Display`."""
        self._live.console.print(Text.assemble((f"{_number(step, self._count)} {step.name}", "bold"), f"  {words}"))
        self._live.update("")

    def warning(self, text: str) -> None:
        """See `Display`."""
        self._live.console.print(Text(f"warning: {text}", style="yellow"))

    def _draw(self) -> None:
        if self._pace is None:
            return
        step = self._pace.step
        self._live.update(
            Text.assemble(
                (f"{_number(step, self._count)} {step.name}", "bold"),
                f"  {self._pace.words()}  ",
                (self._pace.sparkline(), "cyan"),
            )
        )


class PlainDisplay:
    """Lines for logs and pipes: one when a step begins or ends, and one every half minute."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._count = 0
        self._pace: Pace | None = None
        self._next_s = 0.0

    def run_starts(self, plan: Plan, bundle: Path) -> None:
        """See `Display`."""
        self._count = len(plan.steps)
        self._say(_heading(plan, bundle))

    def step_starts(self, step: PlannedStep) -> None:
        """See `Display`."""
        self._pace = Pace(step)
        self._next_s = time.monotonic() + _PLAIN_EVERY_S
        self._say(f"{_number(step, self._count)} {step.name} ...")

    def progress(self, step: PlannedStep, progress: Progress) -> None:
        """See `Display`."""
        if self._pace is None:
            return
        self._pace.take(progress)
        if time.monotonic() >= self._next_s:
            self._next_s = time.monotonic() + _PLAIN_EVERY_S
            self._say(f"{_number(step, self._count)} {step.name}  {self._pace.words()}")

    def step_ends(self, step: PlannedStep, words: str) -> None:
        """See `Display`."""
        self._say(f"{_number(step, self._count)} {step.name}  {words}")

    def warning(self, text: str) -> None:
        """See `Display`."""
        self._say(f"warning: {text}")

    def _say(self, line: str) -> None:
        print(line, file=self._stream, flush=True)


def _heading(plan: Plan, bundle: Path) -> str:
    comparable = "" if plan.comparable else ", not comparable"
    return f"{plan.suite.name} {plan.suite.version} (profile {plan.profile}{comparable}) -> {bundle}"


def _number(step: PlannedStep, count: int) -> str:
    return f"{step.index}/{count}"
