"""Waits for the end of a recording, however it ends, and takes its instance of the kernel's tracing away: run as a process of its own.

Nothing is imported but Python itself, so that the process is small and there at once.
"""

import os
import signal
import sys
import time

_PATIENCE_S = 10.0
_AGAIN_S = 0.05


def main(instance: str) -> None:
    """Until standard input ends, as it does when nobody is left who holds its other side; then the instance goes."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while os.read(0, 1):
        pass
    ends_s = time.monotonic() + _PATIENCE_S
    while os.path.isdir(instance) and time.monotonic() < ends_s:  # noqa: PTH112 - pathlib takes longer to load than all else here
        try:
            os.rmdir(instance)  # noqa: PTH106
        except OSError:
            # A file of it is still open in the process that is ending.
            time.sleep(_AGAIN_S)


if __name__ == "__main__":
    main(sys.argv[1])
