"""`ssdlab attach`: what a run does that has no terminal, or one elsewhere."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli import candidates
from ssdlab.cli.next_step import tell_next
from ssdlab.cli.terminal import say, tell
from ssdlab.errors import Interrupted, SsdlabError
from ssdlab.message import Message, listed, message, verbatim

if TYPE_CHECKING:
    from ssdlab.bundle.live import LivePoint
    from ssdlab.bundle.model import Step
    from ssdlab.bundle.read import Bundle
    from ssdlab.cli.display import FollowingDisplay

_LOOK_EVERY_S = 0.25


class RunLost(SsdlabError):  # noqa: N818 - the error is the state
    """The process that did the run is gone and has left no word of its end."""


def attach(
    run: Annotated[
        Path | None, typer.Argument(metavar="RUN", help=message("help-attach-run").id, autocompletion=candidates.runs)
    ] = None,
    lab: Annotated[Path, typer.Option("--lab", metavar="DIR", help=message("help-lab").id)] = Path("lab"),
) -> None:
    """See `help-attach`."""
    from ssdlab.bundle.find import newest_run
    from ssdlab.bundle.read import open_bundle

    path = newest_run(lab) if run is None else run
    try:
        follow(path)
    except KeyboardInterrupt:
        tell(message("cli-left-alone", path=str(path)))
        return
    _tell_end(open_bundle(path))


def follow(path: Path) -> None:
    """Show a run until no process writes it any more."""
    from ssdlab.bundle import layout
    from ssdlab.bundle.live import is_being_written, last_point
    from ssdlab.bundle.read import open_bundle
    from ssdlab.cli.display import display_for, heading

    bundle = open_bundle(path)
    if not is_being_written(path):
        return
    if (point := last_point(path)) is not None:
        tell(message("cli-written-by", process=str(point.process_id)))
    with display_for(sys.stderr) as display:
        display.follows(bundle.steps, heading(bundle.run, path))
        follower, size = _Follower(display), -1
        while is_being_written(path):
            # A journal of a run without an end is replaced by a shorter one now and then.
            if (now := (path / layout.JOURNAL).stat().st_size) != size:
                size = now
                follower.see(open_bundle(path))
            if (point := last_point(path)) is not None:
                follower.hear(point)
            time.sleep(_LOOK_EVERY_S)
        follower.see(open_bundle(path))


class _Follower:
    """Tells a display what has become of the steps since it last looked."""

    def __init__(self, display: "FollowingDisplay") -> None:
        self._display = display
        self._steps: dict[int, Step] = {}
        self._warned: int | None = None
        self._point: LivePoint | None = None

    def see(self, bundle: "Bundle") -> None:
        """The journal as it is now; what was over before the first look is not told."""
        from ssdlab.bundle.model import StepStatus

        first = not self._steps
        for step in bundle.steps:
            before = self._steps.get(step.index)
            is_new = before is None or before.status is not step.status
            self._steps[step.index] = step
            if is_new and step.status is StepStatus.STARTED:
                self._display.step_starts(step)
            elif is_new and not first:
                self._tell_over(bundle, step)
        warnings = bundle.warned[self._warned :] if self._warned is not None else ()
        for warned in warnings:
            self._display.warning(warned.sentence)
        self._warned = len(bundle.warned)

    def hear(self, point: "LivePoint") -> None:
        """What the engine said last."""
        from ssdlab.bundle.model import StepStatus
        from ssdlab.engine.base import Progress

        step = None if point.step is None else self._steps.get(point.step)
        if point != self._point and step is not None and step.status is StepStatus.STARTED:
            self._display.progress(step, Progress(point.share_done, point.bandwidth_bytes_per_s))
        self._point = point

    def _tell_over(self, bundle: "Bundle", step: "Step") -> None:
        from ssdlab.bundle.model import StepStatus
        from ssdlab.lab.display import Ending

        if step.status is StepStatus.FINISHED:
            self._display.step_ends(step, Ending.DONE, _words_of(bundle, step))
        elif step.status is StepStatus.SKIPPED:
            self._display.step_ends(step, Ending.SKIPPED, _sentence_of(step.reason))


def _words_of(bundle: "Bundle", step: "Step") -> Message:
    """The most telling number of a finished step."""
    from ssdlab.bundle import layout
    from ssdlab.lab.step import telling_numbers
    from ssdlab.message import commas, duration

    if step.rest_ns:
        return listed(commas(duration(step.rest_ns)))
    if step.note is not None or not bundle.files.holds(bundle.name(step, layout.RESULT)):
        return _sentence_of(step.note)
    return telling_numbers(bundle.result(step))


def _sentence_of(remark: Message | str | None) -> Message:
    return remark if isinstance(remark, Message) else verbatim(remark or "")


def _tell_end(bundle: "Bundle") -> None:
    """Ends as the run itself did.

    Raises:
        Interrupted, RunLost, SsdlabError: It did not come to its end.
        typer.Exit: It did, and checks failed.
    """
    from ssdlab.bundle.model import RunStatus
    from ssdlab.cli.run import tell_failures
    from ssdlab.lab.resume import way_on

    path = str(bundle.path)
    reason = bundle.reason or message("unknown-not-recorded")
    match bundle.status:
        case RunStatus.FINISHED:
            say(bundle.path)
            tell_next("report", bundle.path)
            tell_failures(bundle.audit)
        case RunStatus.INTERRUPTED:
            raise Interrupted(message("lab-interrupted"), *way_on(bundle), message("lab-hint-show", path=path))
        case RunStatus.FAILED | RunStatus.STOPPED:
            status = message("cli-run-status", status=bundle.status.value)
            because = message("cli-status-because", status=status, reason=reason)
            raise SsdlabError(because, *way_on(bundle), message("lab-hint-show", path=path))
        case RunStatus.UNFINISHED:
            raise RunLost(message("cli-run-lost", path=path), *way_on(bundle))
