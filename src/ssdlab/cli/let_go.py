"""A run that lets go of its terminal once it has begun: what can be refused is refused before, where the operator sees it."""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path

import typer

from ssdlab.cli.display import PlainDisplay, display_for
from ssdlab.cli.outlive import end_by_sigterm, to_nowhere
from ssdlab.cli.terminal import say, tell
from ssdlab.lab.display import Display
from ssdlab.message import message
from ssdlab.method.plan import Plan

_BEGUN = b"+"
_ENDS = (signal.SIGINT, signal.SIGTERM)


def go_on_alone() -> "Tie":
    """From here on this is another process, in a session of its own; the first one waits and ends here.

    It ends with status 0 once the other lets go, else with the status of the other; Ctrl-C and SIGTERM are handed on to it.
    A terminal that is closed meanwhile ends neither.

    Raises:
        typer.Exit: In the first process.
    """
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    end_by_sigterm()
    heard, told = os.pipe()
    # They wait until the one process can hand them on and the other is out of the terminal's reach.
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDS)
    process_id = os.fork()
    if process_id:
        os.close(told)
        raise typer.Exit(_status_of(process_id, heard))
    os.close(heard)
    os.setsid()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDS)
    return Tie(told)


def _status_of(process_id: int, heard: int) -> int:
    while True:
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDS)
            if os.read(heard, 1) == _BEGUN:
                return 0
            return abs(os.waitstatus_to_exitcode(os.waitpid(process_id, 0)[1]))
        except KeyboardInterrupt:
            os.kill(process_id, signal.SIGINT)


class Tie:
    """What still ties a run to the process that was started on the terminal."""

    def __init__(self, told: int) -> None:
        self._told = told

    def let_go(self) -> None:
        """The run has begun: from here on nothing of it goes to the terminal or comes from there."""
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
            to_nowhere(stream)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, sys.stdin.fileno())
        os.close(nothing)
        # Where the first process was killed nobody waits for it.
        with suppress(BrokenPipeError):
            os.write(self._told, _BEGUN)
        os.close(self._told)


def display_of(tie: Tie | None, now_ns: Callable[[], int]) -> AbstractContextManager[Display]:
    """Who watches: the terminal, or nobody once the run has begun; of the clock see `display_for`."""
    return display_for(sys.stderr, now_ns) if tie is None else nullcontext(PartingDisplay(tie))


class PartingDisplay(PlainDisplay):
    """Says how to follow the run, and then nothing more."""

    def __init__(self, tie: Tie) -> None:
        super().__init__(sys.stderr)
        self._tie = tie

    def run_starts(self, plan: Plan, bundle: Path) -> None:
        """See `Display`."""
        super().run_starts(plan, bundle)
        say(bundle)
        tell(message("cli-goes-on-alone", process=str(os.getpid())))
        tell(message("cli-next-attach", path=str(bundle)))
        self._tie.let_go()
