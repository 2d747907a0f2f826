"""Which reader a file is for."""

from dataclasses import dataclass
from pathlib import Path

from ssdlab.library.foreign import (
    as_ssd,
    crystaldiskmark,
    dirty_test,
    fio_result,
    specworkstation,
    threedmark,
    tkperf,
)
from ssdlab.library.foreign.result import Foreign, ForeignError, Reader, checked

READERS: tuple[Reader, ...] = (
    *crystaldiskmark.READERS,
    *as_ssd.READERS,
    *fio_result.READERS,
    *tkperf.READERS,
    *threedmark.READERS,
    *specworkstation.READERS,
    # Its logs have no heading, so all that have one are recognised before.
    *dirty_test.READERS,
)
FOLDER = "bench-fio, the folder it wrote"
FILE_BYTES_MAX = 256 << 20
"""No result is larger; what is larger is refused before it is read."""
_BEGIN_BYTES = 64 << 10
_FILES_MAX = 20_000


@dataclass(frozen=True, slots=True)
class Source:
    """A file of a result as it was given."""

    name: str
    content: bytes


def read_foreign(path: Path) -> tuple[Foreign, tuple[Source, ...]]:
    """Read a file of another program, or a folder of bench-fio, and return what was read too.

    Raises:
        ForeignError: It is of no known program, too large, damaged or hostile.
    """
    if path.is_dir():
        sources = tuple(_sources(path))
        files = [(source.name, source.content) for source in sources]
        return checked(path.name, fio_result.read_bench_fio(path.name, files)), sources
    source = Source(path.name, _content(path, FILE_BYTES_MAX))
    begin = source.content[:_BEGIN_BYTES]
    for reader in READERS:
        if reader.recognises(begin):
            return reader.read(source.name, source.content), (source,)
    raise ForeignError(
        f"`{path}` is of no program whose results ssdlab reads",
        f"known are: {'; '.join(reader.program for reader in READERS)}; {FOLDER}",
    )


def _sources(directory: Path) -> list[Source]:
    """The JSON files below a directory, named by their place in it."""
    paths = sorted(path for path in directory.rglob("*.json") if path.is_file() and not path.is_symlink())
    if len(paths) > _FILES_MAX:
        raise ForeignError(f"`{directory}` has {len(paths):,} JSON files, too many for one result")
    left_bytes, sources = FILE_BYTES_MAX, []
    for path in paths:
        content = _content(path, left_bytes)
        left_bytes -= len(content)
        sources.append(Source("-".join(path.relative_to(directory).parts), content))
    return sources


def _content(path: Path, bytes_max: int) -> bytes:
    try:
        size_bytes = path.stat().st_size
        if size_bytes > bytes_max:
            raise ForeignError(f"`{path}` has {size_bytes:,} bytes, {bytes_max:,} are the most that is read")
        return path.read_bytes()
    except OSError as error:
        raise ForeignError(f"`{path}` cannot be read: {error.strerror}") from error
