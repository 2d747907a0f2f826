"""How fast recorded I/O is read, a format at a time, and what a whole import takes."""

import json
import subprocess
from collections.abc import Iterator

from measure import Aim, Measurement, release_binary

LINES_PER_S_MIN = 5e6


def traces() -> Iterator[Measurement]:
    """Lines a second of processor time, so that other work on the machine counts less."""
    example = release_binary("ssdlab-trace", "--example", "speed")
    for name, rate in json.loads(subprocess.run([example], capture_output=True, text=True, check=True).stdout).items():
        if name == "import":
            yield Measurement(
                "trace, import of msr-cambridge", rate / 1e6, "M I/Os/CPU s", Aim.NONE, 0, "sorted, written, read"
            )
        else:
            words = f"trace, reading {name}"
            yield Measurement(words, rate / 1e6, "M lines/CPU s", Aim.AT_LEAST, LINES_PER_S_MIN / 1e6, "")
