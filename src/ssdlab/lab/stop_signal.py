"""A step that writes until told to stop: Ctrl-C ends it as a criterion would, and what it wrote is its result."""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

import numpy as np
from numpy.typing import NDArray

from ssdlab.engine.base import Judge
from ssdlab.engine.result import STOPPED_BY_OPERATOR, EarlyStop


class StopOnSignal:
    """A judge that also ends the job once it is told to; a verdict of its own comes first."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._done_bytes = 0.0
        self._is_told = False

    def tell(self) -> None:
        """End the job with the next windows."""
        self._is_told = True

    def feed(self, time_ns: NDArray[np.int64], done_bytes: NDArray[np.float64]) -> EarlyStop | None:
        """See `Judge`."""
        self._done_bytes += float(done_bytes.sum())
        verdict = self._judge.feed(time_ns, done_bytes)
        if verdict is not None or not self._is_told:
            return verdict
        return EarlyStop(STOPPED_BY_OPERATOR, round(self._done_bytes), int(time_ns[-1]))


CTRL_C = (signal.SIGINT,)
ENDINGS = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, and what a service manager says in its place."""


@contextmanager
def ctrl_c_calls(tell: Callable[[], None], signals: Sequence[signal.Signals] = CTRL_C) -> Iterator[None]:
    """Within, the first of these signals calls `tell`, and further ones do what they did before.

    Signals that are ignored stay so, and nothing changes where the caller is not the main thread, which alone gets signals.
    """
    before = {one: handler for one in signals if callable(handler := signal.getsignal(one))}
    if not before or threading.current_thread() is not threading.main_thread():
        yield
        return

    def restore() -> None:
        for one, handler in before.items():
            # Where Ctrl-C came just beside this block, it is left as late as the process ends, which ignores signals by then.
            if signal.getsignal(one) is once:
                signal.signal(one, handler)

    def once(_number: int, _frame: FrameType | None) -> None:
        restore()
        tell()

    for one in before:
        signal.signal(one, once)
    try:
        yield
    finally:
        restore()
