"""The kernel's files: what they say, and saying something to them. Tests stand a directory of recorded ones in their place."""

import os
from dataclasses import dataclass
from pathlib import Path

from ssdlab.message import message
from ssdlab.unknown import Unknown

SECTOR_BYTES = 512
"""The unit of the kernel's sizes and counters, whatever the blocks of the drive."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """Where the files are.

    Attributes:
        sysfs: Devices and their settings (sysfs(5)).
        proc: Processes and the system's state (proc(5)).
    """

    sysfs: Path = Path("/sys")
    proc: Path = Path("/proc")

    def says(self, path: Path) -> str | Unknown:
        """Content of a file without space around it."""
        try:
            text = path.read_text(errors="replace").strip("\0 \n")
        except OSError as error:
            return Unknown(message("unknown-path-unreadable", path=str(path), error=str(error.strerror)))
        return text or Unknown(message("unknown-path-empty", path=str(path)))

    def chosen(self, path: Path) -> str | Unknown:
        """Of several words the one in brackets, which is how sysfs marks a choice; else the whole content."""
        said = self.says(path)
        if isinstance(said, Unknown):
            return said
        marked = [word[1:-1] for word in said.split() if word.startswith("[") and word.endswith("]")]
        return marked[0] if marked else said

    def offers(self, path: Path) -> tuple[str, ...]:
        """All words of a file, brackets taken off; empty if it cannot be read."""
        try:
            text = path.read_text(errors="replace")
        except OSError:
            return ()
        return tuple(word.strip("[]") for word in text.split())

    def number(self, path: Path) -> int | Unknown:
        """Content of a file that holds one whole number."""
        said = self.says(path)
        if isinstance(said, Unknown):
            return said
        return (
            int(said)
            if said.removeprefix("-").isdecimal()
            else Unknown(message("unknown-path-says", path=str(path), text=said))
        )

    def tell(self, path: Path, value: str) -> None:
        """Write into a file that is there.

        Raises:
            OSError: It is not, or the kernel or our rights forbid it.
        """
        descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC)
        try:
            os.write(descriptor, value.encode())
        finally:
            os.close(descriptor)
