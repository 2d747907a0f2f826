"""What to type next, at the end of a command that somebody watches."""

import shlex
import sys
from pathlib import Path

from ssdlab.cli.terminal import tell
from ssdlab.message import message


def tell_next(*words: str | Path) -> None:
    """`next: ssdlab report RUN`, on a terminal only: what is read by a program is followed by nothing."""
    if is_watched():
        tell(message("cli-next", command=shlex.join(["ssdlab", *map(str, words)])))


def is_watched() -> bool:
    """Whether what is told goes to a terminal."""
    return sys.stderr.isatty()
