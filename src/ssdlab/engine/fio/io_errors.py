"""I/Os that the drive failed, from fio's words on stderr: which device, which error, where.

fio prints one line an I/O in flight (`log_io_error` in its io_u.c), hundreds at a deep queue.
"""

import errno
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ssdlab import _core
from ssdlab.message import Message, message, number, size

_LINE = re.compile(
    r"io_u error on file .+?: (?P<error>[^:]+): (?P<kind>\w+) offset=(?P<offset>\d+), buflen=(?P<length>\d+)"
)
_NUMBERS = {os.strerror(number): number for number in errno.errorcode}
_KINDS = ("read", "write", "trim")
_FLUSH = 3
"""Of `LoadFailure.direction`."""
_HINTS = {
    errno.EIO: message("engine-io-medium"),
    errno.EPERM: message("engine-io-denied"),
    errno.EROFS: message("engine-io-read-only"),
    errno.ENODEV: message("engine-io-drive-gone"),
    errno.ENXIO: message("engine-io-drive-gone"),
    errno.EREMOTEIO: message("engine-io-own-error"),
    errno.ENODATA: message("engine-io-bad-place"),
    errno.ETIMEDOUT: message("engine-io-late"),
    errno.ENOSPC: message("engine-io-no-space"),
}
"""By the kernel's number; block layers other than NVMe's and SCSI's may use others."""


@dataclass(frozen=True, slots=True)
class IoFailure:
    """What went wrong first, and how often."""

    message: Message
    hints: tuple[Message, ...]


def io_failure(device: str, said: Sequence[str]) -> IoFailure | None:
    """What fio says of failed I/Os; None where it says nothing of any.

    Args:
        device: What the I/Os went to; fio itself names only its job's file.
        said: Its lines.
    """
    found = [match for line in said if (match := _LINE.search(line)) is not None]
    if not found:
        return None
    first = found[0]
    code = _NUMBERS.get(first["error"])
    failed = _failed(device, first["kind"], int(first["length"]), int(first["offset"]), _words(first["error"], code))
    if len(found) > 1:
        failed = message("engine-io-failed-more", failed=failed, more=len(found) - 1)
    return IoFailure(failed, _hints(code))


def core_failure(device: str, failed: _core.LoadFailure) -> IoFailure:
    """The same of one command of the load engine's or of a replay in virtual time; a flush has no place."""
    error = _words(os.strerror(failed.errno), failed.errno)
    if failed.direction == _FLUSH:
        told = message("engine-flush-failed", device=device, error=error)
    else:
        told = _failed(device, _KINDS[failed.direction], failed.length_bytes, failed.offset_bytes, error)
    return IoFailure(told, _hints(failed.errno))


def _failed(device: str, kind: str, length_bytes: int, offset_bytes: int, error: str) -> Message:
    return message(
        "engine-io-failed", device=device, kind=kind, length=size(length_bytes), at=number(offset_bytes), error=error
    )


def _words(error: str, code: int | None) -> str:
    return error if code is None or code not in errno.errorcode else f"{error} ({errno.errorcode[code]})"


def _hints(code: int | None) -> tuple[Message, ...]:
    hint = None if code is None else _HINTS.get(code)
    return () if hint is None else (hint,)
