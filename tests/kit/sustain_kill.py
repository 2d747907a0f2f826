"""Killing `ssdlab sustain` in the middle of its work."""

import os
import signal
import sys
from pathlib import Path

from ssdlab import cli


def killed_after(place: Path, lab: Path, csv: Path, records: int, total: str = "64MiB") -> list[str]:
    """Start the command in a process of its own and kill it once so many records were shown; return what was shown."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(writer, 2)
        sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
        words = [str(place), "--total", total, "--chunk", "256KiB", "--record", "256KiB", "--csv", str(csv)]
        sys.argv = ["ssdlab", "sustain", *words, "--lab", str(lab)]
        try:
            cli.main()
        finally:
            os._exit(0)
    os.close(writer)
    shown = []
    with os.fdopen(reader, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("write "):
                shown.append(line)
                if len(shown) == records:
                    break
        os.kill(child, signal.SIGKILL)
        shown += [line for line in lines if line.startswith("write ") and line.endswith("\n")]
    os.waitpid(child, 0)
    return shown
