"""What the kernel says of one drive while it is measured: its log (`/dev/kmsg`) from now on, only lines that name the drive.

Form of a record: Documentation/ABI/testing/dev-kmsg: `level,number,µs,flags;text`, then lines that begin with a space.
"""

import errno
import os
import re
from collections.abc import Sequence
from pathlib import Path

from ssdlab.message import message
from ssdlab.os_errors import reason_of
from ssdlab.unknown import Unknown

KMSG = Path("/dev/kmsg")
_RECORD_BYTES_MAX = 8192
_LINES_MAX = 200
"""Of one drive in one step; a drive that fails can fill the log."""


class KernelLog:
    """Reads the log from the moment it was made."""

    def __init__(self, names: Sequence[str], path: Path = KMSG) -> None:
        """Begin at the log's present end.

        Args:
            names: Of the drive and what it hangs on: `nvme0n1`, `nvme0`, `0000:01:00.0`.
            path: Of the kernel's log.
        """
        self._names = re.compile("|".join(_pattern(name) for name in names))
        self._descriptor: int | Unknown
        try:
            self._descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            os.lseek(self._descriptor, 0, os.SEEK_END)
        except OSError as error:
            self._descriptor = Unknown(message("unknown-kernel-log", error=reason_of(error)))

    def new_lines(self) -> tuple[str, ...] | Unknown:
        """Lines since this was last asked; repeated ones once, with how often."""
        if isinstance(self._descriptor, Unknown):
            return self._descriptor
        counts: dict[str, int] = {}
        while (record := _record(self._descriptor)) is not None:
            text = message_of(record)
            if text is not None and self._names.search(text) and (text in counts or len(counts) < _LINES_MAX):
                counts[text] = counts.get(text, 0) + 1
        return tuple(text if count == 1 else f"{text} ({count} times)" for text, count in counts.items())

    def close(self) -> None:
        """Let go of the log."""
        if not isinstance(self._descriptor, Unknown):
            os.close(self._descriptor)


def _pattern(name: str) -> str:
    """The name as a word, or that of one of its partitions (`nvme0n1p2`, `sda2`)."""
    partition = r"(?:p\d+)?" if name[-1].isdigit() else r"\d*"
    return rf"(?<![\w:.]){re.escape(name)}{partition}(?!\w)"


def _record(descriptor: int) -> bytes | None:
    """The next record; None at the end. Records that were overwritten meanwhile are passed over."""
    while True:
        try:
            return os.read(descriptor, _RECORD_BYTES_MAX) or None
        except BlockingIOError:
            return None
        except OSError as error:
            if error.errno != errno.EPIPE:
                return None


def message_of(record: bytes) -> str | None:
    """The text of a record; None if it is none, or one that a program wrote into the log."""
    head, separator, rest = record.decode(errors="replace").partition(";")
    level = head.partition(",")[0]
    if not separator or not level.isdecimal() or int(level) >> 3:
        return None
    return rest.partition("\n")[0].strip() or None
