"""What a command outlives: its terminal, whoever reads what it prints, and every Ctrl-C after the first."""

import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from threading import Timer
from types import FrameType
from typing import Any, TextIO, cast

from ssdlab.lab.lost import Lost

_LOST = {errno.EPIPE: Lost.BROKEN_PIPE, errno.EIO: Lost.TERMINAL_GONE}


_SOON_S = 0.01


class FirstEnds:
    """Handler of the signals that end a command: the first of them does, and none after it disturbs what is put in order then."""

    def __init__(self) -> None:
        self._came = 0

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        """See `signal.signal`.

        Raises:
            KeyboardInterrupt: The first time.
        """
        self._came += 1
        if self._came == 1:
            raise KeyboardInterrupt

    def come_again(self) -> None:
        """What it raised was lost where Python ignores errors, such as in the callback of a weak reference: it comes once more."""
        self._came = 0
        # Not at once: it would be raised where errors are ignored still.
        again = Timer(_SOON_S, os.kill, (os.getpid(), signal.SIGINT))
        again.daemon = True
        again.start()


class LastingStream:
    """Standard output or error that its reader may leave: what comes after that goes nowhere, and nothing fails."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.lost: Lost | None = None

    def write(self, text: str) -> int:
        """See `TextIO.write`."""
        self._lasting(lambda: self._stream.write(text))
        return len(text)

    def flush(self) -> None:
        """See `TextIO.flush`."""
        self._lasting(self._stream.flush)

    def lose(self, how: Lost) -> None:
        """Note why it is not read any more; the first reason stays."""
        self.lost = self.lost or how

    def _lasting(self, act: Callable[[], object]) -> None:
        try:
            act()
        except OSError as error:
            self.lose(_LOST.get(error.errno or 0, Lost.CANNOT_BE_WRITTEN))
            to_nowhere(self._stream)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def to_nowhere(stream: TextIO) -> None:
    """Let what the stream still holds, and all that follows, go to /dev/null: under its own number, which children share."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def drop_what_nobody_takes() -> None:
    """Let go of what is left for a stream that takes nothing more: Python would complain when it flushes it at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            to_nowhere(stream)


def lost_of(stream: TextIO) -> Lost | None:
    """Why nobody reads a stream any more; None while somebody may."""
    return stream.lost if isinstance(stream, LastingStream) else None


def outlive_terminal() -> None:
    """From here on nothing ends the command but its operator.

    A service manager's SIGTERM ends it as Ctrl-C does. A terminal that is closed, or a reader that goes away, only takes its display.
    """
    with held_back():
        # DuckDB aborts the process where Ctrl-C comes while it is loaded, which a step's end would do otherwise.
        import_module("ssdlab.bundle.tables")
    sys.stdout, sys.stderr = _lasting(sys.stdout), _lasting(sys.stderr)
    # A live display puts itself in the place of `sys.stderr` later.
    streams = (sys.stdout, sys.stderr)

    def hung_up(_number: int, _frame: FrameType | None) -> None:
        for stream in streams:
            if isinstance(stream, LastingStream):
                stream.lose(Lost.HUNG_UP)

    end_by_sigterm()
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, hung_up)


def end_by_sigterm() -> None:
    """SIGTERM ends the command as Ctrl-C does, from here on."""
    ends = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGTERM, ends if isinstance(ends, FirstEnds) else FirstEnds())


@contextmanager
def held_back() -> Iterator[None]:
    """Ctrl-C that comes within is raised behind it."""
    came: list[int] = []

    def keep(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    ends = signal.signal(signal.SIGINT, keep)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is keep:
            signal.signal(signal.SIGINT, ends)
        if came:
            os.kill(os.getpid(), signal.SIGINT)


def _lasting(stream: TextIO) -> TextIO:
    return stream if isinstance(stream, LastingStream) else cast("TextIO", LastingStream(stream))


@contextmanager
def first_ctrl_c_ends() -> Iterator[None]:
    """The first Ctrl-C is raised within, and then none until the process has ended; who starts us may have us deaf to it."""
    ends = FirstEnds()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, ends)
    told = sys.unraisablehook

    def ignored(error: "sys.UnraisableHookArgs") -> None:
        if isinstance(error.exc_value, KeyboardInterrupt):
            ends.come_again()
        else:
            told(error)

    sys.unraisablehook = ignored
    try:
        yield
    finally:
        sys.unraisablehook = told
        # Python lets go of its handlers before it ends, and the next signal would then end it by itself.
        for number in (signal.SIGINT, signal.SIGTERM):
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_IGN)
        _forget_unhandled()


def _forget_unhandled() -> None:
    """Python ends by a signal, whatever the exit status, once Ctrl-C has come out of code made from a string, as dataclasses are.

    It notes so where that code ends (CPython, `run_eval_code_obj`), caught later or not; the next such code that ends well is noted, too.
    """
    exec("")  # noqa: S102 - nothing is run


def fill_standard_streams() -> None:
    """Put /dev/null where whoever started us closed a standard stream, before a drive is opened under its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 - as long as the process lives
