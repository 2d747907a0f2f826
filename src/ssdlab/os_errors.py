"""What the host's operating system refused, in words, and what to do about it: the one place that knows its numbers."""

import errno
import os

from ssdlab.errors import SsdlabError
from ssdlab.message import Message, message, verbatim

ELSEWHERE = message("os-elsewhere")
"""What may be done about a place that cannot be written to."""
_MEMORY = message("os-end-or-allow-more")
_WORDS: dict[int, tuple[Message, ...]] = {
    errno.ENOSPC: (message("os-disk-full"), message("os-free-space", otherwise=ELSEWHERE)),
    errno.EDQUOT: (message("os-quota"), message("os-free-space", otherwise=ELSEWHERE)),
    errno.EFBIG: (message("os-file-too-large"), message("os-raise-file-size", otherwise=ELSEWHERE)),
    errno.EROFS: (message("os-read-only"), message("os-mount-for-writing", otherwise=ELSEWHERE)),
    errno.EACCES: (message("os-permission-denied"), message("os-take-a-place", otherwise=ELSEWHERE)),
    errno.EPERM: (message("os-not-permitted"), message("os-take-a-place", otherwise=ELSEWHERE)),
    errno.ENOENT: (message("os-no-such-file"), message("os-check-path")),
    errno.ENOTDIR: (message("os-no-directory"), message("os-check-path")),
    errno.EISDIR: (message("os-is-directory"), message("os-name-a-file")),
    errno.EEXIST: (message("os-exists"), message("os-choose-another-name")),
    errno.ENOTEMPTY: (message("os-not-empty"), message("os-choose-another-name")),
    errno.ENAMETOOLONG: (message("os-name-too-long"), message("os-choose-shorter")),
    errno.ELOOP: (message("os-link-loop"), message("os-check-path")),
    errno.EIO: (message("os-disk-failed"), message("os-do-not-trust-disk")),
    errno.ESTALE: (message("os-stale"), message("os-mount-again")),
    errno.EBUSY: (message("os-busy"), message("os-end-what-uses-it")),
    errno.ENXIO: (message("os-no-such-device"), message("os-check-path")),
    errno.ENODEV: (message("os-no-such-device"), message("os-check-path")),
    errno.EINVAL: (message("os-invalid"),),
    errno.EOPNOTSUPP: (message("os-not-supported"),),
    errno.EMFILE: (message("os-too-many-files"), message("os-raise-files")),
    errno.ENFILE: (message("os-too-many-files-of-host"), message("os-end-other-programs")),
    errno.ENOMEM: (message("os-no-memory"), _MEMORY),
    errno.EAGAIN: (message("os-no-more-processes"), _MEMORY),
}


_OF_WRITING = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS})


def is_of_writing(error: OSError) -> bool:
    """Whether it can only be about what was written to, whatever name the error has."""
    return error.errno in _OF_WRITING


def reason_of(error: OSError) -> Message:
    """Why the host refused, without what it was about."""
    known = _WORDS.get(error.errno or 0)
    return verbatim(error.strerror or str(error) or type(error).__name__) if known is None else known[0]


def in_words(error: OSError, path: object = None) -> SsdlabError:
    """The same as an error for people.

    Args:
        error: What was refused.
        path: What it was about, if the error itself does not know.
    """
    name = error.filename if path is None else path
    reason = reason_of(error)
    found = reason if name is None else message("os-cannot-use", path=_text(name), reason=reason)
    return SsdlabError(found, *(_WORDS[error.errno][1:] if error.errno in _WORDS else ()))


def not_enough_memory() -> SsdlabError:
    """Where the host gave no more of it."""
    return SsdlabError(message("os-no-memory"), _MEMORY)


def _text(name: object) -> str:
    return os.fsdecode(name) if isinstance(name, bytes) else str(name)
