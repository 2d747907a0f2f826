"""An I/O that the drive failed, in words: which device, which error, where, and what to do."""

import errno
import os
from dataclasses import dataclass

from ssdlab import _core
from ssdlab.message import Message, message, number, size

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


def core_failure(device: str, failed: _core.LoadFailure) -> IoFailure:
    """Of a command of the load engine's, or of a replay in virtual time; a flush has no place."""
    error = error_words(os.strerror(failed.errno), failed.errno)
    if failed.direction == _FLUSH:
        told = message("engine-flush-failed", device=device, error=error)
    else:
        told = failed_io(device, _KINDS[failed.direction], failed.length_bytes, failed.offset_bytes, error)
    return IoFailure(told, hints_of(failed.errno))


def failed_io(device: str, kind: str, length_bytes: int, offset_bytes: int, error: str) -> Message:
    """What failed where, of anything that has a place."""
    return message(
        "engine-io-failed", device=device, kind=kind, length=size(length_bytes), at=number(offset_bytes), error=error
    )


def error_words(error: str, code: int | None) -> str:
    """The system's words with the name of their number, where that is known."""
    return error if code is None or code not in errno.errorcode else f"{error} ({errno.errorcode[code]})"


def hints_of(code: int | None) -> tuple[Message, ...]:
    """What to do about an error of that number."""
    hint = None if code is None else _HINTS.get(code)
    return () if hint is None else (hint,)
