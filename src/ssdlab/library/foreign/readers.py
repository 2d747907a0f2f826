"""Which reader a file is for."""

from pathlib import Path

from ssdlab.library.foreign import as_ssd, crystaldiskmark
from ssdlab.library.foreign.result import Foreign, ForeignError, Reader

READERS: tuple[Reader, ...] = (*crystaldiskmark.READERS, *as_ssd.READERS)
FILE_BYTES_MAX = 256 << 20
"""No result is larger; what is larger is refused before it is read."""
_BEGIN_BYTES = 64 << 10


def read_foreign(path: Path) -> tuple[Foreign, bytes]:
    """Read a file of another program, and return its content too.

    Raises:
        ForeignError: It is of no known program, too large, damaged or hostile.
    """
    try:
        size_bytes = path.stat().st_size
        if size_bytes > FILE_BYTES_MAX:
            raise ForeignError(f"`{path}` has {size_bytes:,} bytes; no result is larger than {FILE_BYTES_MAX:,}")
        content = path.read_bytes()
    except OSError as error:
        raise ForeignError(f"`{path}` cannot be read: {error.strerror}") from error
    begin = content[:_BEGIN_BYTES]
    for reader in READERS:
        if reader.recognises(begin):
            return reader.read(path.name, content), content
    raise ForeignError(
        f"`{path}` is of no program whose results ssdlab reads",
        f"known are: {'; '.join(reader.program for reader in READERS)}",
    )
