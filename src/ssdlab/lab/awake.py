"""Keeping the host from going to sleep while a run goes on, where systemd can."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SYSTEMD = Path("/run/systemd/system")
"""There while systemd runs the host (sd_booted(3))."""


@contextmanager
def awake(systemd: Path = SYSTEMD) -> Iterator[None]:
    """Hold an inhibitor lock; it ends with us, whatever ends us. Nothing happens where there is no systemd to ask."""
    program = shutil.which("systemd-inhibit")
    if program is None or not systemd.exists():
        yield
        return
    lock = [program, "--what=sleep:idle:handle-lid-switch", "--who=ssdlab", "--why=a drive is being measured", "cat"]
    with subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", "--", *lock],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as holder:
        try:
            yield
        finally:
            assert holder.stdin is not None  # noqa: S101 - it is a pipe
            # At the end of its input `cat` ends, and the lock with it.
            holder.stdin.close()
