"""Logs packed with xz, which are unpacked before they are read: what reads them knows gzip and Zstandard."""

import lzma
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from ssdlab.analysis.log.file import XZ
from ssdlab.scratch import scratch

_CHUNK_BYTES = 1 << 20
_RATIO_MAX = 200
"""Bytes that come of one; logs, which pack best, come to 50."""
_UNPACKED_BYTES_MIN = 256 << 20
"""So many may come even of a small file."""


@contextmanager
def without_xz(paths: Sequence[Path]) -> Iterator[list[Path]]:
    """The same files, those packed with xz as copies that are not; what is damaged, or unpacks to more than any log, as it is.

    Raises:
        OSError: A copy cannot be written.
    """
    with scratch() as directory:
        yield [_unpacked(path, directory / str(place)) if _is_xz(path) else path for place, path in enumerate(paths)]


def _is_xz(path: Path) -> bool:
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(XZ)) == XZ
    except OSError:
        # What reads the file says why it cannot be read.
        return False


def _unpacked(path: Path, folder: Path) -> Path:
    folder.mkdir()
    copy = folder / path.name.removesuffix(".xz")
    left_bytes = max(_UNPACKED_BYTES_MIN, _RATIO_MAX * path.stat().st_size)
    with copy.open("wb") as to, suppress(lzma.LZMAError, EOFError), lzma.open(path) as unpacked:
        while part := unpacked.read(_CHUNK_BYTES):
            left_bytes -= to.write(part)
            if left_bytes < 0:
                return path
        return copy
    return path
