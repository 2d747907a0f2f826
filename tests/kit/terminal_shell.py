"""A shell on a terminal of its own: commands are typed one after the other, and what they print is seen as a person sees it."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_ROWS, _COLUMNS = 40, 100
_ENDED = "\x1eended "


@dataclass(frozen=True, slots=True)
class Typed:
    """What a command printed, and how it ended."""

    status: int
    printed: str


class TerminalShell:
    """One shell, so that what a command sets holds for the next."""

    def __init__(self, process: "subprocess.Popen[bytes]", terminal: int) -> None:
        self._process = process
        self._terminal = terminal

    def type(self, command: str) -> Typed:
        """Run it to its end; commands find no keyboard."""
        assert self._process.stdin is not None
        # On a line of its own, because a command may end in a comment.
        self._process.stdin.write(f"{{ {command}\n}} </dev/null\nprintf '{_ENDED}%s\\n' $?\n".encode())
        self._process.stdin.flush()
        seen = b""
        while not (seen.endswith(b"\n") and _ENDED.encode() in seen):
            part = os.read(self._terminal, 1 << 16)
            assert part, "the shell has ended"
            seen += part
        printed, _, status = seen.decode().replace("\r\n", "\n").rpartition(_ENDED)
        return Typed(int(status), printed)


@contextmanager
def terminal_shell(directory: Path, environment: Mapping[str, str]) -> Iterator[TerminalShell]:
    """A `sh` in that directory with that environment and nothing else of this process."""
    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
    process = subprocess.Popen(
        ["sh"],
        cwd=directory,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=inside,
        stderr=inside,
        start_new_session=True,
    )
    os.close(inside)
    try:
        yield TerminalShell(process, terminal)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.kill()
        process.wait()
        os.close(terminal)
