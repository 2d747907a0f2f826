"""The most memory that a command of ssdlab takes."""

import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

_ADDRESSES_MAX = 4 << 30
"""What runs away fails by itself, and not by what is left for others."""
_COMMAND = """
import sys
from pathlib import Path
from ssdlab import cli
sys.argv = ["ssdlab", *sys.argv[1:]]
try:
    cli.main()
finally:
    # Not `ru_maxrss`, in which what started us counts until it became this.
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:"))
    print("\\n" + str(int(peak.split()[1]) >> 10), file=sys.stderr)
"""


@dataclass(frozen=True, slots=True)
class Done:
    """A command that has ended."""

    status: int
    stderr: str
    peak_mib: int


def with_peak(arguments: Sequence[str]) -> Done:
    """Run a command of ssdlab in a process of its own."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES_MAX, _ADDRESSES_MAX))

    command = [sys.executable, "-c", _COMMAND, *arguments]
    done = subprocess.run(command, preexec_fn=limit, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stderr, int(done.stderr.split()[-1]))
