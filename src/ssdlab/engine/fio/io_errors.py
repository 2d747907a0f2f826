"""I/Os that the drive failed, from fio's words on stderr: which device, which error, where.

fio prints one line an I/O in flight (`log_io_error` in its io_u.c), hundreds at a deep queue.
"""

import errno
import os
import re
from collections.abc import Sequence

from ssdlab.engine.failed_io import IoFailure, error_words, failed_io, hints_of
from ssdlab.message import message

_LINE = re.compile(
    r"io_u error on file .+?: (?P<error>[^:]+): (?P<kind>\w+) offset=(?P<offset>\d+), buflen=(?P<length>\d+)"
)
_NUMBERS = {os.strerror(number): number for number in errno.errorcode}


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
    failed = failed_io(
        device, first["kind"], int(first["length"]), int(first["offset"]), error_words(first["error"], code)
    )
    if len(found) > 1:
        failed = message("engine-io-failed-more", failed=failed, more=len(found) - 1)
    return IoFailure(failed, hints_of(code))
