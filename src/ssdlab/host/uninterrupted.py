"""Finishing what must not stay half done, before a signal ends the run."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Keep back Ctrl-C, SIGTERM and SIGHUP until the block is done; then they come. For moments, never for I/O on a drive.

    Python runs handlers in the main thread alone, so in any other there is nothing to keep back.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def keep(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    before = {number: signal.signal(number, keep) for number in _STOPPING}
    try:
        yield
    finally:
        for number, handler in before.items():
            # A signal that came just beside this block may have it left as late as the process ends, which ignores signals by then.
            if signal.getsignal(number) is keep:
                signal.signal(number, handler)
        for one in dict.fromkeys(came):
            signal.raise_signal(one)
