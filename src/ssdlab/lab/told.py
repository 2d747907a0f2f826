"""A step that writes until told to stop: Ctrl-C ends it as a criterion would, and what it wrote is its result."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import numpy as np
from numpy.typing import NDArray

from ssdlab.engine.base import Judge
from ssdlab.engine.result import STOPPED_BY_OPERATOR, EarlyStop


class UntilTold:
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


@contextmanager
def ctrl_c_calls(tell: Callable[[], None]) -> Iterator[None]:
    """Within, the first Ctrl-C calls `tell`, and further ones do what they did before.

    Where Ctrl-C is ignored, or the caller is not the main thread, which alone gets signals, nothing changes.
    """
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        yield
        return

    def once(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        tell()

    signal.signal(signal.SIGINT, once)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
