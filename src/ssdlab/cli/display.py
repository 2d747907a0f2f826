"""What `ssdlab run` shows on stderr: a live line in a terminal, plain lines everywhere else."""

import time
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TextIO

from ssdlab.bundle.model import RunInfo
from ssdlab.cli.language import sentence
from ssdlab.cli.outlive import lost_of
from ssdlab.cli.suite_line import suite_line
from ssdlab.cli.terminal import visible
from ssdlab.engine.base import Progress
from ssdlab.job import StepKind
from ssdlab.lab.display import Display, Ending
from ssdlab.lab.lost import Lost
from ssdlab.lab.time_left import left_ns
from ssdlab.message import Message, duration, message, size
from ssdlab.method.draft import CtrlC
from ssdlab.method.plan import Plan, PlannedStep
from ssdlab.step_spec import StepSpec
from ssdlab.units import NS_PER_S, format_bandwidth

_BARS = "▁▂▃▄▅▆▇█"
_SPARKS = 24
_PLAIN_EVERY_S = 30
_SHOWN_ONE_BY_ONE = 8
"""A step of a suite that comes to more jobs than this is shown as one."""


def host_ns() -> int:
    """The host's clock."""
    return int(time.monotonic() * NS_PER_S)


@contextmanager
def display_for(stream: TextIO, now_ns: Callable[[], int] = host_ns) -> Iterator["FollowingDisplay"]:
    """The display that suits the stream: live in a terminal, else plain lines.

    Args:
        stream: Where it is shown.
        now_ns: The clock the drive lives on, by which is told how long steps took.
    """
    # What wants colours everywhere (`FORCE_COLOR`) does not make a terminal of a file.
    if not stream.isatty():
        yield PlainDisplay(stream, now_ns)
        return
    # What draws is loaded only where it is drawn: it is a tenth of what a run loads.
    from ssdlab.cli.live_display import live_display

    with live_display(stream, now_ns) as display:
        yield display


class FollowingDisplay(Display, Protocol):
    """A display that also shows a run it has not seen begin."""

    def follows(self, steps: Sequence[StepSpec], heading: str) -> None:
        """These steps are about to be done, or are being done."""

    def step_starts(self, step: StepSpec) -> None:
        """See `Display`."""

    def progress(self, step: StepSpec, progress: Progress) -> None:
        """See `Display`."""

    def step_ends(self, step: StepSpec, ending: Ending, words: Message) -> None:
        """See `Display`."""


class Pace:
    """Where a step is: share done, bandwidth now and lately, time left."""

    def __init__(self, step: StepSpec) -> None:
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
            done = size(job.amount_bytes * self.share_done)
            parts.append(sentence(message("cli-so-much-of", done=done, whole=size(job.amount_bytes))))
        if self.bandwidth_bytes_per_s is not None:
            parts.append(format_bandwidth(self.bandwidth_bytes_per_s))
        elapsed_ns = (time.monotonic() - self._started_s) * NS_PER_S
        left = left_ns(self.step, self.share_done, self.bandwidth_bytes_per_s, elapsed_ns)
        if left is not None:
            parts.append(sentence(message("cli-time-left", left=duration(left))))
        return ", ".join(parts)

    def sparkline(self) -> str:
        """The last bandwidths as bars, the highest of them full."""
        top = max(self.sparks, default=0.0)
        return "".join(_BARS[int(one / top * (len(_BARS) - 1))] for one in self.sparks) if top else ""


