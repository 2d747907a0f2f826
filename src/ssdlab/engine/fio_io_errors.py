"""I/Os that the drive failed, from fio's words on stderr: which device, which error, where.

fio prints one line an I/O in flight (`log_io_error` in its io_u.c), hundreds at a deep queue.
"""

import errno
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ssdlab.units import format_bytes

_LINE = re.compile(
    r"io_u error on file .+?: (?P<error>[^:]+): (?P<kind>\w+) offset=(?P<offset>\d+), buflen=(?P<length>\d+)"
)
_NUMBERS = {os.strerror(number): number for number in errno.errorcode}
_HINTS = {
    errno.EIO: "the medium or the way to it is bad: look at `dmesg` and at the drive's own log (`nvme error-log`, `smartctl -l error`)",
    errno.EPERM: "the drive refuses it: worn-out drives become read-only",
    errno.EROFS: "the drive became read-only, as worn-out drives do",
    errno.ENODEV: "the drive went away: look at `dmesg`, at its seat and its power",
    errno.ENXIO: "the drive went away: look at `dmesg`, at its seat and its power",
    errno.EREMOTEIO: "the drive reports an error of its own: look at `dmesg`",
    errno.ENODATA: "the medium is bad there: look at the drive's own log (`nvme error-log`, `smartctl -l error`)",
    errno.ETIMEDOUT: "the drive did not answer in time: look at `dmesg`",
    errno.ENOSPC: "free space where the file under test is kept",
}
"""By the kernel's number; block layers other than NVMe's and SCSI's may use others."""


@dataclass(frozen=True, slots=True)
class IoFailure:
    """What went wrong first, and how often."""

    message: str
    hints: tuple[str, ...]


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
    number = _NUMBERS.get(first["error"])
    name = "" if number is None else f" ({errno.errorcode[number]})"
    more = f", and {len(found) - 1} more I/Os after it" if len(found) > 1 else ""
    length = format_bytes(int(first["length"]))
    message = f"`{device}` failed a {first['kind']} of {length} at byte {int(first['offset']):,}: {first['error']}{name}{more}"
    hint = None if number is None else _HINTS.get(number)
    return IoFailure(message, () if hint is None else (hint,))