class Place:
    """Where a run is: which step of the suite, and which of its jobs."""

    def __init__(self, steps: Sequence[StepSpec], now_ns: Callable[[], int]) -> None:
        self._now_ns = now_ns
        self._count = len(steps)
        self._jobs: dict[str, list[int]] = {}
        for step in steps:
            if step.kind is not StepKind.REST:
                self._jobs.setdefault(step.group, []).append(step.index)
        self._last = {step.group: step.index for step in steps}
        self._skipped: Counter[str] = Counter()
        self._begun_ns: dict[str, int] = {}

    def begin(self, step: StepSpec) -> bool:
        """Whether a step is to be announced: each by itself, or the first of many."""
        first = step.group not in self._begun_ns
        self._begun_ns.setdefault(step.group, self._now_ns())
        return first or not self._is_one_of_many(step)

    def end(self, step: StepSpec, ending: Ending, words: Message) -> str | None:
        """The words for a step that is over; for the last of many those about all of them."""
        self.begin(step)
        if ending is Ending.SKIPPED and step.kind is not StepKind.REST:
            self._skipped[step.group] += 1
        if not self._is_one_of_many(step):
            return sentence(message("cli-skipped", why=words)) if ending is Ending.SKIPPED else sentence(words)
        return self._all_words(step, words) if step.index == self._last[step.group] else None

    def _all_words(self, step: StepSpec, words: Message) -> str:
        count, skipped = len(self._jobs[step.group]), self._skipped[step.group]
        if skipped == count:
            return sentence(message("cli-skipped", why=words))
        took = duration(self._now_ns() - self._begun_ns[step.group])
        return sentence(message("cli-all-done", done=count - skipped, skipped=skipped, took=took))

    def title(self, step: StepSpec) -> str:
        """`3/5 fill.pass1`, or of many `rw_ratio 37/165`."""
        if self._is_one_of_many(step):
            return f"{step.group} {self._number(step)}"
        # What a search asks for while the run goes on has no place in the plan.
        return f"{step.index}/{self._count} {step.name}" if step.index <= self._count else f"    {step.name}"

    def name(self, step: StepSpec) -> str:
        """What a reader of the title does not yet know."""
        return f"{step.name}  " if self._is_one_of_many(step) else ""

    def closing_title(self, step: StepSpec) -> str:
        """Of the line that says that it is over."""
        return step.group if self._is_one_of_many(step) else self.title(step)

    def _is_one_of_many(self, step: StepSpec) -> bool:
        return len(self._jobs.get(step.group, ())) > _SHOWN_ONE_BY_ONE

    def _number(self, step: StepSpec) -> str:
        """A rest belongs to the job after it."""
        jobs = self._jobs[step.group]
        return f"{min(bisect_left(jobs, step.index) + 1, len(jobs))}/{len(jobs)}"


class PlainDisplay:
    """Lines for logs and pipes: one when a step begins or ends, or many of a kind, and one every half minute."""

    def __init__(self, stream: TextIO, now_ns: Callable[[], int] = host_ns) -> None:
        self._stream = stream
        self._now_ns = now_ns
        self._place: Place | None = None
        self._pace: Pace | None = None
        self._next_s = 0.0

    @property
    def lost(self) -> Lost | None:
        """See `Audience`."""
        return lost_of(self._stream)

    def run_starts(self, plan: Plan, bundle: Path) -> None:
        """See `Display`."""
        self.follows(plan.steps, heading(plan, bundle))

    def follows(self, steps: Sequence[StepSpec], heading: str) -> None:
        """These steps are about to be done, or are being done."""
        self._place = Place(steps, self._now_ns)
        self._say(heading)

    def step_starts(self, step: StepSpec) -> None:
        """See `Display`."""
        self._pace = Pace(step)
        if self._place is not None and self._place.begin(step):
            self._next_s = time.monotonic() + _PLAIN_EVERY_S
            self._say(f"{self._place.title(step)} ...{may_be_ended(step)}")

    def progress(self, step: StepSpec, progress: Progress) -> None:
        """See `Display`."""
        if self._pace is None or self._place is None:
            return
        self._pace.take(progress)
        if time.monotonic() >= self._next_s:
            self._next_s = time.monotonic() + _PLAIN_EVERY_S
            self._say(f"{self._place.title(step)}  {self._place.name(step)}{self._pace.words()}")

    def step_ends(self, step: StepSpec, ending: Ending, words: Message) -> None:
        """See `Display`."""
        if self._place is not None and (said := self._place.end(step, ending, words)) is not None:
            self._say(f"{self._place.closing_title(step)}  {said}")

    def warning(self, text: Message) -> None:
        """See `Display`."""
        self._say(sentence(message("cli-warning", text=text)))

    def _say(self, line: str) -> None:
        print(visible(line), file=self._stream, flush=True)


def may_be_ended(step: StepSpec) -> str:
    """What Ctrl-C does, where it does not end the run."""
    told = isinstance(step, PlannedStep) and step.until is not None and step.until.ctrl_c is CtrlC.STEP
    return f"  {sentence(message('cli-ctrl-c-ends'))}" if told else ""


def heading(plan: Plan | RunInfo, bundle: Path) -> str:
    """The first line: what is run, and where it is kept."""
    return sentence(message("cli-into-bundle", suite=suite_line(plan), bundle=str(bundle)))
